"""The states of tokens on their way through a stack, as paths that one turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from analysis.labels import distinct_labels, numbered_labels, token_labels
from analysis.trajectories import Trajectories, states_of
from words.numbers import fixed, percent

from .block import state_names
from .look import say
from .plots import path, plot, points, scene
from .theme import GREY, ground, ink, rgb_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

HEIGHT = 420
MOST_NAMED = 40
"""Where there are more paths, only the chosen one has its name in the picture."""
# By what a state is the output of: the sign and its size, smaller where there are many paths.
_SIGNS = {"input": ("diamond", 4.0), "sublayer": ("circle", 2.0), "layer": ("circle", 4.5)}
_MANY, _SMALL = 24, 0.6


def token_paths(
    found: Trajectories,
    tokens: Sequence[str],
    *,
    written: Sequence[str] = (),
    chosen: int | None = None,
) -> Plot:
    """A path for each token, from the input of the stack to its last sub-layer.

    All axes have one scale, so that lengths can be compared in every direction. The hue follows
    the position, a name stands where a path begins, of the chosen one also where it ends, and the
    hover tells norm and cosine.

    Parameters
    ----------
    tokens : T tokens whose embeddings go in; ValueError if there are not T paths.
    written : of a decoder the T tokens that it writes at these positions.
    chosen : the path to show; the others are pale. All are shown where it is None.
    """
    n = found.norms.shape[1]
    if len(tokens) != n or len(written) not in (0, n):
        raise ValueError(f"{len(tokens)} tokens, {len(written)} written, for {n} paths")
    colours = np.array(_colours(n, chosen))
    titles = [
        say("block-path-axis", n=i + 1, share=percent(share, 0))
        for i, share in enumerate(found.shares)
    ]
    space = scene(titles, (1.45, 1.5, 0.7), (0, 0, -0.12), nticks=5, showspikes=False)
    figure = plot(HEIGHT, legend={"yanchor": "top", "y": 1, "font": {"size": 12}}, scene=space)
    is_chosen = np.arange(n) == chosen
    for which, width in ((~is_chosen, 3), (is_chosen, 7)):
        if which.any():
            # Between two paths is a point that is no number.
            lines = np.full((3, which.sum(), len(found.norms) + 1), np.nan)
            lines[..., :-1] = found.coordinates[:, which].transpose(2, 1, 0)
            shades = np.repeat(colours[which], lines.shape[-1])
            figure.add_trace(path(lines.reshape(3, -1), shades, width))
    names = numbered_labels(tokens)
    if written:
        pairs = zip(names, token_labels(written), strict=True)
        names = [f"{first} → {second}" for first, second in pairs]
    figure.add_traces(_signs(found, colours, names))
    begins = np.array(distinct_labels(tokens), dtype=object)
    if n > MOST_NAMED:
        begins[~is_chosen] = ""
    texts = [(found.coordinates[0], begins, colours)]
    if chosen is not None:
        end = token_labels([(written or tokens)[chosen]])
        texts.append((found.coordinates[-1, is_chosen], end, colours[is_chosen]))
    for at, labels, own in texts:
        # A name needs more contrast than a path.
        font = {"color": [_mixed(colour, ink(), 0.4) for colour in own], "size": 13}
        above = {"mode": "text", "textposition": "top center", "textfont": font}
        figure.add_trace(points(at.T, text=labels, **above))
    return figure


def _colours(n: int, chosen: int | None) -> list[str]:
    """A hue for each position, of one luminance on light and on dark pages; pale if not chosen."""
    from plotly.colors import cyclical, sample_colorscale

    # Not the whole ring of hues, so that the last token has not that of the first.
    places = np.arange(n) / max(n - 1, 1) * 0.86
    full = map(_hex, sample_colorscale(cyclical.Phase, places, colortype="tuple"))
    return [
        colour if chosen in (None, token) else _mixed(colour, ground(), 0.75)
        for token, colour in enumerate(full)
    ]


def _signs(found: Trajectories, colours: np.ndarray, names: Sequence[str]) -> list:
    """The states, a trace for each kind, and its sign for the legend, which has no hue."""
    places = np.array(state_names(found.places), dtype=object)
    traces = []
    for kind, states in states_of(found.places).items():
        symbol, size = _SIGNS[kind]
        told = (
            ("", list(names) * len(states)),
            ("", places[states].repeat(len(names))),
            ("block-path-norm", _numbers(found.norms[states])),
            ("block-path-cosine", _numbers(found.cosines[states])),
        )
        size *= 1 if len(names) <= _MANY else _SMALL
        shared = {"name": say(f"block-path-{kind}"), "legendgroup": kind}
        marker = {"symbol": symbol, "opacity": 1, "line": {"width": 0}}
        own = {**marker, "size": size, "color": np.tile(colours, len(states)).tolist()}
        sign = {**marker, "size": 2 * size, "color": GREY}
        at = found.coordinates[states].reshape(-1, 3).T
        traces.append(points(at, told, marker=own, **shared))
        traces.append(points([[None]] * 3, marker=sign, showlegend=True, **shared))
    return traces


def _numbers(values: np.ndarray) -> list[str]:
    return [fixed(value) if np.isfinite(value) else "–" for value in values.flat]


def _mixed(colour: str, other: str, share: float) -> str:
    """A colour with a share of another in it."""
    pairs = zip(rgb_of(colour), rgb_of(other), strict=True)
    return _hex([((1 - share) * a + share * b) / 255 for a, b in pairs])


def _hex(parts: Sequence[float]) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)
