"""Small maps of one head, and one row of every head: the numbers in their tables."""

import json

import numpy as np
from figures import PLAIN, map_of, rng
from figures.overview import LOOK, frame_of

from viz.export import export_spec
from viz.figure import spec_of, tables_of
from viz.heatmap import attention_heatmap
from viz.maps import head_rows
from viz.overview import head_film, head_grid

WEIGHTS = rng().dirichlet(np.ones(6), size=(2, 4)).astype(np.float32)


def test_only_the_heads_asked_for_are_shown_in_their_order():
    tables = tables_of(head_rows(WEIGHTS, PLAIN, only=[(1, 2), (0, 0)]))
    assert tables["rows"]["label"].tolist() == ["L2 H3", "L1 H1"]
    assert tables["cells"].groupby("place")["layer"].first().tolist() == [1, 0]
    assert len(tables["cells"]) == 12


TOKENS = tuple(f"▁w{i}" for i in range(6))


def test_a_film_has_every_head_and_picture_at_every_time():
    frames = [frame_of(TOKENS)] * 3
    tables = tables_of(head_film(frames, signal="moment", at=1, click=4, **LOOK))
    assert tables["heads"].groupby("time").size().tolist() == [8, 8, 8]
    assert set(tables["heads"]["click"]) == {4}
    assert tables["pictures"].groupby("time")["image"].nunique().tolist() == [2, 2, 2]
    assert tables["pictures"]["image"].str.startswith("data:image/png;base64,").all()


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
