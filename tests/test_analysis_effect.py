"""What a change of the model's run moved."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.effect import most_moved_head, moved_mass, telling_position
from records import TRANSFORMER_SITES, Decoding, hide

TEXT = "A dog runs through the snow."


@pytest.fixture(scope="module")
def records(tiny_translator):
    """The record of a sentence, and of the same tokens read with two of them hidden."""
    found = tiny_translator.translate(TEXT, Decoding(beam_size=2, max_len=8))
    return tuple(
        tiny_translator.read_again(found.src, found.tgt, change)[0]
        for change in (hide(), hide(1, 2))
    )


def test_the_most_moved_head_is_the_one_of_a_search_through_all(records):
    amounts = {}
    for kind in TRANSFORMER_SITES:
        before, after = (record.of(kind).weights for record in records)
        for layer, heads in enumerate(np.abs(after - before)):
            for head, rows in enumerate(heads):
                amounts[kind, layer, head] = float(np.mean([row.sum() / 2 for row in rows]))
    place, amount = most_moved_head(*records)
    assert amount == pytest.approx(max(amounts.values()))
    assert amounts[place] == pytest.approx(amount)


def test_the_most_moved_head_of_a_site_is_one_of_its_own(records):
    (kind, layer, head), amount = most_moved_head(*records, "decoder")
    per_head = moved_mass(*(record.decoder for record in records))
    assert kind == "decoder"
    assert (per_head[layer, head], per_head.max()) == (amount, amount)


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
