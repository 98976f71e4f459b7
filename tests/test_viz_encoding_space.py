"""The encoding in space: what the surface and the curve hold, at any size and for any token."""

from __future__ import annotations

import json

import numpy as np
import pytest

from analysis.positions import encoding_table
from analysis.projection import principal
from viz.encoding_space import LEAST_HALVED, MOST_NAMED, encoding_curve, encoding_surface
from viz.look import Look, looking
from words import Words, english
from words.numbers import fixed

TOKENS = ("▁The", "▁dog", "▁saw", "▁the", "▁dog", "</s>")
HOSTILE = ("▁<b>x</b>", "▁&lt;", "%{x}", "▁a<br>b")


def surfaces(plot):
    return [trace for trace in plot.data if trace.type == "surface"]


def notes(plot):
    return [note.text for note in plot.layout.scene.annotations]


def curve_of(length, d_model=16, base=10_000.0, **more):
    return encoding_curve(principal(encoding_table(length, d_model, base)), **more)


# The surface


@pytest.mark.parametrize(("length", "d_model"), [(2, 2), (9, 4), (160, 256), (512, 512)])
def test_every_value_stands_at_its_position_and_dimension(length, d_model):
    values = encoding_table(length, d_model)
    found = np.full(values.shape, np.nan)
    for part in surfaces(encoding_surface(values)):
        assert list(part.y) == [str(place) for place in range(length)]
        found[:, [int(name) for name in part.x]] = part.z
    np.testing.assert_allclose(found, values, atol=1e-7)


def test_sines_and_cosines_stand_apart_and_in_their_order():
    plot = encoding_surface(encoding_table(5, 8))
    assert [list(part.x) for part in surfaces(plot)] == [list("0246"), list("1357")]
    assert list(plot.layout.scene.xaxis.categoryarray) == list("02461357")


@pytest.mark.parametrize("d_model", [2, 3, LEAST_HALVED, 5])
def test_no_part_of_the_surface_is_a_single_line(d_model):
    values = np.random.default_rng(0).normal(size=(4, d_model))
    parts = surfaces(encoding_surface(values))
    assert sum(part.z.shape[1] for part in parts) == d_model
    assert all(part.z.shape[1] > 1 for part in parts)


@pytest.mark.parametrize("shape", [(1, 8), (8, 1), (1, 1)])
def test_a_single_row_or_column_makes_no_surface(shape):
    with pytest.raises(ValueError, match="found"):
        encoding_surface(np.zeros(shape))


def test_colours_end_where_the_largest_value_does():
    assert surfaces(encoding_surface(encoding_table(9, 8)))[0].cmax == 1
    learned = np.random.default_rng(0).normal(0, 0.02, (9, 8))
    part = surfaces(encoding_surface(learned))[1]
    assert (part.cmin, part.cmax) == pytest.approx((-abs(learned).max(), abs(learned).max()))
    assert surfaces(encoding_surface(np.zeros((3, 4))))[0].cmax == 1


def test_the_surface_has_one_colour_bar_with_a_title():
    parts = surfaces(encoding_surface(encoding_table(9, 8)))
    assert [part.showscale for part in parts] == [True, False]
    assert parts[0].colorbar.title.text == english("positions-value")


def test_the_frame_runs_around_the_sentence_on_the_surface():
    values = encoding_table(40, 8)
    plot = encoding_surface(values, tokens=TOKENS)
    frames = [trace for trace in plot.data if trace.type == "scatter3d"]
    for frame, first in zip(frames, (0, 1), strict=True):
        places = [int(name.split()[0]) for name in frame.y]
        dimensions = [int(name) for name in frame.x]
        assert (min(places), max(places)) == (0, len(TOKENS) - 1)
        assert (min(dimensions), max(dimensions)) == (first, 6 + first)
        np.testing.assert_allclose(frame.z, values[places, dimensions], atol=1e-7)
        assert (places[0], dimensions[0]) == (places[-1], dimensions[-1])


def test_the_pointer_reads_the_token_with_its_position():
    part = surfaces(encoding_surface(encoding_table(8, 4), tokens=TOKENS))[0]
    assert list(part.y[3:7]) == ["3 (the)", "4 (dog₂)", "5 (&lt;/s&gt;)", "6"]


