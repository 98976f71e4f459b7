"""The search tree: where nodes stand, what is drawn, and how penalties rank hypotheses."""

import html
import json
import math
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from records import BeamNode, BeamTree, Decoding
from viz.beam import (
    SELECTION_NAME,
    beam_layout,
    beam_tree,
    hypotheses_table,
    penalty_of,
    rerank,
    score_crossings,
    score_lines,
    spread,
)

few = settings(max_examples=50, deadline=None)
SENTENCE = "The animal didn't cross the street because it was too tired."


def grow(steps) -> BeamTree:
    """A tree by hand: each step lists (parent's place in the step before, probability, status).

    A node's token tells its place; ranks are the places within the step.
    """
    nodes = [BeamNode(0, None, 0, "<s>", 1, 0.0, 0.0, 0.0, 0, "kept")]
    before = [0]
    for step, children in enumerate(steps, start=1):
        here = []
        for rank, (place, probability, status) in enumerate(children):
            parent = nodes[before[place]]
            log_prob = math.log(probability)
            total = parent.cum_log_prob + log_prob
            token = "</s>" if status == "finished" else f"▁w{len(nodes)}"
            nodes.append(
                BeamNode(
                    len(nodes),
                    parent.id,
                    step,
                    token,
                    10 + rank,
                    log_prob,
                    total,
                    total / penalty_of(step, 0.6, "wu"),
                    rank,
                    status,
                    "rank beyond the beam" if status == "pruned" else "",
                )
            )
            here.append(nodes[-1].id)
        before = here
    ends = [n for n in nodes if n.status == "finished"] or [nodes[i] for i in before]
    best = max(ends, key=lambda node: (node.score, -node.id)).id
    return BeamTree(tuple(nodes), 3, 0.6, len(steps), best)


@st.composite
def trees(draw) -> BeamTree:
    """Searches of any shape: only nodes that were kept have children."""
    steps, live = [], [0]
    for _ in range(draw(st.integers(1, 7))):
        parents = draw(st.lists(st.sampled_from(live), min_size=1, max_size=9))
        child = st.tuples(
            st.floats(0.001, 1.0), st.sampled_from(["kept", "kept", "pruned", "finished"])
        )
        step = [(parent, *draw(child)) for parent in parents]
        steps.append(step)
        live = [i for i, (_, _, status) in enumerate(step) if status == "kept"]
        if not live:
            break
    if all(status == "pruned" for _, _, status in steps[-1]):
        steps[-1][0] = (*steps[-1][0][:2], "finished")
    return grow(steps)


def two_step_tree() -> BeamTree:
    return grow(
        [
            [(0, 0.6, "kept"), (0, 0.3, "kept"), (0, 0.05, "pruned")],
            [(0, 0.5, "finished"), (1, 0.9, "kept"), (0, 0.1, "pruned")],
        ]
    )


def views(figure):
    """Every unit of the specification, layers and concatenations opened."""
    pending = [figure.chart]
    while pending:
        view = pending.pop()
        yield view
        pending += view.get("layer", []) + view.get("hconcat", [])


def ends_at(log_probs_and_lengths, alpha=0.6) -> BeamTree:
    """A tree with one finished hypothesis for each (summed log-probability, length)."""
    nodes = [BeamNode(0, None, 0, "<s>", 1, 0.0, 0.0, 0.0, 0, "kept")]
    ends = []
    for total, length in log_probs_and_lengths:
        parent = 0
        for step in range(1, length + 1):
            last = step == length
            cum = total * step / length
            nodes.append(
                BeamNode(
                    len(nodes),
                    parent,
                    step,
                    "</s>" if last else f"▁h{len(ends)}",
                    step,
                    total / length,
                    cum,
                    cum / penalty_of(step, alpha, "wu"),
                    0,
                    "finished" if last else "kept",
                )
            )
            parent = nodes[-1].id
        ends.append(nodes[-1])
    best = max(ends, key=lambda node: node.score)
    return BeamTree(tuple(nodes), 4, alpha, 50, best.id)


@few
@given(trees())
def test_every_node_is_placed_once(tree):
    places = beam_layout(tree).nodes
    assert places["id"].tolist() == list(range(len(tree.nodes)))
    assert np.isfinite(places[["x", "y"]].to_numpy()).all()


@few
@given(trees())
def test_nodes_of_a_step_are_a_unit_apart(tree):
    for _, column in beam_layout(tree).nodes.groupby("x"):
        assert (np.diff(np.sort(column["y"])) >= 1).all()


@few
@given(trees())
def test_links_do_not_cross(tree):
    places = beam_layout(tree).nodes
    for _, column in places[places["parent"] >= 0].groupby("x"):
        for one, other in combinations(column.itertuples(), 2):
            assert (one.parent_y - other.parent_y) * (one.y - other.y) >= 0


