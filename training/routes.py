"""Sentences in which the pronoun can only be read off "it": the bottleneck and the exchange.

Bottleneck: cross-attention sees the pieces of "it" alone and the German before the pronoun is
hidden, so the encoder must bring to "it" whatever decides the pronoun. Exchange: the memory at
every other position comes from the other reading of the sentence ("tired" for "wide"), so only
what stands at "it" is right (the idea of interchange training, Geiger et al. 2022). Nothing says
which noun is meant. Only the pronoun counts in such sentences, and under the bottleneck, where a
config asks for it, what is said of "it".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .batching import Batch


@dataclass(frozen=True)
class RouteShares:
    """How many sentences go which way, from a step on.

    `it_only`: share of the two-noun sentences under the bottleneck. `prefix_kept`: chance of each
    German token before the pronoun to stay visible there. `exchange`: share of the other two-noun
    sentences whose memory is exchanged. `elsewhere`: how much the pronoun counts in the two-noun
    sentences left as they are, 0 or 1. `one_noun`: share of the other sentences with a known "it"
    under the bottleneck. `said`: share of the two-noun sentences under the bottleneck in which what
    is said of "it" counts too, so that it must be brought to "it" as well. `alone`: share of the
    sentences under the bottleneck in which "it" alone looks at other tokens in the encoder, so that
    it must find everything by itself. `shuffled`: lend the memory of another sentence's reading
    instead: a control.
    """

    it_only: float = 0.0
    prefix_kept: float = 0.0
    exchange: float = 0.0
    elsewhere: float = 1.0
    one_noun: float = 0.0
    said: float = 0.0
    alone: float = 0.0
    shuffled: bool = False


def shares_at(step: int, entries: Sequence[dict[str, Any]]) -> RouteShares | None:
    """The shares of the last entry reached ({"from_step": 200, "it_only": 0.6, ...}), if any."""
    reached = [entry for entry in entries if entry["from_step"] <= step]
    if not reached:
        return None
    return RouteShares(**{k: v for k, v in reached[-1].items() if k != "from_step"})


@dataclass(frozen=True)
class Routes:
    """The rows drawn for one batch; `others` are the sources that lend the exchanged rows memory.

    it_only, exchange, untouched : row numbers
    alone : those of `it_only` in which "it" alone looks at other tokens
    others : ids (len(exchange), T_src)
    at_it : bool Tensor (B, T_src), True at the pieces of "it" of the drawn rows
    pronouns : bool Tensor (B, T_tgt), True at the known pronouns
    said : bool Tensor (B, T_tgt), True at what is said of "it" in the rows where it counts
    """

    it_only: list[int]
    exchange: list[int]
    untouched: list[int]
    others: Tensor
    at_it: Tensor
    pronouns: Tensor
    said: Tensor
    alone: list[int]


def draw_routes(batch: Batch, shares: RouteShares) -> Routes:
    """Draw which sentences of a batch go which way."""
    it_only, exchange, untouched, others, alone = [], [], [], [], []
    at_it = torch.zeros_like(batch.src, dtype=torch.bool)
    pronouns = torch.zeros_like(batch.tgt_out, dtype=torch.bool)
    said = torch.zeros_like(pronouns)
    draws = torch.rand(len(batch.routes), 3).tolist()
    for (row, example), (first, second, third) in zip(batch.routes, draws, strict=True):
        at_it[row, list(example.query)] = True
        pronouns[row, list(example.pronoun)] = True
        if first < (shares.it_only if example.decision else shares.one_noun):
            it_only.append(row)
            # Exchange and this go different ways, so one draw serves both.
            said[row, list(example.said)] = second < shares.said
            if third < shares.alone:
                alone.append(row)
        elif example.other and second < shares.exchange:
            exchange.append(row)
            others.append(example.other)
        elif example.decision:
            untouched.append(row)
    if shares.shuffled:
        others = [*others[1:], *others[:1]]
    lent = batch.src[exchange].clone()
    for i, ids in enumerate(others):
        lent[i, : len(ids)] = torch.tensor(ids, device=lent.device)[: lent.shape[1]]
    return Routes(it_only, exchange, untouched, lent, at_it, pronouns, said, alone)


def exchange_memory(memory: Tensor, lent: Tensor, routes: Routes) -> Tensor:
    """Memory (B, T_src, d), all but "it" of the exchanged rows from `lent` (R, T_src, d)."""
    own = memory[routes.exchange]
    mixed = torch.where(routes.at_it[routes.exchange][..., None], own, lent)
    return memory.index_copy(0, torch.tensor(routes.exchange, device=memory.device), mixed)


def it_alone_looks(routes: Routes, padding: Tensor | None, n_rows: int) -> Tensor | None:
    """Where the encoder may look, (n_rows, T_src, T_src): in `alone` rows only "it" at others.

    None where there are no such rows; rows beyond those of the batch see everything. So does
    `padding` (B, T_src), which may not see itself and would be left with nothing.
    """
    if not routes.alone:
        return None
    n_src = routes.at_it.shape[1]
    device = routes.at_it.device
    may_look = torch.ones(n_rows, n_src, n_src, dtype=torch.bool, device=device)
    itself = torch.eye(n_src, dtype=torch.bool, device=device)
    sees_all = routes.at_it if padding is None else routes.at_it | padding
    may_look[routes.alone] = itself | sees_all[routes.alone][:, :, None]
    return may_look


def hide_all_but_it(padding: Tensor | None, routes: Routes) -> Tensor:
    """Key padding mask (B, T_src), True = hidden: in the bottleneck's rows all but "it"."""
    hidden = torch.zeros_like(routes.at_it) if padding is None else padding.clone()
    hidden[routes.it_only] = ~routes.at_it[routes.it_only]
    return hidden


