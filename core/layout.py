"""Layout of search trees, and of labels that must not overlap."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import accumulate

import numpy as np
import pandas as pd

from .records.hypotheses import is_forced, only_here, penalties_of
from .records.search import BeamNode, BeamTree
from .records.tokens import token_label

_SWEEPS = 12
"""Passes over all columns at most; the layout usually settles sooner."""
_PRUNED_PULL = 0.1  # a bent link to a kept node costs as much as ten to pruned ones


def beam_layout(tree: BeamTree) -> pd.DataFrame:
    """Place each node: one column a step, no two nodes of a column closer than one unit.

    One row a node in the order of the tree: id; x (the step); y (0 at the top, growing downwards,
    one unit a row); parent (id, -1 for a root), parent_x and parent_y (NaN for a root); status;
    on_best_path; share (probability of the whole path among the nodes of its step, which sum to
    one); pre and last (the descendants of a node, itself included, are those with `pre` from its
    own `pre` to its `last`).

    Every column lists its nodes in the same depth-first order, so links never cross (as in tidy
    trees, Reingold and Tilford 1981). Within that order the nodes stand where the links bend
    least, found column by column, in whole rows and no more of them than the fullest column
    needs. The best path comes first everywhere: a straight line along the top.
    """
    nodes = tree.nodes
    best = {node.id for node in tree.path(tree.best)}
    roots, children = _roots_and_children(nodes)
    pre, last = _depth_first(roots, children, best)
    columns: dict[int, list[int]] = {}
    for node_id in np.argsort(pre).tolist():
        columns.setdefault(nodes[node_id].step, []).append(node_id)
    y = _heights(nodes, [columns[step] for step in sorted(columns)], children, best)
    parents = [-1 if node.parent is None else node.parent for node in nodes]
    x = np.array([node.step for node in nodes], np.int32)
    is_root = np.array(parents) < 0
    return pd.DataFrame(
        {
            "id": np.arange(len(nodes), dtype=np.int32),
            "x": x,
            "y": y,
            "parent": np.array(parents, np.int32),
            "parent_x": np.where(is_root, np.nan, x[parents]),
            "parent_y": np.where(is_root, np.nan, y[parents]),
            "status": [node.status for node in nodes],
            "on_best_path": [node.id in best for node in nodes],
            "share": path_shares(nodes),
            "pre": pre,
            "last": last,
        }
    )


def tree_table(tree: BeamTree, other: BeamTree | None = None) -> pd.DataFrame:
    """Return `beam_layout` with the numbers of the search.

    Further columns token, step, log_prob, probability, sum (of log_prob from the root), penalty,
    score, rank (from 1), forced, only_here (True if `other` has no such path).
    """
    nodes = tree.nodes
    log_probs, sums, scores = (
        np.array([getattr(node, name) for node in nodes])
        for name in ("log_prob", "cum_log_prob", "score")
    )
    layout = beam_layout(tree)
    return layout.assign(
        token=[token_label(node.token, max_length=48) for node in nodes],
        step=layout["x"],
        log_prob=log_probs,
        probability=np.exp(log_probs),
        sum=sums,
        penalty=penalties_of(sums, scores),
        score=scores,
        rank=[node.rank + 1 for node in nodes],
        forced=[is_forced(tree, node) for node in nodes],
        only_here=only_here(tree, other),
    )


def link_paths(
    table: pd.DataFrame, steps: tuple[int, int], free: int, radius: np.ndarray, words: np.ndarray
) -> list[str]:
    """Return for each node of a `tree_table` the SVG path from the end of its parent's label.

    A path is relative to its node and in pixels. `steps`: from one column and one row to the next.
    `free`: part of a column that a node and its label may take. `radius`, `words`: radius of each
    node and width of its label, (n_nodes,).
    """
    parent = table["parent"].to_numpy()
    bend = free - steps[0]
    across = (table["x"] - table["parent_x"]) * steps[0]
    up = (table["parent_y"] - table["y"]) * steps[1]
    # Seven pixels are the gaps around the label. Beyond the bend the link would turn back.
    start = np.minimum(radius[parent] + 7 + words[parent] - across, bend)
    half = (bend - radius) / 2
    return [
        f"M{x:.0f},{y:.1f}H{bend}C{middle:.1f},{y:.1f} {middle:.1f},0 {-end},0"
        if parent_id >= 0
        else "M0,0"
        for parent_id, x, y, middle, end in zip(parent, start, up, half, radius, strict=True)
    ]


def spread(
    wanted: Sequence[Sequence[tuple[float, float]]],
    *,
    gap: float = 1.0,
    highest: float = math.inf,
) -> list[float]:
    """Return positions in order, at least `gap` apart, as near as possible to those wanted.

    Every item names positions that pull at it, each with a weight; the sum of weighted distances is
    minimal. With the gaps subtracted this is isotonic regression in absolute distance, solved by
    pooling adjacent violators; the bounds then only clip. If they leave too little room, positions
    run past `highest`.
    """
    pools: list[tuple[float, list[tuple[float, float]], int]] = []  # place, pulls, how many
    for i, pulls in enumerate(wanted):
        # Without the gaps the positions need only be in order.
        joint = [(position - i * gap, weight) for position, weight in pulls]
        count = 1
        # The weighted median minimises the weighted sum of distances.
        position = _weighted_median(joint)
        while pools and pools[-1][0] > position:
            _, before, n = pools.pop()
            joint = before + joint
            count += n
            position = _weighted_median(joint)
        pools.append((position, joint, count))
    top = max(0.0, highest - gap * (len(wanted) - 1))
    clipped = [min(max(p, 0.0), top) for p, _, count in pools for _ in range(count)]
    return [position + i * gap for i, position in enumerate(clipped)]


def _weighted_median(pulls: list[tuple[float, float]]) -> float:
    """Return the smallest position with at least half of the weight at or below it."""
    ordered = sorted(pulls)
    reached = list(accumulate(weight for _, weight in ordered))
    # 1e-9: sums of weights such as 0.1 may miss exactly half.
    return ordered[bisect_left(reached, reached[-1] / 2 - 1e-9)][0]


def _roots_and_children(
    nodes: Sequence[BeamNode],
) -> tuple[list[BeamNode], list[list[BeamNode]]]:
    """Return the nodes without a parent, and the children of each node."""
    children: list[list[BeamNode]] = [[] for _ in nodes]
    roots: list[BeamNode] = []
    for node in nodes:
        if node.parent is None:
            roots.append(node)
        else:
            children[node.parent].append(node)
    return roots, children


def _depth_first(
    roots: Sequence[BeamNode], children: Sequence[Sequence[BeamNode]], best: set[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Number the nodes depth-first; return its number and the last one below it, by node."""

    def order(node: BeamNode) -> tuple[bool, bool, int, int]:
        return node.id not in best, node.status == "pruned", node.rank, node.id

    pre = np.zeros(len(children), np.int32)
    last = np.zeros(len(children), np.int32)
    pending = sorted(roots, key=order, reverse=True)
    visited: list[BeamNode] = []
    while pending:
        node = pending.pop()
        pre[node.id] = last[node.id] = len(visited)
        visited.append(node)
        pending += sorted(children[node.id], key=order, reverse=True)
    for node in reversed(visited):
        if node.parent is not None:
            last[node.parent] = max(last[node.parent], last[node.id])
    return pre, last