@few
@given(trees())
def test_parents_stand_left_of_their_children(tree):
    places = beam_layout(tree).nodes
    children = places[places["parent"] >= 0]
    assert (children["parent_x"] < children["x"]).all()
    assert places["y"].to_numpy()[children["parent"]].tolist() == children["parent_y"].tolist()


@few
@given(trees())
def test_best_path_is_a_straight_line_along_the_top(tree):
    places = beam_layout(tree).nodes
    best = places[places["on_best_path"]]
    assert best["id"].tolist() == [node.id for node in tree.path(tree.best)]
    assert (best["y"] == 0).all()


@few
@given(trees())
def test_tree_needs_no_more_rows_than_its_fullest_step(tree):
    layout = beam_layout(tree)
    assert layout.nodes["y"].min() >= 0
    assert layout.height == layout.nodes["y"].max() <= layout.nodes["x"].value_counts().max() - 1


@few
@given(trees())
def test_layout_is_deterministic(tree):
    pd.testing.assert_frame_equal(beam_layout(tree).nodes, beam_layout(tree).nodes)


@few
@given(trees())
def test_shares_of_a_step_sum_to_one(tree):
    shares = beam_layout(tree).nodes.groupby("x")["share"].sum()
    np.testing.assert_allclose(shares, 1.0)


@few
@given(trees())
def test_numbers_below_a_node_are_those_of_its_descendants(tree):
    places = beam_layout(tree).nodes
    for node in tree.nodes:
        above = {n.id for n in tree.path(node.id)}
        pre = places["pre"][node.id]
        inside = places[(places["pre"] <= pre) & (pre <= places["last"])]
        assert set(inside["id"]) == above


def test_only_child_stands_level_with_its_parent():
    tree = grow(
        [
            [(0, 0.6, "kept"), (0, 0.3, "kept")],
            [(0, 0.9, "kept"), (1, 0.9, "kept"), (0, 0.1, "pruned")],
            [(0, 0.9, "finished"), (1, 0.9, "finished")],
        ]
    )
    y = beam_layout(tree).nodes["y"]
    assert y[4] == y[7] == 2


def test_shares_are_those_of_the_paths():
    shares = beam_layout(two_step_tree()).nodes["share"]
    np.testing.assert_allclose(shares[1:4], np.array([0.6, 0.3, 0.05]) / 0.95)
    np.testing.assert_allclose(shares[4:7], np.array([0.3, 0.27, 0.06]) / 0.63)


def test_probability_of_zero_has_no_share():
    tree = two_step_tree()
    nodes = list(tree.nodes)
    nodes[6] = replace(nodes[6], log_prob=-math.inf, cum_log_prob=-math.inf, score=-math.inf)
    shares = beam_layout(replace(tree, nodes=tuple(nodes))).nodes["share"]
    assert shares[6] == 0
    assert shares[4:7].sum() == pytest.approx(1)


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


def test_search_of_a_model_is_drawn_whole(tiny_translator):
    tree = tiny_translator.translate(SENTENCE, Decoding(beam_size=4, n_runners_up=3)).tree
    nodes = beam_tree(tree).tables["nodes"]
    assert sorted(nodes["id"]) == list(range(len(tree.nodes)))
    assert not nodes.duplicated(["px", "py"]).any()


def test_click_reports_the_node_and_the_drawing():
    figure = beam_tree(two_step_tree(), click=3)
    params = {p["name"]: p for view in views(figure) for p in view.get("params", [])}
    assert figure.selection == SELECTION_NAME
    assert params[SELECTION_NAME]["select"]["fields"] == ["id", "click"]
    assert (figure.tables["nodes"]["click"] == 3).all()


def test_ledger_adds_up():
    tree = two_step_tree()
    nodes = beam_tree(tree).tables["nodes"].set_index("id")
    ledger = nodes.loc[4]
    assert ledger["log_prob"] == pytest.approx(math.log(0.5))
    assert ledger["sum"] == pytest.approx(math.log(0.3))
    assert ledger["penalty"] == pytest.approx((7 / 6) ** 0.6)
    assert ledger["score"] == pytest.approx(math.log(0.3) / (7 / 6) ** 0.6)
    assert (ledger["rank"], ledger["fate"]) == (1, "finished")
    assert nodes.loc[6]["fate"] == "pruned: rank beyond the beam"


def test_tooltip_shows_the_ledger():
    shown = {
        entry["title"]
        for view in views(beam_tree(two_step_tree()))
        for entry in view.get("encoding", {}).get("tooltip", [])
    }
    assert shown >= {
        "token", "log p", "running sum of log p", "÷ length penalty", "= normalised score",
        "rank at its step", "status",
    }  # fmt: skip


