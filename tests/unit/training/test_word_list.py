"""Nouns of one meaning, subjects and everyday sentences, against small cases read by hand."""

from __future__ import annotations

import numpy as np
import pytest

from support.models import ROOT, read_json
from training.card import readme_of
from training.corpus import Pair
from training.pointing import Linked, WordLink, linked, of_maps, right_maps, uniform_share
from training.storing import translations_table
from training.word_list import WordList, everyday, named_in, noun_links, subjects, word_list

WORDS = WordList(
    sentences={"ordering": ("물 주세요.",)},
    nouns={"맥주": ("beer", "beers"), "집": ("house", "home"), "개": ("dog",)},
    particles=("로", "를", "에", "가"),
    pronouns={"I": ("나는", "저는"), "she": ("그녀는",)},
)


def spans(pair: Pair) -> list[tuple[str, str]]:
    return [
        (pair.source[slice(*link.source)], pair.target[slice(*link.target)])
        for link in noun_links(pair, WORDS)
    ]


def test_a_noun_is_linked_with_or_without_a_particle():
    assert spans(Pair("저는 맥주로 하겠습니다.", "I'd like a beer.")) == [("맥주", "beer")]
    assert spans(Pair("개가 집에 있다.", "The dog is at home.")) == [("개", "dog"), ("집", "home")]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("맥주를 마시고 맥주를 샀다.", "I drank a beer."),  # stands twice
        ("맥주를 샀다.", "A beer, two beers."),  # two forms
        ("맥주잔을 샀다.", "I bought a beer glass."),  # part of another word
        ("술을 샀다.", "I bought a beer."),
        ("맥주를 샀다.", "I bought ginger ale."),
    ],
)
def test_what_may_mean_something_else_is_not_linked(source, target):
    assert spans(Pair(source, target)) == []


def test_pronouns_are_those_that_whole_words_of_the_source_stand_for():
    assert named_in("그녀는 집에 간다.", WORDS) == {"she"}
    assert named_in("나는 그녀는 안다.", WORDS) == {"I", "she"}
    assert named_in("나는데 간다", WORDS) == set()


def test_subjects_that_are_named_and_dropped_are_counted_apart():
    pairs = [
        Pair("저는 간다.", "I'm going."),
        Pair("간다.", "She goes."),
        Pair("온다.", "I come."),
        Pair("그녀는 나는 간다.", "I go."),  # two: neither
        Pair("개가 간다.", "The dog goes."),  # no pronoun: neither
    ]
    texts = {pair.source: "I go." for pair in pairs}
    found = subjects(pairs, texts, WORDS)
    assert found["named"]["pronouns"] == {"I": {"right": 1, "sentences": 1}}
    assert found["dropped"]["pronouns"] == {
        "I": {"right": 1, "sentences": 1},
        "she": {"right": 0, "sentences": 1},
    }
    assert found["dropped"]["value"] == 0.5
    assert found["dropped"]["sentences"] == 2


def test_a_share_of_pronouns_is_told_beside_that_of_always_the_same():
    texts = {f"{i} 간다.": f"{word} goes." for i, word in enumerate(("I", "I", "I", "she", "she"))}
    pairs = [Pair(source, target) for source, target in texts.items()]
    found = subjects(pairs, texts | {"3 간다.": "I go."}, WORDS)["dropped"]
    assert found["majority"] == {"answer": "I", "value": 0.6}
    assert found["value"] == 0.8
    told = readme_of({"name": "x", "scores": {"subjects": {"dropped": found}}})
    assert "I 3 of 3, she 1 of 2; always *I*: 60.0%." in told


def test_every_share_of_pronouns_that_is_stored_has_its_majority():
    """By the counts beside it, where they are."""
    seen = []
    for path in (ROOT / "checkpoints").glob("*/card.json"):
        scores = read_json(path).get("scores", {})
        asked = (scores.get("subjects") or {}) | (scores.get("dropped") or {}).get("kinds", {})
        for name in ("natural", "natural_validation", "chains"):
            if score := scores.get(name):
                parts = ("unseen", "unlike", "new")
                asked |= {name: score} | {(name, p): score[p] for p in parts if p in score}
        for each in asked.values():
            seen.append(each["majority"]["value"])
            if "pronouns" in each:
                most = max(found["sentences"] for found in each["pronouns"].values())
                assert each["majority"]["value"] == round(most / each["sentences"], 6)
    assert len(seen) == 12


@pytest.mark.parametrize("page", ["docs/results.md", "docs/results.ko.md", "docs/ko-en.md"])
def test_what_no_source_names_is_told_beside_the_same_answer_every_time(page):
    card = read_json(ROOT / "checkpoints/ko-en/card.json")
    found = card["scores"]["subjects"]["dropped"]
    text = (ROOT / page).read_text(encoding="utf-8").replace(" %", "%")
    told = [line for line in text.splitlines() if f"{found['value']:.1%}" in line]
    assert any(f"{found['majority']['value']:.1%}" in line for line in told)


def test_maps_are_chosen_on_some_pairs_and_scored_on_others():
    choosing = [np.array([[[True, False], [False, False]]])]
    right = [np.array([[[False, True], [True, True]]]), np.array([[[True, True], [True, True]]])]
    found = of_maps(right, choosing)
    assert (found["map"]["layer"], found["map"]["head"]) == (0, 0)
    assert found["map"]["value"] == 0.5
    assert found["maps"] == [[0.5, 1.0], [1.0, 1.0]]


def test_right_and_uniform_share_of_a_link_by_hand(tiny_translator, monkeypatch):
    tokenizer = tiny_translator.tokenizer
    pair = linked("A dog runs.", "Ein Hund.", [WordLink("noun", (2, 5), (4, 8))], tokenizer)
    assert isinstance(pair, Linked)
    ((rows, words),) = pair.links
    pieces = pair.words[words[0]]
    assert "".join(pair.src.tokens[i] for i in pieces).strip("▁") == "dog"
    assert uniform_share([pair]) == round(len(pieces) / len(pair.src), 6)
    weights = np.zeros((1, 2, len(pair.tgt), len(pair.src)))
    weights[0, 0, list(rows), pieces[0]] = 1
    weights[0, 1, list(rows), -1] = 1
    monkeypatch.setattr("training.pointing.maps_of", lambda model, pair: weights)
    np.testing.assert_array_equal(right_maps(None, pair), [[[True, False]]])


def test_the_list_of_korean_covers_the_notes_and_fifty_everyday_sentences():
    words = word_list(("ko", "en"))
    assert "저는 맥주로 하겠습니다." in words.sentences["notes"]
    texts = [text for name, each in words.sentences.items() if name != "notes" for text in each]
    assert len(set(texts)) >= 49
    assert set(words.sentences) >= {"ordering", "shopping", "travel", "doctor", "work", "sport"}
    assert word_list(("en", "de")) is None
    assert word_list(()) is None


def test_every_sentence_is_translated_and_told_in_a_table():
    found = everyday(lambda text: f"<{text}|", WORDS)
    assert found == {"ordering": [["물 주세요.", "<물 주세요.|"]]}
    assert translations_table(found) == (
        "### Ordering\n\n| Sentence | Translation |\n|---|---|\n| 물 주세요. | <물 주세요.\\| |"
    )
