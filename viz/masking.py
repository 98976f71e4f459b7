"""Masks as what they are, and what a softmax makes of its scores with them and without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from analysis.labels import distinct_labels, numbered_labels, token_label
from analysis.masking import HeadStages, share_outside
from analysis.tables import cell_places, edge, labelled, places_of
from records import DECODER, ENCODER, AttentionSite
from words.numbers import fixed

from . import recipes as r
from .figure import Figure, drawn
from .look import is_dark, say
from .raster import data_url, mosaic_png
from .theme import BEYOND, INK, SELECTION, palette_of, signed_ramp

Tokens = tuple[Sequence[str], Sequence[str]]
_STAGES = (
    "figures-mask-score-and-mask", "figures-mask-exp", "figures-mask-weight",
    "figures-mask-score", "figures-mask-exp", "figures-mask-share-of-sum",
)  # fmt: skip
_RUNS: Any = (0, 1)
_MOST_CELLS = 900  # more than these in one matrix are drawn as an image
_INFINITY_ROOM = 12.0  # pixels a cell needs for "−∞"
_STAGE, _MASKS, _HEAD = 184, 220, 400  # pixels for the cells of a sentence of ordinary length
_LINE = 26
_BEFORE = -60  # of a row, from where its label can be clicked
_APART = {"scale": dict.fromkeys(("x", "y", "color", "shape"), "independent")}
_HATCHED = "M-1,1L1,-1L1,-0.7L-0.7,1ZM-1,0L0,-1L0.3,-1L-1,0.3Z"


def stages_table(
    stages: HeadStages, query_tokens: Sequence[str], key_tokens: Sequence[str]
) -> pd.DataFrame:
    """One line a cell: q, k (from 0), query, key, may_look, score, exp, weight, and the last two
    without the mask."""
    numbers = {
        "may_look": stages.mask, "score": stages.scores, "exp": stages.terms,
        "weight": stages.weights, "exp_without_mask": stages.free_terms,
        "weight_without_mask": stages.free_weights,
    }  # fmt: skip
    places = cell_places(stages.scores.shape, query_tokens, key_tokens)
    return pd.DataFrame({**places, **{name: each.ravel() for name, each in numbers.items()}})


def outside_table(
    weights: np.ndarray, mask: np.ndarray, query_tokens: Sequence[str], key_tokens: Sequence[str]
) -> pd.DataFrame:
    """One line a cell: q, k (from 0), query, key, weight, outside (True where `mask` forbids)."""
    places = cell_places(weights.shape, query_tokens, key_tokens)
    return pd.DataFrame({**places, "weight": weights.ravel(), "outside": ~mask.ravel()})


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
    ramp, limit = palette_of(kind).ramp, float(np.abs(stages.scores).max()) or 1.0
    tokens, mask, free = (query_tokens, key_tokens), stages.mask, stages.mask | True
    signed = signed_ramp(), -limit, limit
    parts: list[Any] = [
        (stages.scores, mask, *signed), (stages.terms, mask, ramp), (stages.weights, mask, ramp),
        (stages.scores, free, *signed), (stages.free_terms, free, ramp),
        (stages.free_weights, free, ramp), (mask * 1.0, mask, ramp[2:3] * 2),
    ]  # fmt: skip
    more = {"chosen": np.arange(len(mask)) == row, "click": np.int32(click)}
    tables = _joined([_panel(i, tokens, *part) for i, part in enumerate(parts)])
    if "cells" in tables:
        tables["cells"]["click"] = np.int32(click)
    tables |= _edges(tokens, mask, **more)
    tables["limits"] = pd.DataFrame({"value": [-limit, limit]})
    tables["bars"] = _shares(stages.moved, distinct_labels(query_tokens), query_tokens, **more)
    if signs := _grid(len(mask), mask.shape[1], _STAGE).across >= _INFINITY_ROOM:
        masked = pd.DataFrame(np.argwhere(~mask).astype(np.int16), columns=["q", "k"])
        tables["infinite"] = masked.assign(click=np.int32(click))
    return drawn(_stages, tables, size=mask.shape, ramp=ramp, signs=signs)


def _stages(size: tuple[int, int], ramp: tuple[str, ...], signs: bool) -> alt.ConcatChart:
    grid, clicks = _grid(*size, _STAGE, chosen="chosen"), r.click("cell", "q", "click")
    scale = alt.Scale(range=list(signed_ramp()), interpolate="rgb", nice=False)
    bar = r.colour_bar(None, "~f", tickCount=3)
    signed = alt.Color("value:Q", title=None, scale=scale, legend=bar)
    # One of another kind than the coloured marks would make a legend of dots.
    mark: Any = "point" if _pictured(grid) else "rect"
    ends = alt.Chart(
        alt.NamedData(name="limits"), mark=alt.MarkDef(mark, size=0, opacity=0, **r.QUIET)
    )
    ends = ends.encode(color=signed, x=alt.XValue(0), y=alt.YValue(0))
    infinite = r.text(r.source("infinite"), opacity=0.75, fontSize=min(10, grid.across * 0.62))
    panels = [_mask(grid, 6, ramp, clicks=clicks, more=[_key(ramp)])]
    for panel, stage in enumerate(_STAGES):
        scores, above = panel % 3 == 0, panel < 3
        bare = {"bare": "y"} if above else {"bare": "xy", "key": None}
        part = replace(grid, query=None, **bare)
        over = [ends] if scores else []
        if signs and panel == 0:
            over.append(infinite.encode(x=part.x, y=part.y, text=alt.TextValue("−∞")))
        panels.append(_matrix(
            part, panel, signed if scores else r.share_colour("value", ramp, None), stage,
            hatched=above and not (signs and scores), clicks=clicks, more=over,
        ))  # fmt: skip
    moved = "figures-mask-share-moved"
    panels.insert(4, _bars(size[0], grid.down, moved, moved, clicks=clicks))
    rows = {0: say("figures-mask-with"), 4: say("figures-mask-without")}
    style: Any = {"subtitleColor": INK, "subtitleFontSize": 12, "frame": "group"}
    for i, title in enumerate(("figures-mask", *_STAGES[:3], moved, *_STAGES[3:])):
        # Without any text there would be no line below it either.
        panels[i].title = alt.TitleParams(rows.get(i, " "), subtitle=say(title), **style)
    return r.wrapped(*panels, columns=4, spacing=24, resolve=_APART)


# -- matrices with hatched cells -----------------------------------------------------------


def _grid(n_rows: int, n_columns: int, room: int, **options: Any) -> r.Grid:
    step = max(r.SMALLEST, min(26.0, room / max(n_rows, n_columns)))
    return r.Grid(n_rows, n_columns, (step, step), **options)


def _panel(
    panel: int, tokens: Tokens, values: np.ndarray, shown: np.ndarray, ramp: Sequence[str],
    low: float = 0, high: float = 1,
) -> dict[str, pd.DataFrame]:  # fmt: skip
    """One matrix as a table: its `cells` where `shown`, or a `picture` of them if they are many."""
    if values.size > _MOST_CELLS:
        level = (values - low) / (high - low)
        url = data_url(mosaic_png(level[None, None], tuple(ramp), mask=shown, size=600))
        return {"picture": pd.DataFrame({"panel": [panel], "image": [url], "value": [0.0]})}
    q, k = np.nonzero(shown)
    places = places_of(q, k, numbered_labels(tokens[0]), numbered_labels(tokens[1]))
    cells = {"panel": np.int16(panel), **places, "value": values[q, k].astype(np.float32)}
    return {"cells": pd.DataFrame(cells).astype({"query": object, "key": object})}


def _edges(tokens: Tokens, mask: np.ndarray, **more: object) -> dict[str, pd.DataFrame]:
    """The labels of one matrix, and diagonals through the cells that its mask (T_q, T_k) forbids.

    They are one `path`, in cells, y downwards, joined where cells touch. `more` is of the rows.
    """
    rows = edge(tokens[0], "q", query=numbered_labels(tokens[0]), **more)
    upwards, path = np.pad(~mask[::-1], 1).astype(int), "M0,0"
    for offset in range(1 - len(mask), mask.shape[1]):
        ends = np.flatnonzero(np.diff(np.diagonal(upwards, offset))) + max(0, -offset)
        for start, end in ends.reshape(-1, 2):
            path += f"M{start + offset},{len(mask) - start}l{end - start},{start - end}"
    hatch = pd.DataFrame({"path": [path]})
    return {"rows": rows, "columns": edge(tokens[1], "k"), "hatch": hatch}


def _joined(panels: Sequence[dict[str, pd.DataFrame]]) -> dict[str, pd.DataFrame]:
    """The tables of several matrices, those of one name one below the other."""
    names = dict.fromkeys(name for panel in panels for name in panel)
    found = {name: [panel[name] for panel in panels if name in panel] for name in names}
    return {name: pd.concat(tables, ignore_index=True) for name, tables in found.items()}


def _matrix(
    grid: r.Grid, panel: int, colour: Any, what: str, *, own: str | None = None,
    hatched: bool = True, clicks: alt.Parameter | None = None, more: Sequence[Any] = (),
) -> alt.LayerChart:  # fmt: skip
    """The matrix of this number with `what` in its cells; what is not coloured tells its row.

    `own` is a test for its labels and hatching where matrices do not share them; `clicks` is a
    selection of rows, with a frame around the chosen one.
    """
    style = {"filled": False, "strokeWidth": 1, "opacity": 0.35, **r.QUIET}
    lines = r.source("hatch", own).mark_point(stroke=INK, size=4 * grid.across**2, **style)
    path = alt.Shape("path:N", scale=None, legend=None)
    lines = lines.encode(x=alt.XValue(0), y=alt.YValue(0), shape=path)
    start = _BEFORE if clicks and not grid.bare else 0
    pointer = {"cursor": "pointer"} if clicks else {}
    rows = grid.row(own, start, fill="transparent", aria=False, **pointer)
    rows = rows.encode(tooltip=r.tips(query="figures-query"))
    rows = rows.add_params(clicks) if clicks else rows
    layers = [rows, *_coloured(grid, panel, colour, what, **pointer)]
    # Cells tell more than rows do, an image less.
    layers = layers[1:] + layers[:1] if _pictured(grid) else layers
    frame = {"filled": False, "stroke": SELECTION, "strokeWidth": 2, **r.QUIET}
    framed = [grid.row("datum.chosen", -1, **frame)] if clicks else []
    return grid.drawn(*[lines] * hatched, *layers, *framed, *more)


def _coloured(grid: r.Grid, panel: int, colour: Any, what: str, **style: Any) -> list[alt.Chart]:
    where = f"datum.panel === {panel}"
    if _pictured(grid):
        return r.picture(colour, grid.width, grid.height, where)
    cells = replace(grid, where=where).cells(aria=False, **style)
    return [cells.encode(color=colour, tooltip=r.pair_tips(value=(what, ".4f")))]


def _pictured(grid: r.Grid) -> bool:
    return grid.n_rows * grid.n_columns > _MOST_CELLS


def _mask(grid: r.Grid, panel: int, ramp: Sequence[str], **more: Any) -> alt.LayerChart:
    """A mask itself, in one colour."""
    chart = _matrix(grid, panel, alt.ColorValue(ramp[2]), "figures-mask-may-look", **more)
    # The lines have shapes too, which stand in no legend.
    chart.resolve = {"scale": dict.fromkeys(("color", "shape"), "independent")}
    return chart


def _key(ramp: Sequence[str]) -> alt.Chart:
    """What the two fills of a mask mean."""
    names = say("figures-mask-may-look"), say("figures-mask-may-not-look")
    key = {"orient": "bottom", "symbolStrokeWidth": 0}
    colour = r.series(alt.Color, "label", names, (ramp[2], INK), legend=key)
    shape = r.series(alt.Shape, "label", names, ("square", _HATCHED), legend=key)
    unseen = r.source("rows", "false").mark_point(filled=True, opacity=1, **r.QUIET)
    return unseen.encode(color=colour, shape=shape)


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
    ramp, tables = palette_of(kind).ramp, []
    for i, each in enumerate(panels):
        tokens = each.query_tokens, each.key_tokens
        own = {k: table.assign(panel=i) for k, table in _edges(tokens, each.mask).items()}
        tables += [_panel(i, tokens, each.mask * 1.0, each.mask, ramp[2:3] * 2), own]
    shape = {"sizes": tuple(each.mask.shape for each in panels), "ramp": ramp}
    return drawn(_masks, _joined(tables), **shape, titles=tuple(each.title for each in panels))


def _masks(
    sizes: tuple[tuple[int, int], ...], ramp: tuple[str, ...], titles: tuple[str, ...]
) -> alt.HConcatChart:
    longest, starts, masks = max(map(max, sizes)), (0, 0), []
    step = _grid(longest, longest, _MASKS).step
    for i, size in enumerate(sizes):
        grid = r.Grid(*size, step, starts=starts, query="figures-matrix-query", key=None)
        masks.append(_mask(grid, i, ramp, own=f"datum.panel === {i}", more=[_key(ramp)] * (i == 0)))
        masks[i].title = titles[i]
        starts = starts[0] + size[0], starts[1] + size[1]
    return r.beside(*masks, resolve=_APART)


# -- weights beyond a mask -----------------------------------------------------------------


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
    tokens, ramp = (query_tokens, key_tokens), palette_of(kind).ramp
    n = 1 if hatched or mask.all() else 2
    parts = [(weights, mask, ramp), (weights, ~mask, _beyond())][:n]
    titles = (inside_title, outside_title)[:n]
    tables = _joined([_panel(i, tokens, *part) for i, part in enumerate(parts)])
    tables |= _edges(tokens, mask | (not hatched))
    shares = share_outside(weights, mask)
    tables["bars"] = _shares(shares, distinct_labels(query_tokens), query_tokens)
    shape = {"size": weights.shape, "ramps": (ramp, _beyond()), "titles": titles}
    return drawn(_outside, tables, **shape, share=outside_title)


def _outside(
    size: tuple[int, int], ramps: tuple[Any, ...], titles: tuple[str, ...], share: str
) -> alt.HConcatChart:
    grid, of = _grid(*size, _HEAD), range(len(titles))
    colours = [r.share_colour("value", ramps[i], titles[i]) for i in of]
    more = [r.layered(*_coloured(grid, i, colours[i], titles[i])) for i in of[1:]]
    matrix = _matrix(grid, 0, colours[0], titles[0], more=more)
    matrix.resolve = {"scale": {"color": "independent"}}
    title = "figures-mask-share-of-row"
    bars = _bars(size[0], grid.down, share, title, names=False, chosen="")
    return r.beside(matrix, bars, spacing=40, resolve=_APART)


def _beyond() -> tuple[str, ...]:
    """The ramp of weights that a mask would have hidden."""
    return BEYOND[is_dark()]


# -- bars ----------------------------------------------------------------------------------


def _shares(
    shares: np.ndarray, labels: Sequence[str], tokens: Sequence[str], **more: object
) -> pd.DataFrame:
    bars = labelled(labels, "place", query=numbered_labels(tokens), value=shares, **more)
    return bars.assign(q=bars["place"], text=[f"{share:.2f}" for share in shares])


def _bars(n: int, step: float, what: str, title: str, **more: Any) -> alt.LayerChart:
    """Shares of rows, 0 to 1, of the table `bars`."""
    axis: Any = {"values": [0, 0.5, 1], "format": "~g", "grid": True}
    x = alt.X("value:Q", **r.measure(None, domain=(0, 1), **axis))
    style = {"width": 130, "numbers": "text", "chosen": "chosen", **more}
    tooltip = r.tips(query="figures-query", value=(what, ".4f"))
    bars = r.bars(n, x, tooltip, colour=_beyond()[2], step=step, **style)
    bars.title = r.title_of(title)
    return bars


def ranking_table(shares: np.ndarray) -> pd.DataFrame:
    """One line a head, largest share first: rank, layer, head (all from 1), share."""
    order = np.argsort(-shares, axis=None, kind="stable")
    layers, heads = np.unravel_index(order, shares.shape)
    ranks = np.arange(1, len(order) + 1)
    places = {"rank": ranks, "layer": layers + 1, "head": heads + 1}
    return pd.DataFrame({**places, "share": shares[layers, heads]})


def ranking_figure(
    shares: np.ndarray, *, chosen: tuple[int, int] | None = None, most: int = 16
) -> Figure:
    """The heads by their share (L, H), largest first, as bars; the chosen one is named in red.

    Beyond `most` heads the rest is left out, the chosen one stays.
    """
    ranked = ranking_table(shares)
    layer, head = (-1, -1) if chosen is None else (chosen[0] + 1, chosen[1] + 1)
    ranked["chosen"] = (ranked["layer"] == layer) & (ranked["head"] == head)
    shown = ranked[(ranked["rank"] <= most) | ranked["chosen"]]
    names = [
        say("figures-head-code", layer=layer, head=head)
        for layer, head in shown[["layer", "head"]].to_numpy().tolist()
    ]
    values = shown["share"].to_numpy()
    bars = _shares(values, names, names, chosen=shown["chosen"].to_numpy())
    told = {"what": "figures-mask-mean-share", "title": "figures-mask-mean-share-of-row"}
    return drawn(_bars, {"bars": bars.assign(query=names)}, n=len(bars), step=17, **told)


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
    told = [token_label(token, max_length=48) for token in tokens]
    logs = {names[0]: before, names[1]: after, "difference": after - before}
    return pd.DataFrame({"place": np.arange(1, len(tokens) + 1), "token": told, **logs})


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
    logs = forced_table(tokens, first, second, names)[list(names)].to_numpy()
    lowest = logs[np.isfinite(logs)].min(initial=-1)
    sums = [
        say("figures-mask-sum", run=name, sum=fixed(total))
        for name, total in zip(names, logs.sum(axis=0), strict=True)
    ]
    place, run = (axis.ravel() for axis in np.indices(logs.shape))
    bars = pd.DataFrame({"place": place, "run": run, "value": logs.clip(lowest).ravel()})
    bars["text"] = [fixed(log) for log in logs.ravel()]
    tables = {"bars": bars, "tokens": edge(tokens, "place"), "runs": labelled(sums, "run")}
    return drawn(_forced, tables, n=len(tokens), accent=palette_of(kind).accent)


def _forced(n: int, accent: str) -> alt.LayerChart:
    logs = r.measure("figures-mask-log-p", tickCount=4, format="~f", grid=True)
    logs["scale"] = alt.Scale(domain=alt.DomainUnionWith(unionWith=[-1, 0]), reverse=True)
    x = alt.X("value:Q", **logs)
    y = r.line_places(n, "tokens", _LINE)
    apart: Any = {"y": y, "yOffset": alt.YOffset("run:O")}
    named: Any = {"direction": "vertical", "labelLimit": 0, "symbolType": "square"}
    named |= {"labelExpr": "data('runs')[datum.value].label"}
    colour = r.series(alt.Color, "run", _RUNS, (accent, _beyond()[2]), legend=named)
    words = r.text(r.source("bars"), align="left", dx=4, fontSize=9.5)
    return r.layered(
        r.source("bars").mark_bar(**r.QUIET).encode(x=x, x2=alt.X2Datum(0), color=colour, **apart),
        words.encode(x=x, text="text:N", **apart),
        r.kept("tokens", y=y),
        r.kept("runs"),
        width=210,
        height=n * _LINE,
    )
