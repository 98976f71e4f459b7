"""Typed beginnings: what is settled, and what may still be spelled."""

import pytest

from model.search.prefix import TypedPrefix, read_prefix, spelling_out, unknown_pieces
from support.models import SENTENCES
from support.search import EOS

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
        *((text, "", "", False) for text in ("", " ", "\n\t", "\u200b")),
    ],
)
def test_the_last_word_is_left_open_until_something_follows_it(
    tiny_tokenizer, text, settled, rest, may_end
):
    prefix = read_prefix(tiny_tokenizer.encode(text))
    assert spelled(tiny_tokenizer, prefix.ids) == settled
    assert (prefix.rest, prefix.may_end) == (rest, may_end)


def test_settled_and_open_pieces_spell_the_text_and_typing_on_keeps_them(tiny_tokenizer):
    sentence = SENTENCES[3]
    whole = tiny_tokenizer.encode(sentence).ids
    for n in range(len(sentence) + 1):
        prefix = read_prefix(tiny_tokenizer.encode(sentence[:n]))
        typed = spelled(tiny_tokenizer, prefix.ids) + prefix.rest
        assert typed.replace("▁", " ").strip() == sentence[:n].strip()
        assert whole[: len(prefix.ids)] == prefix.ids


def test_words_that_go_on_and_pieces_of_them_are_allowed():
    for rest, ids, allowed in (
        ("▁Ti", (), {4, 5, 7}),
        ("▁Tie", (5,), {6}),
        ("▁Tie", (7,), {8}),
        ("▁Tie", (7, 8), {9, 12}),
        *(("▁Ti", spelled_out, None) for spelled_out in ((4,), (5,), (5, 11, 6))),
        ("▁", (), {4, 5, 7, 11}),
    ):
        assert allowed_after(TypedPrefix((), rest), *ids) == allowed
    assert allowed_after(TypedPrefix((), "▁Ti", may_end=True)) == {4, 5, 7, EOS}
    assert spelling_out(TypedPrefix((1, 2)), SPELLINGS, EOS) is None


def test_unknown_pieces_are_named_once(tiny_tokenizer):
    assert unknown_pieces(tiny_tokenizer.encode(SENTENCES[0])) == ()
    assert unknown_pieces(tiny_tokenizer.encode("犬 Hund 犬 走")) == ("犬", "走")
