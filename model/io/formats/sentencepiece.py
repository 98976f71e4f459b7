"""SentencePiece vocabularies (``.spm``, ``.model``), read without its library."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from core.records.tokens import SPACE
from words import Message

from ...errors import CheckpointError
from ...special_tokens import SPECIAL
from ...tokenizer import ABSENT, proven, reading_vocabulary
from .reading import contradicts, damaged, not_read

_NORMAL, _UNKNOWN, _CONTROL, _BY_USER = range(1, 5)  # types of pieces
_TYPED = (_NORMAL, _UNKNOWN, _BY_USER)
_UNIGRAM = 1
_BPE = 2
_LONGEST = 512  # bytes of a piece
# Fields of sentencepiece_model.proto by number.
_MODEL = {1: bytes, 2: bytes, 3: bytes}  # pieces, trainer, normaliser
_PIECE = {1: bytes, 2: bytes, 3: int}  # text, score, type
_TRAINER = {3: int, 24: int, 35: int}  # kind of model, spaces come last, unknown signs as bytes
_RULES = {1: bytes, 2: bytes, 3: int, 4: int, 5: int}  # name, table, space first, fewer, as a sign


def read_sentencepiece(
    path: Traversable, vocabulary: Mapping[str, int] | None = None, beside: str = "vocabulary"
) -> tuple[Tokenizer, dict[str, int]]:
    """Return a tokenizer that splits text as SentencePiece does, and the ids of its special tokens.

    Ids are the file's own, or those of a `vocabulary` from the file `beside`; entries that only it
    has are never produced (Kudo and Richardson 2018). Raises CheckpointError if the file is damaged
    or neither unigram nor BPE, if ids are not 0, 1, 2 and so on, or if the two have few pieces in
    common.
    """
    file = path.name
    stored = _read(path.read_bytes(), file)
    if vocabulary is None:
        order = list(stored.pieces)
    else:
        _refuse_vocabulary(file, stored.pieces, beside, vocabulary)
        order = sorted(vocabulary, key=vocabulary.__getitem__)
    ids = {piece: number for number, piece in enumerate(order)}
    types = {piece: stored.pieces[piece][1] for piece in order if piece in stored.pieces}
    unknown = _pieces_of(types, _UNKNOWN)
    if len(unknown) != 1:
        raise damaged(file, "pieces")
    tokenizer = _tokenizer(stored, ids, types, unknown[0], file)
    # Control tokens and names of bytes must not be produced from typed text.
    apart = [piece for piece, piece_type in types.items() if piece_type not in _TYPED]
    tokenizer.add_special_tokens([AddedToken(piece, normalized=False) for piece in apart])
    special = apart if vocabulary is None else vocabulary
    special_ids = {entry: ids[token] for entry, token in SPECIAL.items() if token in special}
    return tokenizer, special_ids | {"unk_id": ids[unknown[0]]}


class _Stored(NamedTuple):
    """Contents of a file: pieces with their scores and types, and fields of settings by number."""

    pieces: Mapping[str, tuple[float, int]]
    trainer: Mapping[int, Any]
    rules: Mapping[int, Any]


def _read(data: bytes, file: str) -> _Stored:
    """Return the contents of a file; raise CheckpointError if it is damaged or of another model."""
    parts = _message(data, _MODEL, file, "model")
    trainer = _last_values(parts.get(2, ()), _TRAINER, file, "trainer_spec")
    rules = _last_values(parts.get(3, ()), _RULES, file, "normalizer_spec")
    if trainer.get(3, _UNIGRAM) not in (_UNIGRAM, _BPE) or trainer.get(24):
        raise not_read(file, "trainer_spec", trainer)
    pieces = dict(_pieces(parts.get(1, []), file))
    # A piece that stands twice would have two ids.
    if len(pieces) != len(parts.get(1, [])):
        raise damaged(file, "pieces")
    return _Stored(pieces, trainer, rules)


def _tokenizer(
    stored: _Stored, ids: Mapping[str, int], types: Mapping[str, int], unknown: str, file: str
) -> Tokenizer:
    """Build the tokenizer of a file, still without special tokens."""
    prefix = bool(stored.rules.get(3, True))
    try:
        with reading_vocabulary(file):
            tokenizer = Tokenizer(_model(stored.trainer, stored.pieces, ids, unknown))
            tokenizer.normalizer = normalizers.Sequence(list(_normalizers(stored.rules, prefix)))
            proven(tokenizer)
    except CheckpointError as error:
        raise damaged(file, "normalizer_spec") from error
    tokenizer.pre_tokenizer = _pre_tokenizer(_pieces_of(types, _BY_USER), prefix)
    tokenizer.decoder = _decoder(prefix, by_bytes=bool(stored.trainer.get(35)))
    return tokenizer


def _pieces_of(types: Mapping[str, int], wanted: int) -> list[str]:
    return [piece for piece, piece_type in types.items() if piece_type == wanted]


def _last_values(
    messages: Iterable[bytes], types: Mapping[int, type], file: str, name: str
) -> dict[int, Any]:
    """Return the fields of a message by number; of a repeated field the last value counts."""
    fields = _message(b"".join(messages), types, file, name)
    return {number: values[-1] for number, values in fields.items()}


def _model(
    trainer: Mapping[int, Any],
    pieces: Mapping[str, tuple[float, int]],
    ids: Mapping[str, int],
    unknown: str,
) -> models.Model:
    """Build the model that cuts text into `pieces`, each with its score and type."""
    by_bytes = bool(trainer.get(35))
    types = {piece: pieces[piece][1] for piece in ids if piece in pieces}
    if trainer.get(3) == _BPE:
        # Scores of a BPE model are negative ranks of its merges.
        ranks = {
            piece: (-pieces[piece][0], ids[piece])
            for piece, piece_type in types.items()
            if piece_type == _NORMAL
        }
        return models.BPE(
            dict(ids),
            _joins(ranks),
            unk_token=unknown,
            fuse_unk=True,
            byte_fallback=by_bytes,
            ignore_merges=_BY_USER in types.values(),
        )
    # `ABSENT` keeps the id of an entry without ever matching text.
    scored = [
        (piece, pieces[piece][0]) if piece in pieces else (piece + ABSENT, 0.0) for piece in ids
    ]
    return models.Unigram(scored, ids[unknown], by_bytes)


def _pre_tokenizer(by_user: Sequence[str], prefix: bool) -> pre_tokenizers.PreTokenizer:
    """Build what cuts a text before the model: at spaces, and around the pieces `by_user`."""
    cuts: list[Any] = [pre_tokenizers.Metaspace(SPACE, "always", False)] * prefix
    if by_user:
        whole = "|".join(sorted(map(re.escape, by_user), key=len, reverse=True))
        cuts.append(pre_tokenizers.Split(Regex(whole), "isolated"))
    return pre_tokenizers.Sequence(cuts)


def _decoder(prefix: bool, *, by_bytes: bool) -> decoders.Decoder:
    """Build what joins pieces; with `by_bytes`, unknown signs are spelled by their bytes."""
    if not by_bytes:
        return decoders.Metaspace(SPACE, "always" if prefix else "never")
    joining = [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()]
    return decoders.Sequence([*joining, decoders.Strip(" ", int(prefix), 0)])


def piece_ids(path: Traversable) -> dict[str, int]:
    """Return the pieces of a file that stand for text, each with the file's own id."""
    parts = _message(path.read_bytes(), {1: bytes}, path.name, "model")
    pieces = enumerate(_pieces(parts.get(1, []), path.name))
    return {piece: number for number, (piece, (_, type_)) in pieces if type_ == _NORMAL}


