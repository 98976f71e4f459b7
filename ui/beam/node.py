"""The open node: its partial hypothesis, its ledger, what could follow, and where it looked."""

from __future__ import annotations

import numpy as np
import streamlit as st

from analysis.hypotheses import is_forced, spelt
from analysis.penalties import length_penalty
from model import ModelError
from records import FORCED, BeamNode, BeamTree, PenaltyKind, TreeAttention
from ui.beam.scene import SIDE_NAMES, BeamScene, force_token, ids_to, open_path
from ui.export import export_menu
from ui.focus import click_count, clicked
from ui.panels import show_figure, show_picture
from ui.state import candidates_after, tree_attention
from ui.words import current_words, head_name, page_text, plain
from viz.head_rows import head_rows, head_rows_cells
from viz.labels import token_label, visible
from viz.token_bars import SELECTION_NAME, candidates_chart

MOST_TERMS = 14


def show(scene: BeamScene) -> None:
    if take_candidate_click(scene):
        st.rerun()
    tree, node = scene.tree_of(scene.side), scene.node
    picker(scene)
    if node is None:
        st.info(page_text("beam_no_node"), icon=":material/touch_app:")
        return
    left, right = st.columns([6, 7], gap="medium")
    with left:
        st.markdown(f"##### {hypothesis_markdown(tree, node)}")
        st.markdown(ledger_words(tree, node))
        candidates_panel(scene, tree, node)
    with right:
        attention_panel(scene, tree, node)


def take_candidate_click(scene: BeamScene) -> bool:
    """A click on a candidate forces it after the open node."""
    click = clicked("beam_candidates", SELECTION_NAME)
    token_id = click and click.get("token_id")
    config = scene.run.translator.card.config
    if scene.node is None or scene.node.token_id == config.get("eos_id"):
        return False
    if type(token_id) is not int or not 0 <= token_id < config.get("vocab_size", 0):
        return False
    force_token(scene.path, token_id)
    return True


def picker(scene: BeamScene) -> None:
    """Menus that open a node without a pointer: the step, then the node."""
    tree, node = scene.tree_of(scene.side), scene.node
    last = max(each.step for each in tree.nodes)
    step = node.step if node is not None else 0
    nodes = sorted(tree.at_step(step), key=lambda each: (each.status == "pruned", each.rank))
    places = [each.id for each in nodes]
    st.session_state["open_step"] = step
    st.session_state["open_node"] = node.id if node is not None else None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(scene.sides) > 1:
            st.session_state["open_side"] = scene.side
            st.segmented_control(
                "Tree",
                scene.sides,
                key="open_side",
                required=True,
                format_func=SIDE_NAMES.get,
                on_change=_take_side,
                args=(scene,),
            )
        st.selectbox(
            "Step of the open node",
            range(last + 1),
            key="open_step",
            filter_mode=None,
            width=150,
            format_func=lambda i: f"step {i}" if i else "start",
            on_change=_take_step,
            args=(tree, scene.side),
        )
        st.selectbox(
            "Open node",
            places,
            index=None,
            key="open_node",
            width=300,
            placeholder="none",
            format_func=lambda i: node_name(tree.nodes[i]),
            on_change=_take_node,
            args=(tree, scene.side),
        )


def _take_side(scene: BeamScene) -> None:
    side = st.session_state["open_side"]
    tree = scene.tree_of(side)
    open_path(side, ids_to(tree, tree.nodes[tree.best]))


def _take_step(tree: BeamTree, side: str) -> None:
    step = st.session_state["open_step"]
    on_best = [node for node in tree.path(tree.best) if node.step == step]
    node = (on_best or list(tree.at_step(step)))[0]
    open_path(side, ids_to(tree, node))


def _take_node(tree: BeamTree, side: str) -> None:
    place = st.session_state["open_node"]
    open_path(side, None if place is None else ids_to(tree, tree.nodes[place]))


def node_name(node: BeamNode) -> str:
    if node.parent is None:
        return "start"
    return f"{token_label(node.token)} · rank {node.rank + 1} · {node.status}"


def hypothesis_markdown(tree: BeamTree, node: BeamNode) -> str:
    """The beginning up to the node, its own token highlighted."""
    before = spelt([each.token for each in tree.path(node.id)[1:-1]])
    if node.parent is None:
        return "Start: nothing is written yet"
    gap = " " if before and node.token.startswith("▁") else ""
    own = plain(spelt([node.token]) or "␣")
    return f"{plain(before, 700)}{gap}:red-background[{own}]"


def penalty_words(length: int, alpha: float, penalty: PenaltyKind) -> str:
    """How the penalty of a length is worked out, with its numbers."""
    value = length_penalty(length, alpha, penalty)
    if penalty == "none":
        return "no penalty: 1"
    if penalty == "wu":
        return f"((5 + {length}) / 6)^{alpha:g} = **{value:.4f}**"
    return f"{length}^{alpha:g} = **{value:.4f}**"


