"""The overview of all heads."""

import json

import altair as alt
import numpy as np
import pytest

from records import CROSS, ENCODER, TRANSFORMER_SITES, AttentionMap
from viz.labels import site_title
from viz.overview import head_grid, head_table
from words import english


@pytest.fixture
def attention() -> AttentionMap:
    weights = np.random.default_rng(0).dirichlet(np.ones(6), size=(3, 4, 6)).astype(np.float32)
    tokens = tuple(f"▁w{i}" for i in range(6))
    return AttentionMap(ENCODER, weights, tokens, tokens)


@pytest.fixture
def maps(attention) -> list[AttentionMap]:
    """Two kinds of unequal size."""
    weights = np.random.default_rng(1).dirichlet(np.ones(6), size=(2, 3, 5)).astype(np.float32)
    queries = tuple(f"▁q{i}" for i in range(5))
    return [attention, AttentionMap(CROSS, weights, queries, attention.key_tokens)]


def zeros(maps):
    return {m.kind: np.zeros((m.n_layers, m.n_heads)) for m in maps}


FIRST = ("encoder", 0, 0)


def heads_of(maps, badges=None, selected=FIRST, **options):
    heads = head_table(maps, badges or zeros(maps), selected=selected, **options)
    return heads.set_index(["kind", "layer", "head"])


def test_there_is_one_cell_for_each_head_of_each_kind(maps):
    wanted = {("encoder", a, b) for a in range(3) for b in range(4)}
    wanted |= {("cross", a, b) for a in range(2) for b in range(3)}
    heads = heads_of(maps)
    assert set(heads.index) == wanted
    assert len(heads) == len(wanted)


def test_no_two_heads_share_a_place(maps):
    heads = heads_of(maps)
    assert not heads.duplicated(["x", "y"]).any()
    assert heads["y"].loc["cross"].min() > heads["y"].loc["encoder"].max()


def test_every_kind_has_one_picture_as_wide_and_high_as_its_heads(maps):
    figure = head_grid(maps, zeros(maps), badge_title="weight", selected=FIRST)
    pictures = figure.tables["pictures"]
    heads = figure.tables["heads"]
    assert pictures["image"].str.startswith("data:image/png;base64,").all()
    assert pictures["image"].nunique() == 2
    for picture, attention in zip(pictures.itertuples(), maps, strict=True):
        inside = heads[heads["kind"] == attention.kind]
        across, down = inside["x"].sort_values().unique(), inside["y"].sort_values().unique()
        assert (picture.x2 - picture.x) / attention.n_heads == across[1] - across[0]
        assert (picture.y2 - picture.y) / attention.n_layers == down[1] - down[0]
        assert picture.y == down[0]


def test_opening_another_head_leaves_the_pictures_alone(maps):
    first, second = (
        head_grid(maps, zeros(maps), badge_title="weight", selected=head)
        for head in (FIRST, ("cross", 1, 1))
    )
    assert first.chart == second.chart
    assert first.tables["pictures"].equals(second.tables["pictures"])


def test_badges_stand_under_their_heads(maps):
    badges = {"encoder": np.arange(12).reshape(3, 4) / 100, "cross": np.full((2, 3), np.nan)}
    heads = heads_of(maps, badges)
    assert heads.loc[("encoder", 2, 1), "badge"] == "0.09"
    assert set(heads[heads.index.get_level_values("kind") == "cross"]["badge"]) == {""}


def test_the_selected_head_and_the_marked_head_are_told_apart(maps):
    heads = heads_of(maps, selected=("cross", 1, 2), marked=[("encoder", 2, 3)])
    assert heads.index[heads["selected"]].tolist() == [("cross", 1, 2)]
    assert heads.index[heads["badge"].str.contains("◆")].tolist() == [("encoder", 2, 3)]


def test_the_overview_of_64_tokens_in_three_kinds_of_4_layers_by_8_heads_is_small():
    weights = np.random.default_rng(0).dirichlet(np.ones(64), size=(4, 8, 64)).astype(np.float32)
    tokens = ("▁w",) * 64
    maps = [
        AttentionMap(TRANSFORMER_SITES[kind], weights, tokens, tokens)
        for kind in ("encoder", "decoder", "cross")
    ]
    figure = head_grid(maps, zeros(maps), badge_title="weight", selected=FIRST)
    assert len(json.dumps(figure.to_dict())) < 1_500_000


def test_vega_draws_the_overview(maps):
    vl_convert = pytest.importorskip("vl_convert")
    figure = head_grid(maps, zeros(maps), badge_title="weight", selected=("cross", 1, 2))
    alt.Chart.from_dict(figure.chart)
    svg = vl_convert.vegalite_to_svg(json.dumps(figure.to_dict()))
    assert svg.count("<image ") == 2
    title = english("figures-overview-by-layer", site=site_title("cross"))
    assert title in svg
