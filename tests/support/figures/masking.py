import numpy as np

from core.attention_masks import head_stages
from support.figures import rng
from viz.attention_masks import (
    MaskPanel,
    masks_figure,
    pair_figure,
)
from viz.gaze import gaze_figure


def causal(tokens):
    return np.tri(len(tokens), dtype=bool)


def pair(tokens, step="weight"):
    scores = 3 * rng().normal(size=(len(tokens), len(tokens)))
    stages = head_stages(scores, causal(tokens))
    signed = (stages.scores, stages.scores)
    values = signed if step == "score" else (stages.weights, stages.free_weights)
    matrices = dict(zip(("with", "without"), values, strict=True))
    return pair_figure(matrices, stages.mask, (tokens, tokens), step=step, row=0, click=2)


def masks(tokens):
    padding = np.tile(np.arange(len(tokens)) < 3, (len(tokens), 1))
    shown = {"causal": causal(tokens), "padding": padding}
    return masks_figure([MaskPanel(title, mask, tokens, tokens) for title, mask in shown.items()])


def gaze(tokens):
    pixels, weights = np.full((4, 4, 3), 200, np.uint8), rng().random((len(tokens), 4))
    boxes = [(1, 0, 3, 2)] + [None] * (len(tokens) - 1)
    return gaze_figure(pixels, tokens, weights, grid=(2, 2), boxes=boxes)


FIGURES = {
    "masking-pair": pair,
    "masking-pair-scores": lambda tokens: pair(tokens, "score"),
    "masking-masks": masks,
    "gaze": gaze,
}
