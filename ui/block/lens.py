"""What the model would say after every sub-layer: its states through the output layer."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from analysis.labels import token_label
from records import Intervention, Lens
from ui.kit.blocks import figure_block
from ui.shared import cached
from ui.state import Run
from ui.words import plain, say
from viz.block import lens_grid, state_names
from viz.figure import tables_of

from .scene import STACKS, Scene, make_scene, streams


def show(run: Run) -> None:
    scene = make_scene(run, stacks=STACKS[::-1])
    st.info(say("block-lens-aid"), icon=":material/visibility:")
    lens = lens_of(run, scene.stack)
    figure = lens_grid(lens, scene.tokens, chosen=scene.position)
    st.markdown(told(scene, lens))
    figure_block(
        figure,
        key="block_lens",
        alt=say("block-lens-alt", stack=scene.stack),
        name=say("block-lens-name", text=run.record.src.text),
        numbers=lambda: tables_of(figure)["cells"].drop(columns=["ink", "text"]),
    )
    at_one_position(scene, lens)


@cached("identity")
def lens_of(run: Run, stack: str) -> Lens:
    """The states of a stack, asked for what is written, or of the encoder for what was read."""
    side = run.translation.src if stack == "encoder" else run.translation.tgt
    stream = streams(run, Intervention())[STACKS.index(stack)]
    return run.translator.lens(stream, side.ids)


def told(scene: Scene, lens: Lens) -> str:
    """From which sub-layer on the token is first and stays so."""
    ranks = lens.wanted_ranks[:, scene.position]
    names = state_names(lens.places)
    first = len(ranks)
    while first and ranks[first - 1] == 1:
        first -= 1
    token = plain(token_label(scene.tokens[scene.position]))
    if first == len(ranks):
        return say("block-lens-never", token=token, rank=int(ranks[-1]), stack=scene.stack)
    return say("block-lens-from", token=token, place=names[first], stack=scene.stack)


def at_one_position(scene: Scene, lens: Lens) -> None:
    """The likeliest tokens after every sub-layer at the chosen position."""
    k = lens.probs.shape[-1]
    here = scene.position
    lines = [
        {
            "after": name,
            **{
                f"{i + 1}": f"{token_label(lens.tokens[at][here][i])} {lens.probs[at, here, i]:.2f}"
                for i in range(k)
            },
            "prob": float(lens.wanted_probs[at, here]),
            "rank": int(lens.wanted_ranks[at, here]),
        }
        for at, name in enumerate(state_names(lens.places))
    ]
    st.markdown("## " + say("block-lens-position", token=plain(scene.label)))
    st.dataframe(
        pd.DataFrame(lines),
        key="block_lens_table",
        hide_index=True,
        column_config={
            "after": st.column_config.TextColumn(say("block-after-which")),
            "prob": st.column_config.NumberColumn(
                say("block-lens-wanted", stack=scene.stack), format="%.4f"
            ),
            "rank": st.column_config.NumberColumn(
                say("block-lens-rank", stack=scene.stack), format="%d"
            ),
        },
        alt=say("block-lens-table-alt"),
    )
