"""The marks of a search tree: links, nodes, labels, what takes the clicks, and the key."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from .figure import table
from .theme import GREY, INK, SELECTION, palette_of

SELECTION_NAME = "node"
STEP = 116  # pixels from one step to the next
CURVE = 40  # the part of them in which links rise and fall, free of text
RADIUS = {"kept": 6.0, "finished": 6.0, "pruned": 3.5}
KEY_FONT = 11.0

_UNDER_POINTER = (
    "isValid(over.pre) && isValid(over.pre[0]) "
    "&& datum.pre <= over.pre[0] && over.pre[0] <= datum.last"
)


def tree_chart(width: int, height: int, row: float, dark: bool, colour: str) -> dict[str, Any]:
    """The chart of any tree with the sizes of this one put in: building it takes much longer."""
    chart = _any_tree_chart(dark, colour)
    layers = [
        {**layer, "mark": {**layer["mark"], "shape": _hit_shape(row)}}
        if layer["mark"].get("cursor") == "pointer"
        else layer
        for layer in chart["layer"]
    ]
    return {**chart, "layer": layers, "width": width, "height": height}


@lru_cache(maxsize=8)
def _any_tree_chart(dark: bool, colour: str) -> dict[str, Any]:
    palette = palette_of("decoder", dark=dark)
    node = alt.selection_point(
        name=SELECTION_NAME,
        fields=["id", "click"],
        on="click",
        clear=False,
        empty=False,
        toggle=False,
    )
    over = alt.selection_point(
        name="over", fields=["pre"], on="pointerover", clear="pointerout", empty=False
    )
    layers = [
        _step_labels(),
        _tree_links(palette.accent, colour),
        _lit_links(),
        _rings(),
        _circles(list(palette.ramp), colour),
        _chosen(),
        _tokens(),
        _hit_areas().add_params(node, over),
        *_key_marks(palette.accent, colour),
    ]
    return (
        alt.layer(*layers)
        .resolve_scale(color="independent")
        .properties(
            autosize="pad",
            padding={"left": 4, "top": 4, "right": 24, "bottom": 4},
        )
        .configure_view(stroke=None)
        .to_dict()
    )


def _x(field: str = "px") -> alt.X:
    return alt.X(f"{field}:Q", scale=None, axis=None)


def _y(field: str = "py") -> alt.Y:
    return alt.Y(f"{field}:Q", scale=None, axis=None)


def _step_labels() -> alt.Chart:
    return (
        alt.Chart(table("steps"))
        .mark_text(align="left", baseline="middle", fontSize=11, dx=-6, tooltip=None)
        .encode(
            x=_x(),
            y=alt.value(10),
            text="label:N",
            color=alt.when("datum.now").then(alt.value(SELECTION)).otherwise(alt.value(INK)),
            opacity=alt.when("datum.later")
            .then(alt.value(0.3))
            .when("datum.now")
            .then(alt.value(1))
            .otherwise(alt.value(0.7)),
        )
    )


def _tree_links(accent: str, colour: str) -> alt.Chart:
    stroke = alt.when("datum.on_way").then(alt.value(SELECTION))
    if colour:
        stroke = stroke.when("datum.only_here").then(alt.value(colour))
    stroke = stroke.when("datum.best").then(alt.value(accent))
    links = _link_marks(alt.Chart(table("nodes")))
    return links.encode(stroke=stroke.otherwise(alt.value(GREY)), opacity=_opacity())


def _lit_links() -> alt.Chart:
    """The way to the node under the pointer: a layer of its own, so that the others stay put."""
    marks = _link_marks(alt.Chart(table("nodes")).transform_filter(_UNDER_POINTER))
    return marks.encode(stroke=alt.value(SELECTION), opacity=alt.value(1))


def _link_marks(data: alt.Chart) -> alt.Chart:
    return data.mark_point(filled=False, size=4, tooltip=None, aria=False).encode(
        x=_x(),
        y=_y(),
        shape=alt.Shape("link:N", scale=None),
        strokeWidth=alt.StrokeWidth("link_width:Q", scale=None),
        strokeDash=alt.when("datum.status == 'pruned'")
        .then(alt.value([3, 3]))
        .otherwise(alt.value([1, 0])),
    )


def _opacity() -> alt.Opacity:
    return alt.Opacity("opacity:Q", scale=None, legend=None)


def _rings() -> alt.Chart:
    return (
        alt.Chart(table("rings"))
        .mark_point(filled=False, stroke=INK, strokeWidth=1.5, tooltip=None, aria=False)
        .encode(
            x=_x(),
            y=_y(),
            size=alt.Size("size:Q", scale=None),
            opacity=alt.Opacity("opacity:Q", scale=None),
        )
    )


def _circles(ramp: list[str], colour: str) -> alt.Chart:
    fill = alt.Fill(
        "probability:Q",
        title="probability of the token",
        scale=alt.Scale(domain=[0, 1], range=ramp, clamp=True),
        legend=alt.Legend(
            orient="bottom",
            direction="horizontal",
            gradientLength=180,
            gradientThickness=10,
            gradientOpacity=1,
            values=[0, 0.25, 0.5, 0.75, 1],
            format=".2f",
            offset=6,
            titleLimit=240,
        ),
    )
    stroke = alt.when("datum.on_way").then(alt.value(SELECTION))
    if colour:
        stroke = stroke.when("datum.only_here").then(alt.value(colour))
    stroke = stroke.otherwise(alt.value(INK))
    return (
        alt.Chart(table("nodes"))
        .mark_point(filled=True, tooltip=None, aria=False)
        .encode(
            x=_x(),
            y=_y(),
            size=alt.Size("size:Q", scale=None),
            shape=alt.when("datum.forced").then(alt.value("square")).otherwise(alt.value("circle")),
            fill=fill,
            stroke=stroke,
            strokeWidth=alt.when("datum.on_way || datum.only_here")
            .then(alt.value(2))
            .otherwise(alt.value(0.8)),
            opacity=_opacity(),
        )
    )


def _chosen() -> alt.Chart:
    return (
        alt.Chart(table("chosen"))
        .mark_point(
            filled=False,
            stroke=SELECTION,
            strokeWidth=2.5,
            size=440,
            opacity=1,
            tooltip=None,
            aria=False,
        )
        .encode(x=_x(), y=_y())
    )


def _tokens() -> alt.Chart:
    return (
        alt.Chart(table("nodes"))
        .mark_text(
            align="left",
            baseline="middle",
            dx=max(RADIUS.values()) + 4,
            dy=0.5,
            limit=STEP - CURVE - max(RADIUS.values()) - 4,
            color=INK,
            tooltip=None,
        )
        .encode(
            x=_x(),
            y=_y(),
            text="label:N",
            size=alt.Size("font:Q", scale=None),
            opacity=_opacity(),
        )
    )


def _hit_shape(row: float) -> str:
    left, right, half = -10, STEP - CURVE - 2, row / 2
    return f"M{left},{-half}H{right}V{half}H{left}Z"


def _hit_areas() -> alt.Chart:
    """Invisible, one a node with its label: they take the clicks and show the ledger."""
    numbers = (
        ("log_prob", "log p", ".4f"),
        ("probability", "probability", ".4f"),
        ("sum", "running sum of log p", ".4f"),
        ("penalty", "÷ length penalty", ".4f"),
        ("score", "= normalised score", ".4f"),
        ("share", "share of its step", ".2%"),
    )
    return (
        alt.Chart(table("nodes"))
        .mark_point(
            shape=_hit_shape(24.0),
            size=4,
            fill="transparent",
            stroke=None,
            opacity=1,
            cursor="pointer",
            aria=False,
        )
        .encode(
            x=_x(),
            y=_y(),
            tooltip=[
                alt.Tooltip("token:N", title="token"),
                alt.Tooltip("step:Q", title="step"),
                *(alt.Tooltip(f"{name}:Q", title=title, format=f) for name, title, f in numbers),
                alt.Tooltip("rank:Q", title="rank at its step"),
                alt.Tooltip("fate:N", title="status"),
            ],
        )
    )


def _key_marks(accent: str, colour: str) -> list[alt.Chart]:
    stroke = alt.when("datum.kind == 'best'").then(alt.value(accent))
    stroke = stroke.when("datum.kind == 'ring'").then(alt.value(INK))
    stroke = stroke.when("datum.kind == 'only'").then(alt.value(colour or GREY))
    samples = (
        alt.Chart(table("key"))
        .mark_point(filled=False, size=4, tooltip=None, aria=False, opacity=1)
        .encode(
            x=_x(),
            y=_y(),
            shape=alt.Shape("path:N", scale=None),
            stroke=stroke.otherwise(alt.value(GREY)),
            strokeWidth=alt.StrokeWidth("stroke:Q", scale=None),
            strokeDash=alt.when("datum.kind == 'pruned'")
            .then(alt.value([3, 3]))
            .otherwise(alt.value([1, 0])),
        )
    )
    words = (
        alt.Chart(table("key"))
        .mark_text(
            align="left",
            baseline="middle",
            fontSize=KEY_FONT,
            color=INK,
            opacity=0.8,
            tooltip=None,
        )
        .encode(x=_x("text_px"), y=_y(), text="words:N")
    )
    return [samples, words]
