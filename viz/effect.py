"""What a change does: log-probabilities, next tokens and one head, before and after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from records import AttentionSite, Candidate
from words.numbers import percent, signed

from . import chart
from .bars import FONT, Columns, Lines
from .chart import Part
from .figure import Figure
from .labels import distinct_labels, label_room, token_label
from .look import say
from .matrix import Grid, cell_places, edge, pair_names
from .theme import INK, NEGATIVE, POSITIVE, diverging_ramp, palette_of

SELECTION_NAME = "cell"
_BAR_STEP = 30
_BAR_HEIGHT = 120
_LEAST_RANGE = -0.5, 0.1
_ROOM = 184  # pixels for the columns of a matrix
_NEXT_ROOM = 190
_NEXT_NAMES = 84  # pixels for the names of the tokens
_NEXT_LINE = 26


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
    bars["text"] = [signed(change) if abs(change) >= 0.05 else "" for change in bars["change"]]
    bars["marked"] = bars["place"] == (-1 if marked is None else marked)
    # Without a least range, changes of nothing to speak of would fill the picture.
    ends = [min(_LEAST_RANGE[0], bars["change"].min()), max(_LEAST_RANGE[1], bars["change"].max())]
    tables = {"bars": bars, "ends": pd.DataFrame({"change": ends})}
    n, room = len(bars), label_room(bars["label"], _BAR_STEP)
    return Figure(_log_prob_chart(n, room), tables, "", width=n * _BAR_STEP + 80)


def _log_prob_chart(n: int, room: int) -> Part:
    loss, gain = diverging_ramp()[1::2]
    y = chart.field(
        "change:Q",
        title=say("figures-effect-change-of-log-p"),
        scale={"zero": True, "padding": 14},
        axis={"tickCount": 4, "gridOpacity": 0.3, "format": ".4~f"},
    )
    x = chart.field("place:O", scale=chart.places(n, 0.2, None), axis=None)
    columns = Columns("bars", x, _BAR_HEIGHT)
    falls = "datum.change < 0"
    places = {"baseline": {"expr": f"{falls} ? 'top' : 'bottom'"}}
    marked = {"where": "datum.marked", "x": x, "y": chart.value(0), "y2": chart.value(_BAR_HEIGHT)}
    layers = [
        chart.draw("ends", chart.mark("point", opacity=0, **chart.QUIET), y=y),
        chart.draw(
            "bars",
            chart.mark("bar", tooltip=None),
            x=x,
            y=y,
            y2=chart.datum(0),
            color=chart.when((falls, loss), otherwise=gain),
        ),
        chart.draw(
            "bars",
            chart.text(fontSize=9, **places, dy={"expr": f"{falls} ? 2 : -2"}),
            x=x,
            y=y,
            text="text:N",
        ),
        columns.names(10, size=FONT, opacity=chart.when(("datum.marked", 1), otherwise=0.85)),
        chart.draw(
            "bars",
            chart.mark(
                "rect", fill="transparent", stroke=INK, strokeDash=[3, 3], strokeOpacity=0.7
            ),
            **marked,
        ),
        columns.areas(
            chart.told(
                ("token:N", say("figures-token")),
                ("before:Q", say("figures-effect-log-p-before"), ".4f"),
                ("after:Q", say("figures-effect-log-p-after"), ".4f"),
                ("change:Q", say("figures-effect-change"), "+.4f"),
            ),
            below=room * 0.7,
        ),
    ]
    size = {"width": n * _BAR_STEP, "height": _BAR_HEIGHT}
    return chart.whole(chart.layered(*layers, **size), autosize="pad")


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
    for side in ("before", "after"):
        drawn[f"text_{side}"] = [percent(p) for p in drawn[side]]
    at = drawn["token_id"] == written
    drawn.loc[at, "label"] = "▸ " + drawn.loc[at, "label"]
    return Figure(_next_chart(), {"tokens": drawn}, "", width=_NEXT_NAMES + _NEXT_ROOM + 90)


def _next_chart() -> Part:
    """The same for any number of tokens, so that only its data changes from step to step."""
    lines = Lines("tokens", None)
    band = _NEXT_LINE * 0.8
    sides = []
    for name, colour, centre, look in (
        ("before", NEGATIVE, 0.26, {"fillOpacity": 0.25, "stroke": NEGATIVE, "strokeWidth": 1.2}),
        ("after", POSITIVE, 0.76, {}),
    ):
        x = chart.field(
            f"{name}:Q",
            title=say("figures-probability-of-being-next"),
            scale={"domain": [0, 1]},
            axis=chart.share_axis(),
        )
        offset = (centre - 0.5) * band
        style = {"color": colour, "size": band * 0.4, "yOffset": offset, "tooltip": None, **look}
        numbers = lines.numbers(x, f"text_{name}:N", dx=4, dy=offset, fontSize=9.5)
        sides.append(chart.layered(lines.bars(x, style), numbers))
    tooltip = chart.told(
        ("token:N", say("figures-token")),
        ("before:Q", say("figures-effect-before"), ".4f"),
        ("after:Q", say("figures-effect-after"), ".4f"),
        ("log_before:Q", say("figures-effect-log-p-before"), ".4f"),
        ("log_after:Q", say("figures-effect-log-p-after"), ".4f"),
        ("rank_before:Q", say("figures-effect-rank-before")),
        ("rank_after:Q", say("figures-effect-rank-after")),
    )
    areas = lines.areas(-_NEXT_NAMES, _NEXT_ROOM + 40, tooltip)
    layers = chart.layered(
        *sides, lines.names(room=_NEXT_NAMES), areas, width=_NEXT_ROOM, height={"step": _NEXT_LINE}
    )
    return chart.whole(layers, autosize="pad")


def weight_matrix(
    weights: np.ndarray,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    *,
    kind: AttentionSite | str,
    seen: np.ndarray | None = None,
    hatched: np.ndarray | None = None,
    title: str | None = None,
    click: int | None = None,
) -> Figure:
    """One head's weights, small: colours from 0 to 1.

    Parameters
    ----------
    weights : (T_q, T_k)
    kind : the site, or its name, for its colours
    seen : bool (T_q, T_k), False where the cell is absent; everywhere when None
    hatched : bool (T_q, T_k), True where a change forbids the cell; hatched instead of coloured
    title : what the numbers are; weights unless given
    click : None for a figure nobody clicks; else a number as for `viz.heatmap.attention_cells`,
        and the selection `cell` reports q, k and it, of absent and hatched cells too
    """
    cells = matrix_cells(weights, query_tokens, key_tokens, seen=seen, hatched=hatched)
    cells["click"] = np.int32(-1 if click is None else click)
    title = title or say("figures-weight")
    grid, edges = _grid(query_tokens, key_tokens, _ROOM if click is None else 1.8 * _ROOM)
    colour = chart.share_colour("value:Q", palette_of(kind).ramp, title=title, **_bar(grid))
    layers = _matrix(
        grid,
        "datum.seen && !datum.hatched",
        colour,
        chart.told(*pair_names(), ("value:Q", title, ".4f"), _forbidden()),
        click is not None,
    )
    return _matrix_figure(grid, layers, cells, edges, "" if click is None else SELECTION_NAME)


def difference_matrix(
    before: np.ndarray,
    after: np.ndarray,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    *,
    seen: np.ndarray | None = None,
    hatched: np.ndarray | None = None,
    title: str | None = None,
) -> Figure:
    """After minus before, (T_q, T_k): green where weight came, purple where it went.

    `seen` is where either side may look. Hatched cells keep their colour: what they lost is a
    number like any other.
    """
    difference = after - before
    cells = matrix_cells(difference, query_tokens, key_tokens, seen=seen, hatched=hatched)
    cells["before"], cells["after"] = before.ravel(), after.ravel()
    title = title or say("figures-effect-after-minus-before")
    grid, edges = _grid(query_tokens, key_tokens, _ROOM)
    colour = chart.signed_colour(
        "value:Q",
        diverging_ramp(),
        chart.symmetric_limit(difference.ravel()),
        title=title,
        **_bar(grid),
    )
    tooltip = chart.told(
        *pair_names(),
        ("before:Q", say("figures-effect-before"), ".4f"),
        ("after:Q", say("figures-effect-after"), ".4f"),
        ("value:Q", title, "+.4f"),
        _forbidden(),
    )
    layers = _matrix(grid, "datum.seen", colour, tooltip, False)
    return _matrix_figure(grid, layers, cells, edges, "")


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
    full = np.ones(values.shape, bool)
    return pd.DataFrame(
        {
            **cell_places(values.shape, query_tokens, key_tokens),
            "value": values.ravel().astype(np.float32),
            "seen": (full if seen is None else seen).ravel(),
            "hatched": (~full if hatched is None else hatched).ravel(),
        }
    )


def _grid(
    query_tokens: Sequence[str], key_tokens: Sequence[str], room: float
) -> tuple[Grid, dict[str, pd.DataFrame]]:
    """Square cells in so much room, and the tables of the labels."""
    edges = {"rows": edge(query_tokens, "q"), "columns": edge(key_tokens, "k")}
    step = max(9.0, min(26.0, room / max(map(len, edges.values()))))
    return Grid.of(*edges.values(), (step, step)), edges


def _bar(grid: Grid) -> Part:
    length = round(max(130, min(200, grid.width)))
    return {"gradientLength": length, "gradientThickness": 9, "offset": 6, "titleLimit": 240}


def _forbidden() -> tuple[str, str]:
    return "hatched:N", say("figures-effect-forbidden")


def _matrix(
    grid: Grid, drawn: str, colour: Part, tooltip: list[Part], clickable: bool
) -> list[Part]:
    # Every cell twice would double the work of drawing: what is coloured tells its own numbers.
    pointed = {"tooltip": tooltip}
    style = {"aria": False, **({"tooltip": None} if clickable else {})}
    cursor = "pointer" if clickable else "default"
    return [
        grid.cells(style, where=drawn, color=colour, **({} if clickable else pointed)),
        grid.hatches(),
        grid.cells(
            {"fill": "transparent", "aria": clickable, "cursor": cursor},
            where=None if clickable else "datum.hatched",
            params=[chart.click(SELECTION_NAME, "q", "k", "click")] if clickable else (),
            **pointed,
        ),
        grid.row_labels(),
        grid.column_labels(),
    ]


def _matrix_figure(
    grid: Grid,
    layers: list[Part],
    cells: pd.DataFrame,
    edges: dict[str, pd.DataFrame],
    selection: str,
) -> Figure:
    return Figure(
        chart.whole(grid.drawn(*layers), right=18, autosize="pad"),
        {"cells": cells, **edges},
        selection,
        width=round(grid.width) + grid.row_room + 60,
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
    both = {
        **frame,
        "hconcat": parts,
        "spacing": 50,
        "resolve": {"scale": {"x": "independent", "y": "independent", "color": "independent"}},
        "padding": {"left": 4, "top": 4, "right": 30, "bottom": 4},
    }
    return Figure(both, tables, "", width=sum(figure.width for figure in figures))


def _part(whole: Part) -> Part:
    """A chart as part of another: without what only a whole one may have."""
    own = ("$schema", "config", "autosize", "padding", "params", "background")
    return {key: value for key, value in whole.items() if key not in own}


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
