"""Search tree with its steps, the tree of a forced beginning, the open node and the ranking."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.attention import AttentionSite
from core.hypotheses import (
    hypotheses_table,
    is_forced,
    length_penalty,
    spelt,
)
from core.search import FORCED, BeamNode, BeamTree
from core.tokens import token_label, token_labels
from model import ModelError, Translator
from model.experiments.tree import attend_tree
from ui.beam.hypotheses import show_ranking
from ui.beam.scene import (
    BeamScene,
    Steer,
    best_text,
    force_token,
    ids_to,
    ledger,
    memory,
    open_path,
    outputs,
    push_steer,
)
from ui.components.frame import foreign
from ui.components.stepper import kept_step, stepper
from ui.export import counted_from_one, export_menu
from ui.guard import fragment
from ui.kit.blocks import draw, picture
from ui.kit.controls import (
    button,
    choice,
    click_count,
    clicked,
    labels_apart,
    one_line,
    slider,
    unlike,
)
from ui.kit.layout import caption, control_row, controls, finding, note, paragraph
from ui.words import listed, plain, say, site_name, token_text
from viz.figure import Figure, tables_of
from viz.maps import head_rows
from viz.token_bars import SELECTION_NAME, candidates_chart
from viz.tree import STEP_SIGNAL, Side, beam_tree
from words import Message, Spoken
from words.numbers import fixed

# Difference in score that counts as none: half of the fourth decimal.
SAME = 5e-5
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
    both = None if scene.steered is None else compared(scene)
    language = scene.run.card.languages[1]
    said = greedy_message(scene.tree, language) if both is None else _gain(scene, both)
    finding(say(said))
    drawn = {}
    for side in reversed(scene.sides):  # the tree that the reader forced stands first
        if drawn:
            with st.container(horizontal=True, gap="xsmall"):
                name = say(f"beam-side-{side}")
                st.markdown(f":violet-badge[{name}]", width="content")
                with foreign(language, key=f"best_{side}", width="content"):
                    st.markdown(plain(best_text(scene.tree_of(side))))
        drawn[side] = _tree(scene, side)
    # The stepper drives both trees, so it stands below the last; alone, it redraws no tree.
    with drawn[scene.sides[-1]][1]:
        fragment(_steps)(scene, {side: figure for side, (figure, _) in drawn.items()})
    # Such a beam cannot be filled in the first step.
    if (width := scene.tree.beam_size) > (entries := scene.run.translator.vocab_size):
        note("beam-tree-wide", "width", width=width, n=entries)
    if both is not None:
        outputs("beam-steer", both, hidden=("finished",))
    show_node(scene)
    show_ranking(scene)


def greedy_message(tree: BeamTree, language: str = "") -> Message:
    """Return a message on the step at which greedy search loses the best hypothesis, if any.

    `language` is that of the tokens, for screen readers.
    """
    if tree.beam_size == 1:
        return Message("beam-tree-width-one")
    # Greedy search takes the likeliest token of each step; the first other one settles it.
    for each in tree.path(tree.best)[1:]:
        likeliest = max(tree.children(each.parent), key=lambda child: child.log_prob)
        if likeliest.log_prob > each.log_prob:
            return Message.of(
                "beam-tree-found",
                step=each.step,
                token=Spoken(token_text(each.token), language),
                other=token_text(likeliest.token),
                p_token=np.exp(each.log_prob),
                p_other=np.exp(likeliest.log_prob),
            )
    return Message("beam-tree-greedy")


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
    last = max(each.step for side in scene.sides for each in scene.tree_of(side).nodes)
    return "step", last, last


def _tree(scene: BeamScene, side: Side) -> tuple[Figure, DeltaGenerator]:
    """Draw a tree with its files; return the figure and a container for the stepper."""
    tree, key = scene.tree_of(side), f"beam_{side}"
    other = scene.tree_of("second" if side == "first" else "first")
    drawn = partial(
        beam_tree,
        tree,
        selected=scene.node.id if scene.node is not None and scene.side == side else None,
        click=click_count(key),
        compare=None if scene.steered is None else other,
        side=side,
    )
    figure = drawn()
    # The alternative text stays constant, because a new one makes the browser rebuild the chart.
    draw(figure, key=key, alt=say("beam-tree-alt"), clicks=True)
    with st.container(key=f"unseen_{key}"):
        fates = [each.status for each in tree.nodes[1:]]
        counts = {status: fates.count(status) for status in ("kept", "finished", "pruned")}
        steps = max(each.step for each in tree.nodes)
        paragraph("beam-tree-told", steps=steps, text=plain(best_text(tree)), **counts)
    dial = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        named = {"side": say(f"beam-side-{side}"), "source": scene.source}
        export_menu(
            partial(drawn, upto_step=kept_step(*step_of(scene), of=scene.run.source_identity)),
            key=f"{key}_export",
            name=say("beam-tree-file", width=tree.beam_size, **named),
            numbers=lambda: ledger(tree),
        )
        if side == scene.sides[-1] and memory()["steers"]:
            earlier = partial(memory().update, steers=memory()["steers"][:-1])
            button("undo", earlier, icon="undo")
            how = {"icon": "restart_alt", "disabled": not scene.steer}
            button("reset", push_steer, Steer(), **how)
    return figure, dial


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
    same, finished = first["text"] == second["text"], (first["finished"], second["finished"])
    tree = scene.tree_of("second")
    # Forced tokens are the first nodes after the root.
    tokens = [each.token for each in tree.nodes[1 : 1 + len(tree.prefix)]]
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


def show_node(scene: BeamScene) -> None:
    tree, node, translator = scene.tree_of(scene.side), scene.node, scene.run.translator
    # Nothing can follow </s>.
    ended = node is not None and node.token_id == translator.eos_id
    token = clicked("beam_candidates", SELECTION_NAME).get("token_id")
    # The id comes from the browser, and True is an int.
    sound = type(token) is int and 0 <= token < translator.vocab_size
    if sound and node is not None and not ended:
        force_token(scene.path, token)
        st.rerun()
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
    tree, node, state = scene.tree_of(scene.side), scene.node, st.session_state
    step = node.step if node is not None else 0
    nodes = sorted(tree.at_step(step), key=lambda each: (each.status == "pruned", each.rank))
    state["open_node"] = node.id if node is not None else None

    def open_at(tree: BeamTree, side: Side, place: int | None) -> None:
        open_path(side, None if place is None else ids_to(tree, place))

    def take_side() -> None:
        tree = scene.tree_of(state["open_side"])
        open_at(tree, state["open_side"], tree.best)

    def take_step() -> None:
        there, best = tree.at_step(state["open_step"]), {node.id for node in tree.path(tree.best)}
        # The node of the best hypothesis, if the step has one. No node at all: the step is one of a
        # larger tree, whose menu the browser still showed.
        if there:
            open_at(tree, scene.side, max(there, key=lambda node: node.id in best).id)

    def name(place: int, n_before: int) -> str:
        found = tree.nodes[place]
        if found.parent is None:
            return say("beam-start")
        told = {"token": token_label(found.token), "rank": found.rank + 1}
        label = say("beam-node-name", status=say(f"beam-status-{found.status}"), **told)
        # Nodes of the same token differ by their predecessors.
        before = token_labels([each.token for each in tree.path(place)[1:-1][-n_before:]])
        return say("beam-node-after", node=label, before=" ".join(before)) if n_before else label

    names = labels_apart([each.id for each in nodes], name, step)

    def take_node() -> None:
        # A label in place of an id: the browser still showed the menu of an earlier tree.
        if not isinstance(state["open_node"], str):
            open_at(tree, scene.side, state["open_node"])

    with control_row():
        if len(scene.sides) > 1:
            how = {"words": "beam-side", "shown": scene.side, "on_change": take_side}
            choice("open_side", scene.sides, **how)
        choice(
            "open_step",
            range(max(each.step for each in tree.nodes) + 1),
            style="select",
            shown=step,
            text=lambda n: say("beam-step", n=n) if n else say("beam-start"),
            width=150,
            on_change=take_step,
        )
        st.selectbox(
            say("beam-node-open"),
            list(names),
            index=None,
            key="open_node",
            width=300,
            placeholder=say("beam-node-none"),
            format_func=unlike("open_node", names, lambda place: names.get(place, str(place))),
            on_change=take_node,
        )


def hypothesis_markdown(tree: BeamTree, node: BeamNode) -> str:
    """Return the tokens up to the node as Markdown, the node's own token highlighted."""
    before = spelt([each.token for each in tree.path(node.id)[1:-1]])
    if node.parent is None:
        return say("beam-node-start")
    # SentencePiece marks the start of a word by ▁.
    gap = " " if before and node.token.startswith("▁") else ""
    own = plain(spelt([node.token]) or "␣")
    return f"{plain(before, 700)}{gap}:red-background[{own}]"


