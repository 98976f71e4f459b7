"""Figures of masks, and of a head's softmax with and without its mask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import altair as alt
import numpy as np
import pandas as pd

from core.attention_masks import HeadStages, share_outside
from core.interventions.effect import log_prob_changes
from core.records.attention import DECODER, ENCODER
from core.records.tokens import numbered_labels
from core.weights.pairs import moved_table
from core.weights.tables import cell_places, edge, matrix_cells
from words.numbers import fixed

from . import recipes as r
from .figure import Figure, drawn
from .grid import Grid, small_grid
from .labels import SMALLEST_FONT
from .raster import data_url, mosaic_png
from .style import is_dark, say
from .theme import BEYOND, INK, Site, palette_of, signed_ramp

_STAGES = (
    "figures-mask",
    "figures-mask-score-and-mask",
    "figures-mask-exp",
    "figures-mask-weight",
    "figures-mask-score",
    "figures-mask-exp",
    "figures-mask-share-of-sum",
)
_MOST_CELLS = 900  # a matrix of more is drawn as an image
_INFINITY_ROOM = 16.0  # pixels a cell needs for "−∞"
# Pixels for the cells of a sentence of ordinary length.
_STAGE = 164
_MASKS = 220
_HEAD = 400
_LINE = 26
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


def stages_figure(
    stages: HeadStages,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    *,
    row: int | None = None,
    click: int = 0,
) -> Figure:
    """Draw mask, masked scores, exponential and weights; below, the same without the mask.

    The second line begins with the share of every row that the mask moved. The selection `cell`
    reports the clicked q and `click`. `row`: the query to frame. `click`: any number that differs
    from drawing to drawing.
    """
    tokens = (query_tokens, key_tokens)
    mask = stages.mask
    limit = float(np.abs(stages.scores).max()) or 1.0
    this = np.int32(click)
    tables = _matrices(_stage_panels(stages, tokens, limit), click=this)
    tables |= _edges(mask, *tokens, chosen=np.arange(len(mask)) == row, click=this)
    tables["limits"] = pd.DataFrame({"value": [-limit, limit]})
    tables["bars"] = _shares(tables["rows"], stages.moved)
    # The signs are marks of their own; in small cells the hatching stands alone.
    if signs := small_grid(len(mask), mask.shape[1], _STAGE).step[0] >= _INFINITY_ROOM:
        masked = pd.DataFrame(np.argwhere(~mask).astype(np.int16), columns=["q", "k"])
        tables["infinite"] = masked.assign(click=this)
    return drawn(_stages, tables, size=mask.shape, signs=signs)


def _stage_panels(
    stages: HeadStages, tokens: tuple[Sequence[str], Sequence[str]], limit: float
) -> list[_Panel]:
    """Return the matrices of all stages in the order of `_STAGES`; scores end at `limit`."""
    mask = stages.mask
    free = stages.mask | True
    ramp = palette_of(DECODER).ramp
    signed = signed_ramp()
    return [
        _Panel(tokens, mask * 1.0, mask, ramp[2:3]),
        _Panel(tokens, stages.scores, mask, signed, limit),
        _Panel(tokens, stages.terms, mask, ramp),
        _Panel(tokens, stages.weights, mask, ramp),
        _Panel(tokens, stages.scores, free, signed, limit),
        _Panel(tokens, stages.free_terms, free, ramp),
        _Panel(tokens, stages.free_weights, free, ramp),
    ]


def _stages(size: tuple[int, int], signs: bool) -> alt.ConcatChart:
    grid = small_grid(*size, _STAGE, chosen="chosen", key=None)
    clicks = r.click("cell", "q", "click")
    scale = alt.Scale(range=[*signed_ramp()], interpolate="rgb")
    bar = r.colour_bar(None, "~f", tickCount=3)
    signed = alt.Color("value:Q", title=None, scale=scale, legend=bar)
    limits = r.source("limits")
    ramp = palette_of(DECODER).ramp
    # Of the same kind as the coloured marks: another kind would add a legend of dots.
    mark = limits.mark_point if _pictured(grid) else limits.mark_rect
    ends = mark(x=0, y=0, size=0, opacity=0, tooltip=None, aria=False).encode(color=signed)
    infinite = r.text(r.source("infinite"), text="−∞", opacity=0.75, fontSize=SMALLEST_FONT)
    infinite = infinite.encode(x=grid.x, y=replace(grid, bare="y").y)
    panels = [_mask(grid, 0, ramp, clicks=clicks)]
    for panel, stage in enumerate(_STAGES[1:], start=1):
        scores = panel in (1, 4)
        above = panel < 4
        marked = signs and panel == 1
        part = replace(grid, bare="y" if above else "xy")
        colour = signed if scores else r.share_colour("value", ramp, None)
        layers = _coloured(part, panel, colour, stage) + [ends] * scores + [infinite] * marked
        panels.append(_matrix(part, layers, hatched=above and not marked, clicks=clicks))
    moved = "figures-mask-share-moved"
    panels.insert(4, _bars(size[0], grid.step[1], moved, moved, clicks=clicks))
    rows = {0: say("figures-mask-with"), 4: say("figures-mask-without")}
    for i, title in enumerate((*_STAGES[:4], moved, *_STAGES[4:])):
        panels[i].title = alt.TitleParams(
            # A blank: without a title Vega leaves out the subtitle, too.
            rows.get(i, " "),
            subtitle=say(title),
            subtitleColor=INK,
            subtitleFontSize=12,
            frame="group",
        )
    return r.wrapped(*panels, columns=4, spacing={"row": 8, "column": 24}, resolve=_APART)


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
    mask: np.ndarray, queries: Sequence[str], keys: Sequence[str], **more: object
) -> dict[str, pd.DataFrame]:
    """Return the labels of one matrix, and diagonals through its masked cells (T_q, T_k).

    The diagonals are one `link`, in cells, y downwards, joined where cells touch. `more` is of the
    rows.
    """
    # One path for all hatching: a mark for each masked cell would be up to half of T_q T_k.
    rows = edge(queries, "q", query=numbered_labels(queries), **more)
    # Padded, so that runs of masked cells end inside of the array.
    upwards = np.pad(~mask[::-1], 1).astype(int)
    link = "M0,0"
    for offset in range(1 - len(mask), mask.shape[1]):
        ends = np.flatnonzero(np.diff(np.diagonal(upwards, offset))) + max(0, -offset)
        for start, end in ends.reshape(-1, 2):
            link += f"M{start + offset},{len(mask) - start}l{end - start},{start - end}"
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
    for i, (title, size) in enumerate(masks):
        grid = small_grid(
            *size,
            room=_MASKS,
            rows=f"rows{i}",
            columns=f"columns{i}",
            query="figures-matrix-query",
            key=None,
        )
        charts.append(_mask(grid, i, ramp, named=i == 0, hatch=f"hatch{i}", title=title))
    return r.beside(*charts, resolve=_APART)


# -- weights beyond a mask -----------------------------------------------------------------


def outside_figure(
    weights: np.ndarray,
    mask: np.ndarray,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    *,
    site: Site,
    inside_title: str,
    outside_title: str,
    hatched: bool = False,
) -> Figure:
    """Draw one head's weights, those on keys that `mask` forbids in a colour of their own.

    To the right of every row stands the share of its weight on such keys. `weights`: (T_q, T_k),
    rows sum to one. `mask`: bool (T_q, T_k), True where a query may attend. `hatched`: the mask was
    on; the cells it forbids are hatched and not coloured.
    """
    tokens = (query_tokens, key_tokens)
    ramps = (palette_of(site).ramp, _beyond())
    masks = [mask] if hatched or mask.all() else [mask, ~mask]
    parts = zip(masks, ramps, strict=False)
    tables = _matrices([_Panel(tokens, weights, part, ramp) for part, ramp in parts])
    tables |= _edges(mask | (not hatched), *tokens)
    tables["bars"] = _shares(tables["rows"], share_outside(weights, mask))
    looks = (inside_title, ramps[0]), (outside_title, ramps[1])
    return drawn(_outside, tables, size=weights.shape, looks=looks, n=len(masks))


def _outside(size: tuple[int, int], looks: tuple[Any, ...], n: int) -> alt.HConcatChart:
    """Layer the first `n` of `looks`, each title and ramp, beside the share of the last."""
    grid = small_grid(*size, _HEAD)
    layers = []
    for panel, (title, ramp) in enumerate(looks[:n]):
        layers += _coloured(grid, panel, r.share_colour("value", ramp, title), title)
    bars = _bars(
        size[0], grid.step[1], what=looks[1][0], title="figures-mask-share-of-row", names=False
    )
    return r.beside(_matrix(grid, layers, resolve=_APART), bars, spacing=40, resolve=_APART)


def _beyond() -> tuple[str, ...]:
    """Return the ramp of weight beyond a mask."""
    return BEYOND[is_dark()]


# -- bars ----------------------------------------------------------------------------------


def _shares(rows: pd.DataFrame, shares: Sequence[float] | np.ndarray) -> pd.DataFrame:
    """Return a row of labels a bar, with its share as number and text."""
    return rows.assign(place=rows["q"], value=shares, text=[f"{share:.2f}" for share in shares])


def _bars(
    n: int,
    step: float,
    what: str,
    title: str,
    *,
    names: bool = True,
    clicks: alt.Parameter | None = None,
) -> alt.LayerChart:
    bars = r.bars(
        n,
        r.x("value", None, domain=(0, 1), values=[0, 0.5, 1], format="~g"),
        r.tips(query="figures-query", value=(what, ".4f")),
        colour=_beyond()[2],
        step=step,
        width=130,
        numbers="text",
        chosen="chosen",
        names=names,
        clicks=clicks,
    )
    bars.title = r.title_of(title)
    return bars


def ranking_table(shares: np.ndarray) -> pd.DataFrame:
    """Return one row a head, largest share first: rank, layer, head (all from 1), share."""
    table = moved_table(shares).rename(columns={"moved": "share"})
    table[["layer", "head"]] += 1
    table.insert(0, "rank", table.index + 1)
    return table


def ranking_figure(ranked: pd.DataFrame, *, chosen: tuple[int, int], most: int = 16) -> Figure:
    """Draw the heads of `ranking_table` as bars; the chosen one is named in red.

    Only `most` heads are drawn, and always the chosen one.
    """
    named = (ranked[["layer", "head"]] == np.add(chosen, 1)).all(axis=1)
    heads = ranked.assign(chosen=named)[(ranked["rank"] <= most) | named]
    pairs = zip(heads["layer"], heads["head"], strict=True)
    names = [say("figures-head-code", layer=layer, head=head) for layer, head in pairs]
    bars = _shares(heads.assign(q=range(len(heads)), label=names, query=names), heads["share"])
    return drawn(
        _bars,
        {"bars": bars},
        n=len(bars),
        step=17,
        what="figures-mask-mean-share",
        title="figures-mask-mean-share-of-row",
    )


def forced_table(
    tokens: Sequence[str], first: np.ndarray, second: np.ndarray, names: tuple[str, str]
) -> pd.DataFrame:
    """Return one row a token: place (from 1), token, its natural log p in both runs, difference.

    Raises
    ------
    ValueError : tokens and numbers differ in length.
    """
    table = log_prob_changes(tokens, first, second).assign(place=range(1, len(tokens) + 1))
    titles = {"before": names[0], "after": names[1], "change": "difference"}
    return table.drop(columns="label").rename(columns=titles)


def forced_figure(
    tokens: Sequence[str],
    first: np.ndarray,
    second: np.ndarray,
    names: tuple[str, str],
    *,
    site: Site = DECODER,
) -> Figure:
    """Draw natural log p of every token of one text in two runs, a bar for each, with both sums.

    `names` are those of the runs; the errors those of `forced_table`.
    """
    logs = forced_table(tokens, first, second, names)[list(names)].to_numpy()
    lowest = logs[np.isfinite(logs)].min(initial=-1)
    runs = [
        say("figures-mask-sum", run=name, sum=fixed(total))
        for name, total in zip(names, logs.sum(axis=0), strict=True)
    ]
    # Bars of probability 0 end at the lowest finite log p; their text stays minus infinity.
    bars = pd.DataFrame({"run": runs * len(tokens), "value": logs.clip(lowest).ravel()})
    bars = bars.assign(place=bars.index // 2, text=[fixed(log) for log in logs.ravel()])
    tables = {"bars": bars, "tokens": edge(tokens, "place")}
    return drawn(_forced, tables, n=len(tokens), accent=palette_of(site).accent)


def _forced(n: int, accent: str) -> alt.LayerChart:
    reverse = alt.Scale(domain={"unionWith": [-1, 0]}, reverse=True)
    x = r.x("value", "figures-mask-log-p", tickCount=4, format="~f").scale(reverse)
    y = r.line_places(n, "tokens", _LINE)
    run = alt.YOffset("run:N", sort=None)
    bars = r.source("bars").encode(x, y, run)
    scale = alt.Scale(range=[accent, _beyond()[2]])
    legend = r.swatches(direction="vertical", labelLimit=0, symbolType="square")
    colour = alt.Color("run:N", sort=None, title=None, scale=scale, legend=legend)
    return r.layered(
        bars.mark_bar(tooltip=None, aria=False).encode(colour, x2=alt.X2Datum(0)),
        r.text(bars, align="left", dx=4, fontSize=SMALLEST_FONT).encode(text="text:N"),
        r.kept("tokens", y=y),
        width=210,
        height=n * _LINE,
    )
