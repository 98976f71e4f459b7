"""Roles of heads, given only if a head exceeds its controls.

A candidate role is a number for every row that counts, from 0 to 1, and its controls are numbers
for the same rows (after the fixed offsets of Voita et al. 2019, section 5). `row_values` computes
it for the text on screen and for the many that ``python -m evaluation roles`` measures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, field

from .records.attention import AttentionMap, AttentionSite
from .storage import AtLeastOne, Count, Interval, MeasuredFile, Part
from .weights.groups import is_special
from .weights.measures import divergence, pair_weights, row_entropy

NEIGHBOURS = {"next": 1, "previous": -1, "itself": 0}
"""Offset of the key from the query."""
LINKED = ("noun", "aligns", "aligns-read")
"""Roles of words whose partner is known."""
LEAST = dict.fromkeys((*LINKED, *NEIGHBOURS, "end"), 0.4) | {"column": 0.85, "spread": 0.8}
"""Every candidate, the more specific before the others, with its least value in a role."""
MARGIN = 0.05
"""Least distance of a value above every control: its low bound minus their high bound."""
SPAN = 160
"""Largest fixed offset."""


class Bounds(Part):
    """Number of every head of a site (L, H), and its 95 % interval."""

    value: list[list[float]]
    low: list[list[float]]
    high: list[list[float]]

    def __post_init__(self) -> None:
        if len({tuple(map(len, rows)) for rows in (self.value, self.low, self.high)}) != 1:
            raise ValueError("Expected a low and a high bound for every value")

    def at(self, layer: int, head: int) -> Interval:
        """Return the number of one head with its interval."""
        return Interval(*(rows[layer][head] for rows in (self.value, self.low, self.high)))


class CandidateRole(Part):
    """Candidate role of heads, with its controls."""

    n: AtLeastOne
    measured: Bounds
    controls: Annotated[dict[str, Bounds], Meta(min_length=1)]


class HeadRoles(MeasuredFile, kw_only=True):
    """Content of ``roles.json``."""

    sentences: AtLeastOne
    links: Count
    sites: dict[str, dict[str, CandidateRole]]
    off_sentences: Count = 0
    off: dict[str, dict[str, Bounds]] = field(default_factory=dict)


def candidates_of(attention: AttentionMap, linked: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the roles that a head of this site could have, with those of `linked`."""
    return tuple(role for role in LEAST if role in linked or _fits(attention, role))


def _fits(attention: AttentionMap, role: str) -> bool:
    """Return True if a head of this site could have a role that is not one of `LINKED`."""
    site = attention.site
    if role in NEIGHBOURS:
        return site.is_self and len(neighbours(attention, NEIGHBOURS[role])[0]) > 0
    if role == "end":
        return any(is_special(attention.key_tokens))
    return role in ("column", "spread") and site.normalised


def row_values(attention: AttentionMap, role: str) -> np.ndarray:
    """Return the value of a candidate in each row that counts: float (L, H, R), 0 to 1.

    A row that sees a single key does not count. Roles of words with a partner are measured by
    `core.weights.measures.pair_weights`.

    ``next``, ``previous``, ``itself``
        The weight on the token at that distance, if the row sees one.
    ``end``
        The weight on special tokens together: ``</s>``, or the ``<s>`` that a decoder begins with.
    ``column``
        1 - JS(row, mean row), Jensen-Shannon divergence in bits (Lin 1991): 1 if all rows look at
        the same place.
    ``spread``
        The entropy of the row over the log of the keys that it sees.
    """
    weights = attention.weights.astype(np.float64)
    n_seen = attention.allowed.sum(axis=1)
    if role in NEIGHBOURS:
        at, to = neighbours(attention, NEIGHBOURS[role])
        return weights[:, :, at, to]
    # A row with one key says nothing of the head: its weight is 1 whatever the head does.
    weights = weights[:, :, n_seen > 1]
    if role == "end":
        return weights[..., list(is_special(attention.key_tokens))].sum(axis=-1)
    if role == "spread":
        # Relative to the largest entropy of each row: else early rows of a causal mask seem sharp.
        return row_entropy(weights) / np.log2(n_seen[n_seen > 1])
    # Rounding can carry the divergence slightly out of 0 to 1.
    return np.clip(1 - divergence(weights, weights.mean(axis=-2, keepdims=True)), 0.0, 1.0)


