"""Links of heads between two columns of tokens, limited to those worth drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from ..records.attention import AttentionMap
from ..records.tokens import numbered_labels

Side = Literal["query", "key"]
"""Side of a map whose tokens are selected."""
DEFAULT_SHARE = 0.75
"""Part of a row's weight that the drawn links carry."""
MOST_LINKS = 2000  # for one head; a curve each, so that drawing stays quick


@dataclass(frozen=True, eq=False)
class Links:
    """Links worth drawing in one layer, and the weight left out with the others."""

    # head, query, key: int32 (n,), positions from 0; by head, then query, then weight
    head: np.ndarray
    query: np.ndarray
    key: np.ndarray
    weight: np.ndarray  # float32 (n,)
    layer: int  # the layer they are from
    heads: tuple[int, ...]  # requested heads, in the requested order
    share: float  # part of each row's weight that the links should carry, 0 to 1
    # kept, hidden: float64 (len(heads), T_q), the weight of each row on drawn links and on the
    # others; together the sum of the row
    kept: np.ndarray
    hidden: np.ndarray
    n_left_out: int  # links within `share` but beyond the maximum for one head
    # float64 (len(heads),), the weight on them, as part of the head's weight; it is counted in
    # `hidden` as well
    left_out: np.ndarray

    def __len__(self) -> int:
        return len(self.weight)

    def hidden_share(self, heads: Sequence[int] | None = None) -> float:
        """Return the part of all weight that is on no drawn link, 0 to 1; of `heads`, or of all."""
        chosen = [self.heads.index(head) for head in (self.heads if heads is None else heads)]
        total = self.kept[chosen].sum() + self.hidden[chosen].sum()
        return float(self.hidden[chosen].sum() / total) if total > 0 else 0.0

    def of(self, head: int) -> np.ndarray:
        """Return True for the links of one head; bool array (n,)."""
        return self.head == head

    def at(
        self, rows: Sequence[int] = (), columns: Sequence[int] = (), side: Side = "query"
    ) -> np.ndarray:
        """Return True for the selected links; bool array (n,).

        Links from `rows` or to `columns`: those of `side` if both are given, all links if neither
        is.
        """
        if rows_are_drawn(rows, columns, side):
            return np.isin(self.query, rows)
        return np.isin(self.key, columns) if columns else np.ones(len(self), bool)


def rows_are_drawn(rows: Sequence[int], columns: Sequence[int], side: Side) -> bool:
    """Return True if a selection draws the links from `rows`, not those to `columns`."""
    return bool(rows) and (side == "query" or not columns)


def links(
    attention: AttentionMap,
    layer: int,
    heads: Sequence[int] | None = None,
    share: float = DEFAULT_SHARE,
    *,
    most: int = MOST_LINKS,
) -> Links:
    """Return the fewest links of each row that carry `share` of its weight, for each head.

    `layer` and `heads` (by default all) count from 0. Of one head at most `most` links are drawn;
    the weakest beyond them are left out. A masked cell and a weight of zero have no link. Raises
    IndexError if there is no such layer or head, and ValueError if `share` is not above 0 and at
    most 1, or `most` is less than 1.
    """
    _check_limits(share, most)
    chosen = tuple(range(attention.n_heads)) if heads is None else tuple(heads)
    weights = _visible_weights(attention, layer, chosen)
    totals = weights.sum(axis=-1)
    # Stable: of equal weights the earlier key goes first.
    order = np.argsort(-weights, axis=-1, kind="stable")
    ordered = np.take_along_axis(weights, order, axis=-1)
    wanted = _within_share(ordered, share)
    drawn = wanted & _strongest(np.where(wanted, ordered, 0.0), most)
    beyond = wanted & ~drawn
    kept = np.where(drawn, ordered, 0.0).sum(axis=-1)
    head, query, rank = np.nonzero(drawn)
    return Links(
        head=np.asarray(chosen, np.int32)[head],
        query=query.astype(np.int32),
        key=order[head, query, rank].astype(np.int32),
        weight=ordered[head, query, rank].astype(np.float32),
        layer=layer,
        heads=chosen,
        share=share,
        kept=kept,
        hidden=np.maximum(totals - kept, 0.0),
        n_left_out=int(beyond.sum()),
        left_out=_part_of_head(np.where(beyond, ordered, 0.0), totals),
    )


