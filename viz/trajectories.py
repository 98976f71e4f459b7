"""The states of tokens on their way through a stack, as paths that one turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.trajectories import Trajectories, layer_ends
from words.numbers import fixed, percent

from .block import sublayer_names
from .labels import distinct_labels, numbered_labels, token_labels
from .look import say
from .plots import harmless, harmless_in_space, styled
from .theme import GREY, ground, ink, rgb_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

HEIGHT = 420
MOST_NAMED = 40
"""Where there are more paths, only the chosen one has its name in the picture."""
_MANY, _SMALL = 24, 0.6  # from how many paths on the signs are smaller, and by what factor
_PALE = 0.75  # of the ground in the colour of a path that is not chosen
_INKED = 0.4  # of the ink in the colour of a name, which needs more contrast than a path
_RING = 0.86  # of the ring of hues, so that the last token has not that of the first
# By what a state is the output of: the sign and its size.
_SIGNS = {"input": ("diamond", 4.0), "sublayer": ("circle", 2.0), "layer": ("circle", 4.5)}


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
    found : of `analysis.trajectories.trajectories`.
    tokens : T tokens whose embeddings go in.
    written : of a decoder the T tokens that it writes at these positions.
    chosen : the path to show; the others are pale. All are shown where it is None.

    Raises
    ------
    ValueError : as many tokens as there are no paths.
    """
    import plotly.graph_objects as go

    n_tokens = found.norms.shape[1]
    if len(tokens) != n_tokens or (written and len(written) != n_tokens):
        raise ValueError(f"{len(tokens)} tokens, {len(written)} written, for {n_tokens} paths")
    colours = _colours(n_tokens, chosen)
    plot = go.Figure()
    others = [token for token in range(n_tokens) if token != chosen]
    for which, width in ((others, 3), ([chosen], 7)):
        if which and which != [None]:
            plot.add_trace(_lines(found, which, colours, width))
    told = _told(found, tokens, written)
    for kind, states in _states_of(found).items():
        if len(states):
            plot.add_traces(_signs(kind, states, found, colours, told))
    plot.add_trace(_names(found.coordinates[0], tokens, colours, chosen))
    if chosen is not None:
        there = found.coordinates[-1, [chosen]]
        plot.add_trace(_names(there, [(written or tokens)[chosen]], [colours[chosen]], 0))
    axes = {
        f"{axis}axis": {
            "title": {
                "text": say("block-path-axis", n=i + 1, share=percent(share, 0)),
                "font": {"size": 12},
            },
            "nticks": 5,
            "showspikes": False,
            "tickfont": {"size": 11},
        }
        for i, (axis, share) in enumerate(zip("xyz", found.shares, strict=True))
    }
    look = {"eye": {"x": 1.45, "y": 1.5, "z": 0.7}, "center": {"x": 0, "y": 0, "z": -0.12}}
    return styled(
        plot,
        height=HEIGHT,
        legend={"yanchor": "top", "y": 1, "font": {"size": 12}},
        scene={**axes, "aspectmode": "data", "camera": look},
    )


def _colours(n: int, chosen: int | None) -> list[str]:
    """A hue for each position, of one luminance on light and on dark pages; pale if not chosen."""
    from plotly.colors import cyclical, sample_colorscale

    places = np.arange(n) / max(n - 1, 1) * _RING
    ring = sample_colorscale(cyclical.Phase, places, colortype="tuple")
    full = ["#" + "".join(f"{round(255 * part):02x}" for part in colour) for colour in ring]
    return [
        colour if chosen in (None, token) else _mixed(colour, ground(), _PALE)
        for token, colour in enumerate(full)
    ]


