"""Conversion of text to pieces and back, over the `tokenizers` library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from pathlib import Path

from tokenizers import (
    Regex,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

from core.records.sources import TokenSequence
from core.records.tokens import SPACE
from words import Message

from .errors import CheckpointError
from .special_tokens import CLS, PAD, SEP, SPECIAL, SPECIAL_TOKENS, UNK

_ROLES = {token: entry for entry, token in SPECIAL.items()} | {CLS: "cls_id", SEP: "sep_id"}
_SILENT = ("pad_id", "bos_id", "eos_id", "cls_id", "sep_id")
"""Roles of tokens that surround a text or fill a row; they are never spelled."""
ABSENT = "\ufdd0"
"""Suffix of vocabulary entries that no text is ever cut into.

A noncharacter, which occurs in no text (Unicode Standard, section 23.7). It stays inside this
module and the formats: no piece, text or token that a `TextTokenizer` takes or returns contains it.
"""
_SPECIMEN = 7  # words
# Every character below the surrogates, for a trial of a normalizer.
_SIGNS = "".join(map(chr, range(0xD800)))
_UNREADABLE = re.compile(f"[\ud800-\udfff{ABSENT}]")
_WORD_OR_SIGN = r"[\p{L}\p{M}\p{N}]+(?:['-][\p{L}\p{M}\p{N}]+)*|[^\s\p{L}\p{M}\p{N}]"
_Piece = tuple[int, str, tuple[int, int]]  # id, spelling, characters of the text


@contextmanager
def reading_vocabulary(file: str) -> Iterator[None]:
    """Turn whatever `tokenizers` raises about a damaged `file` into a CheckpointError.

    That includes panics of Rust, which are not subclasses of Exception.
    """
    try:
        yield
    except BaseException as error:
        # KeyboardInterrupt and SystemExit pass through.
        is_panic = type(error).__name__ == "PanicException"
        if isinstance(error, CheckpointError) or not (isinstance(error, Exception) or is_panic):
            raise
        message = Message.of("model-tokenizer-unreadable", file=file, error=str(error))
        raise CheckpointError(message, hint=Message("model-tokenizer-hint")) from error


def read_vocabulary(path: Path) -> Tokenizer:
    """Read `tokenizer.json`; raises CheckpointError if it is damaged."""
    with reading_vocabulary(path.name):
        return proven(Tokenizer.from_file(str(path)))


def proven(tokenizer: Tokenizer) -> Tokenizer:
    """Return `tokenizer` after a trial over every character.

    A damaged table of characters panics only when one of them is looked up.
    """
    if "Precompiled" in str(tokenizer.normalizer):
        tokenizer.normalizer.normalize_str(_SIGNS)
    return tokenizer


def build_tokenizer(
    texts: Iterable[str],
    vocab_size: int,
    special_tokens: Sequence[str] = SPECIAL_TOKENS,
    *,
    alphabet: int = 400,
) -> TextTokenizer:
    """Learn a joint byte-pair vocabulary (Sennrich et al. 2016) from source and target texts.

    Text is normalised to Unicode NFC; control characters and runs of spaces become one space, curly
    apostrophes straight ones. Words carry ``▁`` for the space before them; punctuation stands
    alone. The special tokens take the ids from 0, in their order. The `alphabet` most frequent
    characters are pieces of their own; a Korean syllable is one.
    """
    tokenizer = Tokenizer(models.BPE(unk_token=UNK, fuse_unk=False))
    tokenizer.normalizer = normalizers.Sequence(_cleaned())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Metaspace(replacement=SPACE), pre_tokenizers.Punctuation("isolated")]
    )
    tokenizer.decoder = decoders.Metaspace(replacement=SPACE)
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=list(special_tokens),
        show_progress=False,
        min_frequency=2,
        limit_alphabet=alphabet,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return TextTokenizer(tokenizer, _roles_of(special_tokens))


def build_word_tokenizer(
    texts: Iterable[str],
    vocab_size: int,
    special_tokens: Sequence[str] = (PAD, UNK),
    *,
    min_frequency: int = 1,
) -> TextTokenizer:
    """Learn a vocabulary of whole lower-case words, cleaned as by `build_tokenizer`.

    Rare and new words become ``<unk>``. A word may contain apostrophes and hyphens; any other sign
    stands alone. The special tokens take the ids from 0, in their order; without ``</s>`` among
    them no text ends in it.
    """
    tokenizer = Tokenizer(models.WordLevel(unk_token=UNK))
    tokenizer.normalizer = normalizers.Sequence([*_cleaned(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_WORD_OR_SIGN), "removed", invert=True),
            pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="always", split=False),
        ]
    )
    tokenizer.decoder = decoders.Metaspace(replacement=SPACE)
    trainer = trainers.WordLevelTrainer(
        vocab_size=vocab_size,
        special_tokens=list(special_tokens),
        show_progress=False,
        min_frequency=min_frequency,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return TextTokenizer(tokenizer, _roles_of(special_tokens))


def _roles_of(tokens: Iterable[str]) -> dict[str, str]:
    """Return `tokens` keyed by the entry of a config that they serve, or else by themselves."""
    return {_ROLES.get(token, token): token for token in tokens}


def _cleaned() -> list[normalizers.Normalizer]:
    """Return the normalizers of both kinds of vocabulary."""
    return [
        normalizers.NFC(),
        # Soft hyphens and zero-width joiners vanish; control and unassigned characters part words.
        normalizers.Replace(Regex(r"\p{Cf}"), ""),
        normalizers.Replace(Regex(r"[\p{Cc}\p{Co}\p{Cn}]"), " "),
        normalizers.Replace(Regex("[’‘`´]"), "'"),
        normalizers.Replace(Regex(r"\s+"), " "),
        normalizers.Strip(),
    ]


class TextTokenizer:
    """Vocabulary of pieces or words that returns `TokenSequence` records.

    Immutable once built, so one instance serves many threads. Whatever a file's own spelling, ``Ġ``
    or ``##``, pieces are returned as its decoder writes them, with ``▁`` for a preceding space.

    `special_tokens` maps entries of a family's config to the token whose id they hold. ``eos_id``
    and ``sep_id`` end a text and ``cls_id`` begins it, as does whatever the file's post-processor
    puts there. Tokens that stand for a word, such as ``[MASK]``, may be typed; those that begin,
    end or fill a row may not, and are not spelled.
    """

    def __init__(self, tokenizer: Tokenizer, special_tokens: Mapping[str, str] = SPECIAL) -> None:
        # "<s>" typed by a user is text, not the special token.
        tokenizer.encode_special_tokens = True
        self._tokenizer = tokenizer
        self._special = dict(special_tokens)
        words = [t for entry, t in special_tokens.items() if entry not in (*_SILENT, "unk_id")]
        self._typed = re.compile(f"({'|'.join(map(re.escape, words))})") if words else None
        self._unk_id = tokenizer.token_to_id(special_tokens.get("unk_id", UNK))
        self._silent = {i for entry in _SILENT if (i := self._id_for(entry)) is not None}
        self._encoder = _guarded(tokenizer, set(special_tokens.values()) - set(words))
        # An unknown piece may stand inside a word; an unknown word begins one.
        whole = isinstance(tokenizer.model, models.WordLevel | models.WordPiece)
        self._before_unknown = SPACE if whole else ""
        # Metaspace spells a piece the same wherever it stands; other decoders look at its
        # neighbours.
        self._by_piece = isinstance(tokenizer.decoder, decoders.Metaspace)
        self._pieces = self._spelled_pieces()
        begin, end = self._template()
        self._silent |= {i for i, _ in (*begin, *end)}
        # Without a template, the special tokens that a vocabulary has surround every text.
        has_template = isinstance(tokenizer.post_processor, processors.TemplateProcessing)
        self._first = begin or (() if has_template else self._ends("cls_id"))
        self._last = end or (() if has_template else self._ends("eos_id", "sep_id"))
        self._closing = self._ends("eos_id", "sep_id")
        self._beginning: tuple[tuple[int, str], ...] = ()

    @classmethod
    def from_file(cls, path: Path, special_tokens: Mapping[str, str] = SPECIAL) -> TextTokenizer:
        """Read `tokenizer.json`; raises CheckpointError if it is damaged or incomplete.

        It is incomplete without one of `special_tokens`.
        """
        tokenizer = read_vocabulary(path)
        missing = [t for t in special_tokens.values() if tokenizer.token_to_id(t) is None]
        if missing:
            message = Message.of("model-tokenizer-lacks", file=path.name, tokens=", ".join(missing))
            raise CheckpointError(message, hint=Message("model-tokenizer-hint"))
        with reading_vocabulary(path.name):
            return cls(tokenizer, special_tokens)

    def beginning_with(self, ids: Sequence[int]) -> TextTokenizer:
        """Return a tokenizer whose every text begins with `ids`, which are not spelled."""
        if not ids:
            return self
        begun = copy(self)
        begun._beginning = tuple((token_id, self._pieces[token_id]) for token_id in ids)
        begun._silent = self._silent | set(ids)
        return begun

    @property
    def spec(self) -> str:
        """JSON of the vocabulary, as `save` writes it."""
        return self._tokenizer.to_str()

    def save(self, path: Path) -> None:
        """Write the vocabulary as `tokenizer.json`."""
        self._tokenizer.save(str(path))

    def with_dropout(self, p: float) -> TextTokenizer:
        """Return a vocabulary that skips each merge with probability `p`, at random each time.

        BPE-dropout (Provilkov et al. 2020), for training.
        """
        # Through JSON, since the model of a tokenizer cannot be copied or changed in place.
        spec = json.loads(self._tokenizer.to_str())
        spec["model"]["dropout"] = p
        return TextTokenizer(Tokenizer.from_str(json.dumps(spec)), self._special)

    @property
    def vocab_size(self) -> int:
        """Number of pieces, special tokens included."""
        return len(self._pieces)

    @property
    def specimen(self) -> str:
        """A few words from all over the vocabulary; empty if it has none."""
        return next(iter(self.specimens(1)), "") if self._words else ""

    @cached_property
    def _words(self) -> list[str]:
        """Words of letters that are whole pieces, without their space."""
        return [p[1:] for p in self._pieces if p[:1] == SPACE and p[1:].isalpha()]

    def specimens(self, n: int) -> tuple[str, ...]:
        """Return up to `n` short texts made of words of the vocabulary.

        Without words they are made of letters side by side.
        """
        words = self._words or [piece for piece in self._pieces if piece.isalpha()]
        step = max(1, len(words) // _SPECIMEN)
        space = " " if self._words else ""
        texts = (space.join(words[first::step][:_SPECIMEN]) for first in range(min(n, step)))
        return tuple(filter(None, texts))

    @cached_property
    def lost(self) -> tuple[str, str] | None:
        """A text and its round trip if they differ, or None if encoding is lossless."""
        words = self.specimen.split()
        for text in (" ".join(words), "".join(words[:2])):
            pieces = self.encode(text)
            back = self.decode(pieces.ids).text
            if back != text and not any(pieces.unknown):
                return text, back
        return None

    def id_of(self, token: str) -> int | None:
        """Return the id of a token, or None if the vocabulary lacks it."""
        if ABSENT in token:
            return None
        token_id = self._tokenizer.token_to_id(token)
        return self._tokenizer.token_to_id(token + ABSENT) if token_id is None else token_id

    def token_of(self, token_id: int) -> str:
        """Return the spelling of an id."""
        return self._pieces[token_id]

    def spells(self, token_id: int) -> bool:
        """Return True if an id stands for text, unlike special tokens and ``<unk>``."""
        return token_id not in self._silent and token_id != self._unk_id

    def encode(self, text: str, *, written: bool = False) -> TokenSequence:
        """Tokenise `text` and add what surrounds it: ``</s>``, or ``[CLS]`` and ``[SEP]``.

        With `written`, as a model writes it: only the ids of `beginning_with` come before the text,
        and its last token is the end. Offsets point at the characters of `text` that a piece
        spells, without its leading space.
        """
        # Half a surrogate pair cannot be encoded as UTF-8; a single stand-in keeps the offsets.
        text = _UNREADABLE.sub("\ufffd", text)
        first, last = (self._beginning, self._closing) if written else (self._first, self._last)
        pieces: list[_Piece] = [(i, token, (0, 0)) for i, token in first]
        begin = 0
        # `split` with a group returns typed special tokens at odd indices.
        for number, part in enumerate(self._typed.split(text) if self._typed else [text]):
            if number % 2:
                token_id = self._tokenizer.token_to_id(part)
                assert token_id is not None  # `_typed` matches words of the vocabulary only
                pieces.append((token_id, part, (begin, begin + len(part))))
            else:
                inner = list(self._pieces_of(part, begin))
                # A sign right after a special token has no space before it, so the piece of a bare
                # space is dropped.
                glued = number > 0 and inner and inner[0][1] == SPACE and not part[0].isspace()
                pieces += inner[1:] if glued else inner
            begin += len(part)
        pieces += [(i, token, (0, 0)) for i, token in last]
        ids, tokens, offsets = zip(*pieces, strict=True) if pieces else ((), (), ())
        unknown = tuple(i == self._unk_id for i in ids)
        return TokenSequence(text, ids, tokens, offsets, unknown)

    def _pieces_of(self, text: str, begin: int) -> Iterator[_Piece]:
        """Yield the pieces of a part of a text that starts at the character `begin` of it."""
        encoding = self._encoder.encode(text, add_special_tokens=False)
        for i, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
            # Offsets of the library include the space before a word.
            while start < end and text[start].isspace():
                start += 1
            # A bare "▁" at the very start would look like a special token.
            offset = (start, end) if end else (0, min(1, len(text)))
            # Show the unknown characters themselves, not "<unk>" six times.
            spelled = text[slice(*offset)] if i == self._unk_id else ""
            piece = self._before_unknown + spelled if spelled else self._pieces[i]
            yield i, piece, (offset[0] + begin, offset[1] + begin)

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of many texts, surrounded as in `encode`; for training."""
        encodings = self._encoder.encode_batch(list(texts), add_special_tokens=False)
        first, last = ([i for i, _ in ends] for ends in (self._first, self._last))
        return [[*first, *encoding.ids, *last] for encoding in encodings]

    def decode(self, ids: Sequence[int]) -> TokenSequence:
        """Return produced ids as a text, with the offsets of each piece in it."""
        ids = tuple(map(int, ids))
        text, offsets = (self._joined if self._by_piece else self._decoded)(ids)
        return TokenSequence(
            text=text,
            ids=ids,
            tokens=tuple(self._pieces[i] for i in ids),
            offsets=offsets,
            unknown=tuple(i == self._unk_id for i in ids),
        )

    def _joined(self, ids: Sequence[int]) -> tuple[str, tuple[tuple[int, int], ...]]:
        """Join pieces whose spelling does not depend on their neighbours."""
        text = ""
        offsets = []
        for token_id in ids:
            if token_id in self._silent:
                offsets.append((0, 0))
                continue
            spelled = self._pieces[token_id].replace(SPACE, " ")
            if not text:
                spelled = spelled.lstrip(" ")
            start = len(text) + (len(spelled) - len(spelled.lstrip(" ")))
            text += spelled
            offsets.append((start, len(text)) if len(text) else (0, 0))
        return text, tuple(offsets)

    def _decoded(self, ids: Sequence[int]) -> tuple[str, tuple[tuple[int, int], ...]]:
        """Join pieces by the file's own decoder.

        It may drop spaces and make a character of several pieces, so characters other than spaces
        are counted, and placed when the text is complete.
        """
        text = ""
        signs = ""
        read = []
        spans = []
        for token_id in ids:
            if token_id in self._silent:
                spans.append((0, 0))
                continue
            read.append(token_id)
            text = self._tokenizer.decode(read, skip_special_tokens=False).replace(ABSENT, "")
            before = signs
            signs = "".join(text.split())
            same = next((n for n, (a, b) in enumerate(zip(before, signs, strict=False)) if a != b),
                        min(len(before), len(signs)))  # fmt: skip
            spans.append((same, len(signs)))
        text = text.strip()
        positions = [position for position, sign in enumerate(text) if not sign.isspace()]
        return text, tuple(
            (positions[start], positions[min(end, len(positions)) - 1] + 1)
            if start < min(end, len(positions))
            else (0, 0)
            for start, end in spans
        )

    def _id_for(self, entry: str) -> int | None:
        """Return the id of a special token by its entry, or None."""
        token = self._special.get(entry)
        return None if token is None else self._tokenizer.token_to_id(token)

    def _ends(self, *entries: str) -> tuple[tuple[int, str], ...]:
        """Return id and token of those of `entries` that the vocabulary has."""
        tokens = ((self._id_for(entry), self._special.get(entry, "")) for entry in entries)
        return tuple((i, token) for i, token in tokens if i is not None)

    def _template(self) -> tuple[tuple[tuple[int, str], ...], tuple[tuple[int, str], ...]]:
        """Return what the file's own post-processor puts before and after a text."""
        # The library does not expose a template, but marks what it has added.
        encoding = self._tokenizer.encode(self.specimen or "a")
        added = encoding.special_tokens_mask
        inner = [position for position, is_added in enumerate(added) if not is_added]
        pieces = list(zip(encoding.ids, encoding.tokens, strict=True))
        if not inner:
            return (), ()
        return tuple(pieces[: inner[0]]), tuple(pieces[inner[-1] + 1 :])

    def _spelled_pieces(self) -> tuple[str, ...]:
        """Return every piece as the decoder spells it after another, ``▁`` for a space."""
        size = self._tokenizer.get_vocab_size()
        tokenizer = self._tokenizer
        spellings = tuple(
            (tokenizer.id_to_token(i) or "").removesuffix(ABSENT) for i in range(size)
        )
        if self._by_piece:
            return spellings
        special = {i for t in self._special.values() if (i := tokenizer.token_to_id(t)) is not None}
        # A decoder may treat the first piece of a text differently, so each piece is decoded after
        # a plain word.
        before = next((i for i in range(size) if i not in special and spellings[i].isalpha()), None)
        if before is None:
            return spellings
        start = tokenizer.decode([before], skip_special_tokens=False)
        both = tokenizer.decode_batch([[before, i] for i in range(size)], skip_special_tokens=False)
        return tuple(
            spellings[i]
            if i in special or not text.startswith(start) or "\ufffd" in text
            else text[len(start) :].replace(ABSENT, "").replace(" ", SPACE)
            for i, text in enumerate(both)
        )


