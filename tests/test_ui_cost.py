"""The page on cost: sliders, what is stored, and measuring here."""

from __future__ import annotations

import json

import pytest
from harness import STEPPER, open_page, run, says, specs

from core.cost import FIRST_STEPS
from core.measurements import COSTS
from model.layers import measured_layers
from ui.cost import costs
from words import english


@pytest.fixture(autouse=True)
def _folder(folder):
    """The app with random weights."""


@pytest.fixture
def few(tmp_path, monkeypatch):
    """A file of a few measurements in the place of the stored one."""
    values = {
        "command": "python -m benchmarks.layers --write", "hardware": "a machine", "width": 3,
        "window": 32, "when": "2026-01-01",
        "rows": [
            [kind, n, d, a * n**b, 1e-3 * n, n * d]
            for kind, a, b in (
                ("attention", 1e-6, 2), ("gru", 1e-4, 1), ("dot", 1e-6, 2), ("additive", 1e-4, 1)
            )
            for n in (8, 64, 128, 256, 512, 1024)
            for d in (64, 256)
        ],
    }  # fmt: skip
    monkeypatch.setattr(costs, "FOLDER", tmp_path)
    (tmp_path / COSTS.file).write_text(json.dumps(values))
    return values


def test_sliders_start_where_the_address_says():
    page = open_page("cost", cost_look="counted", cost_n="5", cost_k="1")
    data = [json.loads(e.proto.json) for e in page.get("bidi_component")
            if e.proto.component_name == STEPPER]  # fmt: skip
    assert [each["step"] for each in data] == [5, FIRST_STEPS["d_step"], 1, 3]
    assert data[0]["names"][5] == "n = 256"
    names = [param["name"] for param in specs(page)[0]["params"] if "bind" in param]
    assert names == [each["signal"] for each in data]
    both = {"first": 16_777_216, "second": 16_777_216, "which": 0}
    assert says(page, "cost-cheaper", n=256, d=256, **both)


def test_the_fitted_power_and_the_crossing_are_those_of_the_file(few):
    page = open_page("cost", cost_look="measured", cost_d="0")
    table = next(each.value for each in page.dataframe if "exponent" in each.value)
    assert table["exponent"].tolist() == pytest.approx([2, 1])
    # 1e-6 n^2 = 1e-4 n at n = 100
    names = {"first": english("cost-layer-attention"), "second": english("cost-layer-gru")}
    assert says(page, "cost-crossed", n=100, d=64, measure="forward", **names)
    assert says(page, "cost-when", date="2026-01-01")
    page = open_page("cost", cost_look="measured", cost_d="0", cost_measure="kept")
    assert says(page, "cost-not-crossed", most=1024, n=1024, factor=0, d=64, **names)


def test_those_who_press_in_one_minute_share_a_measurement(few, monkeypatch):
    calls = []

    def counting(*args, **named):
        calls.append(args)
        return measured_layers((8,), (64,), ("attention", "gru"), seconds=0.05)

    monkeypatch.setattr(costs, "measured_layers", counting)
    monkeypatch.setattr(costs.time, "time", lambda: 6e9)
    for _ in range(2):
        page = open_page("cost", cost_look="measured", cost_d="0")
        page.button("cost_layers_here_button").click()
        page = run(page)
        assert says(page, "cost-here-done", n=2)
        (drawn,) = page.get("plotly_chart")
        rings = [x for x in json.loads(drawn.proto.spec)["data"] if x["mode"] == "markers"]
        assert [ring["x"] for ring in rings if ring["x"]] == [[8], [8]]
    assert len(calls) == 1
