"""Heads switched off one by one, nouns hidden from a pronoun, and what that does to one choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from analysis.layout import spread
from records import ATTENTION_KINDS, AttentionKind, KnockOut

from .figure import Figure, table
from .labels import text_width, token_label
from .overview import KIND_TITLES
from .theme import INK, SELECTION, palette_of

Head = tuple[AttentionKind, int, int]

SELECTION_NAME = "head"
CHOICE_COLOURS = ("#4e9c57", "#9c6d9b", "#d9822b", "#8b9099")
_CHOICE_SHAPES = ("circle", "square", "triangle-up", "diamond")

# Phrases in warm colours, single words in cool ones, the last in grey.
_WORD_COLOURS = ("#4e9c57", "#d9822b", "#9c6d9b", "#a0694a", "#8b9099")
_WORD_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")

_STEP = 13  # pixels from one head to the next
_LAYER_GAP, _KIND_GAP = 5, 16
_HEIGHT = 190
_FONT = 10.0
_PANEL, _ROW = 190, 32
_MOST_PANELS = 3
_OFFSET = 15  # pixels from one line of a place to the next
_FLIP_OFFSET = 13
_LABEL_GAP = 13.0
_OFF_LINE = 11.0  # pixels from a reference line to its label, towards the middle
_MOST_LABEL = 210.0
_BANDS = alt.Scale(paddingInner=0.25, paddingOuter=0.1)


def knockout_table(found: KnockOut) -> pd.DataFrame:
    """One line a head, in the order of `found`.

    Returns
    -------
    DataFrame with the columns kind, layer, head (from 0), name (from 1), change (of log P of the
    whole translation, natural), token and token_change (where log p of a token fell most, and by
    how much), text (the greedy output without the head), changed (whether that differs, by its
    pieces, from the one with all heads), and one column ``P(...)`` for each choice.
    """
    per_token = found.log_probs - found.plain_log_probs
    worst = per_token.argmin(axis=1)
    lines = pd.DataFrame(found.heads, columns=["kind", "layer", "head"])
    lines["name"] = [head_title(*place) for place in found.heads]
    lines["change"] = found.changes.astype(np.float64)
    lines["token"] = [token_label(found.tgt.tokens[i]) for i in worst]
    lines["token_change"] = per_token[np.arange(len(worst)), worst].astype(np.float64)
    lines["text"] = [output.text for output in found.outputs]
    lines["changed"] = [output.ids != found.plain_output.ids for output in found.outputs]
    if found.position is not None:
        for place, choice in enumerate(found.choices):
            lines[f"P({token_label(choice)})"] = found.choice_probs[:, place].astype(np.float64)
    return lines


def head_title(kind: AttentionKind, layer: int, head: int) -> str:
    """A head as people count, from 1: "cross 2.1" is layer 2, head 1 of cross-attention."""
    return f"{kind} {layer + 1}.{head + 1}"


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
    dark: bool = False,
) -> Figure:
    """A bar for each head, in the colour of its kind; a click reports kind, layer and head.

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
    chart = _bars_chart(title, bool(len(outputs)), ranked, dark)
    chart = {**chart, "width": round(width)}
    tables = {"bars": bars, "kinds": _kind_names(bars, ranked)}
    return Figure(chart, tables, SELECTION_NAME, width=round(width) + 80)


def _lines_of(
    heads: Sequence[Head],
    values: np.ndarray,
    *,
    ranked: bool,
    selected: Head | None,
    click: int,
) -> pd.DataFrame:
    """One line a head: x and its edges in pixels, and what a click reports."""
    lines = pd.DataFrame(heads, columns=["kind", "layer", "head"])
    lines["x"] = head_places(heads, np.asarray(values), ranked=ranked)
    lines["left"], lines["right"] = lines["x"] - _STEP / 2 + 1, lines["x"] + _STEP / 2 - 1
    lines["start"], lines["end"] = lines["x"] - _STEP / 2, lines["x"] + _STEP / 2
    lines["label"] = [f"{layer + 1}.{head + 1}" for _, layer, head in heads]
    lines["name"] = [
        f"{KIND_TITLES[kind]}, layer {layer + 1}, head {head + 1}" for kind, layer, head in heads
    ]
    lines["selected"] = [tuple(head) == selected for head in heads]
    lines["click"] = np.int32(click)
    return lines