def text_values(
    attention: AttentionMap, role: str, rows: Sequence[int] = (), columns: Sequence[int] = ()
) -> np.ndarray | None:
    """Return a role's value of every head in one text, as it was measured over many.

    Parameters
    ----------
    attention : AttentionMap
    role : one of `LEAST`
    rows, columns : positions of the word and its partner, for roles in `LINKED`

    Returns
    -------
    float (L, H), the mean over the rows that count; None if this text has none
    """
    if role in LINKED:
        return pair_weights(attention, rows, columns) if rows and columns else None
    if not _fits(attention, role):
        return None
    values = row_values(attention, role)
    return values.mean(axis=-1) if values.shape[-1] else None


RoleNames = Mapping[str, Mapping[tuple[int, int], str | None]]
"""Role of each head by site, layer and head; None for a head without a role."""
SeenRoles = Mapping[str, tuple[int, int]]
"""By role, the heads that show it in one text, and the heads that have it over many."""


def seen_roles(maps: Iterable[AttentionMap], roles: RoleNames) -> SeenRoles:
    """Count by role the heads that show it in one text, and those that have it over many.

    A head shows its role if the value of this text (`text_values`) reaches `LEAST`. Roles of words
    with a known partner are left out, and a head whose role has no row in this text.
    """
    active: Counter[str] = Counter()
    tested: Counter[str] = Counter()
    for attention in maps:
        of_site = roles.get(attention.site_id, {})
        for role in {name for name in of_site.values() if name} - {*LINKED}:
            values = text_values(attention, role)
            if values is None:
                continue
            of_role = [values[head] for head, name in of_site.items() if name == role]
            tested[role] += len(of_role)
            active[role] += sum(value >= LEAST[role] for value in of_role)
    return {role: (int(active[role]), tested[role]) for role in LEAST if tested[role]}


def neighbours(attention: AttentionMap, step: int) -> tuple[np.ndarray, ...]:
    """Return the rows that see the key `step` positions after them, and these keys.

    A row that sees no other key is left out.
    """
    seen = attention.allowed
    counted = seen.sum(axis=1, keepdims=True) > 1
    return np.nonzero(np.eye(len(seen), seen.shape[1], k=step, dtype=bool) & seen & counted)


def control_values(attention: AttentionMap, role: str, seed: int = 0) -> dict[str, np.ndarray]:
    """Return the values of the controls in the rows of `row_values`, each (L, H, R).

    ``mean``
        The mean head of the site, for all but ``column``.
    ``uniform``
        A head with equal weights on all visible keys, for a neighbour.
    ``shuffled``
        The same rows, each with its weights shuffled among its visible keys, for ``column``:
        equally sharp rows that do not agree.

    ``end`` and words with a partner have to beat a fixed offset, too (`offset_hits`).
    """
    seen = attention.allowed
    weights = attention.weights.astype(np.float64)
    if role == "column":
        rng = np.random.default_rng(seed)
        for row, keys in enumerate(seen):
            weights[:, :, row, keys] = rng.permuted(weights[:, :, row, keys], axis=-1)
        return {"shuffled": row_values(replace(attention, weights=weights), role)}
    values = row_values(attention, role)
    controls = {}
    if role in NEIGHBOURS:
        # A row without visible keys has a sum of 0.
        weights[:] = seen / np.maximum(seen.sum(axis=1, keepdims=True), 1)
        controls["uniform"] = row_values(replace(attention, weights=weights), role)
    return {**controls, "mean": np.broadcast_to(values.mean(axis=(0, 1)), values.shape)}


