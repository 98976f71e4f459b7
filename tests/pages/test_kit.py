"""Kit of pages: places, tables by ids, controls with address and session, menus for a head."""

from __future__ import annotations

import json
import re
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as some
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest

from support.app import DEFAULT, open_frame, opened, put, run, turned_to
from support.models import ROOT
from ui.frame import choices as spelling
from ui.frame.choices import resolve
from ui.kit.controls import labels_apart
from ui.pages import page_ids
from words.packs import ExampleSentence, first_pack, opens_with


def laid_out():
    import streamlit as st

    from ui.kit.layout import apart, controls, finding, folded, screen, settings

    def alone():
        with apart(), controls():
            st.toggle("own row", key="own")

    with screen():
        st.markdown("the picture")
        with folded("reading"):
            st.markdown("how to read it")
        finding("what is seen")
        with controls():
            st.toggle("first", key="first")
        for name in ("one", "two"):
            with settings():
                st.toggle(name, key=name)
        with folded("reading"):
            st.markdown("more of it")
        alone()
    with folded("about"):
        st.markdown("the model")


def test_whatever_the_order_of_calls_the_places_keep_theirs():
    page = open_frame(laid_out)
    read = [each.value for each in page.markdown]
    told = ["what is seen", "the picture", "how to read it", "more of it", "the model"]
    assert read == told
    assert [each.label for each in page.toggle] == ["first", "one", "two", "own row"]
    assert [each.label for each in page.expander] == ["Explanation", "About this model"]
    assert len(page.get("popover")) == 1, "all settings are one menu"


def tabled(rows: dict[str, list]):
    import pandas as pd

    from ui.kit.blocks import table

    table("knock-table", pd.DataFrame(rows), key="seen", n=1)


def test_a_table_names_its_columns_by_messages_and_others_by_themselves():
    rows = {"name": ["a"], "change": [0.12345], "P(<b>)": [0.5]}
    (found,) = open_frame(tabled, rows).dataframe
    columns = json.loads(found.proto.columns)
    assert columns["change"]["label"] == "Δ log P"
    assert columns["P(<b>)"]["label"] == "P(<b>)"
    assert found.value.to_dict("list") == rows


def formatted(rows: dict[str, list], formats: dict[str, str]):
    import pandas as pd

    from ui.kit.blocks import table

    table("knock-table", pd.DataFrame(rows), key="seen", formats=formats, n=1)


@pytest.mark.parametrize(
    ("form", "number", "text"),
    [
        ("%.2f", -0.5, "−0.50"),
        ("%.2f", -0.001, "0.00"),
        ("%+.1f", 2.0, "+2.0"),
        ("%+.1f", 0.0, "0.0"),
        ("%.1e", 2e-6, "2.0e−06"),
        ("percent", 0.25, "25.0%"),
        ("%.2f", float("nan"), ""),
    ],
)
def test_a_table_writes_numbers_with_a_true_minus_sign_and_sorts_by_the_numbers(form, number, text):
    (found,) = open_frame(formatted, {"change": [number]}, {"change": form}).dataframe
    shown = convert_arrow_bytes_to_pandas_df(found.proto.arrow_data.styler.display_values)
    assert shown["change"].tolist() == [text]
    assert found.value["change"].tolist() == pytest.approx([number], nan_ok=True)


def tall(rows: dict[str, list]):
    import pandas as pd

    from ui.kit.blocks import table

    table("knock-table", pd.DataFrame(rows), key="seen", row=65, n=1)


def test_every_text_column_of_tall_rows_has_a_font_to_be_measured_by():
    """Streamlit guesses by the mean width of a font's letters whether a text fills its line."""
    rows = {"name": ["가나다"], "change": [0.5], "text": ["abc"]}
    (found,) = open_frame(tall, rows).dataframe
    weights = re.findall(r"font-weight: (\d+)", found.proto.arrow_data.styler.styles)
    assert len(weights) == len(set(weights)) == 2
    assert found.value.to_dict("list") == rows
    (low,) = open_frame(tabled, rows).dataframe
    assert "font-weight" not in low.proto.arrow_data.styler.styles


