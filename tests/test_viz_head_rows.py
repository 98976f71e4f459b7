"""Attention of every head for one token, as a matrix."""

from __future__ import annotations

import altair as alt
import numpy as np
import pytest

from viz.export import figure_svg
from viz.head_rows import head_rows, head_rows_cells
from viz.look import Look

TOKENS = ("▁The", "▁cat", "▁The")
WEIGHTS = np.random.default_rng(0).dirichlet(np.ones(3), size=(2, 4)).astype(np.float32)


def test_every_weight_is_a_cell_with_its_place():
    cells = head_rows_cells(WEIGHTS, TOKENS)
    assert len(cells) == WEIGHTS.size
    for cell in cells.itertuples():
        assert cell.weight == WEIGHTS[cell.layer, cell.head, cell.k]
    assert cells["name"].iloc[-1] == "layer 2, head 4"
    assert cells["key"].iloc[-1] == "3 · The"


def test_cells_of_a_figure_do_not_overlap():
    cells = head_rows(WEIGHTS, TOKENS).tables["cells"]
    lines = cells[cells["k"] == 0].sort_values("y")
    assert (lines["y2"].to_numpy()[:-1] <= lines["y"].to_numpy()[1:]).all()
    row = cells[(cells["layer"] == 0) & (cells["head"] == 0)].sort_values("x")
    assert (row["x2"].to_numpy()[:-1] <= row["x"].to_numpy()[1:]).all()


def test_layers_stand_apart():
    cells = head_rows(WEIGHTS, TOKENS).tables["cells"]
    ends = cells[cells["layer"] == 0]["y2"].max()
    begins = cells[cells["layer"] == 1]["y"].min()
    heads = cells[(cells["layer"] == 0) & (cells["k"] == 0)]["y"]
    assert begins - ends > heads.diff().max() - (ends - heads.max())


def test_repeated_tokens_keep_their_own_names():
    labels = head_rows(WEIGHTS, TOKENS).tables["columns"]["label"].tolist()
    assert len(set(labels)) == 3


def test_colours_run_from_zero_to_one():
    layers = Look(dark=True)(head_rows, WEIGHTS, TOKENS).chart["layer"]
    assert layers[0]["encoding"]["color"]["scale"]["domain"] == [0, 1]


def test_figures_of_two_sizes_do_not_share_their_size():
    small, large = head_rows(WEIGHTS, TOKENS), head_rows(WEIGHTS.repeat(3, axis=1), TOKENS)
    assert small.chart["height"] < large.chart["height"]


def test_it_fits_the_schema_of_vega_lite_and_can_be_saved_as_a_picture():
    alt.Chart.from_dict(head_rows(WEIGHTS, TOKENS).chart)
    assert "L2 H4" in figure_svg(head_rows(WEIGHTS, TOKENS))


@pytest.mark.parametrize("weights", [WEIGHTS[0], WEIGHTS[:, :, :2]])
def test_shapes_that_do_not_fit_are_refused(weights):
    with pytest.raises(ValueError, match="expected weights of"):
        head_rows_cells(weights, TOKENS)


def test_only_the_heads_asked_for_are_shown_in_their_order():
    weights = np.full((2, 3, 4), 0.25, np.float32)
    figure = head_rows(weights, ("a", "b", "c", "d"), only=[(1, 2), (0, 0)])
    cells, rows = figure.tables["cells"], figure.tables["rows"]
    assert len(cells) == 8
    tops = cells.groupby(["layer", "head"], observed=True)["y"].first().to_dict()
    assert tops[(1, 2)] < tops[(0, 0)]
    assert sorted(rows["y"].tolist()) == [tops[(1, 2)] + 8.5, tops[(0, 0)] + 8.5]
    assert len(head_rows(weights, ("a", "b", "c", "d")).tables["cells"]) == 24
