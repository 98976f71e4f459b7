"""The open node: its partial hypothesis, its ledger, what could follow, and where it looked."""

from __future__ import annotations

import numpy as np
import streamlit as st

from analysis.hypotheses import is_forced, spelt
from analysis.labels import token_label
from analysis.penalties import length_penalty
from model import ModelError
from records import FORCED, AttentionSite, BeamNode, BeamTree
from ui.beam.scene import BeamScene, force_token, ids_to, open_path
from ui.beam.searches import Grown, candidates_after, tree_attention
from ui.components.frame import foreign
from ui.export import counted_from_one
from ui.focus import click_count, clicked
from ui.kit.blocks import picture
from ui.kit.controls import choice, slider
from ui.words import current_words, listed, page_text, plain, say, site_name
from viz.figure import tables_of
from viz.maps import head_rows
from viz.token_bars import SELECTION_NAME, candidates_chart
from words import Message
from words.numbers import fixed, percent, short

SUM_ERROR = 1e-4
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
        with foreign(scene.run.translator.card.languages[1], key="beginning"):
            st.markdown(f"## {hypothesis_markdown(tree, node)}")
        st.markdown(listed(ledger_messages(tree, node)))
        candidates_panel(scene, tree, node)
    with right:
        attention_panel(scene, tree, node)


