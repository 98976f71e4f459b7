"""One head in detail: a matrix of weights and, below it, the row under the pointer as bars."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from analysis.measures import row_ranks
from records import AttentionKind, AttentionMap

from .figure import Figure, table
from .labels import distinct_labels, font_size, numbered_labels, text_width
from .theme import INK, SELECTION, Palette, palette_of

SELECTION_NAME = "cell"
_ROOM = 366  # pixels for the columns of a sentence of ordinary length
_BARS = 84
_UPRIGHT = 24  # pixels a column needs for a number that is not turned
_LABEL_LIMIT = 120.0
_LABELS = {"query": "data('rows')[datum.q].label", "key": "data('columns')[datum.k].label"}
_HOVERED_OR_LOCKED = (
    "isValid(row.q) && isValid(row.q[0]) ? indexof(row.q, datum.q) >= 0 : datum.locked"
)


def attention_cells(
    attention: AttentionMap,
    layer: int,
    head: int,
    *,
    row_tokens: Sequence[str] | None = None,
    barred_row: int | None = None,
    contrast: bool = False,
    d_k: int | None = None,
    click: int = 0,
) -> pd.DataFrame:
    """One line for each cell, those a query may not look at included.

    Parameters
    ----------
    row_tokens : the labels' tokens for the rows, `attention.query_tokens` unless given.
    barred_row : the row marked in the column `locked`, whose weights stand below as bars.
    contrast : the column `shade` is the weight divided by the largest of its row.
    d_k : width of one head's vectors; with it the product q·k is given too.
    click : any number that tells this drawing from the last; a click sends it back, so that a
        second click on the same cell counts as a new one.

    Returns
    -------
    DataFrame with the columns q, k (positions from 0), query, key (labels with the position from
    1), weight (0 to 1), rank (1 = largest of its row), shade (0 to 1, what the colour shows),
    locked, click, seen (False where masked), and where the map holds scores: score (q·k divided
    by sqrt(d_k), before the mask) and product (q·k).
    """
    weights = attention.head(layer, head)
    seen = np.ones(weights.shape, bool) if attention.mask is None else attention.mask
    rows, columns = (axis.ravel() for axis in np.indices(weights.shape))
    largest = weights.max(axis=1, keepdims=True)
    shade = weights / np.where(largest > 0, largest, 1.0) if contrast else weights
    query = np.array(numbered_labels(row_tokens or attention.query_tokens), dtype=object)
    key = np.array(numbered_labels(attention.key_tokens), dtype=object)
    table = {
        "q": rows.astype(np.int16),
        "k": columns.astype(np.int16),
        "query": pd.Categorical.from_codes(rows, query),
        "key": pd.Categorical.from_codes(columns, key),
        "weight": weights.ravel().astype(np.float32),
        "rank": row_ranks(weights).ravel().astype(np.int16),
        "shade": shade.ravel().astype(np.float32),
        "locked": rows == (-1 if barred_row is None else barred_row),
        "click": np.full(len(rows), click, np.int32),
        "seen": seen.ravel(),
    }
    if attention.scores is not None:
        scores = attention.scores[layer, head].ravel().astype(np.float32)
        table["score"] = scores
        if d_k is not None:
            table["product"] = scores * np.float32(np.sqrt(d_k))
    return pd.DataFrame(table)


def attention_heatmap(
    attention: AttentionMap,
    layer: int,
    head: int,
    *,
    row_tokens: Sequence[str] | None = None,
    locked_rows: Sequence[int] = (),
    locked_columns: Sequence[int] = (),
    contrast: bool = False,
    d_k: int | None = None,
    click: int = 0,
    dark: bool = False,
    colour_title: str = "weight",
) -> Figure:
    """Matrix, totals and bars of one head.

    The selection `cell` reports the clicked q and k (k is -1 for a click on a row's label) with
    `click`; `row` follows the pointer and stays in the browser. Numbers to the right are the sums
    of the rows, numbers below those of the columns. `colour_title` says what the colours show when
    it is not a weight. The other arguments are those of `attention_cells`; the bars show the row
    under the pointer, or else the first of `locked_rows`.
    """
    row_tokens = tuple(row_tokens or attention.query_tokens)
    cells = attention_cells(
        attention,
        layer,
        head,
        row_tokens=row_tokens,
        barred_row=locked_rows[0] if locked_rows else None,
        contrast=contrast,
        d_k=d_k,
        click=click,
    )
    weights = attention.head(layer, head)
    rows = _edge(row_tokens, "q", locked_rows, weights.sum(axis=1))
    rows["k"], rows["click"] = np.int16(-1), np.int32(click)
    columns = _edge(attention.key_tokens, "k", locked_columns, weights.sum(axis=0))
    n_rows, n_columns = weights.shape
    across, down = cell_size(n_rows, n_columns)
    row_room, column_room = _label_room(rows["label"], down), _label_room(columns["label"], across)
    numbers = tuple(name for name in ("product", "score") if name in cells)
    # The browser turns every cell into an object: what it can look up or work out stays out.
    spared = ["query", "key", "product", *([] if contrast else ["shade"])]
    masked = attention.mask is not None
    cells = cells.drop(columns=[*spared, *([] if masked else ["seen"])], errors="ignore")
    chart = _heatmap_chart(
        attention.kind, n_rows, n_columns, row_room, column_room, contrast, dark, numbers,
        float(np.sqrt(d_k or 1)), colour_title, masked,
    )  # fmt: skip
    return Figure(
        chart,
        {"cells": cells, "rows": rows, "columns": columns},
        SELECTION_NAME,
        width=round(n_columns * across) + row_room + 90,
    )


def cell_size(n_rows: int, n_columns: int) -> tuple[float, float]:
    """Pixels from one column to the next, and from one row to the next."""
    across = max(11.0, min(28.0, _ROOM / n_columns))
    return across, max(11.0, min(28.0, across * 1.3, _ROOM / n_rows))


def _edge(
    tokens: Sequence[str], position: str, locked: Sequence[int], totals: np.ndarray
) -> pd.DataFrame:
    """One line a token: position, label, whether it is a locked one, and what it sums up to."""
    positions = np.arange(len(tokens), dtype=np.int16)
    return pd.DataFrame(
        {
            position: positions,
            "label": np.array(distinct_labels(tokens), dtype=object),
            "locked": np.isin(positions, list(locked)),
            "total": totals.astype(np.float32),
        }
    )


def _label_room(labels: Sequence[str], step: float) -> int:
    return round(min(_LABEL_LIMIT, max(text_width(label, font_size(step)) for label in labels)))


@lru_cache(maxsize=64)
def _heatmap_chart(
    kind: AttentionKind,
    n_rows: int,
    n_columns: int,
    row_room: int,
    column_room: int,
    contrast: bool,
    dark: bool,
    numbers: tuple[str, ...],
    sqrt_d_k: float,
    colour_title: str,
    masked: bool,
) -> dict[str, Any]:
    palette = palette_of(kind, dark=dark)
    across, down = cell_size(n_rows, n_columns)
    width = n_columns * across
    quiet = {"labels": False, "ticks": False, "domain": False}
    x = alt.X(
        "k:O",
        title="key (column)",
        scale=_positions(n_columns),
        axis=alt.Axis(orient="top", titlePadding=column_room * 0.78 + 12, **quiet),
    )
    y = alt.Y(
        "q:O",
        title="query (row) attends to →",
        scale=_positions(n_rows),
        axis=alt.Axis(titlePadding=row_room + 12, **quiet),
    )
    row = alt.selection_point(
        name="row", fields=["q"], on="pointerover", clear="pointerout", empty=False
    )
    # It stays where the pointer was: a cell that went away under it would come back at once.
    at = alt.selection_point(
        name="at", fields=["q", "k"], on="pointermove", clear=False, empty=False, toggle=False
    )
    cell = alt.selection_point(
        name=SELECTION_NAME,
        fields=["q", "k", "click"],
        on="click",
        clear=False,
        empty=False,
        toggle=False,
    )
    height = n_rows * down
    title = f"{colour_title} ÷ largest of its row" if contrast else colour_title
    legend_offset = 18 if across >= _UPRIGHT else 34  # room for the totals of the columns
    layers = [
        _row_backgrounds(y, width),
        _cells(x, y, palette, title, legend_offset, contrast, masked).add_params(cell, row, at),
        *([_masked_cells(x, y)] if masked else []),
        _row_outlines(y, width, row),
        _pointed_cell(x, y, at, numbers, sqrt_d_k, colour_title, masked),
        _row_labels(y, down, row, palette),
        _column_labels(x, across),
        _row_totals(y, down, width),
        _column_totals(x, across, height),
    ]
    matrix = alt.layer(*layers).properties(width=width, height=height)
    return (
        alt.vconcat(matrix, _bars(n_columns, across, palette, colour_title, masked), spacing=14)
        .resolve_scale(x="independent", y="independent", color="independent")
        .properties(padding={"left": 4, "top": 4, "right": 46, "bottom": 4})
        .configure_view(stroke=None)
        .to_dict()
    )


def _positions(count: int) -> alt.Scale:
    return alt.Scale(domain=list(range(count)), paddingInner=0.06, paddingOuter=0.0)


def _row_backgrounds(y: alt.Y, width: float) -> alt.Chart:
    # Catches the pointer where masked cells are absent.
    return (
        alt.Chart(table("rows"))
        .mark_rect(fill="transparent", tooltip=None, aria=False)
        .encode(y=y, x=alt.value(0), x2=alt.value(width))
    )


def _cells(
    x: alt.X,
    y: alt.Y,
    palette: Palette,
    title: str,
    legend_offset: int,
    contrast: bool,
    masked: bool,
) -> alt.Chart:
    colour = alt.Color(
        "shade:Q" if contrast else "weight:Q",
        title=title,
        scale=alt.Scale(domain=[0, 1], range=list(palette.ramp), clamp=True),
        legend=alt.Legend(
            orient="bottom",
            direction="horizontal",
            gradientLength=180,
            gradientThickness=10,
            values=[0, 0.25, 0.5, 0.75, 1],
            format=".2f",
            offset=legend_offset,
            titleLimit=240,
        ),
    )
    return _seen(masked).mark_rect(cursor="pointer", tooltip=None).encode(x=x, y=y, color=colour)


def _seen(masked: bool) -> alt.Chart:
    """The cells a query may look at."""
    cells = alt.Chart(table("cells"))
    return cells.transform_filter("datum.seen") if masked else cells


def _pointed_cell(
    x: alt.X,
    y: alt.Y,
    at: alt.Parameter,
    numbers: tuple[str, ...],
    sqrt_d_k: float,
    what: str,
    masked: bool,
) -> alt.Chart:
    """The numbers of the cell under the pointer, of masked ones too.

    A layer of its own that holds one cell: Vega would work out the tooltips of all cells at every
    drawing, a third of the time of a large one.
    """
    product = {"product": f"datum.score * {sqrt_d_k!r}"} if "product" in numbers else {}
    seen = {} if masked else {"seen": "true"}
    return (
        alt.Chart(table("cells"))
        .transform_filter(at)
        .transform_calculate(**_LABELS, **product, **seen)
        .mark_rect(fill="transparent", cursor="pointer", aria=False)
        .encode(x=x, y=y, tooltip=_tooltips(numbers, what))
    )


def _tooltips(numbers: tuple[str, ...], what: str) -> list[alt.Tooltip]:
    return [
        *_names(),
        *_score_tooltips(numbers),
        *([alt.Tooltip("seen:N", title="mask: may look")] if numbers else []),
        alt.Tooltip("weight:Q", title=what, format=".4f"),
        alt.Tooltip("rank:Q", title="rank in row"),
    ]


def _masked_cells(x: alt.X, y: alt.Y) -> alt.Chart:
    """Nothing to see, but the pointer finds them."""
    return (
        alt.Chart(table("cells"))
        .transform_filter("!datum.seen")
        .mark_rect(fill="transparent", tooltip=None, aria=False)
        .encode(x=x, y=y)
    )


def _names() -> list[alt.Tooltip]:
    return [alt.Tooltip("query:N", title="query"), alt.Tooltip("key:N", title="key")]


def _score_tooltips(numbers: tuple[str, ...]) -> list[alt.Tooltip]:
    titles = {"product": "score q·k", "score": "scaled: ÷ √d_k"}
    return [alt.Tooltip(f"{name}:Q", title=titles[name], format=".3f") for name in numbers]


def _row_outlines(y: alt.Y, width: float, row: alt.Parameter) -> alt.Chart:
    stroke = (
        alt.when(alt.datum.locked)
        .then(alt.value(SELECTION))
        .when(row)
        .then(alt.value(INK))
        .otherwise(alt.value("transparent"))
    )
    return (
        alt.Chart(table("rows"))
        .mark_rect(filled=False, strokeWidth=2, tooltip=None, aria=False)
        .encode(y=y, x=alt.value(-1), x2=alt.value(width), stroke=stroke)
    )


def _row_labels(y: alt.Y, step: float, row: alt.Parameter, palette: Palette) -> alt.Chart:
    colour = (
        alt.when(alt.datum.locked)
        .then(alt.value(SELECTION))
        .when(row)
        .then(alt.value(palette.accent))
        .otherwise(alt.value(INK))
    )
    return (
        alt.Chart(table("rows"))
        .mark_text(
            align="right",
            baseline="middle",
            fontSize=font_size(step),
            limit=_LABEL_LIMIT,
            cursor="pointer",
            tooltip=None,
        )
        .encode(y=y, x=alt.value(-6), text="label:N", color=colour)
    )


def _column_labels(x: alt.X, step: float) -> alt.Chart:
    colour = alt.when(alt.datum.locked).then(alt.value(SELECTION)).otherwise(alt.value(INK))
    return (
        alt.Chart(table("columns"))
        .mark_text(
            align="left",
            baseline="middle",
            fontSize=font_size(step),
            limit=_LABEL_LIMIT,
            angle=310,
            tooltip=None,
        )
        .encode(x=x, y=alt.value(-8), text="label:N", color=colour)
    )


def _row_totals(y: alt.Y, step: float, width: float) -> alt.Chart:
    return (
        alt.Chart(table("rows"))
        .mark_text(
            align="left",
            baseline="middle",
            color=INK,
            opacity=0.7,
            fontSize=min(font_size(step), 10),
        )
        .encode(
            y=y,
            x=alt.value(width + 5),
            text=alt.Text("total:Q", format=".2f"),
            tooltip=[alt.Tooltip("total:Q", title="sum of the row", format=".6f")],
        )
    )


def _column_totals(x: alt.X, step: float, height: float) -> alt.Chart:
    upright = step >= _UPRIGHT
    return (
        alt.Chart(table("columns"))
        .mark_text(
            align="center" if upright else "right",
            baseline="top" if upright else "middle",
            angle=0 if upright else 270,
            color=INK,
            opacity=0.7,
            fontSize=min(font_size(step), 10),
        )
        .encode(
            x=x,
            y=alt.value(height + 4),
            text=alt.Text("total:Q", format=".2f"),
            tooltip=[
                alt.Tooltip("label:N", title="key"),
                alt.Tooltip("total:Q", title="sum of the column", format=".4f"),
            ],
        )
    )


def _bars(n_columns: int, step: float, palette: Palette, what: str, masked: bool) -> alt.LayerChart:
    x = alt.X("k:O", scale=_positions(n_columns), axis=None)
    y = alt.Y(
        "weight:Q",
        title=what,
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(values=[0, 0.5, 1], grid=True, gridOpacity=0.4, tickSize=3),
    )
    shown = _seen(masked).transform_filter(_HOVERED_OR_LOCKED)
    bars = (
        shown.transform_calculate(**_LABELS)
        .mark_bar(color=palette.accent)
        .encode(
            x=x,
            y=y,
            tooltip=[*_names(), alt.Tooltip("weight:Q", title=what, format=".4f")],
        )
    )
    upright = step >= _UPRIGHT
    numbers = (
        shown.transform_filter(alt.datum.weight >= 0.01)
        .mark_text(
            color=INK,
            fontSize=min(10.0, font_size(step)),
            clip=False,
            angle=0 if upright else 270,
            align="center" if upright else "left",
            baseline="bottom" if upright else "middle",
            dy=-2 if upright else 0,
            dx=0 if upright else 3,
        )
        .encode(x=x, y=y, text=alt.Text("weight:Q", format=".2f"))
    )
    return alt.layer(bars, numbers).properties(width=n_columns * step, height=_BARS)
