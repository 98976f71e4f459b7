"""The page of masked words: words clicked and typed, both sides, and what cannot be read."""

from __future__ import annotations

import math

import numpy as np
import pytest
from harness import ROOT, asked, charts, open_page, put, run, says, tables

from model import MaskedReader, load_reader
from ui.masked.guess import COMMANDS
from ui.masked.measured import KINDS, agreement_told
from ui.words import plain, token_text
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


def candidates(page) -> list[dict[int, float]]:
    """By id the probabilities of every drawing of candidates, in their order on the page."""
    found = [tables(chart) for chart in charts(page)]
    return [
        dict(zip(each["bars"]["token_id"], each["bars"]["probability"], strict=True))
        for each in found
        if "probability" in each.get("bars", {})
    ]


def test_the_last_long_word_is_masked_at_first(reader):
    page = opened()
    assert page.session_state["masked_words"] == [5]
    assert any(plain(reader.card.title) in each.value for each in page.caption)
    src = reader.sentence(TEXT)
    drawn = candidates(page)
    places = src.pieces_of("snow")
    assert len(drawn) == 2 * len(places)
    sides = [reader.guess(src, places, left_only=left) for left in (False, True)]
    for at in range(len(places)):
        for side, guesses in enumerate(sides):
            expected = dict(zip(guesses[at].ids, np.exp(guesses[at].log_probs), strict=True))
            found = drawn[2 * at + side]
            assert found.keys() == expected.keys()
            assert all(math.isclose(found[i], expected[i], rel_tol=1e-4) for i in expected)


def test_what_the_guess_rests_on_is_measured_by_masking_one_piece_more(reader):
    page = opened()
    src = reader.sentence(TEXT)
    places = src.pieces_of("snow")
    found = reader.leave_one_out(src, places, places[0])
    (bars,) = [
        tables(chart)["bars"] for chart in charts(page) if "after" in tables(chart).get("bars", {})
    ]
    np.testing.assert_allclose(bars["after"], found.without, rtol=1e-3)
    np.testing.assert_allclose(bars["before"], found.log_prob, rtol=1e-3)
    least = int(found.without.argmin())
    told = {"token": token_text(src.tokens[found.others[least]])}
    drop = found.log_prob - found.without[least]
    assert drop > 0
    assert says(page, "masked-rests-found", drop=drop, **told)
    assert says(page, "masked-rests-title")


@pytest.mark.parametrize(
    ("text", "asked_for", "masked", "said"),
    [
        (TEXT, "2,5", "2,5", "apart"),
        (TEXT, "1,2,3,4,5,6,7", "1,2,3,4,5,6,7", "all"),
        ("It is so.", None, None, "click-one"),
        ("The dog [MASK] through the snow.", None, None, "typed"),
        # The typed one is no word that can be masked again: the sixth is the full stop.
        ("The dog [MASK] through the snow.", "7", None, "typed"),
    ],
)
def test_what_is_masked_is_in_the_address_and_said(text, asked_for, masked, said):
    page = opened(text=text, **({"masked_words": asked_for} if asked_for else {}))
    assert asked(page).get("masked_words") == masked
    assert says(page, f"masked-{said}")


def test_another_sentence_forgets_the_masks_and_one_too_long_loses_nothing():
    page = opened(masked_words="2,5")
    assert "masked_words" not in asked(put(page, text="The dogs were very old near the snow."))
    assert page.session_state["masked_words"] == [7]
    assert put(page, text=" ".join(["snow"] * 400)).error or page.warning


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
