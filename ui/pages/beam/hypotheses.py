"""All final hypotheses of the search below its tree, ranked at any alpha."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.records.hypotheses import rerank, score_crossings
from core.records.search import BeamTree
from ui.components.stepper import kept_step, stepper
from ui.frame.messages import plain, say
from ui.kit.blocks import draw
from ui.kit.controls import choice
from ui.kit.export import export_menu
from ui.kit.layout import folded, warning
from ui.pages.beam.scene import BeamScene, ids_to, open_path, outputs
from viz.score_lines import ALPHA_SIGNAL, score_lines
from viz.tree import Side
from words import Message
from words.numbers import fixed

KEY = "what_if"
LINES = "beam_lines"
# Range of the slider of alpha, the exponent of the length penalty (Wu et al. 2016, eq. 14): its two
# ends, the step, and the number of steps.
LOWEST = 0.0
HIGHEST = 2.0
UNIT = 0.05
LAST = 40
GRID = np.linspace(LOWEST, HIGHEST, LAST + 1)


def show_ranking(scene: BeamScene) -> None:
    """Draw a fold with the hypotheses, which an address with choices in it opens."""
    if {KEY, "hypotheses_of"} & st.query_params.keys():
        st.session_state.setdefault("fold_hypotheses", True)
    fold = folded("hypotheses", late=True)
    if fold.open:
        with fold:
            _ranking(scene)


def _ranking(scene: BeamScene) -> None:
    """Draw the scores of the hypotheses against alpha, and a table at one alpha."""
    # Without a forced beginning there is one tree, and nothing to choose.
    side: Side = "first"
    if scene.steered is not None:
        side = choice("hypotheses_of", scene.sides, words="beam-side", title=False)
    tree = scene.tree_of(side)
    of = (scene.run.identity, side, scene.steer, tree.alpha)
    alpha = kept_step(KEY, LAST, tree.alpha, of=of, unit=UNIT)
    ranked = rerank(tree, alpha, tree.penalty)
    st.markdown(" ".join(map(say, rank_messages(ranked, tree, alpha))))
    if not any(node.status == "finished" for node in tree.nodes):
        warning("beam-hypotheses-cut", "content_cut", n=tree.max_len)
    _score_lines(scene, tree, ranked, alpha, of)

    # The table shows no node ids; its lines are in the order of `ranked`.
    def open_node(line: int) -> None:
        open_path(side, ids_to(tree, ranked["node"].iloc[line]))

    outputs(
        "beam-hypotheses",
        ranked[["rank", "was", *ranked.columns.drop(["rank", "was", "node"])]],
        key=f"hypotheses_{side}",
        on_pick=open_node,
        height=460,
    )


def _score_lines(
    scene: BeamScene, tree: BeamTree, ranked: pd.DataFrame, alpha: float, of: object
) -> None:
    """Draw the scores of all hypotheses against alpha, with the slider that marks one alpha.

    `of` names what the slider is about: if it changes, the slider returns to the search's alpha.
    """
    lines_at = partial(score_lines, tree, GRID)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(say("beam-what-if"), help=say("beam-what-if-help"), width="content")
        stepper(
            KEY,
            LAST,
            tree.alpha,
            [LINES],
            signal=ALPHA_SIGNAL,
            digits=2,
            words="beam-what-if",
            group="beam-what-if",
            of=of,
            unit=UNIT,
        )
    if len(ranked) > 1:  # the browser moves the line at the slider's alpha
        draw(lines_at(), key=LINES, alt=say("beam-lines-alt"))
        export_menu(
            partial(lines_at, alpha=alpha),
            key=f"{LINES}_export",
            name=say("beam-lines-file", source=scene.source),
            numbers=lambda: ranked.drop(columns=["tokens"]),
        )


def rank_messages(ranked: pd.DataFrame, tree: BeamTree, alpha: float) -> tuple[Message, Message]:
    """Return which hypothesis leads at `alpha`, and at which alphas the lead changes hands."""
    first = ranked.iloc[0]
    leads = Message.of(
        "beam-rank-leads",
        alpha=alpha,
        text=plain(first["text"]) or Message("beam-empty"),
        own=tree.alpha,
        was=int(first["was"]),
    )
    if tree.penalty == "none":
        return leads, Message("beam-rank-no-penalty")
    crossings = score_crossings(ranked, LOWEST, HIGHEST, tree.penalty)
    alphas = [fixed(a) for a in crossings.loc[crossings["leads"], "alpha"]]
    if alphas:
        return leads, Message.of("beam-rank-changes", alphas=", ".join(alphas))
    return leads, Message.of("beam-rank-always", lowest=LOWEST, highest=HIGHEST)