def _check_limits(share: float, most: int) -> None:
    """Raise ValueError for a part that is none, or a maximum that leaves no link."""
    if not 0 < share <= 1:
        raise ValueError(f"share is {share}, expected more than 0 and at most 1")
    if most < 1:
        raise ValueError(f"most is {most}, expected 1 or more")


def _visible_weights(attention: AttentionMap, layer: int, heads: Sequence[int]) -> np.ndarray:
    """Return the weights of `heads` as float64 (H, T_q, T_k), 0 where a query may not attend."""
    check_indices("layer", (layer,), attention.n_layers)
    check_indices("head", heads, attention.n_heads)
    weights = attention.weights[layer, list(heads)].astype(np.float64)
    return np.where(attention.allowed, weights, 0.0)


def _part_of_head(weights: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Return the sum of each head's `weights` as part of its `totals`; 0 for an empty head."""
    of_head = totals.sum(axis=-1)
    return weights.sum(axis=(1, 2)) / np.where(of_head > 0, of_head, 1.0)


def _within_share(ordered: np.ndarray, share: float) -> np.ndarray:
    """Return True for the fewest weights of each row, largest first, that carry `share` of it."""
    totals = ordered.sum(axis=-1, keepdims=True)
    # A link is needed while the weight before it is below the share.
    before = np.cumsum(ordered, axis=-1) - ordered
    # 1e-12: rounding of the cumulative sum must not ask for one link more.
    return (before < share * totals * (1 - 1e-12)) & (ordered > 0)


def check_indices(name: str, indices: Sequence[int], count: int) -> None:
    """Raise IndexError for an index of layers, heads or rows that is not below `count`."""
    if wrong := [index for index in indices if not 0 <= index < count]:
        raise IndexError(f"{name} {wrong[0]} of {count}; {name}s count from 0")


def _strongest(weights: np.ndarray, most: int) -> np.ndarray:
    """Return True for the `most` largest of each head; earlier ones first if equal."""
    flat = weights.reshape(len(weights), -1)
    allowed = np.ones(flat.shape, bool)
    if flat.shape[1] > most:
        np.put_along_axis(allowed, np.argsort(-flat, axis=1, kind="stable")[:, most:], False, 1)
    return allowed.reshape(weights.shape)


def curve_table(
    drawn: Links,
    at: np.ndarray,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    step: float,
    span: float,
    horizontal: bool = False,
) -> pd.DataFrame:
    """Return one row for each link where `at` is True, for tokens `step` pixels apart.

    Columns row (of the query, from 0), query, key (labels with the position), head (from 1),
    weight, breadth (pixels) and link (its curve, an SVG path over `span` pixels: from the middle
    of the query's row to the right, or if `horizontal` from the middle of its column upwards).
    """
    head, query, key, weight = (a[at] for a in (drawn.head, drawn.query, drawn.key, drawn.weight))
    n = len(drawn.heads)
    # Curves of several heads share a row's height: 0.6 of it keeps them off the next row.
    apart = min(2.5, 0.6 * step / max(n, 1))
    beside = {number: (i - (n - 1) / 2) * apart for i, number in enumerate(drawn.heads)}
    start = np.array([beside[number] for number in head.tolist()])
    end = start + (key - query) * step
    curve = _upward if horizontal else _rightward
    return pd.DataFrame(
        {
            "query": pd.Categorical.from_codes(query, numbered_labels(queries)),
            "key": pd.Categorical.from_codes(key, numbered_labels(keys)),
            "head": head + 1,
            "weight": weight,
            "breadth": (0.5 + weight * step * 0.5).astype(np.float32),
            "link": [curve(*ends, span) for ends in zip(start, end, strict=True)],
            "row": query,
        }
    )


def _rightward(start: float, end: float, span: float) -> str:
    half = span / 2
    return f"M0,{start:.1f}C{half:g},{start:.1f} {half:g},{end:.1f} {span:g},{end:.1f}"


def _upward(start: float, end: float, span: float) -> str:
    half = span / 2
    return f"M{start:.1f},0C{start:.1f},{-half:g} {end:.1f},{-half:g} {end:.1f},{-span:g}"
