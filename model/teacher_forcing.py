"""Helpers of teacher forcing: decoder inputs, attention maps, batches, greedy decoding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from core.records.attention import AttentionMap, AttentionSite
from core.records.sources import Sides, Source

from .hooks.capture import Captured
from .nets.attention import causal_mask

MOST_LOGITS = 2**24
"""Most elements of a batch's logits; bounds the memory for long texts."""
MayLook = Callable[[str, int, int], np.ndarray]
"""Function of a site's name and the numbers of queries and keys to where its heads may attend.

The result is bool (L, H, n_queries, n_keys).
"""


def tensor_of(model: nn.Module, ids: Sequence[float]) -> Tensor:
    """Return `ids` as a batch of one, (1, T), on the model's device."""
    device = next(model.parameters()).device
    return torch.tensor([list(ids)], dtype=torch.long, device=device)


def padded(model: nn.Module, rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Return ids padded at the end, (B, T), and where tokens stand, bool (B, T), on its device."""
    config: Any = model.config
    device = next(model.parameters()).device
    longest = max(map(len, rows))
    ids = [[*row, *[config.pad_id] * (longest - len(row))] for row in rows]
    lengths = torch.tensor([len(row) for row in rows], device=device)
    mask = torch.arange(longest, device=device) < lengths[:, None]
    return torch.tensor(ids, dtype=torch.long, device=device), mask


def read_ids(config: Any, tgt_ids: Sequence[int]) -> tuple[int, ...]:
    """Return the decoder input that produces `tgt_ids`: ``<s>``, then all but the last."""
    # Shifted right by one (Vaswani et al. 2017, section 3.1).
    return (config.bos_id, *tgt_ids[:-1])


def forced_ids(config: Any) -> tuple[int, ...]:
    """Return the ids that every target begins with after ``<s>``, empty for most families."""
    return tuple(getattr(config, "forced_ids", ()))


def token_log_probs(logits: Tensor, ids: Sequence[int]) -> Tensor:
    """Return natural log-probabilities (..., T) of `ids` (T,) under logits (..., T, V)."""
    rows = torch.arange(len(ids), device=logits.device)
    return logits.log_softmax(dim=-1)[..., rows, torch.tensor(list(ids), device=logits.device)]


def sides_of(src: Source, read_tokens: tuple[str, ...] = ()) -> Sides:
    """Return the labels of all positions on every side of a run."""
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
    """Build the attention maps of a run, in the order of `sites`.

    Parameters
    ----------
    captured : Captured
    sites : sequence of AttentionSite
        Sites that were not captured are skipped.
    sides : Sides
        Labels of the positions on each side, see `sides_of`.
    produced : tuple of str, optional
        Tokens that the rows of the target produce.
    row : int
        Item of the batch.
    may_look : MayLook, optional
        Where an intervention lets the heads attend; by default the model's own masks.

    Raises
    ------
    ValueError
        If a captured map has not as many rows or columns as its sides have positions.
    """
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
    """Build the map of one item of a site."""
    queries, keys = (
        side[item] if len(side) > 1 else side[0] for side in (sides[site.query], sides[site.key])
    )
    mask: np.ndarray | None = causal_mask(len(queries)).numpy() if site.causal else None
    head_masks = None
    if may_look is not None:
        seen = may_look(site.name, len(queries), len(keys))
        anywhere = np.asarray(seen.any(axis=(0, 1)))
        # Masks of single heads are kept only if they differ, so that most records stay small.
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
    """Return the fewest and most tokens to produce for a model that allows `most`.

    By default twice the source and 10 more: plenty, and the end of a hypothesis that never ends.
    """
    if max_len is None:
        max_len = max(max(2 * n_src, n_prefix) + 10, min_len)
    max_len = min(max_len, most)
    return min(min_len, max_len), max_len


def embedded(model: Any, src_ids: Sequence[int]) -> np.ndarray:
    """Return embeddings before positions, scaled as the model does: float32 (T_src, d_model)."""
    vectors = model.embedding_of("source")(tensor_of(model, src_ids))[0] * model.scale
    return vectors.cpu().numpy()


def in_batches(n_items: int, size: int, most: int) -> Iterator[list[int]]:
    """Yield the indices below `n_items` in batches of at most `most` numbers, `size` an item."""
    step = max(1, most // size)
    for first in range(0, n_items, step):
        yield list(range(first, min(first + step, n_items)))


@contextmanager
def differentiable() -> Iterator[None]:
    """Enable gradients with respect to a model's inputs; its parameters get none."""
    # cuDNN differentiates recurrent networks in training mode only; torch's own kernels always do.
    with (
        torch.inference_mode(False),
        torch.enable_grad(),
        torch.backends.cudnn.flags(enabled=False),
    ):
        yield


@torch.inference_mode()
def likeliest_outputs(model: Any, src: Tensor, max_lens: Sequence[int]) -> list[tuple[int, ...]]:
    """Decode a batch greedily; return B sequences of ids without ``<s>``.

    Parameters
    ----------
    model : object with `config`, `start` and `step` as a `Seq2SeqModel` has them
        Only the order of the scores of `step` counts, so logits will do.
    src : ids of shape (B, T_src)
    max_lens : sequence of B ints
        Most tokens of each output; it ends in ``</s>`` if the limit allows.
    """
    eos_id = model.config.eos_id
    forced = forced_ids(model.config)
    limits = torch.tensor(list(max_lens), device=src.device)
    prev = torch.full_like(limits, model.config.bos_id)
    ended = limits < 1
    steps = list[Tensor]()
    state = model.start(src)
    # Items that have ended are decoded on with the rest and cut off below.
    while not bool(ended.all()):
        scores, state = model.step(state, prev)
        prev = scores.argmax(dim=-1)
        # A multilingual model begins each target with the token of its language.
        if len(steps) < len(forced):
            prev = torch.full_like(prev, forced[len(steps)])
        steps.append(prev)
        ended = ended | (prev == eos_id) | (len(steps) >= limits)
    rows = torch.stack(steps, dim=1).tolist() if steps else [[] for _ in max_lens]
    ends = (row.index(eos_id) + 1 if eos_id in row else len(row) for row in rows)
    return [
        tuple(row[: min(end, most)]) for row, end, most in zip(rows, ends, max_lens, strict=True)
    ]
