"""Figures of forming heads: one head and the tokens at each recorded step, and curves of all.

Everything that moves with the step is drawn for all steps at once; `STEP_SIGNAL` of the
specification, an index of the recorded steps, selects the visible one, `at` to begin with. All
heads are `viz.overview.head_film`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle

import altair as alt
import numpy as np
import pandas as pd

from core.formation import (
    FormedSentence,
    cells_over_time,
    heads_over_time,
    known_cells,
    steps_table,
    tokens_over_time,
)
from core.records.attention import HEAD, AttentionMap, Head
from core.records.tokens import token_labels
from core.weights.tables import edge, labelled

from . import recipes as r
from .figure import Figure, drawn
from .grid import LABELS, small_grid
from .labels import full_head_name, site_title
from .style import is_dark, say
from .theme import GREY, INK, SELECTION, SELECTION_TEXT, SURE, ink_on, palette_of

STEP_SIGNAL = "moment"
CURVE = "curve"
_NOW = f"datum.time === {STEP_SIGNAL}"
_TOKENS = 930  # pixels of all tokens of the target
_TOKEN = (46, 64)  # least and most pixels of one
_WORDS = 11  # font size of its words
_NUMBER = 11  # font size of a weight in its cell
_ROOM = 288  # pixels of the longer side of an open head
_CURVES = (176, 330)  # pixels of the curves beside it
_APART = 0.05  # least distance of two numbers beside the curves, of the height of the axis


def one_head(
    maps: Sequence[AttentionMap],
    layer: int,
    head: int,
    *,
    at: int,
    alignment: Sequence[int] = (),
    largest: float = 26.0,
    numbered: bool = False,
) -> Figure:
    """Draw one head's matrix in the maps of one site, one map a step.

    `alignment` holds for each row the column known to be right, or -1; its cell is framed.
    `largest`: pixels of a cell of a short sentence. `numbered`: write each weight into its cell.
    """
    first = maps[0]
    tables = {
        "cells": cells_over_time(maps, layer, head),
        "rows": edge(first.output_tokens or first.query_tokens, "q"),
        "columns": edge(first.key_tokens, "k"),
        "known": known_cells(alignment),
    }
    size = first.weights.shape[2:]
    ramp = palette_of(first.site).ramp
    if numbered:
        tables["cells"]["ink"] = ink_on(ramp, tables["cells"]["weight"].to_numpy())
    return drawn(
        _matrix,
        tables,
        size=size,
        ramp=ramp,
        at=at,
        last=len(maps) - 1,
        largest=largest,
        numbered=numbered,
    )


def _matrix(
    size: tuple[int, int],
    ramp: tuple[str, ...],
    at: int,
    last: int,
    largest: float,
    numbered: bool,
) -> alt.LayerChart:
    grid = small_grid(*size, _ROOM, largest=largest)
    cells = grid.cells(where=_NOW, calculate=LABELS).add_params(r.dial(STEP_SIGNAL, at, last))
    tooltip = r.pair_tips(weight=("figures-weight", ".4f"))
    right = r.source("known").mark_rect(
        filled=False, stroke=INK, strokeWidth=2, tooltip=None, aria=False
    )
    right = right.encode(grid.x, grid.y)
    colour = r.share_colour("weight", ramp, form=".0%" if numbered else ".2f")
    numbers = []
    if numbered:
        shares = grid.cells(where=_NOW, calculate={"written": r.whole_percent("weight")})
        words = r.text(shares, fontSize=_NUMBER, aria=False)
        numbers.append(words.encode(r.own_ink(), text="written:N"))
    return grid.drawn(cells.encode(colour, tooltip), right, *numbers)


def expected_tokens(sentence: FormedSentence, *, at: int) -> Figure:
    """Draw the target, token by token, with its probability and log p at every step.

    Below stands the likeliest token at each position, if it was recorded.
    """
    labels = token_labels(sentence.target_tokens)
    room = _token_room(len(labels))
    table = tokens_over_time(sentence)
    table["ink"] = ink_on(SURE[is_dark()], table["probability"].to_numpy())
    with_likeliest = "likeliest" in table
    if with_likeliest:
        table["text"] = _short(table["likeliest"], room)
    # Cut like the likeliest tokens, which stand in columns of the same width.
    names = labelled(_short(labels, room), "place")
    return drawn(
        _tokens,
        {"tokens": table, "names": names},
        n=len(names),
        with_likeliest=with_likeliest,
        at=at,
        last=len(sentence.log_probs) - 1,
    )


def _token_room(n: int) -> int:
    """Return the pixels of one of `n` tokens."""
    least, most = _TOKEN
    return min(most, max(least, _TOKENS // n))


def _short(labels: Iterable[str], room: int) -> list[str]:
    """Cut labels to the width of a token."""
    return [r.cut(label, room + 6, _WORDS) for label in labels]


def _tokens(n: int, with_likeliest: bool, at: int, last: int) -> alt.LayerChart:
    room = _token_room(n)
    axis = r.label_axis("names", room, labelFontSize=_WORDS, labelAngle=0, orient="top")
    x = alt.X("place:O", title=None, scale=r.places(n), axis=axis)
    now = r.source("tokens", _NOW).encode(x)
    written = r.source("tokens", _NOW, written=r.whole_percent("probability")).encode(x)
    title = "training-probability"
    columns: dict[str, r.Tip] = {"place": "training-place"}
    columns |= {"probability": (title, ".4f"), "log_prob": ("training-log-prob", ".3f")}
    columns |= {"likeliest": "training-likeliest"} if with_likeliest else {}
    layers = [
        now.mark_rect(cornerRadius=3)
        .add_params(r.dial(STEP_SIGNAL, at, last))
        .encode(
            alt.YValue(0),
            alt.Y2Value(22),
            r.share_colour("probability", SURE[is_dark()], title),
            r.tips(columns),
        ),
        r.kept("names", x=x),
        r.text(written, fontSize=10, aria=False).encode(
            alt.YValue(11), r.own_ink(), text="written:N"
        ),
    ]
    # The likeliest tokens were not always recorded.
    if with_likeliest:
        ink = r.when(alt.ColorValue, ("datum.right", INK), otherwise=SELECTION_TEXT)
        layers.append(r.text(now, fontSize=_WORDS).encode(alt.YValue(34), ink, text="text:N"))
    return r.layered(*layers, width=n * room, height=44 if with_likeliest else 22)


def head_lines(
    curves: Mapping[str, np.ndarray],
    steps: np.ndarray,
    *,
    at: int,
    selected: Head,
    title: str,
    click: int = 0,
) -> Figure:
    """Draw a measure of the open head over the training, the step as a line, others in grey.

    A dot marks the step from which a head keeps half of its final value
    (`core.formation.formed_at`), a hollow one a head that did so from the first recorded step. The
    numbers of the open head, there and a step before, stand right of the lines. The selection
    `curve` reports a clicked head. `curves`: by site (S, L, H), from 0 to 1. `title`: of the axis.
    """
    moments = steps_table(steps)
    lines = _head_table(curves, moments, selected).assign(click=click)
    formed = lines.pop("formed")
    dots = lines[formed].reset_index(drop=True)
    lines["risen"] = _rises(lines, formed)
    late = int((dots["time"] > 0).sum())
    n_heads = len(lines.set_index(HEAD).index.unique())
    return drawn(
        _curves,
        {"lines": lines, "dots": dots, "steps": moments},
        sites=tuple(curves),
        title=title,
        formed=say("training-lines-formed", late=late, n=n_heads),
        at=at,
        last=len(steps) - 1,
    )


def _head_table(
    curves: Mapping[str, np.ndarray], moments: pd.DataFrame, selected: Head
) -> pd.DataFrame:
    """Return `heads_over_time` with names, steps and the column selected, the open head last."""
    lines = heads_over_time(curves)
    heads = lines.set_index(HEAD).index
    lines = lines.assign(
        name=heads.map({head: full_head_name(*head) for head in heads.unique()}),
        site=lines["kind"].map({site: site_title(site) for site in curves}),
        step=lines["time"].map(moments["label"]),
        selected=heads.isin([selected]),
    )
    # The open head is drawn over the others.
    lines = lines.sort_values("selected", kind="stable", ignore_index=True)
    # Categories shrink the table: a name is repeated for every recorded step.
    return lines.astype(dict.fromkeys(("kind", "name", "site", "step"), "category"))


def _rises(lines: pd.DataFrame, formed: pd.Series) -> pd.Series:
    """Return True for the open head's step of forming and, with room for two numbers, that before.

    All are False if it never formed or always was.
    """
    risen = lines["time"][formed & lines["selected"] & (lines["time"] > 0)]
    values = lines[lines["selected"]].set_index("time")["value"]
    apart = [step - 1 for step in risen if abs(values[step] - values[step - 1]) >= _APART]
    return lines["selected"] & lines["time"].isin([*risen, *apart])


def _time(last: int) -> alt.X:
    """Return the x channel of the recorded steps."""
    axis = r.label_axis(
        "steps",
        16,
        values=list(range(last + 1)),
        labelOverlap="greedy",
        ticks=True,
        domain=True,
    )
    return r.x("time", "training-recorded-axis", nice=False).axis(axis)


def _here(at: int, last: int) -> alt.Chart:
    """Draw a line at the step, with the dial that moves it."""
    [line] = r.rule(r.source("steps", _NOW), along=_time(last), colour=GREY, opacity=1)
    return line.add_params(r.dial(STEP_SIGNAL, at, last))


def _curves(sites: tuple[str, ...], title: str, formed: str, at: int, last: int) -> alt.LayerChart:
    x = _time(last)
    # All measures are shares, so the axis keeps its ends when the measure changes.
    y = r.share(alt.Y, "value", title)
    # Without a legend: the colours are those of the tiles beside the curves, under their names.
    of_site = r.of_sites("site", sites, list(map(site_title, sites)), legend=None)
    colour = alt.condition("datum.selected", of_site, alt.value(GREY))
    over = r.hover("over", *HEAD)
    clicks = r.click(CURVE, *HEAD, "click")
    chosen = "datum.selected"
    tooltip = r.tips(name="figures-head", step="training-step", value=(title, ".3f"))
    lines = r.source("lines").mark_line(cursor="pointer", interpolate="monotone")
    dots = r.source("dots").mark_circle(stroke=INK, strokeWidth=0.6)
    hollow = r.when(alt.FillOpacityValue, ("datum.time === 0", 0), otherwise=1)
    # The open head's dot at the current step.
    now = r.source("lines", f"{chosen} && {_NOW}")
    rules, written = _numbers_beside(x, y)
    return r.layered(
        _here(at, last),
        lines.add_params(clicks, over).encode(
            x,
            y,
            tooltip[:1],
            r.when(alt.OpacityValue, (over, 1), (chosen, 1), otherwise=0.3),
            r.when(alt.StrokeWidthValue, (chosen, 3.5), (over, 3), otherwise=1),
            color=colour,
            detail="name:N",
        ),
        dots.encode(
            x,
            y,
            hollow,
            tooltip,
            r.when(alt.SizeValue, (chosen, 90), otherwise=22),
            r.when(alt.OpacityValue, (chosen, 1), otherwise=0.5),
            color=colour,
        ),
        rules,
        now.mark_circle(size=46, color=SELECTION, opacity=1).encode(x, y, tooltip),
        written,
        title=alt.TitleParams(formed, fontSize=11, fontWeight="normal", offset=4),
        width=_CURVES[0],
        height=_CURVES[1],
    )


def _numbers_beside(x: alt.X, y: alt.Y) -> tuple[alt.Chart, alt.Chart]:
    """Return the open head's numbers before and after its rise, and the rules that lead to them.

    They stand right of the lines, so that no line runs through a number.
    """
    numbers = r.source("lines", "datum.risen")
    rules = numbers.mark_rule(color=INK, strokeDash=[2, 3], opacity=0.7, tooltip=None, aria=False)
    written = r.text(numbers, fontWeight=600, align="left", dx=4, fontSize=12)
    return (
        rules.encode(x, y, x2=alt.X2Value(_CURVES[0])),
        written.encode(alt.XValue(_CURVES[0]), y, alt.Text("value:Q", format=".2f")),
    )


def claim_lines(
    lines: Mapping[str, np.ndarray], steps: np.ndarray, titles: Mapping[str, str], *, at: int
) -> Figure:
    """Draw numbers of the whole training over its steps (S,), one panel each, the step as a line.

    `titles` are those of the axes, by the same ids.
    """
    moments = steps_table(steps)
    curve = moments.rename(columns={"label": "step"}).assign(**lines)
    return drawn(
        _claims,
        {"curve": curve, "steps": moments},
        titled=tuple(titles.items()),
        at=at,
        last=len(steps) - 1,
    )


def _claims(titled: tuple[tuple[str, str], ...], at: int, last: int) -> alt.HConcatChart:
    panels = []
    for (name, title), site in zip(titled, cycle(("encoder", "cross"))):
        colour = alt.ColorValue(palette_of(site).accent)
        y = r.y(name, title, padding=6, tickCount=4)
        tooltip = r.tips({"step": "training-step", name: (title, ".3f")})
        curve = r.source("curve").encode(_time(last), y, colour)
        line = r.lines(curve, tooltip, size=(300, 150), points=36)
        # The step is drawn first, behind the curve.
        panels.append(r.layered(_here(at, last), line))
    return r.beside(*panels, spacing=40)
