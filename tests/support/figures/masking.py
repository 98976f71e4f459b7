import numpy as np

from core.attention_masks import head_stages
from support.figures import rng
from viz.attention_masks import (
    MaskPanel,
    forced_figure,
    masks_figure,
    outside_figure,
    ranking_figure,
    ranking_table,
    stages_figure,
)
from viz.gaze import gaze_figure

TITLES = {"inside_title": "weight", "outside_title": "weight on later positions"}


def causal(tokens):
    return np.tri(len(tokens), dtype=bool)


def stages(tokens):
    scores = 3 * rng().normal(size=(len(tokens), len(tokens)))
    return stages_figure(head_stages(scores, causal(tokens)), tokens, tokens, row=0, click=2)


def masks(tokens):
    padding = np.tile(np.arange(len(tokens)) < 3, (len(tokens), 1))
    shown = {"causal": causal(tokens), "padding": padding}
    return masks_figure([MaskPanel(title, mask, tokens, tokens) for title, mask in shown.items()])


def outside(tokens, **more):
    weights = rng().dirichlet(np.ones(len(tokens)), len(tokens))
    return outside_figure(weights, causal(tokens), tokens, tokens, site="decoder", **TITLES, **more)


def forced(tokens):
    logs = -rng().random((2, len(tokens))) * 5
    logs[0, 0] = -np.inf
    return forced_figure(tokens, *logs, ("with", "without"))


def gaze(tokens):
    pixels, weights = np.full((4, 4, 3), 200, np.uint8), rng().random((len(tokens), 4))
    boxes = [(1, 0, 3, 2)] + [None] * (len(tokens) - 1)
    return gaze_figure(pixels, tokens, weights, grid=(2, 2), boxes=boxes)


FIGURES = {
    "masking-stages": stages,
    "masking-masks": masks,
    "masking-outside": outside,
    "masking-outside-hatched": lambda tokens: outside(tokens, hatched=True),
    "masking-ranking": lambda tokens: ranking_figure(
        ranking_table(rng().random((2, 10))), chosen=(1, 2)
    ),
    "masking-forced": forced,
    "gaze": gaze,
}
