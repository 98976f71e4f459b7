"""Search tree with its steps, the tree of a forced beginning, the open node and the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.records.attention import AttentionSite
from core.records.hypotheses import hypotheses_table, is_forced, length_penalty, spelt
from core.records.search import FORCED, BeamNode, BeamTree, Candidate
from core.records.tokens import token_label, token_labels
from model import ModelError, Translator
from model.experiments.tree import attend_tree
from ui.components.frame import foreign
from ui.components.stepper import kept_step, stepper
from ui.frame.choices import choose
from ui.frame.messages import listed, plain, say, site_name, token_text
from ui.frame.model_cache import ask
from ui.kit.blocks import draw, picture
from ui.kit.clicks import click_count, clicked
from ui.kit.controls import button, choice, labels_apart, one_line, slider, unlike
from ui.kit.export import counted_from_one, export_menu
from ui.kit.guard import fragment
from ui.kit.layout import caption, control_row, controls, finding, note, paragraph
from ui.pages.beam.greedy import first_parting, greedy_marks, parting_numbers, tell_greedy
from ui.pages.beam.hypotheses import show_ranking
from ui.pages.beam.scene import (
    BeamScene,
    Steer,
    force_token,
    ids_to,
    ledger,
    memory,
    open_path,
    outputs,
    push_steer,
)
from ui.pages.beam.searches import SAME, best_text, greedy_of
from viz.figure import Figure, tables_of
from viz.maps import head_rows
from viz.token_bars import SELECTION_NAME, candidates_chart
from viz.tree import STEP_SIGNAL, Side, TreeMarks, beam_tree
from words import Message
from words.numbers import fixed

# Deviation of a row's sum from one that float32 and its rounding explain.
SUM_ERROR = 1e-4
# Terms of a sum that are written out.
MOST_TERMS = 14


def show(scene: BeamScene) -> None:
    # The box has the session's value, which undo and the address also change.
    st.session_state["begin_box"] = one_line(scene.steer.text)
    with controls():
        st.text_input(
            say("beam-steer-box"),
            key="begin_box",
            placeholder=say("beam-steer-placeholder"),
            on_change=_take_text,
            width=290,
            help=say("beam-steer-help"),
        )
        _undo_buttons(scene)
    both = None if scene.steered is None else compared(scene)
    if both is None:
        tell_greedy(scene)
    else:
        finding(say(_gain(scene, both)))
    # Filled after the trees, whose places it needs.
    choosers = st.container(horizontal=True, vertical_alignment="center", key="tree_line")
    drawn = {}
    for side in reversed(scene.sides):  # the tree that the reader forced stands first
        if drawn:
            with st.container(horizontal=True, gap="xsmall"):
                name = say(f"beam-side-{side}")
                st.markdown(f":violet-badge[{name}]", width="content")
                with foreign(scene.run.card.languages[1], key=f"best_{side}", width="content"):
                    st.markdown(plain(best_text(scene.tree_of(side))))
        drawn[side] = _tree(scene, side)
    # A fragment of its own, the stepper redraws no tree.
    with choosers, st.container(width=480):
        fragment(_steps)(scene, drawn)
    # Such a beam cannot be filled in the first step.
    if (width := scene.tree.beam_size) > (entries := scene.run.translator.vocab_size):
        note("beam-tree-wide", "width", width=width, n=entries)
    if both is not None:
        outputs("beam-steer", both, hidden=("finished",))
    show_node(scene, choosers)
    show_ranking(scene)


def _undo_buttons(scene: BeamScene) -> None:
    if memory()["steers"]:
        earlier = partial(memory().update, steers=memory()["steers"][:-1])
        button("undo", earlier, icon="undo")
        button("reset", push_steer, Steer(), icon="restart_alt", disabled=not scene.steer)


def _steps(scene: BeamScene, figures: dict[Side, Figure]) -> None:
    stepper(
        *step_of(scene),
        {f"beam_{side}": tables_of(figure)["steps"]["px"] for side, figure in figures.items()},
        signal=STEP_SIGNAL,
        words="beam-tree-step",
        of=scene.run.source_identity,
        open_at=scene.node.step if scene.node is not None else None,
        buttons=True,
    )


def step_of(scene: BeamScene) -> tuple[str, int, int]:
    """Return the key of the step, the last step of all trees, and the step shown at first."""
    last = max(node.step for side in scene.sides for node in scene.tree_of(side).nodes)
    return "step", last, last


def _tree(scene: BeamScene, side: Side) -> Figure:
    """Draw a tree with its files, and return the figure."""
    tree = scene.tree_of(side)
    key = f"beam_{side}"
    other = scene.tree_of("second" if side == "first" else "first")
    figure_of = partial(
        beam_tree,
        tree,
        selected=scene.node.id if scene.node is not None and scene.side == side else None,
        click=click_count(key),
        compare=None if scene.steered is None else other,
        side=side,
        marks=_marks(scene, tree),
    )
    figure = figure_of()
    # The alternative text stays constant, because a new one makes the browser rebuild the chart.
    draw(figure, key=key, alt=say("beam-tree-alt"), clicks=True)
    with st.container(key=f"unseen_{key}"):
        _describe(tree)
    export_menu(
        partial(figure_of, upto_step=kept_step(*step_of(scene), of=scene.run.source_identity)),
        key=f"{key}_export",
        name=say(
            "beam-tree-file",
            width=tree.beam_size,
            side=say(f"beam-side-{side}"),
            source=scene.source,
        ),
        numbers=lambda: ledger(tree),
    )
    return figure


def _marks(scene: BeamScene, tree: BeamTree) -> TreeMarks:
    """Return the marks of the path of greedy search, if it leaves the best hypothesis.

    Beside a forced beginning the finding is about that one, and only its numbers are marked.
    """
    if scene.steered is not None or tree.beam_size == 1 or first_parting(tree) is None:
        return TreeMarks(parting_numbers(tree))
    return greedy_marks(tree, greedy_of(scene.run))


def _describe(tree: BeamTree) -> None:
    """Draw the tree in words, for screen readers."""
    fates = [node.status for node in tree.nodes[1:]]
    paragraph(
        "beam-tree-told",
        steps=max(node.step for node in tree.nodes),
        text=plain(best_text(tree)),
        kept=fates.count("kept"),
        finished=fates.count("finished"),
        pruned=fates.count("pruned"),
    )


# The beginning that a reader forces.


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
    same = first["text"] == second["text"]
    finished = (first["finished"], second["finished"])
    tree = scene.tree_of("second")
    # Forced tokens are the first nodes after the root.
    tokens = [node.token for node in tree.nodes[1 : 1 + len(tree.prefix)]]
    return Message.of(
        "beam-steer-found",
        forced=plain(scene.steer.text or spelt(tokens), 80),
        text=plain(second["text"], 160),
        # A gain between unfinished hypotheses would compare different lengths.
        gain=gained(second["score"] - first["score"], same, finished),
    )


def gained(gain: float, same: bool, finished: tuple[bool, bool] = (True, True)) -> Message:
    if not all(finished):
        return Message("beam-gain-one-ended" if any(finished) else "beam-gain-none-ended")
    if same:
        return Message("beam-gain-same")
    if gain > SAME:
        return Message.of("beam-gain-more", gain=gain)
    if gain < -SAME:
        return Message.of("beam-gain-less", loss=-gain)
    return Message("beam-gain-equal")


def show_node(scene: BeamScene, choosers: DeltaGenerator) -> None:
    """Draw the open node below the tree, and its menus into the line of `choosers`."""
    tree = scene.tree_of(scene.side)
    node = scene.node
    translator = scene.run.translator
    # Nothing can follow </s>.
    ended = node is not None and node.token_id == translator.eos_id
    token = clicked("beam_candidates", SELECTION_NAME).get("token_id")
    # The id comes from the browser, and True is an int.
    sound = type(token) is int and 0 <= token < translator.vocab_size
    if sound and node is not None and not ended:
        force_token(scene.path, token)
        st.rerun()
    with choosers:
        picker(scene)
    if node is None:
        note("beam_no_node", "touch_app")
        return
    left, right = st.columns([6, 7], gap="medium")
    with left:
        with foreign(translator.card.languages[1], key="beginning"):
            st.markdown(f"## {hypothesis_markdown(tree, node)}")
        st.markdown(listed(ledger_messages(tree, node)))
        st.markdown("### " + say("beam-candidates-title"))
        if ended:
            caption("beam-candidates-ended")
        else:
            candidates_panel(scene, tree, node)
    with right:
        attention_panel(scene, tree, node)


def picker(scene: BeamScene) -> None:
    """Draw menus of step and node, which open a node by keyboard."""
    tree = scene.tree_of(scene.side)
    node = scene.node
    step = node.step if node is not None else 0
    nodes = sorted(tree.at_step(step), key=lambda node: (node.status == "pruned", node.rank))
    names = labels_apart([node.id for node in nodes], partial(_node_label, tree), step)
    st.session_state["open_node"] = node.id if node is not None else None
    if len(scene.sides) > 1:
        choose({"open_side": scene.side})
        choice(
            "open_side",
            scene.sides,
            words="beam-side",
            title=False,
            address=False,
            on_change=lambda: _take_side(scene),
        )
    choose({"open_step": step})
    choice(
        "open_step",
        range(max(node.step for node in tree.nodes) + 1),
        style="select",
        title=False,
        address=False,
        text=lambda n: say("beam-step", n=n) if n else say("beam-start"),
        width=120,
        on_change=lambda: _take_step(scene),
    )
    st.selectbox(
        say("beam-node-open"),
        list(names),
        index=None,
        key="open_node",
        width=270,
        label_visibility="collapsed",
        placeholder=say("beam-node-none"),
        format_func=unlike("open_node", names, lambda id: names.get(id, str(id))),
        on_change=lambda: _take_node(scene),
    )


def _open_at(tree: BeamTree, side: Side, node_id: int | None) -> None:
    open_path(side, None if node_id is None else ids_to(tree, node_id))


def _take_side(scene: BeamScene) -> None:
    side = st.session_state["open_side"]
    tree = scene.tree_of(side)
    _open_at(tree, side, tree.best)


def _take_step(scene: BeamScene) -> None:
    tree = scene.tree_of(scene.side)
    nodes = tree.at_step(st.session_state["open_step"])
    best = {node.id for node in tree.path(tree.best)}
    # The node of the best hypothesis, if the step has one. No node at all: the step is one of a
    # larger tree, whose menu the browser still showed.
    if nodes:
        _open_at(tree, scene.side, max(nodes, key=lambda node: node.id in best).id)


def _take_node(scene: BeamScene) -> None:
    node_id = st.session_state["open_node"]
    # A label in place of an id: the browser still showed the menu of an earlier tree.
    if not isinstance(node_id, str):
        _open_at(scene.tree_of(scene.side), scene.side, node_id)


def _node_label(tree: BeamTree, node_id: int, n_before: int) -> str:
    """Return the label of a node, with up to `n_before` tokens before it."""
    node = tree.nodes[node_id]
    if node.parent is None:
        return say("beam-start")
    label = say(
        "beam-node-name",
        status=say(f"beam-status-{node.status}"),
        token=token_label(node.token),
        rank=node.rank + 1,
    )
    if not n_before:
        return label
    # Nodes of the same token differ by their predecessors.
    before = token_labels([node.token for node in tree.path(node_id)[1:-1][-n_before:]])
    return say("beam-node-after", node=label, before=" ".join(before))


def hypothesis_markdown(tree: BeamTree, node: BeamNode) -> str:
    """Return the tokens up to the node as Markdown, the node's own token highlighted."""
    before = spelt([earlier.token for earlier in tree.path(node.id)[1:-1]])
    if node.parent is None:
        return say("beam-node-start")
    # SentencePiece marks the start of a word by ▁.
    gap = " " if before and node.token.startswith("▁") else ""
    token = plain(spelt([node.token]) or "␣")
    return f"{plain(before, 700)}{gap}:red-background[{token}]"