def take_candidate_click(scene: BeamScene) -> bool:
    """A click on a candidate forces it after the open node."""
    click = clicked("beam_candidates", SELECTION_NAME)
    token_id = click and click.get("token_id")
    translator = scene.run.translator
    if scene.node is None or scene.node.token_id == translator.eos_id:
        return False
    if type(token_id) is not int or not 0 <= token_id < translator.vocab_size:
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
            choice(
                "open_side",
                scene.sides,
                words="beam-side",
                address=False,
                on_change=_take_side,
                args=(scene,),
            )
        choice(
            "open_step",
            range(last + 1),
            words="beam-node-step",
            style="select",
            address=False,
            text=lambda n: say("beam-step", n=n) if n else say("beam-start"),
            width=150,
            on_change=_take_step,
            args=(tree, scene.side),
        )
        st.selectbox(
            say("beam-node-open"),
            places,
            index=None,
            key="open_node",
            width=300,
            placeholder=say("beam-node-none"),
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
        return say("beam-start")
    status = say(f"beam-status-{node.status}")
    return say("beam-node-name", token=token_label(node.token), rank=node.rank + 1, status=status)


def hypothesis_markdown(tree: BeamTree, node: BeamNode) -> str:
    """The beginning up to the node, its own token highlighted."""
    before = spelt([each.token for each in tree.path(node.id)[1:-1]])
    if node.parent is None:
        return say("beam-node-start")
    gap = " " if before and node.token.startswith("▁") else ""
    own = plain(spelt([node.token]) or "␣")
    return f"{plain(before, 700)}{gap}:red-background[{own}]"


def ledger_messages(tree: BeamTree, node: BeamNode) -> tuple[Message, ...]:
    """Every number of a node, and how each comes from the last."""
    if node.parent is None:
        return (Message("beam-ledger-start"),)
    penalty = fixed(length_penalty(node.step, tree.alpha, tree.penalty), 4)
    total, log_prob = fixed(node.cum_log_prob, 4), fixed(node.log_prob, 4)
    terms = sum_words([each.log_prob for each in tree.path(node.id)[1:]])
    divided = {"length": node.step, "alpha": short(tree.alpha), "value": penalty}
    scored = {"sum": total, "penalty": penalty, "score": fixed(node.score, 4)}
    likely = {"probability": percent(np.exp(node.log_prob), 2), "log_prob": log_prob}
    return (
        Message.of("beam-ledger-token", **likely),
        Message.of("beam-ledger-sum", terms=terms, sum=total),
        Message.of(f"beam-ledger-penalty-{tree.penalty}", **divided),
        Message.of("beam-ledger-score", **scored),
        _fate(tree, node),
    )


def _fate(tree: BeamTree, node: BeamNode) -> Message:
    values = {"status": Message(f"beam-status-{node.status}")}
    id = "beam-ledger-fate"
    if node.reason:
        id, values["reason"] = f"{id}-why", node.reason
    if is_forced(tree, node) and node.reason != FORCED:
        id = f"{id}-forced"
    return Message(id, values)


def sum_words(log_probs: list[float]) -> str:
    """The terms of a running sum; of a long one the first and the last."""
    terms = [fixed(abs(term)) for term in log_probs]
    if len(terms) > MOST_TERMS:
        terms = [*terms[:3], say("beam-ledger-left-out", n=len(terms) - 6), *terms[-3:]]
    return "− " + " − ".join(terms)


def candidates_panel(scene: BeamScene, tree: BeamTree, node: BeamNode) -> None:
    """What could come next, most likely first; a click forces it."""
    st.markdown("### " + say("beam-candidates-title"))
    if node.token_id == scene.run.translator.eos_id:
        st.caption(say("beam-candidates-ended"))
        return
    k = slider("candidates", 3, 30, 8, words="beam-candidates-count")
    try:
        found = candidates_after(scene.run, scene.path, k)
    except ModelError as error:
        st.caption(plain(current_words().of(error.message)))
        return
    figure = candidates_chart(
        *([getattr(each, name) for each in found] for name in ("token", "log_prob", "token_id")),
        taken=[each.token_id for each in tree.children(node.id) if each.status != "pruned"],
        click=click_count("beam_candidates"),
    )
    picture(
        "beam-candidates",
        figure,
        key="beam_candidates",
        clicks=True,
        numbers=lambda: tables_of(figure)["bars"].drop(columns=["click", "taken", "place"]),
        n=len(found),
        source=scene.source,
    )
    places = {each.token_id: (each.rank + 1, token_label(each.token)) for each in found}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted = st.selectbox(
            say("beam-candidates-menu"),
            list(places),
            index=None,
            key="force_menu",
            placeholder=say("beam-candidates-placeholder"),
            format_func=lambda id: " · ".join(map(str, places.get(id, (id,)))),
            width=200,
        )
        st.button(
            say("beam-candidates-force"),
            key="force_token",
            icon=":material/alt_route:",
            disabled=wanted is None,
            on_click=force_token,
            args=(scene.path, wanted),
        )


def attention_panel(scene: BeamScene, tree: BeamTree, node: BeamNode) -> None:
    """Where every head looked in the source when it produced the node's token."""
    across = (s for s in scene.run.translator.sites if (s.query, s.key) == ("target", "source"))
    site = next(across, None)
    if site is None:
        st.caption(say("beam-looked-nothing"))
        return
    name = site_name(site.name)
    st.markdown("### " + say("beam-looked-title", site=name))
    if node.parent is None:
        st.caption(say("beam-looked-start"))
        return
    weights = tree_attention(Grown(scene.run, tree)).cross[node.id]
    tokens = scene.run.translation.src.tokens
    figure = head_rows(weights, tokens, kind=site)
    picture(
        "beam-looked",
        figure,
        key="beam_attention",
        below=f"{current_words().of(strongest(weights, tokens))} {sums_mark(weights, site)}",
        numbers=lambda: counted_from_one(tables_of(figure)["cells"].drop(columns="place")),
        site=name,
        token=node.token,
        source=scene.source,
        **dict(zip(("layers", "heads", "tokens"), weights.shape, strict=True)),
    )


def strongest(weights: np.ndarray, tokens: tuple[str, ...], count: int = 3) -> Message:
    """The heads that were surest where to look, strongest first."""
    largest, heads = weights.max(axis=-1), []
    for place in np.argsort(-largest, axis=None, kind="stable")[:count]:
        layer, head = map(int, np.unravel_index(place, largest.shape))
        key = int(weights[layer, head].argmax())
        named = Message.of("head-name", layer=layer + 1, head=head + 1)
        looked = {
            "head": Message("head-single") if largest.size == 1 else named,
            "token": plain(token_label(tokens[key])),
            "weight": fixed(largest[layer, head]),
        }
        heads.append(Message.of("beam-looked-head", position=key + 1, **looked))
    return Message.of("beam-looked-strongest", heads=tuple(heads))


def sums_mark(weights: np.ndarray, site: AttentionSite) -> str:
    """Whether every row sums to one, where it should."""
    if not site.normalised:
        return say("beam-looked-free")
    if np.abs(weights.sum(axis=-1) - 1).max() < SUM_ERROR:
        return f":green[✓] {say('beam-looked-sums')}"
    return f":red[✗] {say('beam-looked-no-sums')}"
