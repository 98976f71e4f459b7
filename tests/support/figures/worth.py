import numpy as np

from core.pruning import PrunedSite, pruning_table
from core.records.sublayers import SubLayer
from core.score_parts import BIASES, CONTENT, POSITION, ScoreSplit, pair_table, score_cells
from support.figures import rng
from viz.pruning import pruning_lines
from viz.score_parts import why_figure

WRITTEN = tuple(SubLayer("encoder", 0, name) for name in ("self", "feed-forward"))


def _why(tokens, layer=0, parts=(CONTENT, POSITION)):
    sums = rng().standard_normal((2, len(parts), 3, len(tokens), 4))
    scores = np.einsum("ahid,bhjd->hij", *sums) / 2
    split = ScoreSplit(layer, parts, *sums, scores.astype(np.float32))
    every, last = range(len(parts)), len(tokens) - 1
    cells, pairs = score_cells(split, 1, tokens, every, every), pair_table(split, 1, 0, last)
    return why_figure(split, cells, pairs, tokens, (1, 0, last))


def _later(tokens):
    return _why(tokens, 1, (CONTENT, POSITION, *WRITTEN, BIASES))


def _site(names):
    curves = [{name: [0.9, 0.5 - at / 10, 0.0] for name in names} for at in range(4)]
    order = [[layer, head] for layer in range(2) for head in range(3)]
    ranked, *drawn = curves
    told = {"removed": [0, 3, 6], "order": order, "ranked": ranked, "random": drawn}
    return pruning_table(PrunedSite.from_values(told))


FIGURES = {
    "why": _why,
    "why-later": _later,
    "pruning": lambda tokens: pruning_lines(_site(("bleu", "pronoun", "aer"))),
    "pruning-bleu": lambda tokens: pruning_lines(_site(("bleu",)), "cross"),
}
