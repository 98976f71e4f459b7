"""Every head as a point: what it does over many sentences, and those that show it.

The sampling is that of HeadVis (Luger, Kamath et al. 2026): sentences by deciles of their strongest
weight, ten of the top and three of every other, so that a head is not taken for its best moments.
``python -m training atlas`` measures it, see `training.atlas`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .attention import HEAD, AttentionMap
from .measurements import Aligning, HeadRoles
from .measures import row_entropy
from .roles import roles_of
from .stored import AtLeastOne, Count, Kind, Made, Part, Share
from .transform import is_special

DECILES, TOP, EACH = 10, 10, 3
"""Deciles, and how many sentences are kept of the strongest and of each other one."""
NUMBERS = (
    *("depth", "entropy", "distance", "largest", "previous", "same", "next", "special"),
    *("rare", "syntax", "pronoun", "off", "error"),
)
"""What a head may have a number of."""


class Relation(Part):
    """The syntactic relation that a head follows farthest beyond the best fixed offset: the share
    of words whose largest weight lies on the other word of it."""

    name: str
    to_head: bool  # from the dependent to its head, else from the head to its dependent
    value: Share
    offset: Share
    n: AtLeastOne


class HeadCard(Part):
    """What was found of one head."""

    examples: list[list[Count]]  # by decile, the weakest first: places in the texts
    # query, key, mean weight where both occur, how often, whether the query is what the row writes
    occurring: list[tuple[str, str, Share, AtLeastOne, bool]]
    possible: list[tuple[str, str, float]]  # query, key, score from the weights alone
    similar: list[tuple[Count, Count, Share]]  # layer, head, Jensen-Shannon divergence in bits
    relation: Relation | None = None


class SiteAtlas(Part):
    numbers: dict[str, list[list[float]]]  # of `NUMBERS`, each (L, H)
    heads: list[list[HeadCard]]

    def __post_init__(self) -> None:
        shape = list(map(len, self.heads))
        if any(list(map(len, rows)) != shape for rows in self.numbers.values()):
            raise ValueError(f"Expected a number for each of {sum(shape)} heads")


class Atlas(Made, kw_only=True):
    sentences: AtLeastOne  # that the numbers are of
    texts: list[tuple[str, str]]  # source and target of those that can be shown
    sites: dict[str, SiteAtlas]

    def __post_init__(self) -> None:
        cards = (card for site in self.sites.values() for row in site.heads for card in row)
        places = (place for card in cards for decile in card.examples for place in decile)
        if max(places, default=-1) >= len(self.texts):
            raise ValueError(f"Expected a place below {len(self.texts)}")

    def card(self, kind: str, layer: int, head: int) -> HeadCard:
        return self.sites[kind].heads[layer][head]


ATLAS = Kind("atlas.json", Atlas, "python -m training atlas --checkpoint {name} --data DIR --write")


def head_rows(
    atlas: Atlas, measured: HeadRoles | None, gold: Aligning | None = None
) -> pd.DataFrame:
    """A line a head: kind, layer and head (from 0), role (its id, "" where it has none), and of
    `NUMBERS` what any head has, NaN where one has it not.

    `measured`: the roles; from them come ``pronoun``, from a pronoun the weight on the noun that is
    meant minus that on the other, and ``off``, the change of log p a token without the head.
    `gold`: the alignments, whose first set gives ``error``, that of the better reading of a row.
    """
    lines = []
    for kind, site in atlas.sites.items():
        roles, numbers = {}, dict(site.numbers)
        if measured is not None:
            roles, of = roles_of(measured, kind), measured.sites.get(kind, {})
            if "noun" in of and "other" in of["noun"].controls:
                meant, other = of["noun"].measured.value, of["noun"].controls["other"].value
                numbers["pronoun"] = np.subtract(meant, other).tolist()
            if kind in measured.off.get("zero", {}):
                numbers["off"] = measured.off["zero"][kind].value
        if kind == "cross" and gold is not None:
            errors = np.ones((len(site.heads), len(site.heads[0])))
            for each in next(iter(gold.sets.values())).maps:
                if each.map == "weight" and each.layer is not None and each.head is not None:
                    at = each.layer, each.head
                    errors[at] = min(errors[at], each.error.value)
            numbers["error"] = errors.tolist()
        for at in np.ndindex(len(site.heads), len(site.heads[0])):
            role = roles[at].name if at in roles else None
            line: dict[str, Any] = {"kind": kind, "layer": at[0], "head": at[1], "role": role or ""}
            # The heads of a layer stand side by side.
            line["depth"] = at[0] + 0.6 + 0.8 * (at[1] + 0.5) / len(site.heads[0])
            lines.append(line | {name: rows[at[0]][at[1]] for name, rows in numbers.items()})
    found = pd.DataFrame(lines)
    return found[[*HEAD, "role", *(name for name in NUMBERS if name in found)]]


# -- how strongly a sentence shows a head ----------------------------------------------------


def telling(attention: AttentionMap) -> np.ndarray:
    """Cells that may tell what a head does, bool (T_q, T_k): of rows that see several keys, and no
    special token on either side, since on these a head rests."""
    rows = (attention.allowed.sum(axis=1) > 1) & ~np.array(is_special(attention.query_tokens))
    return attention.allowed & rows[:, None] & ~np.array(is_special(attention.key_tokens))


def strengths(attention: AttentionMap) -> np.ndarray:
    """The largest weight of the `telling` cells, (L, H)."""
    return np.where(telling(attention), attention.weights, 0).max(axis=(-2, -1))


@dataclass(frozen=True, eq=False)
class Example:
    """The row of a map in which a head is strongest."""

    read: str  # the token of the query, and the one that its row writes, if any
    written: str
    keys: tuple[str, ...]
    weights: np.ndarray  # (T_k,), of the row
    strength: float


def example_of(attention: AttentionMap, layer: int, head: int) -> Example:
    """That row of one head."""
    weights = attention.head(layer, head)
    cells = np.where(telling(attention), weights, 0)
    row = int(cells.max(axis=1).argmax())
    written = "" if attention.output_tokens is None else attention.output_tokens[row]
    read, strength = attention.query_tokens[row], float(cells[row].max())
    return Example(read, written, attention.key_tokens, weights[row], strength)


def by_decile(values: np.ndarray) -> list[list[int]]:
    """Places in `values` (n,) by decile, the weakest first: the `TOP` largest, and `EACH` evenly
    spaced ones of every other; fewer where there are no more."""
    *others, top = np.array_split(np.argsort(values, kind="stable"), DECILES)
    middles = np.arange(1, 2 * EACH, 2) / (2 * EACH)
    kept = [part[np.unique((middles * len(part)).astype(int))] for part in others if len(part)]
    return [*(part.tolist() for part in kept), top[::-1][:TOP].tolist()]


# -- numbers of a map -------------------------------------------------------------------------


def rare_excess(attention: AttentionMap, counts: Mapping[str, int]) -> np.ndarray | None:
    """The share of rows whose largest weight lies on one of the two rarest tokens that they see
    (Voita et al. 2019, section 5.3), minus what a head without preference would have; (L, H), or
    None where no row sees three tokens. `counts`: how often a key's token occurs."""
    seen = attention.allowed & ~np.array(is_special(attention.key_tokens))
    rows = seen.sum(axis=1) > 2
    if not rows.any():
        return None
    often = np.array([counts.get(token, 0) for token in attention.key_tokens], dtype=float)
    rarest = np.argsort(np.where(seen, often, np.inf), axis=1, kind="stable")[rows, :2]
    at = attention.weights[:, :, rows].argmax(axis=-1)
    chance = (2 / attention.allowed.sum(axis=1)[rows]).mean()
    return (at[..., None] == rarest).any(axis=-1).mean(axis=-1) - chance


def divergences(attention: AttentionMap) -> np.ndarray:
    """Between all heads of a site the Jensen-Shannon divergence of their rows in bits (Lin 1991),
    averaged over the rows that see several keys; (L * H, L * H), from 0, the same map, to 1."""
    rows = attention.allowed.sum(axis=1) > 1
    maps = attention.weights[:, :, rows].astype(np.float64)
    maps = maps.reshape(-1, *maps.shape[2:])
    entropy = row_entropy(maps)
    each = zip(maps, entropy, strict=True)
    apart = [row_entropy((maps + one) / 2) - (entropy + of) / 2 for one, of in each]
    return np.clip(np.mean(apart, axis=-1), 0.0, 1.0)
