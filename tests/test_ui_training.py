"""The page of training, driven without a browser."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest
from harness import (
    ROOT,
    STEPPER,
    asked,
    charts,
    click,
    data_of,
    open_page,
    press,
    put,
    run,
    says,
    specs,
    step_to,
    tables,
    words,
)
from streamlit.testing.v1 import AppTest

from ui.training.jobs import trainings
from ui.training.stored import SMALL, curves_of, small_runs
from viz.formation import STEP_SIGNAL
from words.numbers import grouped


def looking(look: str, **address: str) -> AppTest:
    return open_page("training", training_look=look, **address)


@pytest.fixture
def damaged(copies) -> Path:
    """A checkpoint that may be damaged."""
    return copies / "en-de"


# -- heads forming -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shipped():
    with np.load(ROOT / "checkpoints/en-de/formation.npz", allow_pickle=False) as arrays:
        return {name: arrays[name] for name in ("steps", "encoder_0", "log_probs_0")}


def forming(**address: str) -> AppTest:
    return looking("forming", forming_of="checkpoint", **address)


@pytest.fixture(scope="module")
def film() -> AppTest:
    return forming()


def chart_with(page: AppTest, *names: str):
    return next(tables(chart) for chart in charts(page) if set(names) <= set(tables(chart)))


def test_every_recorded_step_travels_once_weighs_little_and_is_the_stored_one(film, shipped):
    n = len(shipped["steps"])
    assert set(chart_with(film, "pictures", "heads")["pictures"]["time"]) == set(range(n))
    assert sum(len(t.data.data) for chart in charts(film) for t in chart.datasets) < 1_500_000
    cells = chart_with(film, "cells", "known")["cells"]
    for time_ in (0, 8, n - 1):
        shown = cells[cells["time"] == time_].sort_values(["q", "k"])["weight"]
        stored = shipped["encoder_0"][time_, 3, 7].astype(np.float32)
        np.testing.assert_allclose(shown, stored.ravel())
    shown = chart_with(film, "tokens")["tokens"]["log_prob"].to_numpy()
    np.testing.assert_allclose(shown, shipped["log_probs_0"].astype(np.float32).ravel())


def test_the_step_moves_in_the_browser_and_is_told_in_steps_of_the_training(film, shipped):
    dials = [each["name"] for spec in specs(film) for each in spec["params"] if "bind" in each]
    assert dials.count(STEP_SIGNAL) == len(charts(film))
    names = data_of(film, STEPPER)["names"]
    assert len(names) == len(shipped["steps"])
    assert "2,750" in names[-1]


def test_a_click_opens_another_head_and_the_step_stays():
    page = click(step_to(forming(), 5), "forming_heads", "head", kind="cross", layer=1, head=2)
    assert page.selectbox("forming_head").value == ("cross", 1, 2)
    assert asked(page)["forming_head"] == "cross-2-3"
    assert data_of(page, STEPPER)["step"] == 5
    assert {d["value"] for s in specs(page)[:4] for d in s["params"] if "bind" in d} == {5}


def test_a_recorded_sentence_on_the_page_is_opened_first():
    page = forming(text="I don't know where Tom lives.")
    assert page.selectbox("forming_sentence").value == 9


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 no archive", b"\x80\x04pickle"])
def test_a_record_that_is_missing_or_damaged_is_one_clear_message(damaged, content):
    if content is not None:
        (damaged / "formation.npz").write_bytes(content)
    page = forming(checkpoint=damaged.name)
    assert len(page.error) == (content is not None)
    missing = "No heads were recorded"
    assert (missing if content is None else "The record formation.npz is damaged") in words(page)


# -- curves --------------------------------------------------------------------------------


def losses(page: AppTest) -> list[dict]:
    """The curves of the first panel, of the training loss."""
    (drawn,) = page.get("plotly_chart")
    return [trace for trace in json.loads(drawn.proto.spec)["data"] if trace["yaxis"] == "y"]


def test_the_curves_are_the_lines_that_were_noted_and_their_ends_are_told():
    page = looking("curves")
    lines = (ROOT / "checkpoints/en-de/metrics.jsonl").read_text(encoding="utf-8").splitlines()
    noted = {x["step"]: x["loss"] for x in map(json.loads, lines) if "loss" in x}
    (shown,) = losses(page)
    assert dict(zip(shown["x"], shown["y"], strict=True)) == pytest.approx(noted)
    least = min(noted, key=noted.get)
    assert f"to **{noted[least]:.2f}** (step {grouped(least)})" in words(page)


def test_a_line_cut_short_is_said_and_the_others_are_drawn(damaged):
    lines = [json.dumps({"step": n, "loss": 3.0 - n}) for n in range(3)]
    (damaged / "metrics.jsonl").write_text("\n".join(lines) + '\n{"step": 3, "lo')
    page = looking("curves", checkpoint=damaged.name)
    assert says(page, "training-metrics-cut", name=damaged.name, n=1)
    assert [len(shown["x"]) for shown in losses(page)] == [3]


def test_without_a_run_or_a_number_in_the_range_it_is_said_that_there_is_nothing_to_draw():
    page = looking("curves", curve_steps="1.2")
    assert says(page, "training-curves-empty")
    assert says(put(page, curve_runs=[]), "training-curves-none-chosen")
    assert not page.get("plotly_chart")
    assert [len(losses(looking(look))) for look in ("warmup", "smoothing")] == [3, 2]


# -- warm-up and smoothing -----------------------------------------------------------------


def test_small_runs_are_stored_with_their_command():
    found = small_runs().values
    assert found["command"].startswith("python -m training small-runs")
    assert set(found["runs"]) == {"plain", "smoothed", "no-warmup", "ten-times"}
    assert (SMALL / "formation.npz").is_file()
    cold, warmed = (
        dict(zip(*curves_of(found["runs"][name]).of("lr"), strict=True))
        for name in ("no-warmup", "plain")
    )
    assert cold[10] == pytest.approx(cold[200], abs=1e-6) == pytest.approx(warmed[200], abs=1e-6)
    assert cold[400] == warmed[400]


# -- train one here ------------------------------------------------------------------------


@pytest.fixture
def over():
    yield
    for job in list(trainings()._jobs.values()):
        job.stopping.set()
        job.thread.join(20)
    trainings()._jobs.clear()


def test_a_training_is_stopped_half_way_and_what_it_learnt_is_shown(over):
    page = press(looking("here", toy_task="reverse"), "toy_start")
    (job,) = trainings()._jobs.values()
    assert (job.task, job.seed) == ("reverse", 0)
    ends = time.monotonic() + 60
    while (job.state is None or job.state.step < 25) and time.monotonic() < ends:
        time.sleep(0.02)
    page = press(page, "toy_stop")
    job.thread.join(20)
    page = run(page)
    assert job.status == "stopped"
    assert "was stopped at step" in words(page)
    assert chart_with(page, "cells", "known")["known"]["k"].tolist()[0] == 6
    assert page.selectbox("toy_measure").value == "answer"


def test_a_training_is_refused_while_another_visitor_trains(over):
    other = trainings().start("somebody else", "copy")
    page = press(looking("here"), "toy_start")
    for _ in range(trainings().places - 1):
        trainings().start(f"and another {_}", "copy")
    assert other is not None
    if trainings().places == 1:
        assert says(page, "training-here-refused", n=1)
        assert says(page, "training-here-begin")
