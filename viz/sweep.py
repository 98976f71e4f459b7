"""Numbers around a search: what the width of the beam does, and what a search costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from analysis.layout import spread
from records import CROSS, DECODER, AttentionSite
from words.numbers import short

from . import chart
from .chart import Part, draw, field, mark, pixels, text, value
from .figure import Figure
from .look import say
from .panels import panels
from .theme import SELECTION, ink, palette_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Plot

Rows = pd.DataFrame | Sequence[Mapping[str, Any]]

# Column, the format of its numbers, whether its axis begins at 0.
MEASURES: tuple[tuple[str, str, bool], ...] = (
    ("bleu", ".1f", False),
    ("mean_log_prob", ".3f", False),
    ("length_ratio", ".3f", False),
    ("seconds", ".3f", True),
)

_COST_PANEL = (290, 210)
_END_GAP = 13.0


def sweep_chart(rows: Rows, *, chosen: int | None = None) -> Plot:
    """Beam width against each measure that `rows` has, a panel each.

    Parameters
    ----------
    rows : one line a width, with the column beam_size and any of bleu, mean_log_prob (natural),
        length_ratio (output tokens divided by the reference's) and seconds (per sentence).
    chosen : the width to mark.

    Raises
    ------
    ValueError : no rows, no beam_size, or none of the measures.
    """
    frame = _frame(rows, "beam_size").sort_values("beam_size", ignore_index=True)
    measures = tuple(m for m in MEASURES if m[0] in frame and frame[m[0]].notna().any())
    if not measures:
        raise ValueError(f"no measure to draw; expected any of {[m[0] for m in MEASURES]}")
    titles = [say(f"beam-sweep-{name}") for name, *_ in measures]
    widths = frame["beam_size"].tolist()
    plot = panels(
        titles,
        x=say("beam-sweep-axis"),
        pointer=f"{say('beam-sweep-beam_size')} %{{x}}",
        height=110,
        hoversubplots="axis",
        hoverdistance=-1,
        showlegend=False,
    )
    accent = palette_of(DECODER).accent
    for place, (name, form, zero) in enumerate(measures, start=1):
        plot.add_scatter(
            x=widths,
            y=frame[name].tolist(),
            yaxis=f"y{place}",
            mode="lines+markers",
            name=titles[place - 1],
            line={"color": accent, "width": 2},
            marker={
                "color": [SELECTION if width == chosen else accent for width in widths],
                "size": [12 if width == chosen else 8 for width in widths],
                "line": {"color": ink(), "width": 0.6},
                "opacity": 1,
            },
            hovertemplate=f"%{{y:{form}}}",
        )
        plot.update_layout({f"yaxis{place}_rangemode": "tozero" if zero else "normal"})
    return plot.update_xaxes(type="log", tickvals=widths)


def _frame(rows: Rows, *needed: str) -> pd.DataFrame:
    frame = rows.copy() if isinstance(rows, pd.DataFrame) else pd.DataFrame(list(rows))
    missing = [name for name in needed if name not in frame]
    if frame.empty or missing:
        raise ValueError(f"nothing to draw: {len(frame)} rows, columns missing: {missing}")
    return frame


def cost_chart(rows: Rows) -> Figure:
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
        "widths": _ends(frame[frame["of_width"]], "beam_size", "length", top),
        "lengths": _ends(frame[frame["of_length"]], "length", "beam_size", top),
    }
    lengths, widths = (sorted(frame[name].unique().tolist()) for name in ("length", "beam_size"))
    return Figure(_cost_panels(lengths, widths, top), tables, "", width=2 * (_COST_PANEL[0] + 130))


def _ends(frame: pd.DataFrame, line: str, along: str, top: float) -> pd.DataFrame:
    """The label of each line at its right end, moved apart from its neighbours."""
    last = frame.sort_values(along).groupby(line).tail(1)
    last = last.sort_values(["ms", line], ascending=[False, False], ignore_index=True)
    height = _COST_PANEL[1]
    exact = ((1 - last["ms"] / top) * height).tolist()
    places = spread([[(place, 1.0)] for place in exact], gap=_END_GAP, highest=height)
    named = "beam-cost-of-width" if line == "beam_size" else "beam-cost-of-length"
    labels = [say(named, n=int(n) if n == int(n) else short(n)) for n in last[line]]
    return pd.DataFrame({"place": places, "label": labels, "line": last[line]})


def _cost_panels(lengths: Sequence[float], widths: Sequence[float], top: float) -> Part:
    y = field(
        "ms:Q",
        title=say("beam-cost-milliseconds"),
        scale={"domain": [0, top], "nice": False},
        axis={"gridOpacity": 0.3, "tickCount": 5},
    )
    across, down = _COST_PANEL
    tooltip = chart.told(
        ("beam_size:Q", say("beam-sweep-beam_size")),
        ("length:Q", say("beam-cost-tokens")),
        ("ms:Q", say("beam-cost-milliseconds"), ".1f"),
        ("ms_per_token:Q", say("beam-cost-per-token"), ".2f"),
    )

    def panel(
        along: str, title: str, line: str, values: Sequence, ends: str, site: AttentionSite
    ) -> Part:
        # The pale half of the ramp would not stand out from the page.
        ramp = list(palette_of(site).ramp[2:])
        scale = {"range": ramp, "domain": [values[0], values[-1]]}
        colour = field(f"{line}:Q", scale=scale, legend=None)
        x = field(
            f"{along}:Q",
            title=title,
            scale={"domainMin": 0, "nice": False},
            axis={"grid": False, "tickCount": 6, "format": ",.0f"},
        )
        where = "datum.of_width" if line == "beam_size" else "datum.of_length"
        shown = {"where": where, "x": x, "y": y, "color": colour}
        lines = draw("rows", mark("line", strokeWidth=2, tooltip=None), detail=f"{line}:N", **shown)
        dots = draw(
            "rows", mark("point", filled=True, size=45, opacity=1), tooltip=tooltip, **shown
        )
        names = draw(
            ends,
            text(align="left", fontSize=11),
            x=value(across + 8),
            y=pixels("place"),
            text="label:N",
        )
        return chart.layered(
            chart.layered(lines, dots),
            names,
            resolve={"scale": {"y": "independent", "color": "independent"}},
            width=across,
            height=down,
        )

    panels = [
        panel("length", say("beam-cost-length"), "beam_size", widths, "widths", DECODER),
        panel("beam_size", say("beam-sweep-axis"), "length", lengths, "lengths", CROSS),
    ]
    return chart.whole(
        {"hconcat": panels, "spacing": 26},
        resolve={"scale": {"x": "independent", "y": "independent", "color": "independent"}},
    )
