"""Text files of sentences, of pairs and of their gold alignments, one a line.

Faults are found before anything is computed, and named by their line, which counts from 1.
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Sequence
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

    Lines end in a newline only: other separators of Unicode may occur in a sentence. Raises OSError
    if the file cannot be read, InputError if it has no lines or is not UTF-8.
    """
    data = sys.stdin.buffer.read() if path == STANDARD_INPUT else path.read_bytes()
    lines = data.removeprefix(codecs.BOM_UTF8).removesuffix(b"\n").split(b"\n")
    texts = []
    for number, line in enumerate(lines, start=1):
        try:
            texts.append(line.removesuffix(b"\r").decode("utf-8"))
        except UnicodeDecodeError as error:
            message = Message.of("lines-encoding", file=str(path), line=number)
            raise InputError(message, hint=Message("lines-encoding-hint")) from error
    if texts == [""]:
        raise InputError(Message.of("lines-none", file=str(path)))
    return texts


def read_pairs(path: Path) -> list[Pair]:
    """Return the pairs of a file; raises InputError for a line that is not two texts."""
    pairs = []
    for number, line in enumerate(read_lines(path), start=1):
        separator = next((sign for sign in SEPARATORS if sign in line), SEPARATORS[0])
        parts = [part.strip() for part in line.split(separator)]
        if len(parts) != 2:
            raise InputError(
                Message.of("lines-columns", file=str(path), line=number, n=len(parts)),
                hint=Message("lines-columns-hint"),
            )
        pairs.append((parts[0], parts[1]))
    return pairs


def read_gold(path: Path, pairs: Sequence[Pair], first: int = 0) -> list[Gold]:
    """Return the gold alignment of each pair, whose words count from `first`.

    Raises InputError if there are not as many lines, or a line has something other than links of
    the words of its pair.
    """
    lines = read_lines(path)
    if len(lines) != len(pairs):
        raise InputError(
            Message.of("lines-count", file=str(path), n=len(lines), expected=len(pairs))
        )
    golds = []
    for number, (line, (source, target)) in enumerate(zip(lines, pairs, strict=True), start=1):
        n_source = len(word_spans(source))
        n_target = len(word_spans(target))
        try:
            golds.append(read_links(line, n_source, n_target, first))
        except LinksError as error:
            fault = Message.of("lines-gold", file=str(path), line=number, fault=error.message)
            raise InputError(fault, hint=Message("lines-gold-hint")) from error
    return golds
