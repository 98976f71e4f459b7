"""The search tree, step by step, with the open node below it."""

from __future__ import annotations

import math
import time

import streamlit as st

from analysis.layout import beam_layout
from records import BeamTree
from ui import address
from ui.beam import node, steer
from ui.beam.scene import (
    BeamScene,
    best_text,
    ledger,
    memory,
    side_name,
    take_tree_click,
)
from ui.blocks import draw
from ui.components.frame import foreign
from ui.components.scroll import scroll_to
from ui.export import export_menu
from ui.focus import click_count
from ui.words import current_words, plain, say
from viz.beam_tree import Side, beam_tree
from words import Message

PACE = 0.8  # seconds a step
ECHO = 3  # steps: what a slow browser may be behind


def show(scene: BeamScene) -> None:
    steer.controls(scene)
    wide_note(scene)
    ticks = memory()["playing"] is not None
    st.fragment(_stepped, run_every=PACE if ticks else None)(scene, ticks)
    steer.comparison(scene)
    node.show(scene)


def wide_note(scene: BeamScene) -> None:
    """Say so when the width asks for more than there is."""
    width, entries = scene.tree.beam_size, scene.run.translator.vocab_size
    if width > entries:
        st.info(say("beam-tree-wide", width=width, n=entries), icon=":material/width:")


def _stepped(scene: BeamScene, ticks: bool) -> None:
    """The trees up to a step, and what moves the step; runs on its own while it plays."""
    for side in scene.sides:
        if take_tree_click(scene.tree_of(side), side):
            st.rerun()
    last = max(max(n.step for n in scene.tree_of(side).nodes) for side in scene.sides)
    step = _step_now(last)
    if ticks != (memory()["playing"] is not None):
        st.rerun()  # only the page can start and stop the clock of its fragment
    _step_controls(step, last)
    address.write("step", memory()["step"])
    for side in scene.sides:
        _tree(scene, side, step)


def _step_now(last: int) -> int:
    """The step on screen; the clock moves it while it plays, however often the page runs."""
    store = memory()
    if store["playing"] is not None:
        since, start = store["playing"]
        step = start + math.floor((time.monotonic() - since) / PACE)
        store["step"] = step
        if step >= last:
            store["playing"] = None
    if store["step"] is not None and store["step"] >= last:
        store["step"] = None
    return last if store["step"] is None else store["step"]


def _step_controls(step: int, last: int) -> None:
    playing = memory()["playing"] is not None
    st.session_state["beam_step"] = step
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(
            say("beam-tree-back"),
            key="step_back",
            icon=":material/chevron_left:",
            shortcut="Left",
            disabled=step == 0,
            on_click=_go,
            args=(step - 1,),
        )
        st.button(
            say("beam-tree-pause" if playing else "beam-tree-play"),
            key="play",
            icon=":material/pause:" if playing else ":material/play_arrow:",
            on_click=_pause if playing else _play,
            args=() if playing else (0 if step == last else step,),
        )
        st.button(
            say("beam-tree-on"),
            key="step_on",
            icon=":material/chevron_right:",
            shortcut="Right",
            disabled=step == last,
            on_click=_go,
            args=(step + 1,),
        )
        st.slider(
            say("beam-tree-step"),
            0,
            last,
            key="beam_step",
            on_change=_take_step,
            width=320,
            help=say("beam-tree-step-help"),
        )


def _go(step: int) -> None:
    memory()["step"], memory()["playing"] = step, None


def _take_step() -> None:
    chosen, playing = st.session_state["beam_step"], memory()["playing"]
    if playing is not None:
        since, start = playing
        shown = start + math.floor((time.monotonic() - since) / PACE)
        if shown - ECHO <= chosen <= shown:
            return  # the browser sends back a step it was shown, beside another widget's change
    _go(chosen)


def _play(start: int) -> None:
    memory()["step"], memory()["playing"] = start, (time.monotonic(), start)


def _pause() -> None:
    memory()["playing"] = None


def _tree(scene: BeamScene, side: Side, step: int) -> None:
    tree, steered = scene.tree_of(side), scene.steered
    layout = beam_layout(tree)
    other = None if steered is None else scene.tree_of("second" if side == "first" else "first")
    if steered is not None:
        colour = "violet" if side == "first" else "green"
        language = scene.run.translator.card.languages[1]
        with st.container(horizontal=True, gap="xsmall"):
            st.markdown(f":{colour}-badge[{side_name(side)}]", width="content")
            with foreign(language, key=f"best_{side}", width="content"):
                st.markdown(plain(best_text(tree)))
    key = f"beam_{side}"
    figure = beam_tree(
        tree,
        upto_step=step,
        selected=scene.node.id if scene.node is not None and scene.side == side else None,
        dark=scene.dark,
        click=click_count(key),
        compare=other,
        side=side,
        layout=layout,
        say=current_words(),
    )
    draw(figure, key=key, alt=current_words().of(tree_alt(tree)), clicks=True)
    places = figure.tables["steps"]["px"]
    moving = memory()["step"] is not None and step < len(places)
    scroll_to(key, float(places[step]) if moving else None, key=f"{key}_scroll")
    export_menu(
        figure,
        key=f"{key}_export",
        name=say("beam-tree-file", width=tree.beam_size, side=side_name(side), source=scene.source),
        numbers=lambda: ledger(tree),
    )


def tree_alt(tree: BeamTree) -> Message:
    """The drawing in words: how many steps, and what became of the nodes after the start."""
    counts = {status: 0 for status in ("kept", "finished", "pruned")}
    for each in tree.nodes[1:]:
        counts[each.status] += 1
    steps = max(node.step for node in tree.nodes)
    return Message.of("beam-tree-alt", steps=steps, text=best_text(tree), **counts)
