"""Tokens of other people's tokenizers, spelt with this app's sign for a preceding space.

Conventions are recognised from the tokens of a text together: ``▁`` (SentencePiece, with bytes as
``<0xE4>``), ``Ġ`` and the bytes of byte-level BPE, ``</w>`` at the end of a word (GPT, XLM, FSMT),
``@@`` where a word goes on (subword-nmt, fairseq), plain spaces, and ``##`` (WordPiece).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from .records.sources import TokenSequence
from .records.tokens import SPACE
from .weights.groups import is_special

WORD_END = "</w>"
CONTINUED = "@@"
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
# Characters that byte-level BPE uses for the bytes of UTF-8 (`bytes_to_unicode` of GPT-2):
# printable Latin-1 stands for itself, other bytes for the characters after 255.
_SEEN = (*range(33, 127), *range(161, 173), *range(174, 256))
_UNSEEN = (byte for byte in range(256) if byte not in _SEEN)
_BYTES = {chr(byte): byte for byte in _SEEN} | {chr(n): b for n, b in enumerate(_UNSEEN, 256)}


@dataclass(frozen=True)
class TokenSpelling:
    """Tokens of one side as this app spells them."""

    labels: tuple[str, ...]
    sequence: TokenSequence
    parted: str  # first label of a part of a character, "" if there is none


def spelt(tokens: Sequence[str]) -> TokenSpelling:
    """Spell tokens with this app's sign for a preceding space, whatever their tokenizer.

    Tokens that share a character are labelled with everything they spell, and numbered. The ids are
    unknown, -1.
    """
    groups = _groups(tokens)
    text = ""
    labels = []
    offsets = []
    for piece, n in groups:
        special = is_special([piece])[0]
        start = len(text)
        read = piece.replace(SPACE, " ")
        text += "" if special else read if text else read.lstrip()
        labels += [piece] if n == 1 else [f"{piece}({part}/{n})" for part in range(1, n + 1)]
        offsets += [(0, 0) if special else (start, len(text))] * n
    sequence = TokenSequence(text, (-1,) * len(labels), tuple(labels), tuple(offsets))
    parted = next((f"{piece}(1/{n})" for piece, n in groups if n > 1), "")
    return TokenSpelling(tuple(labels), sequence, parted)


def _groups(tokens: Sequence[str]) -> list[tuple[str, int]]:
    """Return the texts of the tokens, each with the number of tokens that spell it.

    That is more than one for a split character.
    """
    special = is_special(tokens)
    if any(SPACE in token or _BYTE.fullmatch(token) for token in tokens):
        return list(_decoded(tokens, [_fallback_byte(token) for token in tokens]))
    encoded = [
        None if is_special_token else _bytes(token)
        for token, is_special_token in zip(tokens, special, strict=True)
    ]
    if any(token.startswith("Ġ") for token in tokens):
        return _with_first_space(_decoded(tokens, encoded))
    if _marks_an_end(WORD_END, tokens):
        return list(_words(tokens, special, _cut_ended))
    if _marks_an_end(CONTINUED, tokens):
        return list(_words(tokens, special, _cut_continued))
    if _is_byte_level(encoded, special):
        return _with_first_space(_decoded(tokens, encoded))
    if any(token.startswith(" ") for token in tokens):
        return _with_first_space((token, 1) for token in tokens)
    return list(_word_pieces(tokens, special))


def _marks_an_end(sign: str, tokens: Sequence[str]) -> bool:
    """Return True if a token ends with `sign`; the sign alone is a token like others."""
    return any(token.endswith(sign) and token != sign for token in tokens)


def _with_first_space(groups: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return texts with the sign for their spaces, and with one before the first word.

    Tokenizers of these conventions put no space before the first word of a text.
    """
    spelled = [(text.replace(" ", SPACE), n) for text, n in groups]
    special = is_special([text for text, _ in spelled])
    for i, (text, n) in enumerate(spelled):
        if not special[i]:
            spelled[i] = (SPACE + text.removeprefix(SPACE), n)
            break
    return spelled


def _words(
    tokens: Sequence[str], special: Sequence[bool], cut: Callable[[str], tuple[str, bool]]
) -> Iterator[tuple[str, int]]:
    """Yield tokens as `cut` spells them, which also says if the word ends with the token."""
    begins = True
    for token, is_special_token in zip(tokens, special, strict=True):
        if is_special_token:
            yield token, 1
            begins = True
            continue
        text, ends = cut(token)
        yield SPACE * begins + text, 1
        begins = ends


def _cut_ended(token: str) -> tuple[str, bool]:
    """Spell a token in which ``</w>`` marks the last piece of a word."""
    return token.removesuffix(WORD_END), token.endswith(WORD_END)


def _cut_continued(token: str) -> tuple[str, bool]:
    """Spell a token in which ``@@`` marks a piece whose word goes on."""
    # A lone sign is a piece of its own.
    goes_on = token.endswith(CONTINUED) and token != CONTINUED
    return (token.removesuffix(CONTINUED) if goes_on else token), not goes_on


def _word_pieces(tokens: Sequence[str], special: Sequence[bool]) -> Iterator[tuple[str, int]]:
    """Yield tokens in which ``##`` marks a piece without a space before it."""
    for token, is_special_token in zip(tokens, special, strict=True):
        if is_special_token:
            yield token, 1
        elif token.startswith("##"):
            yield token[2:], 1
        else:
            yield SPACE + token, 1


def _is_byte_level(encoded: Sequence[bytes | None], special: Sequence[bool]) -> bool:
    """Return True for bytes that form UTF-8 beyond ASCII, whose end may be cut.

    Byte-level BPE has no sign for a space in a text without spaces, such as Chinese.
    """
    ordinary = [
        data
        for data, is_special_token in zip(encoded, special, strict=True)
        if not is_special_token
    ]
    if None in ordinary:
        return False
    data = b"".join(filter(None, encoded))
    try:
        text, _ = codecs.utf_8_decode(data, "strict", False)
    except UnicodeDecodeError:
        return False
    return not text.isascii()


def _decoded(tokens: Sequence[str], encoded: Sequence[bytes | None]) -> Iterator[tuple[str, int]]:
    """Yield the text of the fewest tokens that end with a whole character, and their number.

    A special token, or one that begins with invalid UTF-8, is yielded as it is.
    """
    start = 0
    while start < len(tokens):
        data = b""
        text = tokens[start]
        end = start + 1
        for position in range(start, len(tokens)):
            part = encoded[position]
            if part is None:
                break
            data += part
            try:
                # Not final: an incomplete character at the end is no error but is not consumed.
                decoded, n_bytes = codecs.utf_8_decode(data, "strict", False)
            except UnicodeDecodeError:
                break
            if n_bytes == len(data):
                text = decoded
                end = position + 1
                break
        yield text, end - start
        start = end


def _bytes(token: str) -> bytes | None:
    """Return the bytes that a token of byte-level BPE stands for; None if it is no such token."""
    return bytes(map(_BYTES.__getitem__, token)) if _BYTES.keys() >= {*token} else None


def _fallback_byte(token: str) -> bytes | None:
    """Return the byte that SentencePiece spells as ``<0xE4>``; None for another token."""
    match = _BYTE.fullmatch(token)
    return None if match is None else bytes([int(match[1], 16)])