def test_a_tick_says_what_the_pointer_says_and_needs_no_entities():
    tokens = ["▁a"] * 20 + ["▁<b>"] * 6
    axis = encoding_surface(encoding_table(60, 4), tokens=tokens).layout.scene.yaxis
    assert axis.ticktext is None
    assert list(axis.tickvals[:2]) == ["0 (a₁)", "10 (a₁₁)"]
    assert "20" not in {tick.split()[0] for tick in axis.tickvals}
    assert list(axis.tickvals[-3:]) == ["30", "40", "50"]


def test_tokens_are_named_where_there_is_room_and_else_the_frame_is():
    short = encoding_surface(encoding_table(8, 4), tokens=TOKENS)
    heading = f"<b>{english('positions-position')}</b>"
    assert notes(short) == [*surfaces(short)[0].y, heading]
    assert not short.layout.scene.yaxis.showticklabels
    whole = encoding_surface(encoding_table(60, 4), tokens=TOKENS)
    assert notes(whole) == [english("positions-this-sentence", n=6)]
    assert whole.layout.scene.yaxis.title.text == english("positions-position")


def test_an_unmarked_sentence_leaves_no_trace():
    for plot in (encoding_surface(encoding_table(30, 8)), curve_of(30)):
        assert not notes(plot)
        assert len(plot.data) == 2 if surfaces(plot) else len(plot.data) == 1


def test_the_chosen_value_is_marked():
    values = encoding_table(20, 8)
    mark = encoding_surface(values, chosen=(7, 3)).data[-1]
    assert (mark.x[0], mark.y[0]) == ("3", "7")
    assert mark.z[0] == pytest.approx(values[7, 3])


def test_the_surface_has_holes_where_there_are_no_values():
    values = encoding_table(6, 8)
    values[2, 4] = np.nan
    values[0, 0] = np.inf
    plot = encoding_surface(values, tokens=TOKENS, chosen=(2, 4))
    assert np.isnan(surfaces(plot)[0].z[2, 2])
    assert surfaces(plot)[0].cmax == 1
    json.loads(plot.to_json())


# The curve


def test_points_lie_on_the_circle_where_there_is_one_pair():
    # Twice the 22 whole turns of 44 positions: the mean is next to nothing, the radius is one.
    line = curve_of(88, 2).data[0]
    np.testing.assert_allclose(np.hypot(line.x, line.y), 1, atol=0.02)
    np.testing.assert_array_equal(line.z, 0)


def test_distances_on_the_curve_are_those_of_the_encodings():
    values = encoding_table(30, 4)[:, :3]
    line = encoding_curve(principal(values)).data[0]
    points = np.stack([line.x, line.y, line.z], axis=1)
    found = np.linalg.norm(points[:, None] - points, axis=-1)
    np.testing.assert_allclose(found, np.linalg.norm(values[:, None] - values, axis=-1), atol=1e-12)


def test_steps_of_one_pair_are_as_long_as_the_chord():
    line = curve_of(50, 2).data[0]
    steps = np.hypot(np.diff(line.x), np.diff(line.y))
    np.testing.assert_allclose(steps, 2 * np.sin(0.5), atol=1e-12)


def test_axes_say_the_share_of_the_variance():
    values = encoding_table(40, 8)
    eigenvalues = np.linalg.eigvalsh(np.cov(values.T))[::-1]
    shares = 100 * eigenvalues / eigenvalues.sum()
    scene = encoding_curve(principal(values)).layout.scene
    titles = [scene[f"{axis}axis"].title.text for axis in "xyz"]
    assert titles == [f"PC {i + 1} ({shares[i]:.1f}%)" for i in range(3)]


def test_all_axes_have_one_scale_that_holds_every_point():
    plot = curve_of(160, 256)
    scene, line = plot.layout.scene, plot.data[0]
    assert scene.xaxis.range == scene.yaxis.range == scene.zaxis.range
    assert scene.aspectmode == "cube"
    assert scene.xaxis.range[1] > max(np.abs(line[axis]).max() for axis in "xyz")


def test_colour_is_the_position():
    line = curve_of(30).data[0]
    np.testing.assert_array_equal(line.line.color, np.arange(30))
    np.testing.assert_array_equal(line.marker.color, np.arange(30))
    assert (line.line.cmin, line.line.cmax) == (0, 29)


