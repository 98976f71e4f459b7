import numpy as np

from core.positions import cosine_matrix, encoding_table, offset_similarity, rotation
from core.word_order import Equivariance
from support.figures import rng
from viz.encoding import curves_figure, encoding_heatmap, wavelength_figure
from viz.encoding_relations import (
    relative_biases,
    rotation_figure,
    similarity_curve,
    similarity_heatmap,
)
from viz.word_order import equivariance_plot, layer_panels, word_strips

SHORT, LONG = encoding_table(20, 8), encoding_table(200, 64)
CASES = tuple(
    Equivariance(positions, 32, ((0, 1), (1, 0)), np.array([0.0, 2e-7]), 3.0)
    for positions in (False, True)
)


def _panels(tokens):
    return dict(zip(("first", "second"), rng().random((2, 3, len(tokens))), strict=True))


FIGURES = {
    "encoding-curves": lambda tokens: curves_figure(SHORT, [0, 3], tokens=tokens, chosen=(4, 0)),
    "encoding-curves-long": lambda tokens: curves_figure(LONG, [2], tokens=tokens),
    "encoding-heatmap": lambda tokens: encoding_heatmap(SHORT, tokens=tokens, chosen=(4, 0)),
    "encoding-heatmap-long": lambda tokens: encoding_heatmap(LONG, tokens=tokens),
    "encoding-wavelengths": lambda tokens: wavelength_figure(
        8, sentence_length=len(tokens), max_len=160, pair=2
    ),
    "encoding-similarity": lambda tokens: similarity_curve(
        offset_similarity(SHORT), sentence_length=len(tokens)
    ),
    "encoding-cosines": lambda tokens: similarity_heatmap(cosine_matrix(SHORT), tokens=tokens),
    "encoding-cosines-long": lambda tokens: similarity_heatmap(cosine_matrix(LONG)),
    "encoding-rotation": lambda tokens: rotation_figure(rotation(4, 1, 3, 8), SHORT, tokens=tokens),
    "relative-biases": lambda tokens: relative_biases(
        np.arange(-3, 4), rng().normal(size=(2, 7)), ("H1", "H2")
    ),
    "order-layers": lambda tokens: layer_panels(_panels(tokens), tokens),
    "order-words": lambda tokens: word_strips(
        {"without": rng().normal(size=(2, len(tokens), 9))}, tokens, range(len(tokens))[::-1]
    ),
    "order-exact": lambda tokens: equivariance_plot(CASES),
}
