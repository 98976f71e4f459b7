"""The page that opens a block: menus, clicks, what is left out, what is stored and what is not."""

from __future__ import annotations

import base64
import json
from dataclasses import replace

import numpy as np
import pytest
from conftest import write_measured
from harness import asked, charts, click, open_page, says, table_of, tables, words

from core.block import Gradients, SubLayer, gradient_facts
from core.intervention import Intervention
from core.measurements import UNITS
from core.tokens import token_label
from ui import block
from ui.block import STACKS
from viz.block import SELECTION_NAME
from words.numbers import fixed, percent


@pytest.fixture(autouse=True)
def _folder(folder):
    """The app with random weights."""


def look(view, **address):
    return open_page("block", block_look=view, **address)


def stream_of(page, stack="encoder", change=None):
    change = Intervention(change) if change else Intervention()
    return block.stream_of(page.session_state["run"], stack, change)


def table_with(page, *columns):
    """The table of a chart that has these columns."""
    found = [each for chart in charts(page) for each in tables(chart).values()]
    return next(each for each in found if set(columns) <= set(each))


def test_a_click_on_a_bar_chooses_the_sub_layer_and_the_address_keeps_it():
    page = click(look("stream", block_stack="decoder"), "block_stream", SELECTION_NAME, place=4)
    assert asked(page)["block_decoder_step"] == "decoder.2.cross"
    for again in (page, look("norm", block_stack="decoder", block_decoder_step="decoder.2.cross")):
        assert again.session_state["block_decoder_step"] == 4


def drawn_signs(page):
    """Of each state that is drawn: what its hover tells, and where it is."""
    traces = json.loads(page.get("plotly_chart")[0].proto.spec)["data"]
    found = []
    for trace in traces:
        if "customdata" in trace:
            at = (np.frombuffer(base64.b64decode(trace[axis]["bdata"])) for axis in "xyz")
            found += zip(map(tuple, trace["customdata"]), zip(*at, strict=True), strict=True)
    return found


@pytest.mark.parametrize("stack", STACKS)
def test_the_paths_are_those_of_the_states_of_the_stack(stack):
    page = look("paths", block_stack=stack)
    translation, stream = page.session_state["run"].translation, stream_of(page, stack)
    of_all = np.concatenate((stream.before[:1], stream.after)).astype(float)
    signs = drawn_signs(page)
    assert len(signs) == of_all.shape[0] * of_all.shape[1]
    centred = of_all.reshape(-1, of_all.shape[-1])
    sizes = np.linalg.svd(centred - centred.mean(axis=0), compute_uv=False)
    coordinates = np.array([at for _, at in signs])
    np.testing.assert_allclose(np.linalg.norm(coordinates, axis=0), sizes[:3], rtol=1e-6)
    share = (sizes[:3] ** 2).sum() / (sizes**2).sum()
    assert f"hold {percent(share)} of the variance" in words(page)
    token, *told = signs[1][0]
    side = translation.src if stack == "encoder" else translation.tgt
    assert token_label(side.tokens[1]) in token.replace("&lt;", "<").replace("&gt;", ">")
    assert told == ["Input", fixed(np.linalg.norm(of_all[0, 1])), "1.00"]


def test_states_of_length_one_lie_elsewhere_and_have_the_norms_they_have():
    raw, unit = (drawn_signs(look("paths", block_path_states=each)) for each in ("raw", "unit"))
    assert [told for told, _ in raw] == [told for told, _ in unit]
    assert np.abs([at for _, at in unit]).max() <= 2
    assert not np.allclose([at for _, at in raw], [at for _, at in unit])


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
