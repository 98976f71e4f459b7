"""What a head does: every number against loops by hand, and what is called a role."""

import math

import numpy as np
import pytest

from core.attention import CROSS, DECODER, ENCODER, AttentionMap
from core.bootstrap import bootstrap, mean, ratios
from core.measurements import HeadRoles
from core.roles import (
    MARGIN,
    SPAN,
    candidates_of,
    control_values,
    end_offsets,
    offset_hits,
    roles_of,
    row_values,
)

TOKENS = ("▁a", "▁b", "c", "▁d", "</s>")
READ = ("<s>", *TOKENS[:-1])


def attention(site, seed=0, sharp=1.0):
    """Two layers of three heads with random rows over five tokens."""
    seen = np.tril(np.ones((5, 5), bool)) if site.causal else np.ones((5, 5), bool)
    scores = np.random.default_rng(seed).normal(size=(2, 3, 5, 5)) * sharp
    scores = np.where(seen, scores, -np.inf)
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    tokens = {"source": TOKENS, "target": READ}
    mask = seen if site.causal else None
    return AttentionMap(
        site, weights.astype(np.float32), tokens[site.query], tokens[site.key], mask=mask
    )


def entropy(row):
    return -sum(p * math.log2(p) for p in row if p > 0)


def by_hand(weights, role, seen, specials):
    """The rows of one head (T, T)."""
    n = len(weights)
    rows = [i for i in range(n) if seen[i].sum() > 1]
    step = {"next": 1, "previous": -1, "itself": 0}.get(role)
    if step is not None:
        there = [i for i in rows if 0 <= i + step < n and seen[i, i + step]]
        return [weights[i, i + step] for i in there]
    if role == "end":
        return [sum(weights[i, k] for k in specials) for i in rows]
    if role == "spread":
        return [entropy(weights[i]) / math.log2(seen[i].sum()) for i in rows]
    middle = [sum(weights[i, k] for i in rows) / len(rows) for k in range(n)]
    found = []
    for i in rows:
        both = [(p + q) / 2 for p, q in zip(weights[i], middle, strict=True)]
        found.append(1 - entropy(both) + (entropy(weights[i]) + entropy(middle)) / 2)
    return found


SITES = (ENCODER, DECODER, CROSS)


@pytest.mark.parametrize(
    ("site", "role"), [(site, role) for site in SITES for role in candidates_of(attention(site))]
)
def test_what_a_role_gives_each_row_is_what_loops_find(site, role):
    given = attention(site)
    specials = [0] if site is DECODER else [4]
    found = row_values(given, role)
    for layer, head in np.ndindex(2, 3):
        wanted = by_hand(given.weights[layer, head].astype(float), role, given.allowed, specials)
        np.testing.assert_allclose(found[layer, head], wanted, atol=1e-6)


def test_a_site_offers_the_roles_that_make_sense_there():
    linked = ("noun", "aligns")
    assert candidates_of(attention(ENCODER), ("noun",)) == (
        "noun", "next", "previous", "itself", "end", "column", "spread",
    )  # fmt: skip
    assert candidates_of(attention(DECODER)) == ("previous", "itself", "end", "column", "spread")
    assert candidates_of(attention(CROSS), linked) == (*linked, "end", "column", "spread")


def test_the_weight_on_a_partner_is_summed_over_it_and_averaged_over_the_word():
    given = attention(CROSS)
    found = row_values(given, "aligns", [1, 2], [0, 3])
    wanted = (given.weights[..., 1, [0, 3]].sum(-1) + given.weights[..., 2, [0, 3]].sum(-1)) / 2
    np.testing.assert_allclose(found[..., 0], wanted, atol=1e-6)


def test_a_neighbour_is_held_against_an_even_head_and_the_mean_head():
    given = attention(DECODER)
    controls = control_values(given, "previous")
    np.testing.assert_allclose(controls["uniform"][0, 0], [1 / 2, 1 / 3, 1 / 4, 1 / 5])
    mean_head = given.weights.mean((0, 1))
    np.testing.assert_allclose(controls["mean"][1, 2], np.diagonal(mean_head, -1), atol=1e-6)