def ledger_messages(tree: BeamTree, node: BeamNode) -> tuple[Message, ...]:
    if node.parent is None:
        return (Message("beam-ledger-start"),)
    penalty = length_penalty(node.step, tree.alpha, tree.penalty)
    forced = is_forced(tree, node) and node.reason != FORCED
    why = ("both" if forced else "known") if node.reason else ("forced" if forced else "none")
    told = {
        "token": {"probability": np.exp(node.log_prob), "log_prob": node.log_prob},
        "sum": {"terms": sum_words([each.log_prob for each in tree.path(node.id)[1:]])},
        f"penalty-{tree.penalty}": {"length": node.step, "alpha": tree.alpha},
        "score": {"penalty": penalty, "score": node.score},
        "fate": {
            "status": Message(f"beam-status-{node.status}"),
            "why": why,
            "reason": node.reason or "",
        },
    }
    common = {"sum": node.cum_log_prob, "value": penalty}
    return tuple(Message(f"beam-ledger-{what}", common | values) for what, values in told.items())


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
        found = scene.run.ask(Translator.candidates, text, scene.path, k)
    except ModelError as error:
        st.caption(plain(say(error.message)))
        return
    figure = candidates_chart(
        *([getattr(each, name) for each in found] for name in ("token", "log_prob", "token_id")),
        taken=[each.token_id for each in tree.children(node.id) if each.status != "pruned"],
        click=click_count("beam_candidates"),
    )
    picture(
        "beam-candidates",
        figure,
        clicks=True,
        numbers="bars",
        leave_out=["click", "taken", "place"],
        n=len(found),
    )
    places = {each.token_id: (each.rank + 1, token_label(each.token)) for each in found}
    with control_row():
        wanted = st.selectbox(
            say("beam-candidates-menu"),
            list(places),
            index=None,
            key="force_menu",
            placeholder=say("beam-candidates-placeholder"),
            format_func=unlike(
                "force_menu", places, lambda id: " · ".join(map(str, places.get(id, (id,))))
            ),
            width=200,
        )
        how = {"icon": "alt_route", "disabled": wanted is None}
        button("force_token", force_token, scene.path, wanted, **how)


