"""Heads as ribbons between two columns of tokens: which links to draw, and their picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from records import AttentionMap

from .figure import Figure, table
from .labels import distinct_labels, numbered_labels, text_width
from .theme import INK, SELECTION

Side = Literal["query", "key"]

DEFAULT_SHARE = 0.75
MOST_LINKS = 2000  # for one head; a curve each, so that drawing stays quick

# Picked one after the other, each as far as possible from those before it in CIELAB, taking the
# nearest of four views: ordinary, protan, deutan and tritan (Machado et al. 2009). All stand out
# from white, from the dark page and from the red of a selection.
HEAD_COLOURS: tuple[str, ...] = (
    *("#3377cc", "#99aa00", "#00bb77", "#cc88bb", "#886622", "#cc0077", "#007744", "#bb99ff"),
    *("#bbaa55", "#6655dd", "#aa3399", "#66aa99", "#bb77ff", "#9988cc", "#bb7722", "#bb5555"),
)

_WIDTH = 300
_LABEL_LIMIT = 150


def head_colour(head: int) -> str:
    """The colour of a head, in every picture; past the last colour they start again."""
    return HEAD_COLOURS[head % len(HEAD_COLOURS)]


@dataclass(frozen=True, eq=False)
class Links:
    """The links worth drawing in one layer, and the weight that is left out with the others.

    Attributes
    ----------
    head, query, key : int32 arrays (n,), positions from 0; by head, then query, then weight.
    weight : float32 array (n,).
    layer : the layer they are from.
    heads : the heads that were asked for, in that order.
    share : the part of each row's weight that the links were to carry, 0 to 1.
    kept, hidden : float64 arrays (len(heads), T_q), the weight of each row on drawn links and on
        the others; together the sum of the row.
    n_left_out : links that the share asked for and the most links for one head did not allow.
    left_out : float64 array (len(heads),), the weight on them, as part of the head's weight; it
        is counted in `hidden` as well.
    """

    head: np.ndarray
    query: np.ndarray
    key: np.ndarray
    weight: np.ndarray
    layer: int
    heads: tuple[int, ...]
    share: float
    kept: np.ndarray
    hidden: np.ndarray
    n_left_out: int
    left_out: np.ndarray

    def __len__(self) -> int:
        return len(self.weight)

    def hidden_share(self, heads: Sequence[int] | None = None) -> float:
        """The part of all weight that is on no drawn link, from 0 to 1; of `heads`, or of all."""
        chosen = [self.heads.index(head) for head in (self.heads if heads is None else heads)]
        total = self.kept[chosen].sum() + self.hidden[chosen].sum()
        return float(self.hidden[chosen].sum() / total) if total > 0 else 0.0

    def of(self, head: int) -> np.ndarray:
        """True for the links of one head; bool array (n,)."""
        return self.head == head

    def at(
        self, rows: Sequence[int] = (), columns: Sequence[int] = (), side: Side = "query"
    ) -> np.ndarray:
        """True for the links of what is singled out; bool array (n,).

        Those from `rows` or those to `columns`: the ones of `side` where both are given, all
        links where neither is.
        """
        if rows and (side == "query" or not columns):
            return np.isin(self.query, rows)
        return np.isin(self.key, columns) if columns else np.ones(len(self), bool)


def links(
    attention: AttentionMap,
    layer: int,
    heads: Sequence[int] | None = None,
    share: float = DEFAULT_SHARE,
    *,
    most: int = MOST_LINKS,
) -> Links:
    """The fewest links of each row that carry `share` of its weight, for each head.

    Of equal weights the earlier key goes first. A cell that a query may not look at, and a weight
    of zero, have no link. When a head has more than `most` links its weakest ones are left out.

    Parameters
    ----------
    heads : which, from 0; None means all of them.
    share : more than 0, at most 1.
    most : the largest number of links for one head.

    Raises
    ------
    IndexError : there is no such layer or head.
    ValueError : `share` is not a share, or `most` is less than 1.
    """
    if not 0 < share <= 1:
        raise ValueError(f"share is {share}, expected more than 0 and at most 1")
    if most < 1:
        raise ValueError(f"most is {most}, expected 1 or more")
    chosen = tuple(range(attention.n_heads)) if heads is None else tuple(heads)
    for name, count, wanted in (
        ("layer", attention.n_layers, (layer,)),
        ("head", attention.n_heads, chosen),
    ):
        if wrong := [i for i in wanted if not 0 <= i < count]:
            raise IndexError(f"{name} {wrong[0]} of {count}; {name}s count from 0")

    weights = attention.weights[layer, list(chosen)].astype(np.float64)  # (H, T_q, T_k)
    if attention.mask is not None:
        weights = np.where(attention.mask, weights, 0.0)
    totals = weights.sum(axis=-1, keepdims=True)
    order = np.argsort(-weights, axis=-1, kind="stable")
    ordered = np.take_along_axis(weights, order, axis=-1)
    before = np.cumsum(ordered, axis=-1) - ordered
    # Rounding alone must not ask for one link more.
    wanted = (before < share * totals * (1 - 1e-12)) & (ordered > 0)

    allowed = _strongest(np.where(wanted, ordered, 0.0), most)
    drawn = wanted & allowed
    kept = np.where(drawn, ordered, 0.0).sum(axis=-1)
    head_totals = totals.sum(axis=(1, 2))
    lost = np.where(wanted & ~allowed, ordered, 0.0).sum(axis=(1, 2))
    where, query, place = np.nonzero(drawn)
    return Links(
        head=np.asarray(chosen, np.int32)[where],
        query=query.astype(np.int32),
        key=order[where, query, place].astype(np.int32),
        weight=ordered[where, query, place].astype(np.float32),
        layer=layer,
        heads=chosen,
        share=share,
        kept=kept,
        hidden=np.maximum(totals[..., 0] - kept, 0.0),
        n_left_out=int((wanted & ~allowed).sum()),
        left_out=lost / np.where(head_totals > 0, head_totals, 1.0),
    )


def _strongest(weights: np.ndarray, most: int) -> np.ndarray:
    """True for the `most` largest of each head; earlier ones first where they are equal."""
    flat = weights.reshape(len(weights), -1)
    allowed = np.ones(flat.shape, bool)
    if flat.shape[1] > most:
        np.put_along_axis(allowed, np.argsort(-flat, axis=1, kind="stable")[:, most:], False, 1)
    return allowed.reshape(weights.shape)


def ribbon_step(n_rows: int) -> float:
    """Pixels from one token to the next: fewer for long sentences, but never unreadable."""
    return max(15.0, min(26.0, 620.0 / max(n_rows, 1)))


def curve_table(shown: Links, at: np.ndarray, step: float) -> pd.DataFrame:
    """Four points for each link where `at` is True, the corners of its curve.

    Returns
    -------
    DataFrame with the columns link (number of the curve), point (0 to 3), x (0 to 1), y (pixels),
    query, key (positions from 0), head (from 1), weight, breadth (pixels), colour.
    """
    head, query, key, weight = (a[at] for a in (shown.head, shown.query, shown.key, shown.weight))
    apart = min(2.5, 0.6 * step / max(len(shown.heads), 1))
    n_heads = max(shown.heads, default=0) + 1
    beside = np.zeros(n_heads)
    beside[list(shown.heads)] = (np.arange(len(shown.heads)) - (len(shown.heads) - 1) / 2) * apart
    left, right = ((position + 0.5) * step + beside[head] for position in (query, key))
    columns = {
        "link": np.arange(len(weight), dtype=np.int32),
        "query": query,
        "key": key,
        "head": head + 1,
        "weight": weight,
        "breadth": (0.5 + weight * step * 0.5).astype(np.float32),
    }
    repeated = {name: np.repeat(values, 4) for name, values in columns.items()}
    codes = np.repeat(head % len(HEAD_COLOURS), 4)
    return pd.DataFrame(
        repeated
        | {
            "colour": pd.Categorical.from_codes(codes, list(HEAD_COLOURS)),
            "point": np.tile(np.arange(4, dtype=np.int8), len(weight)),
            "x": np.tile(np.array([0, 1 / 3, 2 / 3, 1], np.float32), len(weight)),
            "y": np.stack([left, left, right, right], axis=1).ravel().astype(np.float32),
        }
    )


def ribbon_figure(
    attention: AttentionMap,
    shown: Links,
    *,
    row_tokens: Sequence[str] | None = None,
    rows: Sequence[int] = (),
    columns: Sequence[int] = (),
    side: Side = "query",
) -> Figure:
    """The ribbons as a picture nobody clicks: queries on the left, keys on the right.

    Parameters
    ----------
    shown : the links and the heads to draw.
    row_tokens : the T_q tokens to name the queries by, `attention.query_tokens` unless given.
    rows, columns : what is singled out; only its links are drawn, as `Links.at` says.
    """
    named = row_tokens or attention.query_tokens
    queries = distinct_labels(named)
    keys = distinct_labels(attention.key_tokens)
    at = shown.at(rows, columns, side)
    n_rows = max(len(queries), len(keys))
    step = ribbon_step(n_rows)
    size = _font_size(step)
    rooms = [
        round(min(_LABEL_LIMIT, max(text_width(label, size) for label in labels)))
        for labels in (queries, keys)
    ]
    note = pd.DataFrame({"text": [_note(shown, int(at.sum()))]})
    curves = curve_table(shown, at, step)
    for name, tokens in (("query", named), ("key", attention.key_tokens)):
        curves[name] = pd.Categorical.from_codes(curves[name], numbered_labels(tokens))
    tables = {
        "curves": curves,
        "queries": _tokens(queries, rows, step),
        "keys": _tokens(keys, columns, step),
        "note": note,
        "heads": _legend(shown.heads, n_rows * step),
    }
    chart = _ribbon_chart(n_rows)
    return Figure(chart, tables, "", width=_WIDTH + sum(rooms) + 40)


def _note(shown: Links, n_drawn: int) -> str:
    part = "" if n_drawn == len(shown) else f", {n_drawn:,} of them drawn"
    hidden = shown.hidden_share()
    return (
        f"layer {shown.layer + 1}: {len(shown):,} links{part}; hidden: {hidden:.1%} of all weight"
    )


def _tokens(labels: Sequence[str], chosen: Sequence[int], step: float) -> pd.DataFrame:
    places = np.arange(len(labels))
    return pd.DataFrame(
        {
            "label": np.array(labels, dtype=object),
            "y": ((places + 0.5) * step).astype(np.float32),
            "chosen": np.isin(places, list(chosen)),
        }
    )


def _legend(heads: Sequence[int], height: float) -> pd.DataFrame:
    """The names of the heads in their colours, eight a line below the picture."""
    lines = [list(heads[i : i + 8]) for i in range(0, len(heads), 8)]
    places = [
        ((i + 0.5) / len(line), height + 34 + 18 * row)
        for row, line in enumerate(lines)
        for i in range(len(line))
    ]
    return pd.DataFrame(
        {
            "x": [x for x, _ in places],
            "y": [y for _, y in places],
            "text": [f"━ head {head + 1}" for head in heads],
            "colour": [head_colour(head) for head in heads],
        }
    )


def _font_size(step: float) -> float:
    return max(10.0, min(13.0, step * 0.62))


@lru_cache(maxsize=32)
def _ribbon_chart(n_rows: int) -> dict[str, Any]:
    step = ribbon_step(n_rows)
    height = n_rows * step
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[0, 1], nice=False))
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[0, height], reverse=True, nice=False))
    curves = (
        alt.Chart(table("curves"))
        .mark_line(interpolate="basis", strokeCap="butt")
        .encode(
            x=x,
            y=y,
            order="point:Q",
            detail="link:N",
            color=alt.Color("colour:N", scale=None),
            strokeWidth=alt.StrokeWidth("breadth:Q", scale=None),
            opacity=alt.Opacity(
                "weight:Q", scale=alt.Scale(domain=[0, 1], range=[0.15, 0.95]), legend=None
            ),
            tooltip=[
                alt.Tooltip("head:N"),
                alt.Tooltip("query:N"),
                alt.Tooltip("key:N"),
                alt.Tooltip("weight:Q", format=".4f"),
            ],
        )
    )
    layers = [
        curves,
        _names("queries", y, step, 0, "right", -8),
        _names("keys", y, step, _WIDTH, "left", 8),
        *(
            alt.Chart(table("note"))
            .mark_text(
                align=align, fontSize=12, fontWeight="bold", color=INK, dy=-10, text=text, dx=dx
            )
            .encode(x=alt.value(place), y=alt.value(0))
            for text, align, place, dx in (
                ("query (row) →", "right", 0, -8),
                ("→ key (column)", "left", _WIDTH, 8),
            )
        ),
        alt.Chart(table("note"))
        .mark_text(align="center", fontSize=11, color=INK, dy=12)
        .encode(x=alt.value(_WIDTH / 2), y=alt.value(height), text="text:N"),
        alt.Chart(table("heads"))
        .mark_text(align="center", fontSize=12, fontWeight="bold", clip=False)
        .encode(x="x:Q", y="y:Q", text="text:N", color=alt.Color("colour:N", scale=None)),
    ]
    return (
        alt.layer(*layers)
        .properties(width=_WIDTH, height=height)
        .configure_view(stroke=None)
        .to_dict()
    )


def _names(name: str, y: alt.Y, step: float, place: float, align: str, dx: float) -> alt.Chart:
    colour = alt.when(alt.datum.chosen).then(alt.value(SELECTION)).otherwise(alt.value(INK))
    return (
        alt.Chart(table(name))
        .mark_text(
            align=align,
            baseline="middle",
            dx=dx,
            fontSize=_font_size(step),
            limit=_LABEL_LIMIT,
            tooltip=None,
        )
        .encode(x=alt.value(place), y=y, text="label:N", color=colour)
    )
