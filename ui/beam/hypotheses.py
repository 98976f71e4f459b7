"""Every hypothesis the search ended with, ranked, and ranked anew for any alpha."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from analysis.hypotheses import rerank, score_crossings
from records import BeamTree
from ui.beam.columns import columns
from ui.beam.scene import BeamScene, ids_to, open_path
from ui.blocks import figure_block
from ui.choice import choice
from ui.words import current_words, plain, say
from viz.beam_tree import Side
from viz.score_lines import score_lines
from words import Message
from words.numbers import fixed, short

LOWEST, HIGHEST = 0.0, 2.0
GRID = np.linspace(LOWEST, HIGHEST, 41)


def show(scene: BeamScene) -> None:
    side: Side = "first"
    if scene.steered is not None:
        side = choice("hypotheses_of", scene.sides, words="beam-side")
    tree = scene.tree_of(side)
    if not any(node.status == "finished" for node in tree.nodes):
        st.warning(say("beam-hypotheses-cut", n=tree.max_len), icon=":material/content_cut:")
    alpha = what_if_slider(tree.alpha)
    ranked = rerank(tree, alpha, tree.penalty)
    st.markdown(" ".join(map(current_words().of, rank_messages(ranked, tree, alpha))))
    _table(tree, ranked, side)
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
        say("beam-what-if"),
        LOWEST,
        HIGHEST,
        0.6,
        0.05,
        key="what_if",
        bind="query-params",
        width=420,
        help=say("beam-what-if-help"),
    )


def rank_messages(ranked: pd.DataFrame, tree: BeamTree, alpha: float) -> tuple[Message, Message]:
    """Who leads at this alpha, and where the lead changes hands."""
    first = ranked.iloc[0]
    text = plain(first["text"]) or Message("beam-empty")
    leader = {"alpha": short(alpha), "text": text, "score": fixed(first["score"], 4)}
    if first["was"] != 1:
        leader |= {"own": short(tree.alpha), "was": int(first["was"])}
    leads = Message("beam-rank-leads" if first["was"] == 1 else "beam-rank-leads-anew", leader)
    if tree.penalty == "none":
        return leads, Message("beam-rank-no-penalty")
    crossings = score_crossings(ranked, LOWEST, HIGHEST, tree.penalty)
    alphas = [fixed(a) for a in crossings.loc[crossings["leads"], "alpha"]]
    if alphas:
        return leads, Message.of("beam-rank-changes", alphas=", ".join(alphas))
    return leads, Message.of("beam-rank-always", lowest=short(LOWEST), highest=short(HIGHEST))


def _table(tree: BeamTree, ranked: pd.DataFrame, side: Side) -> None:
    key, number = f"hypotheses_{side}", st.column_config.NumberColumn
    shown = ranked[["rank", "was", "text", "log_prob", "length", "penalty", "score", "finished"]]
    st.dataframe(
        shown,
        key=key,
        hide_index=True,
        column_config=columns(
            rank=number(say("beam-rank"), width=48),
            was=number(say("beam-hypotheses-was"), width=84),
            text=st.column_config.TextColumn(say("beam-hypothesis"), width=430),
            length=number(say("beam-tokens"), help=say("beam-hypotheses-tokens-help")),
        ),
        on_select=lambda: _open_line(key, tree, side, ranked),
        selection_mode="single-row",
        height=min(35 * (len(shown) + 1) + 3, 460),
        alt=say("beam-hypotheses-alt", n=len(shown)),
    )
    st.caption(say("beam-hypotheses-tick"))


def _open_line(key: str, tree: BeamTree, side: Side, ranked: pd.DataFrame) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    if rows and 0 <= rows[0] < len(ranked):
        node = tree.nodes[int(ranked["node"].iloc[rows[0]])]
        open_path(side, ids_to(tree, node))
        st.session_state["beam_look"] = "tree"


def _lines(scene: BeamScene, tree: BeamTree, alpha: float) -> None:
    figure = score_lines(tree, GRID, alpha=alpha, dark=scene.dark, say=current_words())
    figure_block(
        figure,
        key="beam_lines",
        alt=say("beam-lines-alt"),
        name=say("beam-lines-file", source=scene.source),
        numbers=lambda: rerank(tree, alpha, tree.penalty).drop(columns=["tokens"]),
    )
