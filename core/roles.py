"""What a head does, said only where it does more of it than a control.

A candidate role is a number for every row that counts, from 0 to 1, and its controls are numbers
for the same rows (after the fixed offsets of Voita et al. 2019, section 5). `row_values` gives the
number of the text on screen and of the many that ``python -m training roles`` measures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .attention import AttentionMap
from .measurements import HeadRoles
from .measures import pair_weights, row_entropy
from .stored import Interval
from .transform import is_special

NEIGHBOURS = {"next": 1, "previous": -1, "itself": 0}
LINKED = ("noun", "aligns", "aligns-read")
"""Those of words whose partner is known."""
LEAST = {
    **dict.fromkeys((*LINKED, *NEIGHBOURS, "end"), 0.4), "column": 0.85, "spread": 0.8,
}  # fmt: skip
"""Every candidate, the more telling before the others, and its least value in a role."""
MARGIN = 0.05
"""How far a value must lie above every control, the one's low bound above the other's high one."""
SPAN = 160
"""The farthest fixed offset."""


def candidates_of(attention: AttentionMap, linked: Sequence[str] = ()) -> tuple[str, ...]:
    """The roles that a head of this site could have; of words with a partner those in `linked`."""
    site, seen = attention.site, attention.allowed
    fits = dict.fromkeys(linked, True) | {
        "next": site.is_self and bool(np.diagonal(seen, 1).any()),
        "previous": site.is_self,
        "itself": site.is_self,
        "end": any(is_special(attention.key_tokens)),
        "column": site.normalised,
        "spread": site.normalised,
    }
    return tuple(role for role in LEAST if fits.get(role))


def row_values(
    attention: AttentionMap, role: str, rows: Sequence[int] = (), columns: Sequence[int] = ()
) -> np.ndarray:
    """What a candidate gives each row that counts: float (L, H, R), 0 to 1.

    A row that sees a single key says nothing and does not count.

    ``noun``, ``aligns``, ``aligns-read``
        One number: the weight from the pieces of a word, `rows`, on those of its partner,
        `columns`.
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
    weights = attention.weights.astype(np.float64)
    if role in LINKED:
        return pair_weights(attention, rows, columns).astype(np.float64)[..., None]
    if role in NEIGHBOURS:
        at, to = neighbours(attention, NEIGHBOURS[role])
        return weights[:, :, at, to]
    n_seen = attention.allowed.sum(axis=1)
    weights = weights[:, :, n_seen > 1]
    if role == "end":
        return weights[..., list(is_special(attention.key_tokens))].sum(axis=-1)
    if role == "column":
        return sameness(weights)
    return row_entropy(weights) / np.log2(n_seen[n_seen > 1])


def neighbours(attention: AttentionMap, step: int) -> tuple[np.ndarray, np.ndarray]:
    """The rows that see the key `step` places after them and another one, and these keys."""
    seen = attention.allowed
    at, to = np.nonzero(np.eye(len(seen), seen.shape[1], k=step, dtype=bool) & seen)
    counted = seen.sum(axis=1)[at] > 1
    return at[counted], to[counted]


def sameness(weights: np.ndarray) -> np.ndarray:
    """1 - JS(row, mean row) in bits, of rows (..., R, T_k) that sum to one: (..., R)."""
    mean = weights.mean(axis=-2, keepdims=True)
    apart = row_entropy((weights + mean) / 2) - (row_entropy(weights) + row_entropy(mean)) / 2
    return np.clip(1 - apart, 0.0, 1.0)


