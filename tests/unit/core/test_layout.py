"""Where the nodes of a search tree stand."""

import math
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from core.layout import beam_layout, spread
from support.trees import grow, trees, two_step_tree


@settings(max_examples=100, deadline=None)
@given(trees())
def test_what_holds_of_every_layout(tree):
    places = beam_layout(tree)
    assert places["id"].tolist() == list(range(len(tree.nodes)))
    assert np.isfinite(places[["x", "y"]].to_numpy()).all()
    for _, column in places.groupby("x"):
        assert (np.diff(np.sort(column["y"])) >= 1).all()  # a unit apart
    children = places[places["parent"] >= 0]
    for _, column in children.groupby("x"):
        for one, other in combinations(column.itertuples(), 2):  # links do not cross
            assert (one.parent_y - other.parent_y) * (one.y - other.y) >= 0
    assert (children["parent_x"] < children["x"]).all()
    assert places["y"].to_numpy()[children["parent"]].tolist() == children["parent_y"].tolist()
    best = places[places["on_best_path"]]
    assert best["id"].tolist() == [node.id for node in tree.path(tree.best)]
    assert (best["y"] == 0).all()  # a straight line along the top
    assert places["y"].min() >= 0
    assert places["y"].max() <= places["x"].value_counts().max() - 1
    np.testing.assert_allclose(places.groupby("x")["share"].sum(), 1.0)
    pre, last = places["pre"].to_numpy(), places["last"].to_numpy()
    for node in tree.nodes:
        (inside,) = np.nonzero((pre <= pre[node.id]) & (pre[node.id] <= last))
        assert {*inside.tolist()} == {n.id for n in tree.path(node.id)}
    pd.testing.assert_frame_equal(places, beam_layout(tree))


def test_only_child_stands_level_with_its_parent():
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
    shares = beam_layout(tree)["share"]
    np.testing.assert_allclose(shares[1:4], np.array([0.6, 0.3, 0.05]) / 0.95)
    np.testing.assert_allclose(shares[4:7], np.array([0.3, 0.27, 0.06]) / 0.63)
    nodes = list(tree.nodes)
    nodes[6] = replace(nodes[6], log_prob=-math.inf, cum_log_prob=-math.inf, score=-math.inf)
    shares = beam_layout(replace(tree, nodes=tuple(nodes)))["share"]
    np.testing.assert_allclose(shares[4:7], np.array([0.3, 0.27, 0]) / 0.57)


@given(
    st.lists(st.floats(-20, 20), min_size=1, max_size=6).map(lambda w: [round(x) for x in w]),
)
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
