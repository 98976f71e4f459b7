from core.weights.aggregate import combine
from core.weights.row_heads import row_of_heads
from support.figures import map_of
from viz.together import heads_together


def _together(tokens, site="encoder", layer=None, **more):
    attention = map_of(tokens, site)
    row = len(tokens) - 1
    return heads_together(
        combine(attention, "mean", layer),
        row_of_heads(attention, row, layer),
        row,
        row_tokens=tokens,
        titles=("Mean weight", "Weight"),
        locked=((row,), (0,)),
        opened=(1, 2),
        **more,
    )


FIGURES = {
    "together": _together,
    "together-causal-layer": lambda tokens: _together(
        tokens, "decoder", 1, contrast=True, sums=False, click=2
    ),
}
