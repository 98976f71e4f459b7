"""The menus for a head and the block around a figure."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from support.app import opened, put


def pick(**how):
    import streamlit as st

    from ui.kit.blocks import head_picker

    def moved(*found):
        st.session_state["moved"] = found

    how = {"on_change": moved, "args": ("seen",), **how}
    st.session_state["place"] = head_picker("seen", 3, 4, **how)


def start(asked: dict[str, str] | None = None, **how) -> AppTest:
    page = AppTest.from_function(pick, kwargs=how, default_timeout=120)
    return opened(page, **(asked or {}))


def test_heads_are_counted_from_one_on_the_page_and_in_the_address():
    page = start({"seen_layer": "2", "seen_head": "4"}, address=True)
    assert page.session_state["place"] == (1, 3)
    assert page.selectbox("seen_head").options == ["1", "2", "3", "4"]
    put(page, seen_layer=2)
    assert page.session_state["place"] == (2, 3)
    assert page.query_params["seen_layer"] == "3"


@pytest.mark.parametrize(
    ("asked", "how", "place", "n_heads"),
    [
        ({}, {"every": True}, (-1, -1), 5),
        *(({"seen_head": text}, {"address": True}, (0, 0), 4) for text in ("9", "0", "x")),
        ({}, {"chosen": (2, 1)}, (2, 1), 4),
    ],
    ids=str,
)
def test_a_place_from_elsewhere_is_shown_and_a_choice_is_told(asked, how, place, n_heads):
    page = start(asked, **how)
    assert page.session_state["place"] == place
    assert len(page.selectbox("seen_head").options) == n_heads
    put(page, seen_head=2)
    assert page.session_state["moved"] == ("seen", "head")
