"""Numbers and names that a finding speaks of, at their marks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core.score_parts import CONTENT, POSITION, ScoreSplit, pair_table, score_cells
from viz.atlas import head_points
from viz.figure import tables_of
from viz.score_parts import why_figure


def test_names_of_heads_at_one_place_stand_a_line_apart():
    heights = np.array([0.0, 1.0, 1.0, 1.01, 4.0])
    heads = pd.DataFrame(
        {
            **{"kind": "encoder", "layer": 0, "head": range(5), "role": ""},
            "name": [f"head {n}" for n in range(5)],
            "off": np.linspace(-1, 0, 5),
            "depth": heights,
        }
    )
    labels = {name: name for name in heads["name"]}
    points, names, *_ = head_points(heads, "off", "depth", "kind", labels=labels).data
    assert names.mode == "text"
    np.testing.assert_array_equal(points.y, names.y)
    drawn = np.sort(np.array(names.y))
    assert np.diff(drawn).min() >= 4 * 0.03
    # Each stays near its point.
    assert np.abs(drawn - heights).max() < 0.2


def test_points_without_a_name_are_small_and_stay_where_they_are():
    heads = pd.DataFrame(
        {
            **{"kind": "encoder", "layer": 0, "head": range(3), "role": ""},
            "name": ["a", "b", "c"],
            "off": [-1.0, -0.9, 0.0],
            "depth": [1.0, 1.0, 2.0],
        }
    )
    points = head_points(heads, "off", "depth", "kind", labels={"a": "a", "b": "b"}).data[0]
    one, other, small = points.marker.size
    assert one == other > small
    assert points.y[0] != points.y[1]
    assert points.y[2] == 2.0


@pytest.mark.parametrize("head", [0, 1])
def test_the_largest_share_of_the_open_head_is_written_in_the_middle_of_its_bar(head):
    rng = np.random.default_rng(0)
    sums = rng.standard_normal((2, 2, 2, 3, 4))
    scores = np.einsum("ahid,bhjd->hij", *sums) / 2
    split = ScoreSplit(0, (CONTENT, POSITION), *sums, scores.astype(np.float32))
    tokens = ("▁a", "▁b", "▁c")
    cells = score_cells(split, head, tokens, (0, 1), (0, 1))
    figure = why_figure(split, cells, pair_table(split, head, 0, 1), tokens, (head, 0, 1))
    shares = tables_of(figure)["shares"]
    (marked,) = shares[shares["marked"]].to_dict("records")
    expected = split.shares()[head]
    largest = int(expected.argmax())
    assert (marked["place"], marked["segment"]) == (head, largest)
    # Those below 0 are stacked on the other side of 0.
    left = sum(share for share in expected[:largest] if share > 0)
    assert marked["middle"] == pytest.approx(left + expected[largest] / 2)