def _kind_names(bars: pd.DataFrame, ranked: bool) -> pd.DataFrame:
    """The kinds over their stretch of the axis; none when heads of all kinds are mixed."""
    middles = bars.groupby("kind", sort=False)["x"].mean()
    if ranked:
        middles = middles.iloc[:0]
    return pd.DataFrame(
        {"x": middles.to_numpy(float), "title": [KIND_TITLES[kind] for kind in middles.index]}
    )


def _pixels(field: str) -> dict[str, Any]:
    return {"field": field, "type": "quantitative", "scale": None, "axis": None}


def _kind_colour(dark: bool, *, legend: bool) -> alt.Color:
    accents = [palette_of(kind, dark=dark).accent for kind in ATTENTION_KINDS]
    return alt.Color(
        "kind:N",
        title=None,
        scale=alt.Scale(domain=list(ATTENTION_KINDS), range=accents),
        legend=alt.Legend(orient="top", direction="horizontal", symbolType="square", offset=8)
        if legend
        else None,
    )


def _head_point() -> alt.Parameter:
    return alt.selection_point(
        name=SELECTION_NAME,
        fields=["kind", "layer", "head", "click"],
        on="click",
        clear=False,
        empty=False,
        toggle=False,
    )


def _over() -> alt.Parameter:
    return alt.selection_point(
        name="over", fields=["label", "kind"], on="pointerover", clear="pointerout", empty=False
    )


def _columns(tooltip: Sequence[alt.Tooltip], over: alt.Parameter) -> alt.Chart:
    """The whole column of a head takes the click: many bars are too small for a finger."""
    stroke = alt.when("datum.selected").then(alt.value(SELECTION)).when(over)
    return (
        alt.Chart(table("bars"))
        .mark_rect(fill="transparent", cursor="pointer", strokeWidth=1.5)
        .encode(
            x=alt.X(**_pixels("start")),
            x2="end:Q",
            y=alt.value(0),
            y2=alt.value(_HEIGHT),
            stroke=stroke.then(alt.value(INK)).otherwise(alt.value("transparent")),
            tooltip=list(tooltip),
        )
    )


def _head_labels() -> alt.Chart:
    return (
        alt.Chart(table("bars"))
        .mark_text(align="right", baseline="middle", angle=270, fontSize=_FONT, tooltip=None)
        .encode(
            x=alt.X(**_pixels("x")),
            y=alt.value(_HEIGHT + 5),
            text="label:N",
            color=alt.when("datum.selected").then(alt.value(SELECTION)).otherwise(alt.value(INK)),
        )
    )


@lru_cache(maxsize=32)
def _bars_chart(title: str, has_text: bool, ranked: bool, dark: bool) -> dict[str, Any]:
    over = _over()
    lines = alt.Chart(table("bars"))
    y = alt.Y(
        "value:Q",
        title=title,
        scale=alt.Scale(zero=True, nice=True),
        axis=alt.Axis(gridOpacity=0.3, tickCount=5, format="~g"),
    )
    tooltip = [
        alt.Tooltip("name:N", title="without"),
        alt.Tooltip("value:Q", title=title, format="+.4f"),
        *([alt.Tooltip("text:N", title="output")] if has_text else []),
    ]
    drawn = lines.mark_bar(tooltip=None, aria=False).encode(
        x=alt.X(**_pixels("left")),
        x2="right:Q",
        y=y,
        y2=alt.Y2Datum(0),
        color=_kind_colour(dark, legend=ranked),
        opacity=alt.when("datum.pale").then(alt.value(0.45)).otherwise(alt.value(1.0)),
    )
    zero = (
        lines.transform_filter(alt.datum.x < _STEP)
        .mark_rule(color=INK, opacity=0.6, tooltip=None)
        .encode(y=alt.YDatum(0))
    )
    names = (
        alt.Chart(table("kinds"))
        .mark_text(baseline="bottom", fontSize=11, color=INK, opacity=0.85, tooltip=None)
        .encode(x=alt.X(**_pixels("x")), y=alt.value(-4), text="title:N")
    )
    clicks = _columns(tooltip, over).add_params(_head_point(), over)
    layers = [drawn, zero, _head_labels(), *([] if ranked else [names]), clicks]
    return (
        alt.layer(*layers)
        .properties(
            height=_HEIGHT,
            autosize="pad",
            padding={"left": 4, "top": 4, "right": 8, "bottom": 6},
        )
        .configure_view(stroke=None)
        .to_dict()
    )


