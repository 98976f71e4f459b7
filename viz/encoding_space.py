"""The encoding of positions in space: a surface, and a curve through its principal components."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.projection import Projection
from records import ENCODER
from words.numbers import fixed, percent

from .labels import distinct_labels
from .look import say
from .plots import harmless, scale_of, styled
from .position_axes import whole_numbers
from .theme import SELECTION, diverging_ramp, ground, ink, palette_of

if TYPE_CHECKING:
    from .figure import Plot

LEAST_HALVED = 4
"""Dimensions of which even and odd ones stand apart on the surface."""

MOST_NAMED = 24
"""Tokens that are named in a picture; the pointer tells all of them."""

_HEIGHT = 420
_BAR_ROOM = 62  # pixels under the scene
_AXIS_ROOM = 270  # pixels that an axis has on a narrow screen
_NAMES_APART = 0.12  # of the width of the scene
_MOST_ROWS = 16  # positions that have their tokens beside the surface
_NO_NAME = "<extra></extra>"  # a trace has no name to tell


def encoding_surface(
    values: np.ndarray,
    *,
    tokens: Sequence[str] = (),
    chosen: tuple[int, int] | None = None,
) -> Plot:
    """The encoding as a surface over dimension and position, its height and colour the value.

    Even dimensions stand left, odd ones right of them: as neighbours, sines and cosines would make
    a comb of it.

    Parameters
    ----------
    values : (L, d_model), the encoding; the surface has a hole where a value is not finite
    tokens : the sentence, from position 0 on, to be framed; what lies beyond L is left out
    chosen : (position, dimension) to mark

    Raises
    ------
    ValueError : there are fewer than two positions or dimensions.
    """
    import plotly.graph_objects as go

    length, d_model = values.shape
    if min(length, d_model) < 2:
        raise ValueError(f"expected 2 positions and 2 dimensions or more, found {values.shape}")
    values = values.astype(np.float32)
    labels = _labels(tokens, length)
    most = float(np.abs(values[np.isfinite(values)]).max(initial=0)) or 1.0
    look = {
        "cmin": -most,
        "cmax": most,
        "colorscale": scale_of(diverging_ramp()),
        "lighting": {"ambient": 0.75, "diffuse": 0.5, "specular": 0.05, "roughness": 0.9},
        "showscale": False,
    }
    positions = [
        f"{place} ({labels[place]})" if place < len(labels) else str(place)
        for place in range(length)
    ]
    told = _lines(
        (say("positions-position"), "%{y}"),
        (say("positions-dimension"), "%{x}"),
        (say("positions-value"), "%{z:+.4f}"),
    )
    halves = _halves(d_model)
    plot = go.Figure()
    for half in halves:
        plot.add_surface(
            x=_names(half),
            y=positions,
            z=values[:, half],
            hovertemplate=told + _NO_NAME,
            **look,
        )
        if labels:
            rows, columns = _frame(len(labels), len(half))
            plot.add_scatter3d(
                x=_names(half[columns]),
                y=[positions[row] for row in rows],
                z=values[rows, half[columns]],
                mode="lines",
                line={"color": ink(), "width": 4},
                hoverinfo="skip",
            )
    plot.data[0].update(showscale=True, colorbar=_bar(say("positions-value")))
    if chosen is not None:
        place, dimension = chosen
        plot.add_scatter3d(
            x=_names([dimension]),
            y=[positions[place]],
            z=[values[chosen]],
            hovertemplate=told + _NO_NAME,
            **_chosen_mark(),
        )
    columns = [half[whole_numbers(len(half), _AXIS_ROOM / len(halves))] for half in halves]
    rows = whole_numbers(length, _AXIS_ROOM)
    # Ticks are drawn by WebGL, which knows no entities; and what a tick says, the pointer says too.
    ticks = [positions[row] for row in rows if "&" not in positions[row]]
    by_name = bool(labels) and length <= _MOST_ROWS
    notes = _sentence_rows(positions, halves[0][0], -most) if by_name else []
    if labels and not by_name:
        last, right = len(labels) - 1, halves[-1][-1]
        at = {"x": str(right), "y": positions[last], "z": _finite(values[last, right])}
        name = say("positions-this-sentence", n=len(labels))
        notes = [_note(name, at, xanchor="right", yshift=-16, bgcolor=ground())]
    return _in_space(
        plot,
        xaxis={
            "title": {"text": say("positions-dimension")},
            **_categories(_names(np.concatenate(halves))),
            "tickvals": _names(np.concatenate(columns)),
        },
        yaxis={
            "title": {"text": "" if by_name else say("positions-position")},
            **_categories(positions),
            "tickvals": ticks,
            "showticklabels": not by_name,
        },
        zaxis={"title": {"text": say("positions-value")}, "range": [-most, most], "nticks": 3},
        aspectmode="manual",
        aspectratio={"x": 1.15, "y": 1.5, "z": 0.42},
        camera={
            "eye": {"x": -1.05, "y": -2.1, "z": 1.6},
            "center": {"x": -0.1, "y": 0, "z": -0.18},
        },
        annotations=notes,
    )


def encoding_curve(
    projection: Projection, *, tokens: Sequence[str] = (), chosen: int | None = None
) -> Plot:
    """The encodings in their first three principal components, joined in the order of positions.

    All axes have one scale, so that lengths can be compared in every direction.

    Parameters
    ----------
    projection : of L encodings, in three components; where a position has no coordinates the curve
        has a gap
    tokens : the sentence, from position 0 on, to be marked and, where there is room, named
    chosen : position to mark
    """
    import plotly.graph_objects as go

    points = projection.coordinates
    length = len(points)
    labels = _labels(tokens, length)
    names = [say("positions-component-n", n=i + 1) for i in range(3)]
    told = [
        _lines(
            (say("positions-position"), place),
            *([(say("positions-token"), labels[place])] if place < len(labels) else []),
            *zip(names, (fixed(each, 3) for each in point), strict=True),
        )
        for place, point in enumerate(points)
    ]

    def at(places: slice) -> dict[str, Any]:
        some = dict(zip("xyz", points[places].T, strict=True))
        return {**some, "hovertext": told[places], "hovertemplate": "%{hovertext}" + _NO_NAME}

    colours = {
        "color": np.arange(length),
        "colorscale": scale_of(palette_of(ENCODER).ramp[1:]),
        "cmin": 0,
        "cmax": max(1, length - 1),
    }
    bar = _bar(say("positions-position"), tickvals=whole_numbers(length, _AXIS_ROOM))
    plot = go.Figure()
    plot.add_scatter3d(
        **at(slice(None)),
        mode="lines+markers",
        line={"width": 5, **colours},
        marker={"size": 2, **colours, "showscale": True, "colorbar": bar},
    )
    if labels:
        marker = {"size": 3.5, "color": ink()}
        plot.add_scatter3d(**at(slice(len(labels))), mode="markers", marker=marker)
    if chosen is not None:
        plot.add_scatter3d(**at(slice(chosen, chosen + 1)), **_chosen_mark())
    reach = 1.08 * float(np.nanmax(np.abs(points), initial=0)) or 1.0
    named = _named(points[: len(labels)], 2 * reach * _NAMES_APART)
    shares = [percent(float(share)) for share in projection.shares]
    axes = {
        f"{axis}axis": {
            "title": {"text": say("positions-component-axis", name=name, share=share)},
            "range": [-reach, reach],
            "nticks": 6,
        }
        for axis, name, share in zip("xyz", names, shares, strict=True)
    }
    return _in_space(
        plot,
        **axes,
        aspectmode="cube",
        camera={"eye": {"x": 1.75, "y": 1.7, "z": 1.1}, "center": {"x": 0.08, "y": 0, "z": -0.1}},
        annotations=[
            _note(labels[i], dict(zip("xyz", map(float, points[i]), strict=True)), yshift=11)
            for i in named
        ],
    )


def _in_space(plot: Plot, **scene: Any) -> Plot:
    margin = {"l": 0, "r": 0, "t": 0, "b": _BAR_ROOM}
    styled(plot, height=_HEIGHT, margin=margin, showlegend=False)
    return plot.update_layout(scene=scene)


def _labels(tokens: Sequence[str], length: int) -> list[str]:
    return [harmless(label) for label in distinct_labels(tokens)[:length]]


def _halves(d_model: int) -> list[np.ndarray]:
    """Even and odd dimensions, or all together where a half would be no surface."""
    every = np.arange(d_model)
    return [every[0::2], every[1::2]] if d_model >= LEAST_HALVED else [every]


def _names(numbers: Sequence[int] | np.ndarray) -> list[str]:
    return [str(int(each)) for each in numbers]


def _categories(names: list[str]) -> dict[str, Any]:
    """An axis of names: what has one tells it to the pointer, in whatever order they stand."""
    return {"type": "category", "categoryorder": "array", "categoryarray": names}


def _lines(*named: tuple[str, object]) -> str:
    """What the pointer tells, a line each."""
    return "<br>".join(f"{name}: {value}" for name, value in named)


def _bar(title: str, **ticks: Any) -> dict[str, Any]:
    """A colour bar under the scene, which has room there on every screen."""
    where = {"orientation": "h", "thickness": 10, "len": 0.6, "x": 0.5, "y": 0, "yanchor": "top"}
    return {"title": {"text": title, "side": "top"}, "outlinewidth": 0, **where, **ticks}


def _chosen_mark() -> dict[str, Any]:
    return {"mode": "markers", "marker": {"size": 5.5, "color": SELECTION}}


def _frame(n_rows: int, n_columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of the cells around the first rows, one after another."""
    rows, columns = np.arange(n_rows), np.arange(n_columns)
    first, last = np.zeros(n_columns, int), np.full(n_columns, n_rows - 1)
    left, right = np.zeros(n_rows, int), np.full(n_rows, n_columns - 1)
    return (
        np.concatenate((first, rows, last, rows[::-1])),
        np.concatenate((columns, right, columns[::-1], left)),
    )


def _named(points: np.ndarray, apart: float) -> list[int]:
    """The points that have room for a name: the first, and what is so far from all of those."""
    found: list[int] = []
    for place, point in enumerate(points):
        away = np.linalg.norm(points[found] - point, axis=1)
        if np.isfinite(point).all() and len(found) < MOST_NAMED and (away >= apart).all():
            found.append(place)
    return found


def _sentence_rows(positions: Sequence[str], left: int, floor: float) -> list[dict[str, Any]]:
    """Positions and tokens beside the axis, which they head with its title."""
    rows = [*positions, f"<b>{say('positions-position')}</b>"]
    return [
        _note(row, {"x": str(left), "y": place, "z": floor}, xanchor="right", xshift=-8)
        for place, row in enumerate(rows)
    ]


def _finite(value: float) -> float:
    return float(np.nan_to_num(value))


def _note(text: str, at: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Words in the scene: over it, not in it, because what WebGL writes knows no entities."""
    return {"text": text, **at, "showarrow": False, "font": {"size": 11, "color": ink()}, **more}
