"""The table of many sentences: files that are opened, rows that are clicked, faults."""

from __future__ import annotations

import json

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from model.sentence_tables import MOST_TRANSLATED
from support.app import asked, open_page, press, put, run, says, table_of, words
from ui.pages.beam import many
from words import english

PAIRS = "A dog runs.\tEin Hund läuft.\nA man plays.\tEin Mann spielt.\n"


@pytest.fixture
def page() -> AppTest:
    return open_page("beam", beam_look="many", text="A dog runs.")


def drop(page: AppTest, name: str, data: str | bytes, box: int = 0) -> AppTest:
    page.file_uploader[box].upload(name, data if isinstance(data, bytes) else data.encode())
    return run(page)


def pick(page: AppTest, position: int) -> AppTest:
    """Address parameters that a click on a row sends."""
    opened = page.session_state[many.OPEN]
    states = page._tree.get_widget_states()
    table = next(each for each in page.dataframe if "source" in each.value)
    widget = states.widgets.add()
    widget.id = table.proto.id
    chosen = {"rows": [position], "columns": [], "cells": []}
    widget.string_value = json.dumps({"selection": chosen})
    page._run(states)
    assert not page.exception
    assert page.session_state[many.OPEN] is opened
    return page


def test_the_view_opens_with_the_examples_of_the_model(page):
    table = table_of(page, "lowest")
    assert len(table) == many.MOST_EXAMPLES
    assert table["source"][0] == "I would like to book a table for two."
    assert (table["log_prob"] < 0).all()
    assert table["roles"].between(0, 1).all()
    assert says(page, "many-examples")


def test_a_file_of_sentences_is_translated_and_a_click_opens_a_row(page):
    page = drop(page, "own.txt", "A man plays.\n\nA dog runs.\n")
    table = table_of(page, "lowest")
    assert table["source"].tolist() == ["A man plays.", "", "A dog runs."]
    assert table["output"][0] == "Ein Mann spielt."
    assert table["error"][1] == "The sentence is empty."
    assert "Row 3" in words(page)
    page = pick(page, 0)
    assert asked(page)["text"] == "A man plays."
    assert page.session_state["run"].translation.text == "Ein Mann spielt."
    assert "Row 1" in words(page)
    assert "begin" not in asked(page)


def test_a_target_of_the_file_is_forced_where_a_page_can(page):
    page = drop(page, "pairs.tsv", PAIRS)
    table = table_of(page, "target")
    assert "output" not in table
    assert table["target"].tolist() == ["Ein Hund läuft.", "Ein Mann spielt."]
    page = pick(page, 1)
    assert asked(page)["text"] == "A man plays."
    assert asked(page)["begin"] == "Ein Mann spielt."
    for key in ("reference", "seen_target", "gold_target", "lineage_reference"):
        assert page.session_state[key] == "Ein Mann spielt."
    assert page.session_state["gold_source"] == "A man plays."
    # A sentence without a target takes the last one away.
    page = drop(page, "own.txt", "A man plays.\nA dog runs.\n")
    assert "begin" not in asked(page)
    assert "reference" not in page.session_state


def test_the_picked_row_follows_the_sentence(page):
    page = drop(page, "own.txt", "A man plays.\nA dog runs.\n")

    def picked() -> list[int]:
        table = next(each for each in page.dataframe if "source" in each.value)
        return json.loads(table.proto.selection_default or "{}").get("selection", {}).get("rows")

    assert picked() == [1]
    first = next(each.proto.id for each in page.dataframe if "source" in each.value)
    page = put(page, text="A man plays.")
    assert picked() == [0]
    assert next(each.proto.id for each in page.dataframe if "source" in each.value) != first
    page = put(page, text="A cat runs.")
    assert picked() is None
    assert says(page, "many-none", n=2)


def test_alignments_are_read_back_with_gold_and_error_rate(page):
    page = drop(page, "pairs.tsv", PAIRS)
    page = drop(page, "own.align", "0-0 1-1 2-1\n0-0\n", box=1)
    assert page.get("vega_lite_chart")
    page = drop(page, "own.gold", "0-0 1p1\n0-0 1-1\n", box=2)
    # By hand: 1 - (1 + 2) / (3 + 1), 1 - (1 + 1) / (1 + 2), and their sums.
    assert table_of(page, "aer")["aer"].tolist() == pytest.approx([1 / 4, 1 / 3])
    assert says(page, "many-aligned", rate=1 - 5 / 7, n=2, place=1, own=1 / 4)


def test_a_table_of_another_model_is_shown_as_it_is(page):
    rows = [
        {"line": 1, "source": "A dog runs.", "output": "Un chien.", "log_prob": -1.5, "bleu": 0.5},
        {"line": 2, "source": "Hi.", "output": "Salut.", "log_prob": -2.0, "error": "late"},
    ]
    page = drop(page, "other.jsonl", "\n".join(map(json.dumps, rows)))
    table = table_of(page, "bleu")
    assert table["log_prob"].tolist() == [-1.5, -2.0]
    assert table["bleu"][0] == 0.5
    assert pd.isna(table["bleu"][1])
    assert says(page, "many-log-prob", place=1, log_prob=-1.5)
    assert says(page, "many-from-file", file="other.jsonl")
    assert page.session_state["reference"] == "Un chien."
    page = pick(page, 1)
    assert page.session_state["reference"] == "Salut."


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("bad.tsv", b"source\toutput\nA dog.\n", "line 2: expected 2 columns"),
        ("bad.txt", b"A dog.\n\xff\xfe\n", "line 2: this is not UTF-8"),
        ("bad.txt", b"A dog.\n" * 501, "501 lines; at most 500"),
    ],
)
def test_a_bad_file_is_told_and_what_is_open_stays(page, name, data, told):
    page = drop(page, "pairs.tsv", PAIRS)
    page = drop(page, name, data)
    assert told in page.error[0].value.replace("\\", "")
    assert table_of(page, "target")["target"][0] == "Ein Hund läuft."
    assert says(page, "many-kept", file="pairs.tsv")
    assert not press(page, "many_close").error
    assert many.OPEN not in page.session_state


def test_bad_links_leave_the_good_ones(page):
    page = drop(page, "pairs.tsv", PAIRS)
    page = drop(page, "own.align", "0-0\n0-0\n", box=1)
    page = drop(page, "bad.align", "0-0\n9-0\n", box=1)
    assert "line 2" in page.error[0].value
    rows = page.session_state[many.OPEN].table.rows
    assert [row.links for row in rows] == [{(0, 0)}, {(0, 0)}]


def test_a_cancelled_file_leaves_what_is_open(page, monkeypatch):
    page = drop(page, "pairs.tsv", PAIRS)

    def never_answers(*_, **__):
        st.stop()

    with monkeypatch.context() as patch:
        patch.setattr(many, "_measured", never_answers)
        page = drop(page, "own.txt", "A man plays.\n")
        assert page.session_state[many.PENDING].name == "own.txt"
    page = press(page, "many_cancel")
    assert many.PENDING not in page.session_state
    assert table_of(page, "target")["target"][0] == "Ein Hund läuft."


def test_another_search_offers_to_compute_again(page):
    page = drop(page, "own.txt", "A man plays.\n")
    assert not [each for each in page.button if each.key == "many_again"]
    page = press(put(page, beam=1), "many_again")
    assert page.session_state[many.OPEN].decoding.beam_size == 1
    assert not [each for each in page.button if each.key == "many_again"]


def test_the_help_names_the_most_sentences_that_are_translated():
    assert f"up to {MOST_TRANSLATED}" in english("many-file-help")
