"""Texts to pieces and back, by our vocabularies and by those that other libraries write."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

from model import CheckpointError
from model.special_tokens import SPECIAL, SPECIAL_TOKENS
from model.tokenizer import TextTokenizer, build_tokenizer, reading_vocabulary
from support.models import SENTENCES

WORDS = sorted({word for sentence in SENTENCES for word in sentence.split()})
ANY_TEXT = st.text(max_size=60) | st.text(
    # Hard ones: composed and loose accents, joiners, controls, brackets, wide and rare letters.
    alphabet="e\u0301ä\u0308 \u200b\u200d\ufeff\t\n\x00\x07\x7f\ue000\u3000▁<s>/😀🇩🇪’İſ\u0378.",
    max_size=30,
)
few = settings(max_examples=100, deadline=None)


def spelled(pieces):
    """The text that each piece points at, special tokens left out."""
    return [pieces.text[a:b] for a, b in pieces.offsets if (a, b) != (0, 0)]


@few
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=8))
def test_known_words_in_any_order_come_back(tiny_tokenizer, words):
    text = " ".join(words)
    pieces = tiny_tokenizer.encode(text)
    assert [token.removeprefix("▁") for token in pieces.tokens[:-1]] == spelled(pieces)
    assert tiny_tokenizer.decode(pieces.ids).text == text
    assert tiny_tokenizer.decode(pieces.ids[:-1]).text == text


def test_texts_that_look_alike_are_read_alike_and_offsets_point_into_the_typed_one(tiny_tokenizer):
    encode = tiny_tokenizer.encode
    for text in ("", " \t\n ", "\u200b", "\x00\x07", "\u200b \ufeff"):
        assert encode(text).tokens == ("</s>",)
    for text, letters in (
        ("  The\u200b  animal ’s ", "Theanimal’s"),
        ("u\u0308berquerte die", "u\u0308berquertedie"),
        ("The <s> animal", "The<s>animal"),
    ):
        assert "".join(spelled(encode(text))) == letters
    for typed, plain in (
        ("u\u0308berquerte", "überquerte"),
        ("didn’t", "didn't"),
        (" The \t\n\x07 animal ", "The animal"),
        ("The ani\u200bmal\ufeff", "The animal"),
    ):
        assert encode(typed).ids == encode(plain).ids


def test_an_unknown_letter_is_marked_and_shown(tiny_tokenizer):
    for letter in ("😀", "\ud83d"):
        read = tiny_tokenizer.encode(f"The {letter} animal")
        marked = zip(read.offsets, read.unknown, strict=True)
        assert [at for at, unknown in marked if unknown] == [(4, 5)]
    assert not any(tiny_tokenizer.encode(SENTENCES[3]).unknown)
    assert tiny_tokenizer.decode([tiny_tokenizer.id_of("<unk>")]).unknown == (True,)


@few
@given(ANY_TEXT, st.lists(st.integers(0, 99), max_size=12))
def test_offsets_of_any_pieces_lie_in_their_text(tiny_tokenizer, text, ids):
    pieces = tiny_tokenizer.encode(text)
    assert all(0 <= a <= b <= len(text) for a, b in pieces.offsets)
    starts = [a for a, _ in pieces.offsets[:-1]]
    assert starts == sorted(starts)
    assert pieces.special == (False,) * (len(pieces) - 1) + (True,)
    written = tiny_tokenizer.decode(ids)
    for token, (a, b) in zip(written.tokens, written.offsets, strict=True):
        if token in ("<pad>", "<s>", "</s>"):
            assert (a, b) == (0, 0)
        else:
            assert written.text[a:b] == token.replace("▁", " ").strip(" ")


def test_special_tokens_take_the_first_ids_and_words_the_rest(tiny_tokenizer):
    assert [tiny_tokenizer.token_of(i) for i in range(4)] == ["<pad>", "<unk>", "<s>", "</s>"]
    assert build_tokenizer(SENTENCES * 3, vocab_size=90).vocab_size == 90
    tokenizer = build_tokenizer(["the animal.", "the street."] * 20, vocab_size=60)
    assert tokenizer.encode("the animal.").tokens == ("▁the", "▁animal", ".", "</s>")


# -- vocabularies of other libraries -------------------------------------------------------


TEXT = "the tired girl überquerte die Straße 😀"
BRACKETS = dict(zip(SPECIAL, ("[PAD]", "[UNK]", "[BOS]", "[EOS]"), strict=True))


@dataclass(frozen=True)
class Foreign:
    """A vocabulary, the special tokens that its family names, a `text`, and that as it comes
    `back`; `begin` stands before the pieces of a source.
    """

    tokenizer: Tokenizer
    special: dict[str, str]
    text: str
    back: str
    begin: tuple[str, ...] = ()

    @property
    def pieces(self) -> list[int]:
        return self.tokenizer.encode(self.text, add_special_tokens=False).ids

    @property
    def ours(self) -> TextTokenizer:
        return TextTokenizer(Tokenizer.from_str(self.tokenizer.to_str()), self.special)

    def ids(self, *tokens: str) -> list[int]:
        return [self.tokenizer.token_to_id(token) for token in tokens]


def trained(model, trainer, pre_tokenizer, decoder, special=SPECIAL) -> Tokenizer:
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizer
    if decoder is not None:
        tokenizer.decoder = decoder
    options = {"special_tokens": list(special.values()), "show_progress": False, "vocab_size": 320}
    tokenizer.train_from_iterator([TEXT, *SENTENCES] * 3, trainer(**options))
    return tokenizer


def metaspace(special=SPECIAL) -> Tokenizer:
    model = models.BPE(unk_token=special.get("unk_id"))
    split, join = pre_tokenizers.Metaspace(), decoders.Metaspace()
    return trained(model, trainers.BpeTrainer, split, join, special)


def byte_level() -> Tokenizer:
    split = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return trained(models.BPE(), trainers.BpeTrainer, split, decoders.ByteLevel())


def word_piece() -> Tokenizer:
    return trained(
        models.WordPiece(unk_token="[UNK]"), trainers.WordPieceTrainer,
        pre_tokenizers.BertPreTokenizer(), decoders.WordPiece(), BRACKETS,
    )  # fmt: skip


def word_level(pre_tokenizer) -> Tokenizer:
    model = models.WordLevel(unk_token="<unk>")
    return trained(model, trainers.WordLevelTrainer, pre_tokenizer, None)


def with_template(template: str, *ends: str) -> Tokenizer:
    tokenizer = metaspace()
    special = [(token, tokenizer.token_to_id(token)) for token in ends]
    tokenizer.post_processor = processors.TemplateProcessing(template, special_tokens=special)
    return tokenizer


def unigram() -> Tokenizer:
    """SentencePiece's own vocabulary: the special tokens are pieces like any other."""
    letters = sorted(set("".join((TEXT, *SENTENCES, "</s>"))) - {" "})
    words = [f"▁{word}" for word in ("the", "tired", "girl", "die")]
    pieces = [(token, 0.0) for token in SPECIAL_TOKENS]
    pieces += [(word, -3.0) for word in words] + [("▁", -4.0)] + [(x, -6.0) for x in letters]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=1, byte_fallback=False))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    return tokenizer