@pytest.mark.parametrize("n_rows", [1, 4, 10])
def test_a_short_table_ends_with_its_last_row(n_rows, monkeypatch):
    """Rows and the head have 35 pixels, the frame one above and one below (Streamlit 1.67)."""
    heights = []
    monkeypatch.setattr("streamlit.dataframe", lambda *_, height, **__: heights.append(height))
    open_frame(tabled, {"name": ["a"] * n_rows})
    assert heights == [35 * (n_rows + 1) + 2]


# The sentence that a page opens with


def test_a_page_without_an_example_opens_with_the_first():
    named = {page for example in first_pack().examples for page in example.pages}
    assert set() < named <= set(page_ids())
    examples = (ExampleSentence("own", "one"), ExampleSentence("own", "two", pages=("beam",)))
    assert opens_with(examples, "beam").text == "two"
    assert opens_with(examples, "masks").text == "one"


def at(page: AppTest, name: str, **address: str) -> str:
    turned_to(page, name)
    return opened(page, **address).text_input("text").value


def test_the_sentence_goes_along_with_the_page_until_somebody_types():
    app, other = (AppTest.from_file(str(ROOT / "app.py"), default_timeout=120) for _ in range(2))
    own = opens_with(first_pack().examples, "beam").text
    found = [at(app, name) for name in ("block", "beam", "block")]
    assert found == [DEFAULT.text, own, DEFAULT.text]
    put(app, text="A dog runs.")
    assert at(app, "beam") == "A dog runs."
    assert at(other, "beam", text=DEFAULT.text) == DEFAULT.text, "an address is nobody's default"


def script(style: str = "segmented", default: str | None = None):
    import streamlit as st

    from ui.frame import choices
    from ui.kit.controls import choice

    st.text_input("Beside", key="beside")
    choices.enter_body()
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
    choices.leave_body()


def start(address: str = "", **how) -> AppTest:
    page = AppTest.from_function(script, kwargs=how, default_timeout=120)
    return opened(page, **({"special": address} if address else {}))


def chosen(page: AppTest) -> str:
    return page.session_state["chosen"]


def asked(page: AppTest) -> str | None:
    return page.query_params.get("special")


