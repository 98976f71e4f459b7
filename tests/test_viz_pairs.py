"""One head in two sentences, drawn on the words they share."""

from __future__ import annotations

import json

import altair as alt
import numpy as np
import pytest

from analysis.pairs import align, shared_mask
from records import ENCODER, AttentionMap
from viz.chart import symmetric_limit
from viz.look import Look
from viz.pairs import difference_cells, difference_heatmap
from words import english

FIRST = ("the", "animal", "slept")
SECOND = ("the", "big", "animal")


def attention(weights: list, tokens: tuple[str, ...], mask=None) -> AttentionMap:
    return AttentionMap(ENCODER, np.array([[weights]], np.float32), tokens, tokens, mask=mask)


@pytest.fixture
def first() -> AttentionMap:
    return attention([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.4, 0.4, 0.2]], FIRST)


@pytest.fixture
def second() -> AttentionMap:
    return attention([[0.6, 0.3, 0.1], [0.2, 0.2, 0.6], [0.3, 0.4, 0.3]], SECOND)


PAIRS = ((0, 0), (1, 2))


def test_a_cell_masked_in_either_sentence_is_absent(second):
    mask = np.tril(np.ones((3, 3), bool))
    weights = [[1, 0, 0], [0.1, 0.9, 0], [0.4, 0.4, 0.2]]
    masked = attention(weights, FIRST, mask=mask)
    np.testing.assert_array_equal(shared_mask(masked, second, PAIRS, PAIRS), [[1, 0], [1, 1]])
    cells = difference_cells(masked, second, 0, 0, PAIRS, PAIRS)
    assert list(zip(cells["q"], cells["k"], strict=True)) == [(0, 0), (1, 0), (1, 1)]


def test_cells_carry_both_weights_and_where_they_come_from(first, second):
    cell = difference_cells(first, second, 0, 0, PAIRS, PAIRS).iloc[-1]
    assert (cell["query"], cell["key"]) == ("2 · ·animal", "2 · ·animal")
    np.testing.assert_allclose(
        [cell["first"], cell["second"], cell["difference"]], [0.8, 0.3, -0.5], atol=1e-6
    )


def test_rows_may_be_named_by_other_tokens(first, second):
    names = ("▁x", "▁y", "▁z")
    figure = difference_heatmap(first, second, 0, 0, PAIRS, PAIRS, row_tokens=names)
    assert figure.tables["rows"]["label"].tolist() == ["x", "y"]


def test_repeated_words_keep_their_own_rows_and_columns():
    tokens = ("▁the", "▁cat", "▁the")
    same = align(tokens, tokens)
    a = attention(np.full((3, 3), 1 / 3).tolist(), tokens)
    figure = difference_heatmap(a, a, 0, 0, same, same)
    assert figure.tables["columns"]["label"].tolist() == ["the₁", "cat", "the₂"]
    assert figure.tables["columns"]["k"].tolist() == [0, 1, 2]


def colour_scale(figure) -> dict:
    found = [layer["encoding"].get("color") for layer in figure.chart["layer"]]
    (colour,) = [c for c in found if c and "scale" in c]
    return colour


def test_colours_are_centred_on_zero(first, second):
    colour = colour_scale(difference_heatmap(first, second, 0, 0, PAIRS, PAIRS))
    low, high = colour["scale"]["domain"]
    assert low == -high
    assert high >= 0.5
    assert len(colour["scale"]["range"]) % 2 == 1
    assert 0 in colour["legend"]["values"]


def test_a_given_limit_sets_the_scale(first, second):
    figure = difference_heatmap(first, second, 0, 0, PAIRS, PAIRS, limit=1.0)
    assert colour_scale(figure)["scale"]["domain"] == [-1.0, 1.0]


def test_dark_pages_have_a_dark_middle(first, second):
    middles = [
        colour_scale(Look(dark=dark)(difference_heatmap, first, second, 0, 0, PAIRS, PAIRS))[
            "scale"
        ]["range"][2]
        for dark in (False, True)
    ]
    light, dark = (sum(bytes.fromhex(colour[1:])) for colour in middles)
    assert light > 600
    assert dark < 200


@pytest.mark.parametrize(
    ("largest", "limit"), [(0.0, 0.02), (0.02, 0.02), (-0.04, 0.05), (0.3, 0.5), (1.0, 1.0)]
)
def test_the_scale_ends_at_the_next_round_number(largest, limit):
    assert symmetric_limit([0.0, largest]) == limit


def test_a_tooltip_tells_both_weights_and_the_difference(first, second):
    chart = difference_heatmap(first, second, 0, 0, PAIRS, PAIRS).chart
    text = json.dumps(chart, ensure_ascii=False)
    for name in ("first", "second", "difference"):
        assert f'"title": "{english(f"figures-pairs-{name}")}"' in text


def test_nothing_shared_cannot_be_drawn(first, second):
    with pytest.raises(ValueError, match="no shared"):
        difference_heatmap(first, second, 0, 0, (), PAIRS)


def test_the_chart_fits_the_schema_of_vega_lite(first, second):
    alt.Chart.from_dict(difference_heatmap(first, second, 0, 0, PAIRS, PAIRS).chart)
