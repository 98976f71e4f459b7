"""Small maps of one head, and one row of every head: the numbers in their tables."""

import json

import numpy as np

from support.figures import PLAIN, map_of
from support.figures.overview import LOOK
from viz.export import export_spec
from viz.figure import spec_of
from viz.heatmap import attention_heatmap
from viz.overview import head_grid


def test_the_overview_of_64_tokens_in_three_kinds_of_4_layers_by_8_heads_is_small():
    kinds, tokens = ("encoder", "decoder", "cross"), ("▁w",) * 64
    maps = [map_of(tokens, kind, layers=4, heads=8) for kind in kinds]
    figure = head_grid(maps, dict.fromkeys(kinds, np.zeros((4, 8))), **LOOK)
    assert len(json.dumps(export_spec(figure))) < 1_500_000


def test_the_product_is_the_score_times_the_root_of_the_width():
    scores = np.zeros((2, 3, 4, 4), np.float32)
    for d_k, times in ((16, "datum.score * 4.0"), (None, None)):
        figure = attention_heatmap(map_of(PLAIN[:4], scores=scores), 0, 0, d_k=d_k)
        layers = spec_of(figure)["vconcat"][0]["layer"]
        steps = [step for layer in layers for step in layer.get("transform", [])]
        worked_out = {step["as"]: step["calculate"] for step in steps if "as" in step}
        assert worked_out.get("product") == times
