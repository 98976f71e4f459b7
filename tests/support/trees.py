"""Search trees by hand, for tests."""

from __future__ import annotations

import math

from hypothesis import strategies as st

from core.records.hypotheses import length_penalty
from core.records.search import BeamNode, BeamTree
from words import Message


def _node(id, parent, step, token, token_id, log_prob, total, rank, status, alpha=0.6, reason=None):
    score = total / length_penalty(step, alpha, "wu")
    return BeamNode(id, parent, step, token, token_id, log_prob, total, score, rank, status, reason)


ROOT = BeamNode(0, None, 0, "<s>", 1, 0.0, 0.0, 0.0, 0, "kept")
BEYOND = Message("model-reason-beyond-beam")


def grow(steps) -> BeamTree:
    """A tree by hand: each step lists (parent's place in the step before, probability, status).

    A node's token tells its place; ranks are the places within the step.
    """
    nodes, before = [ROOT], [0]
    for step, children in enumerate(steps, start=1):
        here = []
        for rank, (place, probability, status) in enumerate(children):
            parent, log_prob = nodes[before[place]], math.log(probability)
            token = "</s>" if status == "finished" else f"▁w{len(nodes)}"
            total = parent.cum_log_prob + log_prob
            reason = BEYOND if status == "pruned" else None
            here.append(len(nodes))
            nodes.append(
                _node(
                    len(nodes), parent.id, step, token, 10 + rank, log_prob, total, rank, status,
                    reason=reason,
                )
            )  # fmt: skip
        before = here
    ends = [n for n in nodes if n.status == "finished"] or [nodes[i] for i in before]
    best = max(ends, key=lambda node: (node.score, -node.id)).id
    return BeamTree(tuple(nodes), 3, 0.6, len(steps), best)


@st.composite
def trees(draw) -> BeamTree:
    """Searches of any shape: only nodes that were kept have children."""
    steps, live = [], [0]
    for _ in range(draw(st.integers(1, 7))):
        parents = draw(st.lists(st.sampled_from(live), min_size=1, max_size=9))
        child = st.tuples(
            st.floats(0.001, 1.0), st.sampled_from(["kept", "kept", "pruned", "finished"])
        )
        step = [(parent, *draw(child)) for parent in parents]
        steps.append(step)
        live = [i for i, (_, _, status) in enumerate(step) if status == "kept"]
        if not live:
            break
    if all(status == "pruned" for _, _, status in steps[-1]):
        steps[-1][0] = (*steps[-1][0][:2], "finished")
    return grow(steps)


def two_step_tree() -> BeamTree:
    return grow(
        [
            [(0, 0.6, "kept"), (0, 0.3, "kept"), (0, 0.05, "pruned")],
            [(0, 0.5, "finished"), (1, 0.9, "kept"), (0, 0.1, "pruned")],
        ]
    )


def ends_at(log_probs_and_lengths, alpha=0.6) -> BeamTree:
    """A tree with one finished hypothesis for each (summed log-probability, length)."""
    nodes, ends = [ROOT], []
    for total, length in log_probs_and_lengths:
        parent, each = 0, total / length
        for step in range(1, length + 1):
            last = step == length
            token, status = ("</s>", "finished") if last else (f"▁h{len(ends)}", "kept")
            cum = total * step / length
            nodes.append(_node(len(nodes), parent, step, token, step, each, cum, 0, status, alpha))
            parent = nodes[-1].id
        ends.append(nodes[-1])
    best = max(ends, key=lambda node: node.score)
    return BeamTree(tuple(nodes), 4, alpha, 50, best.id)
