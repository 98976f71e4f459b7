"""Roles of heads: every number against loops by hand, and the verdicts on made-up measurements."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.records.attention import CROSS, DECODER, ENCODER, AttentionMap
from core.roles import (
    MARGIN,
    SPAN,
    HeadRoles,
    candidates_of,
    control_values,
    end_offsets,
    offset_hits,
    roles_of,
    row_values,
    seen_roles,
    text_values,
)

TOKENS = ("▁a", "▁b", "c", "▁d", "</s>")


def attention(site):
    """Two layers of three heads with random rows over five tokens."""
    tokens = {"source": TOKENS, "target": ("<s>", *TOKENS[:-1])}
    seen = np.tri(5, dtype=bool) if site.causal else np.ones((5, 5), bool)
    weights = np.random.default_rng(0).random((2, 3, 5, 5)) * seen
    weights /= weights.sum(-1, keepdims=True)
    return AttentionMap(site, weights, tokens[site.query], tokens[site.key], mask=seen)


def entropy(row):
    return -sum(p * math.log2(p) for p in row if p > 0)


def by_hand(weights, role, seen, special):
    """The rows of one head (T, T)."""
    rows = [i for i in range(5) if seen[i].sum() > 1]
    if role == "end":
        return [weights[i, special] for i in rows]
    if role == "spread":
        return [entropy(weights[i]) / math.log2(seen[i].sum()) for i in rows]
    if role == "column":
        middle = np.mean([weights[i] for i in rows], axis=0)
        both = [entropy((weights[i] + middle) / 2) for i in rows]
        apart = (entropy(weights[i]) + entropy(middle) for i in rows)
        return [1 - b + a / 2 for b, a in zip(both, apart, strict=True)]
    step = {"next": 1, "previous": -1, "itself": 0}[role]
    return [weights[i, i + step] for i in rows if 0 <= i + step < 5 and seen[i, i + step]]


@pytest.mark.parametrize("site", [ENCODER, DECODER, CROSS])
def test_what_a_role_gives_rows_and_texts_is_what_loops_find(site):
    given, special = attention(site), 0 if site is DECODER else 4
    for role in candidates_of(given):
        values, texts = row_values(given, role), text_values(given, role)
        for at in np.ndindex(2, 3):
            rows = by_hand(given.weights[at], role, given.allowed, special)
            np.testing.assert_allclose(values[at], rows, atol=1e-12, err_msg=role)
            assert texts[at] == pytest.approx(sum(rows) / len(rows), abs=1e-12), role


def test_a_site_offers_the_roles_that_make_sense_there():
    linked, any_site = ("noun", "aligns"), ("end", "column", "spread")
    here = ("noun", "next", "previous", "itself", *any_site)
    assert candidates_of(attention(ENCODER), ("noun",)) == here
    assert candidates_of(attention(DECODER)) == ("previous", "itself", *any_site)
    assert candidates_of(attention(CROSS), linked) == (*linked, *any_site)
    # A word and its partner are told where both are known.
    given, rows, columns = attention(ENCODER), (1, 2), (3, 4)
    wanted = sum(given.weights[1, 2, row, k] for row in rows for k in columns) / 2
    assert text_values(given, "noun", rows, columns)[1, 2] == pytest.approx(wanted)
    assert text_values(given, "noun", rows) is None
    assert text_values(attention(CROSS), "next") is None


def test_a_neighbour_is_held_against_an_even_head_and_the_mean_head():
    given = attention(DECODER)
    controls = control_values(given, "previous")
    np.testing.assert_allclose(controls["uniform"][0, 0], [1 / 2, 1 / 3, 1 / 4, 1 / 5])
    mean_head = given.weights.mean((0, 1))
    np.testing.assert_allclose(controls["mean"][1, 2], np.diagonal(mean_head, -1))


def test_rows_that_agree_beat_shuffled_ones_and_rows_that_are_even_do_not():
    given = attention(DECODER)
    sharp = np.where(given.allowed, 0.02, 0.0) * np.ones((2, 3, 1, 1))
    sharp[..., 0] += 1 - sharp.sum(-1)
    even = given.allowed / given.allowed.sum(-1, keepdims=True) * np.ones((2, 3, 1, 1))
    (agreeing, shuffled), (flat, flat_shuffled) = (
        (row_values(of, "column"), control_values(of, "column")["shuffled"])
        for of in (replace(given, weights=weights) for weights in (sharp, even))
    )
    assert agreeing.mean() > 0.95 > 0.8 > shuffled.mean()
    np.testing.assert_allclose(flat, flat_shuffled)


def test_a_fixed_offset_gets_what_a_head_that_always_looks_there_would():
    for hits, wanted in (
        (offset_hits([1, 2], [4, 5]), {2: 1, 3: 2, 4: 1}),
        (offset_hits([0], [SPAN, SPAN + 1]), {SPAN: 1}),
        (end_offsets(attention(CROSS)), dict.fromkeys(range(5), 1)),
    ):
        assert {at - SPAN: n for at, n in enumerate(hits) if n} == wanted


def test_a_sentence_shows_a_role_where_its_mean_reaches_the_minimum():
    given = attention(ENCODER)
    weights = np.zeros((1, 4, 5, 5))
    weights[0, :, :, 0] = 1
    # Head 0 has 0.5 on the next token in each of four rows, head 1 in three: means 0.5 and 0.375.
    for head, n_rows in ((0, 4), (1, 3)):
        for row in range(n_rows):
            weights[0, head, row, row + 1] += 0.5
    given = replace(given, weights=weights)
    names = {(0, 0): "next", (0, 1): "next", (0, 2): "aligns", (0, 3): None}
    assert seen_roles([given], {"encoder": names}) == {"next": (1, 2)}
    assert seen_roles([given], {"decoder": names}) == {}
    # A single token has no next one, so the role is not tested.
    one = AttentionMap(ENCODER, np.ones((1, 4, 1, 1)), ("a",), ("a",))
    assert seen_roles([one], {"encoder": names}) == {}


def measured(**candidates):
    """Candidates of one head: each with a value and its controls, give or take 0.01."""

    def bounds(value):
        return {"value": [[value]], "low": [[value - 0.01]], "high": [[value + 0.01]]}

    sites = {}
    for name, (value, controls) in candidates.items():
        held = {control: bounds(each) for control, each in controls.items()}
        sites[name] = {"n": 9, "measured": bounds(value), "controls": held}
    file = {"command": "", "sentences": 7, "links": 0, "sites": {"encoder": sites}}
    file["off"] = {"zero": {"encoder": bounds(-0.2)}}
    return roles_of(HeadRoles.from_values(file), "encoder")


@pytest.mark.parametrize(
    ("candidates", "name", "best", "control", "n"),
    [
        ({"next": (0.6, {"uniform": 0.1, "mean": 0.2})}, "next", "next", "mean", 7),
        # not beyond the intervals, little, below a control
        ({"next": (0.6, {"uniform": 0.1, "mean": 0.6 - MARGIN})}, None, "next", "mean", 7),
        ({"next": (0.3, {"uniform": 0.2, "mean": 0.1})}, None, "next", "uniform", 7),
        ({"next": (0.6, {"uniform": 0.7, "mean": 0.1})}, None, "next", "uniform", 7),
        # the more telling role, the nearest candidate
        ({"end": (0.5, {"mean": 0}), "noun": (0.9, {"other": 0.3})}, "noun", "noun", "other", 9),
        ({"spread": (0.5, {"mean": 0.6}), "end": (0.2, {"mean": 0.1})}, None, "end", "mean", 7),
    ],
)
def test_a_role_beats_every_control_and_is_not_little(candidates, name, best, control, n):
    (head,) = measured(**candidates).values()
    assert (head.name, head.best.name, head.best.control, head.best.n) == (name, best, control, n)
    assert head.off["zero"].value == -0.2
    assert measured() == {}  # a site that was not measured
