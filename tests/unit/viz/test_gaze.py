"""The picture of a scene once for every word, shaded by the gaze."""

from __future__ import annotations

import numpy as np
import pytest

from support.figures import pixels_of
from viz.figure import tables_of
from viz.gaze import A_ROW, SHADE, gaze_figure, gaze_table, shaded

GRID = (2, 2)
PIXELS = np.full((4, 4, 3), 200, dtype=np.uint8)
WEIGHTS = [np.array([0.64, 0.16, 0.16, 0.04]), np.array([0.0, 0.0, 1.0, 0.0])]
LABELS = ["red", "circle"]


@pytest.fixture
def figure():
    boxes = [None, (1, 0, 3, 2)]
    return gaze_figure(PIXELS, LABELS, WEIGHTS, grid=GRID, notes=["", "90%"], boxes=boxes)


def test_a_cell_is_as_bright_as_the_root_of_its_share_of_the_largest():
    # Of 0.64 the others are a quarter, a quarter and a sixteenth.
    light = [round(200 * (1 - SHADE * dark)) for dark in (0, 0.5, 0.5, 0.75)]
    found = shaded(PIXELS, WEIGHTS[0], GRID)
    assert found[::2, ::2, 0].ravel().tolist() == light
    np.testing.assert_array_equal(found, found[::2, ::2].repeat(2, 0).repeat(2, 1))


def test_the_picture_stands_first_and_then_as_each_word_looks_at_it(figure):
    panels = tables_of(figure)["panels"]
    assert panels["label"].tolist() == ["", *LABELS]
    assert panels["note"].tolist() == ["", "", "90%"]
    np.testing.assert_array_equal(pixels_of(panels["image"][0]), PIXELS)
    for url, weights in zip(panels["image"][1:], WEIGHTS, strict=True):
        np.testing.assert_array_equal(pixels_of(url), shaded(PIXELS, weights, GRID))


def test_a_box_lies_where_it_lies_in_the_picture(figure):
    tables = tables_of(figure)
    (box,) = tables["boxes"].to_numpy()
    corner = tables["panels"].loc[2, ["x", "y"]].to_numpy(float)
    side = 112 / 4  # a picture is drawn 112 wide
    np.testing.assert_allclose(box - [*corner, *corner], [side, 0, 3 * side, 2 * side])


def test_no_two_pictures_share_a_place():
    tables = tables_of(gaze_figure(PIXELS, ["a"] * 14, [WEIGHTS[1]] * 14, grid=GRID))
    assert not tables["panels"].duplicated(["x", "y"]).any()
    assert tables["panels"]["x"].nunique() == A_ROW
    assert tables["boxes"].empty


def test_the_table_has_a_line_for_each_cell_of_each_word():
    table = gaze_table(LABELS, WEIGHTS, GRID)
    assert table["weight"].tolist() == np.concatenate(WEIGHTS).tolist()
    assert table.iloc[2].tolist() == [1, "red", 1, 0, 0.16]
