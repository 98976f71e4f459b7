"""How penalties rank the hypotheses of a search."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.hypotheses import hypotheses_table, length_penalty, rerank, score_crossings
from core.search import PENALTIES, Decoding
from support.models import SENTENCES
from support.trees import ends_at, grow

SENTENCE = SENTENCES[0]


def test_table_ranks_hypotheses_as_the_tree_does_and_so_does_its_own_penalty(tiny_translator):
    tree = tiny_translator.translate(SENTENCE, Decoding(beam_size=4, alpha=0.8)).tree
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


@pytest.mark.parametrize(
    ("length", "alpha", "kind", "expected"),
    [
        (1, 0.6, "wu", 1.0),
        (7, 1.0, "wu", 2.0),
        (7, 2.0, "wu", 4.0),
        (19, 0.5, "wu", 2.0),
        (100, 0.0, "wu", 1.0),
        (4, 0.5, "length", 2.0),
        (4, 0.0, "length", 1.0),
        (9, 3.0, "none", 1.0),
    ],
)
def test_penalties_by_hand(length, alpha, kind, expected):
    assert length_penalty(length, alpha, kind) == pytest.approx(expected)
    if kind == "wu":
        assert length_penalty(length, alpha) == pytest.approx(expected)


@pytest.mark.parametrize("kind", PENALTIES)
def test_no_penalty_falls_as_the_length_grows(kind):
    """What the bounds of both searches rest on."""
    for alpha in (0.0, 0.6, 5.0):
        penalties = [length_penalty(n, alpha, kind) for n in range(1, 200)]
        assert penalties == sorted(penalties)
