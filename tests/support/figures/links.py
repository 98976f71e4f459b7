"""Trees, ribbons and scores by length."""

from core.alignment import link_cells
from core.gold import Gold
from core.weights.links import links
from support.figures import map_of
from support.trees import ends_at, grow
from viz.gold import link_grid
from viz.ribbons import ribbon_figure
from viz.score_lines import score_lines
from viz.tree import beam_tree


def _tree(tokens):
    tree = grow([[(0, 0.6, "kept"), (0, 0.3, "pruned")]] * len(tokens) + [[(0, 0.5, "finished")]])
    for node in tree.nodes[1:-1]:
        object.__setattr__(node, "token", tokens[node.step - 1])
    return tree


def _lines(tokens):
    tree = ends_at([(-1.0 - i, 2 + i % 5) for i in range(len(tokens))])
    for node in tree.nodes[1:]:
        object.__setattr__(node, "token", tokens[node.id % len(tokens)])
    return score_lines(tree, (0, 1, 2))


def _ribbons(tokens):
    attention = map_of(tokens)
    return ribbon_figure(attention, links(attention, 1), rows=(0,))


def _ribbons_of_rows(tokens):
    attention = map_of(tokens)
    rows = (0, len(tokens) - 1) if len(tokens) > 1 else (0,)
    return ribbon_figure(attention, links(attention, 1, (0, 1)), rows=rows, horizontal=True)


def _link_grid(tokens):
    last = len(tokens) - 1
    gold = Gold.of([(0, 0)], [(last, 0)])
    return link_grid(link_cells({(0, 0), (0, last)}, gold, tokens, tokens), tokens, tokens)


FIGURES = {
    "beam-tree": lambda tokens: beam_tree(_tree(tokens)),
    "beam-tree-compared": lambda tokens: beam_tree(
        _tree(tokens), upto_step=1, selected=1, compare=_tree(tokens[:1])
    ),
    "score-lines": _lines,
    "link-grid": _link_grid,
    "ribbons": _ribbons,
    "ribbons-of-rows": _ribbons_of_rows,
}
