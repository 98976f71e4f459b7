"""Vocabularies in folders of transformers, by the files that its tokenizers write."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tokenizers import (
    AddedToken,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
)

from ...special_tokens import CLS, EOS, SEP
from ...tokenizer import proven
from .moses import moses_tokenizer
from .reading import damaged, not_read, read_json, read_text
from .sentencepiece import piece_ids, read_sentencepiece
from .vocabulary import SPELLED, refuse_order, typed_codes

TOKENIZER = "tokenizer.json"
WORDS = "vocab.json"
_JOINT = "sentencepiece.bpe.model"
_PIECES = "spiece.model"
_WORD_PIECES = "vocab.txt"
_OF_FSMT = ("vocab-src.json", "vocab-tgt.json", "merges.txt")
_SETTINGS = "tokenizer_config.json"
_LONGEST_WORD = 100  # characters; BERT reads a longer word as unknown


class Vocabulary(NamedTuple):
    """Tokenizer of one side, and the file that has its ids."""

    file: str
    tokenizer: Tokenizer
    n_unread: int = 0  # tokens after those of the file, which the model reads as unknown


def vocabularies(
    folder: Path, facts: Mapping[str, Any], languages: Collection[str], n_masks: int = 0
) -> list[Vocabulary]:
    """Return the vocabularies of source and target, with one tokenizer if both share it.

    `facts` are those of ``tokenizer_config.json``, `languages` the codes of M2M100, and `n_masks`
    the number of tokens with which Pegasus replaces the first pieces of its SentencePiece file.
    """
    # Order matters: ``tokenizer.json`` may lie beside the files of a family, which are tried first.
    if (folder / "source.spm").is_file():
        return _of_opus(folder)
    if (folder / _OF_FSMT[0]).is_file():
        return _of_fsmt(folder, facts)
    of_sides = [f"{side}_{TOKENIZER}" for side in ("source", "target")]
    if any((folder / file).is_file() for file in of_sides):
        return [Vocabulary(file, _read(folder / file)) for file in of_sides]
    return [_joint_vocabulary(folder, facts, languages, n_masks)] * 2


def _joint_vocabulary(
    folder: Path, facts: Mapping[str, Any], languages: Collection[str], n_masks: int
) -> Vocabulary:
    """Return the vocabulary that both sides share."""
    if (folder / _JOINT).is_file() and (folder / WORDS).is_file():
        return Vocabulary(WORDS, _of_m2m100(folder, facts, languages))
    if (folder / TOKENIZER).is_file():
        return Vocabulary(TOKENIZER, _of_file(folder))
    if (folder / _PIECES).is_file():
        return Vocabulary(_PIECES, _of_pieces(folder / _PIECES, n_masks))
    if (folder / _WORD_PIECES).is_file():
        return Vocabulary(_WORD_PIECES, _of_word_pieces(folder / _WORD_PIECES, facts))
    return Vocabulary(TOKENIZER, _read(folder / TOKENIZER))


def _read(path: Path) -> Tokenizer:
    """Read a ``tokenizer.json``; raises CheckpointError if it is missing."""
    return proven(Tokenizer.from_str(read_text(path).decode()))


def _of_file(folder: Path) -> Tokenizer:
    """Return the tokenizer of ``tokenizer.json``, if no file beside it has other ids."""
    shared = _read(folder / TOKENIZER)
    ids = shared.get_vocab()
    for spm in filter(Path.is_file, (folder / _JOINT, folder / _PIECES)):
        refuse_order(TOKENIZER, ids, spm.name, piece_ids(spm), shifted=True)
    if words := read_json(folder / WORDS, dict[str, int], needed=False):
        refuse_order(TOKENIZER, ids, WORDS, words)
    return shared


def _of_opus(folder: Path) -> list[Vocabulary]:
    """Return the vocabularies of a Marian model, whose sides have pieces of their own."""
    sides = []
    for side in ("source", "target"):
        # Marian models with separate vocabularies have a second file; the others share the first.
        of_side = folder / f"target_{WORDS}"
        file = of_side if side == "target" and of_side.is_file() else folder / WORDS
        words = read_json(file, dict[str, int])
        spm = folder / f"{side}.spm"
        sides.append(Vocabulary(file.name, read_sentencepiece(spm, words, file.name)[0]))
    source, target = sides
    return [source._replace(tokenizer=typed_codes(source.tokenizer)), target]


def _of_m2m100(folder: Path, facts: Mapping[str, Any], languages: Collection[str]) -> Tokenizer:
    """Return the tokenizer of M2M100, which adds language tokens in code, not in a file."""
    words = read_json(folder / WORDS, dict[str, int])
    tokenizer, _ = read_sentencepiece(folder / _JOINT, words, WORDS)
    codes = [f"__{code}__" for code in languages]
    tokenizer.add_special_tokens([AddedToken(code, normalized=False) for code in codes])
    # The encoder reads the code of the source language before the text (Fan et al. 2021).
    first = f"__{facts.get('src_lang') or 'en'}__"
    if first not in codes or facts.get("language_codes", "m2m100") != "m2m100":
        raise not_read(_SETTINGS, "src_lang", first)
    around = [(token, tokenizer.token_to_id(token)) for token in (first, EOS)]
    tokenizer.post_processor = processors.TemplateProcessing(f"{first} $A {EOS}", None, around)
    return tokenizer


def _of_pieces(spm: Path, n_masks: int) -> Tokenizer:
    """Return the tokenizer of a SentencePiece file alone, with the ids of T5 or of Pegasus.

    Pegasus has padding, the end, two masks and unused tokens where the file has the first two.
    """
    tokenizer, _ = read_sentencepiece(spm)
    if not n_masks:
        return tokenizer
    ids = tokenizer.get_vocab()
    pieces = sorted(ids, key=ids.__getitem__)
    ends = ["<pad>", EOS]
    if pieces[:2] != ends:
        raise damaged(spm.name, "pieces")
    # The names that PegasusTokenizer gives to the ids before the pieces of the file.
    masks = ["<mask_1>", "<mask_2>", *(f"<unk_{n}>" for n in range(2, n_masks))]
    order = [*ends, *masks, *pieces[2:]]
    return read_sentencepiece(spm, {piece: n for n, piece in enumerate(order)}, spm.name)[0]


def _of_word_pieces(path: Path, facts: Mapping[str, Any]) -> Tokenizer:
    """Return the tokenizer of BERT, whose file has one piece a line."""
    # Only the last line end is dropped: an empty line in the middle has an id as well.
    words = read_text(path).decode().replace("\r\n", "\n").removesuffix("\n").split("\n")
    ids = {word: number for number, word in enumerate(words)}
    # A piece that is listed twice has the later id, so the earlier id could never be read.
    for number, word in enumerate(words):
        if ids[word] != number:
            raise damaged(path.name, f"line {number + 1}")
    unknown = SPELLED["unk_id"][1]
    for token in (unknown, CLS, SEP):
        if token not in ids:
            raise damaged(path.name, token)
    tokenizer = Tokenizer(
        models.WordPiece(ids, unk_token=unknown, max_input_chars_per_word=_LONGEST_WORD)
    )
    # Missing settings have the defaults of BertTokenizer: lower case, Chinese characters apart.
    tokenizer.normalizer = normalizers.BertNormalizer(
        handle_chinese_chars=facts.get("tokenize_chinese_chars") is not False,
        strip_accents=facts.get("strip_accents"),
        lowercase=facts.get("do_lower_case") is not False,
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    around = [(token, ids[token]) for token in (CLS, SEP)]
    tokenizer.post_processor = processors.TemplateProcessing(f"{CLS} $A {SEP}", None, around)
    return tokenizer


def _of_fsmt(folder: Path, facts: Mapping[str, Any]) -> list[Vocabulary]:
    """Return the vocabularies of FSMT, which share their merges.

    Merges may make pieces that one side's vocabulary lacks. They become tokens after its own, which
    the model reads as unknown.
    """
    languages: Any = facts.get("langs")
    is_pair = isinstance(languages, list) and len(languages) == 2
    if not is_pair or not all(isinstance(code, str) for code in languages):
        raise not_read(_SETTINGS, "langs", languages)
    *files, merges_file = _OF_FSMT
    merges = []
    lines = read_text(folder / merges_file).decode().removesuffix("\n").split("\n")
    for number, line in enumerate(lines, start=1):
        # fastBPE writes the two pieces and, behind them, how often they met.
        parts = line.split()
        if len(parts) < 2:
            raise damaged(merges_file, f"line {number}")
        merges.append((parts[0], parts[1]))
    # No set, which has another order in every process: the new tokens need the same ids.
    needed = dict.fromkeys(piece for one, other in merges for piece in (one, other, one + other))
    sides = []
    for file, language in zip(files, languages, strict=True):
        ids = read_json(folder / file, dict[str, int])
        unread = [piece for piece in needed if piece not in ids]
        every = ids | {piece: len(ids) + number for number, piece in enumerate(unread)}
        lower = facts.get("do_lower_case") is True
        tokenizer = moses_tokenizer(every, merges, language, lower=lower)
        sides.append(Vocabulary(file, tokenizer, len(unread)))
    return sides
