"""Two orders of the same words: tokens by layer, vectors, and how equal two outputs are."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
import pandas as pd

from records import ENCODER, Equivariance

from .chart import (
    OWN_INK,
    Part,
    colour_bar,
    draw,
    field,
    layered,
    mark,
    places,
    text,
    told,
    value,
    whole,
)
from .figure import Figure
from .labels import MOST_ROOM, distinct_labels, label_room, numbered_labels, text_width
from .look import say
from .theme import INK, SELECTION, diverging_ramp, ink_on, palette_of

Measure = Literal["distance", "cosine"]

MEASURES: tuple[Measure, ...] = ("distance", "cosine")
_LAYER = 44  # pixels of a column of layers
_LAYER_ROW = 21
_MOST_NUMBERED = 30  # tokens; beyond, the cells are too many for numbers
_STRIP, _STRIP_ROW = 11, 24
_TINY = 1e-18
_BARE = {"ticks": False, "domain": False}


def layer_table(
    panels: Mapping[str, np.ndarray], tokens: Sequence[str], measure: Measure
) -> pd.DataFrame:
    """One line for each panel, layer and token.

    Parameters
    ----------
    panels : for each title an array (L + 1, T), layer 0 the embedding.

    Returns
    -------
    DataFrame with the columns panel, layer, t (from 0), token (label with its position from 1),
    value and text (the number as it stands in its cell).

    Raises
    ------
    ValueError : no panels, or a panel that is not (L + 1, T).
    """
    shapes = {values.shape for values in panels.values()}
    if len(shapes) != 1 or next(iter(shapes))[1:] != (len(tokens),):
        raise ValueError(f"expected panels of (L + 1, {len(tokens)}), found {sorted(shapes)}")
    labels = np.array(numbered_labels(tokens), dtype=object)
    lines = []
    for place, values in enumerate(panels.values()):
        layers, rows = (axis.ravel() for axis in np.indices(values.shape))
        lines.append(
            pd.DataFrame(
                {
                    "panel": np.full(len(rows), place, np.int16),
                    "layer": layers.astype(np.int16),
                    "t": rows.astype(np.int16),
                    "token": labels[rows],
                    "value": values.ravel().astype(np.float64),
                    "text": [_cell_text(value, measure) for value in values.ravel()],
                }
            )
        )
    return pd.concat(lines, ignore_index=True)


def _cell_text(value: float, measure: Measure) -> str:
    """Short enough for a cell; a small distance is not called nothing."""
    if value == 0 or abs(value) >= 0.005:
        return f"{value:.2f}"
    return f"{value:.2f}" if measure == "cosine" else f"{value:.0e}".replace("e-0", "e-")


def layer_panels(
    panels: Mapping[str, np.ndarray], tokens: Sequence[str], *, measure: Measure = "distance"
) -> Figure:
    """Tokens by layers, one matrix a title beside each other, on one scale of colours.

    Strong colours mean far apart: large distances, small cosines. The other arguments and errors
    are those of `layer_table`.
    """
    cells = layer_table(panels, tokens, measure)
    n_layers = int(cells["layer"].max()) + 1
    low, high = float(cells["value"].min()), float(cells["value"].max())
    domain = (0.0, max(high, 1e-6)) if measure == "distance" else (min(low, 0.9), 1.0)
    labels = distinct_labels(tokens)
    rows = pd.DataFrame({"t": np.arange(len(tokens), dtype=np.int16), "label": labels})
    room = label_room(labels, _LAYER_ROW)
    ramp = palette_of(ENCODER).ramp[:: 1 if measure == "distance" else -1]
    cells["ink"] = ink_on(ramp, (cells["value"] - domain[0]) / (domain[1] - domain[0]))
    what = say(f"order_measure-{measure}")
    embedding = json.dumps(say("positions-embedding-short"))
    x = field(
        "layer:O",
        title=say("positions-layer"),
        scale=places(n_layers),
        axis={
            "orient": "top",
            "labelAngle": 0,
            "labelExpr": f"datum.value == 0 ? {embedding} : datum.label",
            "labelPadding": 4,
            "titlePadding": 4,
            **_BARE,
        },
    )
    y = field(
        "t:O",
        title=say("positions-token"),
        scale=places(len(tokens)),
        axis={"labels": False, "titlePadding": room + 18, **_BARE},
    )
    colour = _colour(ramp, domain, what, 4)
    colour["legend"]["format"] = ".2f" if measure == "cosine" else ".2~f"
    tooltip = told(
        ("token:N", say("positions-token")),
        ("layer:Q", say("positions-layer-from-embedding")),
        ("value:Q", what, ".3~g"),
    )
    drawn = []
    for place, title in enumerate(panels):
        only = {"where": f"datum.panel === {place}", "x": x, "y": y}
        layers = [
            draw("cells", mark("rect"), color=colour, tooltip=tooltip, **only),
            _row_names(y, 13.0, MOST_ROOM),
        ]
        if len(tokens) <= _MOST_NUMBERED:
            numbers = text(fontSize=10)
            layers.append(draw("cells", numbers, text="text:N", **OWN_INK, **only))
        size = {"width": n_layers * _LAYER, "height": len(tokens) * _LAYER_ROW}
        head = {"text": title, "anchor": "start", "fontSize": 12}
        drawn.append(layered(*layers, title=head, **size))
    shared = {"scale": {"color": "shared"}}
    chart = whole({"hconcat": drawn, "spacing": 16}, right=24, resolve=shared, autosize="pad")
    width = len(panels) * (n_layers * _LAYER + room + 16) + 30
    return Figure(chart, {"cells": cells, "rows": rows}, "", width=round(width))


def _colour(ramp: Sequence[str], domain: tuple[float, float], title: str, n_ticks: int) -> Part:
    """Values on a ramp, exactly from one end of the domain to the other."""
    exact = {"clamp": True, "nice": False, "zero": False, "interpolate": "lab"}
    bar = colour_bar([], ".2~f", tickCount=n_ticks, offset=8, titleLimit=260)
    del bar["values"]
    scale = {"domain": list(domain), "range": list(ramp), **exact}
    return field("value:Q", title=title, scale=scale, legend=bar)


def _row_names(y: Part, size: float, room: float) -> Part:
    words = text(align="right", fontSize=size, limit=room)
    return draw("rows", words, x=value(-6), y=y, text="label:N")


def vector_strips(rows: Mapping[str, np.ndarray]) -> Figure:
    """Vectors as strips of colour, one below the other, purple below 0 and green above.

    Parameters
    ----------
    rows : for each name a vector; all of the same length.

    Raises
    ------
    ValueError : no vectors, or vectors of different lengths.
    """
    lengths = {len(vector) for vector in rows.values()}
    if len(lengths) != 1:
        raise ValueError(f"expected vectors of one length, found {sorted(lengths)}")
    n = lengths.pop()
    values = np.stack([np.asarray(vector, np.float64) for vector in rows.values()])
    at, dims = (axis.ravel() for axis in np.indices(values.shape))
    names = list(rows)
    cells = pd.DataFrame(
        {
            "r": at.astype(np.int16),
            "dimension": (dims + 1).astype(np.int16),
            "name": [names[place] for place in at],
            "value": values.ravel(),
        }
    )
    labels = pd.DataFrame({"r": np.arange(len(names), dtype=np.int16), "label": names})
    limit = max(float(np.abs(values).max()), 1e-6)
    room = max(text_width(name, 12.0) for name in names)
    x = field(
        "dimension:O",
        title=say("positions-axis-numbers"),
        scale={"domain": list(range(1, n + 1)), "paddingInner": 0.0, "paddingOuter": 0.0},
        axis={"labelAngle": 0, "values": [1, *range(8, n + 1, 8)], "grid": False, **_BARE},
    )
    y = field(
        "r:O", title=None, scale=places(len(names), 0.22, None), axis={"labels": False, **_BARE}
    )
    tooltip = told(
        ("name:N", say("positions-vector")),
        ("dimension:Q", say("positions-number")),
        ("value:Q", say("positions-value"), ".6f"),
    )
    colour = _colour(diverging_ramp(), (-limit, limit), say("positions-value"), 5)
    strips = draw("cells", mark("rect"), x=x, y=y, color=colour, tooltip=tooltip)
    size = {"width": n * _STRIP, "height": len(names) * _STRIP_ROW}
    chart = whole(layered(strips, _row_names(y, 12.0, 2 * room), **size), right=24, autosize="pad")
    tables = {"cells": cells, "rows": labels}
    return Figure(chart, tables, "", width=n * _STRIP + round(room) + 30)


def equivariance_table(found: Sequence[Equivariance]) -> pd.DataFrame:
    """One line for each case and permutation.

    Returns
    -------
    DataFrame with the columns case (in words), positions, bits, permutation (from 1), difference
    (largest absolute difference), rounding (the distance between neighbouring floating-point
    numbers at the largest number of the output).
    """
    lines = []
    for entry in found:
        kind = np.float32 if entry.bits == 32 else np.float64
        step = float(np.spacing(kind(entry.largest_value)))
        lines += [
            {
                "case": say(
                    f"positions-case-{'with' if entry.positions else 'without'}", bits=entry.bits
                ),
                "positions": entry.positions,
                "bits": entry.bits,
                "permutation": number,
                "difference": float(difference),
                "rounding": step,
            }
            for number, difference in enumerate(entry.differences, start=1)
        ]
    return pd.DataFrame(lines)


def equivariance_plot(found: Sequence[Equivariance]) -> Figure:
    """The largest difference of every permutation as a dot, on a logarithmic axis.

    A tick in each row is one rounding step at the size of the output. Differences of exactly 0
    stand at the left end.
    """
    lines = equivariance_table(found)
    cases = tuple(dict.fromkeys(lines["case"]))
    lines["shown"] = lines["difference"].clip(lower=_TINY)
    lowest = lines[["shown", "rounding"]].min().min()
    first = math.floor(math.log10(lowest)) if lowest > _TINY else -18
    last = math.ceil(math.log10(max(1.0, float(lines["shown"].max()))) + 0.01)
    x = field(
        "shown:Q",
        title=say("positions-axis-difference"),
        scale={"type": "log", "domain": [10.0**first, 10.0**last], "nice": False},
        axis={
            "values": [10.0**power for power in range(first, last + 1, 2)],
            "format": ".0e",
            "gridOpacity": 0.3,
            "labelOverlap": "greedy",
        },
    )
    y = field(
        "case:N",
        title=None,
        scale={"domain": list(cases), "padding": 0.4},
        axis={
            "labelLimit": 250,
            "labelFontSize": 12,
            "labelOverlap": False,
            "grid": False,
            **_BARE,
        },
    )
    tooltip = told(
        ("case:N", say("positions-encoder")),
        ("permutation:Q", say("positions-permutation")),
        ("difference:Q", say("positions-largest-difference"), ".3e"),
        ("rounding:Q", say("positions-rounding-step"), ".3e"),
    )
    accent = palette_of(ENCODER).accent
    dot = mark(
        "point", filled=True, size=70, color=accent, opacity=0.75, stroke=INK, strokeWidth=0.5
    )
    tick = mark("tick", color=SELECTION, thickness=2, size=22)
    first_only = "datum.permutation === 1"
    steps = draw("lines", tick, where=first_only, x="rounding:Q", y=y, tooltip=tooltip)
    dots = draw("lines", dot, x=x, y=y, tooltip=tooltip)
    height = len(cases) * 34 + 70  # axis and title included
    chart = whole(layered(steps, dots, width=350, height=height), right=24, autosize="pad")
    return Figure(chart, {"lines": lines}, "", width=580)