def test_later_steps_shimmer_without_moving():
    whole, part = (beam_tree(two_step_tree(), upto_step=upto).tables["nodes"] for upto in (None, 1))
    pd.testing.assert_frame_equal(whole[["id", "px", "py"]], part[["id", "px", "py"]])
    later = part["step"] > 1
    assert part.loc[later, "opacity"].max() < 0.2 < part.loc[~later, "opacity"].min()


def test_selected_node_is_ringed_and_its_way_marked():
    figure = beam_tree(two_step_tree(), selected=5)
    nodes = figure.tables["nodes"]
    assert set(nodes.loc[nodes["on_way"], "id"]) == {0, 2, 5}
    ringed = figure.tables["chosen"]
    there = nodes.set_index("id").loc[5]
    assert ringed[["px", "py"]].to_numpy().tolist() == [[there["px"], there["py"]]]


def test_finished_nodes_are_ringed():
    assert len(beam_tree(two_step_tree()).tables["rings"]) == 1


def test_forced_nodes_are_marked():
    tree = two_step_tree()
    nodes = list(tree.nodes)
    nodes[1] = replace(nodes[1], reason="forced by the reader")
    figure = beam_tree(replace(tree, nodes=tuple(nodes)))
    drawn = figure.tables["nodes"]
    assert drawn.loc[drawn["forced"], "id"].tolist() == [1]
    assert "forced" in set(figure.tables["key"]["words"])
    assert "forced" not in set(beam_tree(tree).tables["key"]["words"])


def test_compared_with_itself_nothing_is_new():
    tree = two_step_tree()
    assert not beam_tree(tree, compare=tree).tables["nodes"]["only_here"].any()


def test_paths_that_the_other_tree_lacks_are_marked():
    tree = two_step_tree()
    shorter = replace(tree, nodes=tree.nodes[:6])
    drawn = beam_tree(tree, compare=shorter).tables["nodes"]
    assert drawn.loc[drawn["only_here"], "id"].tolist() == [6]


def test_same_token_under_another_parent_is_another_path():
    first = grow([[(0, 0.6, "kept"), (0, 0.3, "kept")], [(0, 0.9, "finished")]])
    second = grow([[(0, 0.6, "kept"), (0, 0.3, "kept")], [(1, 0.9, "finished")]])
    drawn = beam_tree(first, compare=second).tables["nodes"]
    assert drawn.loc[drawn["only_here"], "id"].tolist() == [3]


def test_pruned_links_are_thin_and_the_best_path_thick():
    nodes = beam_tree(two_step_tree()).tables["nodes"]
    pruned = nodes.loc[nodes["status"] == "pruned", "link_width"]
    assert pruned.max() == 1
    assert nodes.loc[nodes["best"], "link_width"].min() >= 3.5


def test_a_likelier_path_has_a_wider_link():
    nodes = beam_tree(two_step_tree()).tables["nodes"].set_index("id")
    assert nodes.loc[1, "link_width"] > nodes.loc[2, "link_width"] > 1


def test_long_tokens_are_cut_and_short_ones_left_alone():
    tree = two_step_tree()
    nodes = list(tree.nodes)
    nodes[1] = replace(nodes[1], token="▁Donaudampfschifffahrtsgesellschaft")
    labels = beam_tree(replace(tree, nodes=tuple(nodes))).tables["nodes"].set_index("id")["label"]
    assert labels[1].startswith("Donaud")
    assert labels[1].endswith("…")
    assert labels[2] == "w2"


def test_width_grows_by_the_same_pixels_a_step():
    widths = [beam_tree(grow([[(0, 0.9, "kept")]] * n)).width for n in (5, 6, 12)]
    assert widths[2] - widths[1] == 6 * (widths[1] - widths[0]) > 0


def test_drawing_keeps_its_specification_when_only_the_tree_changes():
    first, second = two_step_tree(), two_step_tree()
    nodes = tuple(replace(node, log_prob=-0.5) for node in second.nodes)
    assert beam_tree(first).chart == beam_tree(replace(second, nodes=nodes)).chart


def test_vega_draws_every_node(tiny_translator):
    vl_convert = pytest.importorskip("vl_convert")
    decoding = Decoding(beam_size=2, n_runners_up=2, max_len=6)
    tree = tiny_translator.translate(SENTENCE, decoding).tree
    figure = beam_tree(tree, upto_step=3, selected=2, compare=two_step_tree())
    svg = vl_convert.vegalite_to_svg(json.dumps(figure.to_dict()))
    drawn = Counter(html.unescape(text) for text in re.findall(r">([^<>]+)</text>", svg))
    assert drawn >= Counter(figure.tables["nodes"]["label"])
    assert len(figure.tables["nodes"]) == len(tree.nodes)


