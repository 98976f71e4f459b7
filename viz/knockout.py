"""Heads switched off one by one, and what that does to the translation and to one choice."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.knockout import hardest_hit
from analysis.layout import spread
from records import KnockOut
from words.numbers import fixed

from . import chart
from .bars import Columns
from .chart import Part
from .figure import Figure
from .labels import full_head_name, head_title, site_title, token_label, visible
from .look import has_words, say
from .theme import INK, SELECTION, SELECTION_TEXT, palette_of

Head = tuple[str, int, int]
"""A site's name, a layer and a head."""

SELECTION_NAME = "head"
CHOICE_COLOURS = ("#4e9c57", "#9c6d9b", "#d9822b", "#8b9099")
_CHOICE_SHAPES = ("circle", "square", "triangle-up", "diamond")
_STEP = 13  # pixels from one head to the next
_LAYER_GAP, _KIND_GAP = 5, 16
_HEIGHT = 190
_FONT = 10.0
_LABEL_GAP = 13.0
_OFF_LINE = 11.0  # pixels from a reference line to its label, towards the middle


def knockout_table(found: KnockOut) -> pd.DataFrame:
    """One line a head, in the order of `found`.

    Returns
    -------
    DataFrame with the columns kind, layer, head (from 0), name (from 1), change (of log P of the
    whole translation, natural), token and token_change (where log p of a token fell most, and by
    how much), text (the greedy output without the head), changed (whether that differs, by its
    pieces, from the one with all heads), and one column ``P(...)`` for each choice.
    """
    worst, drops = hardest_hit(found.log_probs, found.plain_log_probs)
    lines = pd.DataFrame(found.heads, columns=["kind", "layer", "head"])
    lines["name"] = [head_title(*place) for place in found.heads]
    lines["change"] = found.changes.astype(np.float64)
    lines["token"] = [token_label(found.tgt.tokens[i]) for i in worst]
    lines["token_change"] = drops
    lines["text"] = [output.text for output in found.outputs]
    lines["changed"] = [output.ids != found.plain_output.ids for output in found.outputs]
    if found.position is not None:
        for place, choice in enumerate(found.choices):
            lines[f"P({token_label(choice)})"] = found.choice_probs[:, place].astype(np.float64)
    return lines


def head_places(heads: Sequence[Head], values: np.ndarray, *, ranked: bool) -> np.ndarray:
    """Where each head stands along the axis, in pixels, the first at half a step.

    Ranked, the lowest value comes first (ties as given) and all stand equally far apart; else
    they stand in the order given with gaps between layers and kinds.
    """
    if ranked:
        places = np.empty(len(heads))
        places[np.argsort(values, kind="stable")] = np.arange(len(heads))
        return (places + 0.5) * _STEP
    gap, gaps = 0, []
    for place, (kind, layer, _) in enumerate(heads):
        if place and heads[place - 1][0] != kind:
            gap += _KIND_GAP
        elif place and heads[place - 1][1] != layer:
            gap += _LAYER_GAP
        gaps.append(gap)
    return (np.arange(len(heads)) + 0.5) * _STEP + gaps


def head_bars(
    heads: Sequence[Head],
    values: np.ndarray,
    *,
    title: str,
    ranked: bool = True,
    pale: Sequence[bool] = (),
    outputs: Sequence[str] = (),
    selected: Head | None = None,
    click: int = 0,
) -> Figure:
    """A bar for each head, in the colour of its site; a click reports kind, layer and head.

    Parameters
    ----------
    values : (N,), one a head, of any sign.
    title : what the bars measure, with its unit.
    ranked : lowest first, or in the order of `heads`.
    pale : True for the heads to draw pale.
    outputs : what the model writes without each head, for the tooltip.
    selected : the head with the red frame.
    click : any number that tells this drawing from the last, see `viz.heatmap.attention_cells`.

    Raises
    ------
    ValueError : no heads, or not one value for each.
    """
    if not len(heads) == len(values) or not len(heads):
        raise ValueError(f"expected a value for each head, found {len(values)} for {len(heads)}")
    bars = _lines_of(heads, values, ranked=ranked, selected=selected, click=click)
    bars["value"] = np.asarray(values, np.float64)
    bars["pale"] = list(pale) if len(pale) else False
    bars["text"] = list(outputs) if len(outputs) else ""
    width = float(bars["x"].max()) + _STEP / 2
    kinds = tuple(dict.fromkeys(kind for kind, _, _ in heads))
    layers = _bar_layers(kinds, title, bool(len(outputs)), ranked)
    tables = {"bars": bars, "kinds": _kind_names(bars, ranked)}
    return Figure(_chart(layers, width), tables, SELECTION_NAME, width=round(width) + 80)


