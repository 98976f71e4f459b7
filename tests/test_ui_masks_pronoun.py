"""The pronoun put to the test, of one sentence and over many, driven without a browser."""

from __future__ import annotations

import math
from dataclasses import replace

import masks_page
import pytest
from harness import put, run, says, table_of, words
from masks_page import FLIP, SHORT, TIRED, interventions, open_page

from core import pronoun as counted
from core.changes import MaskedCell
from core.intervention import Intervention, hide
from core.pronoun import (
    COMPARED,
    PLACES,
    Outcome,
    control_word,
    hidings_for,
    joined,
    phrase_of,
    verdict,
    words_of,
)
from model import Translator
from model.errors import InterventionError
from ui.masks import choices, pronoun
from ui.masks.pronoun import Setting, places_of
from words import Message, english

view, measured, measured_root = masks_page.view, masks_page.measured, masks_page.measured_root
DETERMINERS = frozenset({"the", "a"})


def role(id: str) -> str:
    return english(f"masks-pronoun-role-{id}")


def place(id: str) -> str:
    """A place that hides from all of a side, in words."""
    return english(f"masks-pronoun-place-{id}")


# This sentence


@pytest.fixture(scope="module")
def setting(view) -> Setting:
    found = {word.text: word for word in words_of(view.src)}
    hidden = {"antecedent": found["animal"], "control": found["because"]}
    return Setting(found["it"], hidden, choices.pronoun_choice(view))


def test_the_places_hide_the_noun_where_they_say(view, setting):
    animal, it = setting.hidden["antecedent"], setting.pronoun
    change = {place.name: place.change(animal) for place in places_of(view, setting)}
    assert change["both"] == hide(*animal.positions)
    cells = [(query, key) for query in it.positions for key in animal.positions]
    from_it = Intervention(*(MaskedCell("encoder", None, None, *cell) for cell in cells))
    assert change["encoder_from_it"] == from_it
    across = change["cross_from_pronoun"].masked
    assert {(cell.kind, cell.query) for cell in across} == {("cross", setting.choice.position)}
    assert {cell.key for cell in across} == set(animal.positions)
    assert change["it_and_pronoun"] == from_it | change["cross_from_pronoun"]


def test_an_outcome_is_that_of_reading_again_and_of_the_search(view, setting):
    position, change = setting.choice.position, hide(*setting.hidden["antecedent"].positions)
    result = pronoun.outcome_of(view, change, position, setting.choice.ids)
    _, log_probs = view.translator.read_again(view.translation.src, view.translation.tgt, change)
    assert result.probabilities[0] == pytest.approx(math.exp(log_probs[position]), rel=1e-4)
    again = view.translator.translate(TIRED, view.choices.decoding, intervention=change)
    assert result.text.replace(" ", "") == again.text.replace(" ", "")


def results_of(**probabilities: float) -> dict[tuple[str, str], Outcome]:
    """P(es) for the noun hidden from the places named; 0.9 elsewhere."""
    return {
        ("antecedent", name): Outcome((probabilities.get(name, 0.9), 0.05), "Das Tier")
        for name in PLACES
    }


NOTHING = Outcome((0.9, 0.05), "Das Tier")


NARROW = ("encoder_from_it", "cross_from_pronoun", "it_and_pronoun", "encoder", "cross")


@pytest.mark.parametrize("way", ["none", "both", *NARROW])
def test_the_verdict_names_the_narrowest_place_that_matters(setting, way):
    results = results_of(**({way: 0.1, "both": 0.1} if way != "none" else {}))
    assert verdict("antecedent", results, NOTHING) == way
    said = english(f"masks-pronoun-verdict-{way}", pronoun="it", what="animal")
    assert said in pronoun.found_words(setting, results, NOTHING)[0]


def test_the_words_give_the_numbers_before_and_after_and_name_a_rival(setting):
    text, more = pronoun.found_words(setting, results_of(both=0.25), NOTHING)
    told = {"what": "animal", "written": "es", "before": "0.90", "after": "0.25"}
    assert text.endswith(english("masks-pronoun-instead", **told))
    assert not more
    results = results_of() | {("antecedent", "both"): Outcome((0.2, 0.7), "Die Straße")}
    _, more = pronoun.found_words(setting, results, NOTHING)
    assert more == english("masks-pronoun-overtaken", what="animal", now=setting.choice.labels[1])


