"""The systems of the lineage: their maps, the states of their encoders, and what length does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from records import AttentionSite

from . import chart
from .chart import Part
from .effect import matrix_cells
from .figure import Figure
from .labels import label_room, token_label
from .look import say
from .matrix import Grid, edge, pair_names
from .raster import data_url, mosaic_png
from .theme import INK, SELECTION, diverging_ramp, palette_of

MOST_CELL, LEAST_CELL, ROOM = 24.0, 9.0, 170.0
DROP_LIMITS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
STRIP = (420, 90)
LINES = (560, 300)
_UNIT_ROOM = 230
# Told apart by colour-blind readers too (Okabe and Ito), with a dash where colours come again.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8b9099")
_DASHES = ([1, 0], [6, 3], [2, 2])


def drop_limit(drops: Sequence[np.ndarray]) -> float:
    """The end of one scale for several maps of drops; a few that are larger end there too."""
    every = np.concatenate([np.abs(each).ravel() for each in drops]) if len(drops) else np.zeros(1)
    large = float(np.nanquantile(every, 0.98))
    return next((limit for limit in DROP_LIMITS if large <= limit), DROP_LIMITS[-1])


def window_boxes(centres: np.ndarray, window: int, n_columns: int, step: float) -> pd.DataFrame:
    """In pixels the window of each row and the line at its centre: x, x2, y, y2 and middle."""
    middles = (centres + 0.5) * step
    rows = np.arange(len(centres)) * step
    # All that lies within D of the centre: half a cell more on either side of the outermost.
    low, high = np.ceil(centres - window), np.floor(centres + window) + 1
    return pd.DataFrame(
        {
            "x": np.clip(low, 0, n_columns) * step,
            "x2": np.clip(high, 0, n_columns) * step,
            "y": rows,
            "y2": rows + step,
            "middle": np.clip(middles, 0, n_columns * step),
            "centre": centres + 1,
        }
    )


def system_map(
    values: np.ndarray,
    row_tokens: Sequence[str],
    key_tokens: Sequence[str],
    *,
    site: AttentionSite | None = None,
    limit: float | None = None,
    title: str = "",
    centres: np.ndarray | None = None,
    window: int = 0,
) -> Figure:
    """One system on one pair of sentences, (T_tgt, T_src).

    Parameters
    ----------
    site : where the weights come from, for their colours from 0 to 1.
    limit : the values are drops or differences, coloured from `-limit` to `limit`.
    title : what the numbers are; weights unless given.
    centres : place of the source, from 0, around which each row looks; drawn as a line, and
        `window` places on either side as a box.
    """
    title = title or say("figures-weight")
    edges = {"rows": edge(row_tokens, "q"), "columns": edge(key_tokens, "k")}
    step = max(LEAST_CELL, min(MOST_CELL, ROOM / max(map(len, edges.values()))))
    titles = {"row_title": "figures-matrix-query", "column_title": "figures-matrix-key"}
    if site is None:
        titles = {"row_title": "rows-produced", "column_title": "figures-source-token"}
    grid = Grid.of(*edges.values(), (step, step), **titles)
    length = round(max(130, min(200, grid.width)))
    bar = {"gradientLength": length, "gradientThickness": 9, "offset": 6, "titleLimit": 260}
    if limit is None:
        ramp = palette_of(site or "cross").ramp
        colour, form = chart.share_colour("value:Q", ramp, title=title, **bar), ".4f"
    else:
        ramp, form = diverging_ramp(), "+.4f"
        colour = chart.signed_colour("value:Q", ramp, limit, title=title, **bar)
    told = chart.told(*pair_names(), ("value:Q", title, form))
    layers = [grid.cells({"aria": False}, where="isValid(datum.value)", color=colour, tooltip=told)]
    tables = {"cells": matrix_cells(values, row_tokens, key_tokens), **edges}
    if centres is not None:
        tables["windows"] = window_boxes(centres, window, len(key_tokens), step)
        layers += _windows()
    layers += [grid.row_labels(), grid.column_labels()]
    drawn = chart.whole(grid.drawn(*layers), right=18, autosize="pad")
    return Figure(drawn, tables, "", width=round(grid.width) + grid.row_room + 60)


def _windows() -> list[Part]:
    side = chart.mark("rule", color=INK, opacity=0.7, **chart.QUIET)
    down = {"y": chart.pixels("y"), "y2": "y2:Q"}
    line = chart.mark("rule", color=SELECTION, strokeWidth=2, aria=False)
    told = chart.told(("centre:Q", say("figures-lineage-centre"), ".2f"))
    return [
        *(chart.draw("windows", side, x=chart.pixels(end), **down) for end in ("x", "x2")),
        chart.draw("windows", line, x=chart.pixels("middle"), **down, tooltip=told),
    ]


def unit_bars(values: np.ndarray) -> Figure:
    """A vector as a strip of thin bars, one a unit, from its smallest to its largest."""
    units = pd.DataFrame({"unit": np.arange(1, len(values) + 1), "value": values})
    units["end"] = 0.0
    width, height = STRIP
    x = chart.field(
        "unit:Q",
        title=say("figures-lineage-unit"),
        scale={"domain": [0.5, len(values) + 0.5], "nice": False},
        axis={"grid": False, "tickCount": 6, "format": "d"},
    )
    axis = {"gridOpacity": 0.3, "tickCount": 3}
    bars = chart.draw(
        "units",
        chart.mark("rule", color=palette_of("cross").accent, aria=False),
        x=x,
        y=chart.field("value:Q", title=say("figures-lineage-value"), axis=axis),
        y2="end:Q",
        strokeWidth=chart.value(max(1.0, 0.8 * width / len(values))),
        tooltip=chart.told(
            ("unit:Q", say("figures-lineage-unit"), "d"),
            ("value:Q", say("figures-lineage-value"), "+.4f"),
        ),
    )
    part = chart.layered(bars, width=width, height=height)
    return Figure(chart.whole(part, autosize="pad"), {"units": units}, "", width=width + 60)


def state_table(states: np.ndarray, tokens: Sequence[str], order: np.ndarray) -> pd.DataFrame:
    """One line a unit and token: unit (from 1), place (from 1), token, value; units as ordered."""
    labels = [token_label(token, max_length=48) for token in tokens]
    n = len(tokens)
    return pd.DataFrame(
        {
            "unit": np.repeat(order + 1, n),
            "place": np.tile(np.arange(1, n + 1), len(order)),
            "token": labels * len(order),
            "value": states[:, order].T.ravel(),
        }
    )


def state_picture(
    states: np.ndarray, tokens: Sequence[str], order: np.ndarray, *, limit: float = 1.0
) -> Figure:
    """The states of an encoder, units down in this order, tokens across: from -limit to limit.

    Parameters
    ----------
    states : (T_src, n)
    order : the units from the top
    """
    n_units, n_tokens = len(order), len(tokens)
    columns = edge(tokens, "k")
    step = max(LEAST_CELL, min(MOST_CELL, 400 / n_tokens))
    width, height = round(n_tokens * step), _UNIT_ROOM
    shares = (states[:, order].T / limit + 1) / 2  # (n, T)
    ramp = diverging_ramp()
    png = mosaic_png(shares[None, None], ramp, size=max(n_units, width))
    pictures = pd.DataFrame({"image": [data_url(png)], "x": [0], "y": [0]})
    columns["largest"] = np.abs(states).max(axis=1)
    ends = pd.DataFrame({"value": [-limit, limit]})
    x = chart.field("k:O", title=None, scale=chart.places(n_tokens, 0.0), axis=None)
    corner = {"align": "left", "baseline": "top", "aspect": False, **chart.QUIET}
    room = label_room(columns["label"], step)
    layers = [
        chart.draw(
            "pictures",
            chart.mark("image", width=width, height=height, **corner),
            x=chart.pixels("x"),
            y=chart.pixels("y"),
            url="image:N",
        ),
        chart.draw(
            "ends",
            chart.mark("point", opacity=0, **chart.QUIET),
            color=chart.signed_colour(
                "value:Q", ramp, limit, title=say("figures-lineage-value"), offset=8
            ),
        ),
        chart.draw(
            "columns",
            chart.mark("rect", fill="transparent", aria=False),
            x=x,
            y=chart.value(0),
            y2=chart.value(height),
            tooltip=chart.told(
                ("label:N", say("figures-token")),
                ("largest:Q", say("figures-lineage-largest"), ".3f"),
            ),
        ),
        chart.draw(
            "columns",
            chart.text(align="left", angle=310, fontSize=max(9.0, min(13.0, step * 0.62))),
            x=x,
            y=chart.value(-8),
            text="label:N",
        ),
    ]
    part = chart.layered(*layers, width=width, height=height)
    drawn = chart.whole(part, right=round(room * 0.7), autosize="pad")
    tables = {"pictures": pictures, "columns": columns, "ends": ends}
    return Figure(drawn, tables, "", width=width + 40)


def length_lines(lines: pd.DataFrame, names: Sequence[str], opened: str = "") -> Figure:
    """A number against the length of the source, a line each system, the open one bold.

    Parameters
    ----------
    lines : with the columns system, words (length of the source) and log_p (of a token).
    names : the systems, in the order of the legend.
    opened : the one that is bold.
    """
    width, height = LINES
    n = len(names)
    colours = [_COLOURS[i % len(_COLOURS)] for i in range(n)]
    dashes = [_DASHES[i // len(_COLOURS) % len(_DASHES)] for i in range(n)]
    domain = {"domain": list(names)}
    lines = lines.assign(opened=lines["system"] == opened)
    legend = {"symbolType": "stroke", "labelLimit": 320, "columns": 2, "title": None}
    x = chart.field(
        "words:Q",
        title=say("figures-lineage-words"),
        scale={"zero": False, "nice": False, "padding": 6},
        axis={"gridOpacity": 0.3, "tickMinStep": 1, "format": "d"},
    )
    y = chart.field(
        "log_p:Q",
        title=say("figures-lineage-log-p"),
        scale={"zero": False, "nice": True},
        axis={"gridOpacity": 0.3},
    )
    colour: dict[str, Any] = {
        "color": chart.field(
            "system:N", scale={**domain, "range": colours}, legend=chart.swatches(**legend)
        ),
    }
    drawn = [
        chart.draw(
            "lines",
            chart.mark("line", strokeWidth=wide, tooltip=None, aria=False),
            where=where,
            x=x,
            y=y,
            strokeDash=chart.field("system:N", scale={**domain, "range": dashes}, legend=None),
            **colour,
        )
        for where, wide in (("!datum.opened", 1.6), ("datum.opened", 4))
    ]
    points = chart.draw(
        "lines",
        chart.mark("point", filled=True, size=28, opacity=0.9, aria=False),
        x=x,
        y=y,
        **colour,
        tooltip=chart.told(
            ("system:N", say("figures-lineage-system")),
            ("words:Q", say("figures-lineage-words"), "d"),
            ("log_p:Q", say("figures-lineage-log-p"), ".3f"),
        ),
    )
    part = chart.layered(*drawn, points, width=width, height=height)
    return Figure(chart.whole(part, autosize="pad"), {"lines": lines}, "", width=width + 70)
