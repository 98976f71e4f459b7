"""One head as a matrix: every weight, the sums, and one row as bars."""

from __future__ import annotations

import streamlit as st

from ui.attention.scene import Scene
from ui.blocks import figure_block
from ui.focus import click_count
from ui.panels import matrix_alt, row_readout
from ui.words import current_words, page_text
from viz.heatmap import attention_heatmap


def show(scene: Scene) -> None:
    attention, focus, kind = scene.attention, scene.focus, scene.kind
    matrix = attention_heatmap(
        attention,
        focus.layer,
        focus.head,
        row_tokens=scene.row_tokens,
        locked_rows=scene.rows,
        locked_columns=scene.columns,
        contrast=scene.contrast,
        d_k=scene.d_k,
        click=click_count(f"{kind}_matrix"),
        dark=scene.dark,
        say=current_words(),
    )
    figure_block(
        matrix,
        key=f"{kind}_matrix",
        alt=matrix_alt(attention),
        name=scene.file_name,
        clicks=True,
        below=row_readout(attention, focus, scene.rows, scene.columns, scene.row_tokens),
        scene=scene,
    )
    st.markdown(page_text("reading"))