def _refuse_vocabulary(
    file: str, pieces: Mapping[str, Any], beside: str, vocabulary: Mapping[str, int]
) -> None:
    """Raise CheckpointError for ids that are not 0, 1, 2 and so on, or that belong to other pieces.

    A joint vocabulary contains all pieces of a file, a pruned one nothing else.
    """
    if missing := set(range(len(vocabulary))).difference(vocabulary.values()):
        raise damaged(beside, f"id {min(missing)}")
    n = min(len(pieces), len(vocabulary))
    common = len(pieces.keys() & vocabulary.keys())
    if 2 * common < n:
        fault = Message.of("format-contradicts-pieces", n=n, common=common)
        raise contradicts(file, beside, fault)


def _pieces(parts: list[bytes], file: str) -> Iterator[tuple[str, tuple[float, int]]]:
    """Yield text, score and type of each piece."""
    for number, part in enumerate(parts):
        field = f"pieces[{number}]"
        piece = _message(part, _PIECE, file, field)
        text = piece.get(1, [b""])[-1]
        score = piece.get(2, [bytes(4)])[-1]
        try:
            spelled = text.decode()
            (value,) = struct.unpack("<f", score)
        except (UnicodeDecodeError, struct.error) as error:
            raise damaged(file, field) from error
        if not 0 < len(text) <= _LONGEST or not math.isfinite(value):
            raise damaged(file, field)
        yield spelled, (value, piece.get(3, [_NORMAL])[-1])


def _joins(ranks: Mapping[str, tuple[float, int]]) -> list[tuple[str, str]]:
    """Return the pairs of pieces that merge into a third, best rank first."""
    # SentencePiece stores no merges: any two pieces that make a third may merge, as in its own
    # library.
    joins = (
        (rank, piece[:cut], piece[cut:])
        for piece, rank in ranks.items()
        for cut in range(1, len(piece))
        if piece[:cut] in ranks and piece[cut:] in ranks
    )
    return [(first, second) for _, first, second in sorted(joins)]


def _normalizers(rules: Mapping[int, Any], prefix: bool) -> Iterator[normalizers.Normalizer]:
    """Yield the normalizers that the rules of a file ask for."""
    if rules.get(2):
        if b"nfkc" in rules.get(1, b""):
            # The table composes sequences of characters, but `tokenizers` looks each character up
            # alone.
            yield normalizers.NFC()
        yield normalizers.Precompiled(rules[2])
    if rules.get(4, True):
        yield normalizers.Replace(Regex(r"\A +| +\z"), "")
        yield normalizers.Replace(Regex(" {2,}"), " ")
    if rules.get(5, True):
        yield normalizers.Replace(" ", SPACE)
    if prefix:
        # A typed "▁" is not the sign for the space before a text.
        yield normalizers.Replace(Regex(rf"\A{SPACE}"), SPACE * 2)


def _message(data: bytes, types: Mapping[int, type], file: str, name: str) -> dict[int, list[Any]]:
    """Return the values of a protobuf message by field number, without fields not in `types`."""
    fields: dict[int, list[Any]] = {}
    at = 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            value |= (byte & 127) << shift
            at += 1
            shift += 7
            if byte < 128 or shift > 63:
                return value

    try:
        while at < len(data):
            tag = number()
            # Wire types: 0 varint, 1 eight bytes, 2 with a length, 5 four bytes.
            wire = tag & 7
            value: Any = number() if wire in (0, 2) else {1: 8, 5: 4}[wire]
            if wire:
                at += value
                value = data[at - value : at]
            if at > len(data) or not isinstance(value, types.get(tag >> 3, object)):
                raise damaged(file, name)
            if tag >> 3 in types:
                fields.setdefault(tag >> 3, []).append(value)
    except (IndexError, KeyError) as error:
        raise damaged(file, name) from error
    return fields
