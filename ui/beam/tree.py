"""The search tree, step by step, with the open node below it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from records import BeamTree, fingerprint_of
from ui import address
from ui.beam import node, steer
from ui.beam.scene import BeamScene, best_text, ledger, memory, side_name
from ui.components.frame import foreign
from ui.components.stepper import read_step, stepper
from ui.export import export_menu
from ui.focus import click_count
from ui.guard import fragment
from ui.kit.blocks import draw
from ui.words import current_words, plain, say
from viz.beam_tree import STEP_SIGNAL, Side, beam_tree
from viz.figure import Figure, tables_of
from words import Message

KEY = "beam_step"


def show(scene: BeamScene) -> None:
    steer.controls(scene)
    wide_note(scene)
    place = st.container()
    figures = {side: _tree(scene, side) for side in scene.sides}
    with place:
        fragment(_steps)(scene, figures)
    steer.comparison(scene)
    node.show(scene)


def wide_note(scene: BeamScene) -> None:
    """Say so when the width asks for more than there is."""
    width, entries = scene.tree.beam_size, scene.run.translator.vocab_size
    if width > entries:
        st.info(say("beam-tree-wide", width=width, n=entries), icon=":material/width:")


def _steps(scene: BeamScene, figures: dict[Side, Figure]) -> None:
    """What moves the step. The figures follow it in the browser; the address does here."""
    last = max(max(n.step for n in scene.tree_of(side).nodes) for side in scene.sides)
    step = memory()["step"]
    identity = fingerprint_of({"of": repr((scene.run.identity, scene.steer, last))})
    stepper(
        last if step is None else min(step, last),
        last,
        {_key(side): tables_of(figure)["steps"]["px"] for side, figure in figures.items()},
        signal=STEP_SIGNAL,
        open_at=scene.node.step if scene.node is not None else None,
        key=KEY,
        identity=identity,
        answered=memory().get("answered", 0),
        words={
            "group": say("beam-tree-step-help"),
            **{name: say(f"beam-tree-{name}") for name in ("step", "back", "play", "pause", "on")},
        },
        on_step=partial(_take_step, identity, last),
    )
    address.write("step", memory()["step"])


def _take_step(identity: str, last: int) -> None:
    found = read_step((st.session_state.get(KEY) or {}).get("step"), identity, last)
    if found is not None:
        step, memory()["answered"] = found
        memory()["step"] = None if step == last else step


def _key(side: Side) -> str:
    return f"beam_{side}"


def _tree(scene: BeamScene, side: Side) -> Figure:
    tree, steered = scene.tree_of(side), scene.steered
    other = None if steered is None else scene.tree_of("second" if side == "first" else "first")
    if steered is not None:
        colour = "violet" if side == "first" else "green"
        language = scene.run.translator.card.languages[1]
        with st.container(horizontal=True, gap="xsmall"):
            st.markdown(f":{colour}-badge[{side_name(side)}]", width="content")
            with foreign(language, key=f"best_{side}", width="content"):
                st.markdown(plain(best_text(tree)))
    key = _key(side)
    drawn = partial(
        beam_tree,
        tree,
        selected=scene.node.id if scene.node is not None and scene.side == side else None,
        click=click_count(key),
        compare=other,
        side=side,
    )
    figure = drawn()
    # The words for a chart stay the same: others would make the browser build it anew.
    draw(figure, key=key, alt=say("beam-tree-alt"), clicks=True)
    with st.container(key=f"unseen_{key}"):
        st.markdown(current_words().of(tree_told(tree)))
    step = memory()["step"]
    export_menu(
        partial(drawn, upto_step=step),
        key=f"{key}_export",
        name=say("beam-tree-file", width=tree.beam_size, side=side_name(side), source=scene.source),
        numbers=lambda: ledger(tree),
    )
    return figure


def tree_told(tree: BeamTree) -> Message:
    """The drawing in words: how many steps, and what became of the nodes after the start."""
    counts = {status: 0 for status in ("kept", "finished", "pruned")}
    for each in tree.nodes[1:]:
        counts[each.status] += 1
    steps = max(node.step for node in tree.nodes)
    return Message.of("beam-tree-told", steps=steps, text=plain(best_text(tree)), **counts)
