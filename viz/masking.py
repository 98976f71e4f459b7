"""Masks as what they are, and what a softmax makes of its scores with them and without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.masking import HeadStages, share_outside
from records import DECODER, ENCODER, AttentionSite
from words.numbers import fixed

from .figure import Figure
from .labels import distinct_labels, text_width, token_label
from .look import is_dark, say
from .matrix import cell_places
from .sheet import BAR_LEGEND, LABEL_LIMIT, Area, Sheet, label_rooms, step_of
from .theme import palette_of, signed_ramp

FORBIDDEN = {False: "#9c6d9b", True: "#b98dba"}  # what a mask would have hidden
_FORBIDDEN_RAMP = {
    False: ("#f6f0f6", "#cdb0cd", FORBIDDEN[False], "#4d2350"),
    True: ("#2b242c", "#6d4a6e", FORBIDDEN[True], "#f6e4f7"),
}
_INFINITY_ROOM = 12.0  # pixels a cell needs for "−∞"
_GAP = 34.0
_LINE = 24.0


def stages_table(
    stages: HeadStages, query_tokens: Sequence[str], key_tokens: Sequence[str]
) -> pd.DataFrame:
    """One line a cell: q, k (from 0), query, key, may_look, score, exp, weight, and the last two
    without the mask."""
    return pd.DataFrame(
        {
            **cell_places(stages.scores.shape, query_tokens, key_tokens),
            "may_look": stages.mask.ravel(),
            "score": stages.scores.ravel(),
            "exp": stages.terms.ravel(),
            "weight": stages.weights.ravel(),
            "exp_without_mask": stages.free_terms.ravel(),
            "weight_without_mask": stages.free_weights.ravel(),
        }
    )


def outside_table(
    weights: np.ndarray, mask: np.ndarray, query_tokens: Sequence[str], key_tokens: Sequence[str]
) -> pd.DataFrame:
    """One line a cell: q, k (from 0), query, key, weight, outside (True where `mask` forbids)."""
    return pd.DataFrame(
        {
            **cell_places(weights.shape, query_tokens, key_tokens),
            "weight": weights.ravel(),
            "outside": ~mask.ravel(),
        }
    )


def stages_figure(
    stages: HeadStages,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    *,
    kind: AttentionSite | str = DECODER,
    row: int | None = None,
    click: int = 0,
) -> Figure:
    """The mask beside score + mask, exponential and weights; below, the same without the mask.

    The second line begins with the share of every row that the mask moved. The selection `cell`
    reports the clicked q and `click`.

    Parameters
    ----------
    kind : the site, or its name, for its colours.
    row : the query to frame.
    click : any number that tells this drawing from the last.
    """
    n_rows, n_columns = stages.scores.shape
    step = step_of(max(n_rows, n_columns), 184.0, 26.0)
    tokens = query_tokens, key_tokens
    row_room, column_room = label_rooms(tokens, (step, step))
    sheet = Sheet(click)
    wide = max(n_columns * step, 170.0) + 24.0
    top = _LINE + column_room + 20.0
    below = top + n_rows * step + BAR_LEGEND + 2 * _LINE + 12
    left = row_room + 28.0
    ramp, signed = palette_of(kind).ramp, signed_ramp()
    limit = float(np.abs(stages.scores).max()) or 1.0
    signed_scale, share_scale = (signed, (-limit, limit)), (ramp, (0.0, 1.0))
    with_mask = (
        ("figures-mask-score-and-mask", stages.scores, *signed_scale),
        ("figures-mask-exp", stages.terms, *share_scale),
        ("figures-mask-weight", stages.weights, *share_scale),
    )
    without = (
        ("figures-mask-score", stages.scores, *signed_scale),
        ("figures-mask-exp", stages.free_terms, *share_scale),
        ("figures-mask-share-of-sum", stages.free_weights, *share_scale),
    )
    everywhere = np.ones(stages.mask.shape, bool)
    for place, mask, matrices in ((top, stages.mask, with_mask), (below, everywhere, without)):
        sheet.row_labels(Area(left, place, step, step, n_rows, n_columns), query_tokens, row)
        above = place - (column_room if place == top else 6.0)
        for number, (id, values, colours, limits) in enumerate(matrices, start=1):
            grid = Area(left + number * wide, place, step, step, n_rows, n_columns)
            title = say(id)
            sheet.text(grid.left, above, title, "title", 12.0)
            sheet.hatched(grid, mask)
            sheet.matrix(grid, values, mask, colours, limits, tokens, what=title, legend="")
            if place == top:
                sheet.column_labels(grid, key_tokens)
                if number == 1:
                    _infinities(sheet, grid, mask)
            if row is not None:
                sheet.frame(grid, row)
    first = Area(left, top, step, step, n_rows, n_columns)
    _mask_cells(sheet, first, stages.mask, ramp, tokens)
    sheet.column_labels(first, key_tokens)
    sheet.text(left, top - column_room, say("figures-mask"), "title", 12.0)
    sheet.query_title(first, row_room, "figures-matrix-query-attends")
    sheet.text(first.right, top - column_room, say("figures-matrix-key"), "upper", 11.0)
    sheet.text(0, top - column_room - _LINE, say("figures-mask-with"), "heading", 13.0)
    sheet.mask_key(left, first.bottom + 10, ramp)
    bars = Area(left, below, step, step, n_rows, n_columns)
    sheet.text(0, below - _LINE - 6, say("figures-mask-without"), "heading", 13.0)
    sheet.text(left, below - 6, say("figures-mask-share-moved"), "title", 12.0)
    sheet.row_bars(bars, stages.moved, query_tokens, say("figures-mask-moved"))
    if row is not None:
        sheet.frame(first, row)
    return sheet.figure(FORBIDDEN[is_dark()], clickable=True)


def _infinities(sheet: Sheet, grid: Area, mask: np.ndarray) -> None:
    """The sign for minus infinity in the masked cells, where there is room for it."""
    if grid.across < _INFINITY_ROOM:
        return
    sheet.hatch.pop(-1)
    for q, k in np.argwhere(~mask).tolist():
        x, y = grid.left + (k + 0.5) * grid.across, grid.top + (q + 0.5) * grid.down
        sheet.text(x, y, "−∞", "inside", min(10.0, grid.across * 0.62))


def _mask_cells(
    sheet: Sheet,
    grid: Area,
    mask: np.ndarray,
    ramp: Sequence[str],
    tokens: tuple[Sequence[str], Sequence[str]],
) -> None:
    sheet.hatched(grid, mask)
    what = say("figures-mask-may-look")
    even = (ramp[2], ramp[2])
    sheet.matrix(grid, mask.astype(float), mask, even, (0.0, 1.0), tokens, what=what)


@dataclass(frozen=True, eq=False)
class MaskPanel:
    """One mask to draw: bool (T_q, T_k), True = may look, with a title and its tokens."""

    title: str
    mask: np.ndarray
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]


def masks_table(panels: Sequence[MaskPanel]) -> pd.DataFrame:
    """One line a cell: mask (its title), q, k (from 0), query, key, may_look."""
    parts = []
    for panel in panels:
        places = cell_places(panel.mask.shape, panel.query_tokens, panel.key_tokens)
        part = pd.DataFrame({"mask": panel.title, **places, "may_look": panel.mask.ravel()})
        parts.append(part.astype({"query": str, "key": str}))
    return pd.concat(parts, ignore_index=True)


def masks_figure(panels: Sequence[MaskPanel], *, kind: AttentionSite | str = ENCODER) -> Figure:
    """Masks side by side: filled where a query may look, hatched where it may not."""
    sheet = Sheet()
    ramp = palette_of(kind).ramp
    longest = max(max(panel.mask.shape) for panel in panels)
    step = step_of(longest, 220.0, 20.0)
    rooms = [label_rooms((panel.query_tokens, panel.key_tokens), (step, step)) for panel in panels]
    column_room = max(room for _, room in rooms)
    top, left = column_room + _LINE, 0.0
    for panel, (row_room, _) in zip(panels, rooms, strict=True):
        left += row_room + 28
        grid = Area(left, top, step, step, *panel.mask.shape)
        _mask_cells(sheet, grid, panel.mask, ramp, (panel.query_tokens, panel.key_tokens))
        sheet.row_labels(grid, panel.query_tokens)
        sheet.column_labels(grid, panel.key_tokens)
        sheet.query_title(grid, row_room, "figures-matrix-query")
        sheet.text(left, top - column_room, panel.title, "heading", 12.0)
        left = max(grid.right, left + text_width(panel.title, 12.0)) + _GAP
    height = max(len(panel.query_tokens) for panel in panels) * step
    sheet.mask_key(rooms[0][0] + 28, top + height + 12, ramp)
    return sheet.figure(ramp[2])


def outside_figure(
    weights: np.ndarray,
    mask: np.ndarray,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    *,
    kind: AttentionSite | str,
    inside_title: str,
    outside_title: str,
    hatched: bool = False,
) -> Figure:
    """One head's weights, those on keys that `mask` would forbid in a colour of their own.

    To the right of every row the share of its weight on such keys.

    Parameters
    ----------
    weights : (T_q, T_k), rows sum to one.
    mask : bool (T_q, T_k), True = may look.
    hatched : the mask was on; the cells it forbids are hatched and not coloured.
    """
    n_rows, n_columns = weights.shape
    across = step_of(n_columns, 400.0, 26.0)
    down = max(step_of(n_rows, 400.0, 26.0), min(across, 11.0))
    tokens = query_tokens, key_tokens
    row_room, column_room = label_rooms(tokens, (down, across))
    sheet = Sheet()
    grid = Area(row_room + 28, column_room + _LINE, across, down, n_rows, n_columns)
    ramp, limits = palette_of(kind).ramp, (0.0, 1.0)
    sheet.matrix(
        grid, weights, mask, ramp, limits, tokens, what=say("figures-weight"), legend=inside_title
    )
    if hatched:
        sheet.hatched(grid, mask)
    elif not mask.all():
        sheet.matrix(
            grid, weights, ~mask, _FORBIDDEN_RAMP[is_dark()], limits, tokens,
            what=outside_title, legend=outside_title, legend_left=grid.left + 190,
        )  # fmt: skip
        sheet.reach(grid.left + 360, grid.bottom)
    sheet.row_labels(grid, query_tokens)
    sheet.column_labels(grid, key_tokens)
    sheet.axis_titles(grid, row_room, column_room)
    right = Area(grid.right + _GAP + 30, grid.top, across, down, n_rows, n_columns)
    sheet.text(right.left, grid.top - 8, say("figures-mask-share-of-row"), "title")
    sheet.row_bars(right, share_outside(weights, mask), query_tokens, outside_title)
    return sheet.figure(FORBIDDEN[is_dark()])


def ranking_table(shares: np.ndarray) -> pd.DataFrame:
    """One line a head, largest share first: rank, layer, head (all from 1), share."""
    order = np.argsort(-shares, axis=None, kind="stable")
    layers, heads = np.unravel_index(order, shares.shape)
    return pd.DataFrame(
        {
            "rank": np.arange(1, len(order) + 1),
            "layer": layers + 1,
            "head": heads + 1,
            "share": shares[layers, heads],
        }
    )


def ranking_figure(
    shares: np.ndarray, *, chosen: tuple[int, int] | None = None, most: int = 16
) -> Figure:
    """The heads by their share (L, H), largest first, as bars; the chosen one is named in red.

    Beyond `most` heads the rest is left out, the chosen one stays.
    """
    ranked = ranking_table(shares)
    layer, head = (-1, -1) if chosen is None else (chosen[0] + 1, chosen[1] + 1)
    ranked["chosen"] = (ranked["layer"] == layer) & (ranked["head"] == head)
    kept = (ranked["rank"] <= most) | ranked["chosen"]
    shown = ranked[kept].reset_index(drop=True)
    sheet = Sheet()
    grid = Area(64.0, 20.0, 1.0, 17.0, len(shown), 1)
    names = [
        say("figures-head-code", layer=int(line.layer), head=int(line.head))
        for line in shown.itertuples()
    ]
    sheet.row_bars(grid, shown["share"].to_numpy(), names, say("figures-mask-mean-share"))
    for place, (name, line) in enumerate(zip(names, shown.itertuples(), strict=True)):
        middle = grid.top + (place + 0.5) * grid.down
        sheet.text(grid.left - 6, middle, name, "row", 11.0, chosen=bool(line.chosen))
    sheet.text(grid.left, grid.top - 6, say("figures-mask-mean-share-of-row"), "title")
    return sheet.figure(FORBIDDEN[is_dark()])


def forced_table(
    tokens: Sequence[str], first: np.ndarray, second: np.ndarray, names: tuple[str, str]
) -> pd.DataFrame:
    """One line a token: place (from 1), token, its natural log p in both runs, the difference.

    Raises
    ------
    ValueError : tokens and numbers differ in length.
    """
    if not len(tokens) == len(first) == len(second):
        raise ValueError(
            f"{len(first)} and {len(second)} log-probabilities for {len(tokens)} tokens"
        )
    before, after = (np.asarray(logs, dtype=np.float64) for logs in (first, second))
    return pd.DataFrame(
        {
            "place": np.arange(1, len(tokens) + 1),
            "token": [token_label(token, max_length=48) for token in tokens],
            names[0]: before,
            names[1]: after,
            "difference": after - before,
        }
    )


def forced_figure(
    tokens: Sequence[str],
    first: np.ndarray,
    second: np.ndarray,
    names: tuple[str, str],
    *,
    kind: AttentionSite | str = DECODER,
) -> Figure:
    """Natural log p of every token of one text in two runs, a bar for each, with both sums.

    `names` are those of the runs; the errors those of `forced_table`.
    """
    lines = forced_table(tokens, first, second, names)
    sheet = Sheet()
    n, down, room = len(lines), 26.0, 210.0
    logs = lines[list(names)].to_numpy()
    finite = np.where(np.isfinite(logs), logs, np.nan)
    lowest = min(-1.0, float(np.nanmin(finite, initial=-1.0)))
    labels = distinct_labels(tokens)
    left = min(LABEL_LIMIT, max(text_width(label, 12.0) for label in labels)) + 16
    top = 44.0
    colours = (palette_of(kind).accent, FORBIDDEN[is_dark()])
    for place, label in enumerate(labels):
        middle = top + (place + 0.5) * down
        sheet.text(left - 6, middle, label, "row", 12.0)
        for side in range(2):
            share = min(1.0, max(0.0, logs[place, side] / lowest))
            y = top + place * down + 3 + side * 10
            sheet.frames.append(
                {"x": left, "x2": left + share * room, "y": y, "y2": y + 9, "fill": colours[side]}
            )
            text = fixed(logs[place, side])
            sheet.text(left + share * room + 4, y + 5, text, "number", 9.5)
    for side, name in enumerate(names):
        y = 8.0 + side * 16
        sheet.frames.append(
            {"x": left, "x2": left + 12, "y": y - 6, "y2": y + 6, "fill": colours[side]}
        )
        total = say("figures-mask-sum", run=name, sum=fixed(logs[:, side].sum()))
        sheet.text(left + 18, y, total, "number", 11.5)
    bottom = top + n * down
    for at in (0.0, 0.5, 1.0):
        x = left + at * room
        sheet.frames.append({"x": x, "x2": x, "y": top, "y2": bottom, "axis": True})
        sheet.text(x, bottom + 10, fixed(at * lowest, 1) if at else "0", "tick", 10.0)
    sheet.text(left + room / 2, bottom + 26, say("figures-mask-log-p"), "tick", 11.0)
    sheet.reach(left + room + 44, bottom + 34)
    return sheet.figure(colours[1])
