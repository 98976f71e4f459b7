"""The page of masked words: words clicked and typed, both sides, and what cannot be read."""

from __future__ import annotations

import pytest

from model import MaskedReader, load_reader
from support.app import asked, open_page, put, run
from support.models import ROOT
from ui.masked.guess import COMMANDS
from ui.masked.measured import KINDS, agreement_told
from words import english

TEXT = "The dog runs through the snow."
SHIPPED = ROOT / "checkpoints" / "masked-lm"


@pytest.fixture(scope="module")
def reader() -> MaskedReader:
    found = load_reader(SHIPPED)
    assert isinstance(found, MaskedReader)
    return found


def opened(look: str = "guess", text: str = TEXT, **address: str):
    return open_page("masked", masked_look=look, text=text, **address)


@pytest.mark.parametrize(
    ("text", "asked_for", "masked"),
    [
        (TEXT, {}, None),
        (TEXT, {"masked_words": "2,5"}, "2,5"),
        ("It is so.", {}, None),
        # The typed one is no word that can be masked again: the sixth is the full stop.
        ("The dog [MASK] through the snow.", {"masked_words": "7"}, None),
    ],
)
def test_what_is_masked_is_in_the_address_until_another_sentence(text, asked_for, masked):
    page = opened(text=text, **asked_for)
    assert asked(page).get("masked_words") == masked
    assert "masked_words" not in asked(put(page, text="The dogs were very old near the snow."))
    assert page.session_state["masked_words"] == [7]
    assert put(page, text=" ".join(["snow"] * 400)).error or page.warning


def test_a_word_that_stands_twice_is_two_words_to_choose():
    words = opened(text="The old dogs saw the old snow.").button_group("masked_words")
    labels = [option.content for option in words.proto.options]
    assert [each for each in labels if each.startswith("old")] == ["old₁", "old₂"]


@pytest.mark.parametrize(("high", "left"), [(0.49, True), (0.51, False)])
def test_agreement_is_called_bound_to_its_frames_where_a_coin_does_better(high, left):
    even = {"value": 0.5, "low": 0.4, "high": 0.6}
    kinds = {kind: {"plural": {"both": even}} for kind in KINDS}
    kinds |= {"clause": {"plural": {"both": {"value": 0.3, "low": 0.2, "high": high}}}}
    verdict = "frames" if left else "open"
    told = english("masked-agreement-told", other=0.5, clause=0.3, verdict=verdict)
    assert agreement_told({"agreement": kinds}) == told


def test_the_page_has_a_sentence_in_the_language_of_its_own_model(reader):
    page = open_page("masked", checkpoint="ko-en", text="저는")
    assert page.text_input("text").value == reader.card.examples[0]
    assert "beam" not in [slider.key for slider in page.slider]
    page = run(page.switch_page("ui/pages/attention.py"))
    assert page.text_input("text").value == "저는"
    assert page.session_state["run"].choices.checkpoint == "ko-en"


def test_without_such_a_model_the_page_says_how_to_get_one(folder):
    page = open_page("masked")
    assert [line.value for line in page.code] == list(COMMANDS)
