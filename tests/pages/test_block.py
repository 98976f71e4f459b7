"""The pages that open a block and count what layers cost."""

from __future__ import annotations

import json

import numpy as np
import pytest

from core.block import encoder_shares, gradient_facts
from core.records.sublayers import Gradients, SubLayer
from model.nets.layers import measured_layers
from support.app import asked, charts, click, open_page, press, says, tables
from ui.pages.block import gradients
from ui.pages.block.scene import STACKS
from ui.pages.cost import costs
from viz.block import SELECTION_NAME


@pytest.fixture(autouse=True)
def _folder(folder):
    """The app with random weights."""


def look(view, **address):
    return open_page("block", block_look=view, **address)


def test_a_click_on_a_bar_chooses_the_sub_layer_and_the_address_keeps_it():
    page = click(look("stream", block_stack="decoder"), "block_stream", SELECTION_NAME, place=4)
    assert asked(page)["block_decoder_step"] == "decoder.2.cross"
    again = look("norm", block_stack="decoder", block_decoder_step="decoder.2.cross")
    assert [each.session_state["block_decoder_step"] for each in (page, again)] == [4, 4]


def test_gradients_of_random_weights_are_not_those_of_the_trained_ones(monkeypatch):
    monkeypatch.setattr(gradients, "SEED", 5)  # the weights of the tests are those of seed 0
    found = []
    for weights in ("random", "trained"):
        page = look("gradients", block_weights=weights)
        every = [each for chart in charts(page) for each in tables(chart).values()]
        found.append(next(each for each in every if "size" in each))
    assert list(found[0]["run"].unique()) == ["plain", "residual", "norm", "both"]
    assert not np.allclose(found[0]["size"], found[1]["size"])


def test_what_loses_its_gradient_is_counted_by_stack():
    names = ("self", "cross", "feed_forward")
    places = tuple(SubLayer(stack, 0, name) for stack in STACKS for name in names)
    sizes = np.ones((4, 6))
    sizes[1] = [0.5, 1, 1, np.nan, 9e-4, 2e-3]
    counts = gradient_facts(Gradients(places, sizes, 0 * sizes, np.ones(4)), 1e-3)
    assert counts == {"encoder": 0, "n_encoder": 3, "decoder": 2, "n_decoder": 3}


def test_the_share_left_in_the_encoder_is_that_of_its_first_sublayer_to_its_last():
    places = [SubLayer("encoder", 0, "self"), SubLayer("encoder", 0, "feed_forward")]
    places.append(SubLayer("decoder", 0, "self"))
    sizes = np.array([[1, 1, 1], [3, 4, 9], [1, 1, 1], [0.1, 2, 9]])
    gradients = Gradients(tuple(places), sizes, 0 * sizes, np.ones(4))
    assert encoder_shares(gradients) == pytest.approx((0.75, 0.05))


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
