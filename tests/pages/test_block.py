"""The page that opens a block: menus, clicks, what is left out, what is stored and what is not."""

from __future__ import annotations

import numpy as np
import pytest

from core.block import Gradients, SubLayer, gradient_facts
from support.app import asked, charts, click, open_page, tables
from ui import block
from ui.block import STACKS
from viz.block import SELECTION_NAME


@pytest.fixture(autouse=True)
def _folder(folder):
    """The app with random weights."""


def look(view, **address):
    return open_page("block", block_look=view, **address)


def table_with(page, *columns):
    """The table of a chart that has these columns."""
    found = [each for chart in charts(page) for each in tables(chart).values()]
    return next(each for each in found if set(columns) <= set(each))


def test_a_click_on_a_bar_chooses_the_sub_layer_and_the_address_keeps_it():
    page = click(look("stream", block_stack="decoder"), "block_stream", SELECTION_NAME, place=4)
    assert asked(page)["block_decoder_step"] == "decoder.2.cross"
    for again in (page, look("norm", block_stack="decoder", block_decoder_step="decoder.2.cross")):
        assert again.session_state["block_decoder_step"] == 4


def test_gradients_of_random_weights_are_not_those_of_the_trained_ones(monkeypatch):
    monkeypatch.setattr(block, "SEED", 5)  # the weights of the tests are those of seed 0
    random, trained = (
        table_with(look("gradients", block_weights=weights), "size")
        for weights in ("random", "trained")
    )
    assert list(random["run"].unique()) == ["plain", "residual", "norm", "both"]
    assert not np.allclose(random["size"], trained["size"])


def test_what_loses_its_gradient_is_counted_by_stack():
    names = ("self", "cross", "feed_forward")
    places = tuple(SubLayer(stack, 0, name) for stack in STACKS for name in names)
    sizes = np.ones((4, 6))
    sizes[1] = [0.5, 1, 1, np.nan, 9e-4, 2e-3]
    counts = gradient_facts(Gradients(places, sizes, 0 * sizes, np.ones(4)), 1e-3)
    assert counts == {"encoder": 0, "n_encoder": 3, "decoder": 2, "n_decoder": 3}
