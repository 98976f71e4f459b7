"""Numbers around a search: what the width of the beam does, and what a search costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import pandas as pd

from analysis.layout import spread

from .figure import Figure, table
from .theme import INK, SELECTION, palette_of

Rows = pd.DataFrame | Sequence[Mapping[str, Any]]

# Column, its title on the axis, the format of its numbers, whether its axis begins at 0.
MEASURES: tuple[tuple[str, str, str, bool], ...] = (
    ("bleu", "BLEU", ".1f", False),
    ("mean_log_prob", "mean log P", ".3f", False),
    ("length_ratio", "length ÷ reference", ".3f", False),
    ("seconds", "seconds per sentence", ".3f", True),
)

_PANEL = (230, 130)
_COST_PANEL = (290, 210)
_END_GAP = 13.0


def sweep_chart(
    rows: Rows, *, chosen: int | None = None, columns: int = 2, dark: bool = False
) -> Figure:
    """Beam width against each measure that `rows` has, one small plot each with its own axis.

    Parameters
    ----------
    rows : one line a width, with the column beam_size and any of bleu, mean_log_prob (natural),
        length_ratio (output tokens divided by the reference's) and seconds (per sentence).
    chosen : the width to mark.
    columns : plots side by side.

    Raises
    ------
    ValueError : no rows, no beam_size, or none of the measures.
    """
    frame = _frame(rows, "beam_size").sort_values("beam_size", ignore_index=True)
    measures = tuple(m for m in MEASURES if m[0] in frame and frame[m[0]].notna().any())
    if not measures:
        raise ValueError(f"no measure to draw; expected any of {[m[0] for m in MEASURES]}")
    frame = frame[["beam_size", *(m[0] for m in measures)]].copy()
    frame["chosen"] = frame["beam_size"] == (-1 if chosen is None else chosen)
    chart = _sweep_panels(measures, tuple(frame["beam_size"].unique().tolist()), columns, dark)
    across = min(columns, len(measures))
    return Figure(chart, {"rows": frame}, "", width=across * (_PANEL[0] + 80))


def _frame(rows: Rows, *needed: str) -> pd.DataFrame:
    frame = rows.copy() if isinstance(rows, pd.DataFrame) else pd.DataFrame(list(rows))
    missing = [name for name in needed if name not in frame]
    if frame.empty or missing:
        raise ValueError(f"nothing to draw: {len(frame)} rows, columns missing: {missing}")
    return frame


@lru_cache(maxsize=32)
def _sweep_panels(
    measures: tuple[tuple[str, str, str, bool], ...],
    widths: tuple[int, ...],
    columns: int,
    dark: bool,
) -> dict[str, Any]:
    accent = palette_of("decoder", dark=dark).accent
    titles = {name: title for name, title, _, _ in measures}
    formats = {name: form for name, _, form, _ in measures}
    tooltip = [
        alt.Tooltip("beam_size:Q", title="beam width"),
        *(alt.Tooltip(f"{n}:Q", title=titles[n], format=formats[n]) for n in titles),
    ]
    x = _width_axis(widths)

    def panel(name: str, zero: bool) -> alt.LayerChart:
        y = alt.Y(
            f"{name}:Q",
            title=titles[name],
            scale=alt.Scale(zero=zero, nice=True, padding=8),
            axis=alt.Axis(gridOpacity=0.3, tickCount=4),
        )
        base = alt.Chart(table("rows")).encode(x=x, y=y)
        marked = alt.when("datum.chosen")
        line = base.mark_line(color=accent, strokeWidth=2, tooltip=None)
        dots = base.mark_point(filled=True, stroke=INK, strokeWidth=0.6, opacity=1).encode(
            fill=marked.then(alt.value(SELECTION)).otherwise(alt.value(accent)),
            size=marked.then(alt.value(110)).otherwise(alt.value(55)),
            tooltip=tooltip,
        )
        return alt.layer(line, dots).properties(width=_PANEL[0], height=_PANEL[1])

    panels = [panel(name, zero) for name, _, _, zero in measures]
    return (
        alt.concat(*panels, columns=columns, spacing={"row": 18, "column": 26})
        .resolve_scale(x="independent", y="independent")
        .configure_view(stroke=None)
        .to_dict()
    )


def _width_axis(widths: Sequence[int]) -> alt.X:
    """Beam widths on a log scale, each with its own tick where there is room."""
    return alt.X(
        "beam_size:Q",
        title="beam width B",
        scale=alt.Scale(type="log", nice=False, padding=10),
        axis=alt.Axis(values=list(widths), format="d", grid=False, labelOverlap="greedy"),
    )


def cost_chart(rows: Rows, *, dark: bool = False) -> Figure:
    """Time of a search against the length of its output and against its width.

    Left one line a width, right one line a length. Both axes of time begin at 0, so a straight
    line through the corner is cost in proportion.

    Parameters
    ----------
    rows : one line a measurement, with the columns length (output tokens), beam_size and seconds
        (wall-clock time of one search).

    Raises
    ------
    ValueError : no rows or a column is missing.
    """
    frame = _frame(rows, "length", "beam_size", "seconds")
    frame = frame[["length", "beam_size", "seconds"]].sort_values(
        ["beam_size", "length"], ignore_index=True
    )
    frame["ms"] = frame["seconds"] * 1000
    frame["ms_per_token"] = frame["ms"] / frame["length"]
    # A line of one point is no line, unless there is no other.
    for name, line in (("of_width", "beam_size"), ("of_length", "length")):
        points = frame.groupby(line)["ms"].transform("size")
        frame[name] = (points > 1) | (points.max() == 1)
    top = float(frame["ms"].max()) * 1.05 or 1.0
    tables = {
        "rows": frame,
        "widths": _ends(frame[frame["of_width"]], "beam_size", "length", "B = {}", top),
        "lengths": _ends(frame[frame["of_length"]], "length", "beam_size", "{} tokens", top),
    }
    lengths, widths = (tuple(sorted(frame[n].unique().tolist())) for n in ("length", "beam_size"))
    return Figure(
        _cost_panels(lengths, widths, top, dark), tables, "", width=2 * (_COST_PANEL[0] + 130)
    )


def _ends(frame: pd.DataFrame, line: str, along: str, words: str, top: float) -> pd.DataFrame:
    """The label of each line at its right end, moved apart from its neighbours."""
    last = frame.sort_values(along).groupby(line).tail(1)
    last = last.sort_values(["ms", line], ascending=[False, False], ignore_index=True)
    height = _COST_PANEL[1]
    exact = ((1 - last["ms"] / top) * height).tolist()
    places = spread([[(place, 1.0)] for place in exact], gap=_END_GAP, highest=height)
    labels = [words.format(f"{value:g}") for value in last[line]]
    return pd.DataFrame({"place": places, "label": labels, "line": last[line]})


@lru_cache(maxsize=32)
def _cost_panels(
    lengths: tuple[float, ...], widths: tuple[float, ...], top: float, dark: bool
) -> dict[str, Any]:
    y = alt.Y(
        "ms:Q",
        title="milliseconds",
        scale=alt.Scale(domain=[0, top], nice=False),
        axis=alt.Axis(gridOpacity=0.3, tickCount=5),
    )
    across, down = _COST_PANEL

    def panel(along: str, title: str, line: str, values: tuple, ends: str, kind: str) -> Any:
        # The pale half of the ramp would not stand out from the page.
        ramp = list(palette_of(kind, dark=dark).ramp[2:])
        colour = {"scale": alt.Scale(range=ramp, domain=[values[0], values[-1]]), "legend": None}
        x = alt.X(
            f"{along}:Q",
            title=title,
            scale=alt.Scale(domainMin=0, nice=False),
            axis=alt.Axis(grid=False, tickCount=6, format=",.0f"),
        )
        shown = "of_width" if line == "beam_size" else "of_length"
        base = alt.Chart(table("rows")).transform_filter(f"datum.{shown}").encode(x=x, y=y)
        lines = base.mark_line(strokeWidth=2, tooltip=None).encode(
            color=alt.Color(f"{line}:Q", **colour), detail=f"{line}:N"
        )
        dots = base.mark_point(filled=True, size=45, opacity=1).encode(
            color=alt.Color(f"{line}:Q", **colour),
            tooltip=[
                alt.Tooltip("beam_size:Q", title="beam width"),
                alt.Tooltip("length:Q", title="output tokens"),
                alt.Tooltip("ms:Q", title="milliseconds", format=".1f"),
                alt.Tooltip("ms_per_token:Q", title="milliseconds per token", format=".2f"),
            ],
        )
        names = (
            alt.Chart(table(ends))
            .mark_text(align="left", baseline="middle", fontSize=11, color=INK, tooltip=None)
            .encode(
                x=alt.value(across + 8),
                y=alt.Y("place:Q", scale=None, axis=None),
                text="label:N",
            )
        )
        return (
            alt.layer(alt.layer(lines, dots), names)
            .resolve_scale(y="independent", color="independent")
            .properties(width=across, height=down)
        )

    panels = [
        panel("length", "tokens of output", "beam_size", widths, "widths", "decoder"),
        panel("beam_size", "beam width B", "length", lengths, "lengths", "cross"),
    ]
    return (
        alt.hconcat(*panels, spacing=26)
        .resolve_scale(x="independent", y="independent", color="independent")
        .configure_view(stroke=None)
        .to_dict()
    )
