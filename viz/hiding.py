"""Words hidden from one place or another, and what that does to the choice of a pronoun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from . import chart
from .chart import Part
from .figure import Figure
from .knockout import choice_looks, looks
from .labels import text_width
from .look import say
from .theme import INK

# Phrases in warm colours, single words in cool ones, the last in grey.
_WORD_COLOURS = ("#4e9c57", "#d9822b", "#9c6d9b", "#a0694a", "#8b9099")
_WORD_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")
_PANEL, _ROW = 190, 32
_MOST_PANELS = 3
_OFFSET = 15  # pixels from one line of a place to the next
_FLIP_OFFSET = 13
_MOST_LABEL = 210.0


def hiding_dots(lines: pd.DataFrame) -> Figure:
    """What hiding each word from each place does to the choices; nothing to click.

    One panel for each hidden word, one row for each place, a dot for each choice with a line to
    the probability it has when nothing is hidden. Panels of the same places stand side by side,
    three at most.

    Parameters
    ----------
    lines : with the columns hidden, place, choice (labels, in the order of first appearance),
        probability and plain (0 to 1); NaN where the model refused. A column role, if there is
        one, is a second line of the panel's title; the same word in two roles has two panels.

    Raises
    ------
    ValueError : no lines, or a column is missing.
    """
    needed = ["hidden", "place", "choice", "probability", "plain"]
    missing = [name for name in needed if name not in lines]
    if lines.empty or missing:
        raise ValueError(f"nothing to draw: {len(lines)} lines, columns missing: {missing}")
    dots = lines[needed].copy()
    dots["role"] = lines.get("role", "")
    names = list(zip(dots["hidden"], dots["role"], strict=True))
    titles, places, choices = (
        tuple(dict.fromkeys(values)) for values in (names, dots["place"], dots["choice"])
    )
    dots["word"] = [titles.index(name) for name in names]
    tested = [
        tuple(dict.fromkeys(dots.loc[dots["word"] == i, "place"])) for i in range(len(titles))
    ]
    room = round(min(_MOST_LABEL, max(text_width(place, 12.0) for place in places))) + 14
    rows = _panel_rows(tested)
    panels = [
        {
            "hconcat": [
                _panel(number, titles[number], tested[number], choices, room, number == row[0])
                for number in row
            ],
            "spacing": 24,
        }
        for row in rows
    ]
    most = max(map(len, rows))
    part = chart.whole({"vconcat": panels, "spacing": 26}, right=12)
    return Figure(part, {"dots": dots}, "", width=most * (_PANEL + 24) + room + 30)


def _panel_rows(tested: Sequence[tuple[str, ...]]) -> tuple[tuple[int, ...], ...]:
    """The panels, by number, that stand side by side."""
    rows: list[list[int]] = []
    for panel, places in enumerate(tested):
        if rows and tested[rows[-1][0]] == places and len(rows[-1]) < _MOST_PANELS:
            rows[-1].append(panel)
        else:
            rows.append([panel])
    return tuple(map(tuple, rows))


def _bands(places: Sequence[str], room: int, *, title: str | None = None, **axis: Any) -> Part:
    """A band for each place, its name to the left."""
    look = {
        "ticks": False,
        "domain": False,
        "labelLimit": room,
        "labelFontSize": 12,
        "grid": True,
        "gridOpacity": 0.25,
        "labelPadding": 8,
    }
    return chart.field(
        "place:N",
        title=title,
        sort=list(places),
        axis=look | axis,
        scale={"paddingInner": 0.25, "paddingOuter": 0.1},
    )


def _panel(
    number: int,
    title: tuple[str, str],
    places: Sequence[str],
    choices: Sequence[str],
    room: int,
    first: bool,
) -> Part:
    """One hidden word: its places one below the other, with names where the panel is the first."""
    x = chart.field(
        "probability:Q",
        title=say("figures-probability"),
        scale={"domain": [0, 1]},
        axis=chart.share_axis(),
    )
    colour, shape = choice_looks(choices)
    at = {
        "y": _bands(places, room, labels=first, minExtent=room if first else 0),
        "yOffset": chart.field("choice:N", sort=list(choices)),
        "color": colour,
    }
    own = f"datum.word === {number}"
    layers = [
        chart.draw(
            "dots",
            chart.mark("rule", strokeWidth=2, opacity=0.6, tooltip=None),
            where=own, x=x, x2="plain:Q", **at,
        ),
        chart.draw(
            "dots",
            chart.mark("tick", thickness=2, size=10, tooltip=None),
            where=own, x="plain:Q", **at,
        ),
        chart.draw(
            "dots",
            chart.mark("point", filled=True, size=60, opacity=1),
            where=own, x=x, **at, shape=shape,
            tooltip=chart.told(
                ("hidden:N", say("figures-hiding-hidden")),
                ("place:N", say("figures-hiding-from")),
                ("choice:N", say("figures-token")),
                ("probability:Q", say("figures-probability"), ".4f"),
                ("plain:Q", say("figures-hiding-nothing"), ".4f"),
            ),
        ),
    ]  # fmt: skip
    word, role = title
    look = {
        "text": word,
        "anchor": "start",
        "frame": "group",
        "fontSize": 13,
        "color": INK,
        "offset": 6,
        "limit": _PANEL,
        "subtitle": role,
        "subtitleColor": INK,
        "subtitleFontSize": 11.5,
    }
    height = len(places) * max(_ROW, len(choices) * _OFFSET)
    return chart.layered(*layers, width=_PANEL, height=height, title=look)


def flip_rates(rows: Sequence[Mapping[str, Any]] | pd.DataFrame) -> Figure:
    """How often a choice flips for each place and hidden word, with the ends of an interval.

    Parameters
    ----------
    rows : with the columns place and hidden (labels, in the order of first appearance), share, low
        and high (0 to 1) and n (how many were counted).

    Raises
    ------
    ValueError : no rows, or a column is missing.
    """
    frame = pd.DataFrame(rows)
    missing = [n for n in ("place", "hidden", "share", "low", "high", "n") if n not in frame]
    if frame.empty or missing:
        raise ValueError(f"nothing to draw: {len(frame)} rows, columns missing: {missing}")
    places, words = (tuple(dict.fromkeys(frame[name])) for name in ("place", "hidden"))
    room = round(min(_MOST_LABEL, max(text_width(place, 12.0) for place in places))) + 14
    return Figure(_flip_chart(places, words, room), {"rows": frame}, "", width=room + 420)


def _flip_chart(places: Sequence[str], words: Sequence[str], room: int) -> Part:
    colour, shape = looks(
        "hidden",
        words,
        _WORD_COLOURS,
        _WORD_SHAPES,
        title=say("figures-hiding-hidden"),
        columns=3,
        symbolOpacity=1,
    )
    at = {
        "y": _bands(places, room, title=say("figures-hiding-hidden-from")),
        "yOffset": chart.field("hidden:N", sort=list(words)),
        "color": colour,
    }

    def x(name: str) -> Part:
        axis = {"format": ".0%", "gridOpacity": 0.3, "tickCount": 5}
        title = say("figures-hiding-pronoun-flips")
        return chart.field(f"{name}:Q", title=title, scale={"domain": [0, 1]}, axis=axis)

    ends = chart.draw(
        "rows",
        chart.mark("rule", strokeWidth=2, opacity=0.7, tooltip=None),
        x=x("low"),
        x2="high:Q",
        **at,
    )
    dots = chart.draw(
        "rows",
        chart.mark("point", filled=True, size=64, opacity=1),
        x=x("share"),
        **at,
        shape=shape,
        tooltip=chart.told(
            ("hidden:N", say("figures-hiding-hidden")),
            ("place:N", say("figures-hiding-from")),
            ("share:Q", say("figures-hiding-flips"), ".1%"),
            ("low:Q", say("figures-hiding-interval-from"), ".1%"),
            ("high:Q", say("figures-hiding-interval-to"), ".1%"),
            ("n:Q", say("figures-hiding-sentences")),
        ),
    )
    height = len(places) * max(_ROW, len(words) * _FLIP_OFFSET)
    part = chart.layered(ends, dots, width=360, height=height)
    return chart.whole(part, right=12, autosize="pad")
