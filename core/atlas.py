"""Atlas of heads: numbers of each head over many sentences, and the sentences that show it.

The sampling is that of HeadVis (Luger, Kamath et al. 2026): sentences by deciles of their strongest
weight, ten of the top and three of every other, so that a head is not judged by its best moments.
``python -m evaluation atlas`` measures it, see `evaluation.atlas`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .gold import Aligning
from .records.attention import HEAD, AttentionMap
from .roles import HeadRoles, roles_of
from .storage import AtLeastOne, Count, Kind, MeasuredFile, Part, Share
from .weights.groups import is_special
from .weights.measures import row_entropy

DECILES = 10
"""Groups of sentences by their strongest weight."""
TOP = 10
"""Sentences kept of the top decile."""
EACH = 3
"""Sentences kept of each other decile."""
NUMBERS = (
    *("depth", "entropy", "distance", "largest", "previous", "same", "next", "special"),
    *("rare", "syntax", "pronoun", "off", "error"),
)
"""Columns of numbers that a head may have."""


class Relation(Part):
    """Syntactic relation that a head follows farthest beyond the best fixed offset.

    `value` is the share of words whose largest weight lies on the other word of the relation;
    `offset` is that share at the best fixed offset.
    """

    name: str
    to_head: bool  # from the dependent to its head, else from the head to its dependent
    value: Share
    offset: Share
    n: AtLeastOne


class HeadCard(Part):
    """Examples and statistics of one head."""

    examples: list[list[Count]]  # by decile, the weakest first: indices into `Atlas.texts`
    # query, key, mean weight where both occur, count, True if the query is the token written
    occurring: list[tuple[str, str, Share, AtLeastOne, bool]]
    possible: list[tuple[str, str, float]]  # query, key, score from the weights alone
    similar: list[tuple[Count, Count, Share]]  # layer, head, Jensen-Shannon divergence in bits
    relation: Relation | None = None


class SiteAtlas(Part):
    """Numbers and cards of all heads of one site."""

    numbers: dict[str, list[list[float]]]  # of `NUMBERS`, each (L, H)
    heads: list[list[HeadCard]]

    def __post_init__(self) -> None:
        shape = list(map(len, self.heads))
        if any(list(map(len, rows)) != shape for rows in self.numbers.values()):
            raise ValueError(f"Expected a number for each of {sum(shape)} heads")


class Atlas(MeasuredFile, kw_only=True):
    """Atlas of a checkpoint, as stored in ``atlas.json``."""

    sentences: AtLeastOne  # measured for the numbers
    texts: list[tuple[str, str]]  # source and target of the example sentences
    sites: dict[str, SiteAtlas]

    def __post_init__(self) -> None:
        cards = (card for site in self.sites.values() for row in site.heads for card in row)
        indices = (index for card in cards for decile in card.examples for index in decile)
        if max(indices, default=-1) >= len(self.texts):
            raise ValueError(f"Expected the index of a text, below {len(self.texts)}")

    def card(self, site: str, layer: int, head: int) -> HeadCard:
        """Return the card of one head; layers and heads count from 0."""
        return self.sites[site].heads[layer][head]


ATLAS = Kind(
    "atlas.json", Atlas, "python -m evaluation atlas --checkpoint {name} --data DIR --write"
)


def head_rows(
    atlas: Atlas, measured: HeadRoles | None, gold: Aligning | None = None
) -> pd.DataFrame:
    """Return one row a head: kind, layer and head (from 0), role (its id or ""), and `NUMBERS`.

    Columns of `NUMBERS` that no head has are left out; a missing number is NaN.

    Parameters
    ----------
    atlas : Atlas
    measured : HeadRoles or None
        Adds role, ``pronoun`` (weight from a pronoun on its antecedent minus that on the other
        noun), and ``off`` (change of log p a token without the head).
    gold : Aligning, optional
        Its first set adds ``error``, the alignment error of the better reading of a row.
    """
    lines = []
    for site, heads in atlas.sites.items():
        shape = len(heads.heads), len(heads.heads[0])
        numbers = dict(heads.numbers)
        roles = {}
        if measured is not None:
            roles = roles_of(measured, site)
            numbers |= _measured_numbers(measured, site)
        if site == "cross" and gold is not None:
            numbers["error"] = _alignment_errors(gold, shape)
        for layer, head in np.ndindex(*shape):
            role = roles[layer, head].name if (layer, head) in roles else None
            line: dict[str, Any] = {"kind": site, "layer": layer, "head": head, "role": role or ""}
            # The heads of a layer stand side by side.
            line["depth"] = layer + 0.6 + 0.8 * (head + 0.5) / shape[1]
            lines.append(line | {name: rows[layer][head] for name, rows in numbers.items()})
    table = pd.DataFrame(lines)
    return table[[*HEAD, "role", *(name for name in NUMBERS if name in table)]]


def _measured_numbers(measured: HeadRoles, site: str) -> dict[str, list[list[float]]]:
    """Return ``pronoun`` and ``off`` of a site's heads, (L, H) each, as far as measured."""
    numbers = {}
    candidates = measured.sites.get(site, {})
    if "noun" in candidates and "other" in candidates["noun"].controls:
        antecedent = candidates["noun"].measured.value
        other = candidates["noun"].controls["other"].value
        numbers["pronoun"] = np.subtract(antecedent, other).tolist()
    if site in measured.off.get("zero", {}):
        numbers["off"] = measured.off["zero"][site].value
    return numbers