SPACED = "A dog runs through the snow and a man plays the guitar ."
FOREIGN = {
    "brackets": lambda: Foreign(metaspace(BRACKETS), BRACKETS, TEXT, TEXT),
    "byte-level": lambda: Foreign(byte_level(), SPECIAL, TEXT, TEXT),
    "word-piece": lambda: Foreign(word_piece(), BRACKETS, SENTENCES[4], SENTENCES[4]),
    "word-level": lambda: Foreign(
        word_level(pre_tokenizers.Whitespace()), SPECIAL, SENTENCES[4], SPACED
    ),
    "split-at-spaces": lambda: Foreign(
        word_level(pre_tokenizers.WhitespaceSplit()), SPECIAL, SENTENCES[4], SENTENCES[4]
    ),
    "template": lambda: Foreign(
        with_template("<s> $A </s>", "<s>", "</s>"), SPECIAL, TEXT, TEXT, begin=("<s>",)
    ),
    "unigram": lambda: Foreign(unigram(), SPECIAL, TEXT, TEXT),
}


@pytest.fixture(scope="module", params=FOREIGN)
def foreign(request) -> Foreign:
    return FOREIGN[request.param]()


def test_a_text_is_read_written_and_spelled_as_the_library_does(foreign):
    ours, end = foreign.ours, foreign.ids(foreign.special["eos_id"])
    read, written = ours.encode(foreign.text), ours.encode(foreign.text, written=True)
    assert list(read.ids) == [*foreign.ids(*foreign.begin), *foreign.pieces, *end]
    assert ours.encode_batch([foreign.text]) == [list(read.ids)]
    n_begin, n_pieces = len(foreign.begin), len(foreign.pieces)
    assert read.special == (True,) * n_begin + (False,) * n_pieces + (True,)
    assert list(written.ids) == [*foreign.pieces, *end]
    shown = [token for token in written.tokens[:-1] if len(token) < 12]
    assert any(token.startswith("▁") for token in shown)
    assert not any(mark in token for token in shown for mark in ("Ġ", "##", "Ã"))
    back = ours.decode(foreign.pieces)
    assert back.text == foreign.back == foreign.tokenizer.decode(foreign.pieces)
    assert ours.decode(written.ids).text == foreign.back
    assert ours.lost is None
    for pieces in (read, back):
        spans = dict.fromkeys(span for span in pieces.offsets if span != (0, 0))
        parts = [pieces.text[start:end] for start, end in spans]
        assert "".join(parts) == "".join(pieces.text.split())
        assert not any(part != part.strip() for part in parts)