def ledger_words(tree: BeamTree, node: BeamNode) -> str:
    """Every number of a node, and how each comes from the last."""
    if node.parent is None:
        return "No token has been chosen, so log P = 0. Every hypothesis begins here."
    log_probs = [each.log_prob for each in tree.path(node.id)[1:]]
    fate = f"**{node.status}**"
    if node.reason:
        fate += f": {plain(visible(current_words().of(node.reason)))}"
    if is_forced(tree, node) and node.reason != FORCED:
        fate += " (forced)"
    lines = [
        f"This token: probability **{np.exp(node.log_prob):.2%}**, log p = "
        f"**{number(node.log_prob)}**, rank **{node.rank + 1}** at step {node.step}",
        f"Running sum: {sum_words(log_probs)} = **{number(node.cum_log_prob)}** = log P",
        f"Length penalty: {penalty_words(node.step, tree.alpha, tree.penalty)}",
        f"Score: {number(node.cum_log_prob)} ÷ "
        f"{length_penalty(node.step, tree.alpha, tree.penalty):.4f} = **{number(node.score)}**",
        f"Fate: {fate}",
    ]
    return "\n".join(f"- {line}" for line in lines)


def sum_words(log_probs: list[float]) -> str:
    """The terms of a running sum; of a long one the first and the last."""
    terms = [f"{abs(term):.2f}" for term in log_probs]
    if len(terms) > MOST_TERMS:
        terms = [*terms[:3], f"… {len(terms) - 6} more …", *terms[-3:]]
    return "− " + " − ".join(terms)


def number(value: float) -> str:
    """Four decimals, a real minus, and none before a zero."""
    return f"{round(value, 4) + 0.0:.4f}".replace("-", "−")


def candidates_panel(scene: BeamScene, tree: BeamTree, node: BeamNode) -> None:
    """What could come next, most likely first; a click forces it."""
    st.markdown("##### What could follow")
    if node.token_id == scene.run.translator.card.config.get("eos_id"):
        st.caption("This hypothesis has ended; nothing can follow.")
        return
    k = st.slider(
        "Candidates",
        3,
        30,
        8,
        key="candidates",
        bind="query-params",
    )
    try:
        found = candidates_after(scene.run, scene.path, k)
    except ModelError as error:
        st.caption(plain(str(error)))
        return
    taken = [each.token_id for each in tree.children(node.id) if each.status != "pruned"]
    figure = candidates_chart(
        [each.token for each in found],
        [each.log_prob for each in found],
        [each.token_id for each in found],
        taken=taken,
        click=click_count("beam_candidates"),
        dark=scene.dark,
    )
    show_figure(
        figure,
        key="beam_candidates",
        alt=f"The {len(found)} likeliest next tokens as bars; the menu below forces one.",
    )
    st.caption("Red outline: kept by the search. Click a bar to force that token instead.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = {each.token_id: f"{each.rank + 1} · {token_label(each.token)}" for each in found}
        wanted = st.selectbox(
            "Force by menu",
            list(names),
            index=None,
            key="force_menu",
            placeholder="choose a token",
            format_func=lambda i: names.get(i, str(i)),
            width=200,
        )
        st.button(
            "Force",
            key="force_token",
            icon=":material/alt_route:",
            disabled=wanted is None,
            on_click=force_token,
            args=(scene.path, wanted),
        )
        export_menu(
            figure,
            key="beam_candidates_export",
            name=f"candidates after {plain(scene.source)}",
            numbers=lambda: figure.tables["bars"].drop(columns=["click", "taken"]),
        )


def attention_panel(scene: BeamScene, tree: BeamTree, node: BeamNode) -> None:
    """Where every head looked in the source when it produced the node's token."""
    st.markdown("##### Where it looked: cross-attention of every layer and head")
    if node.parent is None:
        st.caption("Nothing has been produced at the start, so nothing was looked at.")
        return
    attention: TreeAttention = tree_attention(scene.run, tree)
    weights, tokens = attention.cross[node.id], attention.src.tokens
    figure = head_rows(weights, tokens, dark=scene.dark)
    show_picture(
        figure,
        key="beam_attention",
        alt=f"Cross-attention of {weights.shape[0]} layers by {weights.shape[1]} heads over "
        f"{len(tokens)} source tokens; the strongest are written out below.",
    )
    st.markdown(strongest_words(weights, tokens))
    export_menu(
        figure,
        key="beam_attention_export",
        name=f"cross-attention of {node.token}: {scene.source}",
        numbers=lambda: head_rows_cells(weights, tokens),
    )


def strongest_words(weights: np.ndarray, tokens: tuple[str, ...], count: int = 3) -> str:
    """The heads that were surest where to look, strongest first."""
    largest = weights.max(axis=-1)
    order = np.argsort(-largest, axis=None, kind="stable")[:count]
    parts = []
    for place in order:
        layer, head = np.unravel_index(place, largest.shape)
        key = int(weights[layer, head].argmax())
        parts.append(
            f"{head_name(int(layer), int(head))} on “{plain(token_label(tokens[key]))}” "
            f"(position {key + 1}) **{largest[layer, head]:.2f}**"
        )
    error = float(np.abs(weights.sum(axis=-1) - 1).max())
    check = ":green[✓]" if error < 1e-4 else ":red[✗]"
    return f"Strongest: {'; '.join(parts)}. {check} Every row sums to one."
