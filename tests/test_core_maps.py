"""Tables of several maps of one head, and of one row of every head."""

import numpy as np
import pytest
from figures import PLAIN, map_of, rng

from core.attention import CROSS, AttentionMap
from core.maps import NamedMap, head_rows_cells, map_cells

WEIGHTS = rng().dirichlet(np.ones(6), size=(2, 4)).astype(np.float32)
NAMES = [f"H{n}" for n in range(1, 9)]


def test_map_cells_are_the_weights_and_masked_ones_are_absent():
    maps = [NamedMap.of(site, map_of(PLAIN, site), 0, 1) for site in ("encoder", "decoder")]
    cells = map_cells(maps)
    assert cells["panel"].value_counts().to_dict() == {0: 36, 1: 21}
    for line in cells.itertuples():
        assert line.weight == maps[line.panel].weights[line.q, line.k]
        assert line.map == maps[line.panel].title
    assert (cells["query"].iloc[-1], cells["key"].iloc[-1]) == ("6 · </s>", "6 · </s>")


def test_rows_may_be_named_by_what_they_produce():
    weights = np.full((1, 1, 2, 2), 0.5, np.float32)
    attention = AttentionMap(CROSS, weights, ("<s>", "▁a"), ("▁x", "</s>"), ("▁a", "b"))
    assert NamedMap.of("t", attention, 0, 0, produced=True).row_tokens == ("▁a", "b")
    assert NamedMap.of("t", attention, 0, 0).row_tokens == ("<s>", "▁a")


def test_every_weight_is_a_cell_of_its_head():
    cells = head_rows_cells(WEIGHTS, PLAIN, NAMES)
    assert [WEIGHTS[each.layer, each.head, each.k] for each in cells.itertuples()] == list(
        cells["weight"]
    )
    assert len(cells) == WEIGHTS.size
    assert (cells["name"].iloc[-1], cells["key"].iloc[2]) == ("H8", "3 · the")


@pytest.mark.parametrize("weights", [WEIGHTS[0], WEIGHTS[:, :, :2]])
def test_shapes_that_do_not_fit_are_refused(weights):
    with pytest.raises(ValueError, match="expected weights of"):
        head_rows_cells(weights, PLAIN, NAMES)