def ledger_messages(tree: BeamTree, node: BeamNode) -> tuple[Message, ...]:
    if node.parent is None:
        return (Message("beam-ledger-start"),)
    penalty = length_penalty(node.step, tree.alpha, tree.penalty)
    forced = is_forced(tree, node) and node.reason != FORCED
    why = ("both" if forced else "known") if node.reason else ("forced" if forced else "none")
    values_of = {
        "token": {"probability": np.exp(node.log_prob), "log_prob": node.log_prob},
        "sum": {"terms": sum_words([step.log_prob for step in tree.path(node.id)[1:]])},
        f"penalty-{tree.penalty}": {"length": node.step, "alpha": tree.alpha},
        "score": {"penalty": penalty, "score": node.score},
        "fate": {
            "status": Message(f"beam-status-{node.status}"),
            "why": why,
            "reason": node.reason or "",
        },
    }
    common = {"sum": node.cum_log_prob, "value": penalty}
    return tuple(
        Message(f"beam-ledger-{line}", common | values) for line, values in values_of.items()
    )


def sum_words(log_probs: list[float]) -> str:
    """Return the terms of a running sum; of a long one only the first and last three."""
    terms = [fixed(abs(term)) for term in log_probs]
    if len(terms) > MOST_TERMS:
        terms = [*terms[:3], say("beam-ledger-left-out", n=len(terms) - 6), *terms[-3:]]
    # log P are negative, so the signs are written and the terms are absolute.
    return "− " + " − ".join(terms)


