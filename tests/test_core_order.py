"""Two orders of the same words in tables."""

import numpy as np
import pytest

from core.order import Equivariance, equivariance_table, layer_table, strip_table

TOKENS = ("▁the", "▁cat", "▁the", "</s>")
VALUES = np.arange(8.0).reshape(2, 4)
CASES = (
    Equivariance(False, 32, ((0, 1), (1, 0)), np.array([0.0, 2e-7]), 3.0),
    Equivariance(True, 64, ((0, 1), (1, 0)), np.array([0.5, 2.0]), 3.0),
)


def test_layer_table_holds_each_value_in_its_place():
    table = layer_table({"a": VALUES, "b": -VALUES}, TOKENS, "distance")
    line = table.set_index(["panel", "layer", "t"]).loc[(1, 1, 2)]
    assert (line["value"], line["token"], line["text"]) == (-6.0, "3 · the", "-6.00")


def test_a_small_distance_is_not_called_nothing():
    table = layer_table({"a": np.array([[0.0, 2.3e-6, 0.5]])}, ("a", "b", "c"), "distance")
    assert table["text"].tolist() == ["0.00", "2e-6", "0.50"]


@pytest.mark.parametrize("panels", [{}, {"a": VALUES, "b": VALUES[:1]}, {"a": VALUES[:, :3]}])
def test_panels_that_do_not_fit_are_refused(panels):
    with pytest.raises(ValueError, match="expected panels"):
        layer_table(panels, TOKENS, "distance")


def test_strips_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="one length"):
        strip_table({"a": np.ones(2), "b": np.ones(3)})


def test_one_rounding_step_is_that_of_the_largest_number():
    # Numbers from 2 to 4 are 2^(1 - 23) apart in float32, 2^(1 - 52) in float64.
    assert equivariance_table(CASES)["rounding"].unique().tolist() == [2.0**-22, 2.0**-51]
