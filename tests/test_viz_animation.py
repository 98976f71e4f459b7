"""Animated pictures: their frames are the figures at their times, and say which."""

from __future__ import annotations

import io
import re

import altair as alt
import numpy as np
import pandas as pd
import pytest
from figures import pixels_of
from PIL import Image

from viz import recipes as r
from viz.animation import MOST_BYTES, MOST_FRAMES, Animation, animated_gif
from viz.export import figure_png, figure_svg
from viz.figure import Figure, drawn, spec_of
from viz.look import Look
from viz.theme import GROUNDS
from words import Words

SIDE = 40


def bar(n: int, first: float = 0) -> Figure:
    """At each of `n` times a bar that is as many pixels longer."""
    table = pd.DataFrame({"time": range(n), "end": range(1, n + 1)})
    return drawn(_bar, {"t": table}, first=first, last=n - 1)


def _bar(first: float, last: int) -> alt.LayerChart:
    now = r.source("t", "datum.time === moment").add_params(r.dial("moment", first, last))
    x = alt.X("end:Q", axis=None, scale=alt.Scale(domain=[0, SIDE]))
    bars = now.mark_bar(color="#ff0000").encode(x, alt.X2Value(0), alt.YValue(0), alt.Y2Value(9))
    return r.layered(bars, width=SIDE, height=9)


def frames(gif: bytes) -> list[np.ndarray]:
    image = Image.open(io.BytesIO(gif))
    found = []
    for at in range(image.n_frames):
        image.seek(at)
        found.append(np.asarray(image.convert("RGB")).astype(int))
    return found


def red(pixels: np.ndarray) -> int:
    return int(((pixels[..., 0] > 200) & (pixels[..., 1:].max(-1) < 60)).sum())


def test_every_frame_is_the_figure_at_its_time_and_the_last_one_rests():
    figure = bar(4)
    gif = animated_gif(Animation.of_dial(figure, "moment", ["a", "b", "c", "d"]))
    assert spec_of(figure)["params"][0]["value"] == 0  # a dial is turned on a copy
    shown = [red(frame) for frame in frames(gif)]
    wanted = [red(pixels_of(figure_png(bar(4, first=at)))) for at in range(4)]
    assert shown == pytest.approx(wanted, rel=0.1)
    assert np.all(np.diff(shown) > 0)
    image, times = Image.open(io.BytesIO(gif)), []
    for at in range(image.n_frames):
        image.seek(at)
        times.append(image.info["duration"])
    assert image.info["loop"] == 0
    assert times[-1] > 2 * times[0]


def test_a_long_one_is_thinned_evenly_and_every_title_says_so(monkeypatch):
    said, n = [], 3 * MOST_FRAMES
    monkeypatch.setattr("viz.animation.lines", lambda title, *_, **__: said.extend(title) or "")
    asked = []
    titles = [str(at) for at in range(n)]
    animated_gif(Animation(titles, lambda at: asked.append(at) or bar(1)))
    assert len(asked) == MOST_FRAMES
    assert (asked[0], asked[-1]) == (0, n - 1)
    assert set(np.diff(asked)) <= {3, 4}
    assert said == [f"{at} · {MOST_FRAMES} of {n} steps shown" for at in asked]


def test_it_carries_its_signature_and_any_text_as_its_title():
    title = '</text><script>x</script>&\x00"'
    gif = animated_gif(Animation([title], lambda at: bar(1)), {"sentence": "Ein Käse."})
    assert Image.open(io.BytesIO(gif)).info["comment"].decode() == "sentence: Ein Käse."


@pytest.mark.parametrize("dark", [False, True])
def test_its_ground_is_that_of_the_page_and_hangul_has_letters(dark):
    look = Look(dark=dark, words=Words("ko"))
    both = (Animation([title], lambda at: bar(1)) for title in ("스텝 1", "단어 1"))
    same, other = (frames(look(animated_gif, each))[0] for each in both)
    assert tuple(same[0, -1]) == tuple(bytes.fromhex(GROUNDS[dark][1:]))
    assert (same != other).any()  # and no two boxes of a font that lacks them


def test_noise_over_many_steps_stays_small():
    noise = np.random.default_rng(0).random((MOST_FRAMES, 30, 30))
    cells = pd.DataFrame(np.argwhere(noise >= 0), columns=["time", "q", "k"])
    figure = drawn(_noise, {"t": cells.assign(w=noise.ravel())})
    titles = [str(at) for at in range(MOST_FRAMES)]
    assert len(animated_gif(Animation.of_dial(figure, "moment", titles))) <= MOST_BYTES


def _noise() -> alt.LayerChart:
    now = r.source("t", "datum.time === moment").add_params(r.dial("moment", 0, MOST_FRAMES))
    x, y = (alt.X("k:O", axis=None), alt.Y("q:O", axis=None))
    return r.layered(now.mark_rect().encode(x, y, color="w:Q"), width=400, height=400)


def test_pictures_of_other_times_are_not_in_the_file():
    table = pd.DataFrame({"time": [0, 1], "url": ["data:image/png;base64,AA", "data:,BB"]})
    figure = drawn(_pictures, {"t": table})
    assert set(re.findall(r"data:[^\"]*", figure_svg(figure))) == {"data:image/png;base64,AA"}


def _pictures() -> alt.LayerChart:
    images = r.source("t").mark_image(width=9, height=9).add_params(r.dial("moment", 0, 1))
    seen = r.when(alt.OpacityValue, ("datum.time === moment", 1), otherwise=0)
    return r.layered(images.encode(seen, url="url:N"), width=SIDE, height=9)


def test_a_wide_figure_is_followed_to_what_is_looked_at():
    table = pd.DataFrame({"at": [10, 2900]})
    figure = drawn(_wide, {"t": table})
    first, last = frames(animated_gif(Animation("ab", lambda at: figure, places=[10, 2900])))
    assert first.shape[1] < 2000  # at two pixels each
    half = first.shape[1] // 2
    assert [red(each[:, :half]) > 0 for each in (first, last)] == [True, False]
    assert [red(each[:, half:]) > 0 for each in (first, last)] == [False, True]


def _wide() -> alt.LayerChart:
    points = r.source("t").mark_circle(color="#ff0000", opacity=1, size=200)
    return r.layered(points.encode(alt.X(**r.pixels("at"))), width=3000, height=40)
