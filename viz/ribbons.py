"""Figure of heads as ribbons between two columns, or two rows, of tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import AttentionMap
from core.records.tokens import distinct_labels, numbered_labels
from core.weights.combined import CombinedRows, combine_rows
from core.weights.links import Links, Side, curve_table, rows_are_drawn
from core.weights.tables import edge
from words.numbers import percent

from . import recipes as r
from .figure import Figure, drawn
from .labels import SMALLEST_FONT, font_size, text_width
from .style import say
from .theme import HEADS

_WIDTH = 300  # pixels between two columns of tokens
_HEIGHT = 220  # pixels between two rows of tokens
_LONGEST = 620  # pixels of all tokens in a column, for up to about forty
_BROADEST = 760  # pixels of all tokens in a row
_UPRIGHT = 22  # pixels that a column needs for a number that is not turned
_NUMBER = 34  # pixels of a number along the ribbons
_NUMBER_LINE = 15  # pixels of a line of numbers
_NOTE_LINE = 15
_MOST_NAMED = 6  # queries that a note names
NUMBERS = ("mean", "sum")


def head_colour(head: int) -> str:
    """Return the colour of a head, the same in every picture; colours repeat after the last."""
    return HEADS[head % len(HEADS)]


@dataclass(frozen=True)
class _Shape:
    """All that shapes the chart besides its tables."""

    n: int  # tokens of the longer side
    step: float  # pixels from one token to the next
    heads: tuple[int, ...]
    what: str  # name of the weights
    horizontal: bool
    slanted: bool  # labels of a row that has no room for words side by side
    under: float  # pixels that the labels below a row take
    combined: bool  # numbers stand beside the keys
    n_notes: int

    @property
    def span(self) -> float:
        """Pixels between the two lines of tokens."""
        return _HEIGHT if self.horizontal else _WIDTH

    @property
    def turned(self) -> bool:
        """True if the numbers stand upright to fit their columns."""
        return self.horizontal and self.step < _UPRIGHT

    @property
    def number_step(self) -> float:
        """Pixels from one number of a key to the next."""
        return _NUMBER_LINE if self.horizontal and not self.turned else _NUMBER

    @property
    def reach(self) -> float:
        """Pixels that the ribbons reach, short of the numbers."""
        return self.span - (len(NUMBERS) * self.number_step + 4) * self.combined


def ribbon_figure(
    attention: AttentionMap,
    links: Links,
    *,
    row_tokens: Sequence[str] | None = None,
    rows: Sequence[int] = (),
    columns: Sequence[int] = (),
    side: Side = "query",
    horizontal: bool = False,
) -> Figure:
    """Draw the ribbons, queries on the left and keys on the right; without clicks.

    Parameters
    ----------
    links : the links and the heads to draw.
    row_tokens : T_q tokens that name the queries, by default ``attention.query_tokens``.
    rows, columns, side : the selection; only its links are drawn, see `Links.at`. Of several rows
        each key has the mean and the sum, averaged over the heads if there are several.
    horizontal : draw queries below and keys above: the same picture turned left by a right angle,
        so that words are still read from left to right.
    """
    queries = tuple(row_tokens or attention.query_tokens)
    keys = attention.key_tokens
    at = links.at(rows, columns, side)
    combined = None
    if len(rows) > 1 and rows_are_drawn(rows, columns, side):
        combined = combine_rows(attention, links.layer, links.heads, rows)
    note = _note_rows(links, at, combined, queries)
    shape = _shape(
        queries,
        keys,
        heads=links.heads,
        what=say(f"figures-{attention.measure}"),
        horizontal=horizontal,
        combined=combined is not None,
        n_notes=len(note),
    )
    tables = {
        "curves": curve_table(
            links, at, queries, keys, step=shape.step, span=shape.reach, horizontal=horizontal
        ),
        "queries": _names(queries, rows),
        "keys": _names(keys, columns),
        "note": note,
    }
    if combined is not None:
        tables["combined"] = _numbers(combined, keys)
    return drawn(_ribbons, tables, shape=shape)


def _shape(queries: Sequence[str], keys: Sequence[str], *, horizontal: bool, **rest: Any) -> _Shape:
    """Return the shape for these tokens; words of a row stand side by side if all of them fit."""
    n = max(len(queries), len(keys))
    if not horizontal:
        step = max(15.0, min(26.0, _LONGEST / n))
        return _Shape(n=n, step=step, horizontal=False, slanted=False, under=0.0, **rest)
    labels = [*distinct_labels(queries), *distinct_labels(keys)]
    flat = max(30.0, math.ceil(max(text_width(label, 13) for label in labels)) + 12)
    if n * flat <= _BROADEST:
        return _Shape(n=n, step=flat, horizontal=True, slanted=False, under=20.0, **rest)
    step = max(15.0, min(26.0, _BROADEST / n))
    widest = max(text_width(label, font_size(step)) for label in labels)
    # In tens, so that similar sentences share a chart.
    under = 10.0 * math.ceil((widest * math.sin(math.radians(50)) + 8) / 10)
    return _Shape(n=n, step=step, horizontal=True, slanted=True, under=under, **rest)


def _names(tokens: Sequence[str], chosen: Sequence[int]) -> pd.DataFrame:
    """Return the labels of one side, of which the chosen ones are marked."""
    return edge(tokens, "row", chosen=np.isin(np.arange(len(tokens)), chosen))


def _note_rows(
    links: Links, at: np.ndarray, combined: CombinedRows | None, queries: Sequence[str]
) -> pd.DataFrame:
    """Return the lines of text below the drawing, each with its offset in pixels."""
    notes = [_note(links, at)]
    if combined is not None:
        notes.append(_note_of_rows(combined, queries))
    return pd.DataFrame({"text": notes, "line": np.arange(len(notes)) * _NOTE_LINE})


def _note(links: Links, at: np.ndarray) -> str:
    return say(
        "figures-ribbons-note" if at.all() else "figures-ribbons-note-part",
        layer=links.layer + 1,
        n=len(links),
        links=f"{len(links):,}",
        drawn=f"{at.sum():,}",
        hidden=percent(links.hidden_share()),
    )


def _note_of_rows(combined: CombinedRows, queries: Sequence[str]) -> str:
    """Return a sentence that names the combined queries and the totals of their numbers."""
    labels = distinct_labels(queries)
    named = [labels[query] for query in combined.queries[:_MOST_NAMED]]
    more = ["…"] if len(combined.queries) > _MOST_NAMED else []
    return say(
        "figures-ribbons-note-rows",
        queries=" + ".join(named + more),
        n_heads=len(combined.heads),
        mean=float(combined.mean.sum(axis=-1).mean()),
        sum=float(combined.sum.sum(axis=-1).mean()),
    )


def _numbers(combined: CombinedRows, keys: Sequence[str]) -> pd.DataFrame:
    """Return the numbers beside each key that can be attended to, averaged over the heads."""
    at = np.flatnonzero(combined.allowed)
    return pd.DataFrame(
        {
            "row": at.astype(np.int16),
            "key": np.array(numbered_labels(keys), dtype=object)[at],
            "mean": combined.mean.mean(axis=0)[at],
            "sum": combined.sum.mean(axis=0)[at],
        }
    )


def _ribbons(shape: _Shape) -> alt.LayerChart:
    layers = [_curves(shape), _side("queries", "query", shape), _side("keys", "key", shape)]
    if shape.combined:
        for nth, number in enumerate(NUMBERS):
            layers += _number(number, nth, shape)
    layers.append(_notes(shape))
    across = "x" if shape.horizontal else "y"
    along = shape.n * shape.step
    return r.layered(
        *layers,
        width=along if shape.horizontal else _WIDTH,
        height=_HEIGHT if shape.horizontal else along,
        # Both lines of tokens are axes of one scale, each with labels of its own.
        resolve={"axis": {across: "independent"}},
    )


def _curves(shape: _Shape) -> alt.Chart:
    legend = r.swatches(
        orient="bottom",
        symbolType="stroke",
        # Below the notes, and a little more where the height of labels is an estimate.
        offset=36 + (shape.n_notes - 1) * _NOTE_LINE + 20 * shape.slanted,
        columns=8,
        symbolOpacity=1,
        symbolStrokeWidth=3,
    )
    numbers = [head + 1 for head in shape.heads]
    colours = [head_colour(head) for head in shape.heads]
    # Weak links stay visible, strong ones let crossings show.
    pale = alt.Scale(domain=[0, 1], range=[0.15, 0.95])
    start = alt.YValue(_HEIGHT) if shape.horizontal else alt.XValue(0)
    # Opacity of the stroke alone: that of a mark costs the converter a picture for each curve.
    return r.paths("curves", opacity=1).encode(
        r.series(alt.Stroke, "head", numbers, colours, "figures-head", legend),
        alt.StrokeWidth("breadth:Q", scale=None),
        alt.StrokeOpacity("weight:Q", scale=pale, legend=None),
        _place(shape),
        start,
        tooltip=[*r.tips(head="figures-head"), *r.pair_tips(weight=(shape.what, ".4f"))],
    )


def _place(shape: _Shape, **options: Any) -> alt.X | alt.Y:
    """Return the channel of the tokens' positions, without an axis unless `options` have one."""
    channel = alt.X if shape.horizontal else alt.Y
    return channel("row:O", **{"scale": r.places(shape.n, 0), "axis": None, **options})