def test_shuffled_rows_keep_their_weights_and_what_they_may_see():
    """So rows that agree beat them, and rows that are even do not."""
    column = attention(DECODER)
    sharp = np.where(column.allowed, 0.02, 0.0) * np.ones((2, 3, 5, 5))
    sharp[..., 0] += 1 - sharp.sum(-1)
    agreeing = AttentionMap(DECODER, sharp.astype(np.float32), READ, READ, mask=column.mask)
    even = column.allowed / column.allowed.sum(-1, keepdims=True) * np.ones((2, 3, 1, 1))
    flat = AttentionMap(DECODER, even.astype(np.float32), READ, READ, mask=column.mask)
    values, shuffled = (
        row_values(agreeing, "column").mean(),
        control_values(agreeing, "column")["shuffled"].mean(),
    )
    assert values > 0.95 > 0.8 > shuffled
    np.testing.assert_allclose(
        control_values(flat, "column")["shuffled"], row_values(flat, "column"), atol=1e-6
    )


def test_a_fixed_offset_gets_what_a_head_that_always_looks_there_would():
    hits = offset_hits([1, 2], [4, 5])
    assert {at - SPAN: share for at, share in enumerate(hits) if share} == {3: 1.0, 4: 0.5, 2: 0.5}
    ends = end_offsets(attention(CROSS))
    assert {at - SPAN: n for at, n in enumerate(ends) if n} == dict.fromkeys(range(5), 1.0)


def test_means_of_many_heads_have_the_intervals_that_one_has_alone():
    rng = np.random.default_rng(1)
    sums, counts = rng.random((30, 2, 3)) * 5, rng.integers(1, 9, 30)
    found = ratios(sums, counts)
    for at in np.ndindex(2, 3):
        alone = bootstrap(np.stack([sums[(slice(None), *at)], counts], axis=1), mean)
        np.testing.assert_allclose(found[(slice(None), *at)], [alone.value, alone.low, alone.high])


# -- what is called a role -------------------------------------------------------------------


def measured(**candidates):
    """A file of one head: of each candidate a value and its controls, give or take 0.01."""

    def bounds(value):
        return {"value": [[value]], "low": [[value - 0.01]], "high": [[value + 0.01]]}

    sites = {
        name: {
            "n": 9,
            "measured": bounds(value),
            "controls": {control: bounds(each) for control, each in controls.items()},
        }
        for name, (value, controls) in candidates.items()
    }
    off = {"zero": {"encoder": bounds(-0.2)}}
    file = {"command": "", "sentences": 9, "links": 0, "sites": {"encoder": sites}, "off": off}
    return roles_of(HeadRoles.from_values(file), "encoder")[0, 0]


@pytest.mark.parametrize(
    ("value", "controls", "name"),
    [
        (0.6, {"uniform": 0.1, "mean": 0.2}, "next"),
        (0.6, {"uniform": 0.1, "mean": 0.6 - MARGIN}, None),  # not beyond the intervals
        (0.3, {"uniform": 0.1, "mean": 0.1}, None),  # little
        (0.6, {"uniform": 0.7, "mean": 0.1}, None),
    ],
)
def test_a_role_beats_every_control_and_is_not_little(value, controls, name):
    head = measured(next=(value, controls))
    assert head.name == name
    assert head.best.control == max(controls, key=controls.get)
    assert head.off["zero"].value == -0.2


def test_the_more_telling_role_is_the_one_that_a_head_is_called_by():
    given = {"end": (0.5, {"offset": 0.1}), "noun": (0.9, {"offset": 0.2, "other": 0.3})}
    head = measured(**given)
    assert (head.name, [each.name for each in head.found]) == ("noun", ["noun", "end"])
    nothing = measured(spread=(0.5, {"mean": 0.6}), end=(0.2, {"offset": 0.1}))
    assert (nothing.name, nothing.best.name) == (None, "end")


def test_a_site_that_was_not_measured_has_no_roles():
    file = {"command": "", "sentences": 9, "links": 0, "sites": {}}
    assert roles_of(HeadRoles.from_values(file), "encoder") == {}
