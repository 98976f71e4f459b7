"""Chips of example sentences, and what shipped models make of the first."""

import re

import pytest

from core.captions import caption_languages, read_caption
from core.records.search import Decoding
from model import load_translator
from support.app import DEFAULT, EXAMPLES
from ui.shell.inputs import chips_of, example_titles, middle_cut
from words import Words
from words.packs import ExampleSentence, first_pack, opens_with, pack_of

example_of = first_pack().example_of

RIDDLES = [example for example in EXAMPLES if example.pronoun]


def test_the_default_is_the_animal_that_was_too_tired_and_is_known_again():
    assert DEFAULT.text == "The animal didn't cross the street because it was too tired."
    assert (DEFAULT.pronoun, DEFAULT.antecedent, DEFAULT.other) == ("it", "animal", "street")
    assert example_of("  " + DEFAULT.text.replace(" ", "  ")) is DEFAULT
    assert example_of("Something else.") is None


def test_twins_turn_the_answer_round(tiny_translator):
    for example in RIDDLES:
        twin = example_of(example.twin)
        assert twin.twin == example.text
        assert (twin.antecedent, twin.other) == (example.other, example.antecedent)
        pieces = tiny_translator.tokenize(example.text)
        for word in (example.pronoun, example.antecedent, example.other):
            assert pieces.pieces_of(word), (example.text, word)


@pytest.mark.parametrize("pair", ["en-de", "de-en", "ko-en"])
def test_every_chip_of_a_translator_has_a_twin_that_differs_in_one_word_and_leads_back(pair):
    pack = pack_of(pair.split("-"))
    for example in chips_of(pack.examples, "attention"):
        twin = pack.twin_of(f" {example.text} ")
        pairs = zip(example.text.split(), twin.split(), strict=True)
        assert sum(word != other for word, other in pairs) == 1, example.text
        assert pack.twin_of(twin) == example.text
    assert pack.twin_of("") == pack.twin_of("1 2 3") == ""


@pytest.mark.parametrize("pair", ["en-de", "de-en", "ko-en", "scene-en", "scene-ko"])
def test_chips_are_short_and_told_apart_in_both_languages(pair):
    chips = chips_of(pack_of(pair.split("-")).examples, "attention")
    assert 3 <= len(chips) <= 5
    points = [example.shows for example in chips]
    assert len({*points}) == len(points)
    for point in points:
        for language in ("en", "ko"):
            words = Words(language)
            # A point that is no message names words of the sentence itself.
            name = words(f"example-{point}") if words.has(f"example-{point}") else point
            assert words.has(f"example-{point}") or "→" in name, name
            assert len(name) <= 16


@pytest.mark.parametrize(
    ("pair", "page"),
    [("en-de", "masks"), ("en-de", "lineage"), ("de-en", "beam"), ("ko-en", "beam")],
)
def test_the_first_chip_is_the_sentence_that_the_page_opens_with(pair, page):
    examples = pack_of(pair.split("-")).examples
    assert chips_of(examples, page)[0] == opens_with(examples, page) != examples[0]


def test_examples_without_a_point_are_named_by_their_text_which_is_whole_where_two_are_alike():
    texts = [f"{'a' * 30} {word} {'b' * 30}" for word in ("one", "two")]
    titles = example_titles([ExampleSentence("", text) for text in (*texts, "c" * 50)])
    assert all(text in titles[text] for text in texts)
    assert "…" in titles["c" * 50]
    assert len(titles["c" * 50]) <= 24
    assert middle_cut("A dog runs.") == "A dog runs."


@pytest.mark.parametrize("pair", ["en-de", "de-en", "ko-en"])
def test_the_sentence_of_the_search_is_one_that_greedy_search_translates_otherwise(pair):
    translator = load_translator(pair)
    text = opens_with(pack_of(translator.card.languages).examples, "beam").text
    greedy, beam = (translator.translate(text, Decoding(beam_size=n)).text for n in (1, 5))
    assert greedy != beam


@pytest.mark.parametrize(
    ("checkpoint", "words"),
    [
        ("en-de", {"Tier", "Straße", "müde"}),
        ("de-en", {"animal", "street", "tired"}),
        ("ko-en", {"I", "movie", "friend", "yesterday"}),
    ],
)
def test_a_shipped_translator_opens_on_a_sentence_that_it_translates(checkpoint, words):
    translator = load_translator(checkpoint)
    example = pack_of(translator.card.languages).examples[0]
    translation = translator.translate(example.text)
    assert words <= set(re.findall(r"\w+", translation.text))


@pytest.mark.parametrize("checkpoint", ["captions-soft", "captions-soft-ko"])
def test_a_shipped_captioner_opens_on_a_scene_of_which_all_it_says_is_true(checkpoint):
    captioner = load_translator(checkpoint)
    translation = captioner.translate(pack_of(captioner.card.languages).examples[0].text)
    language = captioner.card.languages[1]
    assert language in caption_languages()
    assert read_caption(translation.text, translation.src.scene, language).exact