def _guarded(tokenizer: Tokenizer, reserved: set[str]) -> Tokenizer:
    """Return a tokenizer for typed text that never produces a `reserved` token.

    A reserved token may be an ordinary piece to the model of a file. Such a token, and any other
    that the file calls special, is cut after its first character before the model sees it.
    """
    reserved |= {t.content for t in tokenizer.get_added_tokens_decoder().values() if t.special}
    reached = []
    for token in sorted(reserved):
        # Forms that a typed token may take, alone and between words.
        texts = (token, f"a {token} a", f"a{token}a")
        encodings = (tokenizer.encode(text, add_special_tokens=False) for text in texts)
        ids = {i for encoding in encodings for i in encoding.ids}
        if len(token) > 1 and tokenizer.token_to_id(token) in ids:
            reached.append(token)
    if not reached:
        return tokenizer
    guarded = Tokenizer.from_str(tokenizer.to_str())
    guarded.encode_special_tokens = True
    starts = "|".join(f"{re.escape(t[0])}(?={re.escape(t[1:])})" for t in reached)
    cut = pre_tokenizers.Split(Regex(starts), "merged_with_previous")
    steps = [] if tokenizer.pre_tokenizer is None else [tokenizer.pre_tokenizer]
    guarded.pre_tokenizer = pre_tokenizers.Sequence([*steps, cut])
    return guarded