def test_a_typed_special_token_is_text_and_the_file_is_saved_as_it_came(foreign, tmp_path):
    ours, special = foreign.ours, foreign.special
    reserved = set(foreign.ids(*special.values())) - set(foreign.ids(special["unk_id"]))
    for token in special.values():
        for text in (token, f"the {token} girl", f"the{token}", f"{token}{token}"):
            pieces = ours.encode(text, written=True).ids[:-1]
            assert not reserved & set(pieces), (text, pieces)
    ours.save(tmp_path / "tokenizer.json")
    saved = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert saved.to_str() == foreign.tokenizer.to_str()


def test_a_vocabulary_without_its_decoder_is_doubted():
    for make, special in ((byte_level, SPECIAL), (word_piece, BRACKETS)):
        tokenizer = make()
        tokenizer.decoder = None
        assert TextTokenizer(tokenizer, special).lost is not None


def test_a_template_decides_all_that_stands_around_a_text():
    """No file but this names a source without an end (OpenNMT); outputs still end."""
    read = TextTokenizer(with_template("$A"))
    assert "</s>" not in read.encode(TEXT).tokens
    assert read.encode(TEXT, written=True).tokens == (*read.encode(TEXT).tokens, "</s>")
    assert read.encode_batch([TEXT]) == [list(read.encode(TEXT).ids)]


# -- files that cannot be read -------------------------------------------------------------


def torn() -> Tokenizer:
    """A table of signs, as those of SentencePiece, that points outside of itself."""
    tokenizer = metaspace()
    table = normalizers.Precompiled(struct.pack("<II", 4, 2**31 - 1) + b"abc\0")
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), table])
    return tokenizer


def without(name: str) -> str:
    special = {entry: token for entry, token in SPECIAL.items() if entry != name}
    return metaspace(special).to_str()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (lambda: "{", r"mine\.json cannot be read"),
        (lambda: without("bos_id"), "lacks the tokens <s>"),
        (lambda: without("unk_id"), "<unk>"),
        (lambda: torn().to_str(), r"mine\.json cannot be read: index out of bounds"),
    ],
    ids=["damaged", "no start", "no unknown piece", "panic of the library"],
)
def test_a_vocabulary_that_cannot_be_used_is_refused_by_its_file(text, fault, tmp_path):
    (tmp_path / "mine.json").write_text(text())
    with pytest.raises(CheckpointError, match=fault) as raised:
        TextTokenizer.from_file(tmp_path / "mine.json")
    assert raised.value.hint


def test_an_interrupted_reading_is_no_damaged_file():
    with pytest.raises(KeyboardInterrupt), reading_vocabulary("mine.json"):
        raise KeyboardInterrupt