def _alignment_errors(gold: Aligning, shape: tuple[int, int]) -> list[list[float]]:
    """Return the alignment error of the better reading of every head, (L, H)."""
    # 1 is the worst error rate, so heads without a measurement rank last.
    errors = np.ones(shape)
    for aligned in next(iter(gold.sets.values())).maps:
        if aligned.map == "weight" and aligned.layer is not None and aligned.head is not None:
            at = aligned.layer, aligned.head
            errors[at] = min(errors[at], aligned.error.value)
    return errors.tolist()


# -- how strongly a sentence shows a head ----------------------------------------------------


def telling(attention: AttentionMap) -> np.ndarray:
    """Return the cells that may show what a head does, bool (T_q, T_k).

    Rows that see a single key are left out, and special tokens on either side: heads rest on these
    (Clark et al. 2019, section 3.2).
    """
    rows = (attention.allowed.sum(axis=1) > 1) & ~np.array(is_special(attention.query_tokens))
    return attention.allowed & rows[:, None] & ~np.array(is_special(attention.key_tokens))


def strengths(attention: AttentionMap) -> np.ndarray:
    """Return the largest weight of the `telling` cells, (L, H)."""
    return np.where(telling(attention), attention.weights, 0).max(axis=(-2, -1))


@dataclass(frozen=True, eq=False)
class HeadExample:
    """Row of a map in which a head is strongest."""

    read: str  # token of the query
    written: str  # token predicted from its row, "" if there is none
    keys: tuple[str, ...]
    weights: np.ndarray  # (T_k,), of the row
    strength: float


def example_of(attention: AttentionMap, layer: int, head: int) -> HeadExample:
    """Return the strongest row of one head."""
    weights = attention.head(layer, head)
    cells = np.where(telling(attention), weights, 0)
    row = int(cells.max(axis=1).argmax())
    written = "" if attention.output_tokens is None else attention.output_tokens[row]
    read = attention.query_tokens[row]
    strength = float(cells[row].max())
    return HeadExample(read, written, attention.key_tokens, weights[row], strength)


def by_decile(values: np.ndarray) -> list[list[int]]:
    """Return indices into `values` (n,) by decile, the weakest first.

    The last list holds the `TOP` largest, the others `EACH` evenly spaced ones; fewer if there are
    no more.
    """
    # A stable sort keeps the choice the same from run to run.
    *others, top = np.array_split(np.argsort(values, kind="stable"), DECILES)
    middles = np.arange(1, 2 * EACH, 2) / (2 * EACH)
    kept = [part[np.unique((middles * len(part)).astype(int))] for part in others if len(part)]
    return [*(part.tolist() for part in kept), top[::-1][:TOP].tolist()]


# -- numbers of a map -------------------------------------------------------------------------


def rare_excess(attention: AttentionMap, counts: Mapping[str, int]) -> np.ndarray | None:
    """Return how often the largest weight is on one of the two rarest keys, beyond chance, (L, H).

    After Voita et al. 2019, section 5.3. None if no row sees three tokens. `counts`: number of
    occurrences of a key's token.
    """
    seen = attention.allowed & ~np.array(is_special(attention.key_tokens))
    rows = seen.sum(axis=1) > 2
    if not rows.any():
        return None
    often = np.array([counts.get(token, 0) for token in attention.key_tokens], dtype=float)
    # Unseen keys count as infinitely frequent, so that they are never among the rarest.
    rarest = np.argsort(np.where(seen, often, np.inf), axis=1, kind="stable")[rows, :2]
    at = attention.weights[:, :, rows].argmax(axis=-1)
    # Two of the visible keys are the rarest, special tokens included in the count.
    chance = (2 / attention.allowed.sum(axis=1)[rows]).mean()
    return (at[..., None] == rarest).any(axis=-1).mean(axis=-1) - chance


def divergences(attention: AttentionMap) -> np.ndarray:
    """Return the Jensen-Shannon divergence between all heads of a site (Lin 1991), (L * H, L * H).

    In bits, averaged over the rows that see several keys; from 0, equal maps, to 1.
    """
    rows = attention.allowed.sum(axis=1) > 1
    maps = attention.weights[:, :, rows].astype(np.float64)
    # All heads in one list: divergences are between layers, too.
    maps = maps.reshape(-1, *maps.shape[2:])
    entropy = row_entropy(maps)
    apart = [
        row_entropy((maps + other) / 2) - (entropy + other_entropy) / 2
        for other, other_entropy in zip(maps, entropy, strict=True)
    ]
    # Rounding can leave the divergence of two equal maps just below 0.
    return np.clip(np.mean(apart, axis=-1), 0.0, 1.0)
