from support.figures import map_of, rng
from viz.heatmap import HeatmapOptions, attention_heatmap


def _scored(tokens):
    scores = rng().normal(size=(2, 3, len(tokens), len(tokens))).astype("float32")
    return map_of(tokens, "decoder", scores=scores)


FIGURES = {
    "heatmap": lambda tokens: attention_heatmap(map_of(tokens), 0, 0),
    "heatmap-causal": lambda tokens: attention_heatmap(
        _scored(tokens),
        1,
        2,
        row_tokens=tokens[::-1],
        locked_rows=[0],
        locked_columns=[0],
        options=HeatmapOptions(contrast=True, d_k=8),
    ),
}
