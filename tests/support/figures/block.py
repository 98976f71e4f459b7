import numpy as np

from core.block import norm_stages, stream_table, stream_turns
from core.records.sublayers import Gradients, Lens, Stream, SubLayer
from support.figures import rng
from viz import block

PLACES = tuple(SubLayer("decoder", 0, name) for name in ("self", "cross", "feed_forward"))
SIZES = np.array([[1, 2, 3], [1e-21, 0, 3], [4, 5, 6], [7, 8, 9]], float)
GRADIENTS = Gradients(PLACES, SIZES, np.tile([0.1, 0.5, np.nan], (4, 1)), np.ones(4))
SOME = np.ones(len(PLACES), bool)


def stream_of(tokens):
    before, added, after = rng().normal(size=(3, len(PLACES), len(tokens), 16)).astype("f4")
    gains = np.ones((len(PLACES), 16), "f4")
    return Stream(PLACES, before, added, after, gains, 0 * gains, 1e-5, False, SOME, SOME)


def lens_of(tokens):
    """Two tokens of probability 1/4 everywhere, of ranks that count up from 1."""
    shape = (len(PLACES) + 1, len(tokens))
    best = (tuple((token, "▁b") for token in tokens),) * shape[0]
    quarter = np.full((*shape, 2), 0.25, "f4")
    ranks = np.arange(1, 1 + np.prod(shape)).reshape(shape)
    return Lens(PLACES, best, quarter, quarter[..., 0], ranks)


FIGURES = {
    "block-stream": lambda tokens: block.stream_arrows(
        stream_turns(stream_table(stream_of(tokens), 0)), PLACES, chosen=1
    ),
    "block-strips": lambda tokens: block.norm_strips(norm_stages(stream_of(tokens), 0, 0)),
    "block-matrices": lambda tokens: block.norm_matrices(
        stream_of(tokens).sums[0], tokens, 1e-5, chosen=0
    ),
    "block-gradients": lambda tokens: block.gradient_lines(GRADIENTS, 1e-3),
    "block-alike": lambda tokens: block.alike_lines(GRADIENTS),
    "block-lens": lambda tokens: block.lens_grid(lens_of(tokens), tokens, chosen=0),
}