@pytest.mark.parametrize(
    ("penalty", "expected"), [("none", 1.0), ("length", 4.0), ("wu", math.sqrt(21 / 6))]
)
def test_penalties_follow_their_formulas(penalty, expected):
    assert penalty_of(16, 0.5, penalty) == pytest.approx(expected)


def test_unknown_penalty_is_named():
    with pytest.raises(ValueError, match="'gnmt'"):
        penalty_of(3, 0.5, "gnmt")


def test_table_ranks_hypotheses_as_the_tree_does(tiny_translator):
    tree = tiny_translator.translate(SENTENCE, Decoding(beam_size=4)).tree
    frame, found = hypotheses_table(tree), tree.hypotheses()
    assert frame["node"].tolist() == [h.node for h in found]
    assert frame["rank"].tolist() == list(range(1, len(found) + 1))
    np.testing.assert_allclose(frame["log_prob"], [sum(h.log_probs) for h in found], rtol=1e-4)
    np.testing.assert_allclose(frame["score"] * frame["penalty"], frame["log_prob"])


def test_text_leaves_the_end_out():
    frame = hypotheses_table(ends_at([(-2.0, 3)]))
    assert frame["text"].tolist() == ["h0 h0"]
    assert frame["length"].tolist() == [3]


def test_unfinished_text_is_whole():
    tree = grow([[(0, 0.9, "kept")], [(0, 0.9, "kept")]])
    frame = hypotheses_table(tree)
    assert frame["text"].tolist() == ["w1 w2"]
    assert frame["finished"].tolist() == [False]


def test_own_penalty_leaves_the_ranking_alone(tiny_translator):
    decoding = Decoding(beam_size=5, alpha=0.8)
    tree = tiny_translator.translate(SENTENCE, decoding).tree
    frame = rerank(tree, 0.8, "wu")
    assert (frame["rank"] == frame["was"]).all()
    np.testing.assert_allclose(frame["score"], hypotheses_table(tree)["score"])


def test_longer_hypothesis_overtakes_as_alpha_grows():
    tree = ends_at([(-2.0, 4), (-3.0, 8)])
    # By hand: -2 / 4 = -0.5 and -3 / 8 = -0.375.
    assert rerank(tree, 0.0, "length")["score"].tolist() == [-2.0, -3.0]
    frame = rerank(tree, 1.0, "length")
    assert frame["score"].tolist() == [-0.375, -0.5]
    assert frame["length"].tolist() == [8, 4]
    assert sorted(frame["was"]) == [1, 2]


def test_lines_cross_where_the_scores_are_equal():
    frame = hypotheses_table(ends_at([(-2.0, 4), (-3.0, 8)]))
    crossing = score_crossings(frame, 0.0, 2.0, "length").iloc[0]
    assert crossing["alpha"] == pytest.approx(math.log2(1.5))  # 3 / 2 = (8 / 4) ** alpha
    assert crossing["score"] == pytest.approx(-3.0 / 8 ** math.log2(1.5))
    longer = frame.loc[frame["length"] == 8, "node"].item()
    assert crossing["winner"] == longer
    assert crossing["leads"]


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


def test_without_a_penalty_lines_never_cross():
    frame = hypotheses_table(ends_at([(-2.0, 4), (-3.0, 8)]))
    assert score_crossings(frame, 0.0, 5.0, "none").empty


def test_one_line_a_hypothesis():
    tree = ends_at([(-2.0, 4), (-3.0, 8), (-2.5, 4)])
    lines = score_lines(tree, np.linspace(0, 2, 11)).tables["lines"]
    assert lines.groupby("node").size().tolist() == [11, 11, 11]


def test_own_alpha_is_marked():
    tree = ends_at([(-2.0, 4), (-3.0, 8)])
    assert score_lines(tree, (0, 1)).tables["now"]["alpha"].tolist() == [0.6]
    assert score_lines(tree, (0, 1), alpha=4.0).tables["now"].empty


def test_labels_of_lines_do_not_overlap():
    tree = ends_at([(-2.0 - i / 1000, 4) for i in range(20)])
    labels = score_lines(tree, (0, 1)).tables["labels"]
    assert (np.diff(labels["place"]) >= 15).all()


def test_lines_with_a_certain_hypothesis_are_drawn():
    vl_convert = pytest.importorskip("vl_convert")
    figure = score_lines(ends_at([(0.0, 2), (-3.0, 8)]), (0, 1, 2))
    assert vl_convert.vegalite_to_svg(json.dumps(figure.to_dict())).count("hypothesis") >= 2


def test_a_line_needs_two_alphas():
    with pytest.raises(ValueError, match="two alphas"):
        score_lines(ends_at([(-2.0, 4)]), (0.5, 0.5))
