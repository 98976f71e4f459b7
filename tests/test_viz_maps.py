"""Small maps of one head, and one row of every head: the numbers in their tables."""

import numpy as np
import pytest
from figures import PLAIN, rng

from viz.figure import tables_of
from viz.maps import head_rows, map_row

WEIGHTS = rng().dirichlet(np.ones(6), size=(2, 4)).astype(np.float32)


def test_no_maps_are_refused():
    with pytest.raises(ValueError, match="no maps"):
        map_row([], "encoder")


def test_every_cell_has_the_name_of_its_head():
    assert tables_of(head_rows(WEIGHTS, PLAIN))["cells"]["name"].iloc[-1] == "layer 2, head 4"


def test_heads_stand_below_each_other_with_a_line_between_layers():
    tables = tables_of(head_rows(WEIGHTS, PLAIN))
    assert sorted(set(tables["cells"]["place"])) == [0, 1, 2, 3, 5, 6, 7, 8]
    assert tables["rows"]["label"].tolist()[3:6] == ["L1 H4", "", "L2 H1"]


def test_only_the_heads_asked_for_are_shown_in_their_order():
    tables = tables_of(head_rows(WEIGHTS, PLAIN, only=[(1, 2), (0, 0)]))
    assert tables["rows"]["label"].tolist() == ["L2 H3", "L1 H1"]
    assert tables["cells"].groupby("place")["layer"].first().tolist() == [1, 0]
    assert len(tables["cells"]) == 12
