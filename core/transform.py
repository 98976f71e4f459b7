"""Attention with pieces merged into words or special tokens left out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .attention import AttentionMap, AttentionRecord
from .sources import DocumentSource
from .tokens import SPACE, TokenSequence

Groups = tuple[tuple[int, ...], ...]
SpecialTokens = Literal["show", "hide", "renormalise"]
# Tokens that stand for no text, such as <s>, </s>, <|endoftext|>, <pad> or [CLS]. Those for an
# unknown or a hidden text do stand for some, so they are not among them.
_SPECIAL = re.compile(r"<(?!unk>|mask>)[/|]?\w+\|?>|\[(?!UNK\]|MASK\])[A-Z]+\]")
_WORD = re.compile("w+(?:jw+)*")
_JOINERS = frozenset("'’‘`´-‐‑")


@dataclass(frozen=True, eq=False)
class Regrouped:
    """An attention map as shown, and where its rows and columns come from."""

    attention: AttentionMap  # the map as shown
    # query_groups, key_groups: for each row and column shown, the positions of the original map it
    # stands for, in order
    query_groups: Groups
    key_groups: Groups
    # mean weight of a row that fell on columns left out, before any re-normalisation; 0 when none
    # is left out
    hidden_mass: float = 0.0
    special: SpecialTokens = "show"  # what was asked for the special tokens
    # rows shown, as positions of `attention`, that have a head with nothing left on the columns
    # shown, so that re-normalising it was impossible and its weights are 0
    empty_rows: tuple[int, ...] = ()

    @property
    def merged(self) -> bool:
        """Whether a row or a column stands for more than one position."""
        return any(len(group) > 1 for group in (*self.query_groups, *self.key_groups))


def single_groups(length: int) -> Groups:
    """Every position on its own."""
    return tuple((i,) for i in range(length))


def is_special(tokens: Sequence[str]) -> tuple[bool, ...]:
    """True for each token that stands for no text, known by its spelling.

    A text that spells ``<s>`` is not mistaken for the token: its brackets are pieces of their own.
    """
    return tuple(_SPECIAL.fullmatch(token) is not None for token in tokens)


def shown_at(positions: Sequence[int], groups: Groups) -> tuple[int, ...]:
    """The numbers of the groups that hold any of these positions."""
    wanted = set(positions)
    return tuple(number for number, group in enumerate(groups) if wanted & set(group))


def word_groups(sequence: TokenSequence) -> Groups:
    """Positions of the pieces of each word; punctuation and special tokens stay alone.

    A word is a run of letters, digits and their accents, with the apostrophes and hyphens inside
    it, so "didn't" is one. A piece that is nothing but a space belongs to what follows it. The
    groups hold every position once, in order.
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
        previous, space_before = word, bare
    return tuple(map(tuple, groups))


def read_groups(produced: Groups, length: int) -> Groups:
    """Groups of the tokens *read*, ``<s>`` and then all but the last of those produced.

    `produced`: groups of the tokens produced. `length`: number of positions, the same for both.
    """
    shifted = (tuple(i + 1 for i in group if i + 1 < length) for group in produced)
    return ((0,), *(group for group in shifted if group))


def groups_for(
    record: AttentionRecord, site: str, *, produced: bool, item: int = 0
) -> tuple[Groups, Groups]:
    """Rows and columns of a map by words: (query_groups, key_groups).

    Sides that are no text, such as the cells of a grid, keep every position on its own. `produced`:
    rows of the target go by the words produced, not by those read; its columns are always tokens
    read. Makes no difference for other sides. Raises KeyError: the record has no such map. Raises
    ValueError: the record has no target, which the site names.
    """
    attention = record.of(site, item)
    query, key = attention.site.query, attention.site.key
    return (
        _side_groups(record, query, item, len(attention.query_tokens), produced),
        _side_groups(record, key, item, len(attention.key_tokens), produced=False),
    )


def _side_groups(
    record: AttentionRecord, side: str, item: int, length: int, produced: bool
) -> Groups:
    src = record.src
    if side == "target":
        if record.tgt is None:
            raise ValueError("a target that is missing has no words")
        written = word_groups(record.tgt)
        return written if produced else read_groups(written, length)
    if side == "source" and isinstance(src, TokenSequence):
        return word_groups(src)
    if side == "words" and isinstance(src, DocumentSource):
        return word_groups(src.sentences[item])
    return single_groups(length)


