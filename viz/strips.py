"""Rows of cells one below the other over the same keys: the stages of one row of attention."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from analysis.arithmetic import Stages
from records import ENCODER, AttentionSite
from words.numbers import fixed

from . import chart
from .chart import Part
from .figure import Figure
from .labels import distinct_labels, numbered_labels
from .look import say
from .theme import INK, SELECTION, SELECTION_TEXT, ink_on, palette_of, signed_ramp

LABEL_LIMIT = 110.0
ROOM, ROOM_BESIDE = 640, 335  # pixels for the cells: over the page, and beside all heads
_SMALL_FONT = 9.5
_UPRIGHT = 32  # a cell at least this wide has room for a number such as −12.34
_SMALLEST_WITH_NUMBERS = 11
SMALL_BAR: Part = {
    "title": None,
    "type": "gradient",
    "direction": "horizontal",
    "gradientLength": 100,
    "gradientThickness": 9,
    "labelFontSize": 10,
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
        strips.append(Strip(say("figures-stages-mask"), stages.mask, "mask", stages.seen))
    strips += [
        Strip(say("figures-stages-exp"), stages.terms, "share", stages.seen),
        Strip(say("figures-stages-weight"), stages.weights, "share", stages.seen),
    ]
    return tuple(strips)


def scaling_strips(stages: Stages) -> tuple[Strip, ...]:
    """The softmax of this row with and without the division by sqrt(d_k)."""
    scaled = say("figures-stages-scaled", d_k=stages.d_k)
    return (
        Strip(scaled, stages.weights, "share", stages.seen),
        Strip(say("figures-stages-unscaled"), stages.unscaled_weights, "share", stages.seen),
    )


def strip_cells(
    strips: Sequence[Strip], key_tokens: Sequence[str], *, kind: AttentionSite | str = ENCODER
) -> pd.DataFrame:
    """One line for each cell to colour or to print.

    Returns
    -------
    DataFrame with the columns strip and k (from 0), key (label with the position from 1), value
    (NaN where nothing is coloured), text (the number to print) and ink (the colour it is easiest
    to read in).
    """
    keys = numbered_labels(key_tokens)
    lines = []
    for number, strip in enumerate(strips):
        seen = np.ones(len(keys), bool) if strip.seen is None else strip.seen
        finite = np.where(np.isfinite(strip.values), strip.values, 0.0)
        inks = _inks(finite, strip.scale, kind)
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


def _inks(values: np.ndarray, scale: StripScale, kind: AttentionSite | str) -> list[str]:
    """Which text colour stands out from each cell's colour."""
    if scale == "mask":
        return [INK] * len(values)
    if scale == "share":
        return ink_on(palette_of(kind).ramp, values)
    return ink_on(signed_ramp(), (values / (np.abs(values).max() or 1.0) + 1) / 2)


def strips_figure(
    strips: Sequence[Strip],
    key_tokens: Sequence[str],
    *,
    kind: AttentionSite | str,
    chosen: int | None = None,
    room: int = ROOM,
) -> Figure:
    """Rows of cells one below the other over the same keys, each with its own colour bar.

    `room`: pixels for the cells of a sentence of ordinary length.
    """
    n_keys = len(key_tokens)
    across = _step(n_keys, room)
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
    rows = [
        _row(number, strip, n_keys, across, palette_of(kind).ramp)
        for number, strip in enumerate(strips)
    ]
    apart = {
        "scale": {"x": "independent", "color": "independent"},
        "legend": {"color": "independent"},
    }
    part = {"vconcat": rows, "spacing": 8, "resolve": apart}
    return Figure(
        chart.whole(part, right=4, autosize="pad"),
        {
            "cells": strip_cells(strips, key_tokens, kind=kind),
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
    """Two decimals, fewer for large numbers."""
    return fixed(value, 2 if abs(value) < 99.995 else 1 if abs(value) < 9999.95 else 0)


def _step(n_keys: int, room: int) -> float:
    """Pixels from one key to the next."""
    return max(7.0, min(46.0, room // n_keys))


def _row(number: int, strip: Strip, n_keys: int, across: float, ramp: Sequence[str]) -> Part:
    """One strip: its cells and numbers, the frame of the chosen key, its title to the left."""
    printed = across >= _SMALLEST_WITH_NUMBERS
    turned = printed and across < _UPRIGHT
    height = 38 if turned else 26
    x = chart.field("k:O", axis=None, scale=chart.places(n_keys, 0.05, None))
    own = f"datum.strip === {number}"
    layers = [stretched("limits", where=own)] if strip.scale == "signed" else []
    style = {"color": INK, "opacity": 0.1} if strip.scale == "mask" else {}
    colours = {} if strip.scale == "mask" else {"color": _colours(strip.scale, ramp)}
    layers.append(
        chart.draw(
            "cells",
            chart.mark("rect", **style),
            where=f"{own} && isValid(datum.value)",
            x=x,
            **colours,
            tooltip=chart.told(
                ("key:N", say("figures-key")), ("value:Q", say("figures-value"), ".4f")
            ),
        )
    )
    if printed:
        look = {"fontSize": _SMALL_FONT, "angle": 270 if turned else 0}
        numbers = chart.mark("text", **look, **chart.QUIET)
        layers.append(chart.draw("cells", numbers, where=own, x=x, text="text:N", **chart.OWN_INK))
    frame = chart.mark("rect", filled=False, stroke=SELECTION, strokeWidth=2, **chart.QUIET)
    layers.append(chart.draw("keys", frame, where="datum.chosen", x=x))
    layers.append(row_title(strip.title, height, "keys", "datum.k === 0"))
    if number == 0:
        names = chart.text(
            align="left",
            angle=310,
            limit=LABEL_LIMIT,
            fontSize=max(9.0, min(12.0, across * 0.62)),
        )
        chosen = chart.when(("datum.chosen", SELECTION_TEXT), otherwise=INK)
        layers.append(
            chart.draw("keys", names, x=x, y=chart.value(-8), text="label:N", color=chosen)
        )
    return chart.layered(*layers, width=n_keys * across, height=height)


def _colours(scale: StripScale, ramp: Sequence[str]) -> Part:
    if scale == "signed":
        return free_signed_colour(orient="right", labelOverlap="greedy")
    bar = {**SMALL_BAR, "orient": "right", "values": [0, 0.5, 1], "format": ".1f"}
    shares = {"domain": [0, 1], "range": list(ramp), "clamp": True}
    return chart.field("value:Q", scale=shares, legend=bar)


def free_signed_colour(**bar: Any) -> Part:
    """A scale from as far below 0 as above it; `stretched` marks say how far."""
    scale = {"range": list(signed_ramp()), "nice": False, "zero": False, "interpolate": "rgb"}
    return chart.field("value:Q", scale=scale, legend={**SMALL_BAR, "tickCount": 3, **bar})


def stretched(table: str, *, where: str | None = None) -> Part:
    """Unseen marks that stretch a scale as far below 0 as above it."""
    unseen = chart.mark("rect", opacity=0, **chart.QUIET)
    return chart.draw(table, unseen, where=where, color="value:Q")


def row_title(title: str, height: float, table: str, one: str) -> Part:
    """Words to the left of a strip; `one` is a test that one line of the table passes."""
    return chart.draw(
        table,
        chart.text(align="right", fontSize=12),
        where=one,
        x=chart.value(-10),
        y=chart.value(height / 2),
        text=chart.value(title),
    )
