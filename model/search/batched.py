"""Beam search over several sources of one length at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from core.records.search import BeamTree, Decoding

from .beam import (
    NOTHING_FOLLOWS,
    OUT_OF_LENGTH,
    SEARCH_ENDED,
    Beam,
    Candidates,
)
from .protocol import Seq2SeqModel


@torch.inference_mode()
def batched_beam_search(
    model: Seq2SeqModel[Any],
    src: Tensor,
    decoding: Decoding,
    *,
    prefix: Sequence[int] = (),
    token_of: Callable[[int], str] = str,
) -> list[BeamTree]:
    """Run `beam_search` for each of B sources, and return their trees.

    Every source has `beam_size` rows of the batch, also before the first step and after its search
    has ended: states are then reordered, but never grow or shrink. Sums of float32 depend on the
    number of rows, so log-probabilities may differ from those of `beam_search` by about 1e-6.

    Parameters
    ----------
    model : Seq2SeqModel
    src : ids of shape (B, T_src) without padding
    decoding, prefix, token_of
        As for `beam_search`, the same for all sources.
    """
    items = [
        _Item(Beam(decoding, prefix, model.config, token_of), decoding.beam_size)
        for _ in range(len(src))
    ]
    state, prev, cum = _begun(model, src, items)
    while any(item.grows for item in items):
        log_probs, state = model.step(state, prev)  # (B K, V)
        order, prev, cum = _stepped(items, log_probs, cum)
        state = model.select(state, order)
    return [item.tree() for item in items]


def _begun(
    model: Seq2SeqModel[Any], src: Tensor, items: Sequence[_Item]
) -> tuple[Any, Tensor, Tensor]:
    """Read the prefix of all `items`; return state, last tokens (B K,) and totals (B K,)."""
    n_rows = items[0].n_rows
    state = model.start(src.repeat_interleave(n_rows, dim=0))
    # A source may be a picture, whose numbers are no ids.
    prev = torch.full((len(src) * n_rows,), model.config.bos_id, device=src.device)
    cum = torch.zeros(len(prev), device=src.device)
    for token in items[0].beam.prefix:
        log_probs, state = model.step(state, prev)
        for item, rows in zip(items, log_probs.split(n_rows), strict=True):
            item.beam.force(token, rows[0])
        prev = torch.full_like(prev, token)
        cum = cum + log_probs[:, token]
    return state, prev, cum


def _stepped(
    items: Sequence[_Item], log_probs: Tensor, cum: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Let all `items` take a step; return the rows that live on, their last tokens and totals.

    `log_probs` is (B K, V), `cum` and what is returned (B K,).
    """
    n_rows = items[0].n_rows
    kept = [
        item.step(rows, totals)
        for item, rows, totals in zip(
            items, log_probs.split(n_rows), cum.split(n_rows), strict=True
        )
    ]
    first_rows = torch.arange(0, len(cum), n_rows, device=cum.device)
    order = torch.stack([rows for rows, _, _ in kept]) + first_rows[:, None]
    tokens = torch.cat([tokens for _, tokens, _ in kept])
    return order.flatten(), tokens, torch.cat([totals for _, _, totals in kept])


@dataclass
class _Item:
    """Search for one source of the batch."""

    beam: Beam
    n_rows: int
    ended: bool = False
    nothing_follows: bool = False

    @property
    def grows(self) -> bool:
        """True if the next step can change this search."""
        return bool(not self.ended and self.beam.live and self.beam.step < self.beam.max_len)

    def step(self, log_probs: Tensor, totals: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Take a step; return the row, last token and total of `n_rows` prefixes.

        `log_probs` (n_rows, V) and `totals` (n_rows,) belong to the live prefixes and, behind them,
        to rows that only fill the batch.
        """
        n_live = len(self.beam.live)
        if not self.grows:
            unused = torch.zeros(1, dtype=torch.long, device=totals.device)
            return self._filled(unused, unused, totals[:1])
        log_probs = log_probs[:n_live]
        n_candidates = 2 * self.n_rows + self.beam.decoding.n_runners_up
        candidates = Candidates.best_of(totals[:n_live, None] + log_probs, log_probs, n_candidates)
        ranks = self.beam.grow(candidates)
        self.nothing_follows = ranks is None
        self.ended = not ranks or len(self.beam.finished) >= self.n_rows
        kept = ranks or [0]
        self.ended = self.ended or self.beam.is_decided(candidates.totals[kept[0]])
        return self._filled(*candidates.kept(kept, log_probs))

    def _filled(self, *of_prefixes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Repeat the first prefix until there are `n_rows`."""
        rows, tokens, totals = (
            torch.cat([values, values[:1].expand(self.n_rows - len(values))])
            for values in of_prefixes
        )
        return rows, tokens, totals

    def tree(self) -> BeamTree:
        """Return the search as a record."""
        if self.nothing_follows:
            return self.beam.tree(NOTHING_FOLLOWS)
        return self.beam.tree(
            OUT_OF_LENGTH if self.beam.step == self.beam.max_len else SEARCH_ENDED
        )
