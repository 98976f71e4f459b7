"""Objective of a training step: the tokens that count, their weights, and what is visible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class RouteShares:
    """Shares of sentences for each route, from some step on.

    - `it_only`: share of the two-noun sentences under the bottleneck
    - `prefix_kept`: probability of each German token before the pronoun to stay visible there
    - `exchange`: share of the other two-noun sentences whose memory is exchanged
    - `elsewhere`: weight of the pronoun in untouched two-noun sentences, 0 or 1
    - `one_noun`: share of the other sentences with a known "it" under the bottleneck
    - `said`: share of the two-noun sentences under the bottleneck in which the words said of "it"
      count, too, so that they must be brought to "it" as well
    - `alone`: share of the sentences under the bottleneck in which only "it" looks at other tokens
      in the encoder, so that it must find everything by itself
    - `shuffled`: lend the memory of another sentence's reading instead, as a control
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
    """Return the shares of the last entry reached, None before the first.

    An entry reads ``{"from_step": 200, "it_only": 0.6, ...}``.
    """
    reached = [entry for entry in entries if entry["from_step"] <= step]
    if not reached:
        return None
    return RouteShares(**{k: v for k, v in reached[-1].items() if k != "from_step"})


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


def latest(step: int, entries: Sequence[Sequence[float]], otherwise: Any) -> Any:
    """Return the values of the last entry reached, `otherwise` before the first.

    An entry is (step, value), or (step, value, value, ...), which gives a tuple.
    """
    reached = [values for first, *values in entries if first <= step]
    if not reached:
        return otherwise
    return reached[-1][0] if len(reached[-1]) == 1 else tuple(reached[-1])
