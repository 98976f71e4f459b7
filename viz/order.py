"""Two orders of the same words: tokens by layer, vectors, and how equal two outputs are."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from records import Equivariance
from words import Words, english

from .figure import Figure, table
from .labels import distinct_labels, numbered_labels, text_width
from .theme import INK, SELECTION, diverging_ramp, palette_of

Measure = Literal["distance", "cosine"]

MEASURES: tuple[Measure, ...] = ("distance", "cosine")
_LABEL_LIMIT = 110.0
_LAYER = 44  # pixels of a column of layers
_LAYER_ROW = 21
_MOST_NUMBERED = 30  # tokens; beyond, the cells are too many for numbers
_STRIP, _STRIP_ROW = 11, 24
_TINY = 1e-18
PAD = {"autosize": "pad", "padding": {"left": 4, "top": 4, "right": 24, "bottom": 4}}


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
    panels: Mapping[str, np.ndarray],
    tokens: Sequence[str],
    *,
    measure: Measure = "distance",
    dark: bool = False,
    say: Words = english,
) -> Figure:
    """Tokens by layers, one matrix a title beside each other, on one scale of colours.

    Strong colours mean far apart: large distances, small cosines. The other arguments and errors
    are those of `layer_table`.
    """
    cells = layer_table(panels, tokens, measure)
    n_layers = int(cells["layer"].max()) + 1
    low, high = float(cells["value"].min()), float(cells["value"].max())
    domain = (0.0, max(high, 1e-6)) if measure == "distance" else (min(low, 0.9), 1.0)
    # Dark cells carry light numbers in a light page, and the other way round.
    share = (cells["value"] - domain[0]) / (domain[1] - domain[0])
    cells["strong"] = (share if measure == "distance" else 1 - share) > 0.6
    labels = distinct_labels(tokens)
    rows = pd.DataFrame({"t": np.arange(len(tokens), dtype=np.int16), "label": labels})
    room = label_room(labels, 13.0)
    chart = _layer_chart(tuple(panels), len(tokens), n_layers, measure, room, dark, say)
    legend = {"domain": list(domain)}
    width = len(panels) * (n_layers * _LAYER + room + 16) + 30
    return Figure(
        _with_domain(chart, legend), {"cells": cells, "rows": rows}, "", width=round(width)
    )


def _with_domain(chart: dict[str, Any], domain: dict[str, list[float]]) -> dict[str, Any]:
    """A chart that refers to a domain by parameter, with the domain of this drawing."""
    ends = domain["domain"]
    return {
        **chart,
        "params": [
            *chart.get("params", []),
            {"name": "low", "value": ends[0]},
            {"name": "high", "value": ends[1]},
        ],
    }


def _scale_by_parameters(ramp: Sequence[str]) -> alt.Scale:
    return alt.Scale(
        domainMin=alt.ExprRef("low"), domainMax=alt.ExprRef("high"), range=list(ramp), clamp=True,
        nice=False, zero=False, interpolate="lab",
    )  # fmt: skip


def legend(title: str, form: str, *, offset: int = 8, **more: Any) -> alt.Legend:
    return alt.Legend(
        title=title,
        orient="bottom",
        direction="horizontal",
        gradientLength=180,
        gradientThickness=10,
        format=form,
        offset=offset,
        titleLimit=260,
        **more,
    )


@lru_cache(maxsize=32)
def _layer_chart(
    titles: tuple[str, ...],
    n_tokens: int,
    n_layers: int,
    measure: Measure,
    room: int,
    dark: bool,
    say: Words,
) -> dict[str, Any]:
    ramp = palette_of("encoder", dark=dark).ramp
    form = ".2f" if measure == "cosine" else ".2~f"
    names = f"datum.value == 0 ? {json.dumps(say('positions-embedding-short'))} : datum.label"
    x = alt.X(
        "layer:O",
        title=say("positions-layer"),
        scale=bands(n_layers),
        axis=alt.Axis(
            orient="top",
            labelAngle=0,
            labelExpr=names,
            ticks=False,
            domain=False,
            labelPadding=4,
            titlePadding=4,
        ),
    )
    y = alt.Y(
        "t:O",
        title=say("positions-token"),
        scale=bands(n_tokens),
        axis=alt.Axis(labels=False, ticks=False, domain=False, titlePadding=room + 18),
    )
    what = say(f"order_measure-{measure}")

    def panel(place: int, title: str) -> alt.LayerChart:
        cells = alt.Chart(table("cells")).transform_filter(f"datum.panel === {place}")
        drawn = cells.mark_rect().encode(
            x=x,
            y=y,
            color=alt.Color(
                "value:Q",
                scale=_scale_by_parameters(ramp if measure == "distance" else ramp[::-1]),
                legend=legend(what, form, tickCount=4),
            ),
            tooltip=[
                alt.Tooltip("token:N", title=say("positions-token")),
                alt.Tooltip("layer:Q", title=say("positions-layer-from-embedding")),
                alt.Tooltip("value:Q", title=what, format=".3~g"),
            ],
        )
        layers = [drawn, row_labels("t", y, 13.0)]
        if n_tokens <= _MOST_NUMBERED:
            strong, weak = ("#10151c", INK) if dark else ("#ffffff", INK)
            colour = alt.when("datum.strong").then(alt.value(strong)).otherwise(alt.value(weak))
            numbers = cells.mark_text(fontSize=10, tooltip=None)
            layers.append(numbers.encode(x=x, y=y, text="text:N", color=colour))
        return alt.layer(*layers).properties(
            width=n_layers * _LAYER,
            height=n_tokens * _LAYER_ROW,
            title=alt.Title(title, anchor="start", fontSize=12),
        )

    return (
        alt.hconcat(*(panel(place, title) for place, title in enumerate(titles)), spacing=16)
        .resolve_scale(color="shared")
        .properties(**PAD)
        .configure_view(stroke=None)
        .to_dict()
    )


def bands(count: int) -> alt.Scale:
    return alt.Scale(domain=list(range(count)), paddingInner=0.06, paddingOuter=0.0)


def label_room(labels: Sequence[str], size: float) -> int:
    return round(min(_LABEL_LIMIT, max(text_width(label, size) for label in labels)))


def row_labels(position: str, y: alt.Y, size: float, **where: Any) -> alt.Chart:
    chart = alt.Chart(table("rows"))
    if where:
        chart = chart.transform_filter(where["only"])
    return chart.mark_text(
        align="right", baseline="middle", fontSize=size, limit=_LABEL_LIMIT, color=INK, tooltip=None
    ).encode(y=y, x=alt.value(-6), text="label:N")


def vector_strips(
    rows: Mapping[str, np.ndarray], *, dark: bool = False, say: Words = english
) -> Figure:
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
    places, dims = (axis.ravel() for axis in np.indices(values.shape))
    names = list(rows)
    cells = pd.DataFrame(
        {
            "r": places.astype(np.int16),
            "dimension": (dims + 1).astype(np.int16),
            "name": [names[place] for place in places],
            "value": values.ravel(),
        }
    )
    labels = pd.DataFrame({"r": np.arange(len(names), dtype=np.int16), "label": names})
    limit = max(float(np.abs(values).max()), 1e-6)
    chart = _strip_chart(len(names), n, max(text_width(name, 12.0) for name in names), dark, say)
    return Figure(
        _with_domain(chart, {"domain": [-limit, limit]}),
        {"cells": cells, "rows": labels},
        "",
        width=n * _STRIP + round(max(text_width(name, 12.0) for name in names)) + 30,
    )


@lru_cache(maxsize=32)
def _strip_chart(n_rows: int, n: int, room: float, dark: bool, say: Words) -> dict[str, Any]:
    x = alt.X(
        "dimension:O",
        title=say("positions-axis-numbers"),
        scale=alt.Scale(domain=list(range(1, n + 1)), paddingInner=0.0, paddingOuter=0.0),
        axis=alt.Axis(
            labelAngle=0, values=[1, *range(8, n + 1, 8)], ticks=False, domain=False, grid=False
        ),
    )
    y = alt.Y(
        "r:O",
        title=None,
        scale=alt.Scale(domain=list(range(n_rows)), paddingInner=0.22),
        axis=alt.Axis(labels=False, ticks=False, domain=False),
    )
    cells = (
        alt.Chart(table("cells"))
        .mark_rect()
        .encode(
            x=x,
            y=y,
            color=alt.Color(
                "value:Q",
                scale=_scale_by_parameters(diverging_ramp(dark)),
                legend=legend(say("positions-value"), ".2~f", tickCount=5),
            ),
            tooltip=[
                alt.Tooltip("name:N", title=say("positions-vector")),
                alt.Tooltip("dimension:Q", title=say("positions-number")),
                alt.Tooltip("value:Q", title=say("positions-value"), format=".6f"),
            ],
        )
    )
    labels = (
        alt.Chart(table("rows"))
        .mark_text(align="right", baseline="middle", fontSize=12, color=INK, tooltip=None)
        .encode(y=y, x=alt.value(-6), text="label:N")
    )
    return (
        alt.layer(cells, labels)
        .properties(
            width=n * _STRIP,
            height=n_rows * _STRIP_ROW,
            **PAD,
        )
        .configure_view(stroke=None)
        .to_dict()
    )


def equivariance_table(found: Sequence[Equivariance], say: Words = english) -> pd.DataFrame:
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


def equivariance_plot(
    found: Sequence[Equivariance], *, dark: bool = False, say: Words = english
) -> Figure:
    """The largest difference of every permutation as a dot, on a logarithmic axis.

    A tick in each row is one rounding step at the size of the output. Differences of exactly 0
    stand at the left end.
    """
    lines = equivariance_table(found, say)
    cases = tuple(dict.fromkeys(lines["case"]))
    lines["shown"] = lines["difference"].clip(lower=_TINY)
    lowest = lines[["shown", "rounding"]].min().min()
    first = math.floor(math.log10(lowest)) if lowest > _TINY else -18
    last = math.ceil(math.log10(max(1.0, float(lines["shown"].max()))) + 0.01)
    return Figure(
        _equivariance_chart(cases, first, last, dark, say), {"lines": lines}, "", width=530
    )


@lru_cache(maxsize=32)
def _equivariance_chart(
    cases: tuple[str, ...], first: int, last: int, dark: bool, say: Words
) -> dict[str, Any]:
    ticks = [10.0**power for power in range(first, last + 1, 2)]
    x = alt.X(
        "shown:Q",
        title=say("positions-axis-difference"),
        scale=alt.Scale(type="log", domain=[10.0**first, 10.0**last], nice=False),
        axis=alt.Axis(values=ticks, format=".0e", gridOpacity=0.3, labelOverlap="greedy"),
    )
    y = alt.Y(
        "case:N",
        title=None,
        scale=alt.Scale(domain=list(cases), padding=0.4),
        axis=alt.Axis(
            labelLimit=220,
            labelFontSize=12,
            labelOverlap=False,
            ticks=False,
            domain=False,
            grid=False,
        ),
    )
    tooltip = [
        alt.Tooltip("case:N", title=say("positions-encoder")),
        alt.Tooltip("permutation:Q", title=say("positions-permutation")),
        alt.Tooltip("difference:Q", title=say("positions-largest-difference"), format=".3e"),
        alt.Tooltip("rounding:Q", title=say("positions-rounding-step"), format=".3e"),
    ]
    base = alt.Chart(table("lines"))
    dots = base.mark_point(
        filled=True,
        size=70,
        color=palette_of("encoder", dark=dark).accent,
        opacity=0.75,
        stroke=INK,
        strokeWidth=0.5,
    )
    steps = base.transform_filter("datum.permutation === 1").mark_tick(
        color=SELECTION, thickness=2, size=22
    )
    return (
        alt.layer(
            steps.encode(x="rounding:Q", y=y, tooltip=tooltip),
            dots.encode(x=x, y=y, tooltip=tooltip),
        )
        .properties(width=350, height=len(cases) * 34 + 70, **PAD)  # axis and title included
        .configure_view(stroke=None)
        .to_dict()
    )