def candidates_panel(scene: BeamScene, tree: BeamTree, node: BeamNode) -> None:
    k = slider("candidates", 3, 30, 8)
    try:
        text = scene.run.choices.text
        likeliest = ask(scene.run.translator, Translator.candidates, text, scene.path, k)
    except ModelError as error:
        st.caption(plain(say(error.message)))
        return
    figure = candidates_chart(
        [candidate.token for candidate in likeliest],
        [candidate.log_prob for candidate in likeliest],
        [candidate.token_id for candidate in likeliest],
        taken=[child.token_id for child in tree.children(node.id) if child.status != "pruned"],
        click=click_count("beam_candidates"),
    )
    _force_menu(scene, likeliest)
    picture(
        "beam-candidates",
        figure,
        clicks=True,
        numbers="bars",
        leave_out=["click", "taken", "place"],
        n=len(likeliest),
    )


def _force_menu(scene: BeamScene, likeliest: Sequence[Candidate]) -> None:
    """Draw a menu of candidates, and a button that forces the chosen one."""
    labels = {
        candidate.token_id: f"{candidate.rank + 1} · {token_label(candidate.token)}"
        for candidate in likeliest
    }
    with control_row():
        wanted = st.selectbox(
            say("beam-candidates-menu"),
            list(labels),
            index=None,
            key="force_menu",
            placeholder=say("beam-candidates-placeholder"),
            format_func=unlike("force_menu", labels, lambda id: labels.get(id, str(id))),
            width=200,
        )
        button(
            "force_token",
            force_token,
            scene.path,
            wanted,
            icon="alt_route",
            disabled=wanted is None,
        )


