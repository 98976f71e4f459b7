"""The search tree, step by step, the one that a forced beginning grows, and the open node."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.hypotheses import hypotheses_table, spelt
from analysis.labels import token_label
from records import BeamTree, fingerprint_of
from ui import address
from ui.address import NUMBER
from ui.beam import node
from ui.beam.scene import (
    BeamScene,
    Steer,
    best_text,
    current_steer,
    ledger,
    memory,
    outputs,
    push_steer,
    side_name,
    undo_steer,
)
from ui.components.frame import foreign
from ui.components.stepper import stepper
from ui.export import export_menu
from ui.focus import click_count
from ui.guard import fragment
from ui.kit.blocks import draw
from ui.kit.controls import button
from ui.kit.layout import controls, finding
from ui.words import current_words, plain, say
from viz.beam_tree import STEP_SIGNAL, Side, beam_tree
from viz.figure import Figure, tables_of
from words import Message
from words.numbers import fixed, percent

KEY = "beam_step"
SAME = 5e-5


def show(scene: BeamScene) -> None:
    st.session_state["begin_box"] = scene.steer.text
    with controls():
        st.text_input(
            say("beam-steer-box"),
            key="begin_box",
            placeholder=say("beam-steer-placeholder"),
            on_change=_take_text,
            width=290,
            help=say("beam-steer-help"),
        )
    said = greedy_message(scene.tree) if scene.steered is None else _gain(scene)
    finding(current_words().of(said))
    drawn = {}
    for side in reversed(scene.sides):  # what a reader forced stands first
        if drawn:
            _named(scene, side)
        drawn[side] = _tree(scene, side)
    with drawn[scene.sides[-1]][1]:
        fragment(_steps)(scene, {side: figure for side, (figure, _) in drawn.items()})
    if (width := scene.tree.beam_size) > (entries := scene.run.translator.vocab_size):
        st.info(say("beam-tree-wide", width=width, n=entries), icon=":material/width:")
    if scene.steered is not None:
        outputs("beam-steer", compared(scene), key="beam_compared", hidden=("finished",))
    node.show(scene)


def greedy_message(tree: BeamTree) -> Message:
    """Where greedy search would have lost the best hypothesis, if anywhere."""
    for each in tree.path(tree.best)[1:]:
        likeliest = max(tree.children(each.parent), key=lambda child: child.log_prob)
        if likeliest.log_prob > each.log_prob:
            named = {"token": each, "other": likeliest}
            known = {name: plain(token_label(one.token)) for name, one in named.items()}
            known |= {f"p_{name}": percent(np.exp(one.log_prob)) for name, one in named.items()}
            return Message.of("beam-tree-found", step=each.step, **known)
    return Message("beam-tree-greedy")


def _steps(scene: BeamScene, figures: dict[Side, Figure]) -> None:
    last = max(max(n.step for n in scene.tree_of(side).nodes) for side in scene.sides)
    step = memory()["step"]
    identity = fingerprint_of({"of": repr((scene.run.identity, scene.steer, last))})
    stepper(
        last if step is None else min(step, last),
        last,
        {f"beam_{side}": tables_of(figure)["steps"]["px"] for side, figure in figures.items()},
        signal=STEP_SIGNAL,
        open_at=scene.node.step if scene.node is not None else None,
        key=KEY,
        identity=identity,
        words={"group": say("beam-tree-step-help"), "step": say("beam-tree-step")},
        buttons=True,
        on_step=partial(_take_step, last),
    )
    address.write("step", memory()["step"], NUMBER)


def _take_step(last: int, step: int) -> None:
    memory()["step"] = None if step == last else step


def _tree(scene: BeamScene, side: Side) -> tuple[Figure, DeltaGenerator]:
    tree, key = scene.tree_of(side), f"beam_{side}"
    drawn = partial(
        beam_tree,
        tree,
        selected=scene.node.id if scene.node is not None and scene.side == side else None,
        click=click_count(key),
        compare=None if scene.steered is None else scene.other(side),
        side=side,
    )
    figure = drawn()
    # The words for a chart stay the same: others would make the browser build it anew.
    draw(figure, key=key, alt=say("beam-tree-alt"), clicks=True)
    with st.container(key=f"unseen_{key}"):
        st.markdown(current_words().of(tree_told(tree)))
    dial = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        named = {"width": tree.beam_size, "side": side_name(side), "source": scene.source}
        export_menu(
            partial(drawn, upto_step=memory()["step"]),
            key=f"{key}_export",
            name=say("beam-tree-file", **named),
            numbers=lambda: ledger(tree),
        )
        if side == scene.sides[-1] and memory()["steers"]:
            _ways_back(scene)
    return figure, dial


def tree_told(tree: BeamTree) -> Message:
    """The drawing in words: how many steps, and what became of the nodes after the start."""
    fates = [each.status for each in tree.nodes[1:]]
    counts = {status: fates.count(status) for status in ("kept", "finished", "pruned")}
    steps = max(each.step for each in tree.nodes)
    return Message.of("beam-tree-told", steps=steps, text=plain(best_text(tree)), **counts)


# The beginning that a reader forces


def _named(scene: BeamScene, side: Side) -> None:
    with st.container(horizontal=True, gap="xsmall"):
        st.markdown(f":violet-badge[{side_name(side)}]", width="content")
        language = scene.run.translator.card.languages[1]
        with foreign(language, key=f"best_{side}", width="content"):
            st.markdown(plain(best_text(scene.tree_of(side))))


def _ways_back(scene: BeamScene) -> None:
    button("undo", undo_steer, words="beam-steer-undo", icon="undo")
    how = {"icon": "restart_alt", "disabled": not scene.steer}
    button("reset", _reset, words="beam-steer-reset", **how)


def _take_text() -> None:
    text = st.session_state["begin_box"] or ""
    push_steer(Steer(text=text if text.strip() else ""))


def _reset() -> None:
    if current_steer():
        push_steer(Steer())


def compared(scene: BeamScene) -> pd.DataFrame:
    """The best hypothesis of each tree, which the column tree names."""
    best = {side_name(side): hypotheses_table(scene.tree_of(side)).head(1) for side in scene.sides}
    lines = pd.concat(best.values(), ignore_index=True).drop(columns=["rank", "node"])
    lines.insert(0, "tree", list(best))
    return lines


def _gain(scene: BeamScene) -> Message:
    first, second = compared(scene).to_dict("records")
    same, finished = first["text"] == second["text"], (first["finished"], second["finished"])
    tree = scene.tree_of("second")
    tokens = [each.token for each in tree.nodes[1 : 1 + len(tree.prefix)]]
    return Message.of(
        "beam-steer-found",
        forced=plain(scene.steer.text or spelt(tokens), 80),
        text=plain(second["text"], 160),
        gain=gained(second["score"] - first["score"], same, finished),
    )


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
