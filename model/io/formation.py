"""Records of a training run: attention heads as they form, and logged metrics."""

from __future__ import annotations

import math
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.formation import Formation, FormedSentence, Metrics, Observation
from core.records.attention import AttentionSite
from core.storage import Count, DamageError, Part, checked
from words import Message

from ..errors import CheckpointError
from ..families.base import config_of, sites_of
from ..hooks.activations import changing, hook_points
from ..hooks.capture import capture_attention
from ..teacher_forcing import read_ids, tensor_of, token_log_probs

FORMATION = "formation.npz"
METRICS = "metrics.jsonl"
MOST_BYTES = 400 * 10**6  # size of the unpacked arrays
MOST_LINES = 200_000


# -- during training ----------------------------------------------------------------------


@torch.no_grad()
def observe(
    model: nn.Module, src_ids: Sequence[int], tgt_ids: Sequence[int], other_ids: Sequence[int] = ()
) -> Observation:
    """Teacher-force one pair and record weights, log-probabilities and likeliest tokens.

    With `other_ids`, a second source, `word_gain` is measured as well. The model stays in its mode;
    dropout should be off.
    """
    config = config_of(model)
    read = tensor_of(model, read_ids(config, tgt_ids))
    # No `eval` here: a training loop owns the mode, and switching it would also change other
    # threads' passes.
    with capture_attention(model) as captured:
        logits = model(tensor_of(model, src_ids), read)[0]
    weights = {site: captured.weights(site)[0] for site in captured.site_ids}
    return Observation(
        weights,
        token_log_probs(logits, tgt_ids).float().cpu().numpy(),
        logits.argmax(dim=-1).cpu().numpy(),
        _word_gain(model, src_ids, other_ids, read, tgt_ids) if len(other_ids) else None,
    )


def _word_gain(
    model: nn.Module,
    src_ids: Sequence[int],
    other_ids: Sequence[int],
    read: Tensor,
    tgt_ids: Sequence[int],
) -> np.ndarray | None:
    """Return how much the source's words raise log p of each target token.

    The reference is another source, `other_ids`. Attention to either is uniform, so that only the
    words themselves count; None without such attention.
    """
    across = [f"{site.name}.*.pattern" for site in sites_of(model) if not site.is_self]
    if not across:
        return None

    def alike(weights: Tensor, _name: str) -> Tensor:
        return torch.full_like(weights, 1 / weights.shape[-1])

    # Both sources are read under uniform attention; only their words differ.
    with changing(hook_points(model), dict.fromkeys(across, alike)):
        of_source, of_other = (
            token_log_probs(model(tensor_of(model, ids), read)[0], tgt_ids)
            for ids in (src_ids, other_ids)
        )
    return (of_source - of_other).float().cpu().numpy()


def formed_sentence(
    source_tokens: tuple[str, ...],
    target_tokens: tuple[str, ...],
    observed: Sequence[Observation],
    *,
    likeliest: tuple[tuple[str, ...], ...] | None = None,
    alignment: tuple[int, ...] | None = None,
) -> FormedSentence:
    """Stack the observations of one sentence over steps; the other fields stay as they are."""
    gains = [observation.word_gain for observation in observed]
    return FormedSentence(
        source_tokens,
        target_tokens,
        weights={
            name: np.stack([observation.weights[name] for observation in observed])
            for name in observed[0].weights
        },
        log_probs=np.stack([observation.log_probs for observation in observed]),
        likeliest=likeliest,
        word_gain=None if any(g is None for g in gains) else np.stack(gains),  # type: ignore[arg-type]
        alignment=alignment,
    )


# -- after training ------------------------------------------------------------------------


