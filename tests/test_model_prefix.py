"""Typed beginnings: what is settled, and what may still be spelled."""

from types import SimpleNamespace

import pytest
import torch
from conftest import SENTENCES
from hypothesis import given, settings
from hypothesis import strategies as st

from model.prefix import TypedPrefix, read_prefix, spelling_out, unknown_pieces

EOS = 3
SPELLINGS = ("", "", "", "", "▁Tier", "▁Ti", "er", "▁", "T", "i", "ger", "▁Hund", "ier")


@pytest.fixture
def read(tiny_tokenizer):
    return lambda text: read_prefix(tiny_tokenizer.encode(text))


def spelled(tokenizer, ids):
    return "".join(tokenizer.token_of(i) for i in ids)


def allowed_after(prefix, *ids):
    mask = spelling_out(prefix, SPELLINGS, EOS)(ids)
    return None if mask is None else {i for i, fits in enumerate(mask.tolist()) if fits}


# -- what is settled -----------------------------------------------------------------------


def test_the_last_word_is_left_open(read, tiny_tokenizer):
    prefix = read("Das Tier überqu")
    assert spelled(tiny_tokenizer, prefix.ids) == "▁Das▁Tier"
    assert prefix.rest == "▁überqu"


def test_a_space_settles_the_last_word(read, tiny_tokenizer):
    prefix = read("Das Tier ")
    assert spelled(tiny_tokenizer, prefix.ids) == "▁Das▁Tier"
    assert (prefix.rest, prefix.may_end) == ("▁", True)


def test_punctuation_settles_everything(read, tiny_tokenizer):
    prefix = read("Das Tier,")
    assert spelled(tiny_tokenizer, prefix.ids) == "▁Das▁Tier,"
    assert prefix.rest == ""


def test_a_word_may_begin_after_punctuation_without_a_space(read, tiny_tokenizer):
    prefix = read("nicht,we")
    assert spelled(tiny_tokenizer, prefix.ids) == "▁nicht,"
    assert prefix.rest == "we"


def test_a_single_word_is_all_open(read):
    assert read("Da") == TypedPrefix((), "▁Da")


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u200b"])
def test_nothing_typed_settles_nothing(read, text):
    assert read(text) == TypedPrefix(())


@settings(max_examples=60, deadline=None)
@given(n=st.integers(0, 60), sentence=st.sampled_from(SENTENCES))
def test_what_is_settled_and_what_is_open_spell_the_text(tiny_tokenizer, n, sentence):
    text = sentence[:n]
    prefix = read_prefix(tiny_tokenizer.encode(text))
    typed = spelled(tiny_tokenizer, prefix.ids) + prefix.rest
    assert typed.replace("▁", " ").strip() == text.strip()


@settings(max_examples=60, deadline=None)
@given(n=st.integers(0, 60), sentence=st.sampled_from(SENTENCES))
def test_the_whole_sentence_begins_with_what_is_settled(tiny_tokenizer, n, sentence):
    """So typing on never contradicts what was forced before."""
    prefix = read_prefix(tiny_tokenizer.encode(sentence[:n]))
    assert tiny_tokenizer.encode(sentence).ids[: len(prefix.ids)] == prefix.ids


# -- what may be spelled -------------------------------------------------------------------


def test_pieces_that_go_on_from_the_word_and_pieces_of_it_are_allowed():
    assert allowed_after(TypedPrefix((), "▁Ti")) == {4, 5, 7}


def test_a_piece_of_the_word_leaves_the_rest_to_spell():
    assert allowed_after(TypedPrefix((), "▁Tie"), 5) == {6}
    assert allowed_after(TypedPrefix((), "▁Tie"), 7) == {8}
    assert allowed_after(TypedPrefix((), "▁Tie"), 7, 8) == {9, 12}


def test_once_the_word_is_spelled_anything_may_follow():
    assert allowed_after(TypedPrefix((), "▁Ti"), 4) is None
    assert allowed_after(TypedPrefix((), "▁Ti"), 5) is None
    assert allowed_after(TypedPrefix((), "▁Ti"), 5, 11, 6) is None


def test_after_a_space_a_new_word_or_the_end_follows():
    assert allowed_after(TypedPrefix((), "▁", may_end=True)) == {EOS, 4, 5, 7, 11}


def test_without_a_space_the_end_may_not_cut_the_word():
    assert EOS not in allowed_after(TypedPrefix((), "▁"))


def test_without_a_rest_there_is_no_rule():
    assert spelling_out(TypedPrefix((1, 2)), SPELLINGS, EOS) is None


def test_every_known_word_can_be_spelled(tiny_tokenizer):
    """The alphabet is part of the vocabulary, so no word leads into a dead end."""
    every = [tiny_tokenizer.token_of(i) for i in range(tiny_tokenizer.vocab_size)]
    spellings = ["" if i < 4 else token for i, token in enumerate(every)]
    for typed in ("▁Straße", "▁überq", "▁zzz", "▁dSchn"):
        allowed = spelling_out(TypedPrefix((), typed), spellings, EOS)
        ids = ()
        while (mask := allowed(ids)) is not None:
            shortest = min(torch.nonzero(mask)[:, 0].tolist(), key=lambda i: len(spellings[i]))
            ids = (*ids, shortest)
        assert spelled(tiny_tokenizer, ids) == typed


def test_unknown_pieces_are_named_once(tiny_tokenizer):
    assert unknown_pieces(tiny_tokenizer.encode("犬 Hund 犬 走")) == ("犬", "走")


def test_known_text_has_no_unknown_pieces():
    pieces = SimpleNamespace(tokens=("a", "b"), unknown=(False, False))
    assert unknown_pieces(pieces) == ()
