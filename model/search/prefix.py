"""Typed beginning of a translation, whose last word may be incomplete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.records.sources import TokenSequence
from core.records.tokens import SPACE

from .beam import Allowed


@dataclass(frozen=True)
class TypedPrefix:
    """Typed beginning, split into settled ids and an open rest."""

    ids: tuple[int, ...]  # of all words but the last; every hypothesis begins with them
    rest: str = ""  # last word as typed so far, in the vocabulary's spelling
    may_end: bool = False  # True if ``</s>`` may follow instead of the rest


def read_prefix(pieces: TokenSequence) -> TypedPrefix:
    """Settle all words of a typed beginning but its last, given its pieces with ``</s>``.

    Forcing the pieces of a half-typed word would forbid most of its continuations: "Ti" is one
    piece, "Tier" another, and a model that writes "Tier" never writes "Ti" and "er". So the last
    word is left to the search, which may spell it with any pieces that begin with what was typed.
    "Das Ti" settles "Das", and the next word begins with "Ti", be it "Tier" or "Tiger"; "Das Tier "
    (with the space) settles "Das Tier", and a new word or the end follows; "Das Tier," settles
    everything.
    """
    text = pieces.text
    ids = pieces.ids[:-1]
    tokens = pieces.tokens[:-1]
    if all(pieces.special):
        return TypedPrefix(ids)
    if text[-1].isspace():
        return TypedPrefix(ids, SPACE, may_end=True)
    # Punctuation ends a word; nothing is left open.
    if not text[-1].isalnum():
        return TypedPrefix(ids)
    start = len(tokens) - 1
    first = pieces.special.index(False)
    # Walk back to the beginning of the last word: a space, or a piece that ends in punctuation.
    while start > first and not tokens[start].startswith(SPACE):
        before = tokens[start - 1][-1]
        if before != SPACE and not before.isalnum():
            break
        start -= 1
    return TypedPrefix(ids[:start], "".join(tokens[start:]))


def unknown_pieces(pieces: TokenSequence) -> tuple[str, ...]:
    """Return the pieces that the vocabulary lacks, each once."""
    unknown = (token for token, lacks in zip(pieces.tokens, pieces.unknown, strict=True) if lacks)
    return tuple(dict.fromkeys(unknown))


def spelling_out(prefix: TypedPrefix, spellings: Sequence[str], eos_id: int) -> Allowed | None:
    """Return the rule for `beam_search` that the output continues with ``prefix.rest``.

    `spellings` holds the spelling of each id, "" for tokens that spell nothing. Returns None
    without a rest.
    """
    if not prefix.rest:
        return None

    def allowed(ids: tuple[int, ...]) -> Tensor | None:
        # Ids that are written already use up a part of the rest.
        rest = prefix.rest
        for token_id in ids:
            rest = rest[len(spellings[token_id]) :]
        if not rest:
            return None
        # A piece may go beyond what was typed, or spell a part of it.
        fits = [bool(s) and (s.startswith(rest) or rest.startswith(s)) for s in spellings]
        if prefix.may_end and not ids:
            fits[eos_id] = True
        return torch.tensor(fits)

    return allowed
