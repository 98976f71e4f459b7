"""The overview of all heads."""

import json

import numpy as np
import pytest

from records import AttentionMap
from viz.overview import SELECTION_NAME, head_grid, head_table


@pytest.fixture
def attention() -> AttentionMap:
    weights = np.random.default_rng(0).dirichlet(np.ones(6), size=(3, 4, 6)).astype(np.float32)
    tokens = tuple(f"▁w{i}" for i in range(6))
    return AttentionMap("encoder", weights, tokens, tokens)


def test_there_is_one_cell_for_each_head(attention):
    table = head_table(attention, np.zeros((3, 4)), selected=(0, 0))
    assert sorted(zip(table["layer"], table["head"], strict=True)) == [
        (layer, head) for layer in range(3) for head in range(4)
    ]


def test_every_head_has_a_picture_of_its_own(attention):
    table = head_table(attention, np.zeros((3, 4)), selected=(0, 0))
    assert table["image"].nunique() == 12
    assert table["image"].str.startswith("data:image/png;base64,").all()


def test_badges_stand_under_their_heads(attention):
    badges = np.arange(12).reshape(3, 4) / 100
    table = head_table(attention, badges, selected=(0, 0)).set_index(["layer", "head"])
    assert table.loc[(2, 1), "badge"] == "0.09"


def test_the_selected_head_and_the_marked_head_are_told_apart(attention):
    table = head_table(attention, np.zeros((3, 4)), selected=(1, 2), marked=(2, 3))
    table = table.set_index(["layer", "head"])
    assert table.index[table["selected"]].tolist() == [(1, 2)]
    assert table.index[table["badge"].str.contains("◆")].tolist() == [(2, 3)]


def test_a_click_reports_layer_and_head(attention):
    figure = head_grid(attention, np.zeros((3, 4)), badge_title="weight", selected=(0, 0), click=3)
    (picked,) = [p for p in figure.chart["params"] if p["name"] == SELECTION_NAME]
    assert picked["select"]["fields"] == ["layer", "head", "click"]
    assert set(figure.tables["heads"]["click"]) == {3}


def test_the_overview_of_an_ordinary_sentence_is_small():
    weights = np.random.default_rng(0).dirichlet(np.ones(20), size=(4, 8, 20)).astype(np.float32)
    tokens = ("▁w",) * 20
    attention = AttentionMap("encoder", weights, tokens, tokens)
    figure = head_grid(attention, np.zeros((4, 8)), badge_title="weight", selected=(0, 0))
    assert len(json.dumps(figure.to_dict())) < 200_000


def test_vega_draws_the_overview(attention):
    vl_convert = pytest.importorskip("vl_convert")
    figure = head_grid(attention, np.zeros((3, 4)), badge_title="weight", selected=(1, 2))
    svg = vl_convert.vegalite_to_svg(json.dumps(figure.to_dict()))
    assert svg.count("<image ") == 12
