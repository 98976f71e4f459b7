"""Effects of changes and of ablated heads, against loops and sums by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ablation import ablation_table, choice_facts
from core.interventions.effect import most_moved_head, next_tokens, telling_position
from core.interventions.intervention import hide
from core.records.attention import TRANSFORMER_SITES
from core.records.search import Candidate, Decoding
from support.figures.knockout import head_ablation


@pytest.fixture(scope="module")
def records(tiny_translator):
    """The record of a sentence, and of the same tokens read with two of them hidden."""
    made = tiny_translator.translate("A dog runs through the snow.", Decoding(2, max_len=8))
    changes = hide(), hide(1, 2)
    return tuple(tiny_translator.teacher_force(made.src, made.tgt, each)[0] for each in changes)


@pytest.mark.parametrize("site", [None, "decoder"])
def test_the_most_moved_head_is_the_one_of_a_search_through_all(records, site):
    amounts = {}
    for kind in [site] if site else TRANSFORMER_SITES:
        before, after = (record.of(kind).weights for record in records)
        for layer, heads in enumerate(np.abs(after - before)):
            for head, rows in enumerate(heads):
                amounts[kind, layer, head] = float(np.mean([row.sum() / 2 for row in rows]))
    place, amount = most_moved_head(*records, *[site] * bool(site))
    assert amount == pytest.approx(max(amounts.values()))
    assert amounts[place] == pytest.approx(amount)


@pytest.mark.parametrize(
    ("other", "place", "why"),
    [
        ((5, 9, 7), 1, "difference"),
        ((5,), 1, "difference"),
        ((5, 6, 7), 2, "drop"),
        ((5, 6, 7, 8), 2, "drop"),
    ],
)
def test_the_position_to_look_at_is_the_first_difference_or_the_largest_drop(other, place, why):
    assert telling_position((5, 6, 7), other, np.array([-0.1, -0.2, -3])) == (place, why)


def candidates(*log_probs: float, ids: tuple[int, ...]) -> tuple[Candidate, ...]:
    """Candidates by id, ranked by their log-probability."""
    order = sorted(range(len(ids)), key=lambda i: -log_probs[i])
    return tuple(
        Candidate(ids[i], f"▁w{ids[i]}", log_probs[i], rank) for rank, i in enumerate(order)
    )


@given(
    st.lists(st.floats(-20, 0), min_size=4, max_size=12, unique=True),
    st.randoms(use_true_random=False),
    st.integers(1, 4),
)
def test_no_token_left_out_is_likelier_than_the_likeliest_shown(logs, random, count):
    shuffled = random.sample(logs, len(logs))
    ids = tuple(range(len(logs)))
    found = next_tokens(candidates(*logs, ids=ids), candidates(*shuffled, ids=ids), count)
    rest = set(ids) - set(found["token_id"])
    for side, values in (("before", logs), ("after", shuffled)):
        ranks = [1 + sum(other > values[i] for other in values) for i in found["token_id"]]
        assert found[f"rank_{side}"].tolist() == ranks
        least = sorted(found[side], reverse=True)[count - 1]
        assert all(math.exp(values[i]) <= least for i in rest)


HEADS = (("encoder", 0, 0), ("encoder", 1, 0), ("decoder", 0, 0), ("cross", 0, 0))


def test_the_table_of_heads_holds_changes_hardest_hit_tokens_and_choices():
    changes = [[0.0, 0.0], [-2.0, -0.125], [-0.25, -0.5], [0.25, 0.125]]
    shares = [[0.75, 0.25], [0.25, 0.5], [0.5, 0.25], [1, 0]]
    found = head_ablation(HEADS, changes, [-0.5, -0.25], shares)
    lowest, _ = choice_facts(found)
    assert (lowest["share"], lowest["head"]) == (0.25, HEADS[1])
    table = ablation_table(found)
    assert table.loc[2, ["token", "token_change"]].tolist() == ["war", -0.5]
    for column, values in {
        "change": [0.0, -2.125, -0.75, 0.375],
        "name": ["encoder L1 H1", "encoder L2 H1", "decoder L1 H1", "cross L1 H1"],
        "P(es)": [0.75, 0.25, 0.5, 1.0],
        "P(sie)": [0.25, 0.5, 0.25, 0.0],
        "changed": [False, True, False, False],  # by their pieces
    }.items():
        assert list(table[column]) == values, column
