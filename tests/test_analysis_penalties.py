"""Length penalties against their formulas."""

import pytest

from analysis.penalties import length_penalty
from records import PENALTIES


@pytest.mark.parametrize(
    ("length", "alpha", "expected"),
    [(1, 0.6, 1.0), (7, 1.0, 2.0), (7, 2.0, 4.0), (19, 0.5, 2.0), (100, 0.0, 1.0)],
)
def test_length_penalty_by_hand(length, alpha, expected):
    assert length_penalty(length, alpha) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("length", "alpha", "kind", "expected"),
    [(7, 1.0, "wu", 2.0), (4, 0.5, "length", 2.0), (4, 0.0, "length", 1.0), (9, 3.0, "none", 1.0)],
)
def test_penalties_are_chosen_by_name(length, alpha, kind, expected):
    assert length_penalty(length, alpha, kind) == pytest.approx(expected)


def test_an_unknown_penalty_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="'gnmt', expected one of none, length, wu"):
        length_penalty(3, 0.6, "gnmt")


@pytest.mark.parametrize("kind", PENALTIES)
def test_no_penalty_falls_as_the_length_grows(kind):
    """What the bounds of both searches rest on."""
    for alpha in (0.0, 0.6, 5.0):
        penalties = [length_penalty(n, alpha, kind) for n in range(1, 200)]
        assert penalties == sorted(penalties)
