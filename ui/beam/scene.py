"""What every view of the beam page is given, and what the session remembers of it.

The open node is kept as the tokens that lead to it, so that it is found again in the tree of
another width. Forced beginnings are a stack: the last one steers, and undoing takes it away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from analysis.hypotheses import hypothesis_text
from model import ModelError
from records import BeamNode, BeamTree
from ui import address
from ui.address import IDS, NODE, NUMBER, OPTION, TEXT
from ui.beam.searches import search_again
from ui.focus import clicked
from ui.kit.blocks import table
from ui.state import Run, show_problem
from ui.words import say
from viz.beam_tree import SELECTION_NAME, Side

MOST_UNDO = 50
WIDTHS = {"text": 360, "method": 170, "tree": 120, "beam_size": 96, "times": 70, "rank": 48}
FORMATS = dict.fromkeys(("log_prob", "penalty", "score"), "%.4f")

Ids = tuple[int, ...]


@dataclass(frozen=True)
class Steer:
    """How the steered tree must begin: by ids, by a typed text, or not at all."""

    ids: Ids = ()
    text: str = ""

    def __bool__(self) -> bool:
        return bool(self.ids or self.text.strip())


@dataclass(frozen=True)
class Opened:
    """The node the reader opened: the tokens that lead to it, in the tree of a side.

    `path` None closes all; `chosen` is False as long as the reader has not chosen anything.
    """

    side: Side = "first"
    path: Ids | None = None
    chosen: bool = True


@dataclass(frozen=True, eq=False)
class BeamScene:
    """The search on screen."""

    run: Run
    tree: BeamTree
    steered: BeamTree | None
    steer: Steer
    side: Side
    node: BeamNode | None

    def tree_of(self, side: Side) -> BeamTree:
        return self.steered if side == "second" and self.steered is not None else self.tree

    def other(self, side: Side) -> BeamTree:
        return self.tree_of("second" if side == "first" else "first")

    @property
    def sides(self) -> tuple[Side, ...]:
        return ("first",) if self.steered is None else ("first", "second")

    @property
    def path(self) -> Ids:
        """The tokens that lead to the open node."""
        return ids_to(self.tree_of(self.side), self.node) if self.node is not None else ()

    @property
    def source(self) -> str:
        return self.run.translation.src.text


def ids_to(tree: BeamTree, node: BeamNode) -> Ids:
    """The tokens from the root, left out, to a node."""
    return tuple(step.token_id for step in tree.path(node.id)[1:])


def side_name(side: Side) -> str:
    return say(f"beam-side-{side}")


def best_text(tree: BeamTree) -> str:
    return hypothesis_text(tree.hypothesis(tree.best))


def ledger(tree: BeamTree) -> pd.DataFrame:
    """Every node of a tree with all its numbers, one line a node, for saving; ranks from 1."""
    reasons = ["" if node.reason is None else str(node.reason) for node in tree.nodes]
    table = pd.DataFrame([vars(node) for node in tree.nodes])
    return table.assign(reason=reasons, rank=table["rank"] + 1)


def outputs(
    id: str, lines: pd.DataFrame, *, key: str, hidden: Sequence[str] = (), **how: Any
) -> None:
    """A table of hypotheses with their numbers, as `analysis.hypotheses.outputs_table` has them."""
    columns = {"words": "beam-column", "widths": WIDTHS, "formats": FORMATS}
    table(id, lines, key=key, hidden=("tokens", *hidden), **columns, **how)


def make_scene(run: Run) -> BeamScene:
    _begin(run)
    tree = run.translation.tree
    steer = current_steer()
    steered = _steered(run, steer)
    side, node = _open_node(tree, steered)
    return BeamScene(run, tree, steered, steer, side, node)


def _begin(run: Run) -> None:
    memory: dict[str, Any] | None = st.session_state.get("beam_memory")
    if memory is None or address.by_history():
        steer = _steer_from_address(run)
        opened, step = _opened_from_address(), address.read("step", NUMBER)
    elif memory["identity"] == run.source_identity:
        return
    else:
        steer, opened, step = Steer(), Opened(chosen=False), None
    st.session_state["beam_memory"] = {
        "identity": run.source_identity,
        "steers": [steer] if steer else [],
        "opened": opened,
        "step": step,
    }


def memory() -> dict[str, Any]:
    """Of the sentence on screen: steers (a stack), opened, step (None: the last)."""
    return st.session_state["beam_memory"]


def current_steer() -> Steer:
    steers = memory()["steers"]
    return steers[-1] if steers else Steer()


def push_steer(steer: Steer) -> None:
    """Steer anew; what came before can be had back by undoing."""
    if steer != current_steer():
        memory()["steers"] = [*memory()["steers"], steer][-MOST_UNDO:]


def undo_steer() -> None:
    memory()["steers"] = memory()["steers"][:-1]


def force_token(path: Ids, token_id: int) -> None:
    """Force a token after a node, and open what comes of it."""
    push_steer(Steer(ids=(*path, token_id)))
    open_path("second", (*path, token_id))


def open_path(side: Side, path: Ids | None) -> None:
    memory()["opened"] = Opened(side, path)


def take_tree_click(tree: BeamTree, side: Side) -> bool:
    """A click on a node opens it, a second one closes it; True when there was one."""
    click = clicked(f"beam_{side}", SELECTION_NAME)
    place = click and click.get("id")
    if type(place) is not int or not 0 <= place < len(tree.nodes):
        return False
    path = ids_to(tree, tree.nodes[place])
    before = memory()["opened"]
    again = before.chosen and before == Opened(side, path)
    open_path(side, None if again else path)
    return True


def least_sure(tree: BeamTree) -> BeamNode:
    """The token of the best hypothesis that the model was least sure of."""
    return min(tree.path(tree.best)[1:], key=lambda node: node.log_prob)


def _open_node(tree: BeamTree, steered: BeamTree | None) -> tuple[Side, BeamNode | None]:
    trees: dict[Side, BeamTree] = {"first": tree}
    if steered is not None:
        trees["second"] = steered
    for side, each in trees.items():
        take_tree_click(each, side)
    opened: Opened = memory()["opened"]
    if opened.chosen and opened.path is None:
        return "first", None
    if opened.chosen:
        for side in (opened.side, "first", "second"):
            if side in trees and (node := _node_at(trees[side], opened.path)) is not None:
                return side, node
    return "first", least_sure(tree)


def _node_at(tree: BeamTree, path: Ids) -> BeamNode | None:
    found = tree.follow(path)
    return found[-1] if len(found) == len(path) + 1 else None


def _steered(run: Run, steer: Steer) -> BeamTree | None:
    if not steer:
        return None
    try:
        return search_again(run, run.choices.decoding, prefix=steer.text, prefix_ids=steer.ids)
    except ModelError as error:
        show_problem(error)
        st.caption(say("beam-steer-stays"))
        return None


def write_address(scene: BeamScene) -> None:
    """Keep the open node, the step and the beginning in the address, to be shared."""
    node = None
    if memory()["opened"].chosen:
        node = address.CLOSED if scene.node is None else scene.path
    address.write("node", node, NODE)
    steered = node is not None and scene.side == "second"
    address.write("tree", "steered" if steered else None, OPTION)
    address.write("step", memory()["step"], NUMBER)
    address.write("force", scene.steer.ids, IDS)
    address.write("begin", scene.steer.text or None, TEXT)


def _steer_from_address(run: Run) -> Steer:
    ids = address.read("force", IDS)
    if not ids:
        return Steer(text=address.read("begin", TEXT) or "")
    try:
        search_again(run, run.choices.decoding, prefix_ids=ids)
    except (ModelError, ValueError):
        return Steer()
    return Steer(ids=ids)


def _opened_from_address() -> Opened:
    path = address.read("node", NODE)
    if path is None:
        return Opened(chosen=False)
    if path == address.CLOSED:
        return Opened()
    return Opened("second" if address.read("tree", OPTION) == "steered" else "first", path)
