"""The page on cost: sliders, what is stored, and measuring here."""

from __future__ import annotations

import json

import pytest

from model.layers import measured_layers
from support.app import open_page, press, says
from ui.cost import costs


@pytest.fixture(autouse=True)
def _folder(folder):
    """The app with random weights."""


def test_those_who_press_in_one_minute_share_a_measurement(monkeypatch):
    calls = []

    def counting(*args, **named):
        calls.append(args)
        return measured_layers((8,), (64,), ("attention", "gru"), seconds=0.05)

    monkeypatch.setattr(costs, "measured_layers", counting)
    monkeypatch.setattr(costs.time, "time", lambda: 6e9)
    for _ in range(2):
        page = open_page("cost", cost_look="measured", cost_d="0")
        press(page, "cost_layers_here_button")
        assert says(page, "cost-here-done", n=2)
        (drawn,) = page.get("plotly_chart")
        rings = [x for x in json.loads(drawn.proto.spec)["data"] if x["mode"] == "markers"]
        assert [ring["x"] for ring in rings if ring["x"]] == [[8], [8]]
    assert len(calls) == 1
