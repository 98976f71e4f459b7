"""The arithmetic of one row drawn stage by stage; the numbers come from `analysis.arithmetic`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd

from analysis.arithmetic import Shares, Sharpness, Stages, own_sharpness
from records import AttentionKind

from .figure import Figure, table
from .labels import distinct_labels, numbered_labels, text_width
from .theme import INK, NEGATIVE, POSITIVE, SELECTION, palette_of, rgb_of, signed_ramp

QUERY, KEY = "#4f80b5", "#d1605e"
SCALED, UNSCALED = POSITIVE, NEGATIVE
_OTHER = "#8b949e"
_PALE, _DEEP = "#ffffff", "#14171c"

_ROOM = 640  # pixels for the cells of a sentence of ordinary length
_LABEL_LIMIT = 110.0
_SMALL_FONT = 9.5
_UPRIGHT = 32  # a cell at least this wide has room for a number such as −12.34
_SMALLEST_WITH_NUMBERS = 11
_BAR: dict[str, Any] = {
    "title": None,
    "type": "gradient",
    "direction": "horizontal",
    "gradientLength": 100,
    "gradientThickness": 9,
    "labelFontSize": 10,
}
_TITLE: dict[str, Any] = {
    "type": "text",
    "align": "right",
    "baseline": "middle",
    "fontSize": 12,
    "color": INK,
    "tooltip": None,
}
_FRAME: dict[str, Any] = {
    "padding": {"left": 4, "top": 4, "right": 4, "bottom": 4},
    "autosize": "pad",
}

StripScale = Literal["signed", "share", "mask"]


@dataclass(frozen=True, eq=False)
class Strip:
    """One row of cells, one for each key.

    Attributes
    ----------
    title : what the numbers are.
    values : (T_k,) numbers.
    scale : "signed" centres the colours on 0, "share" runs from 0 to 1, "mask" has no colours and
        prints 0 or minus infinity.
    seen : (T_k,) bool; cells that are not seen are left empty. None when all are.
    """

    title: str
    values: np.ndarray
    scale: StripScale
    seen: np.ndarray | None = None


def stage_strips(stages: Stages) -> tuple[Strip, ...]:
    """From dot products to weights; the mask has a row only where it hides something."""
    root = f"÷ √{stages.d_k}"
    strips = [Strip("q · k", stages.dots, "signed"), Strip(root, stages.scores, "signed")]
    if not stages.seen.all():
        strips.append(Strip("+ mask", stages.mask, "mask", stages.seen))
    strips += [
        Strip("exp(· − max)", stages.terms, "share", stages.seen),
        Strip("÷ sum = weight", stages.weights, "share", stages.seen),
    ]
    return tuple(strips)


def scaling_strips(stages: Stages) -> tuple[Strip, ...]:
    """The softmax of this row with and without the division by sqrt(d_k)."""
    return (
        Strip(f"with ÷ √{stages.d_k}", stages.weights, "share", stages.seen),
        Strip("without", stages.unscaled_weights, "share", stages.seen),
    )


def strip_cells(
    strips: Sequence[Strip],
    key_tokens: Sequence[str],
    *,
    kind: AttentionKind = "encoder",
    dark: bool = False,
) -> pd.DataFrame:
    """One line for each cell to colour or to print.

    Returns
    -------
    DataFrame with the columns strip and k (from 0), key (label with the position from 1), value
    (NaN where nothing is coloured), text (the number to print) and ink (whether it is "pale",
    "deep" or in the colour of the "page", whichever is easiest to read).
    """
    keys = numbered_labels(key_tokens)
    lines = []
    for number, strip in enumerate(strips):
        seen = np.ones(len(keys), bool) if strip.seen is None else strip.seen
        finite = np.where(np.isfinite(strip.values), strip.values, 0.0)
        inks = _inks(finite, strip.scale, kind, dark)
        for k, key in enumerate(keys):
            if strip.scale == "mask":
                text = "0" if seen[k] else "−∞"
            elif seen[k]:
                text = short_number(strip.values[k])
            else:
                continue
            lines.append(
                {
                    "strip": number,
                    "k": k,
                    "key": key,
                    "value": float(finite[k]) if seen[k] else np.nan,
                    "text": text,
                    "ink": inks[k],
                }
            )
    return pd.DataFrame(lines)


def _inks(values: np.ndarray, scale: StripScale, kind: AttentionKind, dark: bool) -> list[str]:
    """Which text colour stands out from each cell's colour."""
    if scale == "mask":
        return ["page"] * len(values)
    if scale == "share":
        ramp, places = palette_of(kind, dark=dark).ramp, np.clip(values, 0, 1)
    else:
        ramp, places = signed_ramp(dark), (values / (np.abs(values).max() or 1.0) + 1) / 2
    stops = np.array([rgb_of(colour) for colour in ramp]) / 255
    at = places * (len(ramp) - 1)
    channels = [np.interp(at, np.arange(len(ramp)), stops[:, c]) ** 2.2 for c in range(3)]
    luminance = np.array([0.2126, 0.7152, 0.0722]) @ np.array(channels)
    # Where black and white stand out equally by the contrast ratio of WCAG 2.
    return ["deep" if bright else "pale" for bright in luminance > 0.18]