def _side(table: str, name: str, shape: _Shape) -> alt.Chart:
    """Return a line of tokens as an axis."""
    if shape.horizontal:
        axis = _row_axis(table, shape)
    else:
        left = name == "query"
        axis = r.label_axis(
            table,
            shape.step,
            chosen="chosen",
            # Token labels are short; a limit would cut the numbers of repeated ones.
            labelLimit=0,
            titleAngle=0,
            titleAnchor="end",
            titleFontSize=12,
            titleY=-10,
            orient="left" if left else "right",
            titleAlign="right" if left else "left",
            titleX=-8 if left else 8,
        )
    turned = "-up" if shape.horizontal else ""
    title = say(f"figures-ribbons-{name}{turned}")
    position = _place(shape, title=title, axis=axis)
    return r.kept(table, **{"x" if shape.horizontal else "y": position})


def _row_axis(table: str, shape: _Shape) -> alt.Axis:
    above = table == "keys"
    angle: dict[str, Any] = {"labelAngle": 0}
    if shape.slanted:
        # Words below end at their column, those above begin there.
        angle = {"slanted": True, **({} if above else {"labelAlign": "right"})}
    return r.label_axis(
        table,
        shape.step,
        chosen="chosen",
        orient="top" if above else "bottom",
        labelLimit=0,
        titleAnchor="start",
        titleFontSize=12,
        **angle,
    )


