"""Length penalties against their formulas."""

import pytest

from core.hypotheses import length_penalty
from core.search import PENALTIES


@pytest.mark.parametrize(
    ("length", "alpha", "kind", "expected"),
    [
        (1, 0.6, "wu", 1.0),
        (7, 1.0, "wu", 2.0),
        (7, 2.0, "wu", 4.0),
        (19, 0.5, "wu", 2.0),
        (100, 0.0, "wu", 1.0),
        (4, 0.5, "length", 2.0),
        (4, 0.0, "length", 1.0),
        (9, 3.0, "none", 1.0),
    ],
)
def test_penalties_by_hand(length, alpha, kind, expected):
    assert length_penalty(length, alpha, kind) == pytest.approx(expected)
    if kind == "wu":
        assert length_penalty(length, alpha) == pytest.approx(expected)


def test_an_unknown_penalty_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="'gnmt', expected one of none, length, wu"):
        length_penalty(3, 0.6, "gnmt")


@pytest.mark.parametrize("kind", PENALTIES)
def test_no_penalty_falls_as_the_length_grows(kind):
    """What the bounds of both searches rest on."""
    for alpha in (0.0, 0.6, 5.0):
        penalties = [length_penalty(n, alpha, kind) for n in range(1, 200)]
        assert penalties == sorted(penalties)
