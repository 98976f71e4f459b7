"""The states of tokens on their way through a stack, as paths that one turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.tokens import distinct_labels, numbered_labels, token_labels
from core.trajectories import Trajectories, states_of
from words.numbers import fixed, percent

from .block import state_names
from .look import say
from .plots import path, plot, points, scene
from .theme import GREY, ground, ink

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

MOST_NAMED = 40
"""Where there are more paths, only the chosen one has its name in the picture."""
# By what a state is the output of: the sign and its size, smaller where there are many paths.
_SIGNS = {"input": ("diamond", 4.0), "sublayer": ("circle", 2.0), "layer": ("circle", 4.5)}
_MANY, _SMALL = 24, 0.6


def token_paths(
    paths: Trajectories,
    tokens: Sequence[str],
    *,
    written: Sequence[str] = (),
    chosen: int | None = None,
) -> Plot:
    """A path for each token, from the input of the stack to its last sub-layer.

    All axes have one scale, so that lengths can be compared in every direction. The hue follows the
    position, a name stands where a path begins, of the chosen one also where it ends, and the hover
    tells norm and cosine. `tokens`: T tokens whose embeddings go in; ValueError if there are not T
    paths. `written`: of a decoder the T tokens that it writes at these positions. `chosen`: the
    path to show; the others are pale. All are shown where it is None.
    """
    n = paths.norms.shape[1]
    if len(tokens) != n or len(written) not in (0, n):
        raise ValueError(f"{len(tokens)} tokens, {len(written)} written, for {n} paths")
    colours = np.array(_colours(n, chosen))
    titles = [
        say("block-path-axis", n=i + 1, share=percent(share, 0))
        for i, share in enumerate(paths.shares)
    ]
    space = scene(titles, (1.45, 1.5, 0.7), (0, 0, -0.12), nticks=5, showspikes=False)
    figure = plot(520, legend={"yanchor": "top", "y": 1, "font": {"size": 12}}, scene=space)
    is_chosen = np.arange(n) == chosen
    for which, width in ((~is_chosen, 3), (is_chosen, 7)):
        if which.any():
            # Between two paths is a point that is no number.
            ends = [(0, 1), (0, 0), (0, 0)]
            lines = np.pad(paths.coordinates[:, which], ends, constant_values=np.nan)
            figure.add_trace(path(lines.T.reshape(3, -1), colours[which].repeat(len(lines)), width))
    names = numbered_labels(tokens)
    if written:
        names = list(map("{} → {}".format, names, token_labels(written)))
    figure.add_traces(_signs(paths, colours, names))
    first, last = np.array(distinct_labels(tokens)), np.array(token_labels(written or tokens))
    for state, labels, named in ((0, first, is_chosen | (n <= MOST_NAMED)), (-1, last, is_chosen)):
        if named.any():
            # A name needs more contrast than a path.
            font = {"color": [_mixed(colour, ink(), 0.4) for colour in colours[named]], "size": 13}
            above = {"mode": "text", "textposition": "top center", "textfont": font}
            figure.add_trace(points(paths.coordinates[state, named].T, text=labels[named], **above))
    return figure


def _colours(n: int, chosen: int | None) -> list[str]:
    """A hue for each position, of one luminance on light and on dark pages; pale if not chosen."""
    # Not the whole ring of hues, so that the last token has not that of the first.
    return [
        colour if chosen in (None, token) else _mixed(colour, ground(), 0.75)
        for token, colour in enumerate(_sampled("phase", np.linspace(0, 0.86, n)))
    ]


def _mixed(colour: str, other: str, share: float) -> str:
    return _sampled([colour, other], [share])[0]


def _sampled(scale: str | list[str], shares: Sequence[float] | np.ndarray) -> list[str]:
    from plotly.colors import sample_colorscale

    colours = sample_colorscale(scale, shares, colortype="tuple")
    return ["#" + "".join(f"{round(255 * part):02x}" for part in colour) for colour in colours]


def _signs(paths: Trajectories, colours: np.ndarray, names: Sequence[str]) -> list:
    """The states, a trace for each kind, and its sign for the legend, which has no hue."""
    labels = np.array(state_names(paths.places), dtype=object)
    traces = []
    for output, states in states_of(paths.places).items():
        symbol, size = _SIGNS[output]
        hover = (
            ("", list(names) * len(states)),
            ("", labels[states].repeat(len(names))),
            ("block-path-norm", _numbers(paths.norms[states])),
            ("block-path-cosine", _numbers(paths.cosines[states])),
        )
        size *= 1 if len(names) <= _MANY else _SMALL
        shared = {"name": say(f"block-path-{output}"), "legendgroup": output}
        own = {"symbol": symbol, "size": size, "color": np.tile(colours, len(states))}
        sign = {"symbol": symbol, "size": 2 * size, "color": GREY}
        at = paths.coordinates[states].reshape(-1, 3).T
        traces.append(points(at, hover, marker=own, **shared))
        traces.append(points([[None]] * 3, marker=sign, showlegend=True, **shared))
    return traces


def _numbers(values: np.ndarray) -> list[str]:
    return [fixed(value) if np.isfinite(value) else "–" for value in values.flat]
