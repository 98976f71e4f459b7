"""Word order: places and distances of the vectors of two orders."""

import numpy as np
import pytest

from core.word_order import strip_tables

# Tokens a, b, c in the order c, a, b: position 0 of the second order holds token 2.
ORDER = (2, 0, 1)
VECTORS = np.zeros((2, 3, 4))
VECTORS[1, 0] = [0, 0, 3, 4]  # token a, moved by 5 in components that are not drawn
CELLS, MOVES = strip_tables({"case": VECTORS}, ("a", "b", "c"), ORDER, 2)


@pytest.mark.parametrize(("token", "place"), [("a", 1), ("b", 2), ("c", 0)])
def test_a_token_stands_in_the_second_order_where_the_order_puts_it(token, place):
    (second,) = MOVES.loc[MOVES["label"] == token, "second"]
    drawn = CELLS[(CELLS["label"] == token) & (CELLS["side"] == 1)]
    assert (second, set(drawn["place"])) == (place, {place})


def test_a_distance_counts_components_that_are_not_drawn():
    assert dict(zip(MOVES["label"], MOVES["distance"], strict=True)) == {"a": 5, "b": 0, "c": 0}
    assert CELLS["dimension"].max() == 2
