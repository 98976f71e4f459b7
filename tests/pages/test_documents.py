"""The page of documents: judged, taken apart, put back, and never lost."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import kendalltau

from core.documents import DocumentChange, joint_weights
from model import DocumentReader, load_reader
from support.app import asked, component, data_of, open_page, press, put, says, send, words
from support.models import ROOT
from training.reviews import generate
from ui.documents.scene import COMMANDS, examples
from words import english
from words.numbers import percent, signed

SHIPPED = ROOT / "checkpoints"
DOCUMENT = "attention_lab_document"
TEXT = "I loved it. It runs for two hours. My sister found it dull."


@pytest.fixture(scope="module")
def reader() -> DocumentReader:
    return load_reader(SHIPPED / "documents-han")


def opened(look: str = "read", text: str = TEXT, **address: str):
    return open_page("documents", documents_look=look, document_text=text, **address)


def typed(page, text: str):
    return put(page, document_text=text)


def metrics(page) -> list[str]:
    return [each.value for each in page.metric]


def shares(reader: DocumentReader, text: str, change: DocumentChange | None = None) -> list[str]:
    """The probabilities as the page writes them."""

    src = reader.document(text)
    return [percent(float(p)) for p in reader.judge(src, change or DocumentChange()).probs]


def take_out(page, sentences=(), words_=(), number: int = 1):
    data = data_of(page, DOCUMENT)
    taken = {"identity": data["identity"], "number": number}
    return send(
        page, DOCUMENT, taken={**taken, "sentences": list(sentences), "words": list(words_)}
    )


# -- what is shown --------------------------------------------------------------------------


def test_the_page_opens_whatever_model_is_open(reader):
    """A translator in the sidebar does not judge documents; one that does is found."""
    page = open_page("documents", checkpoint="en-de")
    assert page.selectbox("document_model").value == "documents-han"
    assert metrics(page) == shares(reader, next(iter(examples().values())).text)
    other = open_page("documents", document_model="documents-uniform", document_text=TEXT)
    rows = data_of(other, DOCUMENT)["rows"]
    assert all(math.isclose(row["weight"], 1 / 3, abs_tol=1e-5) for row in rows)


def test_an_example_brings_its_text_and_what_decides_it():
    page = opened(text="")
    put(page, document="negated")
    example = examples()["negated"]
    assert page.text_area("document_text").value == example.text
    data = data_of(page, DOCUMENT)
    assert data["truth"]["sentence"] == example.deciding
    row = data["rows"][example.deciding]["words"]
    marked = [row[place]["text"] for place in data["truth"]["words"]]
    assert marked == ["never", "ridiculous"]
    typed(page, example.text + " So be it.")
    assert data_of(page, DOCUMENT)["truth"] is None


def test_generated_examples_are_what_the_grammar_makes():
    known = {each.text: each for each in generate(60, seed=42, held_out=True)}
    found = [each for each in examples().values() if each.label]
    assert len(found) >= 5
    for each in found:
        review = known[each.text]
        assert (each.label, each.deciding, each.words) == (
            review.label, review.deciding, review.words,
        )  # fmt: skip


# -- what is taken out ----------------------------------------------------------------------


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


def test_markup_is_judged_as_text(reader):
    text = "<b>Bold</b> & <script>alert(1)</script> it was."
    page = opened(text=text)
    assert not page.warning
    assert metrics(page) == shares(reader, text)
    row = data_of(page, DOCUMENT)["rows"][0]["words"]
    assert text.startswith("".join(w["before"] + w["text"] for w in row))
    assert component(page, DOCUMENT).html_content.count("<b>") == 0


# -- what the maps are worth ----------------------------------------------------------------


@pytest.mark.parametrize("level", ["sentences", "words"])
def test_correlations_are_those_of_scipy(reader, level):
    page = opened("agree", document_level=level)
    src = reader.document(TEXT)
    judged, found = reader.judge(src), reader.importance(src)
    weights, drops = (
        (judged.sentences, found.sentence_drops)
        if level == "sentences"
        else (joint_weights(judged.words, judged.sentences), np.concatenate(found.word_drops))
    )
    tau = signed(float(kendalltau(weights, np.abs(drops)).statistic))
    assert english("documents-tau-drops", tau=f"**{tau}**", measure="weight") in words(page)


def test_without_a_model_the_commands_are_shown(folder):
    page = opened()
    assert says(page, "documents-none")
    assert [each.value for each in page.code][: len(COMMANDS)] == list(COMMANDS)
