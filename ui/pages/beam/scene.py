"""Scene of the beam page, and its state in the session.

The open node is kept as the tokens that lead to it, so that it is found again in the tree of
another beam size. Forced beginnings are a stack: the last one is in force, and undo removes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from core.records.search import BeamNode, BeamTree
from model import ModelError
from ui.frame.choices import CLOSED, IDS, NODE, OPTION, TEXT, arrives, keep, read
from ui.frame.problems import telling
from ui.frame.run import Run
from ui.kit.blocks import table
from ui.kit.clicks import clicked
from ui.pages.beam.searches import search_again
from viz.tree import SELECTION_NAME, Side

# Forced beginnings that undo can bring back.
MOST_UNDO = 50
# Pixels of table columns.
WIDTHS = {"text": 360, "method": 170, "tree": 120, "beam_size": 96, "times": 70, "rank": 48}
DIGITS = 2  # decimals of scores
FORMATS = dict.fromkeys(("log_prob", "penalty", "score"), f"%.{DIGITS}f")

FORCED = "many_forced"
"""Session key: source and target of the pair that the reader opened from a table."""

Ids = tuple[int, ...]


@dataclass(frozen=True)
class Steer:
    """Beginning forced on the steered tree: token ids, a typed text, or neither."""

    ids: Ids = ()
    text: str = ""

    def __bool__(self) -> bool:
        return bool(self.ids or self.text.strip())


@dataclass(frozen=True, eq=False)
class BeamScene:
    """The search on screen, the one with a forced beginning, and the open node of one of them."""

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
    """Return the token ids from the root, exclusive, to `node`."""
    return tuple(step.token_id for step in tree.path(node)[1:])


def ledger(tree: BeamTree) -> pd.DataFrame:
    """Return every node of a tree with all its numbers, for export; ranks count from 1."""
    reasons = ["" if node.reason is None else str(node.reason) for node in tree.nodes]
    table = pd.DataFrame([vars(node) for node in tree.nodes])
    return table.assign(reason=reasons, rank=table["rank"] + 1)


def outputs(id: str, lines: pd.DataFrame, hidden: Sequence[str] = (), **options: Any) -> None:
    """Draw a table of hypotheses from `core.records.hypotheses.outputs_table`."""
    table(
        id,
        # Tokens identify an output and are never shown.
        lines.drop(columns=["tokens", *hidden]),
        words="beam-column",
        widths=WIDTHS,
        formats=FORMATS,
        **options,
    )


# Open node and forced beginnings.


def make_scene(run: Run) -> BeamScene:
    _remember(run)
    steer = current_steer()
    steered = None
    if steer:
        # A beginning that the tokenizer cannot read is reported, and the plain tree stays.
        with telling("beam-steer-stays"):
            steered = search_again(
                run, run.choices.decoding, prefix=steer.text, prefix_ids=steer.ids
            )
    tree = run.translation.tree
    return BeamScene(run, tree, steered, steer, *_open_node(tree, steered))


def _remember(run: Run) -> None:
    # Another sentence or model makes the node and the beginning meaningless.
    is_arrival = arrives("beam_memory")
    target = forced_target(run)
    identity = (*run.source_identity, target)
    if not is_arrival and memory()["identity"] == identity:
        return
    steer = _steer_in_address(run) if is_arrival else Steer(text=target)
    st.session_state["beam_memory"] = {
        "identity": identity,
        "steers": [steer] if steer else [],
        "opened": _node_in_address() if is_arrival else None,
    }


def forced_target(run: Run) -> str:
    """Return the target that came with the sentence on screen; empty if none did."""
    source, target = st.session_state.get(FORCED, ("", ""))
    return target if source == run.choices.text else ""


def memory() -> dict[str, Any]:
    """Return the state of this sentence.

    ``steers`` is the stack of forced beginnings. ``opened`` is None, or a side and the token path
    of a node, which is None if the reader closed all nodes.
    """
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
    for side, side_tree in trees.items():
        node_id = clicked(f"beam_{side}", SELECTION_NAME).get("id")
        # The id comes from the browser; type() rather than isinstance, because True is an int.
        if type(node_id) is int and 0 <= node_id < len(side_tree.nodes):
            path = ids_to(side_tree, node_id)
            # A second click closes the node.
            open_path(side, None if memory()["opened"] == (side, path) else path)
    if memory()["opened"] is not None:
        opened, path = memory()["opened"]
        if path is None:
            return "first", None
        # The opened side first; the same path may exist in the other tree too.
        for side in sorted(trees, key=lambda side: side != opened):
            nodes = trees[side].follow(path)
            if len(nodes) == len(path) + 1:
                return side, nodes[-1]
    # Initially the least probable token of the best hypothesis.
    return "first", min(tree.path(tree.best)[1:], key=lambda node: node.log_prob)


def write_address(scene: BeamScene) -> None:
    node = None
    if memory()["opened"] is not None:
        node = CLOSED if scene.node is None else scene.path
    keep("node", NODE, node, None)
    steered = node is not None and scene.side == "second"
    keep("tree", OPTION, "steered" if steered else "first", "first")
    keep("force", IDS, scene.steer.ids, ())
    keep("begin", TEXT, scene.steer.text, "")


def _steer_in_address(run: Run) -> Steer:
    """Return the beginning in the address if the model accepts it, else an empty one."""
    ids = read("force", IDS)
    if not ids:
        return Steer(text=read("begin", TEXT) or "")
    try:
        # The search itself is the check, and its result is cached for the page.
        search_again(run, run.choices.decoding, prefix_ids=ids)
    except (ModelError, ValueError):
        return Steer()
    return Steer(ids=ids)


def _node_in_address() -> tuple[Side, Ids | None] | None:
    path = read("node", NODE)
    if path is None:
        return None
    side = "second" if read("tree", OPTION) == "steered" else "first"
    return side, None if path == CLOSED else path
