"""Text to pieces and back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.errors import CheckpointError
from model.tokenizer import TextTokenizer, build_tokenizer
from support.models import SENTENCES

WORDS = sorted({word for sentence in SENTENCES for word in sentence.split()})
ANY_TEXT = st.text(max_size=60) | st.text(
    # What is hard: composed and loose accents, joiners, controls, brackets, wide and rare letters.
    alphabet="e\u0301ä\u0308 \u200b\u200d\ufeff\t\n\x00\x07\x7f\ue000\u3000▁<s>/😀🇩🇪’İſ\u0378.",
    max_size=30,
)
few = settings(max_examples=200, deadline=None)


@pytest.fixture
def encode(tiny_tokenizer):
    return tiny_tokenizer.encode


@pytest.fixture
def decode(tiny_tokenizer):
    return tiny_tokenizer.decode


def spelled(pieces):
    """What each piece points at, special tokens left out."""
    return [pieces.text[a:b] for a, b in pieces.offsets if (a, b) != (0, 0)]


@few
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=8))
def test_known_words_in_any_order_come_back(tiny_tokenizer, words):
    text = " ".join(words)
    pieces = tiny_tokenizer.encode(text)
    assert [token.removeprefix("▁") for token in pieces.tokens[:-1]] == spelled(pieces)
    assert tiny_tokenizer.decode(pieces.ids).text == tiny_tokenizer.decode(pieces.ids[:-1]).text
    assert tiny_tokenizer.decode(pieces.ids).text == text


@pytest.mark.parametrize("text", ["", " ", " \t\n ", "\u200b", "\x00\x07", "\u200b \ufeff"])
def test_nothing_visible_is_only_the_end_of_sentence(encode, text):
    assert encode(text).tokens == ("</s>",)


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("  The\u200b  animal ’s ", "Theanimal’s"),
        ("u\u0308berquerte die", "u\u0308berquertedie"),
        ("The <s> animal", "The<s>animal"),
    ],
)
def test_offsets_point_into_the_text_as_typed(encode, text, letters):
    assert "".join(spelled(encode(text))) == letters


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("u\u0308berquerte", "überquerte"),
        ("didn’t", "didn't"),
        (" The \t\n\x07 animal ", "The animal"),
        ("The ani\u200bmal\ufeff", "The animal"),
    ],
    ids=["loose accent", "apostrophe", "spaces", "zero width"],
)
def test_what_looks_alike_is_read_alike(encode, typed, plain):
    assert encode(typed).ids == encode(plain).ids


@pytest.mark.parametrize("letter", ["😀", "\ud83d"], ids=["emoji", "half of a surrogate pair"])
def test_an_unknown_letter_is_marked_and_shown(encode, decode, tiny_tokenizer, letter):
    pieces = encode(f"The {letter} animal")
    assert [at for at, unknown in zip(pieces.offsets, pieces.unknown, strict=True) if unknown] == [
        (4, 5)
    ]
    assert not any(encode(SENTENCES[3]).unknown)
    assert decode([tiny_tokenizer.id_of("<unk>")]).unknown == (True,)


@few
@given(ANY_TEXT)
def test_any_text_has_offsets_within_it_that_never_run_backwards(tiny_tokenizer, text):
    pieces = tiny_tokenizer.encode(text)
    assert all(0 <= a <= b <= len(text) for a, b in pieces.offsets)
    starts = [a for a, _ in pieces.offsets[:-1]]
    assert starts == sorted(starts)
    assert pieces.special == (False,) * (len(pieces) - 1) + (True,)


@few
@given(st.lists(st.integers(0, 99), max_size=12))
def test_offsets_of_produced_pieces_spell_them(tiny_tokenizer, ids):
    pieces = tiny_tokenizer.decode(ids)
    for token, (a, b) in zip(pieces.tokens, pieces.offsets, strict=True):
        if token in ("<pad>", "<s>", "</s>"):
            assert (a, b) == (0, 0)
        else:
            assert pieces.text[a:b] == token.replace("▁", " ").strip(" ")


def test_special_tokens_take_the_first_ids_and_words_the_rest(tiny_tokenizer):
    assert [tiny_tokenizer.token_of(i) for i in range(4)] == ["<pad>", "<unk>", "<s>", "</s>"]
    assert build_tokenizer(SENTENCES * 3, vocab_size=90).vocab_size == 90
    tokenizer = build_tokenizer(["the animal.", "the street."] * 20, vocab_size=60)
    assert tokenizer.encode("the animal.").tokens == ("▁the", "▁animal", ".", "</s>")


def test_a_broken_file_is_named(tmp_path):
    (tmp_path / "tokenizer.json").write_text("{")
    with pytest.raises(CheckpointError, match=r"tokenizer\.json cannot be read") as raised:
        TextTokenizer.from_file(tmp_path / "tokenizer.json")
    assert raised.value.hint


def test_a_vocabulary_without_the_special_tokens_is_refused(tiny_tokenizer, tmp_path):
    path = tmp_path / "tokenizer.json"
    tiny_tokenizer.save(path)
    path.write_text(path.read_text().replace('"<s>"', '"<x>"'))
    with pytest.raises(CheckpointError, match="lacks the tokens <s>"):
        TextTokenizer.from_file(path)
