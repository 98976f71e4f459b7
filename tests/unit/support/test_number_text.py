"""Texts are the same where their numbers are close, in each way that numbers are written."""

from __future__ import annotations

import pytest

from support.number_text import holds, lines_unlike, texts_alike

ALIKE = [
    ("−11838921.93", "−11838913.93"),
    ("Δ **+0.33**", "Δ **+0.34**"),
    ("11,838,921.93", "11,838,913.93"),
    ("3.1e-06", "2.9e−6"),
    ("9.9e+05", "1.0e+06"),
    ("P = 12%", "P = 13%"),
    ("L4 H8 0.965, of 32", "L4 H8 0.966, of 32"),
    ("1, 2, 3 (3, sum 1.01)", "1, 2, 3 (3, sum 1)"),
    ("[-3.3229995166448827, 1]", "[-3.3229995166448801, 1]"),
]
UNLIKE = [
    ("−0.50", "0.50"),
    ("2 of 5 heads", "3 of 5 heads"),
    ("L4 H8 0.965", "L4 H7 0.965"),
    ("0.96", "0.94"),
    ("12%", "12"),
    ("12%", "13"),
    ("12%", "15%"),
    ("weil es 0.96", "weil sie 0.96"),
    ("mask-cross-2.1-3.2", "mask-cross-2.2-3.2"),
    ("2026-11-22", "2026-11-23"),
    ("0.1, 0.2", "0.1"),
    ("1,4,5", "1,4,6"),
    ("11,838,921", "11,938,921"),
]


@pytest.mark.parametrize(("pairs", "alike"), [(ALIKE, True), (UNLIKE, False)], ids=["yes", "no"])
def test_texts_are_alike_where_rounding_explains_what_differs(pairs, alike):
    for one, other in pairs:
        assert texts_alike(one, other) == texts_alike(other, one) == alike, (one, other)


def test_numbers_within_a_text_and_lines_are_compared_one_by_one():
    text = "The largest weight is **0.965** (L4 H8), of 32 heads."
    found = ("**0.965** (L4 H8)", "**0.964** (L4 H8)")
    others = ("**0.955** (L4 H8)", "**0.965** (L4 H7)", "of 33 heads")
    assert [holds(text, part) for part in (*found, *others)] == [True, True, False, False, False]
    assert list(lines_unlike("a 0.965\nb 2", "a 0.966\nb 2")) == []
    assert list(lines_unlike("a 0.965\nb 2", "a 0.966\nb 3")) == ["'b 2', was 'b 3'"]
    assert list(lines_unlike("a", "a\nb")) == ["1 lines, were 2"]
