"""Pieces of a text in groups: words, sentences, and tokens that stand for no text."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence

from ..records.sources import TokenSequence
from ..records.tokens import SPACE

Groups = tuple[tuple[int, ...], ...]
"""Positions of the pieces of each group, in order."""
# Tokens that stand for no text, such as <s>, </s>, <|endoftext|>, <pad> or [CLS]. Tokens of
# unknown or masked text do stand for some text, and so do bytes (<0xE4>): they are excluded.
_SPECIAL = re.compile(r"<(?!unk>|mask>|0x[\dA-Fa-f]{2}>)[/|]?\w+\|?>|\[(?!UNK\]|MASK\])[A-Z]+\]")
# An abbreviation ends no sentence if a small letter follows.
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s+[^\sa-z]|\s*$)|[。！？｡]+[」』”’）]*")
# Of letter classes: letters, with joiners only between letters.
_WORD = re.compile("w+(?:jw+)*")
_JOINERS = frozenset("'’‘`´-‐‑")


def single_groups(length: int) -> Groups:
    """Return every position as a group of its own."""
    return tuple((i,) for i in range(length))


def is_special(tokens: Sequence[str]) -> tuple[bool, ...]:
    """Return True for each token that stands for no text, recognised by its spelling.

    A text that spells ``<s>`` is not mistaken for the token: its brackets are pieces of their own.
    """
    return tuple(_SPECIAL.fullmatch(token) is not None for token in tokens)


def shown_at(positions: Sequence[int], groups: Groups) -> tuple[int, ...]:
    """Return the indices of the groups that hold any of these positions."""
    wanted = set(positions)
    return tuple(number for number, group in enumerate(groups) if not wanted.isdisjoint(group))


def word_groups(sequence: TokenSequence) -> Groups:
    """Return the positions of the pieces of each word; punctuation and special tokens stay alone.

    A word is a run of letters, digits and their accents, with the apostrophes and hyphens inside
    it, so "didn't" is one. A piece that is only a space belongs to the piece after it. The groups
    hold every position once, in order.
    """
    words = list(_WORD.finditer("".join(map(_letter_class, sequence.text))))
    groups: list[list[int]] = []
    previous: int | None = None  # the word of the piece before
    space_before = False
    for position, (token, (start, end)) in enumerate(
        zip(sequence.tokens, sequence.offsets, strict=True)
    ):
        bare = token != "" and not token.strip(SPACE)
        special = (start, end) == (0, 0) and not bare
        word = None
        if not special and not bare:
            word = next(
                (n for n, w in enumerate(words) if w.start() < end and start < w.end()), None
            )
        if groups and ((space_before and not special) or (word is not None and word == previous)):
            groups[-1].append(position)
        else:
            groups.append([position])
        previous = word
        space_before = bare
    return tuple(map(tuple, groups))


def sentence_groups(sequence: TokenSequence) -> Groups:
    """Return the positions of the pieces of each sentence; special tokens stay alone.

    A sentence ends at ``.``, ``!``, ``?`` or their full-width forms, with quotes and brackets
    behind them, before a space or the end of the text.
    """
    ends = [end.end() for end in _SENTENCE_END.finditer(sequence.text)]
    groups: list[list[int]] = []
    previous: int | None = None  # the sentence of the piece before
    for position, (token, (start, end)) in enumerate(
        zip(sequence.tokens, sequence.offsets, strict=True)
    ):
        special = (start, end) == (0, 0) and token.strip(SPACE) != ""
        sentence = None if special else bisect_right(ends, max(start, end - 1))
        if groups and sentence is not None and sentence == previous:
            groups[-1].append(position)
        else:
            groups.append([position])
        previous = sentence
    return tuple(map(tuple, groups))


def read_groups(produced: Groups, length: int) -> Groups:
    """Return groups of the tokens *read*: ``<s>``, then all but the last of those produced.

    `produced`: groups of the tokens produced. `length`: number of positions, the same for both.
    """
    # The decoder reads ``<s>`` first, and never reads the last token that it writes.
    shifted = (tuple(i + 1 for i in group if i + 1 < length) for group in produced)
    return ((0,), *(group for group in shifted if group))


def _letter_class(character: str) -> str:
    """Classify a character: "w" in a word, "j" joiner inside a word, " " neither."""
    if character in _JOINERS:
        return "j"
    category = unicodedata.category(character)
    # The tokenizer drops format characters, so they split no word.
    return "w" if category[0] in "LMN" or category == "Cf" else " "
