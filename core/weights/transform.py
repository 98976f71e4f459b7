"""Attention with pieces merged into words, or without special tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np

from ..records.attention import AttentionMap, AttentionRecord
from ..records.head_weights import HeadWeights, row_sums
from ..records.sources import DocumentSource, TokenSequence
from .groups import Groups, is_special, read_groups, single_groups, word_groups
from .pooling import merged, part_of

SpecialTokens = Literal["show", "hide", "renormalise"]


@dataclass(frozen=True, eq=False)
class Regrouped:
    """Attention map as shown, and the origin of its rows and columns."""

    attention: AttentionMap  # the map as shown
    # query_groups, key_groups: for each row and column shown, the positions of the original map it
    # stands for, in order
    query_groups: Groups
    key_groups: Groups
    # mean weight of a row that fell on columns left out, before any re-normalisation; 0 when none
    # is left out
    hidden_mass: float = 0.0
    special: SpecialTokens = "show"  # treatment of special tokens
    # rows of `attention` that have a head with no weight left on the columns
    # shown, so that re-normalising it was impossible and its weights are 0
    empty_rows: tuple[int, ...] = ()

    @property
    def merged(self) -> bool:
        """True if a row or a column stands for more than one position."""
        return any(len(group) > 1 for group in (*self.query_groups, *self.key_groups))


def groups_for(
    record: AttentionRecord,
    site: str,
    *,
    produced: bool,
    item: int = 0,
    grouped: Callable[[TokenSequence], Groups] | None = None,
) -> tuple[Groups, Groups]:
    """Group rows and columns of a map by words: (query_groups, key_groups).

    Sides that are no text, such as the cells of a grid, keep every position on its own.

    Parameters
    ----------
    record : AttentionRecord
    site : str
    produced : bool
        Group rows of the target by the words produced, not by those read. Its columns are always
        tokens read; other sides are not affected.
    item : int
        Index among several maps of the site.
    grouped : function, optional
        Groups of a text, by default `word_groups`; or `sentence_groups`.

    Raises
    ------
    KeyError : the record has no such map.
    ValueError : the record has no target, which the site names.
    """
    attention = record.of(site, item)
    query = attention.site.query
    key = attention.site.key
    return (
        _side_groups(record, query, item, len(attention.query_tokens), produced, grouped),
        _side_groups(record, key, item, len(attention.key_tokens), False, grouped),
    )


def _side_groups(
    record: AttentionRecord,
    side: str,
    item: int,
    length: int,
    produced: bool,
    grouped: Callable[[TokenSequence], Groups] | None,
) -> Groups:
    """Group the positions of one side."""
    src = record.src
    grouped = grouped or word_groups
    if side == "target":
        if record.tgt is None:
            raise ValueError("expected a record with a target, found none")
        written = grouped(record.tgt)
        return written if produced else read_groups(written, length)
    if side == "source" and isinstance(src, TokenSequence):
        return grouped(src)
    if side == "words" and isinstance(src, DocumentSource):
        return grouped(src.sentences[item])
    return single_groups(length)


def regroup(
    attention: AttentionMap,
    *,
    query_groups: Groups | None = None,
    key_groups: Groups | None = None,
    special: SpecialTokens = "show",
    produced: bool | None = None,
    longest: int | None = None,
) -> Regrouped:
    """Merge positions into groups: sum over the keys of a group, mean over its queries.

    Rows still sum to one. A group may attend where any of its queries may attend to any of its
    keys. Scores are kept only if no group has several positions.

    Parameters
    ----------
    query_groups, key_groups : Groups, optional
        Rows and columns to show, by default each position. What is in no group is left out.
    special : {"show", "hide", "renormalise"}
        "hide" leaves out the rows and columns that are special tokens and nothing else; rows then
        sum to less than one. "renormalise" also divides every row by what is left of it; an empty
        row becomes 0. Nothing is left out if nothing would remain.
    produced : bool, optional
        Token that makes a decoder row special: the one it produces (True), the one it reads
        (False), or only both together (None).
    longest : int, optional
        Letters of a joined token, beyond which it is cut.
    """
    rows = query_groups or single_groups(len(attention.query_tokens))
    columns = key_groups or single_groups(len(attention.key_tokens))
    if special != "show":
        rows = _without(rows, _special_rows(attention, produced))
        columns = _without(columns, is_special(attention.key_tokens))
    drawn = _merged_map(attention, rows, columns, longest)
    covered = len({i for group in columns for i in group}) == len(attention.key_tokens)
    # Rounding of the sums must not report a hidden weight where nothing is hidden.
    if covered:
        return Regrouped(drawn, rows, columns, 0.0, special)
    left = row_sums(drawn.weights, np.float32)
    hidden = _hidden_mass(attention, rows, left)
    empty: tuple[int, ...] = ()
    if special == "renormalise":
        drawn = replace(drawn, weights=_renormalised(attention, drawn, rows, columns))
        empty = tuple(int(i) for i in np.nonzero((left <= 0).any(axis=(0, 1)))[0])
    return Regrouped(drawn, rows, columns, hidden, special, empty)


def cut_out(attention: AttentionMap, rows: range, columns: range) -> AttentionMap:
    """Return the part of a map with these rows and columns; its rows sum to less."""
    at_rows = slice(rows.start, rows.stop)
    at = (..., at_rows, slice(columns.start, columns.stop))
    weights = attention.weights
    if isinstance(weights, HeadWeights):
        cut = cast(np.ndarray, part_of(weights, rows, columns))
    else:
        cut = weights[at]
    output = attention.output_tokens
    return replace(
        attention,
        weights=cut,
        query_tokens=attention.query_tokens[at_rows],
        key_tokens=attention.key_tokens[columns.start : columns.stop],
        output_tokens=None if output is None else output[at_rows],
        scores=None if attention.scores is None else attention.scores[at],
        mask=None if attention.mask is None else attention.mask[at],
        head_masks=None if attention.head_masks is None else attention.head_masks[at],
    )


def window_around(position: int, length: int, most: int) -> range:
    """Return at most `most` positions of `length`, with one of them near the middle."""
    start = max(0, min(position - most // 2, length - most))
    return range(start, min(length, start + most))


def _renormalised(
    attention: AttentionMap, drawn: AttentionMap, rows: Groups, columns: Groups
) -> np.ndarray:
    """Divide each row of the map as shown by its sum; empty rows stay 0."""
    if isinstance(attention.weights, HeadWeights):
        return cast(np.ndarray, merged(attention.weights, rows, columns, renormalise=True))
    sums = drawn.weights.sum(axis=-1, keepdims=True)
    return drawn.weights / np.where(sums > 0, sums, 1.0)


def _merged_map(
    attention: AttentionMap, rows: Groups, columns: Groups, longest: int | None = None
) -> AttentionMap:
    """Return the map of the groups; without scores if a group has several positions."""
    alone = all(len(group) == 1 for group in (*rows, *columns))
    weights, mask = _merged(attention, rows, columns, alone)
    scores = attention.scores if alone else None
    output = attention.output_tokens
    return AttentionMap(
        site=attention.site,
        weights=weights,
        query_tokens=_joined(attention.query_tokens, rows, longest),
        key_tokens=_joined(attention.key_tokens, columns, longest),
        output_tokens=None if output is None else _joined(output, rows, longest),
        scores=None if scores is None else _picked(scores, rows, columns),
        mask=mask,
        item=attention.item,
        measure=attention.measure,
    )


def _merged(
    attention: AttentionMap, rows: Groups, columns: Groups, alone: bool
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return weights and mask of the merged positions; `alone` if no group has several."""
    stored = attention.weights if isinstance(attention.weights, HeadWeights) else None
    q = _members(rows, len(attention.query_tokens))
    k = _members(columns, len(attention.key_tokens))
    if attention.mask is None:
        mask = None
    elif alone:
        mask = _picked(attention.mask, rows, columns)
    else:
        mask = q @ attention.mask @ k.T > 0
    if stored is not None:
        return cast(np.ndarray, merged(stored, rows, columns)), mask
    if alone:
        return _picked(attention.weights, rows, columns), mask
    mean = q / q.sum(axis=1, keepdims=True)
    # Keys first: their sum makes the array smaller for the mean over queries.
    weights = (mean @ (attention.weights @ k.T)).astype(np.float32)
    return weights, mask