def strips_figure(
    strips: Sequence[Strip],
    key_tokens: Sequence[str],
    *,
    kind: AttentionKind,
    chosen: int | None = None,
    dark: bool = False,
) -> Figure:
    """Rows of cells one below the other over the same keys, each with its own colour bar."""
    n_keys = len(key_tokens)
    across = _step(n_keys)
    edge = pd.DataFrame(
        {
            "k": np.arange(n_keys, dtype=np.int16),
            "label": _readable(distinct_labels(key_tokens), across, chosen),
            "chosen": np.arange(n_keys) == (-1 if chosen is None else chosen),
        }
    )
    limits = [
        {"strip": number, "value": sign * (float(np.abs(strip.values).max()) or 1.0)}
        for number, strip in enumerate(strips)
        if strip.scale == "signed"
        for sign in (-1, 1)
    ]
    chart = _strips_chart(tuple((strip.title, strip.scale) for strip in strips), n_keys, kind, dark)
    return Figure(
        chart,
        {
            "cells": strip_cells(strips, key_tokens, kind=kind, dark=dark),
            "keys": edge,
            "limits": pd.DataFrame(limits or [{"strip": -1, "value": 0.0}]),
        },
        selection="",
        width=round(n_keys * across) + 260,
    )


def _readable(labels: Sequence[str], across: float, chosen: int | None) -> list[str]:
    """Labels without those that would lie on top of their neighbours; the chosen one stays."""
    every = math.ceil(_SMALLEST_WITH_NUMBERS / across)
    return [
        label
        if k == chosen or (k % every == 0 and (chosen is None or abs(k - chosen) >= every))
        else ""
        for k, label in enumerate(labels)
    ]


def short_number(value: float) -> str:
    """Two decimals, fewer for large numbers, a true minus, and none before a zero."""
    digits = 2 if abs(value) < 99.995 else 1 if abs(value) < 9999.95 else 0
    return f"{round(float(value), digits) + 0.0:.{digits}f}".replace("-", "−")


