"""Vocabularies that other people have, each as its own library reads and writes it."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace

import pytest
from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

from model import CheckpointError, load_translator, registered, save_checkpoint
from model.families.transformer import FAMILY
from model.tokenizer import SPECIAL, SPECIAL_TOKENS, TextTokenizer, reading_vocabulary
from support.models import SENTENCES, make_model

TEXT = "the tired girl überquerte die Straße 😀"
BRACKETS = dict(zip(SPECIAL, ("[PAD]", "[UNK]", "[BOS]", "[EOS]"), strict=True))
ANGLES = dict(zip(SPECIAL, ("<pad>", "<unk>", "<bos>", "<eos>"), strict=True))


@dataclass(frozen=True)
class Kind:
    """A file, the special tokens that its family names, and what must come of a text.

    `pieces` are those of the text by the library itself, `begin` stands before them on the source;
    `back` is the text that they must come back as.
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


def trained(model, trainer, pre_tokenizer, decoder, special) -> Tokenizer:
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizer
    if decoder is not None:
        tokenizer.decoder = decoder
    known = {"special_tokens": list(special.values()), "show_progress": False, "vocab_size": 320}
    tokenizer.train_from_iterator([TEXT, *SENTENCES] * 3, trainer(**known))
    return tokenizer


def metaspace(special) -> Tokenizer:
    return trained(
        models.BPE(unk_token=special["unk_id"]), trainers.BpeTrainer, pre_tokenizers.Metaspace(),
        decoders.Metaspace(), special,
    )  # fmt: skip


def byte_level() -> Tokenizer:
    return trained(
        models.BPE(), trainers.BpeTrainer, pre_tokenizers.ByteLevel(add_prefix_space=False),
        decoders.ByteLevel(), SPECIAL,
    )  # fmt: skip


def word_piece() -> Tokenizer:
    return trained(
        models.WordPiece(unk_token="[UNK]"), trainers.WordPieceTrainer,
        pre_tokenizers.BertPreTokenizer(), decoders.WordPiece(), BRACKETS,
    )  # fmt: skip


def word_level(pre_tokenizer=None) -> Tokenizer:
    return trained(
        models.WordLevel(unk_token="<unk>"), trainers.WordLevelTrainer,
        pre_tokenizer or pre_tokenizers.Whitespace(), None, SPECIAL,
    )  # fmt: skip


def with_template() -> Tokenizer:
    tokenizer = metaspace(SPECIAL)
    ends = [(token, tokenizer.token_to_id(token)) for token in ("<s>", "</s>")]
    tokenizer.post_processor = processors.TemplateProcessing("<s> $A </s>", special_tokens=ends)
    return tokenizer


def unigram() -> Tokenizer:
    """As SentencePiece has it: the special tokens are pieces like any other."""
    letters = sorted(set("".join((TEXT, *SENTENCES, "</s>"))) - {" "})
    words = [f"▁{word}" for word in ("the", "tired", "girl", "die")]
    pieces = [(token, 0.0) for token in SPECIAL_TOKENS]
    pieces += [(word, -3.0) for word in words] + [("▁", -4.0)] + [(x, -6.0) for x in letters]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=1, byte_fallback=False))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    return tokenizer


KINDS = {
    "metaspace": lambda: Kind(metaspace(SPECIAL), SPECIAL, TEXT, TEXT),
    "brackets": lambda: Kind(metaspace(BRACKETS), BRACKETS, TEXT, TEXT),
    "angles": lambda: Kind(metaspace(ANGLES), ANGLES, TEXT, TEXT),
    "byte-level": lambda: Kind(byte_level(), SPECIAL, TEXT, TEXT),
    "word-piece": lambda: Kind(word_piece(), BRACKETS, SENTENCES[4], SENTENCES[4]),
    "word-level": lambda: Kind(
        word_level(),
        SPECIAL,
        SENTENCES[4],
        "A dog runs through the snow and a man plays the guitar .",
    ),
    "split-at-spaces": lambda: Kind(
        word_level(pre_tokenizers.WhitespaceSplit()), SPECIAL, SENTENCES[4], SENTENCES[4]
    ),
    "template": lambda: Kind(with_template(), SPECIAL, TEXT, TEXT, begin=("<s>",)),
    "unigram": lambda: Kind(unigram(), SPECIAL, TEXT, TEXT),
}


@pytest.fixture(scope="module", params=KINDS)
def kind(request) -> Kind:
    return KINDS[request.param]()


