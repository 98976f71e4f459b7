"""The queries and keys of a head as points, with edges from one query to what it attends to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analysis.query_key import LEAST_EDGE, QueryKeySpace, strongest
from records import AttentionMap
from words import numbers

from .labels import distinct_labels
from .look import say
from .plots import harmless, harmless_in_space, styled
from .stages import KEY, QUERY
from .theme import SELECTION, ink

if TYPE_CHECKING:
    from .figure import Plot

MOST_NAMED = 56
"""Of more points only those that are chosen or joined carry their names; the others on hover."""
_MOST_TOLD = 5
_HEIGHT = 500
_SIZE, _WIDEST, _NARROWEST = {2: 10, 3: 5}, {2: 10.0, 3: 16.0}, 1.0
_BESIDE = 36  # pixels at the right for half of a name
_AXES = "xyz"


@dataclass(frozen=True, eq=False)
class _Side:
    """Queries or keys: their points and names, and the weights that each of them gives or gets."""

    name: str
    arrow: str
    symbol: str
    colour: str
    place: str
    points: np.ndarray
    labels: list[str]
    others: list[str]
    weights: np.ndarray
    allowed: np.ndarray | None

    def told(self) -> Iterator[str]:
        """What is read on hovering over each of them."""
        for place, label in enumerate(self.labels):
            allowed = None if self.allowed is None else self.allowed[place]
            found = strongest(self.weights[place], allowed, most=_MOST_TOLD)
            title = say(f"ribbons-{self.name}", place=str(place + 1), token=label)
            lines = [
                f"<b>{harmless(title)}</b>",
                *([say("figures-space-largest")] if found else []),
            ]
            lines += [
                f"{self.arrow} {harmless(self.others[i])}  "
                f"{numbers.fixed(self.weights[place, i], 3)}"
                for i in found
            ]
            yield "<br>".join(lines)


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
    attention : the map that the head is of.
    layer, head : which head; both count from 0.
    row : the query whose edges are drawn, ringed.
    column : a key that is ringed, if any.
    produced : queries are named by the token produced, not by the one read.
    """
    import plotly.graph_objects as go

    n = len(space.shares)
    draw = {2: go.Scatter, 3: go.Scatter3d}[n]
    queries, keys = _sides(space, attention, layer, head, produced)
    joined = edges(attention, layer, head, row)
    plot = go.Figure()
    for place, key in enumerate(joined):
        width = max(_NARROWEST, _WIDEST[n] * float(queries.weights[row, key]))
        plot.add_trace(
            draw(
                **_at(np.stack((space.queries[row], space.keys[key]))),
                mode="lines",
                line={"color": QUERY, "width": width},
                opacity=0.6,
                hoverinfo="skip",
                name=say("figures-space-edge", least=numbers.percent(LEAST_EDGE, 0)),
                legendgroup="edges",
                showlegend=place == 0,
            )
        )
    few = len(queries.labels) + len(keys.labels) <= MOST_NAMED
    for side, named in ((queries, {row}), (keys, {*joined, column})):
        plot.add_trace(
            draw(
                **_at(side.points),
                mode="markers+text",
                name=say(f"figures-{side.name}"),
                text=[
                    _written(label, n) if few or place in named else ""
                    for place, label in enumerate(side.labels)
                ],
                textposition=side.place,
                textfont={"color": ink(), "size": 12},
                marker={"color": side.colour, "symbol": side.symbol, "size": _SIZE[n]},
                hovertext=list(side.told()),
                hoverinfo="text",
            )
        )
    for side, place in ((queries, row), (keys, column)):
        if place is not None:
            ring = {"color": SELECTION, "symbol": f"{side.symbol}-open", "size": 1.7 * _SIZE[n]}
            plot.add_trace(
                draw(
                    **_at(side.points[[place]]),
                    mode="markers",
                    marker=ring | {"line": {"color": SELECTION, "width": 2}},
                    hoverinfo="skip",
                    showlegend=False,
                )
            )
    if n == 2:  # a name may begin in the plane and end beside it
        plot.update_traces(cliponaxis=False)
    kept = f"{attention.kind} {attention.item} {layer} {head} {n}"
    return styled(plot, height=_HEIGHT, uirevision=kept, **_axes(space.shares))


def edges(attention: AttentionMap, layer: int, head: int, row: int) -> tuple[int, ...]:
    """The keys that a query is joined to, the largest weight first."""
    mask = attention.mask_of(layer, head)
    allowed = None if mask is None else mask[row]
    return strongest(attention.head(layer, head)[row], allowed, least=LEAST_EDGE)


def space_table(
    space: QueryKeySpace, attention: AttentionMap, layer: int, head: int, row: int
) -> pd.DataFrame:
    """A line for each point: what it is, its position from 1, its token, where it stands, and for a
    key the weight that the row gives it."""
    weights = attention.head(layer, head)[row]
    tokens = attention.query_tokens, attention.key_tokens
    parts = []
    for side, points, named, weight in (
        ("query", space.queries, tokens[0], np.nan),
        ("key", space.keys, tokens[1], weights),
    ):
        places = {f"pc{i + 1}": points[:, i] for i in range(points.shape[1])}
        position = np.arange(1, len(points) + 1)
        parts.append(
            pd.DataFrame(
                {"side": side, "position": position, "token": named, **places, "weight": weight}
            )
        )
    return pd.concat(parts, ignore_index=True)


def _sides(
    space: QueryKeySpace, attention: AttentionMap, layer: int, head: int, produced: bool
) -> tuple[_Side, _Side]:
    named = attention.output_tokens if produced else None
    queries = distinct_labels(named or attention.query_tokens)
    keys = distinct_labels(attention.key_tokens)
    weights, mask = attention.head(layer, head), attention.mask_of(layer, head)
    return (
        _Side(
            *("query", "→", "circle", QUERY, "top center", space.queries, queries, keys),
            weights=weights,
            allowed=mask,
        ),
        _Side(
            *("key", "←", "diamond", KEY, "bottom center", space.keys, keys, queries),
            weights=weights.T,
            allowed=None if mask is None else mask.T,
        ),
    )


def _at(points: np.ndarray) -> dict[str, np.ndarray]:
    return {_AXES[i]: points[:, i] for i in range(points.shape[1])}


def _axes(shares: Sequence[float]) -> dict[str, Any]:
    """Axes with their part of the variance, of one scale, so that distances can be compared."""
    axes = {
        f"{_AXES[i]}axis": {
            "title": {
                "text": say("figures-space-axis", n=str(i + 1), share=numbers.percent(share, 0))
            }
        }
        for i, share in enumerate(shares)
    }
    if len(shares) == 3:
        for axis in axes.values():
            axis["title"]["font"] = axis["tickfont"] = {"size": 11}
        camera = {"eye": {"x": 1.6, "y": 1.6, "z": 1.0}, "center": {"x": 0, "y": 0, "z": -0.25}}
        return {"scene": {**axes, "aspectmode": "data", "camera": camera}}
    for axis in axes.values():
        axis |= {"automargin": True, "zeroline": False}
    axes["yaxis"] |= {"scaleanchor": "x", "scaleratio": 1}
    return {**axes, "margin": {"r": _BESIDE}}


def _written(label: str, n: int) -> str:
    """A token beside its point. In space Plotly reads tags such as <b>, but no &lt;."""
    return harmless(label) if n == 2 else harmless_in_space(label)
