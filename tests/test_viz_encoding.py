"""The encoding of positions: the formula by hand and against the model, and its pictures."""

from __future__ import annotations

import base64
import io
import json
import math

import altair as alt
import numpy as np
import pytest
from PIL import Image

from analysis.positions import (
    cosine_matrix,
    encoding_table,
    offset_similarity,
    rotation,
    spread_dimensions,
    wavelengths,
)
from viz.encoding import (
    MOST_CELLS,
    MOST_CURVES,
    curves_figure,
    encoding_heatmap,
    wavelength_figure,
)
from viz.encoding_relations import rotation_figure, similarity_curve, similarity_heatmap
from viz.export import figure_svg
from viz.look import Look, looking

TOKENS = ("▁The", "▁dog", "▁saw", "▁the", "▁dog", "</s>")


def numbers_of(figure):
    """The numbers that the specification is filled with."""
    return {p["name"]: p["value"] for p in figure.chart["params"] if "value" in p}


def pixels_of(figure):
    url = figure.tables["picture"]["image"][0]
    return np.asarray(
        Image.open(io.BytesIO(base64.b64decode(url.split(",")[1]))).convert("RGB"), int
    )


def test_curves_hold_the_values_of_their_dimensions():
    values = encoding_table(30, 16)
    lines = curves_figure(values, [5, 2]).tables["lines"]
    for dimension in (2, 5):
        drawn = lines.loc[lines["dimension"] == dimension, "value"]
        np.testing.assert_allclose(drawn, values[:, dimension], atol=1e-7)
    assert len(lines) == 60


def test_the_pointer_reads_every_curve_at_a_position():
    figure = curves_figure(encoding_table(10, 8), [0, 3], tokens=TOKENS)
    line = figure.tables["pointed"].loc[4]
    assert line["dimension 0"] == pytest.approx(math.sin(4), abs=1e-4)
    assert line["dimension 3"] == pytest.approx(math.cos(0.4), abs=1e-4)
    assert line["token"] == "dog₂"
    told = next(layer for layer in figure.chart["layer"] if layer["data"]["name"] == "pointed")
    fields = [tooltip["field"] for tooltip in told["encoding"]["tooltip"]]
    assert fields == ["position", "token", "dimension 0", "dimension 3"]


@pytest.mark.parametrize("count", [0, MOST_CURVES + 1])
def test_too_few_or_too_many_curves_are_refused(count):
    with pytest.raises(ValueError, match=f"found {count}"):
        curves_figure(encoding_table(10, 16), range(count))


def test_tokens_are_named_where_there_is_room():
    marked = curves_figure(encoding_table(20, 8), [0], tokens=TOKENS).tables["sentence"]
    assert list(marked["label"]) == ["The", "dog₁", "saw", "the", "dog₂", "</s>"]
    assert list(marked["position"]) == [0, 1, 2, 3, 4, 5]


def test_without_room_the_sentence_is_marked_as_a_whole():
    marked = curves_figure(encoding_table(300, 8), [0], tokens=TOKENS).tables["sentence"]
    assert marked.to_dict("records") == [
        {"start": -0.5, "end": 5.5, "label": "This sentence (n = 6)"}
    ]


def test_tokens_beyond_the_length_are_left_out():
    marked = encoding_heatmap(encoding_table(4, 8), tokens=TOKENS).tables["sentence"]
    assert list(marked["position"]) == [0, 1, 2, 3]