def offset_hits(rows: Sequence[int], columns: Sequence[int]) -> np.ndarray:
    """Count for each offset from -`SPAN` to `SPAN` how many of `rows` it leads to `columns`.

    This is the control of a head that always looks at a fixed distance.
    """
    away = np.subtract.outer(np.array(columns, dtype=int), rows).ravel()
    # Shifted by SPAN, because `bincount` takes no negative numbers.
    return np.bincount(away[np.abs(away) <= SPAN] + SPAN, minlength=2 * SPAN + 1)


def end_offsets(attention: AttentionMap) -> np.ndarray:
    """Return `offset_hits` of special tokens from the rows that count."""
    rows = np.flatnonzero(attention.allowed.sum(axis=1) > 1)
    special = np.flatnonzero(is_special(attention.key_tokens))
    return offset_hits(rows.tolist(), special.tolist())


# -- what was measured over many texts -------------------------------------------------------


@dataclass(frozen=True)
class Tested:
    """Candidate role of one head over many texts, with the control that comes closest."""

    name: str
    n: int  # words with a partner, else sentences
    value: Interval
    control: str
    against: Interval

    @property
    def of(self) -> str:
        """Unit that `n` counts, as in the message ``role-over``."""
        return self.name if self.name in LINKED else "rows"

    @property
    def above(self) -> float:
        """Distance above the control: low bound minus high bound."""
        return self.value.low - self.against.high

    @property
    def passed(self) -> bool:
        """True if the value is large enough and exceeds the control by `MARGIN`."""
        return self.value.value >= LEAST[self.name] and self.above >= MARGIN


@dataclass(frozen=True)
class HeadRole:
    """Measurements of one head."""

    tested: tuple[Tested, ...]  # every candidate, in the order of `LEAST`
    off: Mapping[str, Interval]  # by ablation, change of log P per token without the head

    @cached_property
    def best(self) -> Tested:
        """First candidate that beats its controls, or the one that comes nearest."""
        # The order of `LEAST` decides between roles that pass; distance ranks only those that fail.
        nearest = max(self.tested, key=attrgetter("above"))
        return next((tested for tested in self.tested if tested.passed), nearest)

    @cached_property
    def name(self) -> str | None:
        """Role of the head, or None."""
        return self.best.name if self.best.passed else None


def roles_of(measured: HeadRoles, site: str) -> dict[tuple[int, int], HeadRole]:
    """Return the measured role of every head of a site; empty if nothing was measured."""
    stored = measured.sites.get(site, {})
    candidates = {name: stored[name] for name in LEAST if name in stored}

    def tested(name: str, candidate: Any, at: tuple[int, int]) -> Tested:
        controls = {control: bounds.at(*at) for control, bounds in candidate.controls.items()}
        # A value above the highest upper bound is above every control.
        closest = max(controls, key=lambda control: controls[control].high)
        n = candidate.n if name in LINKED else measured.sentences
        return Tested(name, n, candidate.measured.at(*at), closest, controls[closest])

    shape = next((np.shape(role.measured.value) for role in candidates.values()), (0, 0))
    return {
        at: HeadRole(
            tuple(tested(name, candidate, at) for name, candidate in candidates.items()),
            {ablation: sites[site].at(*at) for ablation, sites in measured.off.items()},
        )
        for at in np.ndindex(*shape)
    }


def measured_roles(measured: HeadRoles, sites: Iterable[AttentionSite]) -> RoleNames:
    """Return the measured role of every head, without sites whose heads are other ones."""
    of_sites = {site.name: (site, roles_of(measured, site.name)) for site in sites}
    return {
        name: {head: role.name for head, role in roles.items()}
        for name, (site, roles) in of_sites.items()
        # A measurement of another number of heads cannot be matched to these.
        if len(roles) == site.n_layers * site.n_heads
    }
