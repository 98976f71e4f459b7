"""Text to pieces and back, over the `tokenizers` library."""

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

from core.tokens import TokenSequence
from words import Message

from .errors import CheckpointError

PAD, UNK, BOS, EOS = "<pad>", "<unk>", "<s>", "</s>"
SPECIAL: Mapping[str, str] = {"pad_id": PAD, "unk_id": UNK, "bos_id": BOS, "eos_id": EOS}
"""The special tokens of most families, by the entries of a config that hold their ids."""
SPECIAL_TOKENS = tuple(SPECIAL.values())
CLS, SEP, MASK = "[CLS]", "[SEP]", "[MASK]"
"""What stands before and after a sentence for an encoder alone (Devlin et al. 2019), and in the
place of a word."""
_ROLES = {token: entry for entry, token in SPECIAL.items()} | {CLS: "cls_id", SEP: "sep_id"}
_SILENT = ("pad_id", "bos_id", "eos_id", "cls_id", "sep_id")
"""What stands around a text or fills a row: it is not spelled."""
SPACE = "▁"
ABSENT = "\ufdd0"
"""Ends a piece of a vocabulary that no text is ever cut into; a noncharacter, which stands in no
text (Unicode Standard, section 23.7). It is the library's business alone: no piece, text or token
that a `TextTokenizer` gives or takes has it."""
_SPECIMEN = 7  # words
_SIGNS = "".join(map(chr, range(0xD800)))
_UNREADABLE = re.compile(f"[\ud800-\udfff{ABSENT}]")
_WORD_OR_SIGN = r"[\p{L}\p{M}\p{N}]+(?:['-][\p{L}\p{M}\p{N}]+)*|[^\s\p{L}\p{M}\p{N}]"
_Piece = tuple[int, str, tuple[int, int]]  # id, spelling, characters of the text


@contextmanager
def reading_vocabulary(file: str) -> Iterator[None]:
    """What `tokenizers` raises of a damaged `file` as a CheckpointError: its panics, too, which are
    no Exception."""
    try:
        yield
    except BaseException as error:
        own = isinstance(error, CheckpointError)
        if own or not (isinstance(error, Exception) or type(error).__name__ == "PanicException"):
            raise
        message = Message.of("model-tokenizer-unreadable", file=file, error=str(error))
        raise CheckpointError(message, hint=Message("model-tokenizer-hint")) from error


def read_vocabulary(path: Path) -> Tokenizer:
    """That of `tokenizer.json`; CheckpointError where it is none."""
    with reading_vocabulary(path.name):
        return proven(Tokenizer.from_file(str(path)))


def proven(tokenizer: Tokenizer) -> Tokenizer:
    """The same, after it has read every sign: a damaged table of signs panics at some alone."""
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
    """Learn a joint byte-pair vocabulary (Sennrich et al. 2016) from source and target texts. The
    `alphabet` most frequent characters are pieces of their own; a Korean syllable is one. Text is
    brought to Unicode NFC, control characters and runs of spaces become one space, curly
    apostrophes straight ones. Words carry ``▁`` for the space before them; punctuation stands
    alone. The special tokens take the ids from 0 on, in their order."""
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
    """Learn a vocabulary of whole words in lower case, cleaned as by `build_tokenizer`; what is
    rare or new is ``<unk>``. A word may hold apostrophes and hyphens, any other sign stands alone.
    The special tokens take the ids from 0 on, in their order; without ``</s>`` among them no text
    ends in it."""
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
    """Tokens of this project by what they are for; any other stands for a word."""
    return {_ROLES.get(token, token): token for token in tokens}


def _cleaned() -> list[normalizers.Normalizer]:
    return [
        normalizers.NFC(),
        normalizers.Replace(Regex(r"\p{Cf}"), ""),
        normalizers.Replace(Regex(r"[\p{Cc}\p{Co}\p{Cn}]"), " "),
        normalizers.Replace(Regex("[’‘`´]"), "'"),
        normalizers.Replace(Regex(r"\s+"), " "),
        normalizers.Strip(),
    ]


