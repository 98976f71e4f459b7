"""The arithmetic of one row drawn stage by stage; the numbers come from `analysis.arithmetic`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.arithmetic import Shares, Sharpness, Stages, own_sharpness

from . import chart
from .chart import Part
from .figure import Figure
from .labels import distinct_labels, text_width
from .look import say
from .strips import LABEL_LIMIT, free_signed_colour, row_title, short_number, stretched
from .theme import INK, NEGATIVE, POSITIVE, SELECTION, SELECTION_TEXT

QUERY, KEY = "#4f80b5", "#d1605e"
SCALED, UNSCALED = POSITIVE, NEGATIVE
_OTHER = "#8b949e"
# Pixels for the components, so that they and what stands beside them fit beside all heads.
_ROOM, _ROOM_OUTPUT = 440, 408
_FRAME: Part = {"right": 4, "autosize": "pad"}


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
    return max(2.0, min(22.0, _ROOM // d_k))


def _bars_chart(d_k: int) -> Part:
    step = _component_step(d_k)
    x = chart.field("j:O", axis=None, scale=chart.places(d_k, 0.2 if step > 4 else 0.0, None))
    axis = {
        "tickCount": 3,
        "gridOpacity": 0.5,
        "titleAngle": 0,
        "titlePadding": 8,
        "titleAlign": "right",
        "minExtent": 34,
    }
    signed = chart.when(("datum.product >= 0", SCALED), otherwise=UNSCALED)
    tooltip = chart.told(
        ("component:Q", say("figures-stages-component")),
        ("q:Q", "q", ".4f"),
        ("k:Q", "k", ".4f"),
        ("product:Q", "q × k", ".4f"),
    )
    rows = [
        {
            **chart.draw(
                "bars",
                chart.mark("bar"),
                x=x,
                y=chart.field(f"{name}:Q", title=title, axis=axis),
                color=colour,
                tooltip=tooltip,
            ),
            "width": d_k * step,
            "height": 46,
        }
        for name, title, colour in (
            ("q", "q", chart.value(QUERY)),
            ("k", "k", chart.value(KEY)),
            ("product", "q × k", signed),
        )
    ]
    apart = {"scale": {"x": "independent", "y": "independent"}}
    return chart.whole({"vconcat": rows, "spacing": 8, "resolve": apart}, **_FRAME)


# -- weights times values ------------------------------------------------------------------


def most_rows(d_k: int) -> int:
    """How many keys to draw one by one, so that the picture stays light."""
    return max(4, min(14, 700 // d_k))


def share_table(shares: Shares, stages: Stages, key_tokens: Sequence[str]) -> pd.DataFrame:
    """One line for each row of the matrix: row (from 0), label, weight, and whether it is a sum."""
    keys = distinct_labels(key_tokens)
    labels = [keys[k] for k in shares.keys]
    if shares.n_others:
        labels.append(say("figures-stages-others", n=shares.n_others))
    weights = [*shares.weights, shares.weights.sum()]
    return pd.DataFrame(
        {
            "row": np.arange(len(labels) + 1),
            "label": [*labels, say("figures-stages-context")],
            "weight": [short_number(weight) for weight in weights],
            "sum": [False] * len(labels) + [True],
        }
    )


def contribution_matrix(
    shares: Shares, stages: Stages, key_tokens: Sequence[str], *, chosen: int | None = None
) -> Figure:
    """Weight times value of each key, a row each; their sum, the context, is the last row."""
    rows = share_table(shares, stages, key_tokens)
    rows["chosen"] = [k == chosen for k in shares.keys] + [False] * (len(rows) - len(shares.keys))
    values = np.vstack((shares.parts, stages.context))
    labels = [f"{place} · {label}" for place, label in enumerate(rows["label"], start=1)]
    row, component = (axis.ravel() for axis in np.indices(values.shape))
    cells = pd.DataFrame(
        {
            "row": row.astype(np.int16),
            "j": component.astype(np.int16),
            "component": (component + 1).astype(np.int16),
            "label": pd.Categorical.from_codes(row, labels),
            "value": values.ravel(),
        }
    )
    top = float(np.abs(values).max()) or 1.0
    room = round(min(LABEL_LIMIT, max(text_width(label, 11.0) for label in rows["label"])))
    limits = pd.DataFrame({"value": [-top, top]})
    tables = {"cells": cells, "rows": rows, "limits": limits}
    width = round(stages.d_k * _component_step(stages.d_k)) + room + 70
    return Figure(_contribution_chart(stages.d_k), tables, "", width)


def _contribution_chart(d_k: int) -> Part:
    width = d_k * _component_step(d_k)
    x = chart.field("j:O", axis=None, scale={"domain": list(range(d_k))})
    y = chart.field("row:O", axis=None, scale={"paddingInner": 0.08})
    cells = chart.draw(
        "cells",
        chart.mark("rect"),
        x=x,
        y=y,
        color=free_signed_colour(orient="bottom"),
        tooltip=chart.told(
            ("label:N", say("figures-stages-row")),
            ("component:Q", say("figures-stages-component")),
            ("value:Q", say("figures-stages-weight-times-value"), ".4f"),
        ),
    )
    colour = chart.when(("datum.chosen", SELECTION_TEXT), otherwise=INK)
    words = chart.text(align="right", fontSize=11, limit=LABEL_LIMIT)
    names = [
        chart.draw("rows", words, y=y, x=chart.value(place), text=text, color=colour)
        for place, text in ((-42, "label:N"), (-6, "weight:N"))
    ]
    frame = chart.draw(
        "rows",
        chart.mark("rect", filled=False, stroke=INK, strokeWidth=1.5, **chart.QUIET),
        where="datum.sum",
        y=y,
        x=chart.value(0),
        x2=chart.value(width),
    )
    layers = [stretched("limits"), cells, *names, frame]
    return chart.whole(chart.layered(*layers, width=width, height={"step": 17}), **_FRAME)


# -- all heads, W_O and the output ---------------------------------------------------------


def output_parts(stages: Stages) -> dict[str, np.ndarray]:
    """What the output is the sum of, and the output: arrays of (d_model,)."""
    own = stages.head_outputs[stages.head]
    parts = {say("figures-stages-this-head"): own}
    if stages.n_heads > 1:
        parts[say("figures-stages-other-heads")] = stages.head_outputs.sum(axis=0) - own
    return parts | {
        say("figures-stages-bias"): stages.bias,
        say("figures-stages-output"): stages.output,
    }


def output_figure(stages: Stages) -> Figure:
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
    drawing = _output_chart(list(parts), width)
    return Figure(drawing, tables, "", round(width * _output_step(width)) + 130)


def _symmetric(values: np.ndarray) -> pd.DataFrame:
    top = float(np.abs(values).max()) or 1.0
    return pd.DataFrame({"value": [-top, top]})


def _output_step(d_model: int) -> float:
    return max(1.0, min(22.0, _ROOM_OUTPUT / d_model))


def _output_chart(parts: list[str], d_model: int) -> Part:
    width = d_model * _output_step(d_model)
    scale = {"domain": [0, d_model], "nice": False, "zero": False}
    x = chart.field("j:Q", axis=None, scale=scale)
    component = ("component:Q", say("figures-stages-component"))
    first = "datum.start === 0"

    def coloured(name: str, limits: str, more: tuple[str, str], **shown: Part) -> list[Part]:
        cells = chart.draw(
            name,
            chart.mark("rect", strokeWidth=0),
            calculate={"component": "datum.j + 1"},
            x=x,
            x2="stop:Q",
            color=free_signed_colour(orient="bottom"),
            tooltip=chart.told(more, component, ("value:Q", say("figures-value"), ".4f")),
            **shown,
        )
        return [stretched(limits), cells]

    chosen = ("datum.chosen", SELECTION)
    ends = chart.draw(
        "blocks",
        chart.mark("rect", filled=False, **chart.QUIET),
        x=chart.field("start:Q", axis=None, scale=scale),
        x2="stop",
        stroke=chart.when(chosen, otherwise=INK),
        strokeWidth=chart.when(("datum.chosen", 2), otherwise=0.5),
    )
    names = chart.draw(
        "blocks",
        chart.mark("text", fontSize=11, tooltip=None),
        calculate={"j": "(datum.start + datum.stop) / 2"},
        x=x,
        y=chart.value(-8),
        text="label:N",
        color=chart.when(("datum.chosen", SELECTION_TEXT), otherwise=INK),
    )
    top = chart.layered(
        *coloured("concatenated", "limits", ("head:Q", say("figures-head"))),
        ends,
        names,
        row_title(say("figures-stages-end-to-end"), 22, "blocks", first),
        width=width,
        height=22,
    )
    sizes = chart.draw(
        "blocks",
        chart.mark("rect"),
        calculate={
            "j": "datum.start + 0.1 * (datum.stop - datum.start)",
            "end": "datum.stop - 0.1 * (datum.stop - datum.start)",
        },
        x=x,
        x2="end:Q",
        y=chart.field(
            "norm:Q",
            title=None,
            scale={"zero": True},
            axis={"tickCount": 3, "gridOpacity": 0.5, "orient": "right"},
        ),
        y2=chart.datum(0),
        color=chart.when(chosen, otherwise=_OTHER),
        tooltip=chart.told(
            ("label:N", say("figures-head")),
            ("norm:Q", say("figures-stages-length-of-context"), ".4f"),
        ),
    )
    title = row_title(say("figures-stages-length-of-head"), 48, "blocks", first)
    lengths = chart.layered(sizes, title, width=width, height=48)
    axis = {
        "ticks": False, "domain": False, "labelFontSize": 12, "labelPadding": 8, "labelLimit": 140,
    }  # fmt: skip
    y = chart.field("name:N", title=None, scale={"domain": parts, "paddingInner": 0.12}, axis=axis)
    part = ("name:N", say("figures-stages-part"))
    bottom = chart.layered(
        *coloured("parts", "part_limits", part, y=y), width=width, height=24 * len(parts)
    )
    apart = {
        "scale": {"x": "independent", "y": "independent", "color": "independent"},
        "legend": {"color": "independent"},
    }
    return chart.whole(
        {"vconcat": [top, lengths, bottom], "spacing": 10, "resolve": apart}, **_FRAME
    )


# -- what the division by sqrt(d_k) is for -------------------------------------------------

_NAMES = ("figures-stages-divided", "figures-stages-not-divided")
_MEASURES = ("largest", "entropy", "gradient")


def scaling_table(effect: Sharpness) -> pd.DataFrame:
    """One line for each size and each of divided and not: d_k, name and the three numbers."""
    sizes = np.atleast_1d(effect.d_k)
    arrays = {name: getattr(effect, name).reshape(2, -1) for name in _MEASURES}
    return pd.DataFrame(
        [
            {"d_k": int(d_k), "name": say(_NAMES[i])}
            | {name: float(array[i, at]) for name, array in arrays.items()}
            for i in range(2)
            for at, d_k in enumerate(sizes)
        ]
    )


def scaling_curves(effect: Sharpness, stages: Stages) -> Figure:
    """Random vectors of growing size as curves, the row at hand as two dots on each panel."""
    curves, own = (scaling_table(each) for each in (effect, own_sharpness(stages)))
    tables = {"curves": curves, "own": own}
    return Figure(_curves_chart(), tables, "", 3 * 185)


def _curves_chart() -> Part:
    colour = chart.field(
        "name:N",
        title=None,
        scale={"domain": [say(id) for id in _NAMES], "range": [SCALED, UNSCALED]},
        legend={"orient": "top", "symbolType": "stroke", "symbolStrokeWidth": 3},
    )
    x = chart.field(
        "d_k:Q",
        title="d_k",
        scale={"type": "log", "base": 2, "nice": False},
        axis={"values": [1, 4, 16, 64, 256], "format": "d", "grid": False},
    )
    line = chart.mark("line", strokeWidth=2.5, point={"size": 22})
    ringed = chart.mark("point", size=95, filled=True, opacity=1, stroke=SELECTION, strokeWidth=2)

    def panel(name: str) -> Part:
        title = say(f"figures-stages-{name}")
        shown = {
            "x": x,
            "y": chart.field(f"{name}:Q", title=title, scale={"zero": True}, axis={"tickCount": 4}),
            "color": colour,
            "tooltip": chart.told(
                ("name:N", " "), ("d_k:Q", "d_k", "d"), (f"{name}:Q", title, ".4f")
            ),
        }
        layers = chart.draw("curves", line, **shown), chart.draw("own", ringed, **shown)
        return chart.layered(*layers, width=120, height=150)

    panels = [panel(name) for name in _MEASURES]
    apart = {"scale": {"x": "independent", "y": "independent"}}
    return chart.whole({"hconcat": panels, "spacing": 24, "resolve": apart}, **_FRAME)
