"""What a change of the model's run moved."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.attention import TRANSFORMER_SITES
from core.effect import most_moved_head, next_tokens, telling_position
from core.intervention import hide
from core.search import Candidate, Decoding

TEXT = "A dog runs through the snow."


@pytest.fixture(scope="module")
def records(tiny_translator):
    """The record of a sentence, and of the same tokens read with two of them hidden."""
    found = tiny_translator.translate(TEXT, Decoding(beam_size=2, max_len=8))
    return tuple(
        tiny_translator.read_again(found.src, found.tgt, change)[0]
        for change in (hide(), hide(1, 2))
    )


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
