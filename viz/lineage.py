"""The systems of the lineage: their maps, the states of their encoders, and what length does."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from analysis.labels import distinct_labels
from analysis.lineage import window_boxes
from analysis.tables import edge, matrix_cells
from records import AttentionSite

from . import recipes as r
from .effect import Tokens, small_matrix
from .figure import Figure, drawn
from .look import is_dark, say
from .theme import INK, SELECTION, SYSTEMS, diverging_ramp, palette_of

_DASHES = ([1, 0], [6, 3], [2, 2])  # where colours come again
_ROOM, _HEIGHT = 170, 230


def system_map(
    values: np.ndarray,
    *tokens: Tokens,
    site: AttentionSite | None = None,
    limit: float | None = None,
    title: str = "figures-weight",
    centres: np.ndarray | None = None,
    window: int = 0,
) -> Figure:
    """One system on one pair of sentences, (T_tgt, T_src).

    Parameters
    ----------
    tokens : of the rows and of the columns
    site : where the weights come from, for their colours from 0 to 1
    limit : the values are drops or differences, coloured from `-limit` to `limit`
    centres : place of the source, from 0, around which each row looks; drawn as a line, and
        `window` places on either side as a box
    """
    axes = ("rows-produced", "figures-source-token")
    shape = {"axes": ("figures-matrix-query", "figures-matrix-key") if site else axes}
    shape |= {"scale": palette_of(site).ramp if site else limit}
    if centres is not None:
        boxes = window_boxes(centres, window, len(tokens[1]))
        boxes *= r.small_grid(*values.shape, _ROOM).across
        shape |= {"windows": boxes.assign(centre=centres + 1), "over": _windows}
    cells = matrix_cells(values, *tokens, seen=~np.isnan(values))
    return small_matrix(cells, *map(distinct_labels, tokens), room=_ROOM, title=title, **shape)


def _windows() -> list[alt.Chart]:
    rows, down = r.source("windows"), {"y": alt.Y(**r.pixels("y")), "y2": "y2"}
    side = rows.mark_rule(color=INK, opacity=0.7, **r.QUIET)
    line = rows.mark_rule(color=SELECTION, strokeWidth=2, aria=False)
    line = line.encode(tooltip=r.tips(centre=("figures-lineage-centre", ".2f")))
    marks = {"x": side, "x2": side, "middle": line}
    return [mark.encode(x=alt.X(**r.pixels(at)), **down) for at, mark in marks.items()]


def unit_bars(values: np.ndarray) -> Figure:
    """A vector as a strip of thin bars, one a unit, from its smallest to its largest."""
    units = pd.DataFrame({"unit": np.arange(1, len(values) + 1), "value": values})
    return drawn(_units, {"units": units}, n=len(values))


def _units(n: int) -> alt.LayerChart:
    unit, value = "figures-lineage-unit", "figures-lineage-value"
    axis = {"domain": (0.5, n + 0.5), "nice": False, "grid": False, "format": "d"}
    style = {"color": palette_of("cross").accent, "strokeWidth": max(1.0, 336 / n), "aria": False}
    bars = (
        r.source("units")
        .mark_rule(**style)
        .encode(
            x=alt.X("unit:Q", **r.measure(unit, **axis)),
            y=alt.Y("value:Q", **r.measure(value, zero=True, tickCount=3)),
            y2=alt.Y2Datum(0),
            tooltip=r.tips(unit=(unit, "d"), value=(value, "+.4f")),
        )
    )
    return r.layered(bars, width=420, height=90)


def state_picture(states: np.ndarray, tokens: Tokens, order: np.ndarray, *, limit: float) -> Figure:
    """The states of an encoder, (T_src, n): units down in this order, tokens across.

    Colours run from `-limit` to `limit`.
    """
    shares = (states[:, order].T / limit + 1) / 2  # (n, T)
    step = max(9.0, min(24.0, 400 / len(tokens)))
    columns = edge(tokens, "k", largest=np.abs(states).max(axis=1))
    # A rectangle for each unit and token would be thousands of them.
    tables = {"picture": r.pictured(shares, diverging_ramp(), round(step), 1), "columns": columns}
    return drawn(_states, tables, n=len(tokens), step=step, limit=limit)


def _states(n: int, step: float, limit: float) -> alt.LayerChart:
    colour = r.signed_colour("value", diverging_ramp(), limit, "figures-lineage-value")
    axis = r.label_axis("columns", step, **r.slanted())
    x = alt.X("k:O", title=None, scale=r.places(n, 0.0), axis=axis)
    told = r.tips(label="figures-token", largest=("figures-lineage-largest", ".3f"))
    area = r.touched("columns", told, x=x, y=alt.YValue(0), y2=alt.Y2Value(_HEIGHT))
    size = {"width": n * step, "height": _HEIGHT}
    return r.layered(*r.picture(colour, **size), area, **size)


def length_lines(lines: pd.DataFrame, names: Tokens, opened: str) -> Figure:
    """A number against the length of the source, a line each system, the open one bold.

    `lines` has the columns system, words (length of the source) and log_p (of a token); `names` are
    the systems, in the order of the legend.
    """
    lines = lines.assign(opened=lines["system"] == opened)
    return drawn(_length_lines, {"lines": lines}, names=tuple(names))


def _length_lines(names: tuple[str, ...]) -> alt.LayerChart:
    words, log_p = "figures-lineage-words", "figures-lineage-log-p"
    x = alt.X("words:Q", **r.measure(words, nice=False, padding=6, tickMinStep=1, format="d"))
    y = alt.Y("log_p:Q", **r.measure(log_p))
    told = r.tips(system="figures-lineage-system", words=(words, "d"), log_p=(log_p, ".3f"))
    look = {"width": 560, "height": 300, "strokeWidth": alt.ExprRef("datum.opened ? 4 : 1.6")}
    return r.lines(x, y, tooltip=told, points=28, **look, **_looks("system", names, names))


def length_curves(
    rows: pd.DataFrame,
    order: Tokens,
    *,
    along: str,
    measure: str,
    form: str = ".1f",
    seen: float | None = None,
) -> Figure:
    """A line with its 95 % band for each system. Raises ValueError without rows.

    Parameters
    ----------
    rows : one line a point: label (of the system), at, value, low, high, texts
    order : all labels there may be; each keeps its colour, whichever are drawn
    along, measure : titles of the axes
    form : of the measure's numbers
    seen : up to where training saw such lengths, to be marked
    """
    if rows.empty:
        raise ValueError("nothing to draw: 0 rows")
    tables = {"rows": rows}
    if seen is not None:
        tables["seen"] = pd.DataFrame({"at": [seen], "label": [say("lineage-curve-seen")]})
    there = tuple(label for label in order if label in set(rows["label"]))
    shape = {"order": tuple(order), "there": there, "seen": seen is not None}
    return drawn(_length_curves, tables, **shape, along=along, measure=measure, form=form)


def _length_curves(
    order: Tokens, there: Tokens, seen: bool, along: str, measure: str, form: str
) -> alt.LayerChart:
    x = alt.X("at:Q", **r.measure(along, padding=10, grid=False, format=",.0f"))
    y = alt.Y("value:Q", **r.measure(measure, padding=6))
    told = {end: (f"lineage-curve-{end}", form) for end in ("low", "high")}
    told = {"label": "lineage-curve-system", "at": (along, ".1f"), "value": (measure, form), **told}
    told = r.tips(**told, texts=("lineage-curve-texts", ",.0f"))
    look = {"band": ("low", "high"), "points": 50, **_looks("label", order, there)}
    more = r.rule("seen", along=x, label="label") if seen else ()
    return r.lines(x, y, tooltip=told, table="rows", more=more, **look)


def _looks(column: str, order: Tokens, there: Tokens) -> dict[str, Any]:
    """The colour and the dash of each system, by its place in the order, and their legend."""
    palette = SYSTEMS[is_dark()]
    dashes = [_DASHES[i // len(palette) % len(_DASHES)] for i in range(len(order))]
    # Lines and their dashes alone: the bands are too pale to be named by.
    stroke = {"symbolType": "stroke", "symbolOpacity": 1, "symbolSize": 300, "symbolStrokeWidth": 3}
    legend = {"orient": "bottom", "columns": 2, "labelLimit": 290, "values": there, **stroke}
    return {
        "colour": r.series(alt.Color, column, order, palette, legend=legend),
        "dash": r.series(alt.StrokeDash, column, order, dashes, legend=legend),
    }