def _step(n_keys: int) -> float:
    """Pixels from one key to the next."""
    return max(7.0, min(46.0, _ROOM // n_keys))


@lru_cache(maxsize=256)
def _strips_chart(
    strips: tuple[tuple[str, StripScale], ...], n_keys: int, kind: AttentionKind, dark: bool
) -> dict[str, Any]:
    # Written out by hand: there is one chart for each length of sentence, and Altair would take a
    # third of a second for every new one.
    across = _step(n_keys)
    printed = across >= _SMALLEST_WITH_NUMBERS
    turned = printed and across < _UPRIGHT
    height = 38 if turned else 26
    x = {
        "field": "k",
        "type": "ordinal",
        "axis": None,
        "scale": {"domain": list(range(n_keys)), "paddingInner": 0.05},
    }
    rows = []
    for number, (title, scale) in enumerate(strips):
        layers = [
            *([_limits_layer(number)] if scale == "signed" else []),
            _cells_layer(number, x, scale, kind, dark),
            *([_numbers_layer(number, x, turned)] if printed else []),
            _chosen_layer(x),
            _title_layer(title, height),
            *([_key_labels_layer(x, across)] if number == 0 else []),
        ]
        rows.append({"layer": layers, "width": n_keys * across, "height": height})
    return {
        "$schema": alt.SCHEMA_URL,
        "vconcat": rows,
        "spacing": 8,
        "resolve": {
            "scale": {"x": "independent", "color": "independent"},
            "legend": {"color": "independent"},
        },
        "config": {"view": {"stroke": None}},
        **_FRAME,
    }


def _cells_layer(
    number: int, x: dict[str, Any], scale: StripScale, kind: AttentionKind, dark: bool
) -> dict[str, Any]:
    mark: dict[str, Any] = {"type": "rect"}
    encoding: dict[str, Any] = {
        "x": x,
        "tooltip": [
            {"field": "key", "type": "nominal"},
            {"field": "value", "type": "quantitative", "format": ".4f"},
        ],
    }
    if scale == "mask":
        mark |= {"color": INK, "opacity": 0.1}
    else:
        encoding["color"] = _strip_colours(scale, kind, dark)
    return {
        "data": {"name": "cells"},
        "transform": [{"filter": f"datum.strip === {number} && isValid(datum.value)"}],
        "mark": mark,
        "encoding": encoding,
    }


def _strip_colours(scale: StripScale, kind: AttentionKind, dark: bool) -> dict[str, Any]:
    bar: dict[str, Any] = {**_BAR, "orient": "right"}
    if scale == "share":
        ramp = list(palette_of(kind, dark=dark).ramp)
        colours: dict[str, Any] = {"domain": [0, 1], "range": ramp, "clamp": True}
        bar |= {"values": [0, 0.5, 1], "format": ".1f"}
    else:
        colours = _signed(dark)
        bar |= {"tickCount": 3, "labelOverlap": "greedy"}
    return {"field": "value", "type": "quantitative", "scale": colours, "legend": bar}


def _limits_layer(number: int) -> dict[str, Any]:
    # Unseen marks that stretch the scale as far below 0 as above it.
    return {
        "data": {"name": "limits"},
        "transform": [{"filter": f"datum.strip === {number}"}],
        "mark": {"type": "rect", "opacity": 0, "tooltip": None, "aria": False},
        "encoding": {"color": {"field": "value", "type": "quantitative"}},
    }


def _numbers_layer(number: int, x: dict[str, Any], turned: bool) -> dict[str, Any]:
    return {
        "data": {"name": "cells"},
        "transform": [{"filter": f"datum.strip === {number}"}],
        "mark": {
            "type": "text",
            "fontSize": _SMALL_FONT,
            "angle": 270 if turned else 0,
            "tooltip": None,
            "aria": False,
        },
        "encoding": {
            "x": x,
            "text": {"field": "text", "type": "nominal"},
            "color": {
                "condition": [
                    {"test": "datum.ink === 'pale'", "value": _PALE},
                    {"test": "datum.ink === 'deep'", "value": _DEEP},
                ],
                "value": INK,
            },
        },
    }


def _chosen_layer(x: dict[str, Any]) -> dict[str, Any]:
    return {
        "data": {"name": "keys"},
        "transform": [{"filter": "datum.chosen"}],
        "mark": {
            "type": "rect",
            "filled": False,
            "stroke": SELECTION,
            "strokeWidth": 2,
            "tooltip": None,
            "aria": False,
        },
        "encoding": {"x": x},
    }


def _title_layer(title: str, height: float) -> dict[str, Any]:
    return {
        "data": {"name": "keys"},
        "transform": [{"filter": "datum.k === 0"}],
        "mark": _TITLE,
        "encoding": {
            "x": {"value": -10},
            "y": {"value": height / 2},
            "text": {"value": title},
        },
    }


def _key_labels_layer(x: dict[str, Any], across: float) -> dict[str, Any]:
    return {
        "data": {"name": "keys"},
        "mark": {
            "type": "text",
            "align": "left",
            "baseline": "middle",
            "angle": 310,
            "limit": _LABEL_LIMIT,
            "fontSize": max(9.0, min(12.0, across * 0.62)),
            "tooltip": None,
        },
        "encoding": {
            "x": x,
            "y": {"value": -8},
            "text": {"field": "label", "type": "nominal"},
            "color": {"condition": {"test": "datum.chosen", "value": SELECTION}, "value": INK},
        },
    }


def _row_title(text: str, height: float, one: alt.Chart) -> alt.Chart:
    """Words to the left of a strip; `one` is a chart over a table of one line."""
    style = {name: value for name, value in _TITLE.items() if name != "type"}
    return one.mark_text(**style).encode(
        x=alt.value(-10), y=alt.value(height / 2), text=alt.value(text)
    )


def _signed(dark: bool) -> dict[str, Any]:
    """A scale from as far below 0 as above it; the data says how far."""
    return {"range": list(signed_ramp(dark)), "nice": False, "zero": False, "interpolate": "rgb"}


def _signed_colour(dark: bool) -> alt.Color:
    bar = alt.Legend(**_BAR, orient="bottom", tickCount=3)
    return alt.Color("value:Q", scale=alt.Scale(**_signed(dark)), legend=bar)


# -- q, k and their product ----------------------------------------------------------------


def vector_bars(stages: Stages, key: int) -> Figure:
    """The query, one key and their products, component by component, as bars."""
    product = stages.product(key)
    bars = pd.DataFrame(
        {
            "j": np.arange(stages.d_k, dtype=np.int16),
            "component": np.arange(1, stages.d_k + 1, dtype=np.int16),
            "q": stages.query,
            "k": stages.keys[key],
            "product": product,
        }
    )
    step = _component_step(stages.d_k)
    return Figure(_bars_chart(stages.d_k), {"bars": bars}, "", round(stages.d_k * step) + 70)


def _component_step(d_k: int) -> float:
    return max(2.0, min(22.0, 512 // d_k))


@lru_cache(maxsize=8)
def _bars_chart(d_k: int) -> dict[str, Any]:
    step = _component_step(d_k)
    x = alt.X(
        "j:O",
        axis=None,
        scale=alt.Scale(domain=list(range(d_k)), paddingInner=0.2 if step > 4 else 0.0),
    )
    tooltip = [
        alt.Tooltip("component:Q", title="component"),
        *(alt.Tooltip(f"{name}:Q", format=".4f") for name in ("q", "k")),
        alt.Tooltip("product:Q", title="q × k", format=".4f"),
    ]
    signed = alt.when(alt.datum.product >= 0).then(alt.value(SCALED)).otherwise(alt.value(UNSCALED))
    rows = [
        alt.Chart(table("bars"))
        .mark_bar()
        .encode(
            x=x,
            y=alt.Y(
                f"{name}:Q",
                title=title,
                axis=alt.Axis(
                    tickCount=3,
                    gridOpacity=0.5,
                    titleAngle=0,
                    titlePadding=8,
                    titleAlign="right",
                    minExtent=34,
                ),
            ),
            color=colour,
            tooltip=tooltip,
        )
        .properties(width=d_k * step, height=46)
        for name, title, colour in (
            ("q", "q", alt.value(QUERY)),
            ("k", "k", alt.value(KEY)),
            ("product", "q × k", signed),
        )
    ]
    return (
        alt.vconcat(*rows, spacing=8)
        .resolve_scale(x="independent", y="independent")
        .properties(**_FRAME)
        .configure_view(stroke=None)
        .to_dict()
    )


# -- weights times values ------------------------------------------------------------------


def most_rows(d_k: int) -> int:
    """How many keys to draw one by one, so that the picture stays light."""
    return max(4, min(14, 700 // d_k))


def share_table(shares: Shares, stages: Stages, key_tokens: Sequence[str]) -> pd.DataFrame:
    """One line for each row of the matrix: row (from 0), label, weight, and whether it is a sum."""
    keys = distinct_labels(key_tokens)
    labels = [keys[k] for k in shares.keys]
    if shares.n_others:
        labels.append(f"{shares.n_others} others")
    weights = [*shares.weights, shares.weights.sum()]
    return pd.DataFrame(
        {
            "row": np.arange(len(labels) + 1),
            "label": [*labels, "sum = context"],
            "weight": [short_number(weight) for weight in weights],
            "sum": [False] * len(labels) + [True],
        }
    )


def contribution_matrix(
    shares: Shares,
    stages: Stages,
    key_tokens: Sequence[str],
    *,
    chosen: int | None = None,
    dark: bool = False,
) -> Figure:
    """Weight times value of each key, a row each; their sum, the context, is the last row."""
    rows = share_table(shares, stages, key_tokens)
    rows["chosen"] = [k == chosen for k in shares.keys] + [False] * (len(rows) - len(shares.keys))
    values = np.vstack((shares.parts, stages.context))
    row, component = (axis.ravel() for axis in np.indices(values.shape))
    cells = pd.DataFrame(
        {
            "row": row.astype(np.int16),
            "j": component.astype(np.int16),
            "component": (component + 1).astype(np.int16),
            "label": pd.Categorical.from_codes(row, list(map(_unique, enumerate(rows["label"])))),
            "value": values.ravel(),
        }
    )
    top = float(np.abs(values).max()) or 1.0
    room = round(min(_LABEL_LIMIT, max(text_width(label, 11.0) for label in rows["label"])))
    chart = _contribution_chart(stages.d_k, dark)
    limits = pd.DataFrame({"value": [-top, top]})
    tables = {"cells": cells, "rows": rows, "limits": limits}
    return Figure(chart, tables, "", round(stages.d_k * _component_step(stages.d_k)) + room + 70)


def _unique(numbered: tuple[int, str]) -> str:
    return f"{numbered[0] + 1} · {numbered[1]}"


@lru_cache(maxsize=32)
def _contribution_chart(d_k: int, dark: bool) -> dict[str, Any]:
    width = d_k * _component_step(d_k)
    x = alt.X("j:O", axis=None, scale=alt.Scale(domain=list(range(d_k))))
    y = alt.Y("row:O", axis=None, scale=alt.Scale(paddingInner=0.08))
    cells = (
        alt.Chart(table("cells"))
        .mark_rect()
        .encode(
            x=x,
            y=y,
            color=_signed_colour(dark),
            tooltip=[
                alt.Tooltip("label:N", title="row"),
                alt.Tooltip("component:Q"),
                alt.Tooltip("value:Q", title="weight × value", format=".4f"),
            ],
        )
    )
    limits = (
        alt.Chart(table("limits"))
        .mark_rect(opacity=0, tooltip=None, aria=False)
        .encode(color="value:Q")
    )
    colour = alt.when(alt.datum.chosen).then(alt.value(SELECTION)).otherwise(alt.value(INK))
    names = alt.Chart(table("rows")).mark_text(
        align="right", baseline="middle", fontSize=11, limit=_LABEL_LIMIT, tooltip=None
    )
    layers = [
        limits,
        cells,
        names.encode(y=y, x=alt.value(-42), text="label:N", color=colour),
        names.encode(y=y, x=alt.value(-6), text="weight:N", color=colour),
        alt.Chart(table("rows"))
        .transform_filter(alt.datum.sum)
        .mark_rect(filled=False, stroke=INK, strokeWidth=1.5, tooltip=None, aria=False)
        .encode(y=y, x=alt.value(0), x2=alt.value(width)),
    ]
    return (
        alt.layer(*layers)
        .properties(width=width, height=alt.Step(17), **_FRAME)
        .configure_view(stroke=None)
        .to_dict()
    )


# -- all heads, W_O and the output ---------------------------------------------------------


def output_parts(stages: Stages) -> dict[str, np.ndarray]:
    """What the output is the sum of, and the output: arrays of (d_model,)."""
    own = stages.head_outputs[stages.head]
    parts = {"W_O · this head": own}
    if stages.n_heads > 1:
        parts["W_O · other heads"] = stages.head_outputs.sum(axis=0) - own
    return parts | {"bias": stages.bias, "sum = output": stages.output}


def output_figure(stages: Stages, *, dark: bool = False) -> Figure:
    """The contexts of all heads end to end, and what W_O makes of this head and of the others."""
    width = len(stages.output)
    starts = np.arange(stages.n_heads) * stages.d_k
    blocks = pd.DataFrame(
        {
            "start": starts,
            "stop": starts + stages.d_k,
            "label": [str(head + 1) for head in range(stages.n_heads)],
            "chosen": np.arange(stages.n_heads) == stages.head,
            "norm": np.linalg.norm(stages.head_outputs, axis=-1),
        }
    )
    parts = output_parts(stages)
    positions = np.arange(width)
    concatenated = pd.DataFrame(
        {
            "j": positions,
            "stop": positions + 1,
            "head": 1 + positions // stages.d_k,
            "value": stages.concatenated,
        }
    )
    cells = pd.DataFrame(
        {
            "part": np.repeat(np.arange(len(parts)), width),
            "name": np.repeat(list(parts), width),
            "j": np.tile(positions, len(parts)),
            "stop": np.tile(positions + 1, len(parts)),
            "value": np.concatenate(list(parts.values())),
        }
    )
    tables = {
        "blocks": blocks,
        "concatenated": concatenated,
        "parts": cells,
        "limits": _symmetric(stages.concatenated),
        "part_limits": _symmetric(cells["value"].to_numpy()),
    }
    chart = _output_chart(tuple(parts), width, stages.n_heads, dark)
    return Figure(chart, tables, "", round(width * _output_step(width)) + 130)


def _symmetric(values: np.ndarray) -> pd.DataFrame:
    top = float(np.abs(values).max()) or 1.0
    return pd.DataFrame({"value": [-top, top]})


def _output_step(d_model: int) -> float:
    return max(1.0, min(22.0, 512 // d_model))


@lru_cache(maxsize=16)
def _output_chart(parts: tuple[str, ...], d_model: int, n_heads: int, dark: bool) -> dict[str, Any]:
    width = d_model * _output_step(d_model)
    scale = alt.Scale(domain=[0, d_model], nice=False, zero=False)
    x = alt.X("j:Q", axis=None, scale=scale)
    tooltip = [alt.Tooltip("component:Q"), alt.Tooltip("value:Q", format=".4f")]

    def coloured(name: str, limits: str, more: list[alt.Tooltip]) -> list[alt.Chart]:
        colour = _signed_colour(dark)
        stretch = (
            alt.Chart(table(limits))
            .mark_rect(opacity=0, tooltip=None, aria=False)
            .encode(color="value:Q")
        )
        cells = (
            alt.Chart(table(name))
            .transform_calculate(component="datum.j + 1")
            .mark_rect(strokeWidth=0)
            .encode(x=x, x2="stop:Q", color=colour, tooltip=more + tooltip)
        )
        return [stretch, cells]

    block = alt.Chart(table("blocks")).encode(x=alt.X("start:Q", axis=None, scale=scale), x2="stop")
    colour = alt.when(alt.datum.chosen).then(alt.value(SELECTION)).otherwise(alt.value(INK))
    ends = block.mark_rect(filled=False, tooltip=None, aria=False).encode(
        stroke=colour,
        strokeWidth=alt.when(alt.datum.chosen).then(alt.value(2)).otherwise(alt.value(0.5)),
    )
    middle = "(datum.start + datum.stop) / 2"
    names = (
        alt.Chart(table("blocks"))
        .transform_calculate(j=middle)
        .mark_text(fontSize=11, tooltip=None)
        .encode(x=x, y=alt.value(-8), text="label:N", color=colour)
    )
    first = alt.Chart(table("blocks")).transform_filter("datum.start === 0")
    top = alt.layer(
        *coloured("concatenated", "limits", [alt.Tooltip("head:Q")]),
        ends,
        names,
        _row_title("heads, end to end", 22, first),
    ).properties(width=width, height=22)
    sizes = (
        alt.Chart(table("blocks"))
        .transform_calculate(
            j="datum.start + 0.1 * (datum.stop - datum.start)",
            end="datum.stop - 0.1 * (datum.stop - datum.start)",
        )
        .mark_rect()
        .encode(
            x=x,
            x2="end:Q",
            y=alt.Y(
                "norm:Q",
                title=None,
                scale=alt.Scale(zero=True),
                axis=alt.Axis(tickCount=3, gridOpacity=0.5, orient="right"),
            ),
            y2=alt.datum(0),
            color=alt.when(alt.datum.chosen)
            .then(alt.value(SELECTION))
            .otherwise(alt.value(_OTHER)),
            tooltip=[
                alt.Tooltip("label:N", title="head"),
                alt.Tooltip("norm:Q", title="length of W_O · context", format=".4f"),
            ],
        )
    )
    lengths = alt.layer(sizes, _row_title("length of W_O · head", 48, first)).properties(
        width=width, height=48
    )
    y = alt.Y(
        "name:N",
        title=None,
        scale=alt.Scale(domain=list(parts), paddingInner=0.12),
        axis=alt.Axis(ticks=False, domain=False, labelFontSize=12, labelPadding=8, labelLimit=140),
    )
    bottom = alt.layer(
        *coloured("parts", "part_limits", [alt.Tooltip("name:N", title="part")])
    ).properties(width=width, height=24 * len(parts))
    bottom.layer[1].encoding.y = y
    return (
        alt.vconcat(top, lengths, bottom, spacing=10)
        .resolve_scale(x="independent", y="independent", color="independent")
        .resolve_legend(color="independent")
        .properties(**_FRAME)
        .configure_view(stroke=None)
        .to_dict()
    )


# -- what the division by sqrt(d_k) is for -------------------------------------------------

_NAMES = ("divided by √d_k", "not divided")
_MEASURES = {
    "largest": "largest weight",
    "entropy": "entropy (bits)",
    "gradient": "gradient of the softmax",
}


def scaling_table(effect: Sharpness) -> pd.DataFrame:
    """One line for each size and each of divided and not: d_k, name and the three numbers."""
    sizes = np.atleast_1d(effect.d_k)
    arrays = {name: getattr(effect, name).reshape(2, -1) for name in _MEASURES}
    return pd.DataFrame(
        [
            {"d_k": int(d_k), "name": _NAMES[i]}
            | {name: float(array[i, at]) for name, array in arrays.items()}
            for i in range(2)
            for at, d_k in enumerate(sizes)
        ]
    )


def scaling_curves(effect: Sharpness, stages: Stages) -> Figure:
    """Random vectors of growing size as curves, the row at hand as two dots on each panel."""
    tables = {"curves": scaling_table(effect), "own": scaling_table(own_sharpness(stages))}
    return Figure(_curves_chart(), tables, "", 3 * 260)


@lru_cache(maxsize=1)
def _curves_chart() -> dict[str, Any]:
    colour = alt.Color(
        "name:N",
        title=None,
        scale=alt.Scale(domain=list(_NAMES), range=[SCALED, UNSCALED]),
        legend=alt.Legend(orient="top", symbolType="stroke", symbolStrokeWidth=3),
    )
    x = alt.X(
        "d_k:Q",
        title="d_k",
        scale=alt.Scale(type="log", base=2, nice=False),
        axis=alt.Axis(values=[1, 4, 16, 64, 256], format="d", grid=False),
    )
    panels = []
    for name, title in _MEASURES.items():
        y = alt.Y(f"{name}:Q", title=title, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=4))
        tooltip = [
            alt.Tooltip("name:N", title=" "),
            alt.Tooltip("d_k:Q", format="d"),
            alt.Tooltip(f"{name}:Q", title=title, format=".4f"),
        ]
        curves = (
            alt.Chart(table("curves"))
            .mark_line(strokeWidth=2.5, point=alt.OverlayMarkDef(size=22))
            .encode(x=x, y=y, color=colour, tooltip=tooltip)
        )
        own = (
            alt.Chart(table("own"))
            .mark_point(size=95, filled=True, opacity=1, stroke=SELECTION, strokeWidth=2)
            .encode(x=x, y=y, color=colour, tooltip=tooltip)
        )
        panels.append(alt.layer(curves, own).properties(width=190, height=150))
    return (
        alt.hconcat(*panels, spacing=24)
        .resolve_scale(x="independent", y="independent")
        .properties(**_FRAME)
        .configure_view(stroke=None)
        .to_dict()
    )
