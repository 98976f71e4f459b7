"""The open head, and all heads with a number under each, as pictures to save."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from analysis.measures import badges_of, largest_weight, pair_weights
from records import AttentionMap
from ui.export import export_menu
from ui.focus import Focus
from ui.panels import guided_heads
from ui.words import current_words, say
from viz.figure import Figure, tables_of
from viz.heatmap import attention_heatmap
from viz.overview import head_grid

from .scene import Scene


def matrix_export(scene: Scene) -> None:
    """The menu of files of the open head."""
    figure = partial(matrix_figure, scene, scene.rows, scene.columns)
    key = f"{scene.kind}_matrix_export"
    export_menu(figure, key=key, name=scene.file_name, scene=scene)


def matrix_figure(scene: Scene, rows: Sequence[int], columns: Sequence[int], **how: Any) -> Figure:
    """The open head as a matrix with its chosen rows and columns."""
    return attention_heatmap(
        scene.attention,
        scene.focus.layer,
        scene.focus.head,
        row_tokens=scene.row_tokens,
        locked_rows=rows,
        locked_columns=columns,
        contrast=scene.contrast,
        d_k=scene.d_k,
        **how,
    )


def badge_title(name: str, focus: Focus) -> str:
    """The words of the number under each head; "weight" means what is chosen at the moment."""
    if name != "weight":
        return say(f"badge-{name}")
    chosen = "-pair" if focus.rows and focus.columns else "-row" if focus.rows else ""
    return say(f"badge-weight{chosen}")


def badge_values(
    name: str, attention: AttentionMap, focus: Focus, *, pair: bool, row: bool
) -> np.ndarray:
    """The (L, H) numbers under the heads; NaN where it says nothing.

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


def overview_export(scenes: Mapping[str, Scene], kind: str, badge: str) -> None:
    """The menu of files of all heads together."""
    scene = scenes[kind]
    title = badge_title(badge, scene.focus)
    figure = partial(_figure, scenes, kind, badge, title, current_words())
    export_menu(
        figure,
        key="grid_export",
        words="export-heads",
        name=say("attention-overview-name", badge=title),
        numbers=lambda: _numbers_of(figure(), title),
    )


def _figure(scenes: Mapping[str, Scene], kind: str, badge: str, title: str, words) -> Figure:
    focus = scenes[kind].focus
    pair, row = bool(focus.rows and focus.columns), bool(focus.rows)
    first = next(iter(scenes.values())).run
    guided = guided_heads(first.translator.card, first.record.sites[0].name)
    return head_grid(
        [scene.raw for scene in scenes.values()],
        {
            name: badge_values(badge, scene.raw, scene.focus, pair=pair, row=row)
            for name, scene in scenes.items()
        },
        badge_title=title,
        selected=(kind, focus.layer, focus.head),
        marked=[(name, *head) for name, head in guided.items() if name in scenes],
    )


def _numbers_of(grid: Figure, title: str) -> pd.DataFrame:
    """The number under each head, with layers and heads counted from 1."""
    heads = tables_of(grid)["heads"]
    return pd.DataFrame(
        {
            "kind": heads["kind"],
            "layer": heads["layer"] + 1,
            "head": heads["head"] + 1,
            title: heads["number"],
        }
    )
