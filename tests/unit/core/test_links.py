"""Links that are drawn and those that are hidden, against brute force."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from numpy.testing import assert_allclose

from core.records.attention import CROSS, AttentionMap
from core.weights.links import links
from support.maps import attention_of, random_attention


def found(shown) -> list[tuple[int, int, int]]:
    return [tuple(map(int, link)) for link in zip(shown.head, shown.query, shown.key, strict=True)]


@pytest.mark.parametrize(
    ("rows", "share", "expected"),
    [
        pytest.param([[0.5, 0.25, 0.25]], 0.75, [(0, 0), (0, 1)], id="reached exactly"),
        pytest.param([[0.25] * 4], 0.5, [(0, 0), (0, 1)], id="of equal ones the earlier"),
        pytest.param([[0.0, 0.5, 0.5, 0.0]], 1.0, [(0, 1), (0, 2)], id="all above zero"),
        pytest.param([[0.3, 0.05, 0.05]], 0.75, [(0, 0)], id="by the row's own sum"),
        pytest.param(
            [[0.1, 0.5, 0.4], [0.8, 0.1, 0.1]], 0.75, [(0, 1), (0, 2), (1, 0)], id="two rows"
        ),
    ],
)
def test_the_fewest_links_that_carry_a_share(rows, share, expected):
    shown = links(attention_of([rows]), 0, share=share)
    assert [(query, key) for _, query, key in found(shown)] == expected
    assert_allclose(shown.weight, [rows[q][k] for q, k in expected])
    kept = [sum(rows[q][k] for q, k in expected if q == i) for i in range(len(rows))]
    assert_allclose(shown.kept, [kept], rtol=1e-6)
    assert_allclose(shown.hidden, [np.sum(rows, axis=1) - kept], atol=1e-6)
    assert shown.hidden_share() == pytest.approx(1 - sum(kept) / np.sum(rows), abs=1e-6)


def test_links_of_empty_rows_masked_cells_and_chosen_heads():
    empty = links(attention_of([[[0.0, 0.0], [1.0, 0.0]]]), 0)
    assert found(empty) == [(0, 1, 0)]
    assert_allclose(empty.hidden, [[0.0, 0.0]])
    heads = links(attention_of([[[0.8, 0.2]], [[0.5, 0.5]]]), 0, share=0.75)
    assert [heads.hidden_share(of) for of in ([0], [1], [])] == pytest.approx([0.2, 0, 0])
    # A number that stands in a masked cell has no link.
    masked = attention_of([[[0.4, 0.6], [0.5, 0.5]]], np.tri(2, dtype=bool))
    assert found(links(masked, 0, share=1.0)) == [(0, 0, 0), (0, 1, 0), (0, 1, 1)]
    weights = np.random.default_rng(0).dirichlet(np.ones(4), size=(2, 3, 5)).astype(np.float32)
    attention = AttentionMap(CROSS, weights, tuple("abcde"), tuple("abcd"))
    shown = links(attention, 1, (2, 0), share=1.0)
    assert shown.heads == (2, 0)
    assert set(shown.head.tolist()) == {0, 2}
    assert_allclose(shown.weight, [weights[1, *at] for at in found(shown)])


@given(
    seed=some.integers(0, 10_000),
    n_queries=some.integers(1, 6),
    n_keys=some.integers(1, 7),
    share=some.floats(0.05, 1.0),
    sharpness=some.floats(0.0, 6.0),
)
@settings(max_examples=40, deadline=None)
def test_each_row_keeps_its_share_in_the_smallest_set_that_does(
    seed, n_queries, n_keys, share, sharpness
):
    attention = random_attention(seed, 2, n_queries, n_keys, sharpness)
    shown = links(attention, 0, share=share)
    for head, query in np.ndindex(2, n_queries):
        row = attention.weights[0, head, query].astype(float)
        keys = shown.key[(shown.head == head) & (shown.query == query)]
        needed = share * row.sum()
        assert row[keys].sum() >= needed - 1e-9
        if len(keys) > 1:  # no set with one key less is enough
            assert max(sum(c) for c in combinations(row, len(keys) - 1)) < needed + 1e-9


@given(seed=some.integers(0, 10_000), share=some.floats(0.05, 1.0), most=some.integers(1, 20))
@settings(max_examples=40, deadline=None)
def test_past_the_most_links_the_weakest_are_left_out_and_counted(seed, share, most):
    attention = random_attention(seed)
    free, capped = (links(attention, 0, share=share, **more) for more in ({}, {"most": most}))
    assert capped.n_left_out == len(free) - len(capped)
    assert set(found(capped)) <= set(found(free))
    assert_allclose(capped.kept + capped.hidden, 1.0, rtol=1e-6)
    assert 0 <= free.hidden_share() <= capped.hidden_share() <= 1
    for head in range(3):
        weights = free.weight[free.of(head)]
        strongest = np.sort(weights)[::-1][:most]
        assert_allclose(np.sort(capped.weight[capped.of(head)])[::-1], strongest)
        assert capped.kept[head].sum() == pytest.approx(strongest.sum(), rel=1e-6)
        lost = weights.sum() - strongest.sum()
        assert capped.left_out[head] == pytest.approx(lost / 5, abs=1e-6)


def test_links_of_a_row_and_links_of_a_column():
    shown = links(attention_of([[[0.5, 0.5], [0.9, 0.1]]]), 0, share=0.8)
    for chosen, expected in (
        ({"rows": (1,)}, [[0, 1, 0]]),
        ({"rows": (1,), "side": "key"}, [[0, 1, 0]]),
        ({"columns": (0,)}, [[0, 0, 0], [0, 1, 0]]),
        ({"rows": (1,), "columns": (1,)}, [[0, 1, 0]]),
        ({"rows": (1,), "columns": (1,), "side": "key"}, [[0, 0, 1]]),
    ):
        assert np.array(found(shown))[shown.at(**chosen)].tolist() == expected, chosen
    assert shown.at().all()
