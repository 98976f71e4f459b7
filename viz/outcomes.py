"""Figures of what searches return: outputs by their score, and shares of search errors."""

from __future__ import annotations

import re

import altair as alt
import numpy as np
import pandas as pd

from core.records.attention import DECODER
from core.records.hypotheses import changed_words
from core.records.tokens import visible
from words.numbers import fixed

from . import recipes as r
from .figure import Figure, drawn
from .labels import line_width
from .style import say
from .theme import GREY, NEGATIVE, SEARCH_ERROR, palette_of

# Pixels.
_WIDTH = 660
_NAMES = 250
_OUTPUT_ROW = 42
_LANE = 10  # of the dot below the middle of its row, under the output
_TEXT = 13  # font size of an output
_SPACE = 4  # between two words
_MISSING = 8  # of the tint where words are missing
_BEFORE = 2  # words before the first changed one in an output that is cut
_ERRORS = 480
_ERROR_ROW = 34
_APART = 7  # of a dot from the middle of its line
_ASIDE = 120  # of the texts at the ends of the lines from the drawing
_TICKS = (0, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.75, 1)


def score_dots(outputs: pd.DataFrame) -> Figure:
    """Draw outputs one below the other, each over a dot at its score; the best are gold.

    Words that the best output does not have at their place are tinted, and gaps where a line lacks
    words of it.

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
            "label": outputs["name"].map(_lines),
            "output": texts,
            "score": scores,
            "written": scores.map(fixed),
            "best": scores > scores.max() - 0.005,
            "chosen": outputs["chosen"],
        }
    )
    words = [(line, *word) for line, text in enumerate(texts) for word in _words(text, best)]
    columns = ["place", "word", "x", "end", "changed"]
    tables = {"dots": dots, "words": pd.DataFrame(words, columns=columns)}
    ends = (float(scores.min()) - margin, float(scores.max()) + margin)
    return drawn(_dots, tables, n=len(dots), ends=ends)


def _lines(name: str) -> str:
    """Return the name of an output, broken between equal methods where it is too long."""
    lines = [""]
    # An equals sign in brackets belongs to one method.
    for part in re.split(r"(?<= =) (?![^(]*\))", name):
        line = f"{lines[-1]} {part}".lstrip()
        if line_width(line, _TEXT) > _NAMES and lines[-1]:
            lines.append(part)
        else:
            lines[-1] = line
    return "\n".join(lines)


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
    y = r.line_places(
        n,
        "dots",
        _OUTPUT_ROW,
        chosen="chosen",
        broken=True,
        labelLimit=_NAMES,
        labelFontSize=_TEXT,
    )
    gold = palette_of(DECODER).accent
    colour = r.when(alt.ColorValue, ("datum.best", gold), otherwise=GREY)
    tooltip = r.tips(label="beam-column-method", output="beam-output", score=("beam-score", ".2f"))
    rows = r.source("dots").encode(y=y)
    lane = rows.mark_rule(strokeWidth=2, opacity=0.6, yOffset=_LANE, tooltip=None, aria=False)
    dot = rows.mark_point(filled=True, size=130, opacity=1, yOffset=_LANE, tooltip=None, aria=False)
    written = r.text(r.source("dots"), align="left", fontSize=12, dy=_LANE, dx=11)
    at = r.pixels(alt.X, "x")
    tint = r.source("words", "datum.changed").mark_rule(
        color=NEGATIVE, strokeWidth=18, opacity=0.28, yOffset=-_LANE, tooltip=None, aria=False
    )
    word = r.text(r.source("words"), align="left", fontSize=_TEXT, dy=-_LANE + 1)
    area = r.touched("dots", tooltip)
    return r.layered(
        lane.encode(colour, x=x, x2=alt.X2Datum(ends[0])),
        dot.encode(colour, x=x),
        tint.encode(at, x2="end", y=y),
        word.encode(at, y=y, text="word:N"),
        written.encode(x=x, y=y, text="written:N"),
        area.encode(y=y, x=alt.XValue(0), x2=alt.X2Value(_WIDTH)),
        width=_WIDTH,
        height=n * _OUTPUT_ROW,
    )


def error_dots(rows: pd.DataFrame) -> Figure:
    """Draw shares of sentences as dots with their 95 % intervals, on a root scale.

    Parameters
    ----------
    rows : DataFrame
        Columns name (of the line), chosen (its name is red), test (what found the errors), value,
        low, high (shares of one), n (sentences) and aside (a text at the end of the line).
    """
    rows = rows.assign(name=rows["name"].map(visible))
    names = rows.drop_duplicates("name", ignore_index=True)
    places = {name: at for at, name in enumerate(names["name"])}
    tests = tuple(dict.fromkeys(rows["test"]))
    # Two dots of a line stand above and below its middle.
    shift = {test: _APART * (2 * at - len(tests) + 1) for at, test in enumerate(tests)}
    dots = rows.assign(
        place=rows["name"].map(places),
        y=[
            (places[name] + 0.5) * _ERROR_ROW + shift[test]
            for name, test in zip(rows["name"], rows["test"], strict=True)
        ],
        written=[
            say("beam-errors-share", share=share, n=n)
            for share, n in zip(rows["value"], rows["n"].tolist(), strict=True)
        ],
    )
    tables = {
        "dots": dots,
        "names": pd.DataFrame(
            {"place": range(len(names)), "label": names["name"], "chosen": names["chosen"]}
        ),
        "asides": pd.DataFrame(
            {"y": [(at + 0.5) * _ERROR_ROW for at in range(len(names))], "aside": names["aside"]}
        ),
    }
    top = max(0.01, float(rows["high"].max()))
    return drawn(_errors, tables, n=len(names), tests=tests, top=top)


def _errors(n: int, tests: tuple[str, ...], top: float) -> alt.LayerChart:
    ticks = [share for share in _TICKS if share <= top * 1.25]
    axis = alt.Axis(format=".0%", values=ticks, gridOpacity=0.3)
    scale = alt.Scale(type="sqrt", domain=[0, top * 1.25], nice=False)

    def x(column: str) -> alt.X:
        return alt.X(f"{column}:Q", title=say("beam-errors-axis"), scale=scale, axis=axis)

    y = r.pixels(alt.Y, "y")
    legend = r.swatches(labelLimit=420, symbolFillColor=SEARCH_ERROR, symbolOpacity=1)
    shape = r.series(alt.Shape, "test", tests, ("circle", "diamond"), legend=legend)
    dots = r.source("dots").encode(y)
    line = dots.mark_rule(color=SEARCH_ERROR, strokeWidth=3, opacity=0.5, tooltip=None, aria=False)
    point = dots.mark_point(filled=True, size=110, opacity=1, color=SEARCH_ERROR)
    tooltip = r.tips(
        name="beam-tally-set",
        test="beam-tally-outcome",
        value=("beam-tally-share", ".2%"),
        low=("lineage-curve-low", ".2%"),
        high=("lineage-curve-high", ".2%"),
        n=("beam-tally-sentences", "d"),
    )
    written = r.text(r.source("dots"), align="left", fontSize=11, dx=6, baseline="middle")
    names = r.line_places(n, "names", _ERROR_ROW, chosen="chosen", labelLimit=260, labelFontSize=13)
    aside = r.text(r.source("asides"), align="right", fontSize=12)
    return r.layered(
        r.kept("names", y=names),
        line.encode(x=x("low"), x2="high"),
        point.encode(shape, x=x("value"), tooltip=tooltip),
        written.encode(y, x=x("high"), text="written:N"),
        aside.encode(y, x=alt.XValue(_ERRORS + _ASIDE), text="aside:N"),
        width=_ERRORS,
        height=n * _ERROR_ROW,
    )
