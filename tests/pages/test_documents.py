"""The pages of documents and of masked words: judged, taken apart, put back, guessed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from core.documents import DocumentChange, joint_weights
from core.records.masked_lm import Guess
from model import DocumentReader, load_model
from support.app import asked, data_of, open_page, press, put, run, says, send, turned_to, words
from support.models import ROOT
from training.corpora.reviews import generate
from ui.pages.documents.scene import COMMANDS, examples
from ui.pages.masked import guess
from ui.pages.masked.measured import FRAMES, agreement_words
from words import english
from words.numbers import percent, signed

DOCUMENT = "attention_lab_document"
TEXT = "I loved it. It runs for two hours. My sister found it dull."


@pytest.fixture(scope="module")
def reader() -> DocumentReader:
    return load_model(ROOT / "checkpoints" / "documents-han")


def opened(look: str = "read", text: str = TEXT, **address: str):
    return open_page("documents", documents_look=look, document_text=text, **address)


def metrics(page) -> list[str]:
    return [each.value for each in page.metric]


def shares(reader: DocumentReader, text: str, change: DocumentChange | None = None) -> list[str]:
    """The probabilities as the page writes them."""
    judged = reader.judge(reader.document(text), change or DocumentChange())
    return [percent(float(p)) for p in judged.probs]


def take_out(page, sentences=(), words_=()):
    taken = {"identity": data_of(page, DOCUMENT)["identity"], "number": 1}
    taken |= {"sentences": list(sentences), "words": list(words_)}
    return send(page, DOCUMENT, taken=taken)


# -- documents -------------------------------------------------------------------------------


def test_the_page_opens_whatever_model_is_open(reader):
    """A translator in the sidebar does not judge documents; one that does is found."""
    page = open_page("documents", checkpoint="en-de")
    assert page.selectbox("document_model").value == "documents-han"
    assert metrics(page) == shares(reader, next(iter(examples().values())).text)
    other = opened(document_model="documents-uniform")
    weights = [row["weight"] for row in data_of(other, DOCUMENT)["rows"]]
    assert weights == pytest.approx([1 / 3] * 3, abs=1e-5)


def test_an_example_brings_its_text_and_what_decides_it():
    page = put(opened(text=""), document="negated")
    example = examples()["negated"]
    assert page.text_area("document_text").value == example.text
    data = data_of(page, DOCUMENT)
    assert data["truth"]["sentence"] == example.deciding
    row = data["rows"][example.deciding]["words"]
    marked = [row[place]["text"] for place in data["truth"]["words"]]
    assert marked == ["never", "ridiculous"]
    put(page, document_text=example.text + " So be it.")
    assert data_of(page, DOCUMENT)["truth"] is None


def test_generated_examples_are_what_the_grammar_makes():
    known = {each.text: each for each in generate(60, seed=42, held_out=True)}
    found = [each for each in examples().values() if each.label]
    assert len(found) >= 5
    for each in found:
        review = known[each.text]
        found = each.label, each.deciding, each.words
        assert found == (review.label, review.deciding, review.words)


@pytest.mark.parametrize("how", ["unread", "unseen"])
def test_what_is_taken_out_moves_the_decision_as_the_model_says(reader, how):
    page = take_out(opened(document_how=how), [0], [[2, 4]])
    change = DocumentChange(frozenset({0}), frozenset({(2, 4)}), how)
    assert metrics(page) == shares(reader, TEXT, change)
    assert asked(page)["document_left"] == "1,3:5"
    rows = data_of(page, DOCUMENT)["rows"]
    assert rows[0]["weight"] == (None if how == "unread" else 0)
    page = press(page, "document_put_back")
    assert metrics(page) == shares(reader, TEXT)
    assert "document_left" not in asked(page)


def test_when_nothing_is_left_that_is_said_and_the_document_stays(reader):
    page = take_out(opened(), [0, 1, 2])
    assert says(page, "model-document-nothing")
    assert metrics(page) == shares(reader, TEXT)
    assert data_of(page, DOCUMENT)["taken"]["sentences"] == [0, 1, 2]


@pytest.mark.parametrize("level", ["sentences", "words"])
def test_correlations_are_those_of_scipy(reader, level):
    page = opened("agree", document_level=level)
    src = reader.document(TEXT)
    judged, found = reader.judge(src), reader.importance(src)
    weights, drops = judged.sentences, found.sentence_drops
    if level == "words":
        weights = joint_weights(judged.words, judged.sentences)
        drops = np.concatenate(found.word_drops)
    tau = signed(float(kendalltau(weights, np.abs(drops)).statistic))
    assert english("documents-tau-drops", tau=f"**{tau}**", measure="weight") in words(page)


def test_without_a_model_the_commands_are_shown(folder):
    page = opened()
    assert says(page, "documents-none")
    assert [each.value for each in page.code][: len(COMMANDS)] == list(COMMANDS)
    assert [line.value for line in open_page("masked").code] == list(guess.COMMANDS)


# -- masked words ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "asked_for"),
    [
        ("The dog runs through the snow.", {"masked_words": "2,5"}),
        ("It is so.", {}),
        # The typed one is no word that can be masked again: the sixth is the full stop.
        ("The dog [MASK] through the snow.", {"masked_words": "7"}),
    ],
)
def test_what_is_masked_is_in_the_address_until_another_sentence(text, asked_for):
    page = open_page("masked", text=text, **asked_for)
    kept = asked_for.get("masked_words") if "[" not in text else None
    assert asked(page).get("masked_words") == kept
    assert "masked_words" not in asked(put(page, text="The dogs were very old near the snow."))
    assert page.session_state["masked_words"] == [7]
    assert put(page, text=" ".join(["snow"] * 400)).error or page.warning


def test_a_word_that_stands_twice_is_two_words_to_choose():
    menu = open_page("masked", text="The old dogs saw the old snow.").button_group("masked_words")
    labels = [option.content for option in menu.proto.options]
    assert [each for each in labels if each.startswith("old")] == ["old₁", "old₂"]


@pytest.mark.parametrize(
    ("masked_id", "last"),
    [(9, ("▁very", -3.0, 9, 7)), (4, ("▁b", -1.0, 4, 2)), (None, ("▁b", -1.0, 4, 2))],
)
def test_the_masked_word_is_in_the_list_of_guesses_with_its_rank(masked_id, last):
    log_probs = np.array([-0.5, -1.0])
    guessed = Guess(1, (3, 4), ("▁a", "▁b"), log_probs, masked_id, -3.0, 7, 1.0)
    columns = guess.candidates_of(guessed, "▁very")
    assert tuple(column[-1] for column in columns) == last
    # The lists of both sides stand beside each other, row by row.
    assert [len(column) for column in columns] == [2] * 4


@pytest.mark.parametrize(("high", "verdict"), [(0.49, "frames"), (0.51, "open")])
def test_agreement_is_called_bound_to_its_frames_where_a_coin_does_better(high, verdict):
    even = {"value": 0.5, "low": 0.4, "high": 0.6}
    kinds = {kind: {"plural": {"both": even}} for kind in FRAMES}
    kinds |= {"clause": {"plural": {"both": {"value": 0.3, "low": 0.2, "high": high}}}}
    told = english("masked-agreement-told", other=0.5, clause=0.3, verdict=verdict)
    assert agreement_words({"agreement": kinds}) == told


def test_a_sentence_of_agreement_opens_with_its_mask():
    page = open_page("masked", masked_look="agreement")
    label = page.button("masked_agreement_0").label
    press(page, "masked_agreement_0")
    assert page.session_state["masked_look"] == "guess"
    assert page.text_input("text").value == label.replace("…", "[MASK]")


def test_the_page_has_a_sentence_in_the_language_of_its_own_model():
    page = open_page("masked", checkpoint="ko-en", text="저는")
    examples = page.session_state["run"].card.examples
    assert page.text_input("text").value == examples[0]
    assert "beam" not in [slider.key for slider in page.slider]
    page = run(turned_to(page, "attention"))
    assert page.text_input("text").value == "저는"
    assert page.session_state["run"].choices.checkpoint == "ko-en"
