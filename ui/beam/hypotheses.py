"""Every hypothesis the search ended with, ranked, and ranked anew for any alpha."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from analysis.hypotheses import rerank, score_crossings
from records import BeamTree
from ui.beam.scene import SIDE_NAMES, BeamScene, ids_to, open_path
from ui.export import export_menu
from ui.panels import show_picture
from ui.words import plain
from viz.beam_tree import Side
from viz.score_lines import score_lines

LOWEST, HIGHEST = 0.0, 2.0
GRID = np.linspace(LOWEST, HIGHEST, 41)


def show(scene: BeamScene) -> None:
    side: Side = "first"
    if scene.steered is not None:
        side = st.segmented_control(
            "Tree",
            scene.sides,
            key="hypotheses_of",
            default="first",
            required=True,
            format_func=SIDE_NAMES.get,
            bind="query-params",
        )
    tree = scene.tree_of(side or "first")
    if not any(node.status == "finished" for node in tree.nodes):
        st.warning(
            f"No hypothesis ended within {tree.max_len} tokens; those below were cut off there.",
            icon=":material/content_cut:",
        )
    alpha = what_if_slider(tree.alpha)
    ranked = rerank(tree, alpha, tree.penalty)
    st.markdown(rank_words(ranked, tree, alpha))
    _table(tree, ranked, side or "first")
    if len(ranked) > 1:
        _lines(scene, tree, alpha)


def what_if_slider(alpha: float) -> float:
    """An alpha for ranking alone; it follows the search's own whenever that changes."""
    followed = st.session_state.get("what_if_follows")
    asked = followed is None and "what_if" in st.query_params
    if followed != alpha:
        if not asked:
            st.session_state["what_if"] = alpha
        st.session_state["what_if_follows"] = alpha
    return st.slider(
        "What if α were",
        LOWEST,
        HIGHEST,
        0.6,
        0.05,
        key="what_if",
        bind="query-params",
        width=420,
        help="Ranks the hypotheses below anew. Nothing is searched: another α might have led the "
        "search to others.",
    )


def rank_words(ranked: pd.DataFrame, tree: BeamTree, alpha: float) -> str:
    """Who leads at this alpha, and where the lead changes hands."""
    first = ranked.iloc[0]
    text = f"At α = {alpha:g} “{plain(first['text']) or '(empty)'}” leads with "
    text += f"{first['score']:.4f}".replace("-", "−")
    if first["was"] != 1:
        text += f"; the search, with α = {tree.alpha:g}, ranked it {first['was']}"
    crossings = score_crossings(ranked, LOWEST, HIGHEST, tree.penalty)
    leads = [f"{a:.2f}" for a in crossings.loc[crossings["leads"], "alpha"]]
    if tree.penalty == "none":
        return text + ". Without a penalty α changes nothing; choose one in the sidebar."
    if leads:
        return text + f". The lead changes hands at α = {', '.join(leads)}."
    return text + f". It leads at every α from {LOWEST:g} to {HIGHEST:g}."


def _table(tree: BeamTree, ranked: pd.DataFrame, side: Side) -> None:
    key = f"hypotheses_{side}"
    shown = ranked[["rank", "was", "text", "log_prob", "length", "penalty", "score", "finished"]]
    st.dataframe(
        shown,
        key=key,
        hide_index=True,
        column_config={
            "rank": st.column_config.NumberColumn("rank", width=48),
            "was": st.column_config.NumberColumn("searched as", width=84),
            "text": st.column_config.TextColumn("hypothesis", width=430),
            "log_prob": st.column_config.NumberColumn("log P", format="%.4f"),
            "length": st.column_config.NumberColumn("tokens", help="The end sign counts."),
            "penalty": st.column_config.NumberColumn("÷ penalty", format="%.4f"),
            "score": st.column_config.NumberColumn("score", format="%.4f"),
            "finished": st.column_config.CheckboxColumn("ended", width=60),
        },
        on_select=lambda: _open_line(key, tree, side, ranked),
        selection_mode="single-row",
        height=min(35 * (len(shown) + 1) + 3, 460),
        alt=f"{len(shown)} hypotheses, best first.",
    )
    st.caption("Tick the box at the left of a line to open its last token in the tree.")


def _open_line(key: str, tree: BeamTree, side: Side, ranked: pd.DataFrame) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    if rows and 0 <= rows[0] < len(ranked):
        node = tree.nodes[int(ranked["node"].iloc[rows[0]])]
        open_path(side, ids_to(tree, node))
        st.session_state["beam_look"] = "tree"


def _lines(scene: BeamScene, tree: BeamTree, alpha: float) -> None:
    figure = score_lines(tree, GRID, alpha=alpha, dark=scene.dark)
    show_picture(
        figure,
        key="beam_lines",
        alt="Score against alpha, one line a hypothesis, dots where two change places.",
    )
    export_menu(
        figure,
        key="beam_lines_export",
        name=f"scores against alpha: {scene.source}",
        numbers=lambda: rerank(tree, alpha, tree.penalty).drop(columns=["tokens"]),
    )