def choice_dots(
    found: KnockOut,
    *,
    ranked: bool = True,
    selected: Head | None = None,
    click: int = 0,
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
    chart = {**_dots_chart(tuple(labels)), "width": round(width)}
    tables = {
        "bars": columns,
        "dots": dots,
        "plain": _plain_lines(labels, found.plain_choice_probs, width),
    }
    return Figure(chart, tables, SELECTION_NAME, width=round(width) + 70)


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
        f"{label} {p:.3f}, all heads"
        for label, p in zip(lines["choice"], lines["probability"], strict=True)
    ]
    return lines


def _choice_colour(labels: Sequence[str], *, legend: bool = True) -> alt.Color:
    return alt.Color(
        "choice:N",
        title=None,
        scale=alt.Scale(domain=list(labels), range=_cycled(CHOICE_COLOURS, len(labels))),
        legend=alt.Legend(orient="top", direction="horizontal", offset=8) if legend else None,
    )


def _choice_shape(labels: Sequence[str]) -> alt.Shape:
    return alt.Shape(
        "choice:N",
        title=None,
        scale=alt.Scale(domain=list(labels), range=_cycled(_CHOICE_SHAPES, len(labels))),
        legend=alt.Legend(orient="top", direction="horizontal", offset=8),
    )


def _cycled(values: Sequence[str], n: int) -> list[str]:
    return [values[i % len(values)] for i in range(n)]


def _probability_axis(**options: Any) -> dict[str, Any]:
    return {
        "scale": alt.Scale(domain=[0, 1]),
        "axis": alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".2f", gridOpacity=0.3, **options),
    }


@lru_cache(maxsize=32)
def _dots_chart(labels: tuple[str, ...]) -> dict[str, Any]:
    over = _over()
    y = alt.Y("probability:Q", title="probability in its place", **_probability_axis())
    tooltip = [
        alt.Tooltip("name:N", title="without"),
        *(
            alt.Tooltip(f"p{place}:Q", title=f"P({label})", format=".4f")
            for place, label in enumerate(labels)
        ),
    ]
    rules = (
        alt.Chart(table("plain"))
        .mark_rule(strokeDash=[5, 4], strokeWidth=1.2, opacity=0.8, tooltip=None)
        .encode(y=y, color=_choice_colour(labels))
    )
    names = (
        alt.Chart(table("plain"))
        .mark_text(align="right", baseline="middle", fontSize=11, tooltip=None)
        .encode(
            x=alt.X(**_pixels("x")),
            y=alt.Y("place:Q", scale=None, axis=None),
            text="label:N",
            color=_choice_colour(labels),
        )
    )
    dots = (
        alt.Chart(table("dots"))
        .mark_point(filled=True, size=48, opacity=0.95, tooltip=None)
        .encode(
            x=alt.X(**_pixels("x")),
            y=y,
            color=_choice_colour(labels),
            shape=_choice_shape(labels),
        )
    )
    clicks = _columns(tooltip, over).add_params(_head_point(), over)
    return (
        alt.layer(alt.layer(rules, dots), names, _head_labels(), clicks)
        .resolve_scale(y="independent")
        .properties(
            height=_HEIGHT,
            autosize="pad",
            padding={"left": 4, "top": 4, "right": 8, "bottom": 6},
        )
        .configure_view(stroke=None)
        .to_dict()
    )


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
    chart = _hiding_chart(titles, tuple(tested), rows, choices, room)
    most = max(map(len, rows))
    return Figure(chart, {"dots": dots}, "", width=most * (_PANEL + 24) + room + 30)


def _panel_rows(tested: Sequence[tuple[str, ...]]) -> tuple[tuple[int, ...], ...]:
    """The panels, by number, that stand side by side."""
    rows: list[list[int]] = []
    for panel, places in enumerate(tested):
        if rows and tested[rows[-1][0]] == places and len(rows[-1]) < _MOST_PANELS:
            rows[-1].append(panel)
        else:
            rows.append([panel])
    return tuple(map(tuple, rows))


