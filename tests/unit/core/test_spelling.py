"""Tokens of other tokenizers: their spaces, and the characters that they share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from tokenizers.trainers import BpeTrainer

from core.spelling import spelt
from core.weights.groups import word_groups

SAME = {
    "sentencepiece": ["▁the", "▁ti", "red", "▁dog", "."],
    "byte-level": ["the", "Ġti", "red", "Ġdog", "."],
    "spaces": ["the", " ti", "red", " dog", "."],
}
WORDS = {
    "wordpiece": ["[CLS]", "the", "ti", "##red", "dog", ".", "[SEP]"],
    "end-of-word": ["<s>", "the</w>", "ti", "red</w>", "dog</w>", ".</w>", "</s>"],
    "continued": ["<s>", "the", "ti@@", "red", "dog", ".", "</s>"],
}


@pytest.mark.parametrize("name", SAME)
def test_conventions_that_know_all_spaces_spell_the_same(name):
    spelling = spelt(SAME[name])
    assert spelling.labels == ("▁the", "▁ti", "red", "▁dog", ".")
    assert spelling.sequence.text == "the tired dog."


@pytest.mark.parametrize("name", WORDS)
def test_conventions_of_words_spell_the_same_words(name):
    tokens = WORDS[name]
    spelling = spelt(tokens)
    assert spelling.labels == (tokens[0], "▁the", "▁ti", "red", "▁dog", "▁.", tokens[-1])
    assert spelling.sequence.text == "the tired dog ."
    assert word_groups(spelling.sequence) == ((0,), (1,), (2, 3), (4,), (5,), (6,))


def test_a_cut_word_and_a_lone_sign_stay_what_they_are():
    assert spelt(["a@@", "@@", "b"]).labels == ("▁a", "@@", "▁b")
    assert spelt(["ti</w>", "re"]).labels == ("▁ti", "▁re")
    assert spelt(["</w>", "a"]).labels == ("</w>", "▁a")


def test_bytes_of_sentencepiece_are_the_character_that_they_spell():
    tokens = ["<s>", "▁", "<0xEC>", "<0x95>", "<0x88>", "녕", "<0x21>"]
    spelling = spelt(tokens)
    assert spelling.labels == ("<s>", "▁", "안(1/3)", "안(2/3)", "안(3/3)", "녕", "!")
    assert spelling.sequence.text == "안녕!"
    assert spelling.parted == "안(1/3)"
    assert spelt(["<0xE5>", "<0x8C>", "<0x97>", "京"]).sequence.text == "北京"


def test_bytes_that_form_no_character_stay_bytes():
    assert spelt(["▁a", "<0xEC>", "b"]).labels == ("▁a", "<0xEC>", "b")


PHRASES = ("the tired dog sleeps", "안녕 세계 naïve", "a b abc ab")


def trained(suffix: str = "") -> Tokenizer:
    """A tokenizer of the library, trained on `PHRASES`, with a suffix of words or on bytes."""
    options = {"end_of_word_suffix": suffix} if suffix else {}
    tokenizer = Tokenizer(models.BPE(**options))
    if suffix:
        tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
        tokenizer.decoder = decoders.BPEDecoder(suffix=suffix)
    else:
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        options["initial_alphabet"] = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        PHRASES, BpeTrainer(vocab_size=300, show_progress=False, **options)
    )
    return tokenizer


@pytest.mark.parametrize("suffix", ["", "</w>"], ids=["byte-level", "end-of-word"])
@pytest.mark.parametrize("phrase", PHRASES)
def test_the_text_is_what_the_tokenizer_decodes(phrase, suffix):
    tokenizer = trained(suffix)
    encoded = tokenizer.encode(phrase)
    assert spelt(encoded.tokens).sequence.text == tokenizer.decode(encoded.ids)


PARTS = ["a", "▁", "@@", "</w>", "<0xE4>", "Ġ", "ì", "##", "<s>", "[SEP]", " ", "안", "\ud7ff"]


@given(st.lists(st.lists(st.sampled_from(PARTS), min_size=1, max_size=3).map("".join), max_size=6))
def test_any_tokens_keep_their_number_and_have_offsets_in_the_text(tokens):
    spelling = spelt(tokens)
    assert len(spelling.labels) == len(spelling.sequence) == len(tokens)
    for start, end in spelling.sequence.offsets:
        assert 0 <= start <= end <= len(spelling.sequence.text)
