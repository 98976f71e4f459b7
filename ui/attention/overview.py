"""The open head, and all heads with a number under each, as pictures to save."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from analysis.measures import badges_of, largest_weight, pair_weights
from records import AttentionMap
from ui.export import export_menu
from ui.focus import Focus, Head, open_head
from ui.kit.blocks import table
from ui.panels import guided_heads
from ui.words import head_name, say
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
        *scene.focus.place,
        row_tokens=scene.row_tokens,
        locked_rows=rows,
        locked_columns=columns,
        contrast=scene.contrast,
        d_k=scene.d_k,
        **how,
    )


def badge_meant(name: str, focus: Focus) -> str:
    """The number under each head; "weight" is that of the chosen pair or query, if any."""
    if name != "weight" or not focus.rows:
        return name
    return "weight-pair" if focus.columns else "weight-row"


def badge_values(name: str, attention: AttentionMap, focus: Focus) -> np.ndarray:
    """The (L, H) numbers that `badge_meant` names; NaN where they say nothing."""
    if name == "weight":
        return largest_weight(attention)
    if name == "weight-pair" and focus.rows and focus.columns:
        return pair_weights(attention, focus.rows, focus.columns)
    if name == "weight-row" and focus.rows:
        return attention.weights[:, :, list(focus.rows)].mean(axis=2).max(axis=-1)
    values = {badge.name: badge.of(attention) for badge in badges_of(attention)}
    return values.get(name, np.full(attention.weights.shape[:2], np.nan))


def overview_export(scenes: Mapping[str, Scene], kind: str, badge: str) -> None:
    """The menu of files of all heads together."""
    badge = badge_meant(badge, scenes[kind].focus)
    title = say(f"badge-{badge}")
    figure = partial(_grid, scenes, kind, badge, title)
    export_menu(
        figure,
        key="grid_export",
        words="export-heads",
        name=say("attention-overview-name", badge=title),
        numbers=lambda: _numbers_of(figure(), title),
    )


def _grid(scenes: Mapping[str, Scene], kind: str, badge: str, title: str) -> Figure:
    run = scenes[kind].run
    guided = guided_heads(run.translator.card, run.record.sites[0].name)
    return head_grid(
        [scene.raw for scene in scenes.values()],
        {name: badge_values(badge, scene.raw, scene.focus) for name, scene in scenes.items()},
        badge_title=title,
        selected=(kind, *scenes[kind].focus.place),
        marked=[(name, *head) for name, head in guided.items() if name in scenes],
    )


def _numbers_of(grid: Figure, title: str) -> pd.DataFrame:
    heads = tables_of(grid)["heads"]
    heads = heads.assign(layer=heads["layer"] + 1, head=heads["head"] + 1)
    return heads[["kind", "layer", "head", "number"]].rename(columns={"number": title})


def heads_to_open(
    id: str,
    scene: Scene,
    heads: pd.DataFrame,
    places: Sequence[Head],
    *,
    key: str,
    **how: Any,
) -> None:
    """A table of all heads of the site, each at one of the `places`; a click on a line opens it.

    Its `key` changes with their order: an old selection must not point at another head.
    """
    table(
        id,
        heads,
        key=f"{key}_{zlib.crc32(repr(places).encode())}",
        on_pick=lambda line: open_head(scene.kind, *places[line]),
        head=head_name(*scene.focus.place),
        line=places.index(scene.focus.place) + 1,
        of=len(heads),
        **how,
    )