def _heights(
    nodes: Sequence[BeamNode],
    columns: Sequence[Sequence[int]],
    children: Sequence[Sequence[BeamNode]],
    best: set[int],
) -> np.ndarray:
    """Return y of each node: placed beside its parent, then balanced with its children as well."""
    rows = max(map(len, columns)) - 1
    pull = [_PRUNED_PULL if node.status == "pruned" else 1.0 for node in nodes]
    y = [0.0] * len(nodes)

    def pulls_at(i: int, look_ahead: bool) -> list[tuple[float, float]]:
        if i in best:
            return [(0.0, 1.0)]
        parent = nodes[i].parent
        pulls = [] if parent is None else [(y[parent], pull[i])]
        if look_ahead:
            pulls += [(y[child.id], pull[child.id]) for child in children[i]]
        # In the first pass nothing pulls at a root, which stays where it is.
        return pulls or [(y[i], 1.0)]

    def settle(column: Sequence[int], look_ahead: bool) -> bool:
        heights = spread([pulls_at(i, look_ahead) for i in column], highest=rows)
        changed = any(y[i] != height for i, height in zip(column, heights, strict=True))
        for i, height in zip(column, heights, strict=True):
            y[i] = height
        return changed

    for column in columns:
        settle(column, look_ahead=False)
    _sweep(len(columns), lambda at: settle(columns[at], look_ahead=True))
    return np.array(y)


def _sweep(n_columns: int, settle: Callable[[int], bool]) -> None:
    """Call `settle`, which returns True if nodes moved, right to left and back until none does."""
    every = range(n_columns)
    # A column needs another pass only if it or one of its neighbours moved.
    moved = set(every)
    for _ in range(_SWEEPS):
        for at in (*reversed(every), *every):
            if at in moved:
                moved.discard(at)
                if settle(at):
                    moved |= {at - 1, at, at + 1} & set(every)
        if not moved:
            break


def path_shares(nodes: Sequence[BeamNode]) -> np.ndarray:
    """Return exp(cum_log_prob) over its sum at the same step; float64 (n_nodes,)."""
    steps = np.array([node.step for node in nodes])
    sums = np.array([node.cum_log_prob for node in nodes], dtype=np.float64)
    largest = np.full(steps.max() + 1, -np.inf)
    # Indexed assignment would keep only the last node of each step.
    np.maximum.at(largest, steps, sums)
    finite = np.isfinite(sums)
    terms = np.zeros(len(nodes))
    # Relative to the largest of the step: long paths would underflow to 0.
    terms[finite] = np.exp(sums[finite] - largest[steps[finite]])
    totals = np.bincount(steps, weights=terms)
    return terms / np.where(totals > 0, totals, 1.0)[steps]


def line_ends(
    lines: pd.DataFrame, log: bool, *, height: float, padding: float, gap: float
) -> pd.DataFrame:
    """Return the last points of the lines of a `score_table`, the highest first.

    Adds the columns end (pixels from the top of a drawing of this height and padding) and place (of
    a label, moved so that labels are `gap` apart).
    """
    up = -np.log(-lines["score"]) if log else lines["score"]  # as the axis puts them
    span = up.max() - up.min()
    share = (up.max() - up) / span if span > 0 else 0.5 + 0 * up
    ends = lines.assign(end=padding + share * (height - 2 * padding))
    ends = ends[ends["alpha"] == ends["alpha"].max()].sort_values(["end", "node"])
    return ends.assign(place=spread([[(end, 1.0)] for end in ends["end"]], gap=gap, highest=height))
