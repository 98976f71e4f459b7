"""The places of a page, and what a picture and a table say by their ids."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from harness import DEFAULT, ROOT, opened, run
from streamlit.testing.v1 import AppTest

from ui.pages import page_ids
from words.packs import Example, first_pack, opens_with


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
    page = AppTest.from_function(laid_out, default_timeout=30).run()
    assert not page.exception
    read = [each.value for each in page.markdown]
    told = ["what is seen", "the picture", "how to read it", "more of it", "the model"]
    assert read == told
    assert [each.label for each in page.toggle] == ["first", "one", "two", "own row"]
    assert [each.label for each in page.expander] == ["Explanation", "About this model"]
    assert len(page.get("popover")) == 1, "all settings are one menu"


def blocks():
    import pandas as pd

    from ui.kit.blocks import table

    rows = pd.DataFrame({"name": ["a"], "change": [0.12345], "P(<b>)": [0.5]})
    table("masks-knockout-table", rows, key="seen", words="masks-knockout-column", n=1)


def test_a_table_names_its_columns_by_messages_and_others_by_themselves():
    page = run(AppTest.from_function(blocks, default_timeout=30))
    (found,) = page.dataframe
    columns = json.loads(found.proto.columns)
    assert columns["change"]["label"] == "Δ log P"
    assert columns["P(<b>)"]["label"] == "P(<b>)"
    assert found.proto.alt
    assert found.value.equals(pd.DataFrame({"name": ["a"], "change": [0.12345], "P(<b>)": [0.5]}))


# The sentence that a page opens with


def test_a_page_without_an_example_opens_with_the_first():
    named = {page for example in first_pack().examples for page in example.pages}
    assert set() < named <= set(page_ids())
    examples = (Example("own", "one"), Example("own", "two", pages=("beam",)))
    assert opens_with(examples, "beam").text == "two"
    assert opens_with(examples, "masks").text == "one"


@pytest.fixture
def app():
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)


def at(page: AppTest, name: str) -> str:
    page.switch_page(f"ui/pages/{name}.py")
    return run(page).text_input("text").value


def test_the_sentence_goes_along_with_the_page_until_somebody_types(app):
    own = opens_with(first_pack().examples, "beam").text
    app.switch_page("ui/pages/block.py")
    assert opened(app).text_input("text").value == DEFAULT.text
    assert at(app, "beam") == own
    assert at(app, "block") == DEFAULT.text
    app.text_input("text").set_value("A dog runs.").run()
    assert at(app, "beam") == "A dog runs."


def test_a_sentence_of_the_address_is_nobodys_default(app):
    app.switch_page("ui/pages/beam.py")
    assert opened(app, text=DEFAULT.text).text_input("text").value == DEFAULT.text
