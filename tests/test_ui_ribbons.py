"""The ribbons without a browser: what is sent, what comes back, and the page around them."""

from __future__ import annotations

import numpy as np
import pytest
from harness import given, open_frame, opened, put, run, send
from streamlit.testing.v1 import AppTest

from core.attention import CROSS, AttentionMap
from core.links import links
from ui.attention.ribbons import summary
from ui.components import FULL, MASKED, steps_of
from ui.components.ribbons import places_of
from ui.focus import Focus


def page_of_ribbons():
    from types import SimpleNamespace

    import numpy as np
    import streamlit as st

    from core.attention import DECODER, AttentionMap
    from core.transform import Regrouped
    from ui.attention.ribbons import show
    from ui.attention.scene import Scene
    from ui.controls import Display
    from ui.focus import Focus, focus_of

    state = st.session_state
    n_heads, size = state.get("n_heads", 4), state.get("size", 6)
    raised = np.exp(np.random.default_rng(0).normal(size=(2, n_heads, size, size)))
    mask = np.tril(np.ones((size, size), bool))
    raised = np.where(mask, raised, 0)
    weights = (raised / raised.sum(-1, keepdims=True)).astype(np.float32)
    tokens = tuple(f"▁</script>{i}" for i in range(size))
    attention = AttentionMap(DECODER, weights, tokens, tokens, tokens, mask=mask)
    # Each row and column on screen stands for two positions of the map as computed.
    pairs = tuple((2 * i, 2 * i + 1) for i in range(size))
    state.setdefault("focus", {"decoder": {"identity": (), "focus": Focus(layer=1)}})
    source = SimpleNamespace(text="a sentence")
    card = SimpleNamespace(guided=None)
    record = SimpleNamespace(src=source, sites=(DECODER,))
    view = SimpleNamespace(record=record, card=card)
    display = Display(produced=False, contrast=False, words=True, special="show")
    shown = Regrouped(attention, pairs, pairs)
    show(Scene(view, "decoder", attention, shown, focus_of("decoder"), None, display))


def open_page(**state) -> AppTest:
    page = AppTest.from_function(page_of_ribbons, default_timeout=60)
    for name, value in state.items():
        page.session_state[name] = value
    return opened(page)


def sent_to_browser(page: AppTest) -> dict:
    return given(page.get("bidi_component")[0].proto)


def choose(page: AppTest, **choice) -> AppTest:
    """What a click in the browser sends."""
    data = sent_to_browser(page)
    before = {"identity": data["identity"], "number": data["answered"] + 1, **data["choice"]}
    return send(page, page.get("bidi_component")[0].proto.component_name, choice=before | choice)


def focus(page: AppTest) -> Focus:
    return page.session_state["focus"]["decoder"]["focus"]


def caption(page: AppTest) -> str:
    return page.caption[0].value


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


def test_only_the_open_head_is_on_at_first():
    page = open_page()
    assert sent_to_browser(page)["choice"]["heads"] == [0]
    assert "In layer 2, head 1 has" in caption(page)
    assert not any("</script>" in element.value for element in (*page.markdown, *page.caption))


def test_a_lock_in_the_browser_reaches_the_focus_in_the_same_run():
    page = choose(open_page(), rows=[2])
    assert focus(page).rows == (4, 5)
    data = sent_to_browser(page)
    assert (data["choice"]["rows"], data["answered"]) == ([2], 1)
    choose(page, columns=[1], side="key")
    assert (focus(page).rows, focus(page).columns) == ((4, 5), (2, 3))
    assert sent_to_browser(page)["choice"]["side"] == "key"
    choose(page, identity="another", rows=[0], heads=[1])
    assert (focus(page).rows, focus(page).head) == ((4, 5), 0)
    choose(page, rows=[], columns=[])
    assert (focus(page).rows, focus(page).columns) == ((), ())


def test_heads_that_are_on_stay_on_and_are_in_the_address():
    page = choose(open_page(), heads=[0, 3])
    run(page)
    assert sent_to_browser(page)["choice"]["heads"] == [0, 3]
    assert page.query_params["heads"] == "1,4"
    choose(page, heads=[3])
    assert focus(page).head == 3
    assert "heads" not in page.query_params


def test_another_open_head_is_on_alone():
    page = choose(open_page(), heads=[0, 3])
    page.session_state["focus"]["decoder"]["focus"] = Focus(layer=1, head=2)
    run(page)
    assert sent_to_browser(page)["choice"]["heads"] == [2]


@pytest.mark.parametrize(
    ("text", "heads"),
    [("1", [0]), ("3,1", [0, 2]), ("2,2", [1]), ("4", [3])]
    + [(text, [0]) for text in ("", "0", "5", "1,", "a", "-1", "٣", "1" * 9, "1," * 999)],
)
def test_an_address_with_heads_opens_with_them_counted_from_one(text, heads):
    page = open_frame(page_of_ribbons, heads=text)
    assert sent_to_browser(page)["choice"]["heads"] == heads


def test_a_share_in_the_address_and_on_the_slider_decides_the_links():
    page = open_frame(page_of_ribbons, share="100")
    assert caption(page).startswith("In layer 2, head 1 has 21 edges at this setting.")
    assert "hold 0.0% of all weight" in caption(page)
    put(page, share=10)
    assert caption(page).startswith("In layer 2, head 1 has 6 edges")


@pytest.mark.parametrize(("n_heads", "size"), [(1, 1), (1, 6), (20, 3)])
def test_any_number_of_heads_and_tokens_is_shown(n_heads, size):
    page = open_page(n_heads=n_heads, size=size)
    data = sent_to_browser(page)
    assert (len(data["colours"]), len(data["labels"]["key"])) == (n_heads, size)


def test_a_head_that_the_next_checkpoint_lacks_is_forgotten():
    page = choose(open_page(), heads=[0, 3])
    page.session_state["n_heads"] = 2
    run(page)
    assert sent_to_browser(page)["choice"]["heads"] == [0]
