"""Menu of sentences, and what shipped models make of the first."""

import re

import pytest

from core.captions import caption_languages, read_caption
from model import load_translator
from support.app import DEFAULT, EXAMPLES
from ui.shell.inputs import example_titles, middle_cut
from words.packs import ExampleSentence, first_pack, pack_of

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


def test_examples_are_told_apart_in_the_width_of_their_menu():
    shown = [middle_cut(example.text) for example in EXAMPLES]
    assert len(set(shown)) == len(EXAMPLES)
    assert max(map(len, shown)) <= 38
    assert shown[0].startswith("The animal")
    assert shown[0].endswith("too tired.")
    assert middle_cut("A dog runs.") == "A dog runs."


def test_examples_that_differ_in_their_middle_alone_are_shown_whole():
    texts = [f"{'a' * 30} {word} {'b' * 30}" for word in ("one", "two")]
    titles = example_titles([ExampleSentence("own", text) for text in (*texts, "c" * 50)])
    assert all(text in titles[text] for text in texts)
    assert "…" in titles["c" * 50]


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