@pytest.mark.parametrize(
    ("address", "default", "value", "left"),
    [
        ("", None, "show", None),
        ("hide", None, "hide", "hide"),
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
    assert (chosen(run(page)), asked(page)) == ("hide", None if default == "hide" else "hide")


def test_a_choice_that_is_no_longer_offered_becomes_the_first():
    page = start("hide")
    page.session_state["offered"] = ("show", "renormalise")
    assert chosen(run(page)) == "show"
    assert asked(page) is None


def test_the_session_keeps_a_choice_that_is_out_of_sight_and_the_address_does_not():
    page = start("hide")
    assert asked(put(page, draw=False)) is None
    assert chosen(put(page, draw=True)) == "hide"
    assert asked(page) == "hide"


# What speaks


@given(some.booleans(), *[some.none() | some.integers(0, 9)] * 2, some.integers(0, 9))
def test_the_address_speaks_to_who_arrives_and_the_session_to_who_stays(
    arrives, from_address, held, default
):
    sound = lambda value: value % 2 == 0  # noqa: E731
    value = resolve(
        arrives=arrives, from_address=from_address, held=held, default=default, sound=sound
    )
    source = from_address if arrives else held
    assert value == (source if source in (0, 2, 4, 6, 8) else default)


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


def drawing(kind: str, args: str):
    import streamlit as st

    from ui.kit import controls

    draw = getattr(controls, kind)
    st.session_state["chosen"] = draw(
        "special", *eval(f"({args},)" if args else "()"), words="special"
    )


def drawn(name: str, *address: str | list[str]) -> AppTest:
    args = name.split()[0], KINDS[name][0]
    return open_frame(drawing, *args, **({"special": address[0]} if address else {}))


@pytest.mark.parametrize("name", KINDS)
def test_a_control_takes_its_address_and_writes_what_is_not_its_default(name):
    _, spelt, value, other, written = KINDS[name]
    page = drawn(name, spelt)
    assert chosen(page) == value
    assert chosen(put(page, special=other)) == other
    assert asked(page) == written
    again = drawn(name, *([] if written is None else [written]))
    assert chosen(again) == other


def following(default: str):
    import streamlit as st

    from ui.kit.controls import text_box

    first = st.session_state.get("first", default)
    st.session_state["chosen"] = text_box("special", first, words="special")


def test_what_nobody_chose_goes_along_with_its_default():
    page = open_frame(following, "a")
    page.session_state["first"] = "b"
    assert chosen(run(page)) == "b"
    put(page, special="mine")
    page.session_state["first"] = "c"
    assert chosen(run(page)) == "mine"


# Labels, by which Streamlit finds an option


def alike(kind: str):
    import streamlit as st

    from ui.kit import controls

    how = {
        "choice": {"words": "special", "text": lambda option: "one label"},
        "several": {"default": (), "words": "special", "format_func": lambda option: "one label"},
    }[kind]
    st.session_state["chosen"] = getattr(controls, kind)("special", (4, 5, 6), **how)


@pytest.mark.parametrize("kind", ["choice", "several"])
def test_options_with_one_label_are_an_error_here_and_numbered_for_a_reader(kind):
    assert AppTest.from_function(alike, args=(kind,), default_timeout=30).run().exception
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        page = open_frame(alike, kind)
        menu = next(each for each in (*page.multiselect, *page.button_group))
        labels = [getattr(each, "content", each) for each in menu.proto.options]
        assert labels == ["1 · one label", "2 · one label", "3 · one label"]
        value = [5] if kind == "several" else 5
        assert chosen(put(page, special=value)) == chosen(run(page)) == value


@given(some.lists(some.text("ab/", max_size=4), unique=True))
def test_labels_are_as_long_as_it_takes_to_tell_them_apart(paths):
    text = lambda path, more: path[-1 - more :]  # noqa: E731
    labels = labels_apart(paths, text, max(map(len, paths), default=0))
    assert len({*labels.values()}) == len(paths)
    for path, label in labels.items():
        assert path.endswith(label)
        shorter = label[1:]
        lone = not any(each.endswith(shorter) for each in paths if each != path)
        assert len(label) <= 1 or not lone


# How values are spelt


@pytest.mark.parametrize(
    ("form", "text", "value"),
    [
        (spelling.PLACES, "3,1,x,0,1", (0, 2)),
        (spelling.PLACES, "x", None),
        (spelling.SOUND_PLACES, "3,1,1", (0, 2)),
        *((spelling.SOUND_PLACES, text, None) for text in ("", "0", "1,", "a", "-1", "٣", "1" * 9)),
        (spelling.IDS, "12.0.7", (12, 0, 7)),
        *((spelling.IDS, text, None) for text in ("12.x", "5,7", "5..7", "-5", "12345678")),
        (spelling.OPTION, "", None),
    ],
)
def test_values_are_read_with_what_makes_no_sense_left_out(form, text, value):
    assert form.read(text) == value
    assert value is None or form.read(form.write(value)) == value


# The menus for a head


def pick(**how):
    import streamlit as st

    from ui.kit.head_menus import head_picker

    st.session_state["chosen"] = head_picker("seen", 3, 4, **how)


def picked(asked: dict[str, str], **how) -> AppTest:
    return opened(AppTest.from_function(pick, kwargs=how, default_timeout=120), **asked)


def test_heads_are_counted_from_one_on_the_page_and_in_the_address():
    page = picked({"seen_layer": "2", "seen_head": "4"})
    assert chosen(page) == (1, 3)
    assert page.selectbox("seen_head").options == ["1", "2", "3", "4"]
    assert chosen(put(page, seen_layer=2)) == (2, 3)
    assert page.query_params["seen_layer"] == "3"


@pytest.mark.parametrize(
    ("asked", "how", "head", "n_heads"),
    [
        ({}, {"every": True}, (-1, -1), 5),
        *(({"seen_head": text}, {}, (0, 0), 4) for text in ("9", "0", "x")),
    ],
    ids=str,
)
def test_a_head_that_is_not_there_is_not_chosen(asked, how, head, n_heads):
    page = picked(asked, **how)
    assert chosen(page) == head
    assert len(page.selectbox("seen_head").options) == n_heads
