"""A layer norm before and after, and beside a batch norm of the same numbers."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from analysis.block import moments_table, moved_by_others, norm_stages
from ui.kit.blocks import figure_block
from ui.state import Run
from ui.words import plain, say
from viz.block import norm_matrices, norm_strips, sublayer_name
from viz.figure import tables_of
from words import numbers

from .scene import Scene, make_scene
from .stream import order, sublayer_menu

FORMULA = (
    r"\mathrm{LayerNorm}(z)_i = g_i\,\frac{z_i-\mu}{\sqrt{\sigma^2+\epsilon}} + b_i,\quad "
    r"\mu = \frac1d\sum_i z_i,\quad \sigma^2 = \frac1d\sum_i (z_i-\mu)^2"
)
MOST_ROWS = 40


def show(run: Run) -> None:
    scene = make_scene(run)
    order(scene)
    place = sublayer_menu(scene)
    stages = norm_stages(scene.stream, place, scene.position)
    moments = moments_table(stages)
    st.latex(FORMULA)
    figure_block(
        norm_strips(stages),
        key="block_norm_strips",
        alt=say("block-norm-alt"),
        name=say("block-norm-name", token=scene.label),
        numbers=lambda: pd.DataFrame(stages),
    )
    moments_shown(moments)
    gains = scene.stream.gains[place]
    st.markdown(
        say(
            "block-norm-told",
            sublayer=sublayer_name(scene.stream.places[place]),
            low=numbers.fixed(float(gains.min())),
            high=numbers.fixed(float(gains.max())),
            eps=f"{scene.stream.eps:g}",
        )
    )
    beside_batch_norm(scene, place)


def moments_shown(moments: pd.DataFrame) -> None:
    columns = {
        name: st.column_config.NumberColumn(say(f"block-{name}"), format="%.4f")
        for name in ("mean", "variance", "smallest", "largest")
    }
    st.dataframe(
        moments.assign(stage=[say(f"block-stage-{stage}") for stage in moments["stage"]]),
        key="block_moments",
        hide_index=True,
        width="content",
        column_config={"stage": st.column_config.TextColumn(say("block-stage")), **columns},
        alt=say("block-moments-alt"),
    )


def beside_batch_norm(scene: Scene, place: int) -> None:
    """The same numbers normalised along the other axis, and what that makes depend on what."""
    st.markdown("## " + say("block-batch-title"))
    given = scene.stream.norm_inputs[place]
    first = max(0, min(scene.position - MOST_ROWS // 2, len(given) - MOST_ROWS))
    rows = slice(first, first + MOST_ROWS)
    if len(given) > MOST_ROWS:
        st.caption(say("block-batch-cut", n=MOST_ROWS, of=len(given)))
    figure = norm_matrices(
        given,
        scene.tokens,
        scene.stream.eps,
        rows=rows,
        chosen=scene.position - first,
    )
    figure_block(
        figure,
        key="block_norm_matrices",
        alt=say("block-batch-alt"),
        name=say("block-batch-name", token=scene.label),
        numbers=lambda: tables_of(figure)["cells"].drop(columns="shade"),
    )
    by_layer, by_batch = moved_by_others(given, scene.stream.eps, scene.position)
    st.markdown(
        say(
            "block-batch-told",
            token=plain(scene.label),
            layer=numbers.fixed(by_layer),
            batch=numbers.fixed(by_batch),
            n=len(given),
        )
    )
