"""The encoding of positions in tables and images, by the formula."""

import numpy as np
import pytest

from core.positions import (
    LEAST_HALVED,
    drawn_pairs,
    encoding_table,
    rotation,
)
from core.principal import principal
from support.figures import pixels_of
from viz.encoding import encoding_heatmap
from viz.encoding_relations import rotation_figure
from viz.encoding_space import MOST_NAMED, encoding_curve, encoding_surface
from viz.export import figure_svg
from viz.figure import spec_of, tables_of
from words import english

TOKENS = ("▁The", "▁dog", "▁saw", "▁the", "▁dog", "</s>")


def test_the_heat_map_has_a_colour_for_every_value():
    # Rows of -1, 0 and 1: purple, neutral, green.
    figure = encoding_heatmap(np.array([[-1.0, -1.0], [0.0, 0.0], [1.0, 1.0]]))
    pixels = pixels_of(tables_of(figure)["picture"]["image"][0])
    low, middle, high = pixels[len(pixels) // 6 :: len(pixels) // 3, 0]
    assert tuple(low) == (0x5F, 0x3A, 0x5F)
    assert tuple(high) == (0x1F, 0x5A, 0x29)
    np.testing.assert_allclose(middle, (0xF3, 0xF2, 0xF0), atol=1)


@pytest.mark.parametrize(("length", "d_model"), [(8, 4), (160, 256), (512, 512), (100, 300)])
def test_the_picture_has_whole_pixels_for_every_cell(length, d_model):
    figure = encoding_heatmap(encoding_table(length, d_model))
    rows, columns, _ = pixels_of(tables_of(figure)["picture"]["image"][0]).shape
    panel = spec_of(figure)["hconcat"][0]
    assert (rows, columns) == (2 * panel["height"], 2 * panel["width"])
    first, step = drawn_pairs(d_model, 32)
    drawn = 2 * len(range(first, d_model // 2, step)) if d_model >= LEAST_HALVED else d_model
    assert (rows % (2 * length), columns % (2 * drawn)) == (0, 0)


def test_the_row_of_the_chosen_position_is_framed_across_the_picture():
    panel = spec_of(encoding_heatmap(encoding_table(8, 16), chosen=(5, 2)))["hconcat"][0]
    marks = [layer["mark"] for layer in panel["layer"] if isinstance(layer["mark"], dict)]
    frames = [mark for mark in marks if mark["type"] == "rect" and mark.get("stroke")]
    assert [(mark["width"], 8 * mark["height"]) for mark in frames] == [
        (panel["width"], panel["height"])
    ]


def test_the_numbers_of_both_halves_of_the_dimensions_begin_with_their_function():
    drawn = figure_svg(encoding_heatmap(encoding_table(8, 256)))
    assert f">{english('positions-sine')} 0<" in drawn
    assert f">{english('positions-cosine')} 1<" in drawn


def test_names_of_close_points_stand_apart():
    figure = rotation_figure(rotation(4, 100, 1, 256), encoding_table(10, 256))
    points = tables_of(figure)["points"]
    assert np.hypot(*np.diff(points[["sine", "cosine"]].to_numpy(), axis=0)[0]) < 0.01
    assert np.hypot(*np.diff(points[["x", "y"]].to_numpy(), axis=0)[0]) > 0.25


def surfaces(plot):
    return [trace for trace in plot.data if trace.type == "surface"]


def notes(plot):
    return [note.text for note in plot.layout.scene.annotations]


def curve_of(length, d_model=16, **more):
    return encoding_curve(principal(encoding_table(length, d_model)), **more)


@pytest.mark.parametrize(("length", "d_model"), [(2, 2), (5, 3), (9, 4), (9, 5), (160, 256)])
def test_every_value_stands_at_its_position_and_dimension_and_no_part_is_a_line(length, d_model):
    values = encoding_table(length, d_model + d_model % 2)[:, :d_model]
    found = np.full(values.shape, np.nan)
    plot = encoding_surface(values, chosen=(1, 1))
    assert len(surfaces(plot)) == (2 if d_model >= LEAST_HALVED else 1)
    for part in surfaces(plot):
        assert list(part.y) == [str(place) for place in range(length)]
        assert part.z.shape[1] > 1
        found[:, [int(name) for name in part.x]] = part.z
    np.testing.assert_allclose(found, values, atol=1e-7)
    # Even dimensions first.
    order = sorted(range(d_model), key=lambda i: (i % 2 if d_model >= LEAST_HALVED else 0, i))
    assert list(plot.layout.scene.xaxis.categoryarray) == [str(i) for i in order]
    mark = plot.data[-1]
    assert (mark.x[0], mark.y[0], mark.z[0]) == ("1", "1", pytest.approx(values[1, 1]))


def test_the_frame_runs_around_the_sentence_on_the_surface():
    values = encoding_table(40, 8)
    frames = encoding_surface(values, tokens=TOKENS).data[1::2]
    for frame, first in zip(frames, (0, 1), strict=True):
        places = [int(name.split()[0]) for name in frame.y]
        dimensions = [int(name) for name in frame.x]
        np.testing.assert_allclose(frame.z, values[places, dimensions], atol=1e-7)
        assert (min(places), max(places), places[0]) == (0, len(TOKENS) - 1, places[-1])
        assert (min(dimensions), max(dimensions)) == (first, 6 + first)


def test_tokens_are_named_where_there_is_room_and_else_the_frame_is():
    short = encoding_surface(encoding_table(8, 4), tokens=TOKENS)
    rows = ["0 (The)", "1 (dog₁)", "2 (saw)", "3 (the)", "4 (dog₂)", "5 (&lt;/s&gt;)", "6", "7"]
    assert list(surfaces(short)[0].y) == rows
    assert notes(short) == [*rows, f"<b>{english('positions-position')}</b>"]
    whole = encoding_surface(encoding_table(60, 4), tokens=["▁a"] * 20 + ["▁<b>"] * 6)
    assert notes(whole) == [english("positions-this-sentence", n=26)]
    # A tick says what the pointer says, and needs no entities.
    assert list(whole.layout.scene.yaxis.tickvals) == ["0 (a₁)", "10 (a₁₁)", "30", "40", "50"]
    assert not notes(encoding_surface(encoding_table(30, 8)))


def test_axes_of_one_scale_hold_every_point_and_the_pointer_reads_its_coordinates():
    values = encoding_table(30, 8)
    shares = np.linalg.eigvalsh(np.cov(values.T))[::-1]
    plot = encoding_curve(principal(values), tokens=TOKENS)
    axes = [plot.layout.scene[f"{axis}axis"] for axis in "xyz"]
    titles = [f"PC {i + 1} ({100 * shares[i] / shares.sum():.1f}%)" for i in range(3)]
    assert [each.title.text for each in axes] == titles
    line, marks = plot.data
    assert axes[0].range == axes[1].range == axes[2].range
    assert axes[0].range[1] > max(np.abs(line[axis]).max() for axis in "xyz")
    np.testing.assert_array_equal(marks.x, line.x[:6])
    assert list(marks.customdata) == list(line.customdata[:6])
    for place, name in ((1, "1 (dog₁)"), (7, "7")):
        told = [f"{line[axis][place]:.3f}".replace("-", "−") for axis in "xyz"]
        assert list(line.customdata[place]) == [name, *told]


def test_names_stand_apart_and_are_not_too_many_and_of_what_has_a_place():
    named = curve_of(160, 2, tokens=["▁w"] * 160).layout.scene.annotations
    assert 3 < len(named) <= MOST_NAMED
    points = np.array([[note.x, note.y, note.z] for note in named])
    apart = np.linalg.norm(points[:, None] - points, axis=-1)
    assert apart[np.triu_indices(len(named), 1)].min() > 0.1
    values = encoding_table(12, 8)
    values[3, 2] = np.nan
    plot = encoding_curve(principal(values), tokens=TOKENS, chosen=3)
    assert np.flatnonzero(np.isnan(plot.data[0].x)).tolist() == [3]
    assert "the" not in notes(plot)
    assert np.isfinite(plot.layout.scene.xaxis.range).all()
