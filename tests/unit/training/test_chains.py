"""Chains of sentences: nouns found in the text, the right pronoun in the right place."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from support.models import ROOT
from training.chains import Chains, WordTable, chained_pairs, chosen_pairs, things_of
from training.corpus import Pair
from training.natural import noun_genders

NOUNS = {"table": ("Tisch", "m"), "lamp": ("Lampe", "f"), "house": ("Haus", "n")}
THE = {"m": ("Der", "den", "einen"), "f": ("Die", "die", "eine"), "n": ("Das", "das", "ein")}
QUALITIES = {"heavy": "schwer", "new": "neu", "old": "alt", "cheap": "billig"}
VERBS = {"bought": "kaufte", "saw": "sah", "sold": "verkaufte"}


def corpus() -> list[Pair]:
    pairs = [Pair("It is here.", "Es ist hier."), Pair("He is here.", "Er ist hier.")]
    for english, (german, gender) in NOUNS.items():
        nominative, accusative, indefinite = THE[gender]
        for word, wort in QUALITIES.items():
            pairs.append(Pair(f"The {english} is {word}.", f"{nominative} {german} ist {wort}."))
        for verb, verb_de in VERBS.items():
            pairs.append(Pair(f"I {verb} the {english}.", f"Ich {verb_de} {accusative} {german}."))
            pairs.append(
                Pair(f"We {verb} a {english} today.", f"Wir {verb_de} heute {indefinite} {german}.")
            )
    pairs += [
        Pair("The lamp stands on the table.", "Die Lampe steht auf dem Tisch."),
        Pair("The woman is new.", "Die Frau ist neu."),
        Pair("I saw the woman.", "Ich sah die Frau."),
        Pair("We saw a woman today.", "Wir sahen heute eine Frau."),
    ] + [Pair(f"The woman is {w}.", f"Die Frau ist {v}.") for w, v in QUALITIES.items()] * 2
    return pairs


@pytest.fixture(scope="module")
def chains() -> Chains:
    return Chains(corpus())


def test_nouns_and_their_genders_come_from_the_text_and_persons_are_left_out():
    pairs = corpus()
    genders = noun_genders(pair.target for pair in pairs)
    found = things_of(pairs, WordTable.of(pairs, genders), genders)
    assert {(t.english, t.german, t.gender) for t in found} == {
        (english, german, gender) for english, (german, gender) in NOUNS.items()
    }


def test_the_table_counts_how_often_words_meet():
    pairs = [Pair("The lamp is new.", "Die Lampe ist neu."), Pair("A lamp.", "Eine Lampe.")]
    table = WordTable.of(pairs, {"Lampe": "f"})
    assert table.both["Lampe"]["lamp"] == 2
    assert table.both["Lampe"]["new"] == 1
    assert table.dice("lamp", "Lampe") == 1.0
    assert table.dice("new", "Lampe") == pytest.approx(2 / 3)


def test_a_chain_speaks_of_the_noun_of_its_first_sentence(chains):
    forms = {"m": {"er", "ihn"}, "f": {"sie"}, "n": {"es"}}
    drawn = [link for held in (False, True) for link in chains.one_noun(60, 1, held_out=held)]
    assert len(drawn) > 20
    for link in drawn:
        noun = link.source[slice(*link.antecedent)].lower()
        assert link.source[slice(*link.pronoun)].lower() == "it"
        assert link.target[slice(*link.target_pronoun)].lower() in forms[NOUNS[noun][1]]
        assert link.distractor is None
        # The second sentence holds the noun no more.
        assert len(re.findall(noun, link.source)) == 1
        assert link.target.count(NOUNS[noun][0]) == 1


def test_an_object_takes_the_accusative_and_a_subject_the_nominative(chains):
    drawn = [link for held in (False, True) for link in chains.one_noun(300, 2, held_out=held)]
    found = {link.source: link.target for link in drawn}
    as_object = [s for s in found if "bought a table" in s and s.endswith("I sold it.")]
    assert as_object
    assert all(found[s].endswith("Ich verkaufte ihn.") for s in as_object)
    as_subject = [s for s in found if "bought a table" in s and s.endswith("It is heavy.")]
    assert as_subject
    assert all(found[s].endswith("einen Tisch. Er ist schwer.") for s in as_subject)
    joined = [s for s in found if s.endswith("bought a table today because it is heavy.")]
    assert joined
    assert all(found[s].endswith("einen Tisch, denn er ist schwer.") for s in joined)


def test_held_out_nouns_are_in_no_training_chain(chains):
    usable = {t.english for t in chains.things.values() if not t.is_held_out}
    for link in [*chains.one_noun(100, 3), *chains.two_nouns(20, 3)]:
        assert link.source[slice(*link.antecedent)].lower() in usable


def test_chains_are_the_same_in_every_process():
    path = os.pathsep.join((str(ROOT), str(ROOT / "tests")))
    code = (
        "from unit.training.test_chains import Chains, corpus;"
        "print([link.source for link in Chains(corpus()).one_noun(40, 1)])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": path,
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_a_corpus_without_chains_has_none():
    chains = Chains([Pair("The house is old.", "Das Haus ist alt.")])
    assert chains.one_noun(5, 1) == []
    assert chains.two_nouns(5, 1) == []


def test_chains_are_of_the_sets_that_the_config_leaves_in_and_each_has_a_link_for_the_routes():
    spec = {"one_noun": 20, "two_nouns": 0, "seed": 1}
    one, other = [Pair("a", "b")], [Pair("c", "d")]
    sets = {"kept": one, "dropped": other, "natural": other}
    assert chosen_pairs(sets, {"without": ["dropped"]}) == one
    pairs = chained_pairs({"all": corpus()}, spec)
    assert len(pairs) == 20
    assert all(pair.link and pair.source == pair.link.source for pair in pairs)


def test_with_two_nouns_the_second_sentence_fits_the_one_it_speaks_of():
    extra = [
        Pair(f"{my} {noun} is {word}.", f"{mein} {german} ist {wort}.")
        for noun, german, word, wort, mein_ in (
            ("lamp", "Lampe", "bright", "hell", "e"),
            ("table", "Tisch", "wooden", "hölzern", ""),
        )
        for my, mein in (("My", f"Mein{mein_}"), ("Your", f"Dein{mein_}"), ("Our", f"Unser{mein_}"))
    ]
    chains = Chains(corpus() + extra)
    assert not any(chains.things[noun].is_held_out for noun in ("Lampe", "Tisch"))
    drawn = chains.two_nouns(12, 5)
    assert drawn
    for link in drawn:
        noun, other = (link.source[slice(*s)] for s in (link.antecedent, link.distractor))
        assert {noun, other} == {"lamp", "table"}
        fitting = {"lamp": ("bright", "sie"), "table": ("wooden", "er")}[noun]
        assert fitting[0] in link.source
        assert link.target[slice(*link.target_pronoun)].lower() == fitting[1]
        unfitting = {"lamp": "bright", "table": "wooden"}[other]
        assert unfitting in link.other_reading
        assert link.other_reading[slice(*link.other_pronoun)].lower() == "it"
