"""Helpers of teacher forcing: decoder inputs, batches, greedy decoding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

MOST_LOGITS = 2**24
"""Most elements of a batch's logits; bounds the memory for long texts."""


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
