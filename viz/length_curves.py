"""Measured curves of several systems over the length of a text, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from . import chart
from .chart import draw, field, mark, text, value
from .figure import Figure
from .look import is_dark, say
from .theme import INK

COLOURS = {
    False: (
        *("#2a6fb0", "#b3580f", "#2f8a4f", "#a83c74"),
        *("#6a55b8", "#83700f", "#1f8288", "#5f6672"),
    ),
    True: (
        *("#6aa9e6", "#e89a55", "#6cc48b", "#e283b2"),
        *("#a795ee", "#cdb94c", "#5fc3c9", "#a9b0bc"),
    ),
}
DASHES = ([1, 0], [6, 3], [2, 2])
_SIZE = (460, 280)
COLUMNS = ("system", "label", "at", "value", "low", "high", "texts")


def length_curves(
    rows: pd.DataFrame,
    order: Sequence[str],
    *,
    along: str,
    measure: str,
    form: str = ".1f",
    seen: float | None = None,
) -> Figure:
    """A line with its 95 % band for each system.

    Parameters
    ----------
    rows : one line a point, with the `COLUMNS`.
    order : all labels there may be; each keeps its colour, whichever are drawn.
    along, measure : titles of the axes.
    form : of the measure's numbers.
    seen : up to where training saw such lengths, to be marked.

    Raises
    ------
    ValueError : no rows, or a column is missing.
    """
    missing = [name for name in COLUMNS if name not in rows]
    if rows.empty or missing:
        raise ValueError(f"nothing to draw: {len(rows)} rows, columns missing: {missing}")
    rows = rows[list(COLUMNS)].reset_index(drop=True)
    there = set(rows["label"])
    drawn = [label for label in order if label in there]
    at = {label: place for place, label in enumerate(order)}
    palette = COLOURS[is_dark()]
    colours = [palette[at[label] % len(palette)] for label in drawn]
    dashes = [DASHES[at[label] // len(palette) % len(DASHES)] for label in drawn]
    legend = {
        **{"orient": "bottom", "columns": 2, "title": None, "labelLimit": 290},
        # Lines and their dashes alone: the bands are too pale to be named by.
        **{"symbolOpacity": 1, "symbolType": "stroke", "symbolSize": 300, "symbolStrokeWidth": 3},
    }
    x = field(
        "at:Q",
        title=along,
        scale={"zero": False, "padding": 10},
        axis={"grid": False, "tickCount": 6, "format": ",.0f"},
    )
    y = field(
        "value:Q",
        title=measure,
        scale={"zero": False, "padding": 6},
        axis={"gridOpacity": 0.3, "tickCount": 6},
    )
    colour = field("label:N", scale={"domain": drawn, "range": colours}, legend=legend)
    dash = field("label:N", scale={"domain": drawn, "range": dashes}, legend=legend)
    shared = {"x": x, "y": y, "color": colour}
    tooltip = chart.told(
        ("label:N", say("lineage-curve-system")),
        ("at:Q", along, ".1f"),
        ("value:Q", measure, form),
        ("low:Q", say("lineage-curve-low"), form),
        ("high:Q", say("lineage-curve-high"), form),
        ("texts:Q", say("lineage-curve-texts"), ",.0f"),
    )
    layers = [
        draw(
            "rows",
            mark("area", opacity=0.13, line=False, tooltip=None),
            x=x,
            y=field("low:Q", title=measure, scale=y["scale"], axis=y["axis"]),
            y2="high:Q",
            color=colour,
        ),
        draw("rows", mark("line", strokeWidth=2, tooltip=None), strokeDash=dash, **shared),
        draw("rows", mark("point", filled=True, size=50, opacity=1), tooltip=tooltip, **shared),
    ]
    tables = {"rows": rows}
    if seen is not None:
        tables["seen"] = pd.DataFrame({"at": [seen], "label": [say("lineage-curve-seen")]})
        rule = mark("rule", color=INK, strokeDash=[3, 3], opacity=0.6, tooltip=None)
        layers += [
            draw("seen", rule, x=x),
            draw(
                "seen",
                text(align="left", baseline="top", dx=4, fontSize=11),
                x=x,
                y=value(2),
                text="label:N",
            ),
        ]
    # Fitted, the axes and the legend would be taken out of the height of the curves.
    figure = chart.whole(chart.layered(*layers, width=_SIZE[0], height=_SIZE[1]), autosize="pad")
    return Figure(figure, tables, "", width=_SIZE[0] + 70)