def _lines(found: Trajectories, which: list[int], colours: list[str], width: int) -> Any:
    """The paths of some tokens as one trace: between two of them is a point that is no number."""
    import plotly.graph_objects as go

    points = np.full((len(which), len(found.norms) + 1, 3), np.nan)
    points[:, :-1] = found.coordinates[:, which].transpose(1, 0, 2)
    x, y, z = points.reshape(-1, 3).T
    shades = np.repeat([colours[token] for token in which], points.shape[1])
    line = {"color": shades, "width": width}
    return go.Scatter3d(
        x=x, y=y, z=z, mode="lines", line=line, hoverinfo="skip", showlegend=False
    )  # fmt: skip


def _states_of(found: Trajectories) -> dict[str, np.ndarray]:
    """The places of the states by what they are the output of, as in `_SIGNS`."""
    ends = layer_ends(found.places)
    within = ~ends
    within[0] = False
    return {
        "input": np.array([0]),
        "sublayer": np.flatnonzero(within),
        "layer": np.flatnonzero(ends),
    }


def _told(found: Trajectories, tokens: Sequence[str], written: Sequence[str]) -> np.ndarray:
    """What the hover tells of each state (R, T, 4): token, sub-layer, norm, cosine."""
    names = numbered_labels(tokens)
    if written:
        pairs = zip(names, token_labels(written), strict=True)
        names = [f"{first} → {second}" for first, second in pairs]
    places = [say("block-input"), *sublayer_names(found.places)]
    return np.array(
        [
            [
                (harmless(name), harmless(place), _number(norm), _number(cosine))
                for name, norm, cosine in zip(names, norms, cosines, strict=True)
            ]
            for place, norms, cosines in zip(places, found.norms, found.cosines, strict=True)
        ],
        dtype=object,
    )


def _number(value: float) -> str:
    return fixed(value) if np.isfinite(value) else "–"


def _signs(
    kind: str, states: np.ndarray, found: Trajectories, colours: list[str], told: np.ndarray
) -> list[Any]:
    """The states of one kind as a trace, and its sign for the legend, which has no hue."""
    import plotly.graph_objects as go

    symbol, size = _SIGNS[kind]
    size *= 1 if len(colours) <= _MANY else _SMALL
    x, y, z = found.coordinates[states].reshape(-1, 3).T
    lines = (
        "<b>%{customdata[0]}</b>",
        "%{customdata[1]}",
        say("block-path-norm") + ": %{customdata[2]}",
        say("block-path-cosine") + ": %{customdata[3]}",
    )
    shared = {"mode": "markers", "name": say(f"block-path-{kind}"), "legendgroup": kind}
    marker = {"symbol": symbol, "opacity": 1, "line": {"width": 0}}
    return [
        go.Scatter3d(
            x=x,
            y=y,
            z=z,
            marker={**marker, "size": size, "color": colours * len(states)},
            customdata=told[states].reshape(-1, told.shape[-1]),
            hovertemplate="<br>".join(lines) + "<extra></extra>",
            showlegend=False,
            **shared,
        ),
        go.Scatter3d(
            x=[None],
            y=[None],
            z=[None],
            marker={**marker, "size": 2 * size, "color": GREY},
            hoverinfo="skip",
            **shared,
        ),
    ]


def _names(
    points: np.ndarray, tokens: Sequence[str], colours: list[str], chosen: int | None
) -> Any:
    """The names of tokens at points (T, 3); of very many only that of the chosen one."""
    import plotly.graph_objects as go

    labels = [harmless_in_space(label) for label in distinct_labels(tokens)]
    if len(labels) > MOST_NAMED:
        labels = [label if token == chosen else "" for token, label in enumerate(labels)]
    inks = [_mixed(colour, ink(), _INKED) for colour in colours]
    x, y, z = points.T
    return go.Scatter3d(
        x=x,
        y=y,
        z=z,
        mode="text",
        text=labels,
        textposition="top center",
        textfont={"color": inks, "size": 13},
        hoverinfo="skip",
        showlegend=False,
    )


def _mixed(colour: str, other: str, share: float) -> str:
    """A colour with a share of another in it."""
    pairs = zip(rgb_of(colour), rgb_of(other), strict=True)
    return "#" + "".join(f"{round((1 - share) * a + share * b):02x}" for a, b in pairs)
