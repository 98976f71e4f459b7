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
    n_charts,
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

from core.measurements import KNOCK_OUTS
from model.toy import train_toy
from ui.training.jobs import trainings
from ui.training.stored import SMALL, curves_of, small_runs
from viz.formation import STEP_SIGNAL
from words import Words, english
from words.numbers import grouped, percent


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


def step_of(page: AppTest) -> str:
    data = data_of(page, STEPPER)
    return data["names"][data["step"]]


def test_it_opens_with_a_training_from_random_weights_at_the_step_at_which_a_head_has_formed():
    page = looking("forming")
    assert page.selectbox("forming_of").value == "small"
    assert page.selectbox("forming_of").options == ["en-de", english("forming_of-small")]
    assert page.selectbox("forming_measure").value == "sharpness"
    assert step_of(page) == english("training-at-step", step=200)
    assert "between step 160 and step 200" in words(page)
    assert "forming_of" not in asked(page)


def test_the_pronoun_needs_its_noun_from_a_step_on():
    page = forming(knock_of="pronoun")
    found = json.loads((ROOT / "checkpoints/en-de" / KNOCK_OUTS.file).read_text())
    hidden = np.array(found["pronoun"]["noun_hidden"])
    first = found["steps"][int(np.flatnonzero(hidden <= hidden.min() / 2)[0])]
    assert f"is reached at step {first}" in words(page)
    assert says(page, "training-knock-run", run=found["run"])
    curves = [tables(chart)["curve"] for chart in charts(page) if "curve" in tables(chart)]
    curve = next(each for each in curves if "noun_hidden" in each)
    assert list(curve["noun_hidden"]) == pytest.approx(list(hidden))
    assert asked(page)["knock_of"] == "pronoun"


def test_claims_about_the_beginning_are_not_put_to_a_training_that_went_on(film, shipped):
    first, last = shipped["steps"][[0, -1]]
    assert says(film, "training-claims-went-on")
    assert says(film, "training-began-trained", n=len(shipped["steps"]), first=first, last=last)
    assert not says(film, "training-words-claim")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_of_four_sentences_whose_draws_disagree_no_verdict_is_told(language):
    values = dict.fromkeys(("words_step", "focus_step"), 0)
    verdict = Words(language)("training-words-open", **values).split("*")[1]
    page = looking("forming", forming_of="small", lang=language)
    assert words(page).count(f"*{verdict}*") == 2


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


def test_the_head_of_the_card_is_open_and_the_page_says_when_it_formed(film):
    assert film.selectbox("forming_head").value == ("encoder", 3, 7)
    assert "between step 160 and step 200" in words(film)


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


def range_of(page: AppTest):
    return next(each for each in page.slider if each.key.startswith("curve_steps"))


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


def test_the_steps_of_the_address_are_shown_and_others_are_kept_there():
    page = looking("curves", curve_steps="100.2000")
    assert range_of(page).value == (100, 2000)
    assert all(100 <= step <= 2000 for step in losses(page)[0]["x"])
    range_of(page).set_range(200, 1000)
    assert asked(run(page))["curve_steps"] == "200.1000"


@pytest.mark.parametrize("steps", ["5", "9.3", "7.7", "a.b", "9999999.99999999"])
def test_steps_that_make_no_sense_are_all_steps(steps):
    page = looking("curves", curve_steps=steps, curve_runs="en-de.small_plain")
    assert range_of(page).value == (range_of(page).min, range_of(page).max)
    assert "curve_steps" not in asked(page)
    assert [shown["name"] for shown in losses(page)] == ["en-de", english("small-run-plain")]


def test_without_a_run_or_a_number_in_the_range_it_is_said_that_there_is_nothing_to_draw():
    page = looking("curves", curve_steps="1.2")
    assert says(page, "training-curves-empty")
    assert says(put(page, curve_runs=[]), "training-curves-none-chosen")
    assert not page.get("plotly_chart")
    assert [len(losses(looking(look))) for look in ("warmup", "smoothing")] == [3, 2]


# -- warm-up and smoothing -----------------------------------------------------------------


def test_the_rate_of_the_card_is_the_one_that_was_used():
    page = looking("warmup")
    own = chart_with(page, "formula", "own")["own"]
    assert own["rate"].max() == pytest.approx(0.0007, rel=0.01)
    assert english("training-rate-shaped", n=15, error=0).removesuffix("0.") in words(page)


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


def test_the_smoothed_target_of_a_token_is_drawn_beside_the_model():
    page = looking("smoothing", smoothing_token="2", smoothing_epsilon="0.2")
    bars = chart_with(page, "bars")["bars"]
    assert len(bars) == 16
    n = page.session_state["run"].translator.vocab_size
    target = bars[8:]["probability"]
    assert target.max() == pytest.approx(0.8 + 0.2 / n)
    assert target.min() == pytest.approx(0.2 / n)


# -- train one here ------------------------------------------------------------------------


@pytest.fixture
def over():
    yield
    for job in list(trainings()._jobs.values()):
        job.stopping.set()
        job.thread.join(20)
    trainings()._jobs.clear()


def test_before_a_training_the_untrained_heads_are_seen_with_the_right_letters(over):
    page = looking("here", toy_task="reverse", toy_seed="3")
    state = next(train_toy("reverse", 3))
    assert n_charts(page) == state.aligned[0].size
    assert chart_with(page, "cells", "known")["known"]["k"].tolist()[0] == 6
    assert f"puts {percent(state.aligned.max(), 0)} of its weight" in words(page)


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
