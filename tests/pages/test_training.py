"""The page of training, driven without a browser."""

from __future__ import annotations

import json
import time

import pytest
from streamlit.testing.v1 import AppTest

from support.app import (
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
from ui.pages.training.jobs import trainings
from viz.formation import STEP_SIGNAL
from words import english


def looking(look: str, **address: str) -> AppTest:
    return open_page("training", training_look=look, **address)


def forming(**address: str) -> AppTest:
    return looking("forming", forming_of="checkpoint", **address)


def dials(page: AppTest) -> list[dict]:
    return [each for spec in specs(page) for each in spec["params"] if "bind" in each]


def losses(page: AppTest) -> list[dict]:
    """The curves of the first panel, of the training loss."""
    (drawn,) = page.get("plotly_chart")
    return [trace for trace in json.loads(drawn.proto.spec)["data"] if trace["yaxis"] == "y"]


# -- heads forming, and curves ---------------------------------------------------------------


def test_the_step_moves_in_the_browser_and_stays_when_another_head_is_opened():
    page = forming()
    assert [each["name"] for each in dials(page)].count(STEP_SIGNAL) == len(charts(page))
    assert "2,750" in data_of(page, STEPPER)["names"][-1]
    assert sum(len(t.data.data) for chart in charts(page) for t in chart.datasets) < 1_500_000
    click(step_to(page, 5), "forming_heads", "head", kind="cross", layer=1, head=2)
    assert page.selectbox("forming_head").value == ("cross", 1, 2)
    assert asked(page)["forming_head"] == "cross-2-3"
    assert data_of(page, STEPPER)["step"] == 5
    assert {each["value"] for each in dials(page)} == {5}


def test_what_is_missing_or_damaged_of_a_training_is_one_clear_message(copies):
    own = copies / "en-de"
    page = forming(checkpoint=own.name)
    assert not page.error
    assert "No heads were recorded" in words(page)
    for content in (b"", b"PK\x03\x04 no archive", b"\x80\x04pickle"):
        (own / "formation.npz").write_bytes(content)
        assert len(run(page).error) == 1
        assert "The record formation.npz is damaged" in words(page)
    (own / "formation.npz").unlink()
    lines = [json.dumps({"step": n, "loss": 3.0 - n}) for n in range(3)]
    (own / "metrics.jsonl").write_text("\n".join(lines) + '\n{"step": 3, "lo')
    page = looking("forming", checkpoint=own.name, curve_runs=own.name)
    assert says(page, "training-metrics-cut", name=own.name, n=1)
    assert [len(shown["x"]) for shown in losses(page)] == [3]


def test_a_model_without_attention_has_its_curves_below_the_heads_of_the_small_one():
    page = looking("forming", checkpoint="lineage-cho")
    assert page.selectbox("forming_of").options == [english("forming_of-small")]
    assert [trace["name"] for trace in losses(page)][:1] == ["lineage-cho"]


def test_without_a_run_or_a_number_in_the_range_it_is_said_that_there_is_nothing_to_draw():
    page = looking("forming", curve_steps="1.2", curve_runs="en-de")
    assert says(page, "training-curves-empty")
    assert says(put(page, curve_runs=[]), "training-curves-none-chosen")
    assert not page.get("plotly_chart")
    assert [len(losses(looking(look))) for look in ("warmup", "smoothing")] == [3, 2]


# -- train one here --------------------------------------------------------------------------


@pytest.fixture
def over():
    yield
    for job in list(trainings()._jobs.values()):
        job.stopping.set()
        job.thread.join(20)
    trainings()._jobs.clear()


@pytest.mark.slow
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
    known = next(found["known"] for found in map(tables, charts(page)) if "known" in found)
    assert known["k"].tolist()[0] == 6
    assert page.selectbox("toy_measure").value == "answer"


def test_a_training_is_refused_while_another_visitor_trains(over, monkeypatch):
    monkeypatch.setattr(trainings(), "places", 1)
    assert trainings().start("somebody else", "copy")
    page = press(looking("here"), "toy_start")
    assert says(page, "training-here-refused", n=1)
    # Seven letters and the end of the word.
    assert "(chance: 12.5%)" in words(page)
