"""What a head does, said only where it does more of it than a control.

A candidate role is a number for every row that counts, from 0 to 1, and its controls are numbers
for the same rows (after the fixed offsets of Voita et al. 2019, section 5). `row_values` gives the
number of the text on screen and of the many that ``python -m training roles`` measures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from .attention import AttentionMap
from .measurements import HeadRoles
from .measures import divergence, pair_weights, row_entropy
from .stored import Interval
from .transform import is_special

NEIGHBOURS = {"next": 1, "previous": -1, "itself": 0}
LINKED = ("noun", "aligns", "aligns-read")
"""Those of words whose partner is known."""
LEAST = dict.fromkeys((*LINKED, *NEIGHBOURS, "end"), 0.4) | {"column": 0.85, "spread": 0.8}
"""Every candidate, the more telling before the others, and its least value in a role."""
MARGIN = 0.05
"""How far a value must lie above every control, the one's low bound above the other's high one."""
SPAN = 160
"""The farthest fixed offset."""


def candidates_of(attention: AttentionMap, linked: Sequence[str] = ()) -> tuple[str, ...]:
    """The roles that a head of this site could have; of words with a partner those in `linked`."""
    site = attention.site
    fits = dict.fromkeys(linked, True) | dict.fromkeys(("column", "spread"), site.normalised)
    for role, step in NEIGHBOURS.items():
        fits[role] = site.is_self and len(neighbours(attention, step)[0]) > 0
    fits["end"] = any(is_special(attention.key_tokens))
    return tuple(role for role in LEAST if fits.get(role))


def row_values(attention: AttentionMap, role: str) -> np.ndarray:
    """What a candidate gives each row that counts: float (L, H, R), 0 to 1; of words with a partner
    `core.measures.pair_weights` has it.

    A row that sees a single key says nothing and does not count.

    ``next``, ``previous``, ``itself``
        The weight on the token at that distance, where the row sees one.
    ``end``
        The weight on special tokens together: ``</s>``, or the ``<s>`` that a decoder begins with.
    ``column``
        1 - JS(row, mean row), Jensen-Shannon divergence in bits (Lin 1991): 1 where all rows look
        at the same place.
    ``spread``
        The entropy of the row over the log of the keys that it sees.
    """
    weights, n_seen = attention.weights.astype(np.float64), attention.allowed.sum(axis=1)
    if role in NEIGHBOURS:
        at, to = neighbours(attention, NEIGHBOURS[role])
        return weights[:, :, at, to]
    weights = weights[:, :, n_seen > 1]
    if role == "end":
        return weights[..., list(is_special(attention.key_tokens))].sum(axis=-1)
    if role == "spread":
        return row_entropy(weights) / np.log2(n_seen[n_seen > 1])
    return np.clip(1 - divergence(weights, weights.mean(axis=-2, keepdims=True)), 0.0, 1.0)


def text_values(
    attention: AttentionMap, role: str, rows: Sequence[int] = (), columns: Sequence[int] = ()
) -> np.ndarray | None:
    """A role's value of every head in one text, as it was measured over many.

    Parameters
    ----------
    role : one of `LEAST`.
    rows, columns : the word and its partner, of roles in `LINKED`.

    Returns
    -------
    float (L, H), the mean over the rows that count; None where this text has none.
    """
    if role in LINKED:
        return pair_weights(attention, rows, columns) if rows and columns else None
    if role not in candidates_of(attention):
        return None
    values = row_values(attention, role)
    return values.mean(axis=-1) if values.shape[-1] else None


def neighbours(attention: AttentionMap, step: int) -> tuple[np.ndarray, ...]:
    """The rows that see the key `step` places after them and another one, and these keys."""
    seen = attention.allowed
    counted = seen.sum(axis=1, keepdims=True) > 1
    return np.nonzero(np.eye(len(seen), seen.shape[1], k=step, dtype=bool) & seen & counted)


def control_values(attention: AttentionMap, role: str, seed: int = 0) -> dict[str, np.ndarray]:
    """What the controls of a candidate give the rows of `row_values`, each (L, H, R).

    ``mean``
        The mean head of the site, of all but ``column``.
    ``uniform``
        A head that looks at all it sees alike, of a neighbour.
    ``shuffled``
        The same rows, each with its weights shuffled among the keys that it sees, of ``column``:
        rows as sharp that do not agree.

    ``end`` and words with a partner have to beat a fixed offset, too (`offset_hits`).
    """
    seen, weights = attention.allowed, attention.weights.astype(np.float64)
    if role == "column":
        rng = np.random.default_rng(seed)
        for row, keys in enumerate(seen):
            weights[:, :, row, keys] = rng.permuted(weights[:, :, row, keys], axis=-1)
        return {"shuffled": row_values(replace(attention, weights=weights), role)}
    values, controls = row_values(attention, role), {}
    if role in NEIGHBOURS:
        weights[:] = seen / np.maximum(seen.sum(axis=1, keepdims=True), 1)
        controls["uniform"] = row_values(replace(attention, weights=weights), role)
    return {**controls, "mean": np.broadcast_to(values.mean(axis=(0, 1)), values.shape)}


def offset_hits(rows: Sequence[int], columns: Sequence[int]) -> np.ndarray:
    """How many of `rows` each offset from -`SPAN` to `SPAN` leads to `columns`: what a head that
    always looks so far away would give them together."""
    away = np.subtract.outer(np.array(columns, dtype=int), rows).ravel()
    return np.bincount(away[np.abs(away) <= SPAN] + SPAN, minlength=2 * SPAN + 1)


def end_offsets(attention: AttentionMap) -> np.ndarray:
    """`offset_hits` of special tokens from the rows that count."""
    rows = np.flatnonzero(attention.allowed.sum(axis=1) > 1)
    special = np.flatnonzero(is_special(attention.key_tokens))
    return offset_hits(rows.tolist(), special.tolist())


# -- what was measured over many texts -------------------------------------------------------


@dataclass(frozen=True)
class Tested:
    """A candidate of one head, over many texts, and the control that comes closest to it."""

    name: str
    n: int  # words with a partner, else sentences
    value: Interval
    control: str
    against: Interval

    @property
    def of(self) -> str:
        """What `n` counts, as ``role-over`` names it."""
        return self.name if self.name in LINKED else "rows"

    @property
    def above(self) -> float:
        """How far it lies above the control: low bound minus high bound."""
        return self.value.low - self.against.high

    @property
    def passed(self) -> bool:
        return self.value.value >= LEAST[self.name] and self.above >= MARGIN


@dataclass(frozen=True)
class HeadRole:
    """What was measured of one head."""

    tested: tuple[Tested, ...]  # every candidate, in the order of `LEAST`
    off: Mapping[str, Interval]  # by ablation, the change of log P a token without the head

    @cached_property
    def best(self) -> Tested:
        """The first that beats its controls, or the candidate that comes nearest to it."""
        nearest = max(self.tested, key=attrgetter("above"))
        return next((tested for tested in self.tested if tested.passed), nearest)

    @cached_property
    def name(self) -> str | None:
        return self.best.name if self.best.passed else None


def roles_of(measured: HeadRoles, kind: str) -> dict[tuple[int, int], HeadRole]:
    """What was measured of every head of a site; empty where nothing was."""
    stored = measured.sites.get(kind, {})
    candidates = {name: stored[name] for name in LEAST if name in stored}

    def tested(name: str, candidate: Any, at: tuple[int, int]) -> Tested:
        controls = {control: each.at(*at) for control, each in candidate.controls.items()}
        closest = max(controls, key=lambda control: controls[control].high)
        n = candidate.n if name in LINKED else measured.sentences
        return Tested(name, n, candidate.measured.at(*at), closest, controls[closest])

    shape = next((np.shape(each.measured.value) for each in candidates.values()), (0, 0))
    return {
        at: HeadRole(
            tuple(tested(*each, at) for each in candidates.items()),
            {how: sites[kind].at(*at) for how, sites in measured.off.items()},
        )
        for at in np.ndindex(*shape)
    }