def _number(number: str, nth: int, shape: _Shape) -> list[alt.Chart]:
    """Return one of the numbers beside each key, and its name."""
    tooltip = r.tips(key="figures-key", **{n: (f"figures-ribbons-{n}", ".4f") for n in NUMBERS})
    style: dict[str, Any] = {"fontSize": SMALLEST_FONT, "align": "right"}
    if shape.turned:
        style |= {"angle": 270}
    elif shape.horizontal:
        style |= {"align": "center"}
    numbers = r.text(r.source("combined"), **style)
    name = r.text(
        r.source("note", "datum.line === 0"), fontSize=11, align="right", opacity=0.75
    ).encode(text=alt.TextValue(say(f"figures-ribbons-{number}")))
    if shape.horizontal:
        y = nth * shape.number_step + (2 if shape.turned else 9)
        numbers = numbers.encode(y=alt.YValue(y))
        middle = y + (shape.number_step / 2 - 4 if shape.turned else 0)
        name = name.encode(x=alt.XValue(-8), y=alt.YValue(middle))
    else:
        x = _WIDTH - (len(NUMBERS) - 1 - nth) * shape.number_step - 2
        numbers = numbers.encode(x=alt.XValue(x))
        name = name.encode(x=alt.XValue(x), y=alt.YValue(-10))
    value = alt.Text(f"{number}:Q", format=".2f")
    return [numbers.encode(_place(shape), text=value, tooltip=tooltip), name]


def _notes(shape: _Shape) -> alt.Chart:
    """Return the lines of text below the drawing."""
    down = shape.under + 26 if shape.horizontal else 8
    bottom = _HEIGHT if shape.horizontal else shape.n * shape.step
    middle = shape.n * shape.step / 2 if shape.horizontal else _WIDTH / 2
    lines = r.source("note", None, y=f"datum.line + {bottom + down}")
    note = r.text(lines, align="center", baseline="top", fontSize=11)
    return note.encode(x=alt.XValue(middle), y=r.pixels(alt.Y, "y"), text="text:N")