def hide_prefix(tgt_in: Tensor, routes: Routes, kept: float, unk_id: int) -> Tensor:
    """Ids (B, T_tgt) whose bottleneck rows keep each token but the first with the chance `kept`."""
    rows = tgt_in[routes.it_only]
    gone = torch.rand(rows.shape, device=rows.device) >= kept
    gone[:, 0] = False
    changed = tgt_in.clone()
    changed[routes.it_only] = rows.masked_fill(gone, unk_id)
    return changed


def what_counts(counts: Tensor, routes: Routes, elsewhere: float) -> Tensor:
    """Bool Tensor (B, T_tgt): in drawn rows the pronoun and what is said of it; elsewhere all, the
    pronoun of two-noun sentences only when asked for.
    """
    counts = counts.clone()
    drawn = routes.it_only + routes.exchange
    counts[drawn] &= (routes.pronouns | routes.said)[drawn]
    if not elsewhere:
        counts[routes.untouched] &= ~routes.pronouns[routes.untouched]
    return counts


def rows_to_hide(batch: Batch, share: float) -> list[int]:
    """Draw the two-noun sentences in which the decoder sees the nouns only."""
    if not share or not batch.nouns:
        return []
    drawn = torch.rand(len(batch.nouns)) < share
    return [row for (row, _), hide in zip(batch.nouns, drawn, strict=True) if hide]


def hide_all_but_nouns(
    batch: Batch, padding: torch.Tensor | None, rows: list[int], kept: float
) -> torch.Tensor:
    """Mark (B, T_src) as hidden: the padding, and in `rows` all but the pieces of both nouns.

    Every other token of these rows stays visible with the chance `kept`.
    """
    hidden = torch.zeros_like(batch.src, dtype=torch.bool) if padding is None else padding.clone()
    hidden[rows] |= torch.rand(len(rows), hidden.shape[1]).to(hidden.device) >= kept
    nouns = dict(batch.nouns)
    for row in rows:
        hidden[row, list(nouns[row])] = False
    return hidden
