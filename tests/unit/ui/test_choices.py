"""Choices of the reader: session and address agree, and one module writes both."""

from __future__ import annotations

import re

from streamlit.testing.v1 import AppTest

from support.models import ROOT

KEEPER = ROOT / "ui/frame/choices.py"
WRITES = re.compile(r"st\.query_params\.from_dict\(|(?<!not )\bin state or address\.by_history\(")


def test_one_module_writes_the_address_of_choices():
    writers = [
        path
        for path in (*(ROOT / "ui").rglob("*.py"), ROOT / "app.py")
        if WRITES.search(path.read_text(encoding="utf-8"))
    ]
    assert writers == [KEEPER]


def composite():
    import streamlit as st

    from ui.frame import choices
    from ui.frame.choices import choose, keep, remembered

    pair = remembered("pair", lambda: (choices.read("left", choices.NUMBER), 0))
    keep("left", choices.NUMBER, pair[0], None)
    st.button("other", key="other", on_click=choose, args=({"pair": (7, 7)},))
    st.markdown(repr(pair))


def test_a_value_of_several_parts_comes_from_the_address_once():
    page = AppTest.from_function(composite)
    page.query_params["left"] = "3"
    page.session_state["history_watched"] = True
    page.run()
    assert page.markdown[0].value == "(3, 0)"
    page.button(key="other").click().run()
    assert page.markdown[0].value == "(7, 7)"
    assert page.query_params["left"] == "7"


def following():
    import streamlit as st

    from ui.frame.choices import NUMBER, choose, default_of, follow_default, kept

    default = 5 if "grown" in st.session_state else 2
    follow_default("count")
    st.markdown(f"{kept('count', NUMBER, default)} of {default_of('count')}")
    st.button("away", key="away", on_click=choose, args=({"count": 9},))
    st.button("back", key="back", on_click=choose, args=({"count": 2},))
    st.button("later", key="later", on_click=choose, args=({"grown": True},))


def test_a_value_set_back_to_its_default_follows_the_next_default():
    page = AppTest.from_function(following).run()
    for key, said in (("away", "9 of 2"), ("back", "2 of 2"), ("later", "5 of 5")):
        page.button(key=key).click().run()
        assert page.markdown[0].value == said


def several():
    from ui.frame import choices

    choices.keep_all({"row": (1,), "column": (), "layer": (0,)}, choices.PLACES, (0,))


def test_values_that_are_kept_together_leave_the_others_in_the_address():
    page = AppTest.from_function(several)
    page.query_params["column"] = "3"
    page.query_params["layer"] = "2"
    page.query_params["word"] = ["a", "b"]
    page.session_state["history_watched"] = True
    page.run()
    assert not page.exception
    assert page.query_params == {"word": ["a", "b"], "row": "2"}