def read_formation(path: Path, sites: Sequence[AttentionSite]) -> Formation | None:
    """Read the formation that ``python -m training export`` writes beside a checkpoint.

    Returns None if nothing was recorded; sites that were not recorded are left out. Raises
    CheckpointError if the file is damaged or belongs to another model. Nothing is unpickled.
    """
    if not path.is_file():
        return None
    try:
        with zipfile.ZipFile(path) as packed:
            # A zip may unpack to far more than its size on disk.
            n_bytes = sum(part.file_size for part in packed.infolist())
        if n_bytes > MOST_BYTES:
            raise ValueError(f"{n_bytes} bytes")
        with np.load(path, allow_pickle=False) as arrays:
            return _formation(arrays, sites)
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        message = Message.of("model-formation-damaged", file=path.name, error=str(error)[:200])
        raise CheckpointError(message, hint=Message("model-formation-damaged-hint")) from error


def _formation(arrays: Any, sites: Sequence[AttentionSite]) -> Formation:
    """Build a formation from the arrays of an archive; raises ValueError if they do not fit."""
    steps = arrays["steps"]
    counts = steps.ndim == 1 and steps.dtype.kind in "iu" and len(steps)
    if not counts or (np.diff(steps) <= 0).any() or steps[0] < 0:
        raise ValueError("steps")
    recorded = tuple(site for site in sites if f"{site.name}_0" in arrays.files)
    n_sentences = len(arrays["sources"])
    sentences = tuple(_sentence(arrays, i, len(steps), recorded) for i in range(n_sentences))
    if not sentences or not recorded:
        raise ValueError("weights")
    return Formation(steps.astype(int), recorded, sentences)


def _sentence(arrays: Any, i: int, n_steps: int, sites: Sequence[AttentionSite]) -> FormedSentence:
    """Read sentence `i`, verifying the shape of every array."""
    source, target = (_texts(arrays[f"{side}_tokens_{i}"]) for side in ("source", "target"))
    lengths = {"source": len(source), "target": len(target)}
    weights = {}
    for site in sites:
        size = (n_steps, site.n_layers, site.n_heads, lengths[site.query], lengths[site.key])
        weights[site.name] = _numbers(arrays, f"{site.name}_{i}", size)
    names = set(arrays.files)
    likeliest = None
    if f"likeliest_{i}" in names:
        lines = arrays[f"likeliest_{i}"]
        if lines.shape != (n_steps, len(target)):
            raise ValueError(f"likeliest_{i}")
        likeliest = tuple(_texts(line) for line in lines)
    shape = (n_steps, len(target))
    log_probs = _numbers(arrays, f"log_probs_{i}", shape)
    gain, often = (
        _numbers(arrays, name, size) if name in names else None
        for name, size in ((f"word_gain_{i}", shape), (f"frequency_{i}", (len(source),)))
    )
    return FormedSentence(source, target, weights, log_probs, likeliest, gain, often)


def _texts(tokens: np.ndarray) -> tuple[str, ...]:
    """Return an array of strings as a tuple; raises ValueError if it is something else or empty."""
    if tokens.ndim != 1 or tokens.dtype.kind != "U" or not len(tokens):
        raise ValueError("tokens")
    return tuple(map(str, tokens))


def _numbers(arrays: Any, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return the array `name`; raises ValueError unless it is float, finite and of `shape`."""
    values = arrays[name]
    if values.shape != shape or values.dtype.kind != "f" or not np.isfinite(values).all():
        raise ValueError(name)
    return values


def read_metrics(path: Path) -> Metrics | None:
    """Read the metrics that a run logged, one JSON object a line; None if there is no file.

    A line that is cut short or without a step is counted and skipped, values other than finite
    numbers are dropped. Raises CheckpointError if the file cannot be read at all.
    """
    if not path.is_file():
        return None
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        message = Message.of("model-metrics-damaged", file=path.name, error=str(error)[:200])
        raise CheckpointError(message) from error
    # A running training may be in the middle of writing its last line.
    read = [_line(line) for line in text.splitlines()[:MOST_LINES] if line.strip()]
    entries = tuple(entry for entry in read if entry is not None)
    return Metrics(entries, len(read) - len(entries))


class Noted(Part):
    """Required field of a line; the others are free."""

    step: Count


def _line(text: str) -> dict[str, float] | None:
    """Return the finite numbers of one line by name, or None for a damaged line."""
    try:
        values = checked(text.encode(), Noted, finite=False)
    except DamageError:
        return None
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    }