def _lines_of(
    heads: Sequence[Head], values: np.ndarray, *, ranked: bool, selected: Head | None, click: int
) -> pd.DataFrame:
    """One line a head: x and its edges in pixels, and what a click reports."""
    lines = pd.DataFrame(heads, columns=["kind", "layer", "head"])
    lines["x"] = head_places(heads, np.asarray(values), ranked=ranked)
    lines["left"], lines["right"] = lines["x"] - _STEP / 2 + 1, lines["x"] + _STEP / 2 - 1
    lines["start"], lines["end"] = lines["x"] - _STEP / 2, lines["x"] + _STEP / 2
    lines["label"] = [f"{layer + 1}.{head + 1}" for _, layer, head in heads]
    lines["name"] = [full_head_name(*head) for head in heads]
    lines["selected"] = [tuple(head) == selected for head in heads]
    lines["click"] = np.int32(click)
    return lines


def _kind_names(bars: pd.DataFrame, ranked: bool) -> pd.DataFrame:
    """The sites over their stretch of the axis; none when heads of all sites are mixed."""
    middles = bars.groupby("kind", sort=False)["x"].mean()
    if ranked:
        middles = middles.iloc[:0]
    return pd.DataFrame(
        {"x": middles.to_numpy(float), "title": [site_title(kind) for kind in middles.index]}
    )


def _columns(tooltip: list[Part]) -> list[Part]:
    """The names of the heads, and columns that take the click."""
    columns = Columns("bars", chart.pixels("x"), _HEIGHT)
    over = chart.hover("over", "label", "kind")
    selected = ("datum.selected", SELECTION)
    ink = chart.when(("datum.selected", SELECTION_TEXT), otherwise=INK)
    names = columns.names(5, size=_FONT, angle=270, color=ink)
    clicks = columns.areas(
        tooltip,
        params=(chart.click(SELECTION_NAME, "kind", "layer", "head", "click"), over),
        style={"strokeWidth": 1.5},
        x=chart.pixels("start"),
        x2="end:Q",
        stroke=chart.when(selected, (over, INK), otherwise="transparent"),
    )
    return [names, clicks]


def _chart(layers: Sequence[Part], width: float, **properties: Part) -> Part:
    part = chart.layered(*layers, width=round(width), height=_HEIGHT, **properties)
    padding = {"left": 4, "top": 4, "right": 8, "bottom": 6}
    return chart.whole(part, autosize="pad", padding=padding)


def _kind_colour(kinds: Sequence[str], *, legend: bool) -> Part:
    short = {
        kind: say(id) if has_words(id := f"site-{kind}-short") else visible(kind) for kind in kinds
    }
    labels = f"({json.dumps(short, ensure_ascii=False)})[datum.value]"
    bar = chart.swatches(symbolType="square", labelExpr=labels)
    accents = [palette_of(kind).accent for kind in kinds]
    return chart.field(
        "kind:N",
        title=None,
        scale={"domain": list(kinds), "range": accents},
        legend=bar if legend else None,
    )


def _bar_layers(kinds: Sequence[str], title: str, has_text: bool, ranked: bool) -> list[Part]:
    y = chart.field(
        "value:Q",
        title=title,
        scale={"zero": True, "nice": True},
        axis={"gridOpacity": 0.3, "tickCount": 5, "format": "~g"},
    )
    text = [("text:N", say("figures-knockout-output"))] if has_text else []
    tooltip = chart.told(
        ("name:N", say("figures-knockout-without")), ("value:Q", title, "+.4f"), *text
    )
    drawn = chart.draw(
        "bars",
        chart.mark("bar", **chart.QUIET),
        x=chart.pixels("left"),
        x2="right:Q",
        y=y,
        y2=chart.datum(0),
        color=_kind_colour(kinds, legend=ranked),
        opacity=chart.when(("datum.pale", 0.45), otherwise=1.0),
    )
    zero = chart.draw(
        "bars",
        chart.mark("rule", color=INK, opacity=0.6, **chart.QUIET),
        where=f"datum.x < {_STEP}",
        y=chart.datum(0),
    )
    names = chart.draw(
        "kinds",
        chart.text(baseline="bottom", fontSize=11, opacity=0.85),
        x=chart.pixels("x"),
        y=chart.value(-4),
        text="title:N",
    )
    labels, clicks = _columns(tooltip)
    return [drawn, zero, labels, *([] if ranked else [names]), clicks]


