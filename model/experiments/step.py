"""One decoder step in numbers: the values of its paper's equations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

from core.records.attention import AttentionSite
from core.records.search import Candidate
from core.records.sources import TokenSequence
from core.records.step import SourceStates, StepValues

from ..hooks.activations import Activation, HookPoint, recording, value_points
from ..hooks.capture import Captured, capture_attention
from ..hooks.value_probes import value_probes_of
from ..readers.experiment import experiment
from ..teacher_forcing import MOST_LOGITS, in_batches, read_ids, tensor_of, token_log_probs
from .protocol import LoadedTranslator

ANNOTATIONS = "annotations"
CENTRE = "centre"
GAUSSIAN = "gaussian"
MOST_CANDIDATES = 8


@experiment("teacher-forcing", "values")
@torch.inference_mode()
def step_values(
    reader: LoadedTranslator, src: TokenSequence, tgt: TokenSequence, position: int
) -> StepValues:
    """Return every quantity of the step that writes ``tgt.tokens[position]``.

    The quantities are those of the paper's equations. Raises ValueError if the target has no such
    position.
    """
    model = reader.model
    token_of = reader.tokenizer.token_of
    if not 0 <= position < len(tgt):
        raise ValueError(f"position is {position}, expected 0 to {len(tgt) - 1}")
    read = read_ids(model.config, tgt.ids[: position + 1])
    points = value_points(model)
    with recording(points) as cache, capture_attention(model, scores=True) as captured:
        logits = model(tensor_of(model, src.ids), tensor_of(model, read))[0, -1]
    # Quantities of the source belong to all steps; of the others the last row is this step's.
    of_pass = {probe.name for probe in value_probes_of(model) if probe.one_call == "pass"}
    values = {
        name: value if name in of_pass else value[-1]
        for name, value in _quantities(points, cache).items()
    }
    step = StepValues(
        src,
        tgt,
        position,
        read=token_of(read[-1]),
        equations=tuple(model.equations),
        values=values,
        logits=logits.float().cpu().numpy(),
        candidates=_candidates(logits, tgt.ids[position], token_of),
        terms=_terms(model, values),
    )
    return _with_attention(step, model.sites[0], captured) if model.sites else step


def _quantities(
    points: Mapping[str, HookPoint], cache: Mapping[str, Activation]
) -> dict[str, np.ndarray]:
    """Return the values of equations in the first sentence, float32 (T, ...) by their own names.

    Of several layers with the same value, the last one counts.
    """
    return {
        str(points[name].module.name): values[0].float().cpu().numpy()
        for name, values in cache.items()
    }


def _with_attention(step: StepValues, site: AttentionSite, captured: Captured) -> StepValues:
    """Add scores, weights and visible keys of the step, and the Gaussian of local attention.

    `site` is the only one: families with equations attend at one site or none.
    """
    # First sentence, last layer, only head, last step.
    scores, weights = (
        recorded(site.name)[0, -1, 0, -1] for recorded in (captured.scores, captured.weights)
    )
    seen = np.ones(len(scores), dtype=bool)
    if site.window is not None:
        seen = np.abs(np.arange(len(scores)) - step.values[CENTRE]) <= site.window
    gaussian = step.values.get(GAUSSIAN)
    return replace(step, scores=scores, weights=weights, seen=seen, gaussian=gaussian)


def _terms(model: Any, values: dict[str, np.ndarray]) -> np.ndarray | None:
    """Return the terms of each score if the model can state them."""
    score_terms = getattr(model, "score_terms", None)
    if score_terms is None:
        return None
    device = next(model.parameters()).device
    tensors = {name: torch.tensor(value, device=device) for name, value in values.items()}
    return score_terms(tensors).float().cpu().numpy()


def _candidates(
    logits: torch.Tensor, produced: int, token_of: Callable[[int], str]
) -> tuple[Candidate, ...]:
    """Return the likeliest tokens, and the produced one if it is not among them."""
    log_probs = logits.log_softmax(dim=-1)
    ids = log_probs.topk(min(MOST_CANDIDATES, len(log_probs))).indices.tolist()
    if produced not in ids:
        ids.append(produced)
    # From 0; equally likely tokens share a rank.
    ranks = [int((log_probs > log_probs[i]).sum()) for i in ids]
    return tuple(
        Candidate(i, token_of(i), float(log_probs[i]), rank)
        for i, rank in zip(ids, ranks, strict=True)
    )


@experiment("values")
@torch.inference_mode()
def source_states(reader: LoadedTranslator, src: TokenSequence) -> SourceStates:
    """Return the encoder's states at each token of `src`."""
    model = reader.model
    points = value_points(model)
    with recording(points) as cache:
        # The beginning of a search runs the encoder and nothing else.
        model.start(tensor_of(model, src.ids))
    probe = next(probe for probe in value_probes_of(model) if probe.name == ANNOTATIONS)
    states = _quantities(points, cache)[ANNOTATIONS]
    # The parts, such as both directions of reading, are joined and equally wide.
    width = states.shape[1] // len(probe.parts)
    return SourceStates(src, states, tuple((part, width) for part in probe.parts))


@experiment("teacher-forcing", "values")
@torch.inference_mode()
def window_centres(reader: LoadedTranslator, src: TokenSequence, tgt: TokenSequence) -> np.ndarray:
    """Return the centre p_t of local attention at each step, float32 (T_tgt,), counted from 0.

    Raises ValueError if the model has no moving window.
    """
    model = reader.model
    points = value_points(model)
    with recording(points) as cache:
        model(tensor_of(model, src.ids), tensor_of(model, read_ids(model.config, tgt.ids)))
    values = _quantities(points, cache)
    if CENTRE not in values:
        raise ValueError("the model has no window with a centre")
    return values[CENTRE][:, 0]


@experiment("teacher-forcing")
def score_each(reader: LoadedTranslator, texts: Sequence[str], beginning: str) -> np.ndarray:
    """Return log-probabilities of one beginning after each text, float32 (n texts, T_tgt).

    The beginning is scored without ``</s>``; a text that the model cannot take has NaN.
    """
    # Without ``</s>``: the beginning does not end here.
    ids = reader.target_of(beginning, "translation").ids[:-1]
    sources = [reader.tokenize(text) for text in texts]
    fitting = {
        row: src
        for row, src in enumerate(sources)
        if isinstance(src, TokenSequence)
        and len(src) <= reader.max_source_len
        and not all(src.special)
    }
    log_probs = np.full((len(texts), len(ids)), np.nan, dtype=np.float32)
    # A batch of no sentences is no tensor.
    if fitting:
        log_probs[list(fitting)] = _score_after(reader, list(fitting.values()), ids)
    return log_probs


@torch.inference_mode()
def _score_after(
    reader: LoadedTranslator, sources: Sequence[TokenSequence], tgt_ids: Sequence[int]
) -> np.ndarray:
    """Return log-probabilities of one target after each source, in batches: (n sources, T_tgt)."""
    model = reader.model
    device = next(model.parameters()).device
    # One row: `expand` repeats it for each source without a copy.
    read = tensor_of(model, read_ids(model.config, tgt_ids))
    rows = []
    for items in in_batches(len(sources), len(tgt_ids) * reader.vocab_size, MOST_LOGITS):
        batch = [torch.tensor(sources[item].ids) for item in items]
        src = pad_sequence(batch, batch_first=True, padding_value=model.config.pad_id).to(device)
        rows.append(token_log_probs(model(src, read.expand(len(batch), -1)), tgt_ids))
    return torch.cat(rows).float().cpu().numpy()