@lru_cache(maxsize=32)
def _hiding_chart(
    titles: tuple[tuple[str, str], ...],
    tested: tuple[tuple[str, ...], ...],
    rows: tuple[tuple[int, ...], ...],
    choices: tuple[str, ...],
    room: int,
) -> dict[str, Any]:
    tooltip = [
        alt.Tooltip("hidden:N", title="hidden"),
        alt.Tooltip("place:N", title="from"),
        alt.Tooltip("choice:N", title="token"),
        alt.Tooltip("probability:Q", title="probability", format=".4f"),
        alt.Tooltip("plain:Q", title="nothing hidden", format=".4f"),
    ]

    def panel(number: int, first: bool) -> alt.LayerChart:
        places, (word, role) = tested[number], titles[number]
        axis = alt.Axis(
            labels=first, ticks=False, domain=False, labelLimit=room, labelFontSize=12,
            grid=True, gridOpacity=0.25, labelPadding=8, minExtent=room if first else 0,
        )  # fmt: skip
        y = alt.Y("place:N", title=None, sort=list(places), axis=axis, scale=_BANDS)
        offset = alt.YOffset("choice:N", sort=list(choices))
        base = alt.Chart(table("dots")).transform_filter(f"datum.word === {number}")
        x = alt.X("probability:Q", title="probability", **_probability_axis())
        colour = _choice_colour(choices)
        lines = base.mark_rule(strokeWidth=2, opacity=0.6, tooltip=None).encode(
            x=x, x2="plain:Q", y=y, yOffset=offset, color=colour
        )
        was = base.mark_tick(thickness=2, size=10, tooltip=None).encode(
            x=alt.X("plain:Q"), y=y, yOffset=offset, color=colour
        )
        dots = base.mark_point(filled=True, size=60, opacity=1).encode(
            x=x, y=y, yOffset=offset, color=colour, shape=_choice_shape(choices), tooltip=tooltip
        )
        title = alt.TitleParams(
            word, anchor="start", frame="group", fontSize=13, color=INK, offset=6, limit=_PANEL,
            subtitle=role, subtitleColor=INK, subtitleFontSize=11.5,
        )  # fmt: skip
        return alt.layer(lines, was, dots).properties(
            width=_PANEL, height=len(places) * max(_ROW, len(choices) * _OFFSET), title=title
        )

    return (
        alt.vconcat(
            *(
                alt.hconcat(*(panel(number, number == row[0]) for number in row), spacing=24)
                for row in rows
            ),
            spacing=26,
        )
        .properties(padding={"left": 4, "top": 4, "right": 12, "bottom": 4})
        .configure_view(stroke=None)
        .to_dict()
    )


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


@lru_cache(maxsize=16)
def _flip_chart(places: tuple[str, ...], words: tuple[str, ...], room: int) -> dict[str, Any]:
    axis = alt.Axis(
        ticks=False, domain=False, labelLimit=room, labelFontSize=12, grid=True, gridOpacity=0.25,
        labelPadding=8,
    )  # fmt: skip
    y = alt.Y("place:N", title="hidden from", sort=list(places), axis=axis, scale=_BANDS)
    offset = alt.YOffset("hidden:N", sort=list(words))
    colour = alt.Color(
        "hidden:N",
        title="hidden",
        scale=alt.Scale(domain=list(words), range=_cycled(_WORD_COLOURS, len(words))),
        legend=alt.Legend(
            orient="top", direction="horizontal", offset=8, columns=3, symbolOpacity=1
        ),
    )
    shape = alt.Shape(
        "hidden:N",
        title="hidden",
        scale=alt.Scale(domain=list(words), range=_cycled(_WORD_SHAPES, len(words))),
        legend=alt.Legend(
            orient="top", direction="horizontal", offset=8, columns=3, symbolOpacity=1
        ),
    )
    base = alt.Chart(table("rows"))
    scale = alt.Scale(domain=[0, 1])
    x_axis = alt.Axis(format=".0%", gridOpacity=0.3, tickCount=5)
    ends = base.mark_rule(strokeWidth=2, opacity=0.7, tooltip=None).encode(
        x=alt.X("low:Q", title="pronoun flips", scale=scale, axis=x_axis),
        x2="high:Q",
        y=y,
        yOffset=offset,
        color=colour,
    )
    dots = base.mark_point(filled=True, size=64, opacity=1).encode(
        x=alt.X("share:Q", title="pronoun flips", scale=scale, axis=x_axis),
        y=y,
        yOffset=offset,
        color=colour,
        shape=shape,
        tooltip=[
            alt.Tooltip("hidden:N", title="hidden"),
            alt.Tooltip("place:N", title="from"),
            alt.Tooltip("share:Q", title="flips", format=".1%"),
            alt.Tooltip("low:Q", title="95 % from", format=".1%"),
            alt.Tooltip("high:Q", title="95 % to", format=".1%"),
            alt.Tooltip("n:Q", title="sentences"),
        ],
    )
    return (
        alt.layer(ends, dots)
        .properties(
            width=360,
            height=len(places) * max(_ROW, len(words) * _FLIP_OFFSET),
            autosize="pad",
            padding={"left": 4, "top": 4, "right": 12, "bottom": 4},
        )
        .configure_view(stroke=None)
        .to_dict()
    )
