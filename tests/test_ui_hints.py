"""The two heads that belong together: one finds the noun, the other what decides it."""

from dataclasses import replace

import numpy as np
import pytest

from records.attention import CROSS, ENCODER, AttentionMap
from ui.attention.lab import linked_heads
from ui.focus import Link

TOKENS = ("▁animal", "▁street", "▁it", "▁tired")
LINK = Link("it", (2,), "animal", (0,), "street", (1,), "tired", (3,))
IT = 2


def attention(rows: dict[tuple[int, int], tuple[float, ...]], site=ENCODER) -> AttentionMap:
    """Two layers of two heads, even but for the given rows of "it"."""
    weights = np.full((2, 2, 4, 4), 0.25, np.float32)
    for place, row in rows.items():
        weights[(*place, IT)] = row
    return AttentionMap(site, weights, TOKENS, TOKENS)


def deciding_head(attention: AttentionMap, link: Link | None) -> tuple[int, int] | None:
    found = linked_heads(attention, link)
    return found[1].head if len(found) > 1 else None


BOTH = attention({(1, 0): (0.9, 0, 0.1, 0), (0, 1): (0.1, 0, 0, 0.9)})


def test_the_head_of_the_deciding_word_is_found_beside_that_of_the_noun():
    assert deciding_head(BOTH, LINK) == (0, 1)


def test_a_head_that_does_both_is_not_its_own_company():
    one = attention({(1, 0): (0.5, 0, 0, 0.5), (0, 1): (0.1, 0.5, 0, 0.4)})
    assert deciding_head(one, LINK) == (0, 1)


def test_little_weight_makes_no_second_head():
    even = attention({})
    found = replace(LINK, deciding_columns=(3,))
    low = AttentionMap(ENCODER, even.weights * np.float32(0.5), TOKENS, TOKENS)
    assert deciding_head(low, found) is None


@pytest.mark.parametrize("link", [None, Link("it", (2,)), replace(LINK, deciding_columns=())])
def test_without_a_known_word_there_is_no_second_head(link):
    assert deciding_head(BOTH, link) is None


def test_cross_attention_shows_no_second_head():
    assert deciding_head(attention({(0, 1): (0, 0, 0, 1)}, CROSS), LINK) is None