def attention_panel(scene: BeamScene, tree: BeamTree, node: BeamNode) -> None:
    across = scene.run.record.across
    if across is None:
        caption("beam-looked-nothing")
        return
    site = across.site
    name = site_name(across.site_id)
    st.markdown("### " + say("beam-looked-title", site=name))
    if node.parent is None:
        caption("beam-looked-start")
        return
    # The cache key is the shape of the tree: the object itself would be hashed slowly.
    text = scene.run.choices.text
    paths = tuple((n.parent, n.token_id) for n in tree.nodes)
    weights = ask(scene.run.translator, attend_tree, text, tree, key=(text, paths)).cross[node.id]
    tokens = scene.run.src.tokens
    figure = head_rows(weights, tokens, site=site)
    n_layers, n_heads, n_tokens = weights.shape
    picture(
        "beam-looked",
        figure,
        below=f"{say(strongest(weights, tokens))} {sums_mark(weights, site)}",
        numbers=lambda: counted_from_one(tables_of(figure)["cells"].drop(columns="place")),
        site=name,
        token=node.token,
        layers=n_layers,
        heads=n_heads,
        tokens=n_tokens,
    )


def strongest(weights: np.ndarray, tokens: tuple[str, ...], count: int = 3) -> Message:
    largest = weights.max(axis=-1)
    heads = []
    # A stable sort of the negated weights keeps the order of heads among equals.
    for flat_index in np.argsort(-largest, axis=None, kind="stable")[:count]:
        layer, head = map(int, np.unravel_index(flat_index, largest.shape))
        key = int(weights[layer, head].argmax())
        name = Message.of("head-name", layer=layer + 1, head=head + 1)
        heads.append(
            Message.of(
                "beam-looked-head",
                position=key + 1,
                head=Message("head-single") if largest.size == 1 else name,
                token=token_text(tokens[key]),
                weight=largest[layer, head],
            )
        )
    return Message.of("beam-looked-strongest", heads=tuple(heads))


def sums_mark(weights: np.ndarray, site: AttentionSite) -> str:
    if not site.normalised:
        return say("beam-looked-free")
    sound = np.abs(weights.sum(axis=-1) - 1).max() < SUM_ERROR
    mark = ":green[✓]" if sound else ":red[✗]"
    return f"{mark} {say('beam-looked-sums' if sound else 'beam-looked-no-sums')}"
