"""The residual stream at one token: what every sub-layer adds to what was there."""

from __future__ import annotations

import streamlit as st

from analysis.block import stream_table
from ui.choice import choice
from ui.focus import click_count, clicked
from ui.kit.blocks import figure_block
from ui.state import Run
from ui.words import plain, say
from viz.block import SELECTION_NAME, stream_bars, sublayer_name
from words import numbers

from .scene import Scene, make_scene

CHART = "block_stream"
FORMULAS = {
    False: r"x \;\leftarrow\; \mathrm{LayerNorm}\big(x + \mathrm{Sublayer}(x)\big)",
    True: r"x \;\leftarrow\; x + \mathrm{Sublayer}\big(\mathrm{LayerNorm}(x)\big)",
}


def show(run: Run) -> None:
    scene = make_scene(run)
    order(scene)
    table = stream_table(scene.stream, scene.position)
    above = st.container()
    place = sublayer_menu(scene)
    figure = stream_bars(
        table,
        scene.stream.places,
        chosen=place,
        click=click_count(CHART),
    )
    with above:
        figure_block(
            figure,
            key=CHART,
            alt=say("block-stream-alt", token=scene.label, n=len(table)),
            name=say("block-stream-name", token=scene.label),
            clicks=True,
            numbers=lambda: table.assign(place=[each.code for each in scene.stream.places]),
        )
    line = table.loc[place]
    st.markdown(
        say(
            "block-stream-told",
            sublayer=sublayer_name(scene.stream.places[place]),
            token=plain(scene.label),
            order="pre" if scene.stream.pre_norm else "post",
            **{name: numbers.fixed(float(line[name])) for name in ("before", "added")},
        )
    )


def order(scene: Scene) -> None:
    """Whether the norm comes after the sum or before the sub-layer, as the model has it."""
    pre = scene.stream.pre_norm
    st.latex(FORMULAS[pre])
    st.caption(say("block-order", order="pre" if pre else "post"))


def sublayer_menu(scene: Scene) -> int:
    """The sub-layer of the last click on the chart or of the menu, by its place in the stack."""
    key, places = f"block_{scene.stack}_step", scene.stream.places
    cell = clicked(CHART, SELECTION_NAME) or {}
    if cell.get("place") in range(len(places)):
        st.session_state[key] = cell["place"]
    return choice(
        key,
        range(len(places)),
        words="block-sublayer",
        style="select",
        text=lambda place: sublayer_name(places[place]),
        spell=lambda place: places[place].code,
        width=230,
    )
