"""What a change does: log-probabilities, next tokens and one head, before and after."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from records import AttentionKind, AttentionMap, Candidate

from .figure import Figure, table
from .labels import distinct_labels, font_size, numbered_labels, text_width, token_label
from .pairs import FIRST, SECOND, moved, symmetric_limit
from .theme import INK, diverging_ramp, palette_of

SELECTION_NAME = "cell"
BEFORE, AFTER = "before", "after"
_HATCH = "M-1,-0.2L-0.2,-1M-1,1L1,-1M0.2,1L1,0.2"
_LABEL_LIMIT = 110.0
_BAR_STEP = 30
_BAR_HEIGHT = 120
_LEAST_RANGE = -0.5, 0.1
_ROOM = 184  # pixels for the columns of a matrix
_NEXT_ROOM = 190
_NEXT_NAMES = 84  # pixels for the names of the tokens
_NEXT_LINE = 26
_FONT = 12.0


def log_prob_changes(
    tokens: Sequence[str], before: Sequence[float], after: Sequence[float]
) -> pd.DataFrame:
    """One line a token: place (from 0), label, token, before, after (natural log p), change.

    Raises
    ------
    ValueError : the three differ in length.
    """
    if not len(tokens) == len(before) == len(after):
        raise ValueError(
            f"{len(tokens)} tokens, but {len(before)} log-probabilities before and {len(after)} "
            "after"
        )
    first, second = (np.asarray(side, dtype=np.float64) for side in (before, after))
    return pd.DataFrame(
        {
            "place": np.arange(len(tokens), dtype=np.int32),
            "label": distinct_labels(tokens),
            "token": [token_label(token, max_length=48) for token in tokens],
            "before": first,
            "after": second,
            "change": second - first,
        }
    )


def log_prob_bars(
    tokens: Sequence[str],
    before: Sequence[float],
    after: Sequence[float],
    *,
    marked: int | None = None,
    dark: bool = False,
) -> Figure:
    """The change in log p of every token: up and green where it became likelier, else purple.

    Parameters
    ----------
    marked : place of a token to frame.

    Raises
    ------
    ValueError : no tokens, or as many numbers as there are not tokens.
    """
    bars = log_prob_changes(tokens, before, after)
    if bars.empty:
        raise ValueError("no tokens to draw")
    bars["text"] = [_signed(change, 2) if abs(change) >= 0.05 else "" for change in bars["change"]]
    bars["marked"] = bars["place"] == (-1 if marked is None else marked)
    room = _label_room(bars["label"], _BAR_STEP)
    n = len(bars)
    # Without a least range, changes of nothing to speak of would fill the picture.
    ends = [min(_LEAST_RANGE[0], bars["change"].min()), max(_LEAST_RANGE[1], bars["change"].max())]
    tables = {"bars": bars, "ends": pd.DataFrame({"change": ends})}
    return Figure(_log_prob_chart(n, room, dark), tables, "", width=n * _BAR_STEP + 80)


def next_tokens(
    before: Sequence[Candidate], after: Sequence[Candidate], count: int = 8
) -> pd.DataFrame:
    """The `count` likeliest tokens of either side, likeliest on any side first.

    Parameters
    ----------
    before, after : candidates of both sides, likeliest first; each token of the result must be
        in both, so they must reach deep enough.

    Returns
    -------
    DataFrame with the columns place (from 0), token_id, token, label, and for either side
    probability, log_prob and rank (from 1): before, after, log_before, log_after, rank_before,
    rank_after.

    Raises
    ------
    KeyError : a token is missing on one side.
    """
    sides = [{each.token_id: each for each in side} for side in (before, after)]
    ids = dict.fromkeys(each.token_id for side in (before, after) for each in side[:count])
    pairs = [(sides[0][token_id], sides[1][token_id]) for token_id in ids]
    pairs.sort(key=lambda pair: -max(pair[0].log_prob, pair[1].log_prob))
    logs = np.array([[a.log_prob, b.log_prob] for a, b in pairs]).reshape(-1, 2)
    return pd.DataFrame(
        {
            "place": np.arange(len(pairs), dtype=np.int32),
            "token_id": np.array([a.token_id for a, _ in pairs], np.int32),
            "token": [token_label(a.token, max_length=48) for a, _ in pairs],
            "label": [token_label(a.token) for a, _ in pairs],
            "before": np.exp(logs[:, 0]),
            "after": np.exp(logs[:, 1]),
            "log_before": logs[:, 0],
            "log_after": logs[:, 1],
            "rank_before": [a.rank + 1 for a, _ in pairs],
            "rank_after": [b.rank + 1 for _, b in pairs],
        }
    )


def next_token_bars(tokens: pd.DataFrame, *, written: int | None = None) -> Figure:
    """Two bars a token: its probability before (hollow, above) and after (solid, below).

    Parameters
    ----------
    tokens : the table of `next_tokens`.
    written : id of the token that the original output has there; it is marked ▸.
    """
    drawn = tokens.copy()
    for side in (BEFORE, AFTER):
        drawn[f"text_{side}"] = [percent(p) for p in drawn[side]]
    at = drawn["token_id"] == written
    drawn.loc[at, "label"] = "▸ " + drawn.loc[at, "label"]
    return Figure(_next_chart(), {"tokens": drawn}, "", width=_NEXT_NAMES + _NEXT_ROOM + 90)


def seen_cells(attention: AttentionMap, layer: int, head: int) -> np.ndarray:
    """Where one head may look, bool (T_q, T_k)."""
    mask = attention.mask_of(layer, head)
    return np.ones(attention.weights.shape[2:], bool) if mask is None else mask


def moved_mass(before: AttentionMap, after: AttentionMap) -> np.ndarray:
    """How much of a row's weight moved in each head of a kind, mean over rows, 0 to 1; (L, H).

    Half the sum of absolute differences: the total variation distance. Both maps are of the same
    tokens.
    """
    return moved(after.weights - before.weights)


def weight_matrix(
    weights: np.ndarray,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    *,
    kind: AttentionKind,
    seen: np.ndarray | None = None,
    hatched: np.ndarray | None = None,
    title: str = "weight",
    click: int | None = None,
    dark: bool = False,
) -> Figure:
    """One head's weights, small: colours from 0 to 1.

    Parameters
    ----------
    weights : (T_q, T_k)
    seen : bool (T_q, T_k), False where the cell is absent; everywhere when None
    hatched : bool (T_q, T_k), True where a change forbids the cell; hatched instead of coloured
    click : None for a figure nobody clicks; else a number as for `viz.heatmap.attention_cells`,
        and the selection `cell` reports q, k and it, of absent and hatched cells too
    """
    cells = matrix_cells(weights, query_tokens, key_tokens, seen=seen, hatched=hatched)
    cells["click"] = np.int32(-1 if click is None else click)
    return _matrix(cells, weights.shape, query_tokens, key_tokens, kind, title, 1.0, click, dark)


def difference_matrix(
    before: np.ndarray,
    after: np.ndarray,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    *,
    seen: np.ndarray | None = None,
    hatched: np.ndarray | None = None,
    title: str = "after minus before",
    dark: bool = False,
) -> Figure:
    """After minus before, (T_q, T_k): green where weight came, purple where it went.

    `seen` is where either side may look. Hatched cells keep their colour: what they lost is a
    number like any other.
    """
    difference = after - before
    cells = matrix_cells(difference, query_tokens, key_tokens, seen=seen, hatched=hatched)
    cells["before"], cells["after"] = before.ravel(), after.ravel()
    limit = symmetric_limit(difference.ravel())
    return _matrix(
        cells, difference.shape, query_tokens, key_tokens, None, title, limit, None, dark
    )


def matrix_cells(
    values: np.ndarray,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    *,
    seen: np.ndarray | None = None,
    hatched: np.ndarray | None = None,
) -> pd.DataFrame:
    """One line a cell: q, k (from 0), query, key (labels with the position from 1), value, seen
    (False where the cell is absent) and hatched (True where a change forbids it)."""
    rows, columns = (axis.ravel() for axis in np.indices(values.shape))
    full = np.ones(values.shape, bool)
    query, key = (
        np.array(numbered_labels(tokens), dtype=object) for tokens in (query_tokens, key_tokens)
    )
    return pd.DataFrame(
        {
            "q": rows.astype(np.int16),
            "k": columns.astype(np.int16),
            "query": pd.Categorical.from_codes(rows, query),
            "key": pd.Categorical.from_codes(columns, key),
            "value": values.ravel().astype(np.float32),
            "seen": (full if seen is None else seen).ravel(),
            "hatched": (~full if hatched is None else hatched).ravel(),
        }
    )


def side_by_side(figures: Sequence[Figure], *, titles: Sequence[str]) -> Figure:
    """Figures of this module next to each other as one, for saving."""
    tables = {
        f"{name}{place}": frame
        for place, figure in enumerate(figures)
        for name, frame in figure.tables.items()
    }
    parts = [
        {**_with_tables(_part(figure.chart), place), "title": title}
        for place, (figure, title) in enumerate(zip(figures, titles, strict=True))
    ]
    frame = {key: figures[0].chart[key] for key in ("$schema", "config") if key in figures[0].chart}
    chart = {
        **frame,
        "hconcat": parts,
        "spacing": 50,
        "resolve": {"scale": {"x": "independent", "y": "independent", "color": "independent"}},
        "padding": {"left": 4, "top": 4, "right": 30, "bottom": 4},
    }
    return Figure(chart, tables, "", width=sum(figure.width for figure in figures))


def _part(chart: dict[str, Any]) -> dict[str, Any]:
    """A chart as part of another: without what only a whole one may have."""
    whole = ("$schema", "config", "autosize", "padding", "params", "background")
    return {key: value for key, value in chart.items() if key not in whole}


def _with_tables(part: Any, place: int) -> Any:
    """A copy that reads the tables of the `place`-th figure."""
    if isinstance(part, list):
        return [_with_tables(each, place) for each in part]
    if not isinstance(part, dict):
        return part
    return {
        key: {"name": f"{value['name']}{place}"}
        if key == "data" and isinstance(value, dict) and "name" in value
        else _with_tables(value, place)
        for key, value in part.items()
    }


def _signed(value: float, digits: int) -> str:
    return f"{value:+.{digits}f}".replace("-", "−")


def percent(probability: float) -> str:
    """Percent with one decimal; what that would round away is not called nothing."""
    return "< 0.1%" if 0 < probability < 0.0005 else f"{probability:.1%}"


def _label_room(labels: Sequence[str], step: float) -> int:
    return round(min(_LABEL_LIMIT, max(text_width(label, font_size(step)) for label in labels)))


@lru_cache(maxsize=64)
def _log_prob_chart(n: int, room: int, dark: bool) -> dict[str, Any]:
    ramp = diverging_ramp(dark)
    loss, gain = ramp[1], ramp[3]
    x = alt.X("place:O", scale=alt.Scale(domain=list(range(n)), paddingInner=0.2), axis=None)
    y = alt.Y(
        "change:Q",
        title="change in log p",
        scale=alt.Scale(zero=True, padding=14),
        axis=alt.Axis(tickCount=4, gridOpacity=0.3, format=".4~f"),
    )
    bars = alt.Chart(table("bars"))
    ends = alt.Chart(table("ends")).mark_point(opacity=0, tooltip=None, aria=False).encode(y=y)
    tooltip = [
        alt.Tooltip("token:N", title="token"),
        alt.Tooltip("before:Q", title="log p before", format=".4f"),
        alt.Tooltip("after:Q", title="log p after", format=".4f"),
        alt.Tooltip("change:Q", title="change", format="+.4f"),
    ]
    drawn = bars.mark_bar(tooltip=None).encode(
        x=x,
        y=y,
        y2=alt.Y2Datum(0),
        color=alt.when("datum.change < 0").then(alt.value(loss)).otherwise(alt.value(gain)),
    )
    numbers = bars.mark_text(
        fontSize=9,
        color=INK,
        tooltip=None,
        baseline=alt.expr("datum.change < 0 ? 'top' : 'bottom'"),
        dy=alt.expr("datum.change < 0 ? 2 : -2"),
    ).encode(x=x, y=y, text="text:N")
    names = bars.mark_text(
        align="right", baseline="middle", angle=310, fontSize=_FONT, limit=_LABEL_LIMIT,
        color=INK, tooltip=None,
    ).encode(
        x=x,
        y=alt.value(_BAR_HEIGHT + 10),
        text="label:N",
        opacity=alt.when("datum.marked").then(alt.value(1)).otherwise(alt.value(0.85)),
    )  # fmt: skip
    place = (
        bars.transform_filter("datum.marked")
        .mark_rect(fill="transparent", stroke=INK, strokeDash=[3, 3], strokeOpacity=0.7)
        .encode(x=x, y=alt.value(0), y2=alt.value(_BAR_HEIGHT))
    )
    areas = bars.mark_rect(fill="transparent").encode(
        x=x, y=alt.value(0), y2=alt.value(_BAR_HEIGHT + room * 0.7), tooltip=tooltip
    )
    return (
        alt.layer(ends, drawn, numbers, names, place, areas)
        .properties(
            width=n * _BAR_STEP,
            height=_BAR_HEIGHT,
            autosize="pad",
            padding={"left": 4, "top": 4, "right": 8, "bottom": 4},
        )
        .configure_view(stroke=None)
        .to_dict()
    )


@lru_cache(maxsize=1)
def _next_chart() -> dict[str, Any]:
    """One chart for any number of tokens, so that only its data changes from step to step."""
    y = alt.Y("place:O", scale=alt.Scale(paddingInner=0.2, paddingOuter=0.1), axis=None)
    axis = alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".2f", gridOpacity=0.3)
    scale = alt.Scale(domain=[0, 1])
    tokens = alt.Chart(table("tokens"))
    text = {"baseline": "middle", "color": INK, "tooltip": None}
    band = _NEXT_LINE * 0.8

    def side(name: str, colour: str, centre: float, **look: float) -> alt.LayerChart:
        x = alt.X(f"{name}:Q", title="probability of being next", scale=scale, axis=axis)
        offset = (centre - 0.5) * band
        bars = tokens.mark_bar(
            color=colour, size=band * 0.4, yOffset=offset, tooltip=None, **look
        ).encode(x=x, y=y)
        numbers = tokens.mark_text(align="left", dx=4, dy=offset, fontSize=9.5, **text).encode(
            x=x, y=y, text=f"text_{name}:N"
        )
        return alt.layer(bars, numbers)

    names = tokens.mark_text(align="right", limit=_NEXT_NAMES, fontSize=_FONT, **text).encode(
        x=alt.value(-8),
        y=y,
        text="label:N",
    )
    areas = tokens.mark_rect(fill="transparent").encode(
        x=alt.value(-_NEXT_NAMES),
        x2=alt.value(_NEXT_ROOM + 40),
        y=y,
        tooltip=[
            alt.Tooltip("token:N", title="token"),
            alt.Tooltip("before:Q", title="before", format=".4f"),
            alt.Tooltip("after:Q", title="after", format=".4f"),
            alt.Tooltip("log_before:Q", title="log p before", format=".4f"),
            alt.Tooltip("log_after:Q", title="log p after", format=".4f"),
            alt.Tooltip("rank_before:Q", title="rank before"),
            alt.Tooltip("rank_after:Q", title="rank after"),
        ],
    )
    return (
        alt.layer(
            side(BEFORE, FIRST, 0.26, fillOpacity=0.25, stroke=FIRST, strokeWidth=1.2),
            side(AFTER, SECOND, 0.76),
            names,
            areas,
        )
        .properties(
            width=_NEXT_ROOM,
            height=alt.Step(_NEXT_LINE),
            autosize="pad",
            padding={"left": 4, "top": 4, "right": 8, "bottom": 4},
        )
        .configure_view(stroke=None)
        .to_dict()
    )


def _matrix(
    cells: pd.DataFrame,
    shape: tuple[int, int],
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    kind: AttentionKind | None,
    title: str,
    limit: float,
    click: int | None,
    dark: bool,
) -> Figure:
    n_rows, n_columns = shape
    step = max(9.0, min(26.0, (_ROOM if click is None else 1.8 * _ROOM) / max(shape)))
    rows = pd.DataFrame({"q": np.arange(n_rows), "label": distinct_labels(query_tokens)})
    columns = pd.DataFrame({"k": np.arange(n_columns), "label": distinct_labels(key_tokens)})
    row_room, column_room = _label_room(rows["label"], step), _label_room(columns["label"], step)
    chart = _matrix_chart(
        kind, n_rows, n_columns, step, row_room, column_room, title, limit, click is not None, dark
    )
    return Figure(
        chart,
        {"cells": cells, "rows": rows, "columns": columns},
        "" if click is None else SELECTION_NAME,
        width=round(n_columns * step) + row_room + 60,
    )


@lru_cache(maxsize=128)
def _matrix_chart(
    kind: AttentionKind | None,
    n_rows: int,
    n_columns: int,
    step: float,
    row_room: int,
    column_room: int,
    title: str,
    limit: float,
    clickable: bool,
    dark: bool,
) -> dict[str, Any]:
    quiet = {"labels": False, "ticks": False, "domain": False}
    x = alt.X(
        "k:O",
        title="key (column)",
        scale=alt.Scale(domain=list(range(n_columns)), paddingInner=0.06, paddingOuter=0.0),
        axis=alt.Axis(orient="top", titlePadding=column_room * 0.78 + 10, **quiet),
    )
    y = alt.Y(
        "q:O",
        title="query (row) attends to →",
        scale=alt.Scale(domain=list(range(n_rows)), paddingInner=0.06, paddingOuter=0.0),
        axis=alt.Axis(titlePadding=row_room + 10, **quiet),
    )
    width, height = n_columns * step, n_rows * step
    if kind is None:
        scale = alt.Scale(
            domain=[-limit, limit], range=list(diverging_ramp(dark)), interpolate="lab"
        )
        values = [-limit, -limit / 2, 0, limit / 2, limit]
        form = "+.3~f" if limit < 0.1 else "+.2f"
        numbers = [("before", "before", ".4f"), ("after", "after", ".4f"), ("value", title, "+.4f")]
    else:
        scale = alt.Scale(domain=[0, 1], range=list(palette_of(kind, dark=dark).ramp), clamp=True)
        values, form = [0, 0.25, 0.5, 0.75, 1], ".2f"
        numbers = [("value", title, ".4f")]
    colour = alt.Color(
        "value:Q",
        title=title,
        scale=scale,
        legend=alt.Legend(
            orient="bottom",
            direction="horizontal",
            gradientLength=round(max(130, min(200, width))),
            gradientThickness=9,
            values=values,
            format=form,
            offset=6,
            titleLimit=240,
        ),
    )
    cells = alt.Chart(table("cells"))
    drawn = cells.transform_filter("datum.seen" if kind is None else "datum.seen && !datum.hatched")
    hatches = (
        cells.transform_filter("datum.hatched")
        .mark_point(
            shape=_HATCH, size=(step * 0.8) ** 2, filled=False, strokeWidth=1, stroke=INK,
            opacity=0.6, tooltip=None, aria=False,
        )
        .encode(x=x, y=y)
    )  # fmt: skip
    tooltip = [
        alt.Tooltip("query:N", title="query"),
        alt.Tooltip("key:N", title="key"),
        *(alt.Tooltip(f"{name}:Q", title=what, format=how) for name, what, how in numbers),
        alt.Tooltip("hatched:N", title="forbidden by the change"),
    ]
    # Every cell twice would double the work of drawing: what is coloured tells its own numbers.
    covered = cells if clickable else cells.transform_filter("datum.hatched")
    areas = covered.mark_rect(
        fill="transparent", aria=clickable, cursor="pointer" if clickable else "default"
    ).encode(x=x, y=y, tooltip=tooltip)
    coloured = drawn.mark_rect(aria=False, **({"tooltip": None} if clickable else {})).encode(
        x=x, y=y, color=colour, **({} if clickable else {"tooltip": tooltip})
    )
    if clickable:
        areas = areas.add_params(
            alt.selection_point(
                name=SELECTION_NAME,
                fields=["q", "k", "click"],
                on="click",
                clear=False,
                empty=False,
                toggle=False,
            )
        )
    text = {
        "baseline": "middle", "fontSize": font_size(step), "limit": _LABEL_LIMIT, "color": INK,
        "tooltip": None,
    }  # fmt: skip
    row_labels = (
        alt.Chart(table("rows"))
        .mark_text(align="right", **text)
        .encode(y=y, x=alt.value(-6), text="label:N")
    )
    column_labels = (
        alt.Chart(table("columns"))
        .mark_text(align="left", angle=310, **text)
        .encode(x=x, y=alt.value(-8), text="label:N")
    )
    return (
        alt.layer(
            coloured,
            hatches,
            areas,
            row_labels,
            column_labels,
        )
        .properties(
            width=width,
            height=height,
            autosize="pad",
            padding={"left": 4, "top": 4, "right": 18, "bottom": 4},
        )
        .configure_view(stroke=None)
        .to_dict()
    )