def test_the_heat_map_has_a_colour_for_every_value():
    # Rows of -1, 0 and 1: purple, neutral, green.
    values = np.array([[-1.0, -1.0], [0.0, 0.0], [1.0, 1.0]])
    pixels = pixels_of(encoding_heatmap(values))
    third = len(pixels) // 3
    low, middle, high = (tuple(pixels[third * row + third // 2, 0]) for row in range(3))
    assert low == (0x5F, 0x3A, 0x5F)
    assert high == (0x1F, 0x5A, 0x29)
    np.testing.assert_allclose(middle, (0xF3, 0xF2, 0xF0), atol=1)


@pytest.mark.parametrize(("length", "d_model"), [(8, 4), (160, 256), (512, 512), (100, 300)])
def test_the_picture_has_whole_pixels_for_every_cell(length, d_model):
    figure = encoding_heatmap(encoding_table(length, d_model))
    rows, columns, _ = pixels_of(figure).shape
    assert rows == 2 * figure.chart["height"]
    assert rows % (2 * length) == 0
    assert columns == 2 * figure.chart["width"]
    assert columns % (2 * d_model) == 0


def test_few_cells_tell_their_values():
    values = encoding_table(12, 10)
    hover = encoding_heatmap(values, tokens=TOKENS).tables["hover"]
    cell = hover[(hover["position"] == 4) & (hover["dimension"] == 7)].iloc[0]
    assert cell["value"] == pytest.approx(values[4, 7], abs=1e-7)
    assert cell["token"] == "dog₂"


def test_many_cells_cost_no_more_than_their_dimensions():
    figure = encoding_heatmap(encoding_table(512, 512), tokens=TOKENS)
    assert MOST_CELLS < 512 * 512
    assert len(figure.tables["hover"]) == 512
    assert len(json.dumps(figure.to_dict())) < 500_000


def test_the_chosen_value_is_ringed():
    values = encoding_table(20, 8)
    chosen = encoding_heatmap(values, chosen=(7, 3)).tables["chosen"].iloc[0]
    assert (chosen["position"], chosen["dimension"]) == (7, 3)
    assert chosen["value"] == pytest.approx(values[7, 3])
    assert curves_figure(values, [0]).tables["chosen"].empty


def test_wavelengths_stand_beside_both_lengths():
    figure = wavelength_figure(8, sentence_length=6, max_len=160, pair=2)
    points = figure.tables["points"]
    np.testing.assert_allclose(points["wavelength"], wavelengths(8))
    assert points["turns"][0] == pytest.approx(6 / (2 * math.pi))
    assert list(points["chosen"]) == [False, False, True, False]
    assert list(figure.tables["references"]["length"]) == [6, 160]


def test_one_curve_is_right_on_both_scales():
    # Dot products run to d_model / 2 where cosines run to 1, from the same share below 0.
    found = offset_similarity(encoding_table(60, 16, 10.0))
    numbers = numbers_of(similarity_curve(found))
    assert numbers["squared_length"] == pytest.approx(8)
    assert numbers["lowest"] <= found.cosines.min() < 0


def test_the_farthest_offset_of_the_sentence_is_marked():
    found = offset_similarity(encoding_table(60, 16))
    assert list(similarity_curve(found, sentence_length=6).tables["reference"]["offset"]) == [5]
    assert similarity_curve(found, sentence_length=60).tables["reference"].empty
    assert similarity_curve(found).tables["reference"].empty


def test_the_similarity_matrix_tells_its_cosines():
    cosines = cosine_matrix(encoding_table(9, 8))
    hover = similarity_heatmap(cosines).tables["hover"]
    cell = hover[(hover["first"] == 2) & (hover["second"] == 7)].iloc[0]
    assert cell["cosine"] == pytest.approx(cosines[2, 7])


def test_both_ends_of_the_rotation_are_drawn():
    found = rotation(1, 0, 3, 8)
    points = rotation_figure(found, encoding_table(10, 8), tokens=TOKENS).tables["points"]
    np.testing.assert_allclose(points["sine"], [math.sin(1), math.sin(4)])
    np.testing.assert_allclose(points["cosine"], [math.cos(1), math.cos(4)])
    assert list(points["label"]) == ["1 dog₁", "4 dog₂"]


def test_names_of_close_points_stand_apart():
    found = rotation(4, 100, 1, 256)
    points = rotation_figure(found, encoding_table(10, 256)).tables["points"]
    assert np.hypot(*np.diff(points[["sine", "cosine"]].to_numpy(), axis=0)[0]) < 0.01
    assert np.hypot(*np.diff(points[["x", "y"]].to_numpy(), axis=0)[0]) > 0.25


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("length", "d_model"), [(8, 4), (15, 256), (512, 512)])
def test_every_picture_can_be_drawn(length, d_model, dark):
    values = encoding_table(length, d_model)
    with looking(Look(dark=dark)):
        figures = [
            curves_figure(values, spread_dimensions(d_model), chosen=(4, 0), tokens=TOKENS),
            encoding_heatmap(values, chosen=(4, 0), tokens=TOKENS),
            wavelength_figure(d_model, sentence_length=6, max_len=160),
            similarity_curve(offset_similarity(values), sentence_length=6),
            similarity_heatmap(cosine_matrix(values), tokens=TOKENS),
            rotation_figure(rotation(4, 1, 3, d_model), values, tokens=TOKENS),
        ]
        for figure in figures:
            alt.Chart.from_dict(figure.chart)
            assert figure_svg(figure).startswith("<svg")


def test_another_size_differs_in_numbers_alone():
    first, second = (encoding_heatmap(encoding_table(n, 128)) for n in (100, 300))
    assert first.chart["layer"] == second.chart["layer"]
    assert (numbers_of(first)["length"], numbers_of(second)["length"]) == (100, 300)
