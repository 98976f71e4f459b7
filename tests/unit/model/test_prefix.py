"""Typed beginnings: what is settled, and what may still be spelled."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.prefix import TypedPrefix, read_prefix, spelling_out, unknown_pieces
from support.models import SENTENCES

EOS = 3
SPELLINGS = ("", "", "", "", "▁Tier", "▁Ti", "er", "▁", "T", "i", "ger", "▁Hund", "ier")


def spelled(tokenizer, ids):
    return "".join(tokenizer.token_of(i) for i in ids)


def allowed_after(prefix, *ids):
    mask = spelling_out(prefix, SPELLINGS, EOS)(ids)
    return None if mask is None else {i for i, fits in enumerate(mask.tolist()) if fits}


@pytest.mark.parametrize(
    ("text", "settled", "rest", "may_end"),
    [
        ("Das Tier überqu", "▁Das▁Tier", "▁überqu", False),
        ("Das Tier ", "▁Das▁Tier", "▁", True),
        ("Das Tier,", "▁Das▁Tier,", "", False),
        ("nicht,we", "▁nicht,", "we", False),
        ("Da", "", "▁Da", False),
    ],
    ids=["open", "space", "punctuation", "after punctuation", "single"],
)
def test_the_last_word_is_left_open_until_something_follows_it(
    tiny_tokenizer, text, settled, rest, may_end
):
    prefix = read_prefix(tiny_tokenizer.encode(text))
    assert spelled(tiny_tokenizer, prefix.ids) == settled
    assert (prefix.rest, prefix.may_end) == (rest, may_end)


@settings(max_examples=60, deadline=None)
@given(n=st.integers(0, 60), sentence=st.sampled_from(SENTENCES))
def test_what_is_settled_and_what_is_open_spell_the_text(tiny_tokenizer, n, sentence):
    text = sentence[:n]
    prefix = read_prefix(tiny_tokenizer.encode(text))
    typed = spelled(tiny_tokenizer, prefix.ids) + prefix.rest
    assert typed.replace("▁", " ").strip() == text.strip()
    # So typing on never contradicts what was forced before.
    assert tiny_tokenizer.encode(sentence).ids[: len(prefix.ids)] == prefix.ids


@pytest.mark.parametrize(
    ("rest", "ids", "allowed"),
    [
        ("▁Ti", (), {4, 5, 7}),
        ("▁Tie", (5,), {6}),
        ("▁Tie", (7,), {8}),
        ("▁Tie", (7, 8), {9, 12}),
        *(("▁Ti", spelled_out, None) for spelled_out in ((4,), (5,), (5, 11, 6))),
        ("▁", (), {4, 5, 7, 11}),
    ],
)
def test_what_goes_on_from_the_word_and_pieces_of_it_are_allowed(rest, ids, allowed):
    assert allowed_after(TypedPrefix((), rest), *ids) == allowed
    if not ids and allowed:
        assert allowed_after(TypedPrefix((), rest, may_end=True)) == allowed | {EOS}


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


def test_unknown_pieces_are_named_once_and_of_nothing_typed_nothing_is_settled(tiny_tokenizer):
    assert unknown_pieces(tiny_tokenizer.encode(SENTENCES[0])) == ()
    assert unknown_pieces(tiny_tokenizer.encode("犬 Hund 犬 走")) == ("犬", "走")
    for text in ("", " ", "\n\t", "\u200b"):
        assert read_prefix(tiny_tokenizer.encode(text)) == TypedPrefix(())
    assert spelling_out(TypedPrefix((1, 2)), SPELLINGS, EOS) is None
