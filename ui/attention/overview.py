"""All heads as a clickable grid, with a number under each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from analysis.measures import BADGES, badges_of, largest_weight, pair_weights
from records import AttentionMap
from ui.blocks import draw
from ui.controls import badge_menu
from ui.export import export_menu
from ui.focus import Focus, click_count, focus_of
from ui.panels import grid_alt
from ui.state import is_dark
from ui.words import current_words, say
from viz.figure import Figure
from viz.overview import head_grid


def badge_options(focus: Focus) -> dict[str, str]:
    """The numbers to choose from for the space under each head, with their words."""
    weight = "-pair" if focus.rows and focus.columns else "-row" if focus.rows else ""
    others = (badge.name for badge in BADGES if badge.name != "largest")
    return {"weight": say(f"badge-weight{weight}")} | {
        name: say(f"badge-{name}") for name in others
    }


def badge_values(
    name: str, attention: AttentionMap, focus: Focus, *, pair: bool, row: bool
) -> np.ndarray:
    """The (L, H) numbers for a choice of `badge_options`; NaN where it says nothing.

    `pair` and `row` tell what the choice "weight" means at the moment: of the chosen pair, of the
    chosen query, or neither.
    """
    nothing = np.full(attention.weights.shape[:2], np.nan)
    if name == "weight":
        return _weight_badges(attention, focus, pair=pair, row=row, nothing=nothing)
    return next((b.of(attention) for b in badges_of(attention) if b.name == name), nothing)


def _weight_badges(
    attention: AttentionMap, focus: Focus, *, pair: bool, row: bool, nothing: np.ndarray
) -> np.ndarray:
    if pair:
        chosen = focus.rows and focus.columns
        return pair_weights(attention, focus.rows, focus.columns) if chosen else nothing
    if row:
        if not focus.rows:
            return nothing
        return attention.weights[:, :, list(focus.rows)].mean(axis=2).max(axis=-1)
    return largest_weight(attention)


def overview_panel(
    maps: Sequence[AttentionMap], kind: str, *, marked: Sequence[tuple[str, int, int]]
) -> None:
    """The grid of the maps, one a site, with the menu for the number under each head."""
    focus = focus_of(kind)
    picture = st.container()
    options = badge_options(focus)
    badge = badge_menu(list(options), options)
    pair, row = bool(focus.rows and focus.columns), bool(focus.rows)
    grid = head_grid(
        maps,
        {m.kind: badge_values(badge, m, focus_of(m.kind), pair=pair, row=row) for m in maps},
        badge_title=options[badge],
        selected=(kind, focus.layer, focus.head),
        marked=marked,
        click=click_count("grid"),
        dark=is_dark(),
        say=current_words(),
    )
    with picture:
        draw(grid, key="grid", alt=grid_alt(maps), clicks=True)
    export_menu(
        grid,
        key="grid_export",
        name=say("attention-overview-name", badge=options[badge]),
        numbers=lambda: _numbers_of(grid, options[badge]),
    )


def _numbers_of(grid: Figure, title: str) -> pd.DataFrame:
    """The number under each head, with layers and heads counted from 1."""
    heads = grid.tables["heads"]
    return pd.DataFrame(
        {
            "kind": heads["kind"],
            "layer": heads["layer"] + 1,
            "head": heads["head"] + 1,
            title: heads["number"],
        }
    )
