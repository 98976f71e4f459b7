"""Where the pronoun and its nouns are found at each site of attention."""

from types import SimpleNamespace

import pytest

from records import TokenSequence
from records.attention import CROSS, DECODER, ENCODER, AttentionSite
from ui.focus import link_at
from words.packs import Example, Pack, pack_of

TEXT = "The animal didn't cross the street because it was tired"
KNOWN = Pack(
    pronoun="it",
    rivals=(("es", "sie", "er"),),
    examples=(Example("riddle", TEXT, "it", "animal", "street", decides="tired"),),
)
UNKNOWN = Pack(pronoun="it", rivals=KNOWN.rivals)


def link_in(site, translation, pack):
    return link_at(site, translation.src, translation.tgt, pack)


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
        src=sequence(TEXT),
        tgt=sequence("Das Tier überquerte die Straße nicht weil es müde war"),
    )


def test_in_the_encoder_it_looks_at_both_nouns(translation):
    link = link_in(ENCODER, translation, KNOWN)
    assert (link.rows, link.columns, link.other_columns) == ((7,), (1,), (5,))
    assert (link.deciding_word, link.deciding_columns) == ("tired", (9,))


def test_in_cross_attention_the_row_produces_the_german_pronoun(translation):
    link = link_in(CROSS, translation, KNOWN)
    assert (link.row_word, link.rows) == ("es", (7,))
    assert (link.columns, link.other_columns) == ((1,), (5,))


def test_in_the_decoder_the_row_reads_the_german_pronoun(translation):
    link = link_in(DECODER, translation, KNOWN)
    assert (link.row_word, link.rows, link.columns) == ("es", (8,), ())


def test_the_nouns_of_an_own_sentence_are_unknown(translation):
    link = link_in(ENCODER, translation, UNKNOWN)
    assert (link.rows, link.columns) == ((7,), ())


def test_a_sentence_without_it_has_no_link(translation):
    translation.src = sequence("A dog and an item")
    assert link_in(ENCODER, translation, UNKNOWN) is None


def test_a_translation_without_a_pronoun_has_no_link(translation):
    translation.tgt = sequence("Das Tier ist müde")
    assert link_in(CROSS, translation, KNOWN) is None


@pytest.mark.parametrize(
    ("site", "pack"),
    [
        (AttentionSite("words", "words", "words"), KNOWN),
        (AttentionSite("regions", "target", "image"), UNKNOWN),
        (ENCODER, Pack()),
    ],
)
def test_another_side_or_another_language_has_no_nouns(translation, site, pack):
    link = link_in(site, translation, pack)
    assert link is None or not link.columns


def test_the_pronoun_of_a_pack_is_found_in_its_own_example():
    pack = pack_of(("en", "de"))
    example = pack.examples[0]
    link = link_at(ENCODER, sequence(example.text.replace(".", "")), None, pack)
    assert link.row_word == example.pronoun


@pytest.mark.parametrize(
    ("written", "rows"), [("I want a Beer please beer", (3,)), ("I want some wine", None)]
)
def test_a_written_word_looks_at_the_noun_that_it_renders(written, rows):
    text = "저는 맥주로 하겠습니다"
    pack = Pack(examples=(Example("notes", text, antecedent="맥주로", writes="beer"),))
    src, tgt = sequence(text), sequence(written)
    link = link_at(CROSS, src, tgt, pack)
    assert (link and link.rows) == rows
    if rows:
        assert (link.row_word, link.column_word, link.columns) == ("beer", "맥주로", (1,))
    assert link_at(ENCODER, src, tgt, pack) is link_at(DECODER, src, tgt, pack) is None
