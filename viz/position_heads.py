"""Heads that follow position, and what shifted positions cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from analysis.measures import special_mass
from records import PositionHeads
from words import Words, english

from .figure import Figure, table
from .order import PAD
from .overview import KIND_TITLES
from .theme import INK, SELECTION, palette_of

SELECTION_NAME = "head"
_SCATTER = 330


def position_head_table(found: PositionHeads, say: Words = english) -> pd.DataFrame:
    """One line a head, the one whose map survives other words best first.

    Returns
    -------
    DataFrame with the columns kind, layer, head (from 1), name, words (overlap with the maps of
    other words, mean), spread (their standard deviation), positions (overlap with the map without
    positions), sharpness (largest weight of a row, mean), special (weight of a row on special
    tokens, mean) and chance (of the kind). Heads of a kind without a row that leaves a choice are
    left out.
    """
    lines = []
    for kind in found.plain.kinds:
        words = found.other_words[kind]
        special = special_mass(found.plain.of(kind))
        for layer, head in np.ndindex(words.shape[1:]):
            lines.append(
                {
                    "kind": kind,
                    "layer": layer + 1,
                    "head": head + 1,
                    "name": say(
                        "positions-head",
                        site=KIND_TITLES[kind],
                        layer=layer + 1,
                        head=head + 1,
                    ),
                    "words": float(words[:, layer, head].mean()),
                    "spread": float(words[:, layer, head].std()),
                    "positions": float(found.without_positions[kind][layer, head]),
                    "sharpness": float(found.sharpness[kind][layer, head]),
                    "special": float(special[layer, head]),
                    "chance": found.chance[kind],
                }
            )
    lines = pd.DataFrame(lines).dropna(subset=["words", "positions"])
    return lines.sort_values("words", ascending=False, kind="stable").reset_index(drop=True)


def head_scatter(
    heads: pd.DataFrame,
    sites: Sequence[str],
    *,
    selected: tuple[str, int, int] | None = None,
    click: int = 0,
    dark: bool = False,
    say: Words = english,
) -> Figure:
    """Every head as a dot: across, how its map survives other words; up, the loss of positions.

    Dots grow with the sharpness of the head. Dashed lines stand at the chance level of each kind.
    The selection `head` reports the clicked kind, layer and head (from 0) with `click`.

    Parameters
    ----------
    heads : as of `position_head_table`.
    sites : names of the sites, in the order of the legend.
    selected : kind, layer and head (from 0) to mark.

    Raises
    ------
    ValueError : there are no heads.
    """
    if heads.empty:
        raise ValueError("no heads to draw")
    dots = heads.assign(layer=heads["layer"] - 1, head=heads["head"] - 1, click=np.int32(click))
    place = zip(dots["kind"], dots["layer"], dots["head"], strict=True)
    dots["selected"] = [entry == selected for entry in place]
    dots = dots.sort_values(["selected", "sharpness"], ascending=[True, False])
    kinds = tuple(kind for kind in sites if (dots["kind"] == kind).any())
    levels = dots.dropna(subset=["chance"]).groupby("kind", as_index=False)["chance"].first()
    return Figure(
        _scatter_chart(kinds, dark, say),
        {"dots": dots.reset_index(drop=True), "levels": levels},
        SELECTION_NAME,
        width=_SCATTER + 70,
    )


@lru_cache(maxsize=16)
def _scatter_chart(kinds: tuple[str, ...], dark: bool, say: Words) -> dict[str, Any]:
    colour = alt.Color(
        "kind:N",
        title=None,
        scale=alt.Scale(
            domain=list(kinds), range=[palette_of(kind, dark=dark).accent for kind in kinds]
        ),
        legend=alt.Legend(orient="top", symbolType="circle", symbolSize=90),
    )

    def axis(channel: type, field: str, title: str) -> Any:
        return channel(
            f"{field}:Q",
            title=title,
            scale=alt.Scale(domain=[0, 1], nice=False),
            axis=alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".2f", gridOpacity=0.3),
        )

    x = axis(alt.X, "words", say("positions-axis-words"))
    y = axis(alt.Y, "positions", say("positions-axis-absent"))
    picked = alt.selection_point(
        name=SELECTION_NAME,
        fields=["kind", "layer", "head", "click"],
        on="click",
        clear=False,
        empty=False,
        toggle=False,
    )
    dots = (
        alt.Chart(table("dots"))
        .mark_point(filled=True, opacity=0.85, cursor="pointer")
        .encode(
            x=x,
            y=y,
            color=colour,
            size=alt.Size(
                "sharpness:Q",
                title=say("positions-sharpness"),
                scale=alt.Scale(domain=[0, 1], range=[25, 260]),
                legend=alt.Legend(
                    orient="bottom", values=[0.25, 0.5, 1.0], format=".2f", symbolFillColor="gray"
                ),
            ),
            stroke=alt.when("datum.selected").then(alt.value(SELECTION)).otherwise(alt.value(INK)),
            strokeWidth=alt.when("datum.selected").then(alt.value(3)).otherwise(alt.value(0.6)),
            description="name:N",
            tooltip=[
                alt.Tooltip("name:N", title=say("positions-head-title")),
                alt.Tooltip("words:Q", title=say("positions-words"), format=".3f"),
                alt.Tooltip("spread:Q", title=say("positions-spread"), format=".3f"),
                alt.Tooltip("positions:Q", title=say("positions-absent"), format=".3f"),
                alt.Tooltip("sharpness:Q", title=say("positions-sharpness"), format=".3f"),
                alt.Tooltip("special:Q", title=say("positions-special"), format=".3f"),
            ],
        )
        .add_params(picked)
    )
    levels = alt.Chart(table("levels"))
    tooltip = [
        alt.Tooltip("kind:N", title=say("positions-chance-of")),
        alt.Tooltip("chance:Q", title=say("positions-chance"), format=".3f"),
    ]
    rule = {"strokeDash": [4, 4], "strokeWidth": 1.5, "opacity": 0.8}
    up = levels.mark_rule(**rule).encode(x="chance:Q", color=colour, tooltip=tooltip)
    across = levels.mark_rule(**rule).encode(y="chance:Q", color=colour, tooltip=tooltip)
    return (
        alt.layer(up, across, dots)
        .properties(width=_SCATTER, height=_SCATTER, **PAD)
        .configure_view(stroke=None)
        .to_dict()
    )


def offset_lines(
    lines: pd.DataFrame,
    *,
    longest: int,
    chosen: Mapping[str, int],
    dark: bool = False,
    say: Words = english,
) -> Figure:
    """Log P of the plain translation against the offset of the positions, one line a side.

    Parameters
    ----------
    lines : with the columns side ("source" or "target"), offset and log_prob (natural).
    longest : the positions the model has; a dashed line stands there.
    chosen : for a side the offset to mark.
    """
    marked = lines.assign(
        chosen=[
            chosen.get(side) == offset
            for side, offset in zip(lines["side"], lines["offset"], strict=True)
        ]
    )
    limit = pd.DataFrame({"offset": [longest]})
    return Figure(_offset_chart(dark, say), {"lines": marked, "limit": limit}, "", width=500)


@lru_cache(maxsize=4)
def _offset_chart(dark: bool, say: Words) -> dict[str, Any]:
    colours = [palette_of(kind, dark=dark).accent for kind in ("encoder", "decoder")]
    x = alt.X("offset:Q", title=say("positions-axis-offset"), axis=alt.Axis(gridOpacity=0.3))
    y = alt.Y(
        "log_prob:Q",
        title=say("positions-axis-log-p"),
        scale=alt.Scale(zero=False),
        axis=alt.Axis(gridOpacity=0.3),
    )
    colour = alt.Color(
        "side:N",
        title=say("positions-of-side"),
        scale=alt.Scale(domain=["source", "target"], range=colours),
        legend=alt.Legend(orient="top", symbolType="stroke", symbolStrokeWidth=3),
    )
    base = alt.Chart(table("lines")).encode(x=x, y=y, color=colour)
    tooltip = [
        alt.Tooltip("side:N", title=say("positions-side")),
        alt.Tooltip("offset:Q", title=say("positions-offset")),
        alt.Tooltip("log_prob:Q", title=say("positions-log-p"), format=".3f"),
    ]
    marked = alt.when("datum.chosen")
    dots = base.mark_point(filled=True, opacity=1, strokeWidth=2.5).encode(
        size=marked.then(alt.value(110)).otherwise(alt.value(28)),
        stroke=marked.then(alt.value(SELECTION)).otherwise(alt.value("transparent")),
        tooltip=tooltip,
    )
    limit = (
        alt.Chart(table("limit"))
        .mark_rule(color=INK, strokeDash=[4, 4], opacity=0.6)
        .encode(x="offset:Q", tooltip=[alt.Tooltip("offset:Q", title=say("positions-of-model"))])
    )
    return (
        alt.layer(limit, base.mark_line(strokeWidth=2, tooltip=None), dots)
        .properties(width=420, height=190, **PAD)
        .configure_view(stroke=None)
        .to_dict()
    )
