"""Steering: a forced beginning, the tree that grows from it, and how its best one compares."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from analysis.hypotheses import hypotheses_table, spelt
from ui.beam.columns import columns
from ui.beam.scene import (
    BeamScene,
    Steer,
    current_steer,
    memory,
    push_steer,
    side_name,
    undo_steer,
)
from ui.words import current_words, plain, say
from words import Message
from words.numbers import fixed

SAME = 5e-5


def controls(scene: BeamScene) -> None:
    """The box for a typed beginning, what is forced, and the way back."""
    steer = scene.steer
    st.session_state["begin_box"] = steer.text
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            say("beam-steer-box"),
            key="begin_box",
            placeholder=say("beam-steer-placeholder"),
            on_change=_take_text,
            width=360,
            help=say("beam-steer-help"),
        )
        st.button(
            say("beam-steer-undo"),
            key="undo",
            icon=":material/undo:",
            disabled=not memory()["steers"],
            on_click=undo_steer,
        )
        st.button(
            say("beam-steer-reset"),
            key="reset",
            icon=":material/restart_alt:",
            disabled=not steer,
            on_click=_reset,
            help=say("beam-steer-reset-help"),
        )
    if steer.ids and scene.steered is not None:
        tokens = [node.token for node in scene.steered.nodes[1 : 1 + len(steer.ids)]]
        forced = say("beam-steer-forced", text=plain(spelt(tokens), 700))
        st.caption(f":material/alt_route: {forced}")


def _take_text() -> None:
    text = st.session_state["begin_box"] or ""
    push_steer(Steer(text=text if text.strip() else ""))


def _reset() -> None:
    if current_steer():
        push_steer(Steer())


def comparison(scene: BeamScene) -> None:
    """The best hypotheses of both trees with their scores, and what the difference means."""
    if scene.steered is None:
        return
    lines = pd.concat(
        [
            hypotheses_table(scene.tree_of(side)).head(1).assign(tree=side_name(side))
            for side in scene.sides
        ],
        ignore_index=True,
    )
    st.dataframe(
        lines[["tree", "text", "log_prob", "length", "penalty", "score"]],
        key="beam_compared",
        hide_index=True,
        column_config=columns(
            tree=st.column_config.TextColumn(say("beam-steer-tree"), width=120),
            text=st.column_config.TextColumn(say("beam-steer-best"), width=420),
        ),
        alt=say("beam-steer-alt"),
    )
    first, second = lines.to_dict("records")
    finished = (bool(first["finished"]), bool(second["finished"]))
    gain = second["score"] - first["score"]
    st.markdown(current_words().of(gained(gain, first["text"] == second["text"], finished)))


def gained(gain: float, same: bool, finished: tuple[bool, bool] = (True, True)) -> Message:
    """What forcing a beginning did to the best score."""
    if not all(finished):
        return Message("beam-gain-one-ended" if any(finished) else "beam-gain-none-ended")
    if same:
        return Message("beam-gain-same")
    if gain > SAME:
        return Message.of("beam-gain-more", gain=fixed(gain, 4))
    if gain < -SAME:
        return Message.of("beam-gain-less", loss=fixed(-gain, 4))
    return Message("beam-gain-equal")
