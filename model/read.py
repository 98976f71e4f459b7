"""Reading what is known already: what a decoder is given, the maps of a run, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.attention import AttentionMap, AttentionSite
from core.sources import Sides, Source

from .attention import causal_mask
from .capture import Captured

MOST_LOGITS = 2**24
"""Numbers that the logits of a batch may hold; bounds the memory for long texts."""
MayLook = Callable[[str, int, int], np.ndarray]
"""From a site's name and the numbers of queries and keys to where its heads may look, bool
(L, H, n_queries, n_keys)."""


def tensor_of(model: nn.Module, ids: Sequence[int]) -> Tensor:
    """ids as a batch of one, (1, T), where the model is."""
    device = next(model.parameters()).device
    return torch.tensor([list(ids)], dtype=torch.long, device=device)


def read_ids(config: Any, tgt_ids: Sequence[int]) -> tuple[int, ...]:
    """What a decoder reads while it is to produce `tgt_ids`: ``<s>``, then all but the last."""
    return (config.bos_id, *tgt_ids[:-1])


def forced_ids(config: Any) -> tuple[int, ...]:
    """What every target begins with after ``<s>``, of a family that has such."""
    return tuple(getattr(config, "forced_ids", ()))


def token_log_probs(logits: Tensor, ids: Sequence[int]) -> Tensor:
    """logits (..., T, V) -> natural log-probabilities (..., T) of the ids (T,)."""
    rows = torch.arange(len(ids), device=logits.device)
    return logits.log_softmax(dim=-1)[..., rows, torch.tensor(list(ids), device=logits.device)]


def sides_of(src: Source, read_tokens: tuple[str, ...] = ()) -> Sides:
    """The names of the positions on every side of a run."""
    return {**src.sides, "target": (read_tokens,)}


def maps_of(
    captured: Captured,
    sites: Sequence[AttentionSite],
    sides: Sides,
    produced: tuple[str, ...] | None = None,
    *,
    row: int = 0,
    may_look: MayLook | None = None,
) -> tuple[AttentionMap, ...]:
    """The maps of a run at every site that was heard, in the order of `sites`, of the sentence at
    `row` of the batch. `sides` names the positions on each side (see `sides_of`), `produced` what
    the rows of the target produce; `may_look` says where an intervention lets the heads look, None
    for the model's own masks. ValueError where what was captured has not as many rows or columns as
    its sides have positions."""
    return tuple(
        _map(captured, site, item, sides, produced, row, may_look)
        for site in sites
        for item in range(captured.n_items(site.name))
    )


def _map(
    captured: Captured,
    site: AttentionSite,
    item: int,
    sides: Sides,
    produced: tuple[str, ...] | None,
    row: int,
    may_look: MayLook | None,
) -> AttentionMap:
    queries, keys = (
        side[item] if len(side) > 1 else side[0] for side in (sides[site.query], sides[site.key])
    )
    mask: np.ndarray | None = causal_mask(len(queries)).numpy() if site.causal else None
    head_masks = None
    if may_look is not None:
        seen = may_look(site.name, len(queries), len(keys))
        anywhere = np.asarray(seen.any(axis=(0, 1)))
        head_masks = None if (seen == anywhere).all() else seen
        mask = None if anywhere.all() else anywhere
    return AttentionMap(
        site=site,
        weights=captured.weights(site.name, item)[row],
        query_tokens=queries,
        key_tokens=keys,
        output_tokens=produced if site.query == "target" else None,
        scores=captured.scores(site.name, item)[row] if captured.has_scores(site.name) else None,
        mask=mask,
        head_masks=head_masks,
        item=item,
    )


def output_limits(
    most: int, n_src: int, min_len: int = 0, max_len: int | None = None, n_prefix: int = 0
) -> tuple[int, int]:
    """Fewest and most tokens to produce, for a model that takes `most`: twice the source and a few
    more is plenty; a hypothesis that never ends stops there."""
    if max_len is None:
        max_len = max(max(2 * n_src, n_prefix) + 10, min_len)
    max_len = min(max_len, most)
    return min(min_len, max_len), max_len


def in_batches(n_items: int, size: int, most: int) -> Iterator[list[int]]:
    """The numbers below `n_items` in batches of at most `most` numbers, `size` an item."""
    step = max(1, most // size)
    for first in range(0, n_items, step):
        yield list(range(first, min(first + step, n_items)))


@contextmanager
def differentiable() -> Iterator[None]:
    """Gradients with respect to what is fed to a model, whose own parameters get none."""
    # cuDNN differentiates recurrent networks in training alone, torch's own kernels always.
    with (
        torch.inference_mode(False),
        torch.enable_grad(),
        torch.backends.cudnn.flags(enabled=False),
    ):
        yield


@torch.inference_mode()
def likeliest_outputs(model: Any, src: Tensor, max_lens: Sequence[int]) -> list[tuple[int, ...]]:
    """The likeliest token at every step, for every item of a batch: B sequences of ids without
    ``<s>``, of at most so many of `max_lens`; they end with ``</s>`` where the limit allows.
    `model` offers `config`, and `start` and `step` as a `Seq2SeqModel` does: of `step` only the
    order of what it returns for each token counts."""
    eos_id, forced = model.config.eos_id, forced_ids(model.config)
    limits = torch.tensor(list(max_lens), device=src.device)
    prev = torch.full_like(limits, model.config.bos_id)
    ended, steps = limits < 1, list[Tensor]()
    state = model.start(src)
    while not bool(ended.all()):
        scores, state = model.step(state, prev)
        prev = scores.argmax(dim=-1)
        if len(steps) < len(forced):
            prev = torch.full_like(prev, forced[len(steps)])
        steps.append(prev)
        ended = ended | (prev == eos_id) | (len(steps) >= limits)
    rows = torch.stack(steps, dim=1).tolist() if steps else [[] for _ in max_lens]
    ends = (row.index(eos_id) + 1 if eos_id in row else len(row) for row in rows)
    return [
        tuple(row[: min(end, most)]) for row, end, most in zip(rows, ends, max_lens, strict=True)
    ]