class TextTokenizer:
    """A vocabulary of pieces or words that answers with `TokenSequence` records; immutable once
    made, so one instance may serve many threads. Whatever a file's own spelling, ``Ġ`` or ``##``,
    pieces are given as its decoder writes them, with ``▁`` for a space before.

    `special_tokens` holds by the entry of a family's config the token whose id it is; ``eos_id``
    and ``sep_id`` end a text, ``cls_id`` begins it, as does what the file's post-processor puts
    before one. Those that stand for a word, such as ``[MASK]``, may be typed; those that begin, end
    or fill a row may not, and are not spelled."""

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
        # An unknown piece may stand inside a word, an unknown word begins one.
        whole = isinstance(tokenizer.model, models.WordLevel | models.WordPiece)
        self._before_unknown = SPACE if whole else ""
        self._by_piece = isinstance(tokenizer.decoder, decoders.Metaspace)
        self._pieces = self._spelled_pieces()
        begin, end = self._template()
        self._silent |= {i for i, _ in (*begin, *end)}
        # Without a template, what a vocabulary has of these stands around every text.
        told = isinstance(tokenizer.post_processor, processors.TemplateProcessing)
        self._first = begin or (() if told else self._ends("cls_id"))
        self._last = end or (() if told else self._ends("eos_id", "sep_id"))
        self._closing = self._ends("eos_id", "sep_id")
        self._beginning: tuple[tuple[int, str], ...] = ()
        self._silent |= {i for i, _ in (*begin, *end)}

    @classmethod
    def from_file(cls, path: Path, special_tokens: Mapping[str, str] = SPECIAL) -> TextTokenizer:
        """Read `tokenizer.json`; CheckpointError where it is no tokenizer or lacks the special
        tokens."""
        tokenizer = read_vocabulary(path)
        missing = [t for t in special_tokens.values() if tokenizer.token_to_id(t) is None]
        if missing:
            message = Message.of("model-tokenizer-lacks", file=path.name, tokens=", ".join(missing))
            raise CheckpointError(message, hint=Message("model-tokenizer-hint"))
        with reading_vocabulary(path.name):
            return cls(tokenizer, special_tokens)

    def beginning_with(self, ids: Sequence[int]) -> TextTokenizer:
        """The same for a model whose every text begins with these ids, which are not spelled."""
        if not ids:
            return self
        begun = copy(self)
        begun._beginning = tuple((token_id, self._pieces[token_id]) for token_id in ids)
        begun._silent = self._silent | set(ids)
        return begun

    @property
    def spec(self) -> str:
        """All that it is, as `save` writes it."""
        return self._tokenizer.to_str()

    def save(self, path: Path) -> None:
        self._tokenizer.save(str(path))

    def with_dropout(self, p: float) -> TextTokenizer:
        """The same vocabulary that leaves out each merge with probability `p`, differently each
        time (Provilkov et al. 2020); for training."""
        spec = json.loads(self._tokenizer.to_str())
        spec["model"]["dropout"] = p
        return TextTokenizer(Tokenizer.from_str(json.dumps(spec)), self._special)

    @property
    def vocab_size(self) -> int:
        return len(self._pieces)

    @property
    def specimen(self) -> str:
        """A few words of the vocabulary, spread over it; empty where it has none."""
        return next(iter(self.specimens(1)), "") if self._words else ""

    @cached_property
    def _words(self) -> list[str]:
        return [p[1:] for p in self._pieces if p[:1] == SPACE and p[1:].isalpha()]

    def specimens(self, n: int) -> tuple[str, ...]:
        """`n` texts of a few words each, or of letters side by side where there are none, as far
        as the vocabulary has so many."""
        words = self._words or [piece for piece in self._pieces if piece.isalpha()]
        step = max(1, len(words) // _SPECIMEN)
        space = " " if self._words else ""
        made = (space.join(words[first::step][:_SPECIMEN]) for first in range(min(n, step)))
        return tuple(filter(None, made))

    @cached_property
    def lost(self) -> tuple[str, str] | None:
        """A text and what comes back of it, where that is another; None where all comes back."""
        words = self.specimen.split()
        for text in (" ".join(words), "".join(words[:2])):
            pieces = self.encode(text)
            back = self.decode(pieces.ids).text
            if back != text and not any(pieces.unknown):
                return text, back
        return None

    def id_of(self, token: str) -> int | None:
        if ABSENT in token:
            return None
        found = self._tokenizer.token_to_id(token)
        return self._tokenizer.token_to_id(token + ABSENT) if found is None else found

    def token_of(self, token_id: int) -> str:
        return self._pieces[token_id]

    def spells(self, token_id: int) -> bool:
        """Whether a piece stands for text, as special tokens do not."""
        return token_id not in self._silent and token_id != self._unk_id

    def encode(self, text: str, *, written: bool = False) -> TokenSequence:
        """Pieces of `text` and what stands around it: ``</s>`` after it, or ``[CLS]`` and
        ``[SEP]``, where the vocabulary has them. As a model has `written` it, nothing stands before
        it but what all begin with (`beginning_with`), and its end is the last. Offsets point at the
        characters of `text` that a piece spells, its leading space left out."""
        # Half a surrogate pair cannot be written in UTF-8; one stand-in keeps the offsets.
        text = _UNREADABLE.sub("\ufffd", text)
        first, last = (self._beginning, self._closing) if written else (self._first, self._last)
        pieces: list[_Piece] = [(i, token, (0, 0)) for i, token in first]
        begin = 0
        # Parts at odd places are special tokens that were typed.
        for number, part in enumerate(self._typed.split(text) if self._typed else [text]):
            if number % 2:
                pieces.append((self.id_of(part), part, (begin, begin + len(part))))
            else:
                inner = list(self._pieces_of(part, begin))
                # A sign right after a special token has no space before it, and so no piece of one.
                glued = number > 0 and inner and inner[0][1] == SPACE and not part[0].isspace()
                pieces += inner[1:] if glued else inner
            begin += len(part)
        pieces += [(i, token, (0, 0)) for i, token in last]
        ids, tokens, offsets = zip(*pieces, strict=True) if pieces else ((), (), ())
        unknown = tuple(i == self._unk_id for i in ids)
        return TokenSequence(text, ids, tokens, offsets, unknown)

    def _pieces_of(self, text: str, begin: int) -> Iterator[_Piece]:
        """Pieces of a part of a text that begins at the character `begin` of it."""
        encoding = self._encoder.encode(text, add_special_tokens=False)
        for i, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
            while start < end and text[start].isspace():
                start += 1
            # A bare "▁" at the very start would look like a special token.
            offset = (start, end) if end else (0, min(1, len(text)))
            # The reader should see which piece is unknown, not six times "<unk>".
            spelled = text[slice(*offset)] if i == self._unk_id else ""
            piece = self._before_unknown + spelled if spelled else self._pieces[i]
            yield i, piece, (offset[0] + begin, offset[1] + begin)

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of many texts, with what stands around each as in `encode`; for training."""
        encodings = self._encoder.encode_batch(list(texts), add_special_tokens=False)
        first, last = ([i for i, _ in ends] for ends in (self._first, self._last))
        return [[*first, *encoding.ids, *last] for encoding in encodings]

    def decode(self, ids: Sequence[int]) -> TokenSequence:
        """Produced ids as a text with the offsets of each piece in it."""
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
        """The text of pieces that spell the same wherever they stand."""
        text, offsets = "", []
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
        """The text as the file's decoder joins it, which may take spaces away and make a letter of
        several pieces; so signs are counted, and placed in the text when it is whole."""
        text, signs, read, spans = "", "", [], []
        for token_id in ids:
            if token_id in self._silent:
                spans.append((0, 0))
                continue
            read.append(token_id)
            text = self._tokenizer.decode(read, skip_special_tokens=False).replace(ABSENT, "")
            before, signs = signs, "".join(text.split())
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
        token = self._special.get(entry)
        return None if token is None else self._tokenizer.token_to_id(token)

    def _ends(self, *entries: str) -> tuple[tuple[int, str], ...]:
        tokens = ((self._id_for(entry), self._special.get(entry, "")) for entry in entries)
        return tuple((i, token) for i, token in tokens if i is not None)

    def _template(self) -> tuple[tuple[tuple[int, str], ...], tuple[tuple[int, str], ...]]:
        """What the file's own post-processor puts before a text and after it."""
        made = self._tokenizer.encode(self.specimen or "a")
        inner = [position for position, added in enumerate(made.special_tokens_mask) if not added]
        around = list(zip(made.ids, made.tokens, strict=True))
        if not inner:
            return (), ()
        return tuple(around[: inner[0]]), tuple(around[inner[-1] + 1 :])

    def _spelled_pieces(self) -> tuple[str, ...]:
        """Every piece as the decoder spells it after another, ``▁`` for a space."""
        size, tokenizer = self._tokenizer.get_vocab_size(), self._tokenizer
        own = tuple((tokenizer.id_to_token(i) or "").removesuffix(ABSENT) for i in range(size))
        if self._by_piece:
            return own
        special = {i for t in self._special.values() if (i := tokenizer.token_to_id(t)) is not None}
        before = next((i for i in range(size) if i not in special and own[i].isalpha()), None)
        if before is None:
            return own
        start = tokenizer.decode([before], skip_special_tokens=False)
        both = tokenizer.decode_batch([[before, i] for i in range(size)], skip_special_tokens=False)
        return tuple(
            own[i]
            if i in special or not text.startswith(start) or "\ufffd" in text
            else text[len(start) :].replace(ABSENT, "").replace(" ", SPACE)
            for i, text in enumerate(both)
        )


def _guarded(tokenizer: Tokenizer, reserved: set[str]) -> Tokenizer:
    """The same for reading what was typed, where that could come out as a reserved token. Such a
    token, and what else the file calls special, may be a piece like any other to its model; then
    it is cut after its first sign before the model sees it."""
    reserved |= {t.content for t in tokenizer.get_added_tokens_decoder().values() if t.special}
    reached = []
    for token in sorted(reserved):
        # What a typed token may become, alone and between words.
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
    own = tokenizer.pre_tokenizer
    guarded.pre_tokenizer = pre_tokenizers.Sequence([cut] if own is None else [own, cut])
    return guarded
