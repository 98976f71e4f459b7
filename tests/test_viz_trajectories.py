"""The paths of tokens hold the states that they show."""

import numpy as np
import pytest
from test_viz_theme import channels, luminance

from core.block import SubLayer
from core.trajectories import Trajectories
from viz.look import Look
from viz.trajectories import MOST_NAMED, token_paths

RANDOM = np.random.default_rng(2)
PLACES = tuple(SubLayer("encoder", at, name) for at in (0, 1) for name in ("self", "feed_forward"))
R = len(PLACES) + 1
TOKENS = ("▁the", "▁dog", "▁the", "</s>")


def made(n=4):
    numbers = RANDOM.normal(size=(5, R, n))
    shares = np.array([0.5, 0.25, 0.004])
    return Trajectories(PLACES, numbers[:3].transpose(1, 2, 0), shares, numbers[3], numbers[4])


FOUND = made()
FOUND.norms[1, 2] = np.nan


def points(trace):
    return np.stack([np.asarray(trace[axis], float) for axis in "xyz"], axis=-1)


def of(plot, mode):
    """The traces of a mode that have points."""
    return [trace for trace in plot.data if trace.mode == mode and trace.x[0] is not None]


def light(colours):
    return np.array([luminance(channels(colour)) for colour in colours])


def test_the_chosen_path_keeps_its_colour_and_the_others_are_pale():
    every, one = token_paths(FOUND, TOKENS), token_paths(FOUND, TOKENS, chosen=1)
    full, shown = (light(of(plot, "markers")[0].marker.color) for plot in (every, one))
    assert (shown > full).tolist() == [True, False, True, True]
    assert shown[1] == full[1]
    others, chosen = of(one, "lines")
    np.testing.assert_array_equal(points(chosen)[:-1], FOUND.coordinates[:, 1])
    assert len(others.x) == (len(TOKENS) - 1) * (R + 1)
    assert chosen.line.width > others.line.width


def test_the_chosen_path_is_named_at_both_ends_and_in_a_decoder_ends_with_what_is_written():
    plot = token_paths(FOUND, TOKENS, written=("▁der", "▁Hund", "▁läuft", "</s>"), chosen=1)
    begin, end = of(plot, "text")
    assert list(begin.text)[:3] == ["the₁", "dog", "the₂"]
    np.testing.assert_array_equal(points(begin), FOUND.coordinates[0])
    assert list(end.text) == ["Hund"]
    np.testing.assert_array_equal(points(end), FOUND.coordinates[-1, [1]])
    assert of(plot, "markers")[0].customdata[1][0] == "2 · dog → Hund"


@pytest.mark.parametrize("dark", [False, True])
def test_names_can_be_read_and_paths_be_seen_on_the_ground_of_the_page(dark):
    plot = Look(dark=dark)(token_paths, made(24), [f"▁t{i}" for i in range(24)])
    ground = light(["#14171c" if dark else "#ffffff"])
    for colours, least in (
        (of(plot, "text")[0].textfont.color, 4.5),
        (of(plot, "markers")[0].marker.color, 3),
    ):
        both = np.maximum(light(colours), ground), np.minimum(light(colours), ground)
        assert ((both[0] + 0.05) / (both[1] + 0.05)).min() >= least


@pytest.mark.parametrize("chosen", [None, 0])
def test_of_very_many_paths_only_the_chosen_one_is_named(chosen):
    plot = token_paths(made(MOST_NAMED + 1), ["▁a"] * (MOST_NAMED + 1), chosen=chosen)
    named = [trace.text for trace in of(plot, "text")]
    assert named == ([] if chosen is None else [("a₁",), ("a",)])
