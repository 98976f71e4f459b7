"""Controls: what address, session and page make of their values."""

from __future__ import annotations

import pytest
from harness import opened, put, run
from hypothesis import given
from hypothesis import strategies as some
from streamlit.testing.v1 import AppTest

import words.catalogue
from ui import address as spelling
from ui.kit.controls import resolve


def script(style: str = "segmented", default: str | None = None):
    import streamlit as st

    from ui import address
    from ui.kit.controls import choice

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


@pytest.mark.parametrize(
    ("address", "default", "value", "left"),
    [
        ("", None, "show", None),
        ("", "hide", "hide", None),
        ("left out, weights as they are", None, "hide", "hide"),  # as it was spelt before
        *((nonsense, None, "show", None) for nonsense in ("nothing known", "renormalise", " ")),
    ],
)
def test_an_option_of_the_address_is_chosen_or_the_default_which_goes(
    address, default, value, left
):
    page = start(address, default=default)
    assert (chosen(page), asked(page)) == (value, left)
    page.session_state["clicked"] = "hide"  # by a click elsewhere
    page.run()
    assert (chosen(page), asked(page)) == ("hide", None if default == "hide" else "hide")


@pytest.mark.parametrize("style", ["segmented", "select", "radio"])
def test_every_style_takes_the_address_and_writes_the_id(style):
    page = start("hide", style=style)
    assert (chosen(page), asked(page)) == ("hide", "hide")
    put(page, special="show")
    assert (chosen(page), asked(page)) == ("show", None)


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


# What speaks


@given(some.booleans(), *[some.none() | some.integers(0, 9)] * 2, some.integers(0, 9))
def test_the_address_speaks_to_who_arrives_and_the_session_to_who_stays(
    arrives, asked, held, default
):
    sound = lambda value: value % 2 == 0  # noqa: E731
    value = resolve(arrives=arrives, asked=asked, held=held, default=default, sound=sound)
    said = asked if arrives else held
    assert value == (said if said in (0, 2, 4, 6, 8) else default)


# Controls of every kind

KINDS = {
    "slider": ("1, 9, 4", "7", 7, 2, "2"),
    "slider of decimals": ("0.0, 2.0, 0.6, 0.1", "1.5", 1.5, 0.3, "0.3"),
    "slider beyond": ("1, 9, 4", "99", 9, 2, "2"),
    "slider below": ("1, 9, 4", "0", 1, 2, "2"),
    "number": ("0, 20, 3", "7", 7, 0, "0"),
    "number or none": ("1, 20, None", "7", 7, 1, "1"),
    "stops": ("(1, 10, 100), 10", "100", 100, 1, "1"),
    "toggle": ("", "true", True, False, None),
    "toggle that is on": ("True", "false", False, True, None),
    "text_box": ("'a'", "b & c", "b & c", "", ""),
    "several": ("(3, 5, 8), (5,)", ["8", "3"], [3, 8], [], ""),
}
WIDGETS = {"slider": "slider", "number": "number_input", "stops": "select_slider"}
WIDGETS |= {"toggle": "toggle", "text_box": "text_input", "several": "multiselect"}


def drawing(kind: str, args: str):
    import streamlit as st

    from ui.kit import controls

    draw = getattr(controls, kind)
    st.session_state["chosen"] = draw(
        "special", *eval(f"({args},)" if args else "()"), words="special"
    )


def drawn(name: str, *address: str | list[str]) -> AppTest:
    page = AppTest.from_function(drawing, args=(name.split()[0], KINDS[name][0]))
    return opened(page, **({"special": address[0]} if address else {}))


@pytest.mark.parametrize("name", KINDS)
def test_a_control_takes_its_address_and_writes_what_is_not_its_default(name):
    _, spelt, value, other, written = KINDS[name]
    page = drawn(name, spelt)
    assert chosen(page) == value
    widget = getattr(page, WIDGETS[name.split()[0]])("special")
    run(widget.set_value(other) and page)
    assert chosen(page) == other
    assert asked(page) == written
    again = drawn(name, *([] if written is None else [written]))
    assert chosen(again) == other


def following():
    import streamlit as st

    from ui.kit.controls import text_box

    st.session_state["chosen"] = text_box(
        "special", st.session_state.get("first", "a"), words="special"
    )


def test_what_nobody_chose_goes_along_with_its_default():
    page = opened(AppTest.from_function(following))
    page.session_state["first"] = "b"
    assert chosen(run(page)) == "b"
    run(page.text_input("special").set_value("mine") and page)
    page.session_state["first"] = "c"
    assert chosen(run(page)) == "mine"


# How values are spelt


@pytest.mark.parametrize(
    ("form", "text", "value"),
    [
        (spelling.PLACES, "3,1,x,0,1", (0, 2)),
        (spelling.PLACES, "x", None),
        (spelling.IDS, "12.0.7", (12, 0, 7)),
        *((spelling.IDS, text, None) for text in ("12.x", "5,7", "5..7", "-5", "12345678")),
        (spelling.OPTION, "", None),
    ],
)
def test_values_are_read_with_what_makes_no_sense_left_out(form, text, value):
    assert form.read(text) == value
    assert value is None or form.read(form.write(value)) == value
