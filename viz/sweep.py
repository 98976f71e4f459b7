"""Figures of search sweeps: quality by beam width, and time of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import altair as alt
import pandas as pd

from core.cost import search_costs
from core.layout import spread
from core.records.attention import CROSS, DECODER
from core.weights.tables import with_columns
from words.numbers import fixed, short

from . import recipes as r
from .figure import Figure, drawn
from .style import say
from .theme import INK, SELECTION, SELECTION_TEXT, ground, palette_of

Rows: TypeAlias = pd.DataFrame | Sequence[Mapping[str, Any]]

# Column, and the format of its numbers.
MEASURES = (
    ("bleu", ".1f"),
    ("mean_log_prob", ".2f"),
    ("length_ratio", ".3f"),
    ("seconds", ".3f"),
)

# For each panel the column that a line shares, the one it runs along, title and site of colours.
_PANELS = {
    "width": ("beam_size", "length", "beam-cost-length", DECODER),
    "length": ("length", "beam_size", "beam-sweep-axis", CROSS),
}
# The measure whose highest points have their number.
_QUALITY = "bleu"
_HEIGHT = 210
# Pixels of the panels of a sweep: all together, one across without its axis, and down.
_SWEEP = 650
_GAP = 14
_TICKS = 36
_PANEL = 120


def sweep_chart(rows: Rows, *, chosen: int | None = None) -> Figure:
    """Draw each measure that `rows` has against the beam width, a panel each, side by side.

    Numbers stand at the narrowest, the widest and the chosen width, which is red; those of BLEU
    also where it is highest.

    Parameters
    ----------
    rows : DataFrame or sequence of mappings
        One row a width, with the column beam_size and any of bleu, mean_log_prob (natural),
        length_ratio (output tokens divided by the reference's) and seconds (per sentence).
    chosen : int, optional
        The width to mark.

    Raises
    ------
    ValueError : `rows` has no measure.
    """
    frame = with_columns(rows, "beam_size").sort_values("beam_size", ignore_index=True)
    measures = [m for m in MEASURES if m[0] in frame and frame[m[0]].notna().any()]
    if not measures:
        raise ValueError(f"no measure to draw; expected any of {[m[0] for m in MEASURES]}")
    names = [name for name, *_ in measures]
    table = frame[["beam_size", *names]].assign(chosen=frame["beam_size"] == chosen)
    has_number = table["chosen"] | table.index.isin([0, len(table) - 1])
    for name, form in measures:
        written = table[name].map(partial(fixed, digits=int(form[1])), na_action="ignore")
        table[f"{name}_text"] = written.where(has_number, "")
        # Left of the point, where it does not meet the number of the next one.
        is_best = (written == written[table[name].idxmax()]) & (name == _QUALITY) & ~has_number
        table[f"{name}_best"] = written.where(is_best, "")
    widths = tuple(map(int, frame["beam_size"]))
    return drawn(_sweep, {"rows": table}, widths=widths, names=tuple(names))


def _sweep(widths: tuple[int, ...], names: tuple[str, ...]) -> alt.HConcatChart:
    # Widths are usually doubled; ticks only where something was measured.
    x = r.logarithmic(
        alt.X,
        "beam_size",
        "beam-sweep-axis",
        nice=False,
        padding=20,
        values=widths,
        grid=False,
        format="d",
    )
    across = (_SWEEP - _GAP * (len(names) - 1)) / len(names)
    panels = [_measure_panel(name, form, x, across) for name, form in MEASURES if name in names]
    return r.beside(*panels, spacing=_GAP + _TICKS, resolve=r.apart("y"))


def _measure_panel(name: str, form: str, x: alt.X, across: float) -> alt.LayerChart:
    """Build the curve of one measure over the widths, with its numbers."""
    accent = palette_of(DECODER).accent
    colour = r.when(alt.ColorValue, ("datum.chosen", SELECTION), otherwise=accent)
    ink = r.when(alt.ColorValue, ("datum.chosen", SELECTION_TEXT), otherwise=INK)
    y = r.y(name, None, padding=14, tickCount=4)
    tooltip = r.tips(
        {"beam_size": ("beam-sweep-beam_size", "d"), name: (f"beam-sweep-{name}", form)}
    )
    rows = r.source("rows").encode(x=x, y=y)
    line = rows.mark_line(color=accent, strokeWidth=2, tooltip=None, aria=False)
    dots = rows.mark_point(filled=True, size=80, opacity=1).encode(colour, tooltip=tooltip)
    written = r.text(rows, fontSize=11, dy=-12).encode(text=f"{name}_text:N")
    # The line of the curve does not run through the number.
    under = written.copy().mark_text(
        fontSize=11,
        dy=-12,
        stroke=ground(),
        strokeWidth=5,
        strokeJoin="round",
        tooltip=None,
        aria=False,
    )
    best = r.text(rows, align="right", fontSize=11, dx=3, dy=-12)
    words = [written.encode(ink), best.encode(text=f"{name}_best:N")]
    panel = r.layered(line, under, dots, *words, width=across, height=_PANEL)
    panel.title = alt.TitleParams(
        say(f"beam-sweep-{name}"), subtitle=say(f"beam-sweep-{name}-told"), offset=8
    )
    return panel


def cost_chart(rows: Rows) -> Figure:
    """Draw the time of a search against the length of its output and against its width.

    Left one line a width, right one line a length. Both axes of time begin at 0, so a straight line
    through the corner is cost in proportion.

    `rows`: one row a measurement, with length (output tokens), beam_size and seconds (wall-clock
    time of one search).

    Raises
    ------
    ValueError : there are no rows, or a column is missing.
    """
    frame = search_costs(with_columns(rows, "length", "beam_size", "seconds"))
    # Both panels share the axis of time, so its end is computed for both.
    top = float(frame["ms"].max()) * 1.05 or 1.0
    tables = {"rows": frame}
    for what, (line, along, *_) in _PANELS.items():
        # Labels at the right ends of the lines, spread so that they do not overlap.
        last = frame[frame[f"of_{what}"]].sort_values(along).groupby(line).tail(1)
        last = last.sort_values(["ms", line], ascending=False, ignore_index=True)
        exact = [[((1 - ms / top) * _HEIGHT, 1.0)] for ms in last["ms"]]
        numbers = [int(n) if n == int(n) else short(n) for n in last[line]]
        labels = [say(f"beam-cost-of-{what}", n=n) for n in numbers]
        heights = spread(exact, gap=13.0, highest=_HEIGHT)
        tables[f"{what}s"] = pd.DataFrame({"place": heights, "label": labels})
    return drawn(_costs, tables, top=top)


def _costs(top: float) -> alt.HConcatChart:
    tooltip = r.tips(
        beam_size="beam-sweep-beam_size",
        length="beam-cost-tokens",
        ms=("beam-cost-milliseconds", ".1f"),
        ms_per_token=("beam-cost-per-token", ".2f"),
    )
    time = r.y("ms", "beam-cost-milliseconds", domain=(0, top), tickCount=5)
    panels = []
    for what, (line, along, title, site) in _PANELS.items():
        # Without the pale half of the ramp, which would hardly show on the page.
        scale = alt.Scale(range=palette_of(site).ramp[2:])
        names = r.text(r.source(f"{what}s"), align="left", fontSize=11)
        names = names.encode(x=alt.XValue(298), y=r.pixels(alt.Y, "place"), text="label:N")
        rows = r.source("rows", f"datum.of_{what}").encode(
            r.x(along, title, zero=True, nice=False, grid=False, format=",.0f"),
            time,
            alt.Color(f"{line}:Q", scale=scale, legend=None),
            alt.Detail(f"{line}:N"),
        )
        panels.append(r.lines(rows, tooltip, size=(290, _HEIGHT), points=45, more=[names]))
    return r.beside(*panels, spacing=26, resolve=r.apart("color"))
