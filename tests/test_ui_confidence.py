"""What the page says of its own translation and of the source: calm, unsure, another language."""

from __future__ import annotations

import shutil

import pytest
from conftest import write_measured
from harness import open_page, run, says, words

from records.measurements import CONFIDENCE
from words import english


@pytest.fixture
def measured(checkpoints_root, tmp_path, monkeypatch):
    """Gives the tiny checkpoint a confidence in which every translation lies in one band."""

    def give(name: str, chrf: float = 31.4):
        folder = shutil.copytree(checkpoints_root / "en-de", tmp_path / "en-de")
        band = {"name": name, "below": None, "chrf": chrf, "good": 0.25, "sentences": 40}
        changed = {
            "bands": [band],
            "auc": 0.8,
            **{"auc_low": 0.78, "auc_high": 0.82, "auc_within": 0.75},
            "sure": {
                "easy": {"sentences": 40, "good": 0.91},
                "hard": {"sentences": 20, "good": 0.22},
                "few": {"sentences": 19, "good": 0.0},
            },
        }
        write_measured(folder, CONFIDENCE, **changed)
        monkeypatch.setenv("ATTENTION_LAB_CHECKPOINTS", str(tmp_path))
        # Random weights never end a sentence, and an unfinished one is not judged.
        monkeypatch.setattr("records.Translation.finished", True)
        return open_page()

    return give


def typed(page, text: str):
    page.text_input("text").set_value(text)
    return run(page)


def badges(page) -> list[str]:
    names = [english(f"confidence-{name}") for name in ("low", "middle", "high")]
    return [c.value for c in page.markdown if any(name in c.value for name in names)]


def test_a_usual_translation_has_a_calm_badge_and_nothing_else(measured):
    page = measured("high")
    (badge,) = badges(page)
    assert badge == f":gray-badge[{english('confidence-high')}]"
    assert not page.warning


def test_an_unusual_one_is_to_be_read_with_care(measured):
    (badge,) = badges(measured("low"))
    assert badge.startswith(f":orange-badge[{english('confidence-low')}] ")
    assert "chrF 31 on average" in badge


def test_the_help_tells_what_was_measured(measured):
    page = measured("middle")
    (help,) = [c.help for c in page.markdown if english("confidence-middle") in c.value]
    assert "chrF 31" in help
    assert "25% of them 50 or more" in help
    assert "80 of 100" in help


def test_the_help_tells_how_far_the_hint_can_be_trusted(measured):
    """The interval, what is left of it within a kind of text, and how the kinds differ."""
    page = measured("high")
    (help,) = [c.help for c in page.markdown if english("confidence-high") in c.value]
    assert english("confidence-by-set", least=0.22, most=0.91) in help
    assert english("confidence-auc-within", low=78, high=82, within=75) in help


def test_the_kinds_of_text_are_told_of_the_highest_band_alone(measured):
    page = measured("low")
    (help,) = [c.help for c in page.markdown if english("confidence-low") in c.value]
    assert "91%" not in help


def test_german_typed_as_english_is_named_instead_of_judged(measured):
    page = typed(measured("high"), "Der Hund schläft unter dem Tisch.")
    assert says(page, "confidence-other", language="English", other="German")
    assert not badges(page)
    assert len(page.warning) == 1


def test_random_letters_do_not_look_like_english(measured):
    page = typed(measured("high"), "qwrtz plmkx fghjk wvbnq")
    assert says(page, "confidence-not", language="English")
    assert not badges(page)


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
