"""The drawing of a search tree, tested on its tables and its specification."""

import html
import json
import math
import re
from collections import Counter
from dataclasses import replace

import altair as alt
import pandas as pd
import pytest
from conftest import SENTENCES
from trees import grow, two_step_tree

from records import Decoding
from viz.beam_tree import SELECTION_NAME, beam_tree
from viz.labels import text_width
from words import english

SENTENCE = SENTENCES[0]


def views(figure):
    """Every unit of the specification, layers and concatenations opened."""
    pending = [figure.chart]
    while pending:
        view = pending.pop()
        yield view
        pending += view.get("layer", []) + view.get("hconcat", [])


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
    assert (ledger["rank"], ledger["fate"]) == (1, english("beam-status-finished"))
    pruned = {"status": english("beam-status-pruned"), "reason": tree.nodes[6].reason}
    assert nodes.loc[6]["fate"] == english("beam-fate", **pruned)


def test_tooltip_shows_the_ledger():
    shown = {
        entry["field"]
        for view in views(beam_tree(two_step_tree()))
        for entry in view.get("encoding", {}).get("tooltip") or []
    }
    assert shown >= {"token", "log_prob", "sum", "penalty", "score", "rank", "fate"}


def test_later_steps_shimmer_without_moving():
    whole, part = (beam_tree(two_step_tree(), upto_step=upto) for upto in (None, 1))
    for name in whole.tables:
        pd.testing.assert_frame_equal(whole.tables[name], part.tables[name])
    start = [figure.chart["params"][0]["value"] for figure in (whole, part)]
    assert start == [2, 1]
    vl_convert = pytest.importorskip("vl_convert")
    faint = [
        vl_convert.vegalite_to_svg(json.dumps(figure.to_dict())).count('opacity="0.12"')
        for figure in (whole, part)
    ]
    assert faint[0] == 0
    assert faint[1] >= (whole.tables["nodes"]["step"] > 1).sum()


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
    figure = beam_tree(replace(tree, prefix=(10,)))
    drawn = figure.tables["nodes"]
    assert drawn.loc[drawn["forced"], "id"].tolist() == [1]
    sign = english("beam-tree-key-forced")
    assert sign in set(figure.tables["key"]["words"])
    assert sign not in set(beam_tree(tree).tables["key"]["words"])


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


def test_width_grows_by_the_same_pixels_a_step_and_less_for_long_trees():
    widths = [beam_tree(grow([[(0, 0.9, "kept")]] * n)).width for n in (5, 6, 14, 15, 20)]
    assert widths[1] - widths[0] == 116
    assert widths[4] - widths[3] == 5 * (widths[3] - widths[2]) == 5 * 80


def test_drawing_keeps_its_specification_when_only_the_tree_changes():
    first, second = two_step_tree(), two_step_tree()
    nodes = tuple(replace(node, log_prob=-0.5) for node in second.nodes)
    assert beam_tree(first).chart == beam_tree(replace(second, nodes=nodes)).chart


def test_a_wider_tree_of_as_many_steps_has_the_same_specification():
    narrow = grow([[(0, 0.9, "kept")], [(0, 0.8, "finished")]])
    wide = grow(
        [
            [(0, 0.5, "kept"), (0, 0.3, "kept"), (0, 0.1, "pruned")],
            [(0, 0.8, "finished"), (1, 0.7, "pruned"), (1, 0.1, "pruned")],
        ]
    )
    first, second = beam_tree(narrow), beam_tree(wide, selected=2)
    assert first.chart == second.chart
    assert first.tables["key"]["below"].iloc[0] < second.tables["key"]["below"].iloc[0]


def test_the_drawing_grows_to_hold_its_lowest_node_and_what_is_below():
    vl_convert = pytest.importorskip("vl_convert")

    def height(n: int) -> float:
        figure = beam_tree(grow([[(0, 0.9 / n, "kept")] * n, [(0, 0.8, "finished")]]))
        svg = vl_convert.vegalite_to_svg(json.dumps(figure.to_dict()))
        assert figure.tables["nodes"]["py"].max() < figure.tables["key"]["below"].iloc[0]
        return float(re.search(r'height="([\d.]+)"', svg)[1])

    assert height(9) - height(3) == pytest.approx(6 * 24, abs=1)


def test_charts_fit_the_schema_of_vega_lite():
    for figure in (beam_tree(two_step_tree()), beam_tree(two_step_tree(), compare=two_step_tree())):
        alt.Chart.from_dict(figure.chart)


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
    ("n_steps", "apart", "fits"), [(3, 116, True), (10, 83, True), (14, 80, False)]
)
def test_steps_come_closer_so_that_more_of_a_long_tree_is_seen(n_steps, apart, fits):
    figure = beam_tree(grow([[(0, 0.9, "kept")]] * n_steps))
    places = figure.tables["steps"]["px"].to_numpy()
    assert len(places) == n_steps + 1
    assert set(places[1:] - places[:-1]) <= {apart}
    # 944 pixels is what the page leaves to a figure in a window of 1280.
    assert (figure.width <= 944) is fits
    assert (places < 944 - 60).sum() >= min(n_steps + 1, 11)


def test_labels_end_where_the_links_rise(tiny_translator):
    tree = tiny_translator.translate(SENTENCE, Decoding(beam_size=4, max_len=14)).tree
    nodes = beam_tree(tree).tables["nodes"]
    for label, font in zip(nodes["label"], nodes["font"], strict=True):
        # 80 pixels a step, 26 of them for the links, 6 for the node and 4 beside it.
        assert text_width(label, float(font)) <= 80 - 26 - 6 - 4
