"""Heads forming: one head and the expected tokens at each recorded step, and curves of all.

What moves with the step is drawn for all steps at once; `STEP_SIGNAL` of the specification, a place
among the recorded steps, tells which one is seen: `at` to begin with. All heads are
`viz.overview.head_film`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import altair as alt
import numpy as np
import pandas as pd

from analysis.effect import HeadPlace
from analysis.formation import (
    cells_over_time,
    heads_over_time,
    known_cells,
    steps_table,
    tokens_over_time,
)
from analysis.labels import token_labels
from analysis.tables import edge, labelled
from records import AttentionMap, FormedSentence

from . import recipes as r
from .figure import Figure, drawn
from .labels import full_head_name, site_title
from .look import is_dark
from .theme import GREY, INK, SELECTION, SELECTION_TEXT, SURE, Palette, ink_on, palette_of

STEP_SIGNAL = "moment"
CURVE = "curve"
_NOW = f"datum.time === {STEP_SIGNAL}"
_TOKEN, _WORDS = 64, 11  # pixels of one token of the target, and of its words


def one_head(
    maps: Sequence[AttentionMap], layer: int, head: int, *, at: int, alignment: Sequence[int] = ()
) -> Figure:
    """One head's matrix in the maps of one site, one a step.

    `alignment` has for each row the column that is known to be right, or -1; its cell is framed.
    """
    first = maps[0]
    tables = {
        "cells": cells_over_time(maps, layer, head),
        "rows": edge(first.output_tokens or first.query_tokens, "q"),
        "columns": edge(first.key_tokens, "k"),
        "known": known_cells(alignment),
    }
    size, palette = first.weights.shape[2:], palette_of(first.site)
    return drawn(_matrix, tables, size=size, palette=palette, at=at, last=len(maps) - 1)


def _matrix(size: tuple[int, int], palette: Palette, at: int, last: int) -> alt.LayerChart:
    grid = r.Grid(*size)
    labels = {"query": "data('rows')[datum.q].label", "key": "data('columns')[datum.k].label"}
    cells = grid.cells(where=_NOW, calculate=labels).encode(
        color=r.share_colour("weight", palette.ramp),
        tooltip=r.pair_tips(weight=("figures-weight", ".4f")),
    )
    frame = {"filled": False, "stroke": SELECTION, "strokeWidth": 1.6, **r.QUIET}
    right = r.source("known").mark_rect(**frame).encode(x=grid.x, y=grid.y)
    return grid.drawn(cells.add_params(r.dial(STEP_SIGNAL, at, last)), right)


def expected_tokens(sentence: FormedSentence, *, at: int) -> Figure:
    """The target, token by token, with its probability and log p at every step.

    Below stands the token that was likeliest in its place, where that was recorded.
    """
    table = tokens_over_time(sentence)
    table["ink"] = pd.Categorical(ink_on(SURE[is_dark()], table["probability"].to_numpy()))
    told = "likeliest" in table
    if told:
        table["text"] = pd.Categorical(_short(table["likeliest"]))
    names = labelled(_short(token_labels(sentence.target_tokens)), "place")
    n_steps, n = sentence.log_probs.shape
    tables = {"tokens": table, "names": names}
    return drawn(_tokens, tables, n=n, told=told, at=at, last=n_steps - 1)


def _short(labels: Iterable[str]) -> list[str]:
    return [r.cut(label, _TOKEN + 6, _WORDS) for label in labels]


def _tokens(n: int, told: bool, at: int, last: int) -> alt.LayerChart:
    axis = r.label_axis(
        "names", _TOKEN, labelFontSize=_WORDS, labelLimit=0, labelAngle=0, orient="top"
    )
    x = alt.X("place:O", title=None, scale=r.places(n), axis=axis)
    now, title = r.source("tokens", _NOW), "training-probability"
    lines = {"probability": (title, ".4f"), "log_prob": ("training-log-prob", ".3f")}
    lines |= {"likeliest": "training-likeliest"} if told else {}
    cells = now.mark_rect(cornerRadius=3).add_params(r.dial(STEP_SIGNAL, at, last))
    ink = r.when(alt.ColorValue, ("datum.right", INK), otherwise=SELECTION_TEXT)
    layers = [
        cells.encode(
            x=x,
            y=alt.YValue(0),
            y2=alt.Y2Value(22),
            color=r.share_colour("probability", SURE[is_dark()], title),
            tooltip=r.tips(place="training-place", **lines),
        ),
        r.kept("names", x=x),
        r.text(now, fontSize=10, aria=False).encode(
            x=x,
            y=alt.YValue(11),
            text=alt.Text("log_prob:Q", format=".2f"),
            fill=r.own_ink(),
        ),
        r.text(now, fontSize=_WORDS).encode(x=x, y=alt.YValue(34), text="text:N", color=ink),
    ]
    return r.layered(*layers[: 3 + told], width=n * _TOKEN, height=44 if told else 22)


def head_lines(
    curves: Mapping[str, np.ndarray],
    steps: np.ndarray,
    *,
    at: int,
    selected: HeadPlace,
    title: str,
    click: int = 0,
) -> Figure:
    """A measure of every head over the training, the open head thick, the step as a line.

    A dot stands where a head had come half way to what it does at the end and did not fall back
    (`analysis.formation.formed_at`). The selection `curve` reports a clicked head.

    Parameters
    ----------
    curves : by site (S, L, H), from 0 to 1.
    title : of the axis: what is measured.
    """
    lines, moments = heads_over_time(curves), steps_table(steps)
    heads = list(lines[["kind", "layer", "head"]].itertuples(index=False, name=None))
    names = {head: full_head_name(*head) for head in set(heads)}
    lines = lines.assign(
        name=[names[head] for head in heads],
        site=lines["kind"].map({kind: site_title(kind) for kind in curves}),
        step=lines["time"].map(moments["label"]),
        selected=[head == selected for head in heads],
        click=click,
    )
    # The open head is drawn over the others.
    lines = lines.sort_values("selected", kind="stable", ignore_index=True)
    lines = lines.astype(dict.fromkeys(("kind", "name", "site", "step"), "category"))
    dots = lines[lines.pop("formed")].reset_index(drop=True)
    tables = {"lines": lines, "dots": dots, "steps": moments}
    last = len(steps) - 1
    return drawn(_curves, tables, kinds=tuple(curves), title=title, at=at, last=last)


def _time(last: int) -> alt.X:
    every = list(range(last + 1))
    axis = r.label_axis("steps", 16, labelOverlap="greedy", values=every, ticks=True, domain=True)
    shown = r.measure("training-step-axis", domain=(0, last), nice=False)
    return alt.X("time:Q", **{**shown, "axis": axis})


def _here(at: int, last: int) -> alt.Chart:
    """A line at the step, and the dial that moves it."""
    style = {"color": GREY, "strokeDash": [4, 3], "strokeWidth": 1.5, **r.QUIET}
    line = r.source("steps", _NOW).mark_rule(**style).encode(x=_time(last))
    return line.add_params(r.dial(STEP_SIGNAL, at, last))


def _curves(kinds: tuple[str, ...], title: str, at: int, last: int) -> alt.LayerChart:
    place = {"x": _time(last), "y": alt.Y("value:Q", **r.shares(title))}
    sites = [site_title(kind) for kind in kinds]
    accents = [palette_of(kind).accent for kind in kinds]
    colour = r.series(alt.Color, "site", sites, accents, legend={} if len(kinds) > 1 else None)
    head, chosen = ("kind", "layer", "head"), "datum.selected"
    over, clicks = r.hover("over", *head), r.click(CURVE, *head, "click")
    told = r.tips(name="figures-head", step="training-step", value=(title, ".3f"))
    lines = r.source("lines").mark_line(cursor="pointer", interpolate="monotone")
    dots = r.source("dots").mark_point(filled=True, opacity=1, stroke=INK, strokeWidth=0.6)
    now = r.source("lines", f"{chosen} && {_NOW}")
    return r.layered(
        _here(at, last),
        lines.add_params(clicks, over).encode(
            **place,
            color=colour,
            detail=["kind:N", "layer:O", "head:O"],
            opacity=r.when(alt.OpacityValue, (over, 1), (chosen, 1), otherwise=0.4),
            strokeWidth=r.when(alt.StrokeWidthValue, (chosen, 3.5), (over, 3), otherwise=1.2),
            tooltip=told[:1],
        ),
        dots.encode(
            **place,
            color=colour,
            size=r.when(alt.SizeValue, (chosen, 90), otherwise=34),
            tooltip=told,
        ),
        now.mark_point(filled=True, size=46, color=SELECTION, opacity=1).encode(
            **place, tooltip=told
        ),
        width=560,
        height=260,
    )


def claim_lines(
    lines: Mapping[str, np.ndarray], steps: np.ndarray, titles: Mapping[str, str], *, at: int
) -> Figure:
    """Numbers of the whole training over its steps (S,), one panel each, the step as a line.

    `titles` are those of the axes, by the same ids.
    """
    moments = steps_table(steps)
    curve = moments.rename(columns={"label": "step"}).assign(**lines)
    titled = tuple((name, titles[name]) for name in lines)
    tables = {"curve": curve, "steps": moments}
    return drawn(_claims, tables, titled=titled, at=at, last=len(steps) - 1)


def _claims(titled: tuple[tuple[str, str], ...], at: int, last: int) -> alt.HConcatChart:
    panels = []
    for number, (name, title) in enumerate(titled):
        colour = alt.ColorValue(palette_of(("encoder", "cross")[number % 2]).accent)
        y = alt.Y(f"{name}:Q", **r.measure(title, padding=6, tickCount=4))
        tooltip = r.tips(step="training-step", **{name: (title, ".3f")})
        line = r.lines(
            _time(last), y, colour, tooltip, table="curve", points=36, width=300, height=150
        )  # fmt: skip
        panels.append(r.layered(_here(at, last), line))
    return r.beside(*panels, spacing=40)
