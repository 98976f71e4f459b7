"""The ribbons without a browser: what is sent, what comes back, and the page around them."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.attention import CROSS, AttentionMap
from core.links import links
from model.checkpoint import FOLDER_VARIABLE
from support.app import asked, data_of, focus, open_page, put, run, send
from ui.attention.ribbons import summary
from ui.components import FULL, MASKED, steps_of
from ui.components.ribbons import places_of
from ui.focus import Focus

RIBBONS = "attention_lab_ribbons"


def opened(**address: str) -> AppTest:
    return open_page(look="ribbons", kind="decoder", layer="2", head="1", **address)


@pytest.fixture
def page(folder) -> AppTest:
    return opened()


def shown(page: AppTest) -> dict:
    """What the browser is given of what is chosen."""
    return data_of(page, RIBBONS)["choice"]


def choose(page: AppTest, **choice) -> AppTest:
    """What a click in the browser sends."""
    data = data_of(page, RIBBONS)
    before = {"identity": data["identity"], "number": data["answered"] + 1, **data["choice"]}
    return send(page, RIBBONS, choice=before | choice)


def caption(page: AppTest) -> str:
    return next(each.value for each in page.caption if each.value.startswith("In layer"))


# --- what is sent


def test_weights_travel_in_16_bits_and_masked_cells_are_marked():
    weights = np.array([[[[1.0, 0.0], [0.25, 0.75]]]], np.float32)
    mask = np.array([[True, False], [True, True]])
    sent = steps_of(weights[0], mask)
    assert sent.ravel().tolist() == [FULL, MASKED, round(FULL / 4), round(FULL * 0.75)]


def test_links_travel_as_places_in_the_weights():
    weights = np.random.default_rng(0).dirichlet(np.ones(5), size=(1, 3, 4)).astype(np.float32)
    attention = AttentionMap(CROSS, weights, tuple("abcd"), tuple("vwxyz"))
    shown = links(attention, 0)
    places = places_of(shown, (4, 5))
    assert weights[0].ravel()[places].tolist() == shown.weight.tolist()


@pytest.mark.parametrize(
    ("heads", "told"),
    [
        ((0,), "head 1 has 1 edge at this setting. The edges left out hold 20.0%"),
        ((0, 1), "heads 1, 2 have 3 edges at this setting. The edges left out hold 10.0%"),
    ],
)
def test_the_summary_counts_links_and_hidden_weight(heads, told):
    weights = np.array([[[[0.8, 0.2]], [[0.5, 0.5]]]], np.float32)
    every = links(AttentionMap(CROSS, weights, ("a",), ("x", "y")), 0)
    assert summary(every, heads) == f"In layer 1, {told} of all weight."
    assert summary(every, ()) == "No head is shown, so no edges are drawn."


def test_the_summary_says_when_there_were_too_many_links():
    weights = np.full((1, 1, 2, 4), 0.25, np.float32)
    attention = AttentionMap(CROSS, weights, ("a", "b"), tuple("wxyz"))
    text = summary(links(attention, 0, most=4), (0,))
    assert " has 4 edges at this setting." in text
    assert "The edges left out hold 50.0% of all weight." in text
    assert "up to 25.0% of a head’s weight" in text


# --- the page


def test_a_lock_in_the_browser_reaches_the_focus_in_the_same_run(page):
    assert shown(page)["heads"] == [0]
    choose(page, rows=[2])
    assert shown(page)["rows"] == [2]
    assert data_of(page, RIBBONS)["answered"] == 1
    choose(page, columns=[1], side="key")
    assert (focus(page, "decoder").rows, focus(page, "decoder").columns) == ((2,), (1,))
    assert shown(page)["side"] == "key"
    choose(page, identity="another", rows=[0], heads=[1])
    assert (focus(page, "decoder").rows, focus(page, "decoder").head) == ((2,), 0)
    choose(page, rows=[], columns=[])
    assert (focus(page, "decoder").rows, focus(page, "decoder").columns) == ((), ())


def test_heads_that_are_on_stay_on_in_the_address_until_one_is_open_alone(
    page, smallest_root, monkeypatch
):
    run(choose(page, heads=[0, 3]))
    assert shown(page)["heads"] == [0, 3]
    assert asked(page)["heads"] == "1,4"
    choose(page, heads=[3])
    assert focus(page, "decoder").head == 3
    assert "heads" not in asked(page)
    choose(page, heads=[3, 1])
    page.session_state["focus"]["decoder"]["focus"] = Focus(layer=1, head=2)
    assert shown(run(page))["heads"] == [2]
    choose(page, heads=[2, 3])
    monkeypatch.setenv(FOLDER_VARIABLE, str(smallest_root))
    assert shown(run(page))["heads"] == [0], "the next checkpoint has no more"


@pytest.mark.parametrize(("text", "heads"), [("4,2", [1, 3]), ("4,5", [0]), ("4,", [0])])
def test_an_address_with_heads_opens_with_them_if_there_are_all(folder, text, heads):
    assert shown(opened(heads=text))["heads"] == heads


def test_a_share_in_the_address_and_on_the_slider_decides_the_links(folder):
    page = opened(share="100", max_len="4")
    n = len(data_of(page, RIBBONS)["labels"]["key"])
    edges = n * (n + 1) // 2
    assert caption(page).startswith(f"In layer 2, head 1 has {edges} edges at this setting.")
    assert "hold 0.0% of all weight" in caption(page)
    put(page, share=10)
    assert caption(page).startswith(f"In layer 2, head 1 has {n} edges")
