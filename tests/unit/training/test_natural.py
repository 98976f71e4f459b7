"""Sentences that people wrote: their "it", chains made of them, nouns and subjects of a list."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import astuple

import numpy as np
import pytest

from evaluation.attention_links import WordLink, linked, of_maps, right_maps, uniform_share
from evaluation.everyday import everyday, named_in, noun_links, subjects, translations_table
from support.models import ROOT
from training.card import readme_of
from training.corpora.chains import Chains, WordTable, things_of
from training.corpora.german_nouns import noun_genders
from training.corpora.mined_it import (
    mark_natural,
    natural_link,
    natural_links,
    nearly_in,
    verbatim_in,
    with_natural,
)
from training.corpora.text_pairs import TextPair
from training.corpora.word_list import WordList, without_listed, word_list

# -- natural sentences ------------------------------------------------------------------------

GENDERS = {"Dose": "f", "Anzug": "m", "Buch": "n"}
OPENED = TextPair("I opened the can, but it was empty.", "Ich öffnete die Dose, aber sie war leer.")
READ = TextPair("I read the book; it was long.", "Ich las das Buch; es war lang.")


def test_genders_are_read_off_the_articles():
    text = ["Ich sah einen kleinen Hund.", "Einen Hund!", "Der mit einem Hund, einen Hund."]
    text += ["Eine Dose.", "Ich habe eine leere Dose.", "Zur Dose!"]
    text += ["Das Haus", "das Haus, ins Haus"]
    text += ["eine Band", "eine Band", "das Band", "das Band", "das Band"]  # of two genders
    assert noun_genders(text) == {"Hund": "m", "Dose": "f", "Haus": "n"}


@pytest.mark.parametrize(
    ("source", "target", "pronoun"),
    [
        (OPENED.source, OPENED.target, "sie"),
        ("Try on this suit to see if it fits.", "Probier den Anzug an, ob er passt.", "er"),
        ("She opened the can, but it was empty.", "Sie öffnete die Dose, aber sie war leer.", None),
        ("It was empty.", "Sie war leer.", None),  # no noun before
        ("I read the book, but it was long.", "Ich las das Buch, aber sie war lang.", None),
        ("If you see the can, open it.", "Wenn Sie die Dose sehen, öffnen Sie sie.", None),
        ("It said it was the can.", "Die Dose sagte, sie sei es.", None),
    ],
)
def test_a_pair_is_natural_when_its_only_pronoun_agrees_with_a_noun_before_it(
    source, target, pronoun
):
    link = natural_link(TextPair(source, target), GENDERS)
    assert (link is None) == (pronoun is None)
    if link:
        assert source[slice(*link.pronoun)] == "it"
        assert target[slice(*link.target_pronoun)] == link.right_form == pronoun
        assert link.antecedent is None


def test_a_held_out_sentence_is_held_out_with_all_its_translations():
    pairs = [
        TextPair(f"I opened can {n}, but it was empty.", f"Ich öffnete die Dose {n}, {rest}")
        for n in range(100)
        for rest in ("aber sie war leer.", "aber es war leer.", "die leer war.")
    ]
    kept, held_out = mark_natural(pairs, GENDERS)
    assert 5 < len(held_out) < 30
    apart = {link.source for link in held_out}
    assert len(kept) == 3 * (100 - len(apart))
    assert not apart & {pair.source for pair in kept}


def test_sentences_of_a_text_are_found_verbatim_and_nearly():
    link = natural_link(OPENED, GENDERS)
    other_german = TextPair(OPENED.source, "Ich machte die Dose auf, aber sie war leer.")
    near = TextPair("I opened the can, and it was empty.", "x")
    far = TextPair("I opened the door, and nobody was there.", "x")
    assert verbatim_in([link], [far, OPENED]) == [True]
    assert verbatim_in([link], [far, near, other_german]) == [False]
    assert nearly_in([link], [far, near]) == nearly_in([link], [OPENED]) == [True]
    assert nearly_in([link], [far]) == [False]


def test_gendered_pairs_come_again_as_a_set_of_their_own():
    links = natural_links([OPENED, READ, OPENED, TextPair("It rains.", "Es regnet.")], GENDERS)
    assert [link.right_form for link in links] == ["sie", "es"]  # each source once
    articles = [TextPair("x", "eine Dose, das Buch") for _ in range(4)]
    sets = with_natural({"one": [OPENED, READ, *articles]})
    assert [pair.source for pair in sets["natural"]] == [OPENED.source]
    assert [p.link.right_form for p in sets["one"] if p.link] == ["sie", "es"]


# -- chains -----------------------------------------------------------------------------------

NOUNS = {"table": ("Tisch", "m"), "lamp": ("Lampe", "f"), "house": ("Haus", "n")}
THE = {"m": ("Der", "den", "einen"), "f": ("Die", "die", "eine"), "n": ("Das", "das", "ein")}
QUALITIES = {"heavy": "schwer", "new": "neu", "old": "alt", "cheap": "billig"}
VERBS = {"bought": "kaufte", "saw": "sah", "sold": "verkaufte"}


def corpus() -> list[TextPair]:
    """Texts about three nouns, and about a woman, who is no thing."""
    pairs = [TextPair("It is here.", "Es ist hier."), TextPair("He is here.", "Er ist hier.")]
    for english, (german, gender) in NOUNS.items():
        nominative, accusative, indefinite = THE[gender]
        for word, wort in QUALITIES.items():
            pairs.append(
                TextPair(f"The {english} is {word}.", f"{nominative} {german} ist {wort}.")
            )
        for verb, verb_de in VERBS.items():
            pairs.append(
                TextPair(f"I {verb} the {english}.", f"Ich {verb_de} {accusative} {german}.")
            )
            pairs.append(
                TextPair(
                    f"We {verb} a {english} today.", f"Wir {verb_de} heute {indefinite} {german}."
                )
            )
    pairs += [
        TextPair("The lamp stands on the table.", "Die Lampe steht auf dem Tisch."),
        TextPair("The woman is new.", "Die Frau ist neu."),
        TextPair("I saw the woman.", "Ich sah die Frau."),
        TextPair("We saw a woman today.", "Wir sahen heute eine Frau."),
    ]
    women = [TextPair(f"The woman is {w}.", f"Die Frau ist {v}.") for w, v in QUALITIES.items()]
    return pairs + women * 2


def test_nouns_come_from_the_text_by_how_often_words_meet():
    pairs = [TextPair("The lamp is new.", "Die Lampe ist neu."), TextPair("A lamp.", "Eine Lampe.")]
    table = WordTable.of(pairs, {"Lampe": "f"})
    assert (table.both["Lampe"]["lamp"], table.both["Lampe"]["new"]) == (2, 1)
    assert table.dice("lamp", "Lampe") == 1.0
    assert table.dice("new", "Lampe") == pytest.approx(2 / 3)
    genders = noun_genders(pair.target for pair in corpus())
    found = things_of(corpus(), WordTable.of(corpus(), genders), genders)
    assert {(each.english, (each.german, each.gender)) for each in found} == {*NOUNS.items()}


def test_the_second_sentence_of_a_chain_speaks_of_the_noun_of_the_first():
    chains, forms = Chains(corpus()), {"m": {"er", "ihn"}, "f": {"sie"}, "n": {"es"}}
    usable = {each.english for each in chains.things.values() if not each.is_held_out}
    german = {}
    for held in (False, True):
        for link in chains.one_noun(300, 2, held_out=held):
            noun = link.source[slice(*link.antecedent)].lower()
            assert (noun in usable) != held
            assert link.source[slice(*link.pronoun)].lower() == "it"
            assert link.right_form in forms[NOUNS[noun][1]]
            assert link.distractor is None
            # The second sentence holds the noun no more.
            assert len(re.findall(noun, link.source)) == 1
            assert link.target.count(NOUNS[noun][0]) == 1
            german[link.source] = link.target
    for ending, wanted in (
        (". I sold it.", ". Ich verkaufte ihn."),
        (". It is heavy.", "einen Tisch. Er ist schwer."),
        (" because it is heavy.", "einen Tisch, denn er ist schwer."),
    ):
        found = [s for s in german if "bought a table" in s and s.endswith(ending)]
        assert found
        assert all(german[s].endswith(wanted) for s in found)
    small = Chains([TextPair("The house is old.", "Das Haus ist alt.")])
    assert small.one_noun(5, 1) == small.two_nouns(5, 1) == []


@pytest.mark.slow
def test_chains_are_the_same_in_every_process():
    code = (
        "import json, sys; from training.corpora.chains import Chains;"
        "from training.corpora.pairs import TextPair;"
        "chains = Chains([TextPair(*each[:2]) for each in json.load(sys.stdin)]);"
        "print([link.source for link in chains.one_noun(40, 1)])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            input=json.dumps([*map(astuple, corpus())]),
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_with_two_nouns_the_second_sentence_fits_the_one_it_speaks_of():
    extra = [
        TextPair(f"{my} {noun} is {word}.", f"{mein}{ending} {german} ist {wort}.")
        for noun, german, word, wort, ending in (
            ("lamp", "Lampe", "bright", "hell", "e"),
            ("table", "Tisch", "wooden", "hölzern", ""),
        )
        for my, mein in (("My", "Mein"), ("Your", "Dein"), ("Our", "Unser"))
    ]
    chains = Chains(corpus() + extra)
    assert not any(chains.things[noun].is_held_out for noun in ("Lampe", "Tisch"))
    drawn, fitting = chains.two_nouns(12, 5), {"lamp": ("bright", "sie"), "table": ("wooden", "er")}
    assert drawn
    for link in drawn:
        noun, other = (link.source[slice(*s)] for s in (link.antecedent, link.distractor))
        assert {noun, other} == {"lamp", "table"}
        assert fitting[noun][0] in link.source
        assert link.right_form == fitting[noun][1]
        assert fitting[other][0] in link.other_reading
        assert link.other_reading[slice(*link.other_pronoun)].lower() == "it"


# -- nouns and subjects of a list -------------------------------------------------------------

WORDS = WordList(
    sentences={"ordering": ("물 주세요.",)},
    nouns={"맥주": ("beer", "beers"), "집": ("house", "home"), "개": ("dog",)},
    particles=("로", "를", "에", "가"),
    pronouns={"I": ("나는", "저는"), "she": ("그녀는",)},
)


@pytest.mark.parametrize(
    ("source", "target", "links"),
    [
        ("저는 맥주로 하겠습니다.", "I'd like a beer.", [("맥주", "beer")]),
        ("개가 집에 있다.", "The dog is at home.", [("개", "dog"), ("집", "home")]),
        ("맥주를 마시고 맥주를 샀다.", "I drank a beer.", []),  # stands twice
        ("맥주를 샀다.", "A beer, two beers.", []),  # two forms
        ("맥주잔을 샀다.", "I bought a beer glass.", []),  # part of another word
        ("술을 샀다.", "I bought a beer.", []),
        ("맥주를 샀다.", "I bought ginger ale.", []),
    ],
)
def test_a_noun_is_linked_where_it_can_mean_nothing_else(source, target, links):
    found = noun_links(TextPair(source, target), WORDS)
    assert [(source[slice(*each.source)], target[slice(*each.target)]) for each in found] == links


def test_subjects_that_are_named_and_dropped_are_counted_apart():
    for source, pronouns in (("나는 그녀는 안다.", {"I", "she"}), ("나는데 간다", set())):
        assert named_in(source, WORDS) == pronouns
    pairs = [
        TextPair("저는 간다.", "I'm going."),
        *(TextPair(f"{n} 간다.", "I come.") for n in range(3)),
        *(TextPair(f"{n} 온다.", "She goes.") for n in range(2)),
        TextPair("그녀는 나는 간다.", "I go."),  # two: neither
        TextPair("개가 간다.", "The dog goes."),  # no pronoun: neither
    ]
    texts = {pair.source: "I go." for pair in pairs} | {"1 온다.": "She goes."}
    found = subjects(pairs, texts, WORDS)
    assert found["named"]["pronouns"] == {"I": {"right": 1, "sentences": 1}}
    assert found["dropped"]["pronouns"] == {
        "I": {"right": 3, "sentences": 3},
        "she": {"right": 1, "sentences": 2},
    }
    assert (found["dropped"]["value"], found["dropped"]["sentences"]) == (0.8, 5)
    assert found["dropped"]["majority"] == {"answer": "I", "value": 0.6}
    readme = readme_of({"name": "x", "scores": {"subjects": found}})
    assert "I 3 of 3, she 1 of 2; always *I*: 60.0%." in readme


def test_maps_are_chosen_on_some_pairs_and_scored_on_others():
    choosing = [np.array([[[True, False], [False, False]]])]
    right = [np.array([[[False, True], [True, True]]]), np.array([[[True, True], [True, True]]])]
    found = of_maps(right, choosing)
    assert (found["map"]["layer"], found["map"]["head"]) == (0, 0)
    assert found["map"]["value"] == 0.5
    assert found["maps"] == [[0.5, 1.0], [1.0, 1.0]]


def test_right_and_uniform_share_of_a_link_by_hand(tiny_tokenizer, monkeypatch):
    pair = linked("A dog runs.", "Ein Hund.", [WordLink("noun", (2, 5), (4, 8))], tiny_tokenizer)
    ((rows, words),) = pair.links
    pieces = pair.words[words[0]]
    assert "".join(pair.src.tokens[i] for i in pieces).strip("▁") == "dog"
    assert uniform_share([pair]) == round(len(pieces) / len(pair.src), 6)
    weights = np.zeros((1, 2, len(pair.tgt), len(pair.src)))
    weights[0, 0, list(rows), pieces[0]] = 1
    weights[0, 1, list(rows), -1] = 1
    monkeypatch.setattr("evaluation.attention_links.maps_of", lambda model, pair: weights)
    np.testing.assert_array_equal(right_maps(None, pair), [[[True, False]]])


def test_no_listed_sentence_is_trained_on():
    listed = ["이거 얼마예요?", "저는 맥주로 하겠습니다.", "배가 고파서 배를 먹었다."]
    pairs = [TextPair(text, "") for text in [*listed, "이거 얼마였어요?"]]
    assert without_listed({"a": pairs, "b": pairs[:1]}, ("ko", "en")) == {"a": pairs[3:], "b": []}
    assert without_listed({"a": pairs}, ("en", "de")) == {"a": pairs}


def test_every_everyday_sentence_is_translated():
    words = word_list(("ko", "en"))
    texts = [text for name, each in words.sentences.items() if name != "notes" for text in each]
    assert len({*texts}) >= 49
    assert {*words.sentences} >= {"notes", "ordering", "shopping", "travel", "doctor", "work"}
    assert word_list(("en", "de")) is word_list(()) is None
    found = everyday(lambda text: f"<{text}|", WORDS)
    assert translations_table(found) == (
        "### Ordering\n\n| Sentence | Translation |\n|---|---|\n| 물 주세요. | <물 주세요.\\| |"
    )