def test_a_text_is_read_written_and_spelled_as_the_library_does(kind):
    ours, end = kind.ours, kind.ids(kind.special["eos_id"])
    read, written = ours.encode(kind.text), ours.encode(kind.text, written=True)
    assert list(read.ids) == [*kind.ids(*kind.begin), *kind.pieces, *end]
    assert ours.encode_batch([kind.text]) == [list(read.ids)]
    assert read.special == (True,) * len(kind.begin) + (False,) * len(kind.pieces) + (True,)
    assert list(written.ids) == [*kind.pieces, *end]
    shown = [token for token in written.tokens[:-1] if len(token) < 12]
    assert any(token.startswith("▁") for token in shown)
    assert not any(mark in token for token in shown for mark in ("Ġ", "##", "Ã"))
    assert ours.decode(written.ids).text == kind.back == kind.tokenizer.decode(kind.pieces)
    assert ours.lost is None


def test_every_piece_points_at_its_letters_in_what_is_read_and_written(kind):
    ours = kind.ours
    for pieces in (ours.encode(kind.text), ours.decode(kind.pieces)):
        spans = dict.fromkeys(span for span in pieces.offsets if span != (0, 0))
        spelled = [pieces.text[start:end] for start, end in spans]
        assert "".join(spelled) == "".join(pieces.text.split())
        assert not any(part != part.strip() for part in spelled)


def test_a_typed_special_token_is_text(kind):
    ours = kind.ours
    reserved = set(kind.ids(*kind.special.values())) - set(kind.ids(kind.special["unk_id"]))
    for token in kind.special.values():
        for text in (token, f"the {token} girl", f"the{token}", f"{token}{token}"):
            pieces = ours.encode(text, written=True).ids[:-1]
            assert not reserved & set(pieces), (text, pieces)


def test_a_guarded_vocabulary_is_saved_as_it_came(kind, tmp_path):
    kind.ours.save(tmp_path / "tokenizer.json")
    assert Tokenizer.from_file(str(tmp_path / "tokenizer.json")).to_str() == kind.tokenizer.to_str()


@pytest.mark.parametrize("make", [byte_level, word_piece])
def test_a_vocabulary_without_its_decoder_is_doubted(make, tmp_path):
    tokenizer = make()
    tokenizer.decoder = None
    special = SPECIAL if make is byte_level else BRACKETS
    assert TextTokenizer(tokenizer, special).lost is not None


def test_a_vocabulary_without_an_unknown_piece_is_refused(tmp_path):
    special = {name: token for name, token in SPECIAL.items() if name != "unk_id"}
    tokenizer = trained(
        models.BPE(), trainers.BpeTrainer, pre_tokenizers.Metaspace(), decoders.Metaspace(), special
    )
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(CheckpointError, match="<unk>"):
        TextTokenizer.from_file(tmp_path / "tokenizer.json")


@pytest.mark.parametrize("special", [BRACKETS, ANGLES])
def test_a_model_translates_alike_whatever_its_special_tokens_are_called(special, tmp_path):
    named, plain = (TextTokenizer(metaspace(each), each) for each in (special, SPECIAL))
    model = make_model(vocab_size=plain.vocab_size, max_len=60)
    save_checkpoint(tmp_path / "plain", model, plain)
    save_checkpoint(tmp_path / "named", model, named, architecture="named")
    expected = load_translator(tmp_path / "plain").translate(SENTENCES[0])
    with registered(replace(FAMILY, name="named", special_tokens=special)):
        found = load_translator(tmp_path / "named").translate(SENTENCES[0])
    assert found.src.ids == expected.src.ids
    assert found.tgt.ids == expected.tgt.ids
    assert found.tgt.text == expected.tgt.text


def test_a_template_says_all_that_stands_around_a_text():
    """Of a source without an end (OpenNMT) nothing else tells, and what is written still ends."""
    tokenizer = metaspace(SPECIAL)
    tokenizer.post_processor = processors.TemplateProcessing("$A", special_tokens=[])
    read = TextTokenizer(tokenizer)
    assert "</s>" not in read.encode(TEXT).tokens
    assert read.encode(TEXT, written=True).tokens == (*read.encode(TEXT).tokens, "</s>")
    assert read.encode_batch([TEXT]) == [list(read.encode(TEXT).ids)]


def damage(tokenizer):
    """One whose table of signs, as those of SentencePiece, points outside of itself."""
    table = normalizers.Precompiled(struct.pack("<II", 4, 2**31 - 1) + b"abc\0")
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), table])
    return tokenizer


def test_a_panic_of_the_library_is_a_refusal_that_names_the_file(tmp_path):
    damage(metaspace(SPECIAL)).save(str(tmp_path / "mine.json"))
    with pytest.raises(CheckpointError, match=r"mine\.json cannot be read: index out of bounds"):
        TextTokenizer.from_file(tmp_path / "mine.json")


def test_nobody_who_interrupts_a_reading_is_told_of_a_damaged_file():
    with pytest.raises(KeyboardInterrupt), reading_vocabulary("mine.json"):
        raise KeyboardInterrupt
