"""The search tree, step by step, with the open node below it."""

from __future__ import annotations

import math
import time

import streamlit as st

from analysis.layout import beam_layout
from records import BeamTree
from ui.beam import node, steer
from ui.beam.scene import (
    SIDE_NAMES,
    BeamScene,
    best_text,
    ledger,
    memory,
    put_in_address,
    take_tree_click,
)
from ui.components.scroll import scroll_to
from ui.export import export_menu
from ui.focus import click_count
from ui.panels import show_figure
from ui.words import plain
from viz.beam_tree import Side, beam_tree

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
    width, entries = scene.tree.beam_size, scene.run.translator.card.config.get("vocab_size")
    if isinstance(entries, int) and width > entries:
        st.info(
            f"The beam is {width} wide, but the vocabulary has {entries} tokens: at the first "
            "step all of them are kept.",
            icon=":material/width:",
        )


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
    put_in_address("step", "" if memory()["step"] is None else str(step))
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
            "Step back",
            key="step_back",
            icon=":material/chevron_left:",
            shortcut="Left",
            disabled=step == 0,
            on_click=_go,
            args=(step - 1,),
        )
        st.button(
            "Pause" if playing else "Play",
            key="play",
            icon=":material/pause:" if playing else ":material/play_arrow:",
            on_click=_pause if playing else _play,
            args=() if playing else (0 if step == last else step,),
        )
        st.button(
            "Step on",
            key="step_on",
            icon=":material/chevron_right:",
            shortcut="Right",
            disabled=step == last,
            on_click=_go,
            args=(step + 1,),
        )
        st.slider(
            "Step",
            0,
            last,
            key="beam_step",
            on_change=_take_step,
            width=320,
            help="Later steps stay in their place and only shimmer through. The arrow keys ← "
            "and → move it too.",
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
        st.markdown(f":{colour}-badge[{SIDE_NAMES[side]}] {plain(best_text(tree))}")
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
    )
    show_figure(figure, key=key, alt=tree_alt(tree))
    places = figure.tables["steps"]["px"]
    moving = memory()["step"] is not None and step < len(places)
    scroll_to(key, float(places[step]) if moving else None, key=f"{key}_scroll")
    export_menu(
        figure,
        key=f"{key}_export",
        name=f"beam {tree.beam_size} {SIDE_NAMES[side]}: {scene.source}",
        numbers=lambda: ledger(tree),
    )


def tree_alt(tree: BeamTree) -> str:
    counts = {status: 0 for status in ("kept", "finished", "pruned")}
    for each in tree.nodes[1:]:
        counts[each.status] += 1
    return (
        f"Search tree of {max(n.step for n in tree.nodes)} steps from left to right: "
        f"{counts['kept']} nodes kept, {counts['finished']} finished, {counts['pruned']} pruned. "
        f"The best hypothesis is “{best_text(tree)}”. Below are the open node's numbers; the "
        "menu there opens other nodes."
    )
