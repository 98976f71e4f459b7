"""The page that opens a block: menus, clicks, what is left out, what is stored and what is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from conftest import write_measured
from harness import asked, charts, click, open_page, says, table_of, tables

from core.block import Gradients, SubLayer, gradient_facts
from core.measurements import UNITS
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


def test_states_that_are_all_one_end_in_a_sentence(monkeypatch):
    own = block.stream_of

    def equal(run, stack, change=block.FULL):
        found = own(run, stack, change)
        return replace(found, before=0 * found.before + 1, after=0 * found.after + 1)

    monkeypatch.setattr(block, "stream_of", equal)
    monkeypatch.setattr(block, "paths_of", block.paths_of.__wrapped__)
    page = look("paths")
    assert says(page, "block-path-none")
    assert not page.get("plotly_chart")
    assert not page.error


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


# -- units, and what was measured of them --------------------------------------------------


def test_the_places_where_a_unit_fires_most_are_shown(copies):
    places = [["a big", "▁dog", "runs", 3.5], ["the", "▁cat", "", 1]]
    layers = [[{"unit": unit, "share": 0.25, "places": places} for unit in range(32)]] * 2
    measured = {"layers": dict.fromkeys(STACKS, layers), "command": "a command"}
    write_measured(copies / "en-de", UNITS, hardware="", **measured)
    page = look("units")
    shown = table_of(page, "activation")
    assert shown["token"].tolist() == ["dog", "cat"]
    assert shown["activation"].tolist() == ["3.50", "1.00"]
    assert set(table_with(page, "told")["told"]) == {"dog, cat"}
    assert says(page, "masks-made-command", command="a command")
