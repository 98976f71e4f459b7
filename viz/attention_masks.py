"""Figures of masks, and of a head's softmax with and without its mask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import altair as alt
import numpy as np
import pandas as pd

from core.attention_masks import HeadStages, Step, share_moved
from core.records.attention import DECODER, ENCODER
from core.records.tokens import numbered_labels
from core.weights.tables import cell_places, edge, matrix_cells
from words.numbers import percent

from . import recipes as r
from .figure import Figure, drawn
from .grid import SMALLEST, Grid, small_grid
from .labels import SMALLEST_FONT
from .raster import data_url, mosaic_png
from .style import is_dark, say
from .theme import BEYOND, INK, Site, palette_of, signed_ramp

_TITLES = {
    "score": "figures-mask-score",
    "exp": "figures-mask-exp",
    "weight": "figures-mask-weight",
}
_MOST_CELLS = 900  # a matrix of more is drawn as an image
_INFINITY_ROOM = 16.0  # pixels a cell needs for "−∞"
# Pixels for the cells of a sentence of ordinary length.
_PAIR = 325
_MASKS = 630  # pixels for the columns of all masks together
_LOWEST = 300  # pixels for the rows of a pair
_BEFORE = -60  # left end of a row's area, so that its label can be clicked
_APART = r.apart("color", "shape")
_HATCHED = "M-1,1L1,-1L1,-0.7L-0.7,1ZM-1,0L0,-1L0.3,-1L-1,0.3Z"


def stages_table(
    stages: HeadStages, query_tokens: Sequence[str], key_tokens: Sequence[str]
) -> pd.DataFrame:
    """Return one row a cell: q, k (from 0), query, key, may_look, score, exp, weight.

    The last two stand there without the mask, too.
    """
    return _table(
        query_tokens,
        key_tokens,
        may_look=stages.mask,
        score=stages.scores,
        exp=stages.terms,
        weight=stages.weights,
        exp_without_mask=stages.free_terms,
        weight_without_mask=stages.free_weights,
    )


def outside_table(
    weights: np.ndarray, mask: np.ndarray, query_tokens: Sequence[str], key_tokens: Sequence[str]
) -> pd.DataFrame:
    """Return one row a cell: q, k (from 0), query, key, weight, outside (True if masked)."""
    return _table(query_tokens, key_tokens, weight=weights, outside=~mask)


def _table(queries: Sequence[str], keys: Sequence[str], **numbers: np.ndarray) -> pd.DataFrame:
    """Return one row a cell with its labels and these arrays."""
    cells = cell_places((len(queries), len(keys)), queries, keys)
    return pd.DataFrame(cells | {name: array.ravel() for name, array in numbers.items()})


def pair_figure(
    matrices: Mapping[str, np.ndarray],
    mask: np.ndarray,
    tokens: tuple[Sequence[str], Sequence[str]],
    *,
    site: Site = DECODER,
    step: Step = "weight",
    row: int | None = None,
    click: int = 0,
) -> Figure:
    """Draw one step of a head's softmax with its mask, and without it at the right.

    What lies on masked keys has a colour of its own at the right, and bars show the share of each
    row that moved there. The selection `cell` reports the clicked q and `click`.

    Parameters
    ----------
    matrices : mapping from title to ndarray of shape (T_q, T_k)
        With the mask, then without it.
    mask : bool ndarray of shape (T_q, T_k)
        True where a query may attend.
    tokens : (queries, keys), each a sequence of str
    site : site, or its name, for the colours
    step : scores are signed numbers; the other steps run from 0 to 1.
    row : int, optional
        Query to frame.
    click : int
        Any number that differs from drawing to drawing.
    """
    ramp = palette_of(site).ramp
    signs = _has_signs(step, mask.shape)
    masked, free = matrices.values()
    panels = _pair_panels((masked, free), mask, tokens, () if step == "score" else ramp)
    tables = _matrices(panels, click=np.int32(click))
    tables |= _pair_edges(mask, tokens, row, signs=signs, click=np.int32(click))
    tables["bars"] = _shares(tables["rows"], share_moved(free, mask, step))
    if step == "score":
        tables["limits"] = pd.DataFrame({"value": [-panels[1].limit, panels[1].limit]})
    titles = tuple(matrices)
    return drawn(_pair, tables, size=mask.shape, titles=titles, step=step, ramp=ramp, signs=signs)


def _has_signs(step: Step, size: tuple[int, int]) -> bool:
    """Return True if masked cells have a sign of infinity; in small ones the hatching is alone."""
    return step == "score" and _pair_grid(size).step[0] >= _INFINITY_ROOM


def _pair_panels(
    values: tuple[np.ndarray, np.ndarray],
    mask: np.ndarray,
    tokens: tuple[Sequence[str], Sequence[str]],
    ramp: tuple[str, ...],
) -> list[_Panel]:
    """Return the matrix with the mask, the one without it, and what the mask hides in that one.

    Without a `ramp` the values are signed numbers.
    """
    if not ramp:
        ramp = signed_ramp()
        limit = float(np.abs(values[1]).max()) or 1.0
        everywhere = mask | True
        return [
            _Panel(tokens, values[0], mask, ramp, limit),
            _Panel(tokens, values[1], everywhere, ramp, limit),
        ]
    beyond = [] if mask.all() else [_Panel(tokens, values[1], ~mask, _beyond())]
    return [_Panel(tokens, values[0], mask, ramp), _Panel(tokens, values[1], mask, ramp), *beyond]


def _pair_edges(
    mask: np.ndarray,
    tokens: tuple[Sequence[str], Sequence[str]],
    row: int | None,
    *,
    signs: bool,
    click: np.int32,
) -> dict[str, pd.DataFrame]:
    """Return the `_edges` of both matrices, which mark `row`; `signs` replace the hatching."""
    across, down = _pair_grid(mask.shape).step
    chosen = np.arange(len(mask)) == row
    edges = _edges(mask, *tokens, tall=down / across, chosen=chosen, click=click)
    if signs:
        del edges["hatch"]
        masked = pd.DataFrame(np.argwhere(~mask).astype(np.int16), columns=["q", "k"])
        edges["infinite"] = masked.assign(click=click)
    return edges


def _pair_grid(size: tuple[int, int]) -> Grid:
    """Return a grid of cells as wide as the page allows, for one of two matrices."""
    n_rows, n_columns = size
    step = max(SMALLEST, _PAIR / n_columns), max(SMALLEST, min(26.0, _LOWEST / n_rows))
    return Grid(n_rows, n_columns, step, chosen="chosen", key=None)


def _pair(
    size: tuple[int, int], titles: tuple[str, str], step: Step, ramp: tuple[str, ...], signs: bool
) -> alt.HConcatChart:
    grid = _pair_grid(size)
    right = replace(grid, bare="y", query=None)
    clicks = r.click("cell", "q", "click")
    title = _TITLES[step]
    if step == "score":
        left_layers, right_layers = _score_layers(grid, right, title, signs)
    else:
        colour = r.share_colour("value", ramp, title)
        unnamed = r.share_colour("value", ramp, title).legend(None)
        beyond = r.share_colour("value", _beyond(), "figures-mask-on-masked")
        left_layers = _coloured(grid, 0, colour, title)
        right_layers = _coloured(right, 1, unnamed, title)
        # A single position has no masked key.
        if size != (1, 1):
            right_layers += _coloured(right, 2, beyond, title)
    moved = "figures-mask-share-moved"
    # The ends of the scale of scores are a layer of their own, which shares its colours.
    looks: dict[str, Any] = {} if step == "score" else {"resolve": _APART}
    charts = [
        _matrix(grid, left_layers, hatched=not signs, clicks=clicks, **looks),
        _matrix(right, right_layers, hatched=False, clicks=clicks, **looks),
        _bars(size[0], grid.step[1], moved, moved, names=False, width=70, clicks=clicks),
    ]
    for chart, heading in zip(charts, titles, strict=False):
        chart.title = alt.TitleParams(heading, frame="group", fontSize=13)
    return r.beside(*charts, spacing=24, resolve=_APART)


def _score_layers(
    left: Grid, right: Grid, title: str, signs: bool
) -> tuple[list[alt.Chart], list[alt.Chart]]:
    """Return the layers of masked scores, with their signs of infinity, and of all scores."""
    scale = alt.Scale(range=[*signed_ramp()], interpolate="rgb")
    bar = r.colour_bar(None, "~f", tickCount=3)
    colour = alt.Color("value:Q", title=r.title_of(title), scale=scale, legend=bar)
    limits = r.source("limits")
    # Of the same kind as the coloured marks: another kind would add a legend of dots.
    mark = limits.mark_point if _pictured(left) else limits.mark_rect
    ends = mark(x=0, y=0, size=0, opacity=0, tooltip=None, aria=False).encode(color=colour)
    infinite = r.text(r.source("infinite"), text="−∞", opacity=0.75, fontSize=SMALLEST_FONT)
    marked = [infinite.encode(x=left.x, y=left.y)] * signs
    return (
        [*_coloured(left, 0, colour, title), ends, *marked],
        [*_coloured(right, 1, colour, title), ends],
    )


# -- matrices with hatched cells -----------------------------------------------------------


class _Panel(NamedTuple):
    """One matrix: values (T_q, T_k) with the tokens of their queries and keys."""

    tokens: tuple[Sequence[str], Sequence[str]]
    values: np.ndarray
    mask: np.ndarray  # bool (T_q, T_k), True for the cells that are drawn
    ramp: tuple[str, ...]
    limit: float = 0.0  # the ramp runs from minus it to it, or from 0 to 1 if it is 0


def _matrices(panels: Sequence[_Panel], **more: object) -> dict[str, pd.DataFrame]:
    """Return the table `cells` of several matrices, by the number of their `panel`.

    A matrix of many cells is a row of `picture` instead.
    """
    tables: dict[str, list[pd.DataFrame]] = {}
    for i, (tokens, values, mask, ramp, limit) in enumerate(panels):
        if values.size > _MOST_CELLS:
            level = (values / limit + 1) / 2 if limit else values
            png = mosaic_png(level[None, None], ramp, mask=mask, size=600)
            name = "picture"
            table = pd.DataFrame({"image": [data_url(png)], "value": 0.0})
        else:
            cells = matrix_cells(values, *tokens)[mask.ravel()]
            name = "cells"
            table = cells.drop(columns=["seen", "hatched"])
        tables.setdefault(name, []).append(table.assign(panel=i, **more))
    return {name: pd.concat(parts, ignore_index=True) for name, parts in tables.items()}


def _edges(
    mask: np.ndarray,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    tall: float = 1,
    **more: object,
) -> dict[str, pd.DataFrame]:
    """Return the labels of one matrix, and diagonals through its masked cells (T_q, T_k).

    The diagonals are one `link`, in widths of a cell, y downwards, joined where cells touch. A cell
    is `tall` widths high. `more` is of the rows.
    """
    # One path for all hatching: a mark for each masked cell would be up to half of T_q T_k.
    rows = edge(queries, "q", query=numbered_labels(queries), **more)
    # Padded, so that runs of masked cells end inside of the array.
    upwards = np.pad(~mask[::-1], 1).astype(int)
    link = "M0,0"
    for offset in range(1 - len(mask), mask.shape[1]):
        ends = np.flatnonzero(np.diff(np.diagonal(upwards, offset))) + max(0, -offset)
        for start, end in ends.reshape(-1, 2):
            bottom = (len(mask) - start) * tall
            rise = (start - end) * tall
            link += f"M{start + offset},{bottom:g}l{end - start},{rise:g}"
    return {"rows": rows, "columns": edge(keys, "k"), "hatch": pd.DataFrame({"link": [link]})}


def _matrix(
    grid: Grid,
    layers: Sequence[alt.Chart],
    *,
    hatch: str = "hatch",
    hatched: bool = True,
    clicks: alt.Parameter | None = None,
    **properties: Any,
) -> alt.LayerChart:
    """Layer coloured cells over the hatching of a table; elsewhere the pointer reads the row.

    `clicks` is a selection of rows, with a frame around the chosen one.
    """
    lines = r.paths(
        hatch,
        size=4 * grid.step[0] ** 2,
        stroke=INK,
        strokeWidth=1,
        opacity=0.35,
        x=0,
        y=0,
        tooltip=None,
        aria=False,
    )
    rows = r.touched(grid.rows, r.tips(query="figures-query"), clicks)
    rows = rows.encode(
        y=grid.y,
        x=alt.XValue(_BEFORE if clicks and not grid.bare else 0),
        x2=alt.X2Value(grid.width),
    )
    # Tooltips of cells say more than those of rows; an image has none.
    layers = [*layers, rows] if _pictured(grid) else [rows, *layers]
    framed = [r.frame(grid.row("datum.chosen", -1))] if clicks else []
    return grid.drawn(*[lines] * hatched, *layers, *framed, **properties)


def _coloured(grid: Grid, panel: int, colour: Any, what: str) -> list[alt.Chart]:
    """Return the matrix of panel `panel`, with `what` as the title of its values."""
    where = f"datum.panel === {panel}"
    if _pictured(grid):
        return r.picture(colour, grid.width, grid.height, where)
    cells = grid.cells(where=where, aria=False, cursor="pointer" if grid.chosen else alt.Undefined)
    return [cells.encode(color=colour, tooltip=r.pair_tips(value=(what, ".4f")))]


def _pictured(grid: Grid) -> bool:
    """Return True if the matrix is drawn as an image."""
    return grid.n_rows * grid.n_columns > _MOST_CELLS


def _mask(
    grid: Grid, panel: int, ramp: Sequence[str], *, named: bool = True, **options: Any
) -> alt.LayerChart:
    """Draw a mask itself, in one colour; `named` adds a legend of its two fills."""
    names = say("figures-mask-may-look"), say("figures-mask-may-not-look")
    legend = r.swatches(orient="bottom", symbolStrokeWidth=0)
    unseen = r.source(grid.rows, "false").mark_point(
        filled=True, opacity=1, tooltip=None, aria=False
    )
    looks = (alt.Color, (ramp[2], INK)), (alt.Shape, ("square", _HATCHED))
    key = unseen.encode(*r.looks("label", names, *looks, legend=legend))
    cells = _coloured(grid, panel, alt.ColorValue(ramp[2]), "figures-mask-may-look")
    # The hatching has a shape, too, which must not share the scale of the legend.
    return _matrix(grid, [*cells, *[key] * named], resolve=_APART, **options)


class MaskPanel(NamedTuple):
    """One mask to draw: bool (T_q, T_k), True where a query may attend, with title and tokens."""

    title: str
    mask: np.ndarray
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]


def masks_table(panels: Sequence[MaskPanel]) -> pd.DataFrame:
    """Return one row a cell: mask (its title), q, k (from 0), query, key, may_look."""
    tables = [_table(*tokens, may_look=mask) for _, mask, *tokens in panels]
    titles = [panel.title for panel in panels]
    return pd.concat(tables, keys=titles, names=["mask"]).reset_index("mask")


def masks_figure(panels: Sequence[MaskPanel], *, site: Site = ENCODER) -> Figure:
    """Draw masks side by side: filled where a query may attend, hatched where it may not."""
    ramp = palette_of(site).ramp
    tables = _matrices(
        [
            _Panel((panel.query_tokens, panel.key_tokens), panel.mask * 1.0, panel.mask, ramp[2:3])
            for panel in panels
        ]
    )
    for i, panel in enumerate(panels):
        edges = _edges(panel.mask, panel.query_tokens, panel.key_tokens)
        tables |= {f"{name}{i}": table for name, table in edges.items()}
    masks = tuple((panel.title, panel.mask.shape) for panel in panels)
    return drawn(_masks, tables, masks=masks, ramp=ramp)


def _masks(masks: tuple[Any, ...], ramp: tuple[str, ...]) -> alt.HConcatChart:
    charts = []
    for i, (title, (n_rows, n_columns)) in enumerate(masks):
        grid = small_grid(
            n_rows,
            n_columns,
            room=_MASKS / len(masks),
            rows=f"rows{i}",
            columns=f"columns{i}",
            query="figures-matrix-query",
            key=None,
        )
        charts.append(_mask(grid, i, ramp, named=i == 0, hatch=f"hatch{i}", title=title))
    return r.beside(*charts, resolve=_APART)


def _beyond() -> tuple[str, ...]:
    """Return the ramp of weight beyond a mask."""
    return BEYOND[is_dark()]


# -- bars ----------------------------------------------------------------------------------


def _shares(rows: pd.DataFrame, shares: Sequence[float] | np.ndarray) -> pd.DataFrame:
    """Return a row of labels a bar, with its share as number and text."""
    return rows.assign(place=rows["q"], value=shares, text=[percent(share, 0) for share in shares])


def _bars(
    n: int,
    step: float,
    what: str,
    title: str,
    *,
    names: bool = True,
    width: float = 130,
    clicks: alt.Parameter | None = None,
) -> alt.LayerChart:
    x = r.x("value", None, domain=(0, 1), values=[0, 0.5, 1], format=".0%")
    bars = r.bars(
        r.NamedLines(n, step, width, names="bars" if names else "", chosen="chosen"),
        r.source("bars").encode(x),
        r.tips(query="figures-query", value=(what, ".1%")),
        colour=_beyond()[2],
        numbers="text",
        clicks=clicks,
    )
    bars.title = r.title_of(title)
    return bars
