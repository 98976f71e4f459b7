"""What the page says of its own translation and of the source: calm, unsure, another language."""

from __future__ import annotations

import pytest
from conftest import write_measured
from harness import open_page, put, says, words

from core.measurements import CONFIDENCE
from words import english


@pytest.fixture
def measured(copies, monkeypatch):
    """Gives the tiny checkpoint a confidence in which every translation lies in one band."""

    def give(name: str):
        band = {"name": name, "below": None, "chrf": 31.4, "good": 0.25, "sentences": 40}
        sure = {
            set: {"sentences": n, "good": good}
            for set, n, good in (("easy", 40, 0.91), ("hard", 20, 0.22), ("few", 19, 0.0))
        }
        auc = {"auc": 0.8, "auc_low": 0.78, "auc_high": 0.82, "auc_within": 0.75}
        write_measured(copies / "en-de", CONFIDENCE, bands=[band], sure=sure, **auc)
        # Random weights never end a sentence, and an unfinished one is not judged.
        monkeypatch.setattr("core.runs.Translation.finished", True)
        return open_page()

    return give


def typed(page, text: str):
    return put(page, text=text)


def badges(page) -> list[str]:
    names = [english(f"confidence-{name}") for name in ("low", "middle", "high")]
    return [c.value for c in page.markdown if any(name in c.value for name in names)]


BY_SET = english("confidence-by-set", least=0.22, most=0.91)
WITHIN = english("confidence-auc-within", low=78, high=82, within=75)


@pytest.mark.parametrize(
    ("band", "said", "unsaid"),
    [
        ("high", [BY_SET, WITHIN], "{"),
        ("middle", ["chrF 31", "25% of them 50 or more", "80 of 100", WITHIN], "91%"),
        ("low", ["chrF 31", WITHIN], "91%"),
    ],
)
def test_the_help_tells_what_was_measured_and_how_far_it_can_be_trusted(
    measured, band, said, unsaid
):
    """The interval, what is left of it within a kind of text, and how the kinds differ."""
    page = measured(band)
    (help,) = [c.help for c in page.markdown if english(f"confidence-{band}") in c.value]
    assert [each for each in said if each not in help] == []
    assert unsaid not in help
    (badge,) = badges(page)
    colour = "orange" if band == "low" else "gray"
    assert badge.startswith(f":{colour}-badge[{english(f'confidence-{band}')}]")
    assert ("chrF 31 on average" in badge) == (band == "low")
    assert not page.warning


@pytest.mark.parametrize(
    ("text", "id", "other"),
    [
        ("Der Hund schläft unter dem Tisch.", "other", "German"),
        ("qwrtz plmkx fghjk wvbnq", "not", ""),
    ],
)
def test_what_is_no_english_is_named_instead_of_judged(measured, text, id, other):
    page = typed(measured("high"), text)
    assert says(page, f"confidence-{id}", language="English", other=other)
    assert not badges(page)
    assert page.warning


def test_unknown_pieces_are_named_and_a_few_stand_for_many(measured):
    page = typed(measured("high"), "A dog 漢字 ☃.")
    assert "“漢”" in words(page)
    assert "“☃”" in words(page)
    assert not badges(page)
    page = typed(page, "A 一二三四五六七八九十 and a dog runs through the snow and a man.")
    assert "“八”, 2 more" in words(page)


def test_nothing_was_measured_nothing_is_said(folder):
    page = open_page()
    assert not badges(page)
    page = typed(page, "Der Hund schläft unter dem Tisch.")
    assert english("confidence-not", language="English") not in words(page)
    assert english("confidence-other", language="English", other="German") not in words(page)
