"""Heads that follow position, and what shifted positions cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.measures import special_mass
from records import DECODER, ENCODER, PositionHeads

from . import chart
from .chart import draw, field, layered, mark, share_axis, told, when, whole
from .figure import Figure
from .labels import full_head_name, renamed, site_word
from .look import say
from .theme import INK, SELECTION, palette_of

SELECTION_NAME = "head"
_SCATTER = 330


def position_head_table(found: PositionHeads) -> pd.DataFrame:
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
                    "name": full_head_name(kind, layer, head),
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
    levels["site"] = [site_word(kind) for kind in levels["kind"]]
    colour = field(
        "kind:N",
        title=None,
        scale={"domain": list(kinds), "range": [palette_of(k).accent for k in kinds]},
        legend={
            "orient": "top",
            "symbolType": "circle",
            "symbolSize": 90,
            "labelExpr": renamed({kind: site_word(kind).capitalize() for kind in kinds}),
        },
    )
    x, y = (
        field(
            f"{name}:Q",
            title=say(f"positions-axis-{message}"),
            scale={"domain": [0, 1], "nice": False},
            axis=share_axis(),
        )
        for name, message in (("words", "words"), ("positions", "absent"))
    )
    size = field(
        "sharpness:Q",
        title=say("positions-sharpness"),
        scale={"domain": [0, 1], "range": [25, 260]},
        legend={
            "orient": "bottom",
            "values": [0.25, 0.5, 1.0],
            "format": ".2f",
            "symbolFillColor": "gray",
        },
    )
    told_of = told(
        ("name:N", say("positions-head-title")),
        ("words:Q", say("positions-words"), ".3f"),
        ("spread:Q", say("positions-spread"), ".3f"),
        ("positions:Q", say("positions-absent"), ".3f"),
        ("sharpness:Q", say("positions-sharpness"), ".3f"),
        ("special:Q", say("positions-special"), ".3f"),
    )
    drawn = draw(
        "dots",
        mark("point", filled=True, opacity=0.85, cursor="pointer"),
        x=x,
        y=y,
        color=colour,
        size=size,
        stroke=when(("datum.selected", SELECTION), otherwise=INK),
        strokeWidth=when(("datum.selected", 3), otherwise=0.6),
        description="name:N",
        tooltip=told_of,
        params=[chart.click(SELECTION_NAME, "kind", "layer", "head", "click")],
    )
    level = {
        "color": colour,
        "tooltip": told(
            ("site:N", say("positions-chance-of")), ("chance:Q", say("positions-chance"), ".3f")
        ),
    }
    rule = mark("rule", strokeDash=[4, 4], strokeWidth=1.5, opacity=0.8)
    picture = layered(
        draw("levels", rule, x="chance:Q", **level),
        draw("levels", rule, y="chance:Q", **level),
        drawn,
        width=_SCATTER,
        height=_SCATTER,
    )
    return Figure(
        whole(picture, right=24, autosize="pad"),
        {"dots": dots.reset_index(drop=True), "levels": levels},
        SELECTION_NAME,
        width=_SCATTER + 70,
    )


def offset_lines(lines: pd.DataFrame, *, longest: int, chosen: Mapping[str, int]) -> Figure:
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
    sides = {side: say(f"positions-{side}") for side in ("source", "target")}
    marked["of"] = marked["side"].map(sides)
    limit = pd.DataFrame({"offset": [longest]})
    grid = {"gridOpacity": 0.3}
    where = {
        "x": field("offset:Q", title=say("positions-axis-offset"), axis=grid),
        "y": field(
            "log_prob:Q", title=say("positions-axis-log-p"), scale={"zero": False}, axis=grid
        ),
        "color": field(
            "side:N",
            title=say("positions-of-side"),
            scale={
                "domain": ["source", "target"],
                "range": [palette_of(site).accent for site in (ENCODER, DECODER)],
            },
            legend={
                "orient": "top",
                "symbolType": "stroke",
                "symbolStrokeWidth": 3,
                "labelExpr": renamed(sides),
            },
        ),
    }
    dots = draw(
        "lines",
        mark("point", filled=True, opacity=1, strokeWidth=2.5),
        size=when(("datum.chosen", 110), otherwise=28),
        stroke=when(("datum.chosen", SELECTION), otherwise="transparent"),
        tooltip=told(
            ("of:N", say("positions-side")),
            ("offset:Q", say("positions-offset")),
            ("log_prob:Q", say("positions-log-p"), ".3f"),
        ),
        **where,
    )
    picture = layered(
        draw(
            "limit",
            mark("rule", color=INK, strokeDash=[4, 4], opacity=0.6),
            x="offset:Q",
            tooltip=told(("offset:Q", say("positions-of-model"))),
        ),
        draw("lines", mark("line", strokeWidth=2, tooltip=None), **where),
        dots,
        width=420,
        height=190,
    )
    tables = {"lines": marked, "limit": limit}
    return Figure(whole(picture, right=24, autosize="pad"), tables, "", width=500)
