"""Figures of maps against gold alignments: error rates in order, and the links of one pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import CROSS
from core.records.tokens import visible
from core.weights.tables import labelled
from words.numbers import percent

from . import recipes as r
from .figure import Figure, drawn
from .grid import Grid, small_grid
from .style import say
from .theme import GREY, INK, palette_of

SELECTION_NAME = "map"
_WIDTH = 700  # pixels of the drawing
_ROOM = 470  # pixels for all rows
_LINE = 13  # pixels of a row
_HIGHEST = 20
_MATRIX_ROOM = 340  # pixels of a map's longer side
_LINKS_ROOM = 270  # of a grid of links, beside its table


def error_dots(errors: pd.DataFrame, published: Mapping[str, float], *, click: int = 0) -> Figure:
    """Draw the alignment error rate of every map with its interval, the best on top.

    A click reports layer and head. `errors` comes from `core.gold.error_table`; `published` are
    lines to compare with.
    """
    numbers = errors[["layer", "head"]] + 1
    dots = errors.assign(
        place=np.arange(len(errors)),
        label=[
            say(f"gold-map-{line.map}", layer=at.layer, head=at.head)
            for line, at in zip(errors.itertuples(), numbers.itertuples(), strict=True)
        ],
        text=errors["error"].map(lambda error: percent(error, 1)),
        of=np.array(_kinds())[np.sign(errors[["layer", "head"]] + 1).sum(axis=1)],
        click=click,
    )
    lines = pd.DataFrame(
        {
            "error": [*published.values()],
            "label": [f"{say(f'gold-by-{name}')} {100 * e:.3g}%" for name, e in published.items()],
            # Labels of published rates stand above the plot, one line below the other, so that
            # close rates do not collide.
            "y": [-6.0 - _LINE * at for at in reversed(range(len(published)))],
        }
    )
    heads = dots["head"] >= 0
    tables = {"dots": dots, "heads": dots[heads], "rest": dots[~heads], "lines": lines}
    return drawn(_dots, tables, n=len(dots), held=bool(published))


def _kinds() -> tuple[str, str, str]:
    """Return the names of maps without layer and head, of layers, and of heads."""
    return say("gold-of-control"), say("gold-of-layer"), say("gold-of-head")


def _dots(n: int, held: bool) -> alt.LayerChart:
    step = min(_HIGHEST, _ROOM / n)
    x = r.x("error", "gold-error", domain=(0, 1), format=".0%", tickCount=5)
    y = r.line_places(n, "dots", step)
    accents = (GREY, INK, palette_of(CROSS).accent)
    # Without a symbol type the legend would show the rules of the intervals.
    legend = r.swatches(symbolType="circle", symbolOpacity=1, orient="bottom", labelLimit=240)
    colour = r.series(alt.Color, "of", _kinds(), accents, legend=legend)
    rows = r.source("dots").encode(y=y, color=colour)
    bounds = rows.mark_rule(strokeWidth=2, opacity=0.7, tooltip=None, aria=False).encode(
        x="low:Q", x2="high:Q"
    )
    dots = rows.mark_point(filled=True, size=70, opacity=1, tooltip=None, aria=False).encode(x=x)
    numbers = r.text(r.source("dots"), align="left", fontSize=11, aria=False)
    numbers = numbers.encode(alt.XValue(_WIDTH + 8), y, text="text:N")  # beside the lines
    tooltip = r.tips(
        label="gold-map",
        error=("gold-error", ".1%"),
        low=("gold-low", ".1%"),
        high=("gold-high", ".1%"),
        precision=("gold-precision", ".1%"),
        recall=("gold-recall", ".1%"),
    )
    clicks = r.click(SELECTION_NAME, "layer", "head", "click")
    start = alt.XValue(0)
    end = alt.X2Value(_WIDTH)
    areas = [
        r.touched("heads", tooltip, clicks).encode(y=y, x=start, x2=end),
        r.touched("rest", tooltip).encode(y=y, x=start, x2=end),
    ]
    lines = []
    if held:
        published = r.source("lines").encode(x=x)
        rule = published.mark_rule(
            strokeDash=[4, 3], strokeWidth=1.5, color=INK, tooltip=None, aria=False
        )
        named = r.text(published, align="left", dx=3, fontSize=11)
        lines = [rule.encode(y=r.pixels(alt.Y, "y"), y2=alt.Y2Value(n * step))]
        lines.append(named.encode(y=r.pixels(alt.Y, "y"), text="label:N"))
    return r.layered(*lines, bounds, dots, numbers, *areas, width=_WIDTH, height=n * step)


def gold_matrices(
    panels: Mapping[str, pd.DataFrame], target: Sequence[str], source: Sequence[str]
) -> Figure:
    """Draw maps by words beside each other, by title, with the gold links on each.

    A filled dot marks a sure link, a ring a possible one, and a frame the link of the map. The
    cells come from `core.gold.gold_cells` of the same words.
    """
    cells = pd.concat([of.assign(panel=at) for at, of in enumerate(panels.values())])
    links = {name: say(f"gold-{name}") for name in ("sure", "possible")} | {"": ""}
    cells["link"] = cells["gold"].map(links)
    tables = {
        "cells": cells.reset_index(drop=True),
        "rows": labelled(target, "q"),
        "columns": labelled(source, "k"),
    }
    return drawn(_matrices, tables, n=len(target), m=len(source), titles=tuple(panels))


def _matrices(n: int, m: int, titles: tuple[str, ...]) -> alt.HConcatChart:
    return r.beside(*(_matrix(n, m, at, title) for at, title in enumerate(titles)), spacing=36)


def _matrix(n: int, m: int, at: int, title: str) -> alt.LayerChart:
    """Draw one panel; the names of the rows stand at the first alone."""
    grid = small_grid(
        n,
        m,
        _MATRIX_ROOM,
        query=None if at else "gold-target",
        key="gold-source",
        bare="y" if at else "",
        where=f"datum.panel === {at}",
    )
    colour = r.share_colour("value", palette_of(CROSS).ramp, "gold-share")
    tooltip = r.pair_tips(value=("gold-share", ".3f"), link="gold-link")
    frame = r.frame(grid.cells(where="datum.linked"))
    return grid.matrix(colour, tooltip, more=[*_gold_marks(grid), frame], title=title)


def link_grid(cells: pd.DataFrame, target: Sequence[str], source: Sequence[str]) -> Figure:
    """Draw the links of a pair as filled cells, with gold links as in `gold_matrices`.

    The cells come from `core.alignment.link_cells` of the same words.
    """
    marks = {name: say(f"gold-{name}") for name in ("sure", "possible")} | {"": ""}
    # The converter of saved pictures ends the process at a control character.
    words = {"query": cells["query"].map(visible), "key": cells["key"].map(visible)}
    linked = np.where(cells["linked"] > 0, say("gold-linked"), "")
    tables = {
        "cells": cells.assign(link=cells["gold"].map(marks), join=linked, **words),
        "rows": labelled([visible(word) for word in target], "q"),
        "columns": labelled([visible(word) for word in source], "k"),
    }
    return drawn(_links, tables, n=len(target), m=len(source))


def _links(n: int, m: int) -> alt.LayerChart:
    grid = small_grid(n, m, _LINKS_ROOM, query="gold-target", key="gold-source")
    ramp = palette_of(CROSS).ramp
    # A cell is linked or not: two colours and no bar beside them.
    colour = r.share_colour("linked", (ramp[0], ramp[2]), None).legend(None)
    tooltip = r.pair_tips(join="gold-in-file", link="gold-link")
    return grid.matrix(colour, tooltip, more=_gold_marks(grid))


def _gold_marks(grid: Grid) -> list[alt.Chart]:
    """Return the marks of gold links: a dot where they are sure, a ring where possible."""
    size = (grid.step[0] * 0.42) ** 2
    # A white halo: a black ring would vanish on dark cells.
    around = grid.cells(where="datum.gold").mark_point(
        filled=False,
        size=size,
        strokeWidth=5,
        stroke="white",
        opacity=0.9,
        tooltip=None,
        aria=False,
    )
    ring = grid.cells(where="datum.gold").mark_point(
        filled=False, size=size, strokeWidth=2, stroke="black", opacity=1, tooltip=None, aria=False
    )
    dot = grid.cells(where="datum.gold === 'sure'").mark_point(
        filled=True, size=size, fill="black", opacity=1, tooltip=None, aria=False
    )
    return [around, ring, dot]
