"""Objective of a training step: the tokens that count, their weights, and what is visible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from model.families.transformer import Transformer

from ..settings import latest
from .batching import Batch
from .bottleneck import (
    Routes,
    RouteShares,
    draw_routes,
    exchange_memory,
    hide_all_but_it,
    hide_all_but_nouns,
    hide_prefix,
    it_alone_looks,
    rows_to_hide,
    shares_at,
    what_counts,
)
from .loss import label_smoothed_loss


@dataclass(frozen=True)
class Objective:
    """Settings of the loss at one step; the defaults give the plain negative log-likelihood.

    `smoothing`: of the labels. `decision_weight`: weight of a pronoun that two nouns compete for,
    one token in a hundred and the only one that asks for the antecedent. `one_noun_weight`: weight
    of a known pronoun without a second noun. `nouns_only`: the share of two-noun sentences in which
    cross-attention sees both nouns, and every other token only with the second probability. The
    pronoun must then be read off a noun, though nothing says which, and the sentence's other tokens
    do not count. `shares`: sentences that go through the bottleneck or the exchange
    (`training.objectives.bottleneck`). `drawn`: the share of pictures for which hard attention
    draws its cell.
    """

    smoothing: float = 0.0
    decision_weight: float = 1.0
    one_noun_weight: float = 1.0
    nouns_only: tuple[float, float] = (0.0, 0.0)
    shares: RouteShares | None = None
    drawn: float = 0.5


def objective_at(step: int, settings: dict[str, Any]) -> Objective:
    """Return the objective that a training config asks for at `step`."""
    return Objective(
        settings["label_smoothing"],
        latest(step, settings.get("decision_weights", ()), 1.0),
        latest(step, settings.get("one_noun_weights", ()), 1.0),
        latest(step, settings.get("nouns_only", ()), (0.0, 0.0)),
        shares_at(step, settings.get("routes", ())),
        latest(step, settings.get("drawn_gazes", ()), Objective.drawn),
    )


def translation_losses(
    model: Transformer, batch: Batch, objective: Objective, *, bf16: bool
) -> tuple[Tensor, Tensor, int]:
    """Return smoothed loss and negative log-likelihood, summed over tokens, and their number."""
    seen = model.source_padding(batch.src)
    share, kept = objective.nouns_only
    hidden_rows = rows_to_hide(batch, share)
    shares = objective.shares
    routes = draw_routes(batch, shares) if shares and batch.routes else None
    tgt_in = batch.tgt_in
    with torch.autocast(batch.src.device.type, dtype=torch.bfloat16, enabled=bf16):
        memory = _encoded(model, batch.src, seen, routes)
        if hidden_rows:
            seen = hide_all_but_nouns(batch, seen, hidden_rows, kept)
        if routes and routes.it_only:
            seen = hide_all_but_it(seen, routes)
            tgt_in = hide_prefix(tgt_in, routes, shares.prefix_kept, model.config.unk_id)
        hidden = model.transformed(model.decode_hidden(tgt_in, memory, seen))
    # The chunked loss runs outside autocast, in the dtype of its input.
    if bf16:
        hidden = hidden.to(torch.bfloat16)
    counts = batch.tgt_out != model.config.pad_id
    # Where words are hidden only the pronoun counts: the rest cannot be known.
    counts[hidden_rows] &= batch.decisions[hidden_rows]
    if routes:
        counts = what_counts(counts, routes, shares.elsewhere)
    weights = token_weights(batch, objective, routes)
    loss, nll = label_smoothed_loss(
        hidden[counts],
        model.output_weight,
        batch.tgt_out[counts],
        objective.smoothing,
        weights[counts],
        bias=model.output_bias,
    )
    return loss, nll, int(counts.sum())


def _encoded(model: Transformer, src: Tensor, seen: Tensor | None, routes: Routes | None) -> Tensor:
    """Return the memory of `src` (B, T_src), exchanged in the rows that have this route."""
    if routes is None:
        return model.encode(src, seen)
    # The other readings join the batch: one pass encodes both.
    joined = torch.cat((src, routes.others))
    looks = it_alone_looks(routes, seen, len(joined))
    memory = model.encode(joined, model.source_padding(joined), may_look=looks)
    if not routes.exchange:
        return memory
    return exchange_memory(memory[: len(src)], memory[len(src) :], routes)


def token_weights(batch: Batch, objective: Objective, routes: Routes | None) -> Tensor:
    """Return the weight of each target token in the loss, (B, T_tgt)."""
    weights = 1.0 + (objective.decision_weight - 1.0) * batch.decisions.float()
    if routes is None:
        return weights
    # Pronouns of a single noun have a weight of their own.
    alone = routes.pronouns & ~batch.decisions
    return weights.masked_fill(alone, objective.one_noun_weight)
