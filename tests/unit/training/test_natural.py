"""Natural "it" sentences, found by gender."""

import pytest

from support.models import ROOT, read_json
from training.corpus import Pair
from training.natural import (
    mark_natural,
    natural_link,
    natural_links,
    nearly_in,
    noun_genders,
    verbatim_in,
    with_natural,
)

CONFIGS = ROOT / "training" / "configs"

GENDERS = {"Dose": "f", "Anzug": "m", "Buch": "n"}
OPENED = Pair("I opened the can, but it was empty.", "Ich öffnete die Dose, aber sie war leer.")
TRIED = Pair("Try on this suit to see if it fits.", "Probier den Anzug an, ob er passt.")


def test_genders_are_read_off_the_articles():
    text = ["Ich sah einen kleinen Hund.", "Einen Hund!", "Der mit einem Hund, einen Hund."]
    text += [
        "Eine Dose.",
        "Ich habe eine leere Dose.",
        "Zur Dose!",
        "Das Haus",
        "das Haus, ins Haus",
    ]
    text += ["eine Band", "eine Band", "das Band", "das Band", "das Band"]  # of two genders
    assert noun_genders(text) == {"Hund": "m", "Dose": "f", "Haus": "n"}


@pytest.mark.parametrize(("pair", "pronoun"), [(OPENED, "sie"), (TRIED, "er")])
def test_a_natural_pair_has_its_it_and_pronoun(pair, pronoun):
    link = natural_link(pair, GENDERS)
    assert link.source[slice(*link.pronoun)] == "it"
    assert link.target[slice(*link.target_pronoun)] == pronoun
    assert link.antecedent is None


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("She opened the can, but it was empty.", "Sie öffnete die Dose, aber sie war leer."),
        ("It was empty.", "Sie war leer."),  # no noun before
        ("I read the book, but it was long.", "Ich las das Buch, aber sie war lang."),  # gender
        ("If you see the can, open it.", "Wenn Sie die Dose sehen, öffnen Sie sie."),
        ("It said it was the can.", "Die Dose sagte, sie sei es."),
    ],
)
def test_other_pairs_are_not_taken(source, target):
    assert natural_link(Pair(source, target), GENDERS) is None


def test_a_held_out_sentence_is_held_out_with_all_its_translations():
    pairs = [
        Pair(f"I opened can {n}, but it was empty.", f"Ich öffnete die Dose {n}, {rest}")
        for n in range(100)
        for rest in ("aber sie war leer.", "aber es war leer.", "die leer war.")
    ]
    kept, held_out = mark_natural(pairs, GENDERS)
    assert 5 < len(held_out) < 30
    apart = {link.source for link in held_out}
    assert len(kept) == 3 * (100 - len(apart))
    assert not apart & {pair.source for pair in kept}


def test_what_a_text_holds_is_found_to_the_letter_and_nearly():
    link = natural_link(OPENED, GENDERS)
    other_german = Pair(OPENED.source, "Ich machte die Dose auf, aber sie war leer.")
    near = Pair("I opened the can, and it was empty.", "x")
    far = Pair("I opened the door, and nobody was there.", "x")
    assert verbatim_in([link], [far, OPENED]) == [True]
    assert verbatim_in([link], [far, near, other_german]) == [False]
    assert nearly_in([link], [far, near]) == nearly_in([link], [OPENED]) == [True]
    assert nearly_in([link], [far]) == [False]


def test_the_text_before_is_that_of_the_config_that_held_nothing_out():
    first, *later = (
        read_json(CONFIGS / f"{name}.json")["data"]
        for name in ("en-de-captions", "en-de-broad", "en-de")
    )
    assert "natural" not in first
    for data in later:
        assert data["natural"]["before"] == [entry["folder"] for entry in first["sets"]]


def test_natural_links_take_each_source_once_and_es_too():
    read = Pair("I read the book; it was long.", "Ich las das Buch; es war lang.")
    links = natural_links([OPENED, read, OPENED, Pair("It rains.", "Es regnet.")], GENDERS)
    assert [link.right_form for link in links] == ["sie", "es"]


def test_gendered_pairs_come_again_as_a_set_of_their_own():
    articles = [Pair("x", "eine Dose, das Buch") for _ in range(4)]
    pairs = [OPENED, Pair("I read the book; it was long.", "Ich las das Buch; es war lang.")]
    sets = with_natural({"one": pairs + articles})
    assert [pair.source for pair in sets["natural"]] == [OPENED.source]
    assert [p.link.right_form for p in sets["one"] if p.link] == ["sie", "es"]