def control_values(attention: AttentionMap, role: str, seed: int = 0) -> dict[str, np.ndarray]:
    """What the controls of a candidate give the rows of `row_values`, each (L, H, R).

    ``mean``
        The mean head of the site, of a neighbour, of ``end`` and of ``spread``.
    ``uniform``
        A head that looks at all it sees alike, of a neighbour.
    ``shuffled``
        The same rows, each with its weights shuffled among the keys that it sees, of ``column``:
        rows as sharp that do not agree.

    ``end`` and words with a partner have to beat a fixed offset, too (`offset_hits`).
    """
    values, seen = row_values(attention, role), attention.allowed
    mean = np.broadcast_to(values.mean(axis=(0, 1)), values.shape)
    if role in NEIGHBOURS:
        at, _ = neighbours(attention, NEIGHBOURS[role])
        uniform = np.broadcast_to(1 / seen.sum(axis=1)[at], values.shape)
        return {"uniform": uniform, "mean": mean}
    if role == "column":
        rng, shuffled = np.random.default_rng(seed), attention.weights.astype(np.float64)
        for row, keys in enumerate(seen):
            shuffled[:, :, row, keys] = rng.permuted(shuffled[:, :, row, keys], axis=-1)
        return {"shuffled": sameness(shuffled[:, :, seen.sum(axis=1) > 1])}
    return {} if role in LINKED else {"mean": mean}


def offset_hits(rows: Sequence[int], columns: Sequence[int]) -> np.ndarray:
    """For each offset from -`SPAN` to `SPAN` the share of `rows` that it leads to `columns`: what
    a head that always looks so far away would give them."""
    hits = np.zeros(2 * SPAN + 1)
    for row in rows:
        away = np.array(columns, dtype=int) - row
        hits[away[np.abs(away) <= SPAN] + SPAN] += 1 / len(rows)
    return hits


def end_offsets(attention: AttentionMap) -> np.ndarray:
    """`offset_hits` of special tokens, summed over the rows that count."""
    ends = [k for k, special in enumerate(is_special(attention.key_tokens)) if special]
    rows = np.flatnonzero(attention.allowed.sum(axis=1) > 1).tolist()
    return sum((offset_hits([row], ends) for row in rows), np.zeros(2 * SPAN + 1))


# -- what was measured over many texts -------------------------------------------------------


@dataclass(frozen=True)
class Tested:
    """A candidate of one head, over many texts, and the control that comes closest to it."""

    name: str
    n: int  # rows, or words with a partner
    value: Interval
    control: str
    against: Interval

    @property
    def above(self) -> float:
        """How far it lies above the control: low bound minus high bound."""
        return self.value.low - self.against.high

    @property
    def passed(self) -> bool:
        return self.value.value >= LEAST[self.name] and self.above >= MARGIN


@dataclass(frozen=True)
class HeadRole:
    """What one head was found to do."""

    tested: tuple[Tested, ...]  # every candidate, in the order of `LEAST`
    off: Mapping[str, Interval]  # by ablation, the change of log P a token without the head

    @property
    def found(self) -> tuple[Tested, ...]:
        """Those that beat their controls; the first is the role."""
        return tuple(each for each in self.tested if each.passed)

    @property
    def name(self) -> str | None:
        return self.found[0].name if self.found else None

    @property
    def best(self) -> Tested:
        """The role, or the candidate that comes nearest to beating its control."""
        return self.found[0] if self.found else max(self.tested, key=lambda each: each.above)


def roles_of(measured: HeadRoles, kind: str) -> dict[tuple[int, int], HeadRole]:
    """What was found of every head of a site; empty where it was not measured."""
    candidates = measured.sites.get(kind, {})
    shape = next((np.shape(each.measured.value) for each in candidates.values()), (0, 0))
    return {
        (layer, head): HeadRole(
            tuple(
                _tested(name, candidates[name], layer, head) for name in LEAST if name in candidates
            ),
            {how: sites[kind].at(layer, head) for how, sites in measured.off.items()},
        )
        for layer, head in np.ndindex(*shape)
    }


def _tested(name: str, candidate: Any, layer: int, head: int) -> Tested:
    controls = {name: each.at(layer, head) for name, each in candidate.controls.items()}
    closest = max(controls, key=lambda control: controls[control].high)
    measured = candidate.measured.at(layer, head)
    return Tested(name, candidate.n, measured, closest, controls[closest])
