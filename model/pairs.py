"""Text files of sentences, of pairs and of their gold alignments, one a line.

Faults are found before anything is computed, and named by their line, which counts from 1.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from core.gold import Gold, LinksError, read_links, word_spans
from words import Message

from .errors import InputError

SEPARATORS = ("\t", "|||")
"""Separators of source and target; the first that a line has counts."""
STANDARD_INPUT = Path("-")
Pair = tuple[str, str]


def read_lines(path: Path) -> list[str]:
    """Return the lines of a UTF-8 file, or of standard input for "-".

    Raises OSError if the file cannot be read, otherwise as `lines_in`.
    """
    data = sys.stdin.buffer.read() if path == STANDARD_INPUT else path.read_bytes()
    return lines_in(str(path), data)


def lines_in(name: str, data: bytes) -> list[str]:
    """Return the lines of the content of a file called `name`.

    Lines end in a newline only: other separators of Unicode may occur in a sentence. Raises
    InputError if there are no lines or a line is not UTF-8.
    """
    texts = list(decoded_lines(name, data.removesuffix(b"\n").split(b"\n")))
    if texts == [""]:
        raise InputError(Message.of("lines-none", file=name))
    return texts


def decoded_lines(name: str, lines: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines of a file called `name` as texts, without the ends of lines.

    Raises InputError for a line that is not UTF-8.
    """
    for number, line in enumerate(lines, start=1):
        start = codecs.BOM_UTF8 if number == 1 else b""
        text = _decoded(line.removeprefix(start).removesuffix(b"\n").removesuffix(b"\r"))
        if text is None:
            message = Message.of("lines-encoding", file=name, line=number)
            raise InputError(message, hint=Message("lines-encoding-hint"))
        yield text


def _decoded(line: bytes) -> str | None:
    """Return a line as text, or None if it is not UTF-8."""
    # ASCII in UTF-16 is valid UTF-8, with a NUL beside every letter.
    if b"\0" in line:
        return None
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return None


def read_pairs(path: Path) -> list[Pair]:
    """Return the pairs of a file; raises InputError for a line that is not two texts."""
    return pairs_in(str(path), read_lines(path))


def pairs_in(name: str, lines: Sequence[str]) -> list[Pair]:
    """Return the pairs of the lines of a file called `name`; otherwise as `read_pairs`."""
    return [pair_in(name, number, line) for number, line in enumerate(lines, start=1)]


def pair_in(name: str, number: int, line: str) -> Pair:
    """Return the pair of one line; InputError names the line `number` of the file."""
    parts = [part.strip() for part in line.split(separator_of(line) or SEPARATORS[0])]
    if len(parts) != 2:
        raise InputError(
            Message.of("lines-columns", file=name, line=number, n=len(parts)),
            hint=Message("lines-columns-hint"),
        )
    return parts[0], parts[1]


def separator_of(line: str) -> str | None:
    """Return the first of `SEPARATORS` that occurs in a line, or None."""
    return next((sign for sign in SEPARATORS if sign in line), None)


def read_gold(path: Path, pairs: Sequence[Pair], first: int = 0) -> list[Gold]:
    """Return the gold alignment of each pair, whose words count from `first`.

    Raises InputError as `gold_in`.
    """
    return gold_in(str(path), read_lines(path), pairs, first)


def gold_in(name: str, lines: Sequence[str], pairs: Sequence[Pair], first: int = 0) -> list[Gold]:
    """Return the links of each pair in the lines of a file called `name`.

    Raises InputError if there are not as many lines, or a line has something other than links of
    the words of its pair.
    """
    if len(lines) != len(pairs):
        raise InputError(Message.of("lines-count", file=name, n=len(lines), expected=len(pairs)))
    return [
        links_in(name, number, line, pair, first)
        for number, (line, pair) in enumerate(zip(lines, pairs, strict=True), start=1)
    ]


def links_in(name: str, number: int, text: str, pair: Pair, first: int = 0) -> Gold:
    """Return the links of one pair; InputError names the line `number` of the file."""
    source, target = pair
    try:
        return read_links(text, len(word_spans(source)), len(word_spans(target)), first)
    except LinksError as error:
        fault = Message.of("lines-gold", file=name, line=number, fault=error.message)
        raise InputError(fault, hint=Message("lines-gold-hint")) from error
