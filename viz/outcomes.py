"""Figures of what searches return: outputs by their score, and shares of verdicts."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import DECODER
from core.records.tokens import visible
from words.numbers import fixed, percent

from . import recipes as r
from .figure import Figure, drawn
from .style import say
from .theme import GREY, INK, INKS, OUTCOMES, SELECTION_TEXT, palette_of

# Pixels.
_WIDTH = 720
_NAMES = 190
_OUTPUT_ROW = 42
_LANE = 10  # of the dot below the middle of its row, under the output
_BARS = 416
_BAR_ROW = 44
_BAR = 18
_UNDER = 9  # of the bar below the middle of its row, under the name
_LEAST_SHARE = 0.06  # of a bar that has room for its percentage


def score_dots(outputs: pd.DataFrame) -> Figure:
    """Draw outputs one below the other, each over a dot at its score; the best are gold.

    `outputs` has the columns name, text, score and chosen; the names of chosen rows are red.
    """
    scores = outputs["score"]
    # A fifth of the range, or half a nat if all scores are alike, left and right of the dots.
    margin = max(0.5, float(np.ptp(scores)) / 5)
    texts = [visible(text) or say("beam-empty") for text in outputs["text"]]
    dots = pd.DataFrame(
        {
            "place": range(len(outputs)),
            "label": outputs["name"],
            "output": [r.cut(text, _WIDTH, 13) for text in texts],
            "score": scores,
            "written": scores.map(fixed),
            "best": scores > scores.max() - 0.005,
            "chosen": outputs["chosen"],
        }
    )
    ends = (float(scores.min()) - margin, float(scores.max()) + margin)
    return drawn(_dots, {"dots": dots}, n=len(dots), ends=ends)


def _dots(n: int, ends: tuple[float, float]) -> alt.LayerChart:
    x = r.x("score", "beam-dots-axis", domain=ends, nice=False, tickCount=6, format="~f")
    y = r.line_places(n, "dots", _OUTPUT_ROW, chosen="chosen", labelLimit=_NAMES, labelFontSize=13)
    gold = palette_of(DECODER).accent
    colour = r.when(alt.ColorValue, ("datum.best", gold), otherwise=GREY)
    tooltip = r.tips(label="beam-column-method", output="beam-output", score=("beam-score", ".2f"))
    rows = r.source("dots").encode(y=y)
    lane = rows.mark_rule(strokeWidth=2, opacity=0.6, yOffset=_LANE, tooltip=None, aria=False)
    dot = rows.mark_point(filled=True, size=130, opacity=1, yOffset=_LANE, tooltip=None, aria=False)
    output = r.text(r.source("dots"), align="left", fontSize=13, dy=-9, dx=2)
    written = r.text(r.source("dots"), align="left", fontSize=12, dy=_LANE, dx=11)
    area = r.touched("dots", tooltip)
    return r.layered(
        lane.encode(colour, x=x, x2=alt.X2Datum(ends[0])),
        dot.encode(colour, x=x),
        output.encode(x=alt.XValue(0), y=y, text="output:N"),
        written.encode(x=x, y=y, text="written:N"),
        area.encode(y=y, x=alt.XValue(0), x2=alt.X2Value(_WIDTH)),
        width=_WIDTH,
        height=n * _OUTPUT_ROW,
    )


def outcome_bars(shares: pd.DataFrame, title: str, heading: str) -> Figure:
    """Draw one bar a row, divided by the shares of its outcomes.

    Parameters
    ----------
    shares : DataFrame
        Columns name, chosen, and shares of one by outcome, named as in `OUTCOMES`.
    title, heading : str
        Ids of the titles of the axis and of the legend.
    """
    outcomes = [name for name in OUTCOMES if name in shares and shares[name].any()]
    parts = shares.reset_index(drop=True).melt(
        ["name", "chosen"], outcomes, "outcome", "share", ignore_index=False
    )
    parts["place"] = parts.index
    parts["end"] = parts.groupby("place")["share"].cumsum()
    parts["start"] = parts["end"] - parts["share"]
    names = {name: say(f"beam-tally-{name}") for name in outcomes}
    parts["outcome"] = parts["outcome"].map(names)
    parts["written"] = parts["share"].map(lambda share: percent(share, 1))
    rows = pd.DataFrame(
        {
            "place": range(len(shares)),
            "label": list(shares["name"]),
            "chosen": list(shares["chosen"]),
        }
    )
    colours = tuple((names[name], OUTCOMES[name]) for name in outcomes)
    shape = {"colours": colours, "title": title, "heading": heading}
    return drawn(_shares, {"parts": parts, "names": rows}, n=len(rows), **shape)


def _shares(
    n: int, colours: tuple[tuple[str, str], ...], title: str, heading: str
) -> alt.LayerChart:
    x = r.x("start", title, domain=(0, 1), nice=False, format=".0%", tickCount=5)
    y = alt.Y("place:O", title=None, scale=r.places(n), axis=None)
    names, fills = zip(*colours, strict=True)
    legend = r.swatches(
        symbolType="square", symbolOpacity=1, labelLimit=200, titleLimit=400, columns=2
    )
    fill = r.series(alt.Color, "outcome", names, fills, heading, legend)
    tooltip = r.tips(
        name="beam-tally-set", outcome="beam-tally-outcome", written="beam-tally-share"
    )
    parts = r.source("parts").encode(y=y)
    bars = parts.mark_bar(aria=False, size=_BAR, yOffset=_UNDER)
    bars = bars.encode(fill, x=x, x2="end:Q", tooltip=tooltip)
    wide = r.source(
        "parts", f"datum.share >= {_LEAST_SHARE}", middle="(datum.start + datum.end) / 2"
    )
    words = r.text(wide, fontSize=11, color=INKS[False], dy=_UNDER)
    words = words.encode(x="middle:Q", y=y, text="written:N")
    ink = r.when(alt.ColorValue, ("datum.chosen", SELECTION_TEXT), otherwise=INK)
    rows = r.text(r.source("names"), align="left", fontSize=12, dy=-_BAR + _UNDER - 3)
    rows = rows.encode(ink, x=alt.XValue(0), y=y, text="label:N")
    return r.layered(bars, words, rows, width=_BARS, height=n * _BAR_ROW)
