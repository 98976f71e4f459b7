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
from ui.beam.scene import BeamScene, Steer, best_text, ledger, memory, outputs, push_steer
from ui.components.frame import foreign
from ui.components.stepper import stepper
from ui.export import export_menu
from ui.focus import click_count
from ui.guard import fragment
from ui.kit.blocks import draw, note
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
    both = None if scene.steered is None else compared(scene)
    said = greedy_message(scene.tree) if both is None else _gain(scene, both)
    finding(current_words().of(said))
    drawn = {}
    for side in reversed(scene.sides):  # what a reader forced stands first
        if drawn:
            with st.container(horizontal=True, gap="xsmall"):
                name = say(f"beam-side-{side}")
                st.markdown(f":violet-badge[{name}]", width="content")
                language = scene.run.translator.card.languages[1]
                with foreign(language, key=f"best_{side}", width="content"):
                    st.markdown(plain(best_text(scene.tree_of(side))))
        drawn[side] = _tree(scene, side)
    with drawn[scene.sides[-1]][1]:
        fragment(_steps)(scene, {side: figure for side, (figure, _) in drawn.items()})
    if (width := scene.tree.beam_size) > (entries := scene.run.translator.vocab_size):
        note("beam-tree-wide", "width", width=width, n=entries)
    if both is not None:
        outputs("beam-steer", both, key="beam_compared", hidden=("finished",))
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
    last = max(each.step for side in scene.sides for each in scene.tree_of(side).nodes)
    step = memory()["step"]

    def take(step: int) -> None:
        memory()["step"] = None if step == last else step

    stepper(
        last if step is None else min(step, last),
        last,
        {f"beam_{side}": tables_of(figure)["steps"]["px"] for side, figure in figures.items()},
        signal=STEP_SIGNAL,
        open_at=scene.node.step if scene.node is not None else None,
        key=KEY,
        identity=fingerprint_of({"of": repr((scene.run.identity, scene.steer, last))}),
        words={"group": say("beam-tree-step-help"), "step": say("beam-tree-step")},
        buttons=True,
        on_step=take,
    )
    address.write("step", memory()["step"], NUMBER)


def _tree(scene: BeamScene, side: Side) -> tuple[Figure, DeltaGenerator]:
    """A tree with what is below it, and the place there for what moves the step."""
    tree, key = scene.tree_of(side), f"beam_{side}"
    other = scene.tree_of("second" if side == "first" else "first")
    drawn = partial(
        beam_tree,
        tree,
        selected=scene.node.id if scene.node is not None and scene.side == side else None,
        click=click_count(key),
        compare=None if scene.steered is None else other,
        side=side,
    )
    figure = drawn()
    # The words for a chart stay the same: others would make the browser build it anew.
    draw(figure, key=key, alt=say("beam-tree-alt"), clicks=True)
    with st.container(key=f"unseen_{key}"):
        fates = [each.status for each in tree.nodes[1:]]
        counts = {status: fates.count(status) for status in ("kept", "finished", "pruned")}
        steps = max(each.step for each in tree.nodes)
        st.markdown(say("beam-tree-told", steps=steps, text=plain(best_text(tree)), **counts))
    dial = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        named = {"side": say(f"beam-side-{side}"), "source": scene.source}
        export_menu(
            partial(drawn, upto_step=memory()["step"]),
            key=f"{key}_export",
            name=say("beam-tree-file", width=tree.beam_size, **named),
            numbers=lambda: ledger(tree),
        )
        if side == scene.sides[-1] and memory()["steers"]:
            earlier = partial(memory().update, steers=memory()["steers"][:-1])
            button("undo", earlier, words="beam-steer-undo", icon="undo")
            how = {"icon": "restart_alt", "disabled": not scene.steer}
            button("reset", push_steer, Steer(), words="beam-steer-reset", **how)
    return figure, dial


# The beginning that a reader forces


def _take_text() -> None:
    text = st.session_state["begin_box"] or ""
    push_steer(Steer(text=text if text.strip() else ""))


def compared(scene: BeamScene) -> pd.DataFrame:
    best = [hypotheses_table(scene.tree_of(side)).head(1) for side in scene.sides]
    lines = pd.concat(best, ignore_index=True).drop(columns=["rank", "node"])
    lines.insert(0, "tree", [say(f"beam-side-{side}") for side in scene.sides])
    return lines


def _gain(scene: BeamScene, both: pd.DataFrame) -> Message:
    first, second = both.to_dict("records")
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
    if not all(finished):
        return Message("beam-gain-one-ended" if any(finished) else "beam-gain-none-ended")
    if same:
        return Message("beam-gain-same")
    if gain > SAME:
        return Message.of("beam-gain-more", gain=fixed(gain, 4))
    if gain < -SAME:
        return Message.of("beam-gain-less", loss=fixed(-gain, 4))
    return Message("beam-gain-equal")