@pytest.fixture
def whole(setting, view) -> Setting:
    """The setting with the noun's phrase."""
    words = words_of(view.src)
    phrase = joined(phrase_of(words, setting.hidden["antecedent"], DETERMINERS))
    return replace(setting, hidden={**setting.hidden, "antecedent_phrase": phrase})


def phrase_results(**probabilities: float) -> dict[tuple[str, str], Outcome]:
    """P(es) for the phrase hidden from the places named; 0.9 elsewhere, and for the noun alone."""
    phrase = results_of(**probabilities)
    return results_of() | {
        ("antecedent_phrase", place): found for (_, place), found in phrase.items()
    }


def test_the_verdict_is_about_the_phrase_where_there_is_one(whole):
    results = phrase_results(cross_from_pronoun=0.1, both=0.1)
    said = {"pronoun": "it", "what": "The animal"}
    assert pronoun.found_words(whole, results, NOTHING)[0].startswith(
        english("masks-pronoun-verdict-cross_from_pronoun", **said)
    )


@pytest.mark.parametrize(("left", "rest"), [(0.9, "enough"), (0.2, "unknown")])
def test_it_is_said_whether_the_rest_of_the_phrase_is_enough(whole, left, rest):
    results = phrase_results(cross_from_pronoun=0.1, both=0.1)
    results["antecedent", "cross_from_pronoun"] = Outcome((left, 0.05), "Das Tier")
    text, more = pronoun.found_words(whole, results, NOTHING)
    share = f"{left:.2f}"
    told = {"noun": "animal", "written": "es", "share": share, "rest": rest}
    assert more == english("masks-pronoun-alone", **told)
    assert [text.count(number) for number in ("0.90", "0.10")] == [1, 1]


def test_a_phrase_is_the_noun_with_its_determiner_and_words_apart_are_joined(view):
    words = words_of(view.src)
    found = {word.text: phrase_of(words, word, DETERMINERS) for word in words}
    for noun, phrase in (("street", "the street"), ("tired", "tired"), ("The", "The")):
        assert [word.text for word in found[noun]] == phrase.split()
    both = joined([words[0], words[2]])
    assert both.positions == (*words[0].positions, *words[2].positions)
    assert both.text == f"{words[0].text} … {words[2].text}"


def test_other_words_are_hidden_from_fewer_places_and_alone_from_all(view, whole):
    places = places_of(view, whole)
    tested = [(role, place.name) for role, place in hidings_for(whole.hidden, places)]
    of = {role: [name for each, name in tested if each == role] for role in whole.hidden}
    assert of["antecedent"] == of["antecedent_phrase"] == [place.name for place in places]
    # A Transformer reads every token.
    assert set(of["control"]) == set(COMPARED) - {"unread"}
    alone = replace(whole, hidden={"control": whole.hidden["control"]})
    assert len(hidings_for(alone.hidden, places_of(view, alone))) == len(places_of(view, alone))


def test_the_control_word_has_as_many_pieces_and_is_no_noun(view):
    words = {word.text: word for word in words_of(view.src)}
    it, noun, other = (words[text] for text in ("it", "animal", "street"))
    control = control_word(tuple(words.values()), it, noun, other)
    if control is not None:
        assert len(control.positions) == len(noun.positions)
        assert control not in (it, noun, other)
        assert control.positions < it.positions


def test_a_sentence_without_it_asks_for_a_word(folder):
    page = put(open_page("pronoun", TIRED), text=SHORT)
    assert page.selectbox("test_it").value == "none"
    assert says(page, "masks-pronoun-choose-known", group=english("example-riddle"))
    page.selectbox("test_it").select("3 · runs")
    page.selectbox("test_noun").select("2 · dog")
    assert set(table_of(run(page), "likeliest")["hidden"]) == {"dog", "A dog"}


