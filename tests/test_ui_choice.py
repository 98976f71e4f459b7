"""One choice among options with ids: what address, session and page make of it."""

from __future__ import annotations

import ast

import pytest
from harness import ROOT, opened
from streamlit.testing.v1 import AppTest

import ui.address
import words.catalogue


def script(style: str = "segmented", default: str | None = None):
    import streamlit as st

    from ui import address
    from ui.choice import choice

    st.text_input("Beside", key="beside")
    address.begin()
    if "clicked" in st.session_state:
        st.session_state["special"] = st.session_state.pop("clicked")
    if st.toggle("Draw", True, key="draw"):
        chosen = choice(
            "special",
            st.session_state.get("offered", ("show", "hide")),
            words="special",
            style=style,
            default=default,
        )
        st.session_state["chosen"] = chosen
    address.tidy()


def start(address: str = "", **how) -> AppTest:
    page = AppTest.from_function(script, kwargs=how, default_timeout=30)
    return opened(page, **({"special": address} if address else {}))


def chosen(page: AppTest) -> str:
    return page.session_state["chosen"]


def asked(page: AppTest) -> str | None:
    return page.query_params.get("special")


@pytest.mark.parametrize("style", ["segmented", "select", "radio"])
def test_every_style_takes_the_address_and_writes_the_id(style):
    page = start("hide", style=style)
    assert chosen(page) == "hide"
    assert asked(page) == "hide"
    kind = {"segmented": "segmented_control", "select": "selectbox"}
    widget = getattr(page, kind.get(style, "radio"))("special")
    widget.set_value("show").run()
    assert chosen(page) == "show"
    assert asked(page) is None


def test_the_first_option_or_the_default_is_chosen_and_is_not_in_the_address():
    assert (chosen(start()), asked(start())) == ("show", None)
    page = start(default="hide")
    assert (chosen(page), asked(page)) == ("hide", None)


def test_words_of_an_older_address_still_mean_their_option():
    page = start("left out, weights as they are")
    assert chosen(page) == "hide"
    assert asked(page) == "hide"


@pytest.mark.parametrize("address", ["nothing known", "renormalise", " "])
def test_an_address_that_means_no_option_is_the_default_and_goes(address):
    page = start(address)
    assert chosen(page) == "show"
    assert asked(page) is None


def test_a_choice_that_is_no_longer_offered_becomes_the_first():
    page = start("hide")
    page.session_state["offered"] = ("show", "renormalise")
    page.run()
    assert chosen(page) == "show"
    assert asked(page) is None


def test_the_session_keeps_a_choice_that_is_out_of_sight_and_the_address_does_not():
    page = start("hide")
    page.toggle("draw").set_value(False).run()
    assert asked(page) is None
    page.toggle("draw").set_value(True).run()
    assert chosen(page) == "hide"
    assert asked(page) == "hide"


def test_a_choice_set_by_a_click_elsewhere_is_written_to_the_address():
    page = start()
    page.session_state["clicked"] = "hide"
    page.run()
    assert (chosen(page), asked(page)) == ("hide", "hide")


def test_the_language_changes_the_words_and_neither_state_nor_address(monkeypatch, tmp_path):
    english = words.catalogue.FOLDER
    (tmp_path / "en").symlink_to(english / "en")
    (tmp_path / "xx").mkdir()
    (tmp_path / "xx" / "some.ftl").write_text("special-hide = HIDDEN\n")
    monkeypatch.setattr(words.catalogue, "FOLDER", tmp_path)
    words.catalogue._bundle.cache_clear()
    page = start("hide")
    page.session_state["lang"] = "xx"
    page.run()
    assert "HIDDEN" in [o.content for o in page.segmented_control("special").proto.options]
    assert (chosen(page), asked(page)) == ("hide", "hide")
    words.catalogue._bundle.cache_clear()


# The schema


def test_a_name_outside_the_schema_is_a_mistake_of_the_programmer():
    with pytest.raises(ValueError, match="no_such"):
        ui.address.read("no_such")


@pytest.mark.parametrize(
    ("form", "text", "value"),
    [
        (ui.address.PLACES, "3,1,x,0,1", (0, 2)),
        (ui.address.PLACES, "x", None),
        (ui.address.IDS, "12.0.7", (12, 0, 7)),
        (ui.address.IDS, "12.x", None),
        (ui.address.TEXT, "", None),
    ],
)
def test_values_are_read_with_what_makes_no_sense_left_out(form, text, value):
    assert form.read(text) == value
    assert value is None or form.read(form.write(value)) == value


def test_every_old_label_belongs_to_an_option_of_the_schema():
    assert all(ui.address.SCHEMA.get(n, ui.address.OPTION) for n in ui.address._old_labels())


def test_everything_that_streamlit_keeps_in_the_address_is_in_the_schema():
    bound = set()
    for path in (ROOT / "ui").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            given = {k.arg: k.value for k in getattr(node, "keywords", ())}
            key = given.get("key")
            if "bind" in given and isinstance(key, ast.Constant):
                bound.add(key.value)
    assert len(bound) > 20
    assert bound - ui.address.SCHEMA.keys() == set()
