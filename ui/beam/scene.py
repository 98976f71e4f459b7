"""What every view of the beam page is given, what the session remembers, and searches done once.

The open node is kept as the tokens that lead to it, so that it is found again in the tree of
another width. Forced beginnings are a stack: the last one steers, and undoing takes it away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st

from core.hypotheses import hypothesis_text
from core.search import (
    BeamNode,
    BeamTree,
    Decoding,
    ExactSearch,
    SearchVerdict,
)
from model import ModelError, Translator
from ui import address
from ui.address import IDS, NODE, OPTION, TEXT
from ui.kit.blocks import table
from ui.kit.controls import clicked
from ui.state import Run, telling
from viz.tree import SELECTION_NAME, Side

MOST_UNDO = 50
WIDTHS = {"text": 360, "method": 170, "tree": 120, "beam_size": 96, "times": 70, "rank": 48}
DIGITS = 4
FORMATS = dict.fromkeys(("log_prob", "penalty", "score"), f"%.{DIGITS}f")

Ids = tuple[int, ...]


@dataclass(frozen=True)
class Steer:
    """How the steered tree must begin: by ids, by a typed text, or not at all."""

    ids: Ids = ()
    text: str = ""

    def __bool__(self) -> bool:
        return bool(self.ids or self.text.strip())


@dataclass(frozen=True, eq=False)
class BeamScene:
    """The search on screen, the one from a forced beginning, and the open node of one of them."""

    run: Run
    tree: BeamTree
    steered: BeamTree | None
    steer: Steer
    side: Side
    node: BeamNode | None

    def tree_of(self, side: Side) -> BeamTree:
        return self.steered if side == "second" and self.steered is not None else self.tree

    @property
    def sides(self) -> tuple[Side, ...]:
        return ("first",) if self.steered is None else ("first", "second")

    @property
    def path(self) -> Ids:
        return ids_to(self.tree_of(self.side), self.node.id) if self.node is not None else ()

    @property
    def source(self) -> str:
        return self.run.src.text


def ids_to(tree: BeamTree, node: int) -> Ids:
    """The tokens from the root, left out, to a node."""
    return tuple(step.token_id for step in tree.path(node)[1:])


def best_text(tree: BeamTree) -> str:
    return hypothesis_text(tree.hypothesis(tree.best))


def ledger(tree: BeamTree) -> pd.DataFrame:
    """Every node of a tree with all its numbers, one line a node, for saving; ranks from 1."""
    reasons = ["" if node.reason is None else str(node.reason) for node in tree.nodes]
    table = pd.DataFrame([vars(node) for node in tree.nodes])
    return table.assign(reason=reasons, rank=table["rank"] + 1)


def outputs(id: str, lines: pd.DataFrame, hidden: Sequence[str] = (), **how: Any) -> None:
    """A table of hypotheses with their numbers, as `core.hypotheses.outputs_table` has them."""
    columns = {"words": "beam-column", "widths": WIDTHS, "formats": FORMATS}
    table(id, lines, hidden=("tokens", *hidden), **columns, **how)


# What is open and forced


def make_scene(run: Run) -> BeamScene:
    _remember(run)
    steer, steered = current_steer(), None
    if steer:
        with telling("beam-steer-stays"):
            given = {"prefix": steer.text, "prefix_ids": steer.ids}
            steered = search_again(run, run.choices.decoding, **given)
    tree = run.translation.tree
    return BeamScene(run, tree, steered, steer, *_open_node(tree, steered))


def _remember(run: Run) -> None:
    asked = "beam_memory" not in st.session_state or address.by_history()
    if not asked and memory()["identity"] == run.source_identity:
        return
    steer = _asked_steer(run) if asked else Steer()
    st.session_state["beam_memory"] = {
        "identity": run.source_identity,
        "steers": [steer] if steer else [],
        "opened": _asked_node() if asked else None,
    }


def memory() -> dict[str, Any]:
    """Of the sentence on screen: steers, a stack; opened, a side and the tokens of a node, which
    are None where the reader closed all."""
    return st.session_state["beam_memory"]


def current_steer() -> Steer:
    return memory()["steers"][-1] if memory()["steers"] else Steer()


def push_steer(steer: Steer) -> None:
    if steer != current_steer():
        memory()["steers"] = [*memory()["steers"], steer][-MOST_UNDO:]


def force_token(path: Ids, token_id: int) -> None:
    push_steer(Steer(ids=(*path, token_id)))
    open_path("second", (*path, token_id))


def open_path(side: Side, path: Ids | None) -> None:
    memory()["opened"] = side, path


def _open_node(tree: BeamTree, steered: BeamTree | None) -> tuple[Side, BeamNode | None]:
    trees: dict[Side, BeamTree] = {"first": tree}
    if steered is not None:
        trees["second"] = steered
    for side, each in trees.items():
        place = clicked(f"beam_{side}", SELECTION_NAME).get("id")
        if type(place) is int and 0 <= place < len(each.nodes):
            node = side, ids_to(each, place)
            open_path(side, None if memory()["opened"] == node else node[1])
    if memory()["opened"] is not None:
        opened, path = memory()["opened"]
        if path is None:
            return "first", None
        for side in sorted(trees, key=lambda side: side != opened):
            found = trees[side].follow(path)
            if len(found) == len(path) + 1:
                return side, found[-1]
    # At first what the model was least sure of.
    return "first", min(tree.path(tree.best)[1:], key=lambda node: node.log_prob)


def write_address(scene: BeamScene) -> None:
    node = None
    if memory()["opened"] is not None:
        node = address.CLOSED if scene.node is None else scene.path
    address.write("node", node, NODE)
    steered = node is not None and scene.side == "second"
    address.write("tree", "steered" if steered else None, OPTION)
    address.write("force", scene.steer.ids, IDS)
    address.write("begin", scene.steer.text or None, TEXT)


def _asked_steer(run: Run) -> Steer:
    """A beginning that the address asks for, where it is one that a page could have asked for."""
    ids = address.read("force", IDS)
    if not ids:
        return Steer(text=address.read("begin", TEXT) or "")
    try:
        search_again(run, run.choices.decoding, prefix_ids=ids)
    except (ModelError, ValueError):
        return Steer()
    return Steer(ids=ids)


def _asked_node() -> tuple[Side, Ids | None] | None:
    path = address.read("node", NODE)
    if path is None:
        return None
    side = "second" if address.read("tree", OPTION) == "steered" else "first"
    return side, None if path == address.CLOSED else path


# Searches for the sentence on screen, each done once for all sessions


def search_again(run: Run, decoding: Decoding, **beginning: Any) -> BeamTree:
    """Another search, with other choices, or with a ``prefix`` or ``prefix_ids`` to begin with."""
    return run.ask(Translator.search, run.choices.text, decoding, **beginning)


def exact_of(run: Run, time_limit: float) -> ExactSearch:
    """The best translation there is by the penalty and lengths in use, or by the time limit."""
    best = run.translation.tree.hypothesis(run.translation.tree.best)
    decoding = replace(run.choices.decoding, beam_size=1, n_runners_up=0)
    how = {"start": best.ids if best.finished else None, "time_limit": time_limit}
    return run.ask(Translator.exact_search, run.choices.text, decoding, **how)


def verdict_on(run: Run, reference: str) -> SearchVerdict:
    choices, tree = run.choices, run.translation.tree
    how = {"tree": tree, "key": (choices, reference)}
    return run.ask(Translator.compare, choices.text, reference, choices.decoding, **how)
