"""The states of all tokens on their way through a stack, as paths in three dimensions."""

from __future__ import annotations

import numpy as np
import streamlit as st

from analysis.trajectories import Trajectories, trajectories, trajectory_table
from records import Intervention
from ui.choice import choice
from ui.kit.blocks import plot_block
from ui.shared import cached
from ui.state import Run
from ui.words import plain, say
from viz.trajectories import token_paths
from words import numbers

from .scene import STACKS, position_labels, read_tokens, streams, token_menu

STATES = ("raw", "unit")
SHOWN = ("all", "one")


def show(run: Run) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        stack = choice("block_stack", STACKS, words="block-stack")
        states = choice("block_path_states", STATES, words="block-path-states")
        shown = choice("block_path_shown", SHOWN, words="block-path-shown")
        labels = position_labels(run, stack)
        chosen = token_menu(run, stack, labels) if shown == "one" else None
    found = paths_of(run, stack, states)
    if not found.shares.any():
        st.info(say("block-path-none"), icon=":material/timeline:")
        return
    src, tgt = run.translation.src, run.translation.tgt
    share = numbers.percent(float(found.shares.sum()))
    plot_block(
        token_paths(
            found,
            src.tokens if stack == "encoder" else read_tokens(run),
            written=() if stack == "encoder" else tgt.tokens,
            chosen=chosen,
        ),
        key="block_paths",
        alt=say(
            "block-path-alt", n=len(labels), stack=stack, states=len(found.places), share=share
        ),
        name=say("block-path-name", text=run.record.src.text),
        caption=say("block-path-caption", stack=stack, states=states, share=share),
        numbers=lambda: trajectory_table(found).assign(
            token=lambda table: [labels[token - 1] for token in table["token"]]
        ),
    )
    if chosen is not None:
        st.markdown(told(found, chosen, labels[chosen]))


@cached("identity")
def paths_of(run: Run, stack: str, states: str) -> Trajectories:
    stream = streams(run, Intervention())[STACKS.index(stack)]
    return trajectories(stream, unit=states == "unit")


def told(found: Trajectories, position: int, label: str) -> str:
    """How long the last state of a token is, and how far it turned; nothing of no direction."""
    cosine = float(found.cosines[-1, position])
    if not np.isfinite(cosine):
        return ""
    before, norm = found.norms[[0, -1], position]
    return say(
        "block-path-told",
        token=plain(label),
        before=numbers.fixed(before),
        norm=numbers.fixed(norm),
        cosine=numbers.fixed(cosine),
    )
