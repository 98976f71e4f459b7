"""The queries and keys of a head as points, with edges from one query to what it attends to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from analysis.labels import distinct_labels
from analysis.query_key import LEAST_EDGE, QueryKeySpace, edges, strongest
from records import AttentionMap
from words.numbers import fixed, percent

from .look import say
from .plots import Told, path, plot, points, scene
from .stages import KEY, QUERY
from .theme import SELECTION, ink

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

MOST_NAMED = 56
"""Of more points only those that are chosen or joined carry their names; the others on hover."""
_MOST_TOLD = 5
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

    What the mask hides from a query is neither an edge nor told on hover.

    Parameters
    ----------
    space : the points, in two or three dimensions.
    layer, head : which head of the map; both count from 0.
    row, column : the query whose edges are drawn, and a key; both are ringed.
    produced : queries are named by the token produced, not by the one read.
    """
    n = len(space.shares)
    weights, mask = attention.head(layer, head), attention.mask_of(layer, head)
    mask = np.ones(weights.shape, bool) if mask is None else mask
    named = attention.output_tokens if produced else None
    queries = distinct_labels(named or attention.query_tokens)
    keys = distinct_labels(attention.key_tokens)
    titles = [
        say("figures-space-axis", n=str(i), share=percent(share, 0))
        for i, share in enumerate(space.shares, start=1)
    ]
    if n == 3:
        axes = {"scene": scene(titles, (1.6, 1.6, 1.0), (0, 0, -0.25))}
    else:
        across, up = ({"title": it, "automargin": True, "zeroline": False} for it in titles)
        # Of one scale, so that distances can be compared; at the right is room for half of a name.
        axes = {"xaxis": across, "yaxis": {**up, "scaleanchor": "x", "scaleratio": 1}}
        axes["margin"] = {"r": 36}
    kept = f"{attention.kind} {attention.item} {layer} {head} {n}"
    figure = plot(500, uirevision=kept, **axes)
    joined = edges(attention, layer, head, row)
    name = say("figures-space-edge", least=percent(LEAST_EDGE, 0))
    for place, key in enumerate(joined):
        ends = np.stack((space.queries[row], space.keys[key]), axis=1)
        width = max(1.0, _WIDEST[n] * float(weights[row, key]))
        shown = {"name": name, "legendgroup": "edges", "showlegend": place == 0}
        figure.add_trace(path(ends, QUERY, width, opacity=0.6, **shown))
    few = len(queries) + len(keys) <= MOST_NAMED
    for at, labels, told, ringed, also, (side, symbol, colour, beside) in (
        (space.queries, queries, _told("query", "→", queries, keys, weights, mask), row, (),
         ("query", "circle", QUERY, "top center")),
        (space.keys, keys, _told("key", "←", keys, queries, weights.T, mask.T), column, joined,
         ("key", "diamond", KEY, "bottom center")),
    ):  # fmt: skip
        shown = (ringed, *also)
        figure.add_trace(
            points(
                at.T,
                told,
                mode="markers+text",
                name=say(f"figures-{side}"),
                showlegend=True,
                text=[x if few or i in shown else "" for i, x in enumerate(labels)],
                textposition=beside,
                textfont={"color": ink(), "size": 12},
                marker={"color": colour, "symbol": symbol, "size": _SIZE[n]},
            )
        )
        if ringed is not None:
            ring = {"symbol": f"{symbol}-open", "size": 1.7 * _SIZE[n], "color": SELECTION}
            ring["line"] = {"color": SELECTION, "width": 2}
            figure.add_trace(points(at[[ringed]].T, marker=ring))
    # A name may begin in the plane and end beside it.
    return figure.update_traces(cliponaxis=False) if n == 2 else figure


def _told(
    side: str,
    arrow: str,
    labels: Sequence[str],
    others: Sequence[str],
    weights: np.ndarray,
    mask: np.ndarray,
) -> list[Told]:
    """What is read on hovering: the name, and the largest weights that each gives or gets."""
    heads, largest = [], []
    for place, (label, row) in enumerate(zip(labels, weights, strict=True)):
        found = strongest(row, mask[place], most=_MOST_TOLD)
        each = [f"{arrow} {others[i]}  {fixed(row[i], 3)}" for i in found]
        heads.append(say(f"ribbons-{side}", place=str(place + 1), token=label))
        largest.append("\n".join([say("figures-space-largest"), *each] if each else []))
    return [("", heads), ("", largest)]
