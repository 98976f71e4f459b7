"""The queries and keys of a head as points, with edges from one query to what it attends to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.attention import AttentionMap
from core.query_key import LEAST_EDGE, QueryKeySpace, edges, strongest
from core.tokens import distinct_labels
from words.numbers import fixed, percent

from .look import say
from .plots import HoverLine, path, plot, points, scene
from .theme import KEY, QUERY, SELECTION

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

MOST_NAMED = 56
"""Of more points only those that are chosen or joined carry their names; the others on hover."""
_SIZE, _WIDEST = {2: 10, 3: 5}, {2: 10.0, 3: 16.0}


def space_plot(
    space: QueryKeySpace,
    attention: AttentionMap,
    layer: int,
    head: int,
    *,
    row: int,
    column: int | None = None,
    produced: bool = False,
) -> Plot:
    """Queries as discs, keys as diamonds, and an edge for each weight of a row from 5% on.

    What the mask hides from a query is neither an edge nor told on hover. `space`: the points, in
    two or three dimensions. `layer`, `head`: which head of the map; both count from 0. `row`,
    `column`: the query whose edges are drawn, and a key; both are ringed. `produced`: queries are
    named by the token produced, not by the one read.
    """
    n = len(space.shares)
    weights = attention.head(layer, head) * attention.mask_of(layer, head)
    queries = distinct_labels((produced and attention.output_tokens) or attention.query_tokens)
    keys = distinct_labels(attention.key_tokens)
    titles = [
        say("figures-space-axis", n=str(i), share=percent(share, 0))
        for i, share in enumerate(space.shares, start=1)
    ]
    if n == 3:
        axes = {"scene": scene(titles, (1.6, 1.6, 1.0), (0, 0, -0.25))}
    else:
        # Of one scale, so that distances can be compared; at the right is room for half of a name.
        across, up = ({"title": it, "automargin": True, "zeroline": False} for it in titles)
        axes = {"xaxis": across, "yaxis": {**up, "scaleanchor": "x", "scaleratio": 1}}
        axes["margin"] = {"r": 36}
    figure = plot(500, uirevision=f"{attention.kind} {attention.item} {layer} {head} {n}", **axes)
    joined = edges(attention, layer, head, row)
    name = say("figures-space-edge", least=percent(LEAST_EDGE, 0))
    for number, key in enumerate(joined):
        ends = np.stack((space.queries[row], space.keys[key]), axis=1)
        width = max(1.0, _WIDEST[n] * float(weights[row, key]))
        shown = {"name": name, "legendgroup": "edges", "showlegend": number == 0}
        figure.add_trace(path(ends, QUERY, width, opacity=0.6, **shown))
    gives = _hover_lines("query", "→", queries, keys, weights)
    gets = _hover_lines("key", "←", keys, queries, weights.T)
    few = len(queries) + len(keys) <= MOST_NAMED
    for side, at, labels, hover, (ringed, *also), symbol, colour, where in (
        ("query", space.queries, queries, gives, (row,), "circle", QUERY, "top center"),
        ("key", space.keys, keys, gets, (column, *joined), "diamond", KEY, "bottom center"),
    ):
        names = [x if few or i in (ringed, *also) else "" for i, x in enumerate(labels)]
        text = {"text": names, "textposition": where, "textfont": {"size": 12}}
        marker = {"color": colour, "symbol": symbol, "size": _SIZE[n]}
        shown = {"name": say(f"figures-{side}"), "showlegend": True, "mode": "markers+text"}
        figure.add_trace(points(at.T, hover, marker=marker, **text, **shown))
        if ringed is not None:
            ring = {"symbol": f"{symbol}-open", "size": 1.7 * _SIZE[n], "color": SELECTION}
            ring["line"] = {"color": SELECTION, "width": 2}
            figure.add_trace(points(at[[ringed]].T, marker=ring))
    # A name may begin in the plane and end beside it.
    return figure.update_traces(cliponaxis=False) if n == 2 else figure


def _hover_lines(
    side: str, arrow: str, labels: Sequence[str], others: Sequence[str], weights: np.ndarray
) -> list[HoverLine]:
    heads, largest = [], []
    for number, (label, row) in enumerate(zip(labels, weights, strict=True), start=1):
        lines = [f"{arrow} {others[i]}  {fixed(row[i], 3)}" for i in strongest(row, most=5)]
        heads.append(say(f"ribbons-{side}", place=str(number), token=label))
        largest.append("\n".join([say("figures-space-largest"), *lines] if lines else []))
    return [("", heads), ("", largest)]
