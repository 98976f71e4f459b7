"""Figures of what searches return: outputs by their score, and shares of search errors."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import DECODER
from core.records.hypotheses import changed_words
from core.records.tokens import visible
from words.numbers import fixed, percent

from . import recipes as r
from .figure import Figure, drawn
from .labels import line_width
from .style import say
from .theme import (
    GREY,
    INK,
    NEGATIVE,
    ON_OUTCOME,
    OUTCOMES,
    SEARCH_ERROR,
    SELECTION_TEXT,
    palette_of,
)

# Pixels.
_WIDTH = 900
_OUTPUT_ROW = 58
_LANE = 19  # from the output in the middle of its row to the name above and the dot below
_TEXT = 13  # font size of an output
_NAME = 12
_SPACE = 4  # between two words
_MISSING = 8  # of the tint where words are missing
_BEFORE = 2  # words before the first changed one in an output that is cut
_ERRORS = 480
_ERROR_ROW = 26
_LEAST_WRITTEN = 0.04  # share of a bar that has room for its number
_TICKS = (0, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.75, 1)


def score_dots(outputs: pd.DataFrame) -> Figure:
    """Draw outputs one below the other, each under its name and over a dot at its score.

    The best are gold. Names stand above, so that all dots fit a phone. Words that the best output
    does not have at their place are tinted, and gaps where a line lacks words of it.

    `outputs` has the columns name, text, score and chosen; the names of chosen rows are red.
    """
    scores = outputs["score"]
    # A fifth of the range, or half a nat if all scores are alike, left and right of the dots.
    margin = max(0.5, float(np.ptp(scores)) / 5)
    texts = [visible(text) or say("beam-empty") for text in outputs["text"]]
    best = texts[int(np.argmax(scores))]
    dots = pd.DataFrame(
        {
            "place": range(len(outputs)),
            "label": outputs["name"].map(visible),
            "output": texts,
            "score": scores,
            "written": scores.map(fixed),
            # Scores that print alike are equally good.
            "best": scores > scores.max() - 0.005,
            "chosen": outputs["chosen"],
        }
    )
    words = [(line, *word) for line, text in enumerate(texts) for word in _words(text, best)]
    columns = ["place", "word", "x", "end", "changed"]
    tables = {"dots": dots, "words": pd.DataFrame(words, columns=columns)}
    ends = (float(scores.min()) - margin, float(scores.max()) + margin)
    return drawn(_dots, tables, n=len(dots), ends=ends)


def _words(text: str, best: str) -> list[tuple[str, float, float, bool]]:
    """Return the runs of words of a line with their ends, True for those not in `best`.

    An empty one with True is the gap where words of `best` are missing.

    A line that is too long begins shortly before the first such word, and ends with "…".
    """
    words = changed_words(text, best)
    room = _WIDTH - line_width("…", _TEXT)
    if line_width(text, _TEXT) > _WIDTH:
        first = next((at for at, (_, changed) in enumerate(words) if changed), 0)
        start = max(0, first - _BEFORE)
        words = [*([("…", False)] if start else []), *words[start:]]
    placed: list[tuple[str, float, float, bool]] = []
    x = 0.0
    for word, changed in words:
        # The gap of missing words has no text, and needs a width to be seen.
        end = x + (line_width(word, _TEXT) or _MISSING)
        if end > room and placed:
            placed.append(("…", x, room, False))
            break
        if placed and placed[-1][3] == changed:
            # Widths are estimates: words that stand alike are one text, with the font's own spaces.
            before, start_of, _, _ = placed.pop()
            placed.append((f"{before} {word}", start_of, end, changed))
        else:
            placed.append((word, x, end, changed))
        x = end + _SPACE
    return placed


def _dots(n: int, ends: tuple[float, float]) -> alt.LayerChart:
    x = r.x("score", "beam-dots-axis", domain=ends, nice=False, tickCount=6, format="~f")
    y = r.line_places(n, "", _OUTPUT_ROW)
    gold = palette_of(DECODER).accent
    colour = r.when(alt.ColorValue, ("datum.best", gold), otherwise=GREY)
    tooltip = r.tips(label="beam-column-method", output="beam-output", score=("beam-score", ".2f"))
    rows = r.source("dots").encode(y=y)
    # A thin guide and no bar: the axis does not begin at 0, so lengths would say nothing.
    lane = rows.mark_rule(color=INK, opacity=0.2, yOffset=_LANE, tooltip=None, aria=False)
    dot = rows.mark_point(filled=True, size=130, opacity=1, yOffset=_LANE, tooltip=None, aria=False)
    written = r.text(r.source("dots"), align="left", fontSize=12, dy=_LANE, dx=11)
    name = r.text(r.source("dots"), align="left", fontSize=_NAME, fontWeight=600, dy=-_LANE)
    red = r.when(alt.ColorValue, ("datum.chosen", SELECTION_TEXT), otherwise=INK)
    at = r.pixels(alt.X, "x")
    tint = r.source("words", "datum.changed").mark_rule(
        color=NEGATIVE, strokeWidth=18, opacity=0.28, tooltip=None, aria=False
    )
    word = r.text(r.source("words"), align="left", fontSize=_TEXT, dy=1)
    area = r.touched("dots", tooltip)
    return r.layered(
        lane.encode(x=x, x2=alt.X2Datum(ends[0])),
        dot.encode(colour, x=x),
        name.encode(red, x=alt.XValue(0), y=y, text="label:N"),
        tint.encode(at, x2="end", y=y),
        word.encode(at, y=y, text="word:N"),
        written.encode(x=x, y=y, text="written:N"),
        area.encode(y=y, x=alt.XValue(0), x2=alt.X2Value("width")),
        width=_WIDTH,
        height=n * _OUTPUT_ROW,
    )


def verdict_bars(rows: pd.DataFrame, outcomes: Sequence[str]) -> Figure:
    """Draw the shares of outcomes of many sentences as stacked bars, one line a search.

    Parameters
    ----------
    rows : DataFrame
        Columns name (of the line), chosen (its name is red), outcome, value (a share of one) and
        aside (a text at the end of the line).
    outcomes : sequence of str
        All outcomes, as they follow each other in a bar.
    """
    rows = rows.assign(name=rows["name"].map(visible))
    names = rows.drop_duplicates("name", ignore_index=True)
    ends = rows.groupby("name", sort=False)["value"].cumsum()
    bars = rows.assign(
        place=rows["name"].map({name: at for at, name in enumerate(names["name"])}),
        start=ends - rows["value"],
        end=ends,
        middle=ends - rows["value"] / 2,
        written=[percent(share, 0) if share >= _LEAST_WRITTEN else "" for share in rows["value"]],
    )
    labels = names[["name", "chosen", "aside"]].rename(columns={"name": "label"})
    labels.insert(0, "place", range(len(labels)))
    tables = {"bars": bars.drop(columns="aside"), "names": labels}
    return drawn(_verdicts, tables, n=len(names), outcomes=tuple(outcomes))


def _verdicts(n: int, outcomes: tuple[str, ...]) -> alt.LayerChart:
    y = r.line_places(n, "names", _ERROR_ROW, chosen="chosen", labelLimit=260, labelFontSize=13)
    x = r.x("start", "beam-verdicts-axis", domain=(0, 1), nice=False, tickCount=5, format=".0%")
    legend = r.swatches(symbolType="square", labelLimit=240, columns=len(outcomes))
    colour = r.series(alt.Color, "outcome", outcomes, OUTCOMES, legend=legend)
    tooltip = r.tips(
        name="beam-tally-set", outcome="beam-tally-outcome", value=("beam-tally-share", ".2%")
    )
    rows = r.source("bars").encode(y=y)
    bar = rows.mark_bar(tooltip=None, aria=False).encode(colour, x=x, x2="end")
    written = r.text(rows, align="center", fontSize=12, aria=False, color=ON_OUTCOME)
    aside = r.text(r.source("names"), align="left", fontSize=12)
    area = r.touched("bars", tooltip).encode(y=y, x=x, x2="end")
    return r.layered(
        bar,
        written.encode(x=r.x("middle", "beam-verdicts-axis"), text="written:N"),
        aside.encode(y=y, x=alt.XValue(_ERRORS + 10), text="aside:N"),
        area,
        width=_ERRORS,
        height=n * _ERROR_ROW,
    )


def error_dots(rows: pd.DataFrame) -> Figure:
    """Draw shares of sentences as dots with their 95 % intervals, on a root scale.

    Parameters
    ----------
    rows : DataFrame
        Columns name (of the line), chosen (its name is red), value, low, high (shares of one) and
        n (sentences).
    """
    dots = rows.assign(
        place=range(len(rows)),
        label=rows["name"].map(visible),
        written=[
            say("beam-errors-share", share=share, n=n)
            for share, n in zip(rows["value"], rows["n"].tolist(), strict=True)
        ],
    )
    top = max(0.01, float(rows["high"].max()))
    return drawn(_errors, {"dots": dots}, n=len(dots), top=top)


def _errors(n: int, top: float) -> alt.LayerChart:
    ticks = [share for share in _TICKS if share <= top * 1.25]
    axis = alt.Axis(format=".0%", values=ticks, gridOpacity=0.3)
    # On a root scale, shares of less than one percent stay apart.
    scale = alt.Scale(type="sqrt", domain=[0, top * 1.25], nice=False)

    def x(column: str) -> alt.X:
        return alt.X(f"{column}:Q", title=say("beam-errors-axis"), scale=scale, axis=axis)

    y = r.line_places(n, "dots", _ERROR_ROW, chosen="chosen", labelLimit=260, labelFontSize=13)
    dots = r.source("dots").encode(y=y)
    line = dots.mark_rule(color=SEARCH_ERROR, strokeWidth=3, opacity=0.5, tooltip=None, aria=False)
    point = dots.mark_point(filled=True, size=110, opacity=1, color=SEARCH_ERROR)
    tooltip = r.tips(
        label="beam-tally-set",
        value=("beam-tally-share", ".2%"),
        low=("lineage-curve-low", ".2%"),
        high=("lineage-curve-high", ".2%"),
        n=("beam-tally-sentences", "d"),
    )
    written = r.text(dots, align="left", fontSize=12, dx=8)
    return r.layered(
        line.encode(x=x("low"), x2="high"),
        point.encode(x=x("value"), tooltip=tooltip),
        written.encode(x=x("high"), text="written:N"),
        width=_ERRORS,
        height=n * _ERROR_ROW,
    )
