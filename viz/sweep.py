"""Figures of search sweeps: quality by beam width, and time of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import altair as alt
import pandas as pd

from core.cost import search_costs
from core.layout import spread
from core.records.attention import CROSS, DECODER
from core.weights.tables import with_columns
from words.numbers import short

from . import recipes as r
from .figure import Figure, drawn
from .plots import panels
from .style import say
from .theme import SELECTION, ink, palette_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

Rows: TypeAlias = pd.DataFrame | Sequence[Mapping[str, Any]]

# Column, the format of its numbers, whether its axis begins at 0.
MEASURES = (
    ("bleu", ".1f", False),
    ("mean_log_prob", ".3f", False),
    ("length_ratio", ".3f", False),
    ("seconds", ".3f", True),
)

# For each panel the column that a line shares, the one it runs along, title and site of colours.
_PANELS = {
    "width": ("beam_size", "length", "beam-cost-length", DECODER),
    "length": ("length", "beam_size", "beam-sweep-axis", CROSS),
}
_HEIGHT = 210


def sweep_chart(rows: Rows, *, chosen: int | None = None) -> Plot:
    """Draw beam width against each measure that `rows` has, a panel each.

    `rows`: one row a width, with the column beam_size and any of bleu, mean_log_prob (natural),
    length_ratio (output tokens divided by the reference's) and seconds (per sentence). `chosen`:
    the width to mark.

    Raises
    ------
    ValueError : `rows` has no measure.
    """
    frame = with_columns(rows, "beam_size").sort_values("beam_size", ignore_index=True)
    measures = [m for m in MEASURES if m[0] in frame and frame[m[0]].notna().any()]
    if not measures:
        raise ValueError(f"no measure to draw; expected any of {[m[0] for m in MEASURES]}")
    titles = [say(f"beam-sweep-{name}") for name, *_ in measures]
    widths = frame["beam_size"].tolist()
    figure = _width_panels(titles)
    accent = palette_of(DECODER).accent
    marker = _width_markers(widths, chosen)
    for panel, (name, form, zero) in enumerate(measures, start=1):
        figure.add_scatter(
            x=widths,
            y=frame[name].tolist(),
            yaxis=f"y{panel}",
            name=titles[panel - 1],
            mode="lines+markers",
            hovertemplate=f"%{{y:{form}}}",
            line={"color": accent, "width": 2},
            marker=marker,
        )
        figure.update_layout({f"yaxis{panel}_rangemode": "tozero" if zero else "normal"})
    # Widths are usually doubled; ticks only where something was measured.
    return figure.update_xaxes(type="log", tickvals=widths)


def _width_panels(titles: Sequence[str]) -> Plot:
    """Return an empty panel for each measure over the beam width."""
    return panels(
        titles,
        x=say("beam-sweep-axis"),
        pointer=f"{say('beam-sweep-beam_size')} %{{x}}",
        height=110,
        hoversubplots="axis",
        # -1 searches without a limit, so that the pointer always reads the nearest width.
        hoverdistance=-1,
        showlegend=False,
    )


def _width_markers(widths: Sequence[int], chosen: int | None) -> dict[str, Any]:
    """Return the marker of every width; the chosen one is red and larger."""
    accent = palette_of(DECODER).accent
    return {
        "color": [SELECTION if width == chosen else accent for width in widths],
        "size": [12 if width == chosen else 8 for width in widths],
        "line": {"color": ink(), "width": 0.6},
        "opacity": 1,
    }


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
        lines = r.lines(
            r.x(along, title, zero=True, nice=False, grid=False, format=",.0f"),
            time,
            alt.Color(f"{line}:Q", scale=scale, legend=None),
            tooltip,
            table="rows",
            where=f"datum.of_{what}",
            detail=f"{line}:N",
            points=45,
            width=290,
            height=_HEIGHT,
            more=[names],
        )
        panels.append(lines)
    return r.beside(*panels, spacing=26, resolve=r.apart("color"))