def test_the_sentence_is_marked_on_the_curve():
    plot = curve_of(30, tokens=TOKENS)
    line, marks = plot.data
    np.testing.assert_array_equal(marks.x, line.x[:6])
    assert f"{english('positions-token')}: dog₁" in marks.hovertext[1]
    assert marks.hovertext == line.hovertext[:6]
    assert english("positions-token") not in line.hovertext[7]


def test_the_pointer_reads_position_and_coordinates():
    line = curve_of(30).data[0]
    numbers = [f"PC {i + 1}: {fixed(line[axis][7], 3)}" for i, axis in enumerate("xyz")]
    assert line.hovertext[7] == "<br>".join([f"{english('positions-position')}: 7", *numbers])


def test_names_stand_apart_and_are_not_too_many():
    plot = curve_of(160, 2, tokens=["▁w"] * 160)
    named = plot.layout.scene.annotations
    assert 3 < len(named) <= MOST_NAMED
    points = np.array([[note.x, note.y, note.z] for note in named])
    apart = np.linalg.norm(points[:, None] - points, axis=-1)
    assert apart[np.triu_indices(len(named), 1)].min() > 0.1
    assert named[0].text == "w₁"


def test_a_sentence_longer_than_the_curve_is_cut():
    plot = curve_of(3, tokens=TOKENS)
    assert len(plot.data[1].x) == 3
    assert len(encoding_surface(encoding_table(3, 4), tokens=TOKENS).layout.scene.annotations) == 4


@pytest.mark.parametrize(("length", "d_model"), [(1, 4), (2, 4), (3, 2), (512, 512)])
def test_any_size_is_drawn(length, d_model):
    plot = curve_of(length, d_model, tokens=TOKENS, chosen=0)
    assert len(plot.data[0].x) == length
    json.loads(plot.to_json())


def test_a_position_without_coordinates_leaves_a_gap():
    values = encoding_table(12, 8)
    values[3, 2] = np.nan
    plot = encoding_curve(principal(values), tokens=TOKENS, chosen=3)
    assert np.flatnonzero(np.isnan(plot.data[0].x)).tolist() == [3]
    assert "the" not in notes(plot)
    assert np.isfinite(plot.layout.scene.xaxis.range).all()


# Both


def texts_of(written):
    """All strings of a figure."""
    if isinstance(written, str):
        return {written}
    parts = written.values() if isinstance(written, dict) else written
    return set().union(*map(texts_of, parts)) if isinstance(written, dict | list) else set()


@pytest.mark.parametrize("length", [4, 40])
def test_a_token_is_no_markup(length):
    values = encoding_table(length, 8)
    for plot in (
        encoding_surface(values, tokens=HOSTILE, chosen=(0, 0)),
        encoding_curve(principal(values), tokens=HOSTILE),
    ):
        texts = texts_of(json.loads(plot.to_json()))
        assert any("&lt;b&gt;x&lt;/b&gt;" in text for text in texts)
        assert any("&amp;lt;" in text for text in texts)
        assert not any("<b>x" in text or "a<br>b" in text for text in texts)


def test_what_a_token_says_is_in_no_template():
    plots = (
        encoding_surface(encoding_table(9, 8), tokens=HOSTILE, chosen=(2, 1)),
        curve_of(9, tokens=HOSTILE, chosen=2),
    )
    templates = {str(trace.hovertemplate) for plot in plots for trace in plot.data}
    with_other_tokens = (
        encoding_surface(encoding_table(9, 8), tokens=TOKENS, chosen=(2, 1)),
        curve_of(9, tokens=TOKENS, chosen=2),
    )
    assert templates == {str(t.hovertemplate) for plot in with_other_tokens for t in plot.data}


def test_words_and_colours_are_those_of_the_look():
    values = encoding_table(40, 8)
    korean = Words("ko")
    with looking(Look(dark=True, words=korean)):
        plots = (
            encoding_surface(values, tokens=TOKENS),
            encoding_curve(principal(values), tokens=TOKENS),
        )
    assert plots[0].layout.scene.xaxis.title.text == korean("positions-dimension")
    assert plots[1].data[0].marker.colorbar.title.text == korean("positions-position")
    light = encoding_surface(values), curve_of(40, 8)
    assert plots[0].data[0].colorscale != light[0].data[0].colorscale
    assert plots[1].data[0].line.colorscale != light[1].data[0].line.colorscale
    assert plots[0].layout.font.color != light[0].layout.font.color
