"""The paths of tokens: they hold the states that they show, and no token is read as a tag."""

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from analysis.trajectories import Trajectories
from records import SubLayer
from viz.look import Look
from viz.theme import luminance_of, rgb_of
from viz.trajectories import HEIGHT, MOST_NAMED, token_paths
from words import Words

RANDOM = np.random.default_rng(2)
PLACES = tuple(
    SubLayer("encoder", layer, name) for layer in range(2) for name in ("self", "feed_forward")
)
R = len(PLACES) + 1
TOKENS = ("▁the", "▁dog", "▁the", "</s>")


def made(n: int = len(TOKENS)) -> Trajectories:
    return Trajectories(
        PLACES,
        RANDOM.normal(size=(R, n, 3)),
        np.array([0.5, 0.25, 0.004]),
        RANDOM.uniform(1, 9, size=(R, n)),
        RANDOM.uniform(-1, 1, size=(R, n)),
    )


FOUND = made()


def points(trace: go.Scatter3d) -> np.ndarray:
    return np.stack([np.asarray(getattr(trace, axis), float) for axis in "xyz"], axis=-1)


def of(plot: go.Figure, mode: str) -> list[go.Scatter3d]:
    """The traces of a mode that have points."""
    return [trace for trace in plot.data if trace.mode == mode and trace.x[0] is not None]


def test_a_line_leads_through_the_states_of_each_token_and_stops_between_two():
    (lines,) = of(token_paths(FOUND, TOKENS), "lines")
    by_token = points(lines).reshape(len(TOKENS), R + 1, 3)
    np.testing.assert_array_equal(by_token[:, :-1], FOUND.coordinates.transpose(1, 0, 2))
    assert np.isnan(by_token[:, -1]).all()
    shades = np.reshape(lines.line.color, (len(TOKENS), R + 1))
    assert all(len(set(row)) == 1 for row in shades)
    assert len(set(shades[:, 0])) == len(TOKENS)


def test_every_state_has_one_sign_in_the_colour_of_its_token():
    plot = token_paths(FOUND, TOKENS)
    signs = of(plot, "markers")
    assert [trace.name for trace in signs] == ["Input", "Within a layer", "After a layer"]
    states = ([0], [1, 3], [2, 4])
    (lines,) = of(plot, "lines")
    for trace, which in zip(signs, states, strict=True):
        np.testing.assert_array_equal(points(trace), FOUND.coordinates[which].reshape(-1, 3))
        assert list(trace.marker.color) == list(lines.line.color[:: R + 1]) * len(which)


def test_the_hover_tells_token_layer_norm_and_cosine():
    ends = of(token_paths(FOUND, TOKENS), "markers")[2]
    told = ends.customdata[len(TOKENS) + 2]  # of the second layer, the third token
    norm, cosine = f"{FOUND.norms[4, 2]:.2f}", f"{FOUND.cosines[4, 2]:.2f}".replace("-", "−")
    assert told.tolist() == ["3 · the", "2 · Feed-forward", norm, cosine]
    assert "Norm: %{customdata[2]}" in ends.hovertemplate
    assert "Cosine with input state: %{customdata[3]}" in ends.hovertemplate


def test_axes_tell_their_share_and_have_one_scale():
    scene = token_paths(FOUND, TOKENS).layout.scene
    titles = [getattr(scene, f"{axis}axis").title.text for axis in "xyz"]
    assert titles == [f"PC{n} ({share})" for n, share in
                      ((1, "50%"), (2, "25%"), (3, "< 1%"))]  # fmt: skip
    assert scene.aspectmode == "data"


def test_the_chosen_path_keeps_its_colour_and_the_others_are_pale():
    every, one = token_paths(FOUND, TOKENS), token_paths(FOUND, TOKENS, chosen=1)
    full = of(every, "markers")[0].marker.color
    shown = of(one, "markers")[0].marker.color
    assert shown[1] == full[1]
    white = luminance_of(np.array((255, 255, 255)))
    for pale, strong in zip(shown, full, strict=True):
        closer = abs(white - luminance_of(np.array(rgb_of(pale)))) < abs(
            white - luminance_of(np.array(rgb_of(strong)))
        )
        assert closer == (pale != full[1])
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


@pytest.mark.parametrize("token", ["<b>x</b>", "a<br>b", "&lt;", "<script>", "</s>"])
def test_a_token_is_shown_as_typed(token):
    """The hover reads tags and entities, what WebGL writes tags alone."""
    plot = token_paths(made(1), [f"▁{token}"], chosen=0)
    for names in of(plot, "text"):
        assert names.text[0].replace("\u200b", "") == token
        assert "<b>" not in names.text[0]
        assert "<br>" not in names.text[0]
    told = of(plot, "markers")[0].customdata[0][0]
    escaped = token.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert told == f"1 · {escaped}"


@pytest.mark.parametrize("dark", [False, True])
def test_names_can_be_read_and_paths_be_seen_on_the_ground_of_the_page(dark):
    n = 24
    plot = Look(dark=dark)(token_paths, made(n), [f"▁t{i}" for i in range(n)])
    ground = luminance_of(np.array(rgb_of("#14171c" if dark else "#ffffff")))

    def contrasts(colours):
        light = [luminance_of(np.array(rgb_of(colour))) for colour in colours]
        return [(max(x, ground) + 0.05) / (min(x, ground) + 0.05) for x in light]

    assert min(contrasts(of(plot, "text")[0].textfont.color)) >= 4.5
    assert min(contrasts(of(plot, "markers")[0].marker.color)) >= 3


@pytest.mark.parametrize("n", [1, 2, MOST_NAMED + 1, 160])
@pytest.mark.parametrize("chosen", [None, 0])
def test_any_number_of_tokens_is_drawn(n, chosen):
    plot = token_paths(made(n), ["▁a"] * n, chosen=chosen)
    assert plot.layout.height == HEIGHT
    assert sum(len(trace.x) for trace in of(plot, "markers")) == n * R
    named = [label for label in of(plot, "text")[0].text if label]
    assert len(named) == (n if n <= MOST_NAMED else chosen is not None)
    assert len(plot.data) <= 10


def test_what_is_no_number_leaves_a_gap_and_a_dash():
    broken = made()
    broken.coordinates[1, 2], broken.norms[1, 2], broken.cosines[1, 2] = np.nan, np.nan, np.nan
    plot = token_paths(broken, TOKENS)
    assert of(plot, "markers")[1].customdata[2].tolist()[2:] == ["–", "–"]
    shown = json.loads(plot.to_json())
    json.dumps(shown, allow_nan=False)


def test_the_words_are_those_of_the_look():
    plot = Look(words=Words("ko"))(token_paths, FOUND, TOKENS)
    assert [trace.name for trace in of(plot, "markers")] == ["입력", "층 안", "층의 출력"]


def test_as_many_tokens_as_there_are_no_paths_is_an_error():
    with pytest.raises(ValueError, match="for 4 paths"):
        token_paths(FOUND, TOKENS[:2])
    with pytest.raises(ValueError, match="for 4 paths"):
        token_paths(FOUND, TOKENS, written=("▁a",))
