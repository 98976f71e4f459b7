"""Steering: a forced beginning, the tree that grows from it, and how its best one compares."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from analysis.hypotheses import hypotheses_table, spelt
from ui.beam.scene import (
    SIDE_NAMES,
    BeamScene,
    Steer,
    current_steer,
    memory,
    push_steer,
    undo_steer,
)
from ui.words import plain

SAME = 5e-5


def controls(scene: BeamScene) -> None:
    """The box for a typed beginning, what is forced, and the way back."""
    steer = scene.steer
    st.session_state["begin_box"] = steer.text
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Begin the translation with",
            key="begin_box",
            placeholder="Type a beginning, or click a candidate below",
            on_change=_take_text,
            width=360,
            help="The search then grows from this beginning. The last word may be half typed; a "
            "space after it ends it.",
        )
        st.button(
            "Undo",
            key="undo",
            icon=":material/undo:",
            disabled=not memory()["steers"],
            on_click=undo_steer,
        )
        st.button(
            "As searched",
            key="reset",
            icon=":material/restart_alt:",
            disabled=not steer,
            on_click=_reset,
            help="Takes the forced beginning away; Undo brings it back.",
        )
    if steer.ids and scene.steered is not None:
        tokens = [node.token for node in scene.steered.nodes[1 : 1 + len(steer.ids)]]
        st.caption(f":material/alt_route: Forced beginning: “{plain(spelt(tokens), 700)}”.")


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
            hypotheses_table(scene.tree_of(side)).head(1).assign(tree=SIDE_NAMES[side])
            for side in scene.sides
        ],
        ignore_index=True,
    )
    st.dataframe(
        lines[["tree", "text", "log_prob", "length", "penalty", "score"]],
        key="beam_compared",
        hide_index=True,
        column_config={
            "tree": st.column_config.TextColumn("tree", width=90),
            "text": st.column_config.TextColumn("best output", width=420),
            "log_prob": st.column_config.NumberColumn("log P", format="%.4f"),
            "length": st.column_config.NumberColumn("tokens"),
            "penalty": st.column_config.NumberColumn("÷ penalty", format="%.4f"),
            "score": st.column_config.NumberColumn("score", format="%.4f"),
        },
        alt="The best output of the search and of the steered search with their scores.",
    )
    first, second = lines.to_dict("records")
    finished = (bool(first["finished"]), bool(second["finished"]))
    gain = second["score"] - first["score"]
    st.markdown(gain_words(gain, first["text"] == second["text"], finished))


def gain_words(gain: float, same: bool, finished: tuple[bool, bool] = (True, True)) -> str:
    """What forcing a beginning did to the best score."""
    if not all(finished):
        which = "Neither tree has" if not any(finished) else "One of the trees has not"
        return f"{which} finished a hypothesis, so the scores say little."
    if same:
        return "Both trees end in the same output: the beginning was the search's own choice."
    if gain > SAME:
        return (
            f"The steered output scores **{gain:.4f} more**: the search had lost it. That is a "
            "**search error**, for certain."
        )
    if gain < -SAME:
        return (
            f"The steered output scores **{-gain:.4f} less**: by its own score the model prefers "
            "what the search found."
        )
    return "Both outputs score the same, to four decimals."
