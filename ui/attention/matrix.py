"""The open head as a matrix: every weight, the sums, and one row as bars, beside all heads."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from ui.attention.scene import Scene
from ui.export import export_menu
from ui.focus import write_address
from ui.panels import row_readout
from ui.words import current_words, has_single_head
from viz.figure import Figure
from viz.heatmap import attention_heatmap
from words import Words

from .overview import overview_export


def words_of(scenes: Mapping[str, Scene], kind: str, badge: str) -> None:
    """What is said of the open head, and its files."""
    scene = scenes[kind].refreshed()
    write_address(scene.focus)
    st.markdown(
        row_readout(scene.attention, scene.focus, scene.rows, scene.columns, scene.row_tokens)
    )
    with st.container(horizontal=True):
        export_menu(
            partial(matrix_figure, scene, current_words()),
            key=f"{kind}_matrix_export",
            name=scene.file_name,
            scene=scene,
        )
        if not has_single_head():
            overview_export(scenes, kind, badge)


def matrix_figure(scene: Scene, words: Words) -> Figure:
    """The open head as a picture of its own."""
    return attention_heatmap(
        scene.attention,
        scene.focus.layer,
        scene.focus.head,
        row_tokens=scene.row_tokens,
        locked_rows=scene.rows,
        locked_columns=scene.columns,
        contrast=scene.contrast,
        d_k=scene.d_k,
    )
