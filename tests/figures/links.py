"""Trees, ribbons, traces and scores by length."""

import numpy as np
from test_core_trace import sequence
from trees import ends_at, grow

from core.knockout import Decision
from core.links import links
from core.trace import Trace, trace_path
from figures import map_of, rng
from viz.ribbons import ribbon_figure
from viz.score_lines import score_lines
from viz.trace import trace_flow
from viz.tree import beam_tree


def _tree(tokens):
    tree = grow([[(0, 0.6, "kept"), (0, 0.3, "pruned")]] * len(tokens) + [[(0, 0.5, "finished")]])
    for node in tree.nodes[1:-1]:
        object.__setattr__(node, "token", tokens[node.step - 1])
    return tree


def _trace(tokens):
    n, last = len(tokens), len(tokens) - 1
    shapes = {"encoder": (3, 2, n, n), "decoder": (2, 2, n, n), "cross": (2, 2, n, n)}
    changes = {kind: rng().normal(size=shape) for kind, shape in shapes.items()}
    changes["decoder"][:, :, *np.triu_indices(n, 1)] = np.nan
    decision = Decision(last, 4 + last, tokens[last], 3, "▁other")
    heads = {kind: np.zeros(shape[:2]) for kind, shape in shapes.items()}
    weights = {kind: np.full(shape, 1 / n) for kind, shape in shapes.items()}
    text = sequence(*tokens)
    return Trace(text, text, decision, 4.0, changes, heads, weights, 10, 5, 0.1)


def _lines(tokens):
    tree = ends_at([(-1.0 - i, 2 + i % 5) for i in range(len(tokens))])
    for node in tree.nodes[1:]:
        object.__setattr__(node, "token", tokens[node.id % len(tokens)])
    return score_lines(tree, (0, 1, 2))


def _ribbons(tokens):
    attention = map_of(tokens)
    return ribbon_figure(attention, links(attention, 1), rows=(0,))


FIGURES = {
    "beam-tree": lambda tokens: beam_tree(_tree(tokens)),
    "beam-tree-compared": lambda tokens: beam_tree(
        _tree(tokens), upto_step=1, selected=1, compare=_tree(tokens[:1])
    ),
    "score-lines": _lines,
    "ribbons": _ribbons,
    "trace": lambda tokens: trace_flow(_trace(tokens), trace_path(_trace(tokens))),
}
