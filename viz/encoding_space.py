"""Figures of the encoding of positions in space: a surface, and a curve of principal components."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from core.positions import far_apart, frame_around, halves, numbered_positions, round_steps
from core.principal import Projection
from core.records.attention import ENCODER
from core.records.tokens import distinct_labels
from words.numbers import fixed, percent

from .plots import At, corner, harmless, path, plot, points, scale_of, scene, tips
from .style import say
from .theme import SELECTION, diverging_ramp, ground, ink, palette_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

MOST_NAMED = 24
"""Tokens named in a picture; the pointer names all of them."""
_MOST_TICKS = 6  # on a narrow screen
_MOST_ROWS = 16  # positions that have their tokens beside the surface
_CHOSEN = {"size": 5.5, "color": SELECTION}
_LIGHT = {"ambient": 0.75, "diffuse": 0.5, "specular": 0.05, "roughness": 0.9}


def encoding_surface(
    values: np.ndarray, *, tokens: Sequence[str] = (), chosen: tuple[int, int] | None = None
) -> Plot:
    """Draw the encoding as a surface over dimension and position, its height and colour the value.

    Even dimensions stand left, odd ones right of them: as neighbours, sines and cosines would make
    a comb of it.

    Parameters
    ----------
    values : ndarray of shape (L, d_model)
        Two or more of both, else ValueError; the surface has a hole where a value is not finite.
    tokens : sequence of str
        The sentence, from position 0 on, to be framed; tokens beyond L are left out.
    chosen : (position, dimension), optional
        Value to mark.
    """
    if min(values.shape) < 2:
        raise ValueError(f"expected 2 positions and 2 dimensions or more, found {values.shape}")
    labels = distinct_labels(tokens)[: len(values)]
    surface = _Surface(values, labels)
    across, along, up = _surface_titles()
    hover = [(along, "%{y}"), (across, "%{x}"), (up, "%{z:+.4f}")]
    figure = _empty_figure()
    for half in surface.parts:
        figure.add_surface(
            x=surface.dimensions[half],
            y=surface.positions,
            z=surface.values[:, half],
            showscale=half is surface.parts[0],
            **_surface_look(surface.most, up),
            **tips(*hover),
        )
        if labels:
            rows, columns = frame_around(len(labels), len(half))
            figure.add_trace(path(surface.at(rows, half[columns]), ink(), 4))
    if chosen is not None:
        figure.add_trace(points(surface.at(*([i] for i in chosen)), hover, marker=_CHOSEN))
    return figure.update_layout(scene=_surface_scene(surface, len(labels)))


class _Surface:
    """Encoding over its dimensions and positions, whose first ones `labels` name."""

    def __init__(self, values: np.ndarray, labels: Sequence[str]) -> None:
        length, d_model = values.shape
        self.values = values.astype(np.float32)
        names = [harmless(name) for name in numbered_positions(labels, length)]
        self.positions = np.array(names, dtype=object)
        self.dimensions = np.arange(d_model).astype(str)
        self.parts = halves(d_model)
        # `or 1.0`: a scale from 0 to 0 would have no colours.
        self.most = float(np.abs(self.values[np.isfinite(self.values)]).max(initial=0)) or 1.0

    def at(self, rows: Any, columns: Any) -> At:
        """Return the coordinates of these positions and dimensions."""
        return self.dimensions[columns], self.positions[rows], self.values[rows, columns]


def _empty_figure() -> Plot:
    """Return a figure without margins; below is room for the colour bar."""
    return plot(420, margin={"l": 0, "r": 0, "t": 0, "b": 62})


def _surface_look(most: float, title: str) -> dict[str, Any]:
    """Return the colours and light of a surface of values from `-most` to `most`."""
    return {
        "cmin": -most,
        "cmax": most,
        "colorscale": scale_of(diverging_ramp()),
        "lighting": _LIGHT,
        "colorbar": _bar(title),
    }


def _surface_titles() -> tuple[str, str, str]:
    """Return the titles of the axes of a surface: dimension, position and value."""
    return say("positions-dimension"), say("positions-position"), say("positions-value")


def _surface_scene(surface: _Surface, n_tokens: int) -> dict[str, Any]:
    """Return the space of a surface, whose first `n_tokens` positions are a sentence."""
    across, along, up = _surface_titles()
    parts = surface.parts
    by_name = n_tokens > 0 and len(surface.positions) <= _MOST_ROWS
    # WebGL draws ticks, too: leave out those with an entity; the pointer names them.
    spread = round_steps(len(surface.positions), _MOST_TICKS)
    named = [name for name in surface.positions[spread] if "&" not in name]
    ticks = [half[round_steps(len(half), _MOST_TICKS // len(parts))] for half in parts]
    titles = across, "" if by_name else along, up
    space = scene(titles, eye=(-1.05, -2.1, 1.6), center=(-0.1, 0, -0.18), aspect="manual")
    # Categories that an axis does not list are placed in drawing order.
    order = {"type": "category", "categoryorder": "array"}
    space["xaxis"] |= {
        **order,
        "categoryarray": surface.dimensions[np.concatenate(parts)],
        "tickvals": surface.dimensions[np.concatenate(ticks)],
    }
    space["yaxis"] |= {
        **order,
        "categoryarray": surface.positions,
        "tickvals": named,
        "showticklabels": not by_name,
    }
    space["zaxis"] |= {"range": [-surface.most, surface.most], "nticks": 3}
    # Names are annotations over the scene: text drawn by WebGL knows no HTML entities.
    if by_name:
        space["annotations"] = _row_names([*surface.positions, f"<b>{along}</b>"], surface.most)
    elif n_tokens:
        space["annotations"] = [_sentence_name(n_tokens, surface.at(n_tokens - 1, parts[-1][-1]))]
    # Flat, because values from -1 to 1 would otherwise make the surface a wall.
    return space | {"aspectratio": corner((1.15, 1.5, 0.42))}


def _row_names(names: Sequence[str], most: float) -> list[dict[str, Any]]:
    """Return annotations that name positions beside their axis, the last one its title."""
    return [
        {"text": name, **corner(("0", number, -most)), "xanchor": "right", "xshift": -8}
        for number, name in enumerate(names)
    ]


def _sentence_name(n: int, at: At) -> dict[str, Any]:
    """Return an annotation that names a sentence of `n` tokens as a whole, at its last corner."""
    *end, height = at
    return {
        "text": say("positions-this-sentence", n=n),
        **corner((*end, float(np.nan_to_num(height)))),
        "xanchor": "right",
        "yshift": -16,
        "bgcolor": ground(),
    }


def encoding_curve(
    projection: Projection, *, tokens: Sequence[str] = (), chosen: int | None = None
) -> Plot:
    """Draw the encodings in their first three principal components, in the order of positions.

    All axes have one scale, so that lengths can be compared in every direction. The curve has a gap
    at a position without coordinates. The sentence of `tokens`, from position 0 on, is marked and,
    if there is room, named; `chosen` is a position to mark.
    """
    at = projection.coordinates.T
    length = at.shape[1]
    labels = distinct_labels(tokens)[:length]
    names = [say("positions-component-n", n=i) for i in range(1, len(at) + 1)]
    hover = {"positions-position": numbered_positions(labels, length)}
    hover |= {name: [fixed(x, 3) for x in axis] for name, axis in zip(names, at, strict=True)}

    def some(span: slice, **look: Any) -> Any:
        return points(at[:, span], [(title, texts[span]) for title, texts in hover.items()], **look)

    # A margin of 8 % keeps labels of outer points inside the cube.
    reach = 1.08 * float(np.nanmax(np.abs(at), initial=0)) or 1.0
    space = _curve_scene(names, projection.shares, reach)
    space["annotations"] = [
        {"text": harmless(labels[i]), **corner(at[:, i]), "yshift": 11}
        for i in far_apart(at.T[: len(labels)], 0.24 * reach, MOST_NAMED)
    ]
    colours = {"color": np.arange(length), "cmin": 0, "cmax": max(1, length - 1)}
    colours |= {"colorscale": scale_of(palette_of(ENCODER).ramp[1:])}
    bar = _bar(say("positions-position"), tickvals=round_steps(length, _MOST_TICKS))
    marker = {"size": 2, **colours, "showscale": True, "colorbar": bar}
    line = some(slice(None), mode="lines+markers", line={"width": 5, **colours}, marker=marker)
    figure = _empty_figure().update_layout(scene=space).add_trace(line)
    if labels:
        figure.add_trace(some(slice(len(labels)), marker={"size": 3.5, "color": ink()}))
    if chosen is not None:
        figure.add_trace(some(slice(chosen, chosen + 1), marker=_CHOSEN))
    return figure


def _curve_scene(names: Sequence[str], shares: np.ndarray, reach: float) -> dict[str, Any]:
    """Return the space of components with their shares, its axes from `-reach` to `reach`."""
    titles = [
        say("positions-component-axis", name=name, share=percent(share))
        for name, share in zip(names, shares, strict=True)
    ]
    return scene(
        titles,
        eye=(1.75, 1.7, 1.1),
        center=(0.08, 0, -0.1),
        aspect="cube",
        range=[-reach, reach],
        nticks=6,
    )


def _bar(title: str, **ticks: Any) -> dict[str, Any]:
    """Return a colour bar under the scene, where every screen has room for it."""
    where = {"orientation": "h", "thickness": 10, "len": 0.6, "x": 0.5, "y": 0, "yanchor": "top"}
    return {"title": {"text": title, "side": "top"}, "outlinewidth": 0, **where, **ticks}
