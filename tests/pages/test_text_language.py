"""Warnings about the source: another language, and tokens that the vocabulary lacks."""

from __future__ import annotations

import pytest

from core.measurements import LANGUAGE
from support.app import open_page, put, says, words
from support.models import write_measured
from words import english


@pytest.fixture
def measured(copies):
    """A page with the tiny checkpoint and the language check of the shipped one."""
    write_measured(copies / "en-de", LANGUAGE)
    return open_page()


@pytest.mark.parametrize(
    ("text", "id", "other"),
    [
        ("Der Hund schläft unter dem Tisch.", "other", "German"),
        ("qwrtz plmkx fghjk wvbnq", "not", ""),
    ],
)
def test_a_text_that_is_no_english_is_warned_of(measured, text, id, other):
    page = put(measured, text=text)
    assert says(page, f"language-{id}", language="English", other=other)
    assert page.warning


def test_unknown_pieces_are_named_and_a_few_stand_for_many(measured):
    page = put(measured, text="A dog 漢字 ☃.")
    assert "“漢”" in words(page)
    assert "“☃”" in words(page)
    page = put(page, text="A 一二三四五六七八九十 and a dog runs through the snow and a man.")
    assert "“八”, 2 more" in words(page)


def test_nothing_was_measured_nothing_is_said(folder):
    page = put(open_page(), text="Der Hund schläft unter dem Tisch.")
    assert english("language-not", language="English") not in words(page)
    assert english("language-other", language="English", other="German") not in words(page)
