"""Where the pronoun and its nouns are found in each kind of attention."""

from types import SimpleNamespace

import pytest

from records import TokenSequence
from ui.examples import DEFAULT
from ui.focus import find_link


def sequence(text: str) -> TokenSequence:
    """Whole words as pieces, with ``</s>`` at the end."""
    tokens, offsets, at = [], [], 0
    for word in text.split():
        at = text.index(word, at)
        tokens.append("▁" + word)
        offsets.append((at, at + len(word)))
        at += len(word)
    tokens, offsets = [*tokens, "</s>"], [*offsets, (0, 0)]
    return TokenSequence(text, tuple(range(len(tokens))), tuple(tokens), tuple(offsets))


@pytest.fixture
def translation():
    return SimpleNamespace(
        src=sequence("The animal didn't cross the street because it was tired"),
        tgt=sequence("Das Tier überquerte die Straße nicht weil es müde war"),
    )


def test_in_the_encoder_it_looks_at_both_nouns(translation):
    link = find_link("encoder", translation, DEFAULT)
    assert (link.rows, link.columns, link.other_columns) == ((7,), (1,), (5,))


def test_in_cross_attention_the_row_produces_the_german_pronoun(translation):
    link = find_link("cross", translation, DEFAULT)
    assert (link.row_word, link.rows) == ("es", (7,))
    assert (link.columns, link.other_columns) == ((1,), (5,))


def test_in_the_decoder_the_row_reads_the_german_pronoun(translation):
    link = find_link("decoder", translation, DEFAULT)
    assert (link.row_word, link.rows, link.columns) == ("es", (8,), ())


def test_the_nouns_of_an_own_sentence_are_unknown(translation):
    link = find_link("encoder", translation, None)
    assert (link.rows, link.columns) == ((7,), ())


def test_a_sentence_without_it_has_no_link(translation):
    translation.src = sequence("A dog and an item")
    assert find_link("encoder", translation, None) is None


def test_a_translation_without_a_pronoun_has_no_link(translation):
    translation.tgt = sequence("Das Tier ist müde")
    assert find_link("cross", translation, DEFAULT) is None
