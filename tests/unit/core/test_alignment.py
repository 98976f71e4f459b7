"""Word alignments: links of maps, the heuristics that join two directions, and their error rate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment import (
    SYMMETRIZATIONS,
    backward_links,
    forward_links,
    link_counts,
    pharaoh,
    reversed_links,
    symmetrised,
)
from core.gold import (
    Gold,
    GoldPair,
    error_rate,
    linked_words,
    precision,
    read_links,
    recall,
    tally,
    word_spans,
)

SIZE = 5
LINKS = st.frozensets(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), max_size=9)


def links(text: str) -> frozenset[tuple[int, int]]:
    return frozenset(tuple(map(int, part.split("-"))) for part in text.split())


# Worked out on paper. Forward and backward share 0-0 and 2-2.
FORWARD = links("0-0 1-1 2-2 4-4 0-5")
BACKWARD = links("0-0 2-2 3-2 5-4 3-6")
BY_HAND = {
    "forward": "0-0 1-1 2-2 4-4 0-5",
    "backward": "0-0 2-2 3-2 5-4 3-6",
    "intersect": "0-0 2-2",
    "union": "0-0 0-5 1-1 2-2 3-2 3-6 4-4 5-4",
    # 1-1 touches 0-0 and 3-2 touches 2-2; nothing touches 4-4, 5-4, 0-5 or 3-6.
    "grow-diag": "0-0 1-1 2-2 3-2",
    # 0-5 and 4-4 of the first direction link a target word without a link; of the second, 3-6 does,
    # and 5-4 a source word without one.
    "grow-diag-final": "0-0 0-5 1-1 2-2 3-2 3-6 4-4 5-4",
    # Only 4-4 links two words without a link; afterwards 5-4 does not.
    "grow-diag-final-and": "0-0 1-1 2-2 3-2 4-4",
}


@pytest.mark.parametrize("method", SYMMETRIZATIONS)
def test_two_directions_are_joined_as_by_hand(method):
    assert symmetrised(FORWARD, BACKWARD, method) == links(BY_HAND[method])


def test_growth_goes_on_from_what_has_grown():
    path = links("0-0 1-1 2-2 3-3")
    assert symmetrised(path, links("0-0"), "grow-diag") == path


def test_a_neighbour_whose_words_are_both_linked_is_left_out():
    # 1-0 touches 0-0 and 1-1, but source word 1 and target word 0 have links.
    assert symmetrised(links("0-0 1-1 1-0"), links("0-0 1-1"), "grow-diag") == links("0-0 1-1")


def koehn(forward, backward, method):
    """The pseudo-code of Koehn et al. (2003) on a matrix, cell by cell."""
    union = np.zeros((SIZE, SIZE), bool)
    union[tuple(np.array(sorted(forward | backward), int).reshape(-1, 2).T)] = True
    grid = np.zeros((SIZE, SIZE), bool)
    grid[tuple(np.array(sorted(forward & backward), int).reshape(-1, 2).T)] = True
    added = True
    while added:
        added = False
        for e, f in np.argwhere(grid).tolist():
            for i, j in ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)):
                at = e + i, f + j
                if min(at) < 0 or max(at) >= SIZE or not union[at] or grid[at]:
                    continue
                if not grid[at[0]].any() or not grid[:, at[1]].any():
                    grid[at] = added = True
    if method != "grow-diag":
        for direction in (forward, backward):
            for e, f in sorted(direction):
                free = not grid[e].any(), not grid[:, f].any()
                if all(free) if method.endswith("and") else any(free):
                    grid[e, f] = True
    return frozenset(map(tuple, np.argwhere(grid).tolist()))


@given(LINKS, LINKS, st.sampled_from(SYMMETRIZATIONS[4:]))
def test_growing_follows_the_published_pseudo_code(forward, backward, method):
    assert symmetrised(forward, backward, method) == koehn(forward, backward, method)


@given(LINKS, LINKS)
def test_each_heuristic_lies_between_intersection_and_union(forward, backward):
    joined = [symmetrised(forward, backward, method) for method in SYMMETRIZATIONS[2:]]
    intersection, union, *grown = joined
    assert all(intersection <= each <= union for each in grown)
    assert grown[0] <= grown[2] <= union
    assert grown[0] <= grown[1]


def test_another_heuristic_is_refused_with_its_name():
    with pytest.raises(ValueError, match="'diag', expected one of forward"):
        symmetrised(FORWARD, BACKWARD, "diag")


# Rows are target words; the last column is </s>.
WEIGHTS = np.array([[0.6, 0.3, 0.1], [0.3, 0.2, 0.5], [0.0, 0.9, 0.1]])


def test_links_of_a_map_are_the_largest_of_rows_or_of_columns():
    assert forward_links(WEIGHTS) == {(0, 0), (1, 2)}
    assert backward_links(WEIGHTS) == {(0, 0), (1, 2)}
    assert backward_links(WEIGHTS[:2]) == {(0, 0), (1, 0)}


def test_words_without_any_weight_have_no_link():
    assert forward_links(np.zeros((2, 3))) == frozenset()
    assert backward_links(np.zeros((2, 3))) == frozenset()
    assert backward_links(np.zeros((0, 3))) == frozenset()


def test_the_error_rate_is_that_of_the_formula_by_hand():
    gold = read_links("0-0 1-1 1p2", 3, 3)
    counts = link_counts(links("0-0 1-2 2-2"), gold)
    assert counts.tolist() == [1, 2, 3, 2]
    assert error_rate(counts) == pytest.approx(1 - (1 + 2) / (3 + 2))
    assert precision(counts) == pytest.approx(2 / 3)
    assert recall(counts) == pytest.approx(1 / 2)


@given(st.integers(0, 2**16), LINKS, LINKS)
def test_counts_equal_those_of_the_measurement_of_all_heads(seed, sure, possible):
    weights = np.random.default_rng(seed).random((SIZE, SIZE + 1))
    text = " ".join("abcde")
    spans = word_spans(text)
    pair = GoldPair(text, text, spans, spans, Gold.of(sure, possible))
    counted = tally(linked_words(weights), pair)
    assert link_counts(forward_links(weights), pair.gold).tolist() == counted.tolist()


def test_links_are_written_in_order_and_read_again():
    assert pharaoh({(10, 0), (2, 3), (2, 1)}) == "2-1 2-3 10-0"
    assert read_links(pharaoh(FORWARD), 6, 7).sure == FORWARD
    assert reversed_links(FORWARD) == {(t, s) for s, t in FORWARD}
