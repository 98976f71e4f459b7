"""Generated Korean pairs without a subject, and what is measured on them."""

from collections import Counter

import numpy as np
import pytest

from core.search import Decoding
from model import load_translator
from training.dropped import (
    KINDS,
    generate,
    measure,
    named,
    second_subject,
    twins,
)
from training.made import MADE
from training.sentences import grammar

PRONOUNS = {"she": "그녀", "he": "그", "they": "그들", "it": "그것"}
NEW = [*named("people_held_out"), *named("things_held_out")]
EVERYBODY = [*named("people"), *named("things"), *NEW]


@pytest.fixture(scope="module")
def pairs():
    return generate(400, seed=3)


def test_every_kind_has_its_turn_and_each_pair_is_another(pairs):
    assert len({pair.source for pair in pairs}) == 400
    assert Counter(pair.kind for pair in pairs) == dict.fromkeys(KINDS, 100)


def test_the_target_names_whom_the_spans_show(pairs):
    english = {each.korean: each for each in EVERYBODY}
    for pair in pairs:
        meant = english[pair.source[slice(*pair.antecedent)]]
        assert pair.pronoun == meant.pronoun
        first, second = pair.target.lower().rstrip(".").split(". ")
        assert meant.english in first
        assert second.split()[0] == meant.pronoun == pair.target[slice(*pair.link.target)].lower()
        assert " was " not in f" {second} " or meant.pronoun != "they"
        word = pair.source.split(". ")[1].split()[0]
        says = [word.startswith(PRONOUNS[pair.pronoun] + particle) for particle in "은는"]
        assert any(says) == (pair.kind == "pronoun")
        if pair.other is not None:
            other = english[pair.source[slice(*pair.other)]]
            assert other.english in first
            assert other.pronoun != meant.pronoun


def test_particles_fit_the_sound_before_them(pairs):
    nouns = {each.korean.split()[-1] for each in EVERYBODY}
    checked = 0
    for word in " ".join(pair.source for pair in pairs).replace(".", "").split():
        stem, particle = word[:-1], word[-1]
        if stem in nouns and particle in "은는을를과와":
            assert (particle in "은을과") == bool((ord(stem[-1]) - ord("가")) % 28), word
            checked += 1
    assert checked > 400


def test_held_out_pairs_have_somebody_new_or_say_something_new():
    clauses = grammar("ko_en_subjects")["clauses"]
    new = [each.korean for each in NEW]
    for name in ("next_held_out", "next_of_a_thing_held_out"):
        new += [text for *korean, _ in clauses[name] for text in korean]

    def is_new(source):
        return any(text in source for text in new)

    assert all(is_new(pair.source) for pair in generate(200, seed=3, held_out=True))
    # 할머니 is a part of 그 할머니, and means somebody else there.
    assert not any(
        is_new(pair.source.replace("그 할머니", "").replace("그 할아버지", ""))
        for pair in generate(600, seed=3)
    )


def test_twins_exchange_two_people_and_the_pronoun():
    for one, two in twins(40, seed=1):
        assert one.source != two.source
        assert one.pronoun != two.pronoun
        assert one.source[slice(*one.antecedent)] == two.source[slice(*two.other)]
        assert one.source[slice(*one.other)] == two.source[slice(*two.antecedent)]
        assert one.source.split(". ")[1] == two.source.split(". ")[1]


@pytest.mark.parametrize("name", grammar("ko_en_subjects")["clauses"])
def test_every_clause_has_two_styles(name):
    for plain, polite, _ in grammar("ko_en_subjects")["clauses"][name]:
        assert plain.endswith("다")
        assert polite.endswith("요")


def test_a_config_gets_its_pairs_and_none_of_them_is_held_back():
    train, held_back = MADE["dropped"]({"pairs": 60, "held_out": 20, "seed": 2})
    assert (len(train), len(held_back)) == (60, 20)
    assert not {pair.source for pair in train} & {pair.source for pair in held_back}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("My mother came. She was ill.", "she"),
        ("Did she? They did!", "they"),
        ("My mother came and was ill.", ""),
        ("", ""),
    ],
)
def test_the_second_subject_is_the_word_after_the_first_sentence(text, word):
    assert second_subject(text) == word


def test_a_measurement_counts_every_kind_and_twins_by_both():
    translator = load_translator("ko-en")
    found = measure(translator, Decoding(beam_size=1), limit=2)
    assert {kind: each["sentences"] for kind, each in found["kinds"].items()} == dict.fromkeys(
        KINDS, 2
    )
    assert found["twins"]["pairs"] == 2
    assert 0 < found["pointing"]["uniform"] < 1
    assert np.shape(found["pointing"]["maps"]) == (2, 8)
