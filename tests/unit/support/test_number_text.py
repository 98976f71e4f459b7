"""Texts are the same where their numbers are close, in each way that numbers are written."""

from __future__ import annotations

import pytest

from support.number_text import holds, lines_unlike, texts_alike

ALIKE = {
    "true minus": ("−11838921.93", "−11838913.93"),
    "signed": ("Δ **+0.33**", "Δ **+0.34**"),
    "thousands": ("11,838,921.93", "11,838,913.93"),
    "power of ten": ("3.1e-06", "2.9e−6"),
    "next power of ten": ("9.9e+05", "1.0e+06"),
    "share": ("P = 12%", "P = 13%"),
    "in a sentence": ("L4 H8 0.965, of 32", "L4 H8 0.966, of 32"),
    "of three digits": ("1, 2, 3 (3, sum 1.01)", "1, 2, 3 (3, sum 1)"),
    "list": ("[-3.3229995166448827, 1]", "[-3.3229995166448801, 1]"),
}
UNLIKE = {
    "sign": ("−0.50", "0.50"),
    "count": ("2 of 5 heads", "3 of 5 heads"),
    "head": ("L4 H8 0.965", "L4 H7 0.965"),
    "second decimal": ("0.96", "0.94"),
    "share or not": ("12%", "12"),
    "share or nearly": ("12%", "13"),
    "percent": ("12%", "15%"),
    "words": ("weil es 0.96", "weil sie 0.96"),
    "cell": ("mask-cross-2.1-3.2", "mask-cross-2.2-3.2"),
    "date": ("2026-11-22", "2026-11-23"),
    "one more": ("0.1, 0.2", "0.1"),
    "places": ("1,4,5", "1,4,6"),
    "large": ("11,838,921", "11,938,921"),
}


@pytest.mark.parametrize("pair", ALIKE.values(), ids=ALIKE)
def test_what_another_processor_may_round_otherwise_is_the_same(pair):
    assert texts_alike(*pair)
    assert texts_alike(*reversed(pair))


@pytest.mark.parametrize("pair", UNLIKE.values(), ids=UNLIKE)
def test_what_rounding_does_not_explain_differs(pair):
    assert not texts_alike(*pair)
    assert not texts_alike(*reversed(pair))


def test_a_number_within_a_text_may_be_rounded_otherwise():
    text = "The largest weight is **0.965** (L4 H8), of 32 heads."
    assert holds(text, "**0.965** (L4 H8)")
    assert holds(text, "**0.964** (L4 H8)")
    assert not holds(text, "**0.955** (L4 H8)")
    assert not holds(text, "**0.965** (L4 H7)")
    assert not holds(text, "of 33 heads")


def test_lines_are_compared_one_by_one():
    assert list(lines_unlike("a 0.965\nb 2", "a 0.966\nb 2")) == []
    assert list(lines_unlike("a 0.965\nb 2", "a 0.966\nb 3")) == ["'b 2', was 'b 3'"]
    assert list(lines_unlike("a", "a\nb")) == ["1 lines, were 2"]
