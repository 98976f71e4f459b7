"""Search trees, scores by length, candidates and links: the numbers that are drawn."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.records.attention import DECODER, AttentionMap
from core.records.hypotheses import differing, rerank
from core.records.search import Decoding
from core.weights.links import links
from support.models import SENTENCES
from support.trees import ends_at, grow, two_step_tree
from viz.export import figure_svg
from viz.figure import spec_of, tables_of, width_of
from viz.labels import text_width
from viz.ribbons import ribbon_figure
from viz.score_lines import score_lines
from viz.theme import HEADS
from viz.token_bars import candidates_chart, token_log_probs
from viz.tree import TreeMarks, beam_tree
from words import english
from words.numbers import fixed, short


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


def test_nodes_have_their_numbers_and_finished_ones_their_scores():
    tree = two_step_tree()
    labels = nodes_of(tree, marks=TreeMarks({1: "40%"}))["label"]
    plain = nodes_of(tree)["label"]
    assert labels[1] == f"{plain[1]} 40%"
    finished = [node for node in tree.nodes if node.status == "finished"]
    assert finished
    assert [labels[node.id] for node in finished] == [fixed(node.score) for node in finished]


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


def test_only_the_part_of_the_chosen_path_beside_the_best_hypothesis_is_red():
    tree = two_step_tree()
    sign = english("beam-tree-key-chosen")
    plain = nodes_of(tree)
    for node in plain.index:
        nodes = nodes_of(tree, selected=node)
        assert not (nodes["on_way"] & nodes["best"]).any()
        assert nodes["on_way"].any() == (not nodes["best"][node])
        named = f">{sign}<" in figure_svg(beam_tree(tree, selected=node))
        assert named == (not nodes["best"][node])


def test_the_path_of_greedy_search_is_drawn_and_its_end_named():
    tree = two_step_tree()
    assert not nodes_of(tree)["greedy"].any()
    figure = beam_tree(tree, marks=TreeMarks(greedy=[1, 3], greedy_score=-3.66))
    nodes = tables_of(figure)["nodes"]
    assert sorted(nodes["id"][nodes["greedy"]]) == [1, 3]
    assert f">{english('beam-tree-key-greedy-score', score=-3.66)}<" in figure_svg(figure)
    assert english("beam-tree-key-greedy") not in figure_svg(beam_tree(tree))


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


# Scores by length, candidates


def written(figure) -> list[str]:
    return re.findall(r">([^<>]+)</text>", figure_svg(figure))


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.95])
@pytest.mark.parametrize("penalty", ["wu", "length"])
def test_ranks_in_the_picture_are_those_at_its_alpha(alpha, penalty):
    tree = replace(ends_at([(-2.0, 4), (-3.0, 8), (-2.5, 4), (-2.0, 4)]), penalty=penalty)
    shown = written(score_lines(tree, np.linspace(0, 2, 11), alpha=alpha))
    texts = rerank(tree, alpha, penalty)["text"]
    assert english("beam-lines-now", alpha=short(alpha)) in shown
    for rank, text in enumerate(texts, 1):
        name = differing(text, texts.iloc[0])
        assert english("beam-lines-name", rank=str(rank), text=name) in shown
    off = written(score_lines(tree, (0, 1), alpha=4.0))
    assert english("beam-lines-now", alpha="4") not in off


@pytest.mark.parametrize("best", [-2.0, 0.0])
def test_labels_stand_where_lines_end_and_do_not_overlap(best):
    tree = ends_at([(best - i / 1000, 4) for i in range(20)])
    figure = score_lines(tree, (0, 1))
    labels = tables_of(figure)["labels"]
    assert (np.diff(labels["place"]) >= 15).all()
    lines = re.findall(
        r'aria-roledescription="line mark"[^>]* d="M0,([\d.]+)L630,([\d.]+)', figure_svg(figure)
    )
    assert sorted(labels["end"]) == pytest.approx(sorted(float(end) for _, end in lines), abs=0.01)


def candidates(logs, **more):
    return candidates_chart(["▁a", "b"], logs, [7, 9], **more)


def test_candidates_are_probabilities_of_their_logs_and_the_rest_is_left_for_all_others():
    tables = tables_of(candidates(np.log([0.5, 0.2])))
    np.testing.assert_allclose(tables["bars"]["probability"], [0.5, 0.2])
    assert tables["bars"]["percent"].tolist() == ["50.0%", "20.0%"]
    assert tables["rest"]["probability"].item() == pytest.approx(0.3)
    none_left = tables_of(candidates_chart(["▁a"], [1e-7], [7]))
    assert none_left["rest"]["probability"].item() == 0
    assert tables["names"]["label"].tolist()[:2] == ["a", "·b"]
    tiny = tables_of(candidates([math.log(1e-6), -math.inf]))["bars"]
    assert tiny["percent"].tolist() == ["< 0.1%", "0.0%"]


def test_a_token_that_skips_ranks_says_its_own():
    bars = tables_of(candidates(np.log([0.5, 0.2]), ranks=[1, 17]))["bars"]
    assert bars["rank"].tolist() == [1, 17]
    assert bars["label"].tolist() == [
        "a",
        english("beam-candidates-ranked", token="·b", rank=17),
    ]


def test_impossible_token_reaches_the_edge_and_says_infinity():
    figure = token_log_probs(["▁a"], [-3.0], ["▁b", "▁c"], [-math.inf, -1.0])
    reference = tables_of(figure)["reference"]
    assert reference["bar"].tolist() == [-3.0, -1.0]
    assert reference["sum_text"].tolist() == ["−∞", "−∞"]


# Links


def attention_of(weights) -> AttentionMap:
    """A map of one layer from (H, T_q, T_k) weights."""
    weights = np.asarray(weights, np.float32)[None]
    queries, keys = (
        tuple(f"▁{name}{i}" for i in range(n))
        for name, n in zip("qk", weights.shape[2:], strict=True)
    )
    return AttentionMap(DECODER, weights, queries, keys)


ATTENTION = attention_of(np.random.default_rng(0).dirichlet(np.ones(7) / 2, (3, 5)))


def test_only_the_links_of_a_chosen_row_are_in_the_picture():
    shown = links(ATTENTION, 0)
    tables = tables_of(ribbon_figure(ATTENTION, shown, rows=(2,), columns=(1,)))
    assert set(tables["curves"]["query"]) == {"3 · q2"}
    assert len(tables["curves"]) == (shown.query == 2).sum()
    assert tables["queries"]["chosen"].tolist() == [False, False, True, False, False]
    assert tables["keys"]["chosen"].tolist().index(True) == 1
    empty = attention_of([[[0.0, 0.0]]])
    assert ">k1</text>" in figure_svg(ribbon_figure(empty, links(empty, 0)))


def numbers_of(figure) -> np.ndarray:
    """The mean and the sum beside each key, (2, T_k)."""
    table = tables_of(figure)["combined"]
    assert table["row"].tolist() == [*range(7)]
    return table[["mean", "sum"]].to_numpy().T


@pytest.mark.parametrize("horizontal", [False, True])
@pytest.mark.parametrize("heads", [(1,), (0, 2)])
def test_several_rows_have_their_mean_and_sum_at_each_key(heads, horizontal):
    shown = links(ATTENTION, 0, heads)
    figure = ribbon_figure(ATTENTION, shown, rows=(0, 3), horizontal=horizontal)
    of_heads = [ATTENTION.weights[0, head, [0, 3]] for head in heads]
    added = sum(rows[0] + rows[1] for rows in of_heads) / len(heads)
    np.testing.assert_allclose(numbers_of(figure), [added / 2, added], rtol=1e-5)
    note = tables_of(figure)["note"]["text"][1]
    assert note.startswith("q0 + q3: ")
    assert note.endswith("means add up to 1.00, sums to 2.00")
    assert set(tables_of(figure)["curves"]["query"]) == {"1 · q0", "4 · q3"}


def test_one_row_and_keys_have_no_mean_and_sum():
    shown = links(ATTENTION, 0)
    for choice in ({"rows": (1,)}, {"rows": (1, 2), "columns": (0,), "side": "key"}, {}):
        assert "combined" not in tables_of(ribbon_figure(ATTENTION, shown, **choice))


@pytest.mark.parametrize("rows", [(), (0, 3)])
def test_a_horizontal_ribbon_leads_from_its_query_below_up_to_its_key(rows):
    figure = ribbon_figure(ATTENTION, links(ATTENTION, 0, (1,)), rows=rows, horizontal=True)
    width = spec_of(figure)["width"]
    curves = tables_of(figure)["curves"]
    for row, key, path in zip(curves["row"], curves["key"].cat.codes, curves["link"], strict=True):
        start, *_, end = (tuple(map(float, at.split(","))) for at in re.findall(r"[-\d.,]+", path))
        assert start == (0.0, 0.0)
        assert end[0] == pytest.approx((int(key) - row) * width / 7, abs=0.06)
        assert -220 <= end[1] < -100


def test_words_of_a_row_are_whole_and_turned_only_where_they_have_no_room():
    for n, turned in ((5, False), (30, True)):
        long = attention_of(np.full((1, n, n), 1 / n))
        long = replace(long, key_tokens=tuple(f"▁{i:w>16}" for i in range(n)))
        svg = figure_svg(ribbon_figure(long, links(long, 0), horizontal=True))
        assert all(f">{i:w>16}</text>" in svg for i in range(n))
        assert ("rotate(" in svg) == turned


@pytest.mark.parametrize("heads", [(2,), (2, 1)])
def test_a_head_keeps_its_colour_whichever_others_are_shown(heads):
    svg = figure_svg(ribbon_figure(ATTENTION, links(ATTENTION, 0, heads)))
    assert {head for head in range(3) if HEADS[head] in svg} == {*heads}
