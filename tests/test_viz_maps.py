"""Small maps of one head, and one row of every head: the numbers in their tables."""

import json

import numpy as np
from figures import PLAIN, map_of, rng
from figures.overview import LOOK, frame_of

from viz.export import export_spec
from viz.figure import tables_of
from viz.maps import head_rows
from viz.overview import head_film, head_grid

WEIGHTS = rng().dirichlet(np.ones(6), size=(2, 4)).astype(np.float32)


def test_every_cell_has_the_name_of_its_head():
    assert tables_of(head_rows(WEIGHTS, PLAIN))["cells"]["name"].iloc[-1] == "layer 2, head 4"


def test_heads_stand_below_each_other_with_a_line_between_layers():
    tables = tables_of(head_rows(WEIGHTS, PLAIN))
    assert sorted(set(tables["cells"]["place"])) == [0, 1, 2, 3, 5, 6, 7, 8]
    assert tables["rows"]["label"].tolist()[3:6] == ["L1 H4", "", "L2 H1"]


def test_only_the_heads_asked_for_are_shown_in_their_order():
    tables = tables_of(head_rows(WEIGHTS, PLAIN, only=[(1, 2), (0, 0)]))
    assert tables["rows"]["label"].tolist() == ["L2 H3", "L1 H1"]
    assert tables["cells"].groupby("place")["layer"].first().tolist() == [1, 0]
    assert len(tables["cells"]) == 12


TOKENS = tuple(f"▁w{i}" for i in range(6))


def test_numbers_stand_at_their_heads_and_chosen_and_marked_ones_are_told_apart():
    heads = tables_of(head_grid(*frame_of(TOKENS), **LOOK))["heads"]
    heads = heads.set_index(["kind", "layer", "head"])
    assert heads["badge"].tolist() == ["0.00", "0.12", "0.25", "0.38", "0.50", "0.62 ◆", "", ""]
    assert heads.index[5] == ("encoder", 1, 2)
    assert heads.index[heads["selected"]].tolist() == [("cross", 0, 1)]


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
