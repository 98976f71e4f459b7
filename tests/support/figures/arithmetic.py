import numpy as np

from core.arithmetic import LargestContributions, Strip, largest_contributions, stage_strips, staged
from core.records.attention import CROSS, DECODER, AttentionMap, AttentionVectors
from core.softmax import scaling_effect
from support.figures import rng
from viz import arithmetic as figures


def stages_of(tokens, site=DECODER, *, heads=3, d_k=4, row=-1):
    """A row of one head of a layer, of random vectors."""
    n = len(tokens)
    q, k, v = rng().normal(size=(3, 1, heads, n, d_k)).astype("f4")
    w_o, bias = rng().normal(size=(1, heads * d_k, heads * d_k)), np.ones((1, heads * d_k))
    mask = np.tri(n, dtype=bool) if site.causal else np.ones((n, n), bool)
    weights = np.exp(q @ k.swapaxes(-1, -2) / d_k**0.5) * mask
    weights = (weights / weights.sum(-1, keepdims=True)).astype("f4")
    attention = AttentionMap(site, weights, tokens, tokens, mask=mask if site.causal else None)
    vectors = AttentionVectors(site.name, q, k, v, w_o.astype("f4"), bias.astype("f4"))
    return staged(vectors, attention, 0, heads - 1, row % n)


def shares_of(stages, n_rows=3) -> LargestContributions:
    return largest_contributions(stages, n_rows, always=0)


def matrix(tokens):
    found = stages_of(tokens)
    return figures.contribution_matrix(shares_of(found), found, tokens, chosen=0)


def two_strips(stages):
    """The weights with the division and without it."""
    scaled = "Scaled (÷ √4)", stages.weights, "share", stages.seen
    return Strip(*scaled), Strip(
        "figures-arithmetic-unscaled", stages.unscaled_weights, *scaled[2:]
    )


def strips(tokens, make=stage_strips, site=DECODER, **more):
    found = stages_of(tokens, site, row=len(tokens) // 2)
    return figures.strips_figure(make(found), tokens, site=site, **more)


FIGURES = {
    "stages-strips": lambda tokens: strips(tokens, chosen=0),
    "stages-strips-beside": lambda tokens: strips(tokens, site=CROSS, room=figures.ROOM_BESIDE),
    "stages-scaling": lambda tokens: strips(tokens, two_strips),
    "stages-weight": lambda tokens: figures.weight_figure(
        stages_of(tokens), 0, tokens, site=DECODER
    ),
    "stages-matrix": matrix,
    "stages-output": lambda tokens: figures.output_figure(stages_of(tokens)),
    "stages-curves": lambda tokens: figures.scaling_curves(
        scaling_effect(len(tokens)), stages_of(tokens)
    ),
}
