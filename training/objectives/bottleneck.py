"""Sentences whose pronoun can only be read off "it": the bottleneck and the exchange.

Bottleneck: cross-attention sees the pieces of "it" alone and the German before the pronoun is
hidden, so the encoder must bring to "it" whatever decides the pronoun. Exchange: the memory at
every other position comes from the other reading of the sentence ("tired" for "wide"), so only the
memory at "it" is right (interchange training, Geiger et al. 2022). Nothing says which noun is
meant. In such sentences only the pronoun counts and, under the bottleneck if a config asks for it,
what is said of "it".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from .batching import Batch
from .objective import RouteShares


@dataclass(frozen=True)
class Routes:
    """Rows drawn for one batch; `others` are sources that lend the exchanged rows their memory.

    - `it_only`, `exchange`, `untouched`: row numbers
    - `alone`: those of `it_only` in which only "it" looks at other tokens
    - `others`: ids (len(exchange), T_src)
    - `at_it`: bool Tensor (B, T_src), True at the pieces of "it" of the drawn rows
    - `pronouns`: bool Tensor (B, T_tgt), True at the known pronouns
    - `predicates`: bool Tensor (B, T_tgt), True at the words said of "it" in rows where they count
    """

    it_only: list[int]
    exchange: list[int]
    untouched: list[int]
    others: Tensor
    at_it: Tensor
    pronouns: Tensor
    predicates: Tensor
    alone: list[int]


def draw_routes(batch: Batch, shares: RouteShares) -> Routes:
    """Draw a route for each sentence of a batch."""
    it_only: list[int] = []
    exchange: list[int] = []
    untouched: list[int] = []
    others: list[Sequence[int]] = []
    alone: list[int] = []
    at_it = torch.zeros_like(batch.src, dtype=torch.bool)
    pronouns = torch.zeros_like(batch.tgt_out, dtype=torch.bool)
    predicates = torch.zeros_like(pronouns)
    # Three numbers a sentence, whatever its route: a new share does not shift later draws.
    draws = torch.rand(len(batch.routes), 3).tolist()
    for (row, example), (first, second, third) in zip(batch.routes, draws, strict=True):
        at_it[row, list(example.query)] = True
        pronouns[row, list(example.pronoun)] = True
        if first < (shares.it_only if example.decision else shares.one_noun):
            it_only.append(row)
            # Exchanged sentences never come here, so one draw serves both.
            predicates[row, list(example.predicate)] = second < shares.said
            if third < shares.alone:
                alone.append(row)
        elif example.other and second < shares.exchange:
            exchange.append(row)
            others.append(example.other)
        elif example.decision:
            untouched.append(row)
    # Each row gets its neighbour's memory: the same statistics, but the wrong sentence.
    if shares.shuffled:
        others = [*others[1:], *others[:1]]
    return Routes(
        it_only=it_only,
        exchange=exchange,
        untouched=untouched,
        others=_lent_sources(batch.src[exchange], others),
        at_it=at_it,
        pronouns=pronouns,
        predicates=predicates,
        alone=alone,
    )


def _lent_sources(sources: Tensor, others: Sequence[Sequence[int]]) -> Tensor:
    """Return a copy of `sources` (R, T_src) that begins with the ids of `others`, row by row."""
    lent = sources.clone()
    for i, ids in enumerate(others):
        # Both readings have the same length; the cut is for the control, whose sources may be
        # longer.
        lent[i, : len(ids)] = torch.tensor(ids, device=lent.device)[: lent.shape[1]]
    return lent


def exchange_memory(memory: Tensor, lent: Tensor, routes: Routes) -> Tensor:
    """Return memory (B, T_src, d) whose exchanged rows are `lent` (R, T_src, d) except at "it"."""
    exchanged = memory[routes.exchange]
    mixed = torch.where(routes.at_it[routes.exchange][..., None], exchanged, lent)
    # A copy, since autograd needs the memory as it was.
    return memory.index_copy(0, torch.tensor(routes.exchange, device=memory.device), mixed)


def it_alone_looks(routes: Routes, padding: Tensor | None, n_rows: int) -> Tensor | None:
    """Return the encoder's mask (n_rows, T_src, T_src), True where a query may look at a key.

    In `alone` rows only "it" may look at other tokens.

    None without such rows. Rows beyond those of the batch see everything, and so does `padding` (B,
    T_src): it may not see itself and would be left with nothing, a softmax of NaN.
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
    """Return a key padding mask (B, T_src), True = hidden: in bottleneck rows all but "it"."""
    hidden = torch.zeros_like(routes.at_it) if padding is None else padding.clone()
    hidden[routes.it_only] = ~routes.at_it[routes.it_only]
    return hidden


def hide_prefix(tgt_in: Tensor, routes: Routes, kept: float, unk_id: int) -> Tensor:
    """Hide target tokens of bottleneck rows but the first, each with probability 1 - `kept`."""
    rows = tgt_in[routes.it_only]
    gone = torch.rand(rows.shape, device=rows.device) >= kept
    # ``<s>`` stays: the decoder always begins with it.
    gone[:, 0] = False
    changed = tgt_in.clone()
    changed[routes.it_only] = rows.masked_fill(gone, unk_id)
    return changed


def what_counts(counts: Tensor, routes: Routes, elsewhere: float) -> Tensor:
    """Return the tokens that count, bool (B, T_tgt).

    In drawn rows the pronoun and what is said of it; elsewhere all, the pronoun of two-noun
    sentences only if `elsewhere` asks for it.
    """
    counts = counts.clone()
    drawn = routes.it_only + routes.exchange
    counts[drawn] &= (routes.pronouns | routes.predicates)[drawn]
    if not elsewhere:
        counts[routes.untouched] &= ~routes.pronouns[routes.untouched]
    return counts


def rows_to_hide(batch: Batch, share: float) -> list[int]:
    """Draw the two-noun sentences in which the decoder sees only the nouns."""
    if not share or not batch.nouns:
        return []
    drawn = torch.rand(len(batch.nouns)) < share
    return [row for (row, _), hide in zip(batch.nouns, drawn, strict=True) if hide]


def hide_all_but_nouns(
    batch: Batch, padding: torch.Tensor | None, rows: list[int], kept: float
) -> torch.Tensor:
    """Return (B, T_src), True at hidden keys: padding, and in `rows` all but both nouns.

    Every other token of these rows stays visible with probability `kept`.
    """
    hidden = torch.zeros_like(batch.src, dtype=torch.bool) if padding is None else padding.clone()
    hidden[rows] |= torch.rand(len(rows), hidden.shape[1]).to(hidden.device) >= kept
    nouns = dict(batch.nouns)
    for row in rows:
        hidden[row, list(nouns[row])] = False
    return hidden