def _special_rows(attention: AttentionMap, produced: bool | None) -> tuple[bool, ...]:
    """Return True for the special rows, by the token read, the one produced, or both."""
    read = is_special(attention.query_tokens)
    if attention.output_tokens is None or produced is False:
        return read
    written = is_special(attention.output_tokens)
    return written if produced else tuple(a and b for a, b in zip(read, written, strict=True))


def _without(groups: Groups, unwanted: Sequence[bool]) -> Groups:
    """Return the groups that are not unwanted throughout; all of them if none would remain."""
    return tuple(group for group in groups if not all(unwanted[i] for i in group)) or groups


def _members(groups: Groups, length: int) -> np.ndarray:
    """Return a float array (groups, length), 1 where a position belongs to the group."""
    members = np.zeros((len(groups), length), dtype=np.float64)
    for n, group in enumerate(groups):
        members[n, list(group)] = 1.0
    return members


def _picked(values: np.ndarray, rows: Groups, columns: Groups) -> np.ndarray:
    """Select `values` (..., T_q, T_k) at groups of one position each."""
    q = [row[0] for row in rows]
    k = [column[0] for column in columns]
    return values[..., q, :][..., k]


def _hidden_mass(attention: AttentionMap, rows: Groups, left: np.ndarray) -> float:
    """Return the mean weight of a row that fell on columns left out."""
    whole = row_sums(attention.weights)
    before = np.stack([whole[..., list(row)].mean(axis=-1) for row in rows], axis=-1)
    return max(0.0, float((before - left).mean()))


def _joined(tokens: Sequence[str], groups: Groups, longest: int | None = None) -> tuple[str, ...]:
    """Join the tokens of each group, at most `longest` letters of it."""
    texts = ("".join(tokens[i] for i in group) for group in groups)
    return tuple(
        f"{text[:longest]}…" if longest and len(text) > longest else text for text in texts
    )