def regroup(
    attention: AttentionMap,
    *,
    query_groups: Groups | None = None,
    key_groups: Groups | None = None,
    special: SpecialTokens = "show",
    produced: bool | None = None,
) -> Regrouped:
    """Sum over the keys of a group, mean over its queries; rows still sum to one.

    `query_groups`, `key_groups`: rows and columns to show, each position on its own unless given.
    Positions in no group are left out. `special`: "hide" leaves out the rows and columns that are
    special tokens and nothing else; the weights stay as they are, so rows sum to less than one.
    "renormalise" then divides every row by what is left of it; a row with nothing left becomes 0.
    Nothing is left out where nothing would remain. `produced`: what makes a decoder row special:
    the token it produces (True), the one it reads (False), or only both together (None).
    The map has the weights (L, H, rows shown, columns shown), the tokens of a group
    joined into one, and a mask that is True where any query of a group may look at any of its keys.
    Scores are kept only where every row and column is a single position.
    """
    rows = query_groups or single_groups(len(attention.query_tokens))
    columns = key_groups or single_groups(len(attention.key_tokens))
    if special != "show":
        rows = _without(rows, _special_rows(attention, produced))
        columns = _without(columns, is_special(attention.key_tokens))
    alone = all(len(group) == 1 for group in (*rows, *columns))
    q, k = _members(rows, len(attention.query_tokens)), _members(columns, len(attention.key_tokens))
    if alone:
        weights = _picked(attention.weights, rows, columns)
        mask = None if attention.mask is None else _picked(attention.mask, rows, columns)
    else:
        mean = q / q.sum(axis=1, keepdims=True)
        weights = (mean @ (attention.weights @ k.T)).astype(np.float32)
        mask = None if attention.mask is None else q @ attention.mask @ k.T > 0
    left = weights.sum(axis=-1)
    covered = len({i for group in columns for i in group}) == len(attention.key_tokens)
    hidden = 0.0 if covered else _hidden_mass(attention, rows, left)
    empty: tuple[int, ...] = ()
    if special == "renormalise" and not covered:
        weights = weights / np.where(left > 0, left, 1.0)[..., None]
        empty = tuple(int(i) for i in np.nonzero((left <= 0).any(axis=(0, 1)))[0])
    output = attention.output_tokens
    shown = AttentionMap(
        site=attention.site,
        weights=weights,
        query_tokens=_joined(attention.query_tokens, rows),
        key_tokens=_joined(attention.key_tokens, columns),
        output_tokens=None if output is None else _joined(output, rows),
        scores=_picked(attention.scores, rows, columns)
        if alone and attention.scores is not None
        else None,
        mask=mask,
        item=attention.item,
        measure=attention.measure,
    )
    return Regrouped(shown, rows, columns, hidden, special, empty)


def _letter_class(character: str) -> str:
    if character in _JOINERS:
        return "j"
    category = unicodedata.category(character)
    # The tokenizer drops format characters, so they part no word.
    return "w" if category[0] in "LMN" or category == "Cf" else " "


def _special_rows(attention: AttentionMap, produced: bool | None) -> tuple[bool, ...]:
    read = is_special(attention.query_tokens)
    if attention.output_tokens is None or produced is False:
        return read
    written = is_special(attention.output_tokens)
    return written if produced else tuple(a and b for a, b in zip(read, written, strict=True))


def _without(groups: Groups, unwanted: Sequence[bool]) -> Groups:
    """The groups that are not unwanted throughout; all of them if none would remain."""
    return tuple(group for group in groups if not all(unwanted[i] for i in group)) or groups


def _members(groups: Groups, length: int) -> np.ndarray:
    """Float array (groups, length), 1 where a position belongs to the group."""
    members = np.zeros((len(groups), length), dtype=np.float64)
    for n, group in enumerate(groups):
        members[n, list(group)] = 1.0
    return members


def _picked(values: np.ndarray, rows: Groups, columns: Groups) -> np.ndarray:
    """`values` (..., T_q, T_k) at groups of one position each."""
    q, k = [row[0] for row in rows], [column[0] for column in columns]
    return values[..., q, :][..., k]


def _hidden_mass(attention: AttentionMap, rows: Groups, left: np.ndarray) -> float:
    whole = attention.weights.sum(axis=-1, dtype=np.float64)
    before = np.stack([whole[..., list(row)].mean(axis=-1) for row in rows], axis=-1)
    return max(0.0, float((before - left).mean()))


def _joined(tokens: Sequence[str], groups: Groups) -> tuple[str, ...]:
    return tuple("".join(tokens[i] for i in group) for group in groups)
