"""The page of documents: judged, taken apart, put back, and never lost."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from harness import (
    asked,
    charts,
    component,
    data_of,
    open_page,
    press,
    put,
    says,
    send,
    tables,
    words,
)  # fmt: skip
from scipy.stats import kendalltau

from core.documents import DocumentChange, joint_weights
from model import DocumentReader, load_reader
from training.reviews import generate
from ui.documents.read import verdicts
from ui.documents.scene import COMMANDS, examples
from ui.words import plain
from words import english
from words.numbers import percent, signed

SHIPPED = Path(__file__).resolve().parent.parent / "checkpoints"
DOCUMENT = "attention_lab_document"
TITLE = "Hierarchical attention network (Yang et al. 2016)"
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


def test_a_document_opens_with_its_weights(reader):
    page = opened()
    data, src = data_of(page, DOCUMENT), reader.document(TEXT)
    judged = reader.judge(src)
    np.testing.assert_allclose([row["weight"] for row in data["rows"]], judged.sentences, atol=1e-5)
    for row, sentence, weights in zip(data["rows"], src.sentences, judged.words, strict=True):
        assert "".join(w["before"] + w["text"] for w in row["words"]) == sentence.text
        np.testing.assert_allclose([w["weight"] for w in row["words"]], weights, atol=1e-5)
        for word in row["words"]:
            expected = math.sqrt(row["weight"]) * word["weight"]
            assert math.isclose(word["shown"], expected, abs_tol=1e-5)
    assert metrics(page) == shares(reader, TEXT)
    for look, title in (("read", plain(TITLE)), ("measured", "transformer, ")):
        told = [e.value for e in opened(look).caption if "million parameters" in e.value]
        assert title in told[0]


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


KOREAN = "이 영화는 정말 재미있었습니다. 다시 보고 싶습니다."
MARKUP = "<b>Bold</b> & <script>alert(1)</script> it was."


@pytest.mark.parametrize(("text", "warnings"), [(KOREAN, 1), (MARKUP, 0)])
def test_another_language_is_judged_with_a_warning_and_markup_as_text(reader, text, warnings):
    page = typed(opened(), text)
    assert len(page.warning) == warnings
    assert metrics(page) == shares(reader, text)
    row = data_of(page, DOCUMENT)["rows"][0]["words"]
    assert text.startswith("".join(w["before"] + w["text"] for w in row))
    assert component(page, DOCUMENT).html_content.count("<b>") == 0


# -- bad input ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message", "values"),
    [
        ("", "model-text-empty", {"text": "document"}),
        ("\u200b", "model-text-invisible", {"text": "document"}),
        ("It was good. " * 2000, "model-text-long", {"text": "document", "n": 8000, "most": 3000}),
    ],
)
def test_what_cannot_be_judged_is_said_and_nothing_is_lost(reader, text, message, values):
    page = typed(opened(), text)
    assert says(page, message, **values)
    assert page.text_area("document_text").value == text
    assert metrics(page) == shares(reader, TEXT)
    assert says(page, "documents-still", text=TEXT)


def test_one_word_is_judged_and_has_nothing_to_compare():
    page = opened(text="Dull")
    assert says(page, "documents-short")
    assert len(data_of(page, DOCUMENT)["rows"]) == 1
    assert says(opened("agree", "Dull"), "documents-agree-one")
    assert says(opened("other", "Dull"), "model-document-one-sentences")


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
    (chart,) = charts(page)
    np.testing.assert_allclose(tables(chart)["lines"]["attention"], weights, atol=1e-5)


# -- what was measured ----------------------------------------------------------------------


def interval(value: float, low: float, high: float) -> dict[str, float]:
    return {"value": value, "low": low, "high": high}


def measured() -> dict:
    share = interval(0.8, 0.75, 0.85)
    sets = {
        name: {"accuracy": share, "documents": n} for name, n in (("polarity", 8), ("reviews", 6))
    }
    pointing = {
        kind: dict.fromkeys(("sentence", "word", "word_there"), interval(0.5, 0.4, 0.6))
        for kind in ("attention", "drops", "gradient", "chance")
    }
    folds = {"accuracy": interval(0.85, 0.83, 0.87), "documents": 1770, "folds": 10}
    worse = {"polarity": interval(-0.05, -0.08, -0.01), "reviews": interval(0, -0.1, 0.1)}
    return {
        "command": "python -m training documents",
        "systems": {"bag": sets | {"folds": folds}, "han": sets | {"pointing": pointing}},
        "differences": {"han-bag": worse},
    }


def test_which_is_better_is_said_plainly(copies):
    (copies / "documents.json").write_text(json.dumps(measured()))
    page = opened("measured")
    named = {
        place: english(f"documents-system-{name}")
        for place, name in {"first": "han", "second": "bag"}.items()
    }
    told = [
        english(f"documents-{id}", **named, set=english(f"documents-set-{part}"), difference=by)
        for id, part, by in (
            ("worse", "polarity", "−5.0 (−8.0 to −1.0)"),
            ("open", "reviews", "0.0 (−10.0 to +10.0)"),
        )
    ]
    assert list(verdicts(measured()))[:2] == told
    assert all(line in words(page) for line in told)
    assert len(page.dataframe) == 4


def test_without_a_model_the_commands_are_shown(folder):
    page = opened()
    assert says(page, "documents-none")
    assert [each.value for each in page.code][: len(COMMANDS)] == list(COMMANDS)
