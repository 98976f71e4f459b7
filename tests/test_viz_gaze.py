"""The picture of a scene once for every word, shaded by the gaze."""

from __future__ import annotations

import base64
import io

import altair as alt
import numpy as np
import pytest
from PIL import Image

from viz.gaze import A_ROW, SHADE, gaze_figure, gaze_table, shaded

GRID = (2, 2)
PIXELS = np.full((4, 4, 3), 200, dtype=np.uint8)
WEIGHTS = [np.array([0.64, 0.16, 0.16, 0.04]), np.array([0.0, 0.0, 1.0, 0.0])]
LABELS = ["red", "circle"]


@pytest.fixture
def figure():
    boxes = [None, (1, 0, 3, 2)]
    return gaze_figure(PIXELS, LABELS, WEIGHTS, grid=GRID, notes=["", "90%"], boxes=boxes)


def pixels_of(url: str) -> np.ndarray:
    png = base64.b64decode(url.removeprefix("data:image/png;base64,"))
    return np.asarray(Image.open(io.BytesIO(png)))


def test_a_cell_is_as_bright_as_the_root_of_its_share_of_the_largest():
    found = shaded(PIXELS, WEIGHTS[0], GRID)
    half = round(200 * (1 - SHADE / 2))  # 0.16 is a quarter of 0.64
    assert (found[:2, :2] == 200).all()
    assert (found[:2, 2:] == half).all()
    assert (found[2:, :2] == half).all()
    assert (found[2:, 2:] == round(200 * (1 - 0.75 * SHADE))).all()


def test_the_picture_stands_first_and_then_as_each_word_looks_at_it(figure):
    panels = figure.tables["panels"]
    assert panels["label"].tolist() == ["", *LABELS]
    assert panels["note"].tolist() == ["", "", "90%"]
    np.testing.assert_array_equal(pixels_of(panels["image"][0]), PIXELS)
    for url, weights in zip(panels["image"][1:], WEIGHTS, strict=True):
        np.testing.assert_array_equal(pixels_of(url), shaded(PIXELS, weights, GRID))


def test_a_box_lies_where_it_lies_in_the_picture(figure):
    (box,) = figure.tables["boxes"].itertuples()
    panel = figure.tables["panels"].iloc[2]
    side = 112 / 4  # a picture is drawn 112 wide
    assert (box.x - panel["x"], box.x2 - panel["x"]) == (side, 3 * side)
    assert (box.y - panel["y"], box.y2 - panel["y"]) == (0, 2 * side)


def test_no_two_pictures_share_a_place():
    many = gaze_figure(PIXELS, ["a"] * 14, [WEIGHTS[1]] * 14, grid=GRID)
    panels = many.tables["panels"]
    assert not panels.duplicated(["x", "y"]).any()
    assert panels["x"].nunique() == A_ROW
    assert many.tables["boxes"].empty


def test_the_figure_obeys_the_schema(figure):
    alt.Chart.from_dict(figure.to_dict(), validate=True)


def test_the_table_has_a_line_for_each_cell_of_each_word():
    table = gaze_table(LABELS, WEIGHTS, GRID)
    assert len(table) == 8
    line = table[(table["number"] == 1) & (table["row"] == 1) & (table["column"] == 0)].iloc[0]
    assert (line["word"], line["weight"]) == ("red", 0.16)
    assert table[table["number"] == 2]["weight"].idxmax() == 6
