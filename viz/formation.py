"""Heads forming: every head, one head and the expected tokens at each recorded step, and curves.

What moves with the step is drawn for all steps at once; `STEP_SIGNAL` of the specification, a place
among the recorded steps, tells which one is seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.formation import formed_at
from records import AttentionMap, FormedSentence

from . import chart
from .chart import Part, draw, field, mark, text, value, when
from .figure import Figure
from .labels import full_head_name, site_title, token_label
from .look import is_dark, say
from .matrix import Grid, cell_places, edge, pair_names
from .overview import Frame, Head, head_film
from .theme import GREY, INK, SELECTION, SELECTION_TEXT, ink_on, palette_of

STEP_SIGNAL = "moment"
_NOW = f"datum.time === {STEP_SIGNAL}"
_CURVES = (560, 260)
_TOKEN = 58  # pixels of one token of the target
_SURE = ("#f3f2f0", "#a9cfae", "#4e9c57")
_SURE_DARK = ("#2a2b31", "#2f6a3b", "#4e9c57")
CURVE = "curve"


def all_heads(
    frames: Sequence[Frame],
    *,
    at: int,
    badge_title: str,
    selected: Head,
    marked: Sequence[Head] = (),
    click: int = 0,
) -> Figure:
    """Every head at every step, a number under each; a click reports kind, layer and head.

    Parameters
    ----------
    frames : for each recorded step the maps and the numbers.
    at : the step to begin with.
    marked : heads that the model's card names.
    """
    return head_film(
        frames, signal=STEP_SIGNAL, at=at, badge_title=badge_title, selected=selected,
        marked=marked, click=click, )  # fmt: skip


def one_head(
    maps: Sequence[AttentionMap],
    layer: int,
    head: int,
    *,
    at: int,
    alignment: Sequence[int] | None = None,
) -> Figure:
    """One head's matrix at every step.

    Parameters
    ----------
    maps : of one site, one a step.
    alignment : for each row the column that is known to be right, or -1; its cell is framed.
    """
    first = maps[0]
    row_tokens = first.output_tokens or first.query_tokens
    n_rows, n_columns = first.weights.shape[2:]
    seen = np.ones((n_rows, n_columns), bool) if first.mask is None else first.mask
    places = cell_places((n_rows, n_columns), row_tokens, first.key_tokens)
    q, k = (np.asarray(places[name])[seen.ravel()] for name in ("q", "k"))
    cells = pd.concat(
        [
            pd.DataFrame(
                {
                    "q": q,
                    "k": k,
                    "time": np.int16(time),
                    "weight": each.head(layer, head)[seen].astype(np.float32),
                }
            )
            for time, each in enumerate(maps)
        ],
        ignore_index=True,
    )
    known = [(row, column) for row, column in enumerate(alignment or ()) if column >= 0]
    tables = {
        "cells": cells,
        "rows": edge(row_tokens, "q"),
        "columns": edge(first.key_tokens, "k"),
        "known": pd.DataFrame(known, columns=["q", "k"], dtype=np.int16),
    }
    grid = Grid.of(tables["rows"], tables["columns"])
    ramp = palette_of(first.site).ramp
    labels = {"query": "data('rows')[datum.q].label", "key": "data('columns')[datum.k].label"}
    weights = grid.cells(
        {},
        where=_NOW,
        calculate=labels,
        color=chart.share_colour("weight:Q", ramp, title=say("figures-weight")),
        tooltip=chart.told(*pair_names(), ("weight:Q", say("figures-weight"), ".4f")),
    )
    frame = {"fillOpacity": 0, "stroke": SELECTION, "strokeWidth": 1.6, **chart.QUIET}
    right = draw("known", mark("rect", **frame), x=grid.x, y=grid.y)
    layers = [weights, *([right] if known else []), grid.row_labels(), grid.column_labels()]
    drawn = chart.whole(
        grid.drawn(*layers), dials=(chart.dial(STEP_SIGNAL, at, len(maps) - 1),), autosize="pad"
    )
    return Figure(drawn, tables, "", width=round(grid.width) + grid.row_room + 70)


def expected_tokens(sentence: FormedSentence, *, at: int) -> Figure:
    """The target, token by token, with its probability and log p at every step.

    Below stands the token that was likeliest in its place, where that was recorded.
    """
    log_probs = sentence.log_probs.astype(np.float64)
    n_steps, n_tokens = log_probs.shape
    time, place = (axis.ravel() for axis in np.indices(log_probs.shape))
    table = pd.DataFrame(
        {
            "time": time.astype(np.int16),
            "place": place.astype(np.int16),
            "probability": np.exp(log_probs).ravel().astype(np.float32),
            "log_prob": log_probs.ravel().astype(np.float32),
        }
    )
    ramp = _SURE_DARK if is_dark() else _SURE
    table["ink"] = pd.Categorical(ink_on(ramp, table["probability"].to_numpy()))
    if sentence.likeliest is not None:
        likeliest = [token for line in sentence.likeliest for token in line]
        table["likeliest"] = pd.Categorical([token_label(token) for token in likeliest])
        table["right"] = np.array(likeliest) == np.tile(sentence.target_tokens, n_steps)
    tables = {
        "tokens": table,
        "names": pd.DataFrame(
            {
                "place": np.arange(n_tokens, dtype=np.int16),
                "label": [token_label(token) for token in sentence.target_tokens],
            }
        ),
    }
    part = _token_marks(n_tokens, sentence.likeliest is not None)
    drawn = chart.whole(part, dials=(chart.dial(STEP_SIGNAL, at, n_steps - 1),), autosize="pad")
    return Figure(drawn, tables, "", width=n_tokens * _TOKEN + 20)


def _token_marks(n_tokens: int, told: bool) -> Part:
    x = field("place:O", scale=chart.places(n_tokens), axis=None)
    lines = [
        ("place:O", say("training-place")),
        ("probability:Q", say("training-probability"), ".4f"),
        ("log_prob:Q", say("training-log-prob"), ".3f"),
    ]
    if told:
        lines.append(("likeliest:N", say("training-likeliest")))
    cells = draw(
        "tokens",
        mark("rect", cornerRadius=3),
        where=_NOW,
        x=x,
        y=value(20),
        y2=value(42),
        color=chart.share_colour(
            "probability:Q", _SURE_DARK if is_dark() else _SURE, title=say("training-probability")
        ),
        tooltip=chart.told(*lines),
    )
    size = {"fontSize": 11, "limit": _TOKEN - 3}
    names = draw("names", text(**size), x=x, y=value(10), text="label:N")
    numbers = draw(
        "tokens",
        text(fontSize=10),
        where=_NOW,
        x=x,
        y=value(31),
        text=field("log_prob:Q", format=".2f"),
        **chart.OWN_INK,
    )
    layers = [cells, names, numbers]
    if told:
        written = draw(
            "tokens",
            text(**size),
            where=_NOW,
            x=x,
            y=value(54),
            text="likeliest:N",
            color=when(("datum.right", INK), otherwise=SELECTION_TEXT),
        )
        layers.append(written)
    return chart.layered(*layers, width=n_tokens * _TOKEN, height=64 if told else 46)


def head_lines(
    curves: Mapping[str, np.ndarray],
    steps: np.ndarray,
    *,
    at: int,
    selected: Head,
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
    lines, dots = [], []
    names = np.array([f"{step:,}" for step in steps], dtype=object)
    for kind, values in curves.items():
        for layer, head in np.ndindex(values.shape[1:]):
            of_head = {
                "kind": kind,
                "layer": layer,
                "head": head,
                "name": full_head_name(kind, layer, head),
                "site": site_title(kind),
                "selected": (kind, layer, head) == selected,
                "click": click,
            }
            own = values[:, layer, head].astype(np.float32)
            line = pd.DataFrame({"time": np.arange(len(steps), dtype=np.int16), "value": own})
            lines.append(line.assign(step=names, **of_head))
            found = formed_at(own)
            if found is not None:
                dots.append({**of_head, "time": found, "value": own[found], "step": names[found]})
    table = pd.concat(lines, ignore_index=True).sort_values("selected", kind="stable")
    for name in ("kind", "name", "site", "step"):
        table[name] = pd.Categorical(table[name])
    columns = ["kind", "layer", "head", "name", "site", "selected", "click"]
    tables = {
        "lines": table.reset_index(drop=True),
        "dots": pd.DataFrame(dots, columns=[*columns, "time", "value", "step"]),
        "now": pd.DataFrame({"here": [0]}),
    }
    part = _line_marks(list(curves), names, title)
    drawn = chart.whole(part, dials=(chart.dial(STEP_SIGNAL, at, len(steps) - 1),), autosize="pad")
    return Figure(drawn, tables, CURVE, width=_CURVES[0] + 90)


def _line_marks(kinds: Sequence[str], names: Sequence[str], title: str) -> Part:
    last = len(names) - 1
    shown = dict(enumerate(names))
    x = field(
        "time:Q",
        title=say("training-step-axis"),
        scale={"domain": [0, last], "nice": False},
        axis={
            "grid": False,
            "values": list(shown),
            "labelExpr": f"({_listed(names)})[datum.value]",
            "labelOverlap": "greedy",
        },
    )
    y = field("value:Q", title=title, scale={"domain": [0, 1]}, axis=chart.share_axis())
    colour = field(
        "site:N",
        title=None,
        scale={
            "domain": [site_title(kind) for kind in kinds],
            "range": [palette_of(kind).accent for kind in kinds],
        },
        legend=chart.swatches() if len(kinds) > 1 else None,
    )
    over = chart.hover("over", "kind", "layer", "head")
    tooltip = chart.told(
        ("name:N", say("figures-head")),
        ("step:N", say("training-step")),
        ("value:Q", title, ".3f"),
    )
    lines = draw(
        "lines",
        mark("line", cursor="pointer", interpolate="monotone"),
        params=(chart.click(CURVE, "kind", "layer", "head", "click"), over),
        x=x,
        y=y,
        detail=[field("kind:N"), field("layer:O"), field("head:O")],
        color=colour,
        opacity=when((over, 1), ("datum.selected", 1), otherwise=0.4),
        strokeWidth=when(("datum.selected", 3.5), (over, 3), otherwise=1.2),
        tooltip=chart.told(("name:N", say("figures-head"))),
    )
    dots = draw(
        "dots",
        mark("point", filled=True, opacity=1, stroke=INK, strokeWidth=0.6),
        x=x,
        y=y,
        color=colour,
        size=when(("datum.selected", 90), otherwise=34),
        tooltip=tooltip,
    )
    points = draw(
        "lines",
        mark("point", filled=True, size=46, color=SELECTION, opacity=1),
        where=f"datum.selected && {_NOW}",
        x=x,
        y=y,
        tooltip=tooltip,
    )
    here = {key: part for key, part in x.items() if key != "field"}
    rule = draw(
        "now",
        mark("rule", color=GREY, strokeDash=[4, 3], strokeWidth=1.5, **chart.QUIET),
        x={**here, **chart.datum({"expr": STEP_SIGNAL})},
    )
    return chart.layered(rule, lines, dots, points, width=_CURVES[0], height=_CURVES[1])


def _listed(names: Sequence[str]) -> str:
    return "[" + ", ".join(f"'{name}'" for name in names) + "]"


def claim_lines(
    lines: Mapping[str, np.ndarray], steps: np.ndarray, titles: Mapping[str, str], *, at: int
) -> Figure:
    """Numbers of the whole training over its steps, one panel each, with the step as a line.

    Parameters
    ----------
    lines : by an id of one's own (S,) numbers.
    titles : of the axes, by the same ids.
    """
    names = np.array([f"{step:,}" for step in steps], dtype=object)
    table = pd.DataFrame({"time": np.arange(len(steps), dtype=np.int16), "step": names, **lines})
    x = field(
        "time:Q",
        title=say("training-step-axis"),
        scale={"domain": [0, len(steps) - 1], "nice": False},
        axis={
            "grid": False,
            "values": list(range(len(steps))),
            "labelExpr": f"({_listed(names)})[datum.value]",
            "labelOverlap": "greedy",
        },
    )
    here = {key: part for key, part in x.items() if key != "field"}
    rule = draw(
        "now",
        mark("rule", color=GREY, strokeDash=[4, 3], strokeWidth=1.5, **chart.QUIET),
        x={**here, **chart.datum({"expr": STEP_SIGNAL})},
    )
    panels = []
    for number, name in enumerate(lines):
        accent = palette_of(("encoder", "cross")[number % 2]).accent
        scale = {"zero": False, "nice": True, "padding": 6}
        axis = {"gridOpacity": 0.3, "tickCount": 4}
        y = field(f"{name}:Q", title=titles[name], scale=scale, axis=axis)
        told = (("step:N", say("training-step")), (f"{name}:Q", titles[name], ".3f"))
        line = draw("curve", mark("line", color=accent, strokeWidth=2, tooltip=None), x=x, y=y)
        dots = draw(
            "curve", mark("point", filled=True, color=accent, size=36, opacity=1), x=x, y=y,
            tooltip=chart.told(*told),
        )  # fmt: skip
        panels.append(chart.layered(rule, line, dots, width=300, height=150))
    drawn = chart.whole(
        {"hconcat": panels, "spacing": 40},
        resolve={"scale": {"x": "independent", "y": "independent"}},
        dials=(chart.dial(STEP_SIGNAL, at, len(steps) - 1),),
    )
    tables = {"curve": table, "now": pd.DataFrame({"here": [0]})}
    return Figure(drawn, tables, "", width=len(panels) * 390)
