"""Trees of searches: how penalties rank the hypotheses, and where the nodes stand."""

import math
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.layout import beam_layout, spread
from core.records.hypotheses import hypotheses_table, length_penalty, rerank, score_crossings
from core.records.search import PENALTIES, Decoding
from support.models import SENTENCES
from support.trees import ends_at, grow, trees, two_step_tree


def test_the_table_ranks_as_the_tree_does_and_so_does_its_own_penalty(tiny_translator):
    tree = tiny_translator.translate(SENTENCES[0], Decoding(beam_size=4, alpha=0.8)).tree
    frame, found = hypotheses_table(tree), tree.hypotheses()
    assert frame["node"].tolist() == [h.node for h in found]
    assert frame["rank"].tolist() == list(range(1, len(found) + 1))
    np.testing.assert_allclose(frame["log_prob"], [sum(h.log_probs) for h in found], rtol=1e-4)
    np.testing.assert_allclose(frame["score"] * frame["penalty"], frame["log_prob"])
    own = rerank(tree, 0.8, "wu")
    assert (own["rank"] == own["was"]).all()
    np.testing.assert_allclose(own["score"], frame["score"])


def test_text_leaves_the_end_out_and_is_whole_where_it_has_none():
    frame = hypotheses_table(ends_at([(-2.0, 3)]))
    assert (frame["text"].tolist(), frame["length"].tolist()) == (["h0 h0"], [3])
    frame = hypotheses_table(grow([[(0, 0.9, "kept")], [(0, 0.9, "kept")]]))
    assert (frame["text"].tolist(), frame["finished"].tolist()) == (["w1 w2"], [False])


def test_a_longer_hypothesis_overtakes_where_the_scores_are_equal():
    tree = ends_at([(-2.0, 4), (-3.0, 8)])
    frame = hypotheses_table(tree)
    crossing = score_crossings(frame, 0.0, 2.0, "length").iloc[0]
    assert crossing["alpha"] == pytest.approx(math.log2(1.5))  # 3 / 2 = (8 / 4) ** alpha
    assert crossing["score"] == pytest.approx(-3.0 / 8 ** math.log2(1.5))
    assert crossing["winner"] == frame.loc[frame["length"] == 8, "node"].item()
    assert crossing["leads"]
    assert score_crossings(frame, 0.0, 5.0, "none").empty
    assert rerank(tree, 0.0, "length")["score"].tolist() == [-2.0, -3.0]
    after = rerank(tree, 1.0, "length")  # by hand: -2 / 4 and -3 / 8
    assert (after["score"].tolist(), after["length"].tolist()) == ([-0.375, -0.5], [8, 4])
    assert sorted(after["was"]) == [1, 2]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.floats(-30, -0.1), st.integers(1, 12)), min_size=2, max_size=5))
def test_ranking_changes_only_at_crossings(ends):
    tree = ends_at(ends)
    crossings = score_crossings(hypotheses_table(tree), 0.0, 3.0, "wu")["alpha"].tolist()
    for left, right in pairwise(sorted({0.0, *crossings, 3.0})):
        if right - left > 0.01:
            margin = (right - left) / 10
            before, after = (rerank(tree, a, "wu") for a in (left + margin, right - margin))
            assert before["node"].tolist() == after["node"].tolist()


def test_penalties_by_hand_and_none_falls_as_the_length_grows():
    """Bounds of both searches rest on that."""
    for length, alpha, kind, expected in (
        (1, 0.6, "wu", 1.0),
        (7, 1.0, "wu", 2.0),
        (7, 2.0, "wu", 4.0),
        (100, 0.0, "wu", 1.0),
        (4, 0.5, "length", 2.0),
        (9, 3.0, "none", 1.0),
    ):
        assert length_penalty(length, alpha, kind) == pytest.approx(expected)
    assert length_penalty(19, 0.5) == pytest.approx(2.0)
    for kind in PENALTIES:
        for alpha in (0.0, 0.6, 5.0):
            penalties = [length_penalty(n, alpha, kind) for n in range(1, 200)]
            assert penalties == sorted(penalties)


@settings(max_examples=60, deadline=None)
@given(trees())
def test_in_every_layout_links_do_not_cross_and_the_best_path_is_straight(tree):
    places = beam_layout(tree)
    assert places["id"].tolist() == list(range(len(tree.nodes)))
    assert np.isfinite(places[["x", "y"]].to_numpy()).all()
    for _, column in places.groupby("x"):
        assert (np.diff(np.sort(column["y"])) >= 1).all()  # a unit apart
    children = places[places["parent"] >= 0]
    for _, column in children.groupby("x"):
        for one, other in combinations(column.itertuples(), 2):
            assert (one.parent_y - other.parent_y) * (one.y - other.y) >= 0
    assert (children["parent_x"] < children["x"]).all()
    assert places["y"].to_numpy()[children["parent"]].tolist() == children["parent_y"].tolist()
    best = places[places["on_best_path"]]
    assert best["id"].tolist() == [node.id for node in tree.path(tree.best)]
    assert (best["y"] == 0).all()  # along the top
    assert places["y"].min() >= 0
    assert places["y"].max() <= places["x"].value_counts().max() - 1
    np.testing.assert_allclose(places.groupby("x")["share"].sum(), 1.0)
    pre, last = places["pre"].to_numpy(), places["last"].to_numpy()
    for node in tree.nodes:
        (inside,) = np.nonzero((pre <= pre[node.id]) & (pre[node.id] <= last))
        assert {*inside.tolist()} == {n.id for n in tree.path(node.id)}


def test_an_only_child_stands_level_with_its_parent():
    tree = grow(
        [
            [(0, 0.6, "kept"), (0, 0.3, "kept")],
            [(0, 0.9, "kept"), (1, 0.9, "kept"), (0, 0.1, "pruned")],
            [(0, 0.9, "finished"), (1, 0.9, "finished")],
        ]
    )
    y = beam_layout(tree)["y"]
    assert y[4] == y[7] == 2


def test_shares_are_those_of_the_paths_and_a_probability_of_zero_has_none():
    tree = two_step_tree()
    nodes = list(tree.nodes)
    nodes[6] = replace(nodes[6], log_prob=-math.inf, cum_log_prob=-math.inf, score=-math.inf)
    shares = beam_layout(replace(tree, nodes=tuple(nodes)))["share"]
    np.testing.assert_allclose(shares[1:4], np.array([0.6, 0.3, 0.05]) / 0.95)
    np.testing.assert_allclose(shares[4:7], np.array([0.3, 0.27, 0]) / 0.57)


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=6))
@settings(max_examples=50, deadline=None)
def test_spread_is_as_near_as_brute_force_finds(wanted):
    def cost(places):
        return sum(abs(place - w) for place, w in zip(places, wanted, strict=True))

    n, high = len(wanted), 7
    found = spread([[(w, 1.0)] for w in wanted], highest=high)
    assert all(b - a >= 1 for a, b in pairwise(found))
    assert found[0] >= 0
    assert found[-1] <= high
    # With whole numbers wanted, whole numbers are among the best answers.
    assert cost(found) == min(cost(places) for places in combinations(range(high + 1), n))
