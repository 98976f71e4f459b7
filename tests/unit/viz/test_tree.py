"""The numbers of the drawing of a search tree, and what its chart does not depend on."""

import re
from dataclasses import replace

import pandas as pd
import pytest

from core.search import Decoding
from support.models import SENTENCES
from support.trees import grow, two_step_tree
from viz.export import figure_svg
from viz.figure import tables_of, width_of
from viz.labels import text_width
from viz.tree import beam_tree
from words import english


def nodes_of(tree, **options):
    return tables_of(beam_tree(tree, **options))["nodes"].set_index("id")


def test_search_of_a_model_is_drawn_whole(tiny_translator):
    tree = tiny_translator.translate(SENTENCES[0], Decoding(beam_size=4, n_runners_up=3)).tree
    tables = tables_of(beam_tree(tree))
    nodes, steps = tables["nodes"], tables["steps"]["px"]
    assert sorted(nodes["id"]) == list(range(len(tree.nodes)))
    assert not nodes.duplicated(["x", "y"]).any()
    # Two fifths of a step are the links', 6 pixels the node's, and 8 beside it are free.
    room = 0.6 * (steps[1] - steps[0]) + 7 - 6 - 8
    assert max(map(text_width, nodes["label"], nodes["font"])) <= room


def test_later_steps_shimmer_without_moving():
    whole, part = (beam_tree(two_step_tree(), upto_step=upto) for upto in (None, 1))
    for name, table in tables_of(whole).items():
        pd.testing.assert_frame_equal(table, tables_of(part)[name])
    faint = [figure_svg(figure).count('opacity="0.12"') for figure in (whole, part)]
    assert faint[0] == 0
    assert faint[1] >= (tables_of(whole)["nodes"]["step"] > 1).sum()


def test_forced_nodes_are_marked():
    tree, sign = two_step_tree(), english("beam-tree-key-forced")
    nodes = nodes_of(replace(tree, prefix=(10,)))
    assert nodes.index[nodes["forced"]].tolist() == [1]
    assert f">{sign}<" in figure_svg(beam_tree(replace(tree, prefix=(10,))))
    assert f">{sign}<" not in figure_svg(beam_tree(tree))


def test_paths_that_the_other_tree_lacks_are_marked():
    tree = two_step_tree()
    first = grow([[(0, 0.6, "kept"), (0, 0.3, "kept")], [(0, 0.9, "finished")]])
    # The same token under another parent is another path.
    second = grow([[(0, 0.6, "kept"), (0, 0.3, "kept")], [(1, 0.9, "finished")]])
    shorter = replace(tree, nodes=tree.nodes[:6])
    for one, other, new in ((tree, tree, []), (tree, shorter, [6]), (first, second, [3])):
        nodes = nodes_of(one, compare=other)
        assert nodes.index[nodes["only_here"]].tolist() == new


def test_long_tokens_are_cut_and_short_ones_left_alone():
    tree = two_step_tree()
    long = replace(tree.nodes[1], token="▁Donaudampfschifffahrtsgesellschaft")
    labels = nodes_of(replace(tree, nodes=(tree.nodes[0], long, *tree.nodes[2:])))["label"]
    assert re.fullmatch("Donaud.*…", labels[1])
    assert labels[2] == "w2"


@pytest.mark.parametrize(("n_steps", "apart"), [(3, 116), (10, 85), (14, 61), (30, 80)])
def test_steps_come_closer_so_that_all_of_a_tree_is_seen_unless_it_is_long(n_steps, apart):
    figure = beam_tree(grow([[(0, 0.9, "kept")]] * n_steps))
    places = tables_of(figure)["steps"]["px"].to_numpy()
    assert len(places) == n_steps + 1
    assert set(places[1:] - places[:-1]) == {apart}
    assert width_of(figure) == pytest.approx(n_steps * apart, abs=190)
    assert n_steps > 14 or float(re.search(r'width="([\d.]+)"', figure_svg(figure))[1]) <= 944