def attention_panel(scene: BeamScene, tree: BeamTree, node: BeamNode) -> None:
    across = scene.run.record.across
    if across is None:
        caption("beam-looked-nothing")
        return
    site, name = across.site, site_name(across.kind)
    st.markdown("### " + say("beam-looked-title", site=name))
    if node.parent is None:
        caption("beam-looked-start")
        return
    # The cache key is the shape of the tree: the object itself would be hashed slowly.
    text, paths = scene.run.choices.text, tuple((n.parent, n.token_id) for n in tree.nodes)
    weights = scene.run.ask(attend_tree, text, tree, key=(text, paths)).cross[node.id]
    tokens = scene.run.src.tokens
    figure = head_rows(weights, tokens, kind=site)
    picture(
        "beam-looked",
        figure,
        below=f"{say(strongest(weights, tokens))} {sums_mark(weights, site)}",
        numbers=lambda: counted_from_one(tables_of(figure)["cells"].drop(columns="place")),
        site=name,
        token=node.token,
        **dict(zip(("layers", "heads", "tokens"), weights.shape, strict=True)),
    )


def strongest(weights: np.ndarray, tokens: tuple[str, ...], count: int = 3) -> Message:
    largest, heads = weights.max(axis=-1), []
    # A stable sort of the negated weights keeps the order of heads among equals.
    for place in np.argsort(-largest, axis=None, kind="stable")[:count]:
        layer, head = map(int, np.unravel_index(place, largest.shape))
        key = int(weights[layer, head].argmax())
        named = Message.of("head-name", layer=layer + 1, head=head + 1)
        looked = {
            "head": Message("head-single") if largest.size == 1 else named,
            "token": token_text(tokens[key]),
            "weight": largest[layer, head],
        }
        heads.append(Message.of("beam-looked-head", position=key + 1, **looked))
    return Message.of("beam-looked-strongest", heads=tuple(heads))


def sums_mark(weights: np.ndarray, site: AttentionSite) -> str:
    if not site.normalised:
        return say("beam-looked-free")
    sound = np.abs(weights.sum(axis=-1) - 1).max() < SUM_ERROR
    mark = ":green[✓]" if sound else ":red[✗]"
    return f"{mark} {say('beam-looked-sums' if sound else 'beam-looked-no-sums')}"