def test_what_cannot_be_hidden_is_named_and_the_rest_is_there(folder, monkeypatch):
    change = Translator.search

    def refuse(self, text, *args, intervention=None, **options):
        if intervention and intervention.hidden_from("encoder"):
            raise InterventionError(Message("model-change-nothing-left-hint"))
        return change(self, text, *args, intervention=intervention, **options)

    monkeypatch.setattr(Translator, "search", refuse)
    page = open_page("pronoun", TIRED, beam="3")
    why = english("model-change-nothing-left-hint")
    refused = {"word": "animal", "place": place("both"), "why": why}
    assert says(page, "masks-pronoun-refused", **refused)
    found = set(table_of(page, "likeliest")["from"])
    assert place("cross") in found
    assert place("both") not in found


def test_stored_flips_are_shown_from_narrow_to_wide_with_how_they_were_made(
    measured, tiny_translator
):
    page = open_page("pronoun")
    assert "**40.0%**" in words(page)
    made = {key: interventions()[key] for key in ("command", "hardware")}
    assert says(page, "masks-made-command-hardware", **made)
    assert len(table_of(page, "flips")) == 4
    card = card_with(tiny_translator, interventions())
    rows = counted.flips(card.interventions, "forced")
    assert list(rows["where"]) == ["encoder_from_it"] * 2 + ["both"] * 2
    assert list(rows["word"]) == ["antecedent", "control"] * 2
    stored = {"settings": {"decoding": {"beam_size": 1}}}
    for heads, said in (({}, "none"), ({"encoder": {"layer": 1, "head": 0}}, "encoder L2 H1")):
        card = card_with(tiny_translator, stored | {"pronoun": {"heads": heads}})
        assert pronoun.how_words(card) == english("masks-pronoun-how", n=1, heads=said)


def card_with(translator, stored_part):
    return replace(translator.card, interventions=stored_part)


def flips_of(*rows: tuple[str, str, int]) -> list[dict]:
    """(where, word, flips of 100)."""
    return [
        {"where": where, "word": word, "all": FLIP | {"flips": flips, "share": flips / 100}}
        for where, word, flips in rows
    ]


def test_stored_phrases_are_named_beside_their_nouns(tiny_translator):
    rows = flips_of(
        ("cross_from_pronoun", "other_phrase", 1),
        ("cross_from_pronoun", "antecedent_phrase", 59),
        ("cross_from_pronoun", "antecedent", 0),
    )
    rows = counted.flips({"pronoun": {"forced": rows}}, "forced")
    told = {"is": "other", "share": 0.01}
    other = english("masks-pronoun-flip-other", word=role("other_phrase"), **told)
    assert pronoun.flip_words(rows, "it") == english(
        "masks-pronoun-flip",
        word=role("antecedent_phrase"),
        place=english("masks-pronoun-flip-cross_from_pronoun"),
        share=0.59,
        n=100,
        others=other,
    )


def guided_card(translator, flips: int, **changed):
    part = {
        "heads": {"encoder": {"layer": 1, "head": 0}},
        "forced": flips_of(("encoder_from_it_best", "antecedent_phrase", flips)),
    }
    head = {"layer": 1, "head": 0, "antecedent": 0.97}
    guided = {"kind": "encoder", "layer": 1, "head": 0}
    return replace(
        translator.card,
        interventions={"pronoun": part},
        **({"heads": {"encoder": head}, "guided": guided} | changed),
    )


def guided_text(used: str, flips: int) -> str:
    word, place = role("antecedent_phrase"), {"layer": 2, "head": 1}
    found = {"weight": "0.97", "pronoun": "it", "flips": flips, "n": 100}
    return english("masks-pronoun-guided", used=used, word=word, **place, **found)


ELSEWHERE = {"encoder": {"layer": 0, "head": 0, "antecedent": 0.97}}


@pytest.mark.parametrize(
    ("flips", "used", "changed"),
    [
        (0, "no", {}),
        (80, "unknown", {}),
        (0, None, {"guided": None}),
        (0, None, {"heads": {}}),
        (0, None, {"heads": ELSEWHERE}),
        (0, None, {"heads": {"encoder": {"layer": 1, "head": 0}}}),
    ],
    ids=str,
)
def test_an_effect_of_a_guided_head_is_told_where_it_was_measured(
    tiny_translator, flips, used, changed
):
    card = guided_card(tiny_translator, flips, **changed)
    told = pronoun.guided_words(card, counted.flips(card.interventions, "forced"), "it")
    assert told == (guided_text(used, flips) if used else "")