def choice_dots(
    found: KnockOut, *, ranked: bool = True, selected: Head | None = None, click: int = 0
) -> Figure:
    """The probabilities of the choices without each head; dashed lines are those with all heads.

    Heads stand where `head_bars` of the changes of log P puts them; a click reports the same.

    Raises
    ------
    ValueError : `found` follows no choice.
    """
    if found.position is None or not found.choices:
        raise ValueError("no choice was followed")
    columns = _lines_of(found.heads, found.changes, ranked=ranked, selected=selected, click=click)
    labels = [token_label(choice) for choice in found.choices]
    for place in range(len(labels)):
        columns[f"p{place}"] = found.choice_probs[:, place].astype(np.float64)
    dots = pd.DataFrame(
        {
            "x": np.repeat(columns["x"], len(labels)),
            "choice": labels * len(columns),
            "probability": found.choice_probs.ravel().astype(np.float64),
        }
    )
    width = float(columns["x"].max()) + _STEP / 2
    tables = {
        "bars": columns,
        "dots": dots,
        "plain": _plain_lines(labels, found.plain_choice_probs, width),
    }
    return Figure(_dots_chart(labels, width), tables, SELECTION_NAME, width=round(width) + 70)


def _plain_lines(labels: Sequence[str], probabilities: np.ndarray, width: float) -> pd.DataFrame:
    """The reference lines, and where their labels go so that none covers another."""
    order = np.argsort(-probabilities, kind="stable")
    exact = [(1 - float(probabilities[i])) * _HEIGHT for i in order]
    beside = [place + (_OFF_LINE if place < _HEIGHT / 2 else -_OFF_LINE) for place in exact]
    places = spread([[(place, 1.0)] for place in beside], gap=_LABEL_GAP, highest=_HEIGHT)
    lines = pd.DataFrame(
        {
            "choice": [labels[i] for i in order],
            "probability": [float(probabilities[i]) for i in order],
            "place": places,
            "x": width - 2,
        }
    )
    lines["label"] = [
        say("figures-knockout-all-heads", token=label, probability=fixed(p, 3))
        for label, p in zip(lines["choice"], lines["probability"], strict=True)
    ]
    return lines


def choice_looks(labels: Sequence[str]) -> tuple[Part, Part]:
    """The colour and the shape of each choice, as encodings of the column `choice`."""
    return looks("choice", labels, CHOICE_COLOURS, _CHOICE_SHAPES)


def looks(
    name: str,
    labels: Sequence[str],
    colours: Sequence[str],
    shapes: Sequence[str],
    *,
    title: str | None = None,
    **legend: float,
) -> tuple[Part, Part]:
    """Colours and shapes for the labels of a column, with one legend for both."""
    ranges = ([values[i % len(values)] for i in range(len(labels))] for values in (colours, shapes))
    colour, shape = (
        chart.field(
            f"{name}:N",
            title=title,
            scale={"domain": list(labels), "range": drawn},
            legend=chart.swatches(**legend),
        )
        for drawn in ranges
    )
    return colour, shape


def _dots_chart(labels: Sequence[str], width: float) -> Part:
    y = chart.field(
        "probability:Q",
        title=say("figures-knockout-probability"),
        scale={"domain": [0, 1]},
        axis=chart.share_axis(),
    )
    choices = [(f"p{place}:Q", f"P({label})", ".4f") for place, label in enumerate(labels)]
    colour, shape = choice_looks(labels)
    rules = chart.draw(
        "plain",
        chart.mark("rule", strokeDash=[5, 4], strokeWidth=1.2, opacity=0.8, tooltip=None),
        y=y,
        color=colour,
    )
    names = chart.draw(
        "plain",
        chart.mark("text", align="right", baseline="middle", fontSize=11, tooltip=None),
        x=chart.pixels("x"),
        y=chart.pixels("place"),
        text="label:N",
        color=colour,
    )
    dots = chart.draw(
        "dots",
        chart.mark("point", filled=True, size=48, opacity=0.95, tooltip=None),
        x=chart.pixels("x"),
        y=y,
        color=colour,
        shape=shape,
    )
    columns = _columns(chart.told(("name:N", say("figures-knockout-without")), *choices))
    layers = [chart.layered(rules, dots), names, *columns]
    return _chart(layers, width, resolve={"scale": {"y": "independent"}})
