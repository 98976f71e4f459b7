"""Text to pieces and back, over the `tokenizers` library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from records import TokenSequence
from words import Message

from .errors import CheckpointError

PAD, UNK, BOS, EOS = "<pad>", "<unk>", "<s>", "</s>"
SPECIAL_TOKENS = (PAD, UNK, BOS, EOS)
CLS, SEP, MASK = "[CLS]", "[SEP]", "[MASK]"
"""What stands before and after a sentence for an encoder alone (Devlin et al. 2019), and in the
place of a word."""
_AROUND = (*SPECIAL_TOKENS, CLS, SEP)
SPACE = "▁"
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_WORD_OR_SIGN = r"[\p{L}\p{M}\p{N}]+(?:['-][\p{L}\p{M}\p{N}]+)*|[^\s\p{L}\p{M}\p{N}]"
_Piece = tuple[int, str, tuple[int, int]]  # id, spelling, characters of the text


def build_tokenizer(
    texts: Iterable[str],
    vocab_size: int,
    special_tokens: Sequence[str] = SPECIAL_TOKENS,
    *,
    alphabet: int = 400,
) -> TextTokenizer:
    """Learn a joint byte-pair vocabulary (Sennrich et al. 2016) from source and target texts.

    The `alphabet` most frequent characters are pieces of their own; a Korean syllable is one.

    Text is brought to Unicode NFC, control characters and runs of spaces become one space, curly
    apostrophes straight ones. Words carry ``▁`` for the space before them; punctuation stands
    alone. The special tokens take the ids from 0 on, in their order.
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
    return TextTokenizer(tokenizer, special_tokens)


