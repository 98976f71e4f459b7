"""Vocabularies of SentencePiece (``.spm``, ``.model``), read without its library."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from ..tokenizer import SPACE, SPECIAL
from .reading import damaged, not_read

_NORMAL, _UNKNOWN, _CONTROL, _BY_USER = range(1, 5)  # kinds of pieces
_UNIGRAM, _BPE = 1, 2
_LONGEST = 512  # bytes of a piece
_ABSENT = "\u2060"  # after a piece that is never cut; of no width
_Pieces = Mapping[str, tuple[float, int]]  # score and kind, in the order of their ids


def read_sentencepiece(
    path: Traversable, vocabulary: Mapping[str, int] | None = None
) -> tuple[Tokenizer, dict[str, int]]:
    """Cuts texts as the file's own library does (Kudo and Richardson 2018), and the ids of the
    special tokens that it has, by the entry of a config. Ids are the file's own, or those of a
    `vocabulary` that lies beside it; what only that has is never cut out of a text.
    CheckpointError where the file is damaged, of another kind than unigram and BPE, or ids are not
    0, 1, 2 and so on."""
    file = path.name
    try:
        parts = _message(path.read_bytes(), {1: bytes, 2: bytes, 3: bytes}, file, "model")
    except OSError as error:
        raise damaged(file, "model") from error
    trainer, rules = (
        {entry: value[-1] for entry, value in _message(b"".join(p), kinds, file, name).items()}
        for name, p, kinds in (
            ("trainer_spec", parts.get(2, ()), {3: int, 24: int, 35: int}),
            ("normalizer_spec", parts.get(3, ()), {1: bytes, 2: bytes, 3: int, 4: int, 5: int}),
        )
    )
    if trainer.get(24):
        raise not_read(file, "treat_whitespace_as_suffix", True)
    pieces = _pieces_of(parts.get(1, []), file)
    order = list(pieces) if vocabulary is None else sorted(vocabulary, key=vocabulary.__getitem__)
    if vocabulary is not None and sorted(vocabulary.values()) != list(range(len(order))):
        raise not_read(file, "ids", "vocab")
    ids = {piece: number for number, piece in enumerate(order)}
    unknown = next((p for p in order if p in pieces and pieces[p][1] == _UNKNOWN), None)
    if unknown is None:
        raise damaged(file, "unk")
    of_kind = {
        kind: [p for p in order if p in pieces and pieces[p][1] == kind] for kind in range(9)
    }
    by_bytes, by_user = bool(trainer.get(35)), of_kind[_BY_USER]
    model_type = trainer.get(3, _UNIGRAM)
    if model_type not in (_UNIGRAM, _BPE):
        raise not_read(file, "model_type", model_type)
    prefix = bool(rules.get(3, True))
    try:
        tokenizer = Tokenizer(
            models.BPE(
                ids,
                _joins({p: (-pieces[p][0], ids[p]) for p in of_kind[_NORMAL]}),
                unk_token=unknown,
                fuse_unk=True,
                byte_fallback=by_bytes,
                ignore_merges=bool(by_user),
            )
            if model_type == _BPE
            else models.Unigram(
                [(p, pieces[p][0]) if p in pieces else (p + _ABSENT, 0.0) for p in order],
                ids[unknown],
                by_bytes,
            )
        )
        tokenizer.normalizer = normalizers.Sequence(list(_normalizers(rules, prefix)))
        tokenizer.normalizer.normalize_str("".join(map(chr, range(0xD800))))
    except BaseException as error:  # a damaged table of signs ends in a panic of Rust
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise damaged(file, "normalizer_spec") from error
        raise
    cuts: list[Any] = [pre_tokenizers.Metaspace(SPACE, "always", False)] * prefix
    if by_user:
        whole = "|".join(sorted(map(re.escape, by_user), key=len, reverse=True))
        cuts.append(pre_tokenizers.Split(Regex(whole), "isolated"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(cuts)
    tokenizer.decoder = decoders.Metaspace(SPACE, "always" if prefix else "never")
    if by_bytes:
        joining = [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()]
        tokenizer.decoder = decoders.Sequence([*joining, decoders.Strip(" ", int(prefix), 0)])
    # Neither what stands around a text nor the name of a byte is cut out of one that was typed.
    apart = [p for p in order if p in pieces and pieces[p][1] not in (_NORMAL, _UNKNOWN, _BY_USER)]
    tokenizer.add_special_tokens([AddedToken(piece, normalized=False) for piece in apart])
    found = {entry: ids[token] for entry, token in SPECIAL.items() if token in of_kind[_CONTROL]}
    return tokenizer, found | {"unk_id": ids[unknown]}


def _pieces_of(parts: list[Any], file: str) -> _Pieces:
    pieces: dict[str, tuple[float, int]] = {}
    for number, part in enumerate(parts):
        entries = _message(part, {1: bytes, 2: bytes, 3: int}, file, f"pieces[{number}]")
        text, score, kind = (
            entries.get(entry, [default])[-1]
            for entry, default in ((1, b""), (2, bytes(4)), (3, _NORMAL))
        )
        try:
            piece, (value,) = text.decode(), struct.unpack("<f", score)
        except (UnicodeDecodeError, struct.error) as error:
            raise damaged(file, f"pieces[{number}]") from error
        if not 0 < len(text) <= _LONGEST or piece in pieces or not math.isfinite(value):
            raise damaged(file, f"pieces[{number}]")
        pieces[piece] = (value, kind)
    return pieces


def _joins(ranks: Mapping[str, tuple[float, int]]) -> list[tuple[str, str]]:
    """Which two pieces make a third, the best third first."""
    joins = (
        (rank, piece[:cut], piece[cut:])
        for piece, rank in ranks.items()
        for cut in range(1, len(piece))
        if piece[:cut] in ranks and piece[cut:] in ranks
    )
    return [(first, second) for _, first, second in sorted(joins)]


def _normalizers(rules: Mapping[int, Any], prefix: bool) -> Iterator[normalizers.Normalizer]:
    if rules.get(2):
        if b"nfkc" in rules.get(1, b""):
            # The table composes signs wherever they stand; `tokenizers` looks up one by one.
            yield normalizers.NFC()
        yield normalizers.Precompiled(rules[2])
    if rules.get(4, True):
        yield normalizers.Replace(Regex(r"\A +| +\z"), "")
        yield normalizers.Replace(Regex(" {2,}"), " ")
    if rules.get(5, True):
        yield normalizers.Replace(" ", SPACE)
    if prefix:
        # A "▁" that was typed is not the one that stands before a text.
        yield normalizers.Replace(Regex(rf"\A{SPACE}"), SPACE * 2)


def _message(data: bytes, kinds: Mapping[int, type], file: str, name: str) -> dict[int, list[Any]]:
    """The entries `kinds` of a message of protobuf, by their numbers; others are passed over."""
    found: dict[int, list[Any]] = {}
    at = 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while shift < 64:
            value |= (data[at] & 127) << shift
            at, shift = at + 1, shift + 7
            if data[at - 1] < 128:
                return value
        raise damaged(file, name)

    try:
        while at < len(data):
            tag = number()
            entry, wire = tag >> 3, tag & 7
            if wire == 0:
                value: Any = number()
            else:
                size = number() if wire == 2 else {1: 8, 5: 4}[wire]
                value = data[at : at + size]
                at += size
            if at > len(data) or not isinstance(value, kinds.get(entry, object)):
                raise damaged(file, name)
            if entry in kinds:
                found.setdefault(entry, []).append(value)
    except (IndexError, KeyError) as error:
        raise damaged(file, name) from error
    return found