def build_word_tokenizer(
    texts: Iterable[str],
    vocab_size: int,
    special_tokens: Sequence[str] = (PAD, UNK),
    *,
    min_frequency: int = 1,
) -> TextTokenizer:
    """Learn a vocabulary of whole words in lower case; what is rare or new is ``<unk>``.

    Cleaned as by `build_tokenizer`. A word may hold apostrophes and hyphens, any other sign stands
    alone. The special tokens take the ids from 0 on, in their order; without ``</s>`` among them
    no text ends in it.
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
    return TextTokenizer(tokenizer, special_tokens)


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
    """A vocabulary of pieces or words that answers with `TokenSequence` records.

    Immutable once made, so one instance may serve many threads. Special tokens that stand for a
    word, such as ``[MASK]``, may be typed; those that begin, end or fill a row may not.
    """

    def __init__(
        self, tokenizer: Tokenizer, special_tokens: Sequence[str] = SPECIAL_TOKENS
    ) -> None:
        # "<s>" typed by a user is text, not the special token.
        tokenizer.encode_special_tokens = True
        self._tokenizer = tokenizer
        typed = [re.escape(token) for token in special_tokens if token not in _AROUND]
        self._typed = re.compile(f"({'|'.join(typed)})") if typed else None
        self._unk_id = tokenizer.token_to_id(UNK)
        # What a vocabulary has of these stands around every text.
        self._first, self._last = (
            tuple((i, token) for token in ends if (i := tokenizer.token_to_id(token)) is not None)
            for ends in ((CLS,), (EOS, SEP))
        )
        # An unknown piece may stand inside a word, an unknown word begins one.
        self._before_unknown = SPACE if isinstance(tokenizer.model, models.WordLevel) else ""
        self._pieces = tuple(
            tokenizer.id_to_token(i) or "" for i in range(tokenizer.get_vocab_size())
        )

    @classmethod
    def from_file(cls, path: Path, special_tokens: Sequence[str] = SPECIAL_TOKENS) -> TextTokenizer:
        """Read `tokenizer.json`.

        Raises
        ------
        CheckpointError : the file is not a tokenizer or lacks the special tokens.
        """
        hint = Message("model-tokenizer-hint")
        try:
            tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises plain Exception
            told = Message.of("model-tokenizer-unreadable", file=path.name, error=str(error))
            raise CheckpointError(told, hint=hint) from error
        missing = [t for t in special_tokens if tokenizer.token_to_id(t) is None]
        if missing:
            told = Message.of("model-tokenizer-lacks", file=path.name, tokens=", ".join(missing))
            raise CheckpointError(told, hint=hint)
        return cls(tokenizer, special_tokens)

    def save(self, path: Path) -> None:
        self._tokenizer.save(str(path))

    def with_dropout(self, p: float) -> TextTokenizer:
        """The same vocabulary that leaves out each merge with probability `p`, differently each
        time (Provilkov et al. 2020); for training."""
        spec = json.loads(self._tokenizer.to_str())
        spec["model"]["dropout"] = p
        return TextTokenizer(Tokenizer.from_str(json.dumps(spec)))

    @property
    def vocab_size(self) -> int:
        return len(self._pieces)

    def id_of(self, token: str) -> int | None:
        return self._tokenizer.token_to_id(token)

    def token_of(self, token_id: int) -> str:
        return self._pieces[token_id]

    def encode(self, text: str) -> TokenSequence:
        """Pieces of `text` followed by ``</s>``, or between ``[CLS]`` and ``[SEP]``, where the
        vocabulary has them.

        Offsets point at the characters of `text` that a piece spells, its leading space left out.
        """
        # Half a surrogate pair cannot be written in UTF-8; one stand-in keeps the offsets.
        text = _HALF_PAIR.sub("\ufffd", text)
        pieces: list[_Piece] = [(i, token, (0, 0)) for i, token in self._first]
        begin = 0
        # Parts at odd places are special tokens that were typed.
        for number, part in enumerate(self._typed.split(text) if self._typed else [text]):
            if number % 2:
                pieces.append((self.id_of(part), part, (begin, begin + len(part))))
            else:
                found = list(self._pieces_of(part, begin))
                # A sign right after a special token has no space before it, and so no piece of one.
                glued = number > 0 and found and found[0][1] == SPACE and not part[0].isspace()
                pieces += found[1:] if glued else found
            begin += len(part)
        pieces += [(i, token, (0, 0)) for i, token in self._last]
        ids, tokens, offsets = zip(*pieces, strict=True) if pieces else ((), (), ())
        unknown = tuple(i == self._unk_id for i in ids)
        return TokenSequence(text, ids, tokens, offsets, unknown)

    def _pieces_of(self, text: str, begin: int) -> Iterator[_Piece]:
        """Pieces of a part of a text that begins at the character `begin` of it."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        for i, token, (start, end) in zip(
            encoding.ids, encoding.tokens, encoding.offsets, strict=True
        ):
            while start < end and text[start].isspace():
                start += 1
            # A bare "▁" at the very start would look like a special token.
            offset = (start, end) if end else (0, min(1, len(text)))
            yield i, self._piece_of(token, i, text, offset), (offset[0] + begin, offset[1] + begin)

    def _piece_of(self, token: str, token_id: int, text: str, offset: tuple[int, int]) -> str:
        # The reader should see which piece is unknown, not six times "<unk>".
        found = text[slice(*offset)] if token_id == self._unk_id else ""
        return self._before_unknown + found if found else token

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of many texts, with what stands around each as in `encode`; for training."""
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        first, last = ([i for i, _ in ends] for ends in (self._first, self._last))
        return [[*first, *encoding.ids, *last] for encoding in encodings]

    def decode(self, ids: Sequence[int]) -> TokenSequence:
        """Produced ids as a text with the offsets of each piece in it."""
        text = ""
        offsets = []
        tokens = []
        for token_id in ids:
            token = self._pieces[token_id]
            tokens.append(token)
            if token in (PAD, BOS, EOS, CLS, SEP):
                offsets.append((0, 0))
                continue
            spelled = token.replace(SPACE, " ")
            if not text:
                spelled = spelled.lstrip(" ")
            start = len(text) + (len(spelled) - len(spelled.lstrip(" ")))
            text += spelled
            offsets.append((start, len(text)) if len(text) else (0, 0))
        return TokenSequence(
            text=text,
            ids=tuple(int(i) for i in ids),
            tokens=tuple(tokens),
            offsets=tuple(offsets),
            unknown=tuple(int(i) == self._unk_id for i in ids),
        )
