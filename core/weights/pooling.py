"""Weights with positions merged, head by head to save memory; thumbnails of all heads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..records.attention import AttentionMap
from ..records.head_weights import HeadWeights

MOST_AT_ONCE = 1_000_000
"""Weights of all heads that are merged at once and kept as float32."""


class MergedWeights(HeadWeights):
    """Weights of groups of positions: the sum over the keys of a group, the mean over its queries.

    Parameters
    ----------
    base : the weights of single positions.
    rows, columns : positions of each group.
    renormalise : divide each row by its sum; a row without weight stays 0.
    """

    def __init__(
        self,
        base: HeadWeights,
        rows: Sequence[Sequence[int]],
        columns: Sequence[Sequence[int]],
        *,
        renormalise: bool = False,
    ) -> None:
        super().__init__()
        self.shape = (*base.shape[:2], len(rows), len(columns))
        self._base = base
        self._rows = _Groups(rows)
        self._columns = _Groups(columns)
        self._renormalise = renormalise

    def of_head(self, layer: int, head: int) -> np.ndarray:
        weights = self._base.of_head(layer, head)
        # Keys first: their sum makes the array smaller for the mean over queries.
        weights = self._rows.means(self._columns.sums(weights, axis=1))
        if self._renormalise:
            sums = weights.sum(axis=-1, keepdims=True)
            weights = weights / np.where(sums > 0, sums, 1.0)
        return weights.astype(np.float32, copy=False)

    def error_of_sum(self, layer: int, head: int) -> float:
        return 0.0 if self._renormalise else self._base.error_of_sum(layer, head)


class _Groups:
    """Groups of positions, concatenated for sums by `np.add.reduceat`."""

    def __init__(self, groups: Sequence[Sequence[int]]) -> None:
        self._sizes = np.array([len(group) for group in groups])
        self._positions = np.array([i for group in groups for i in group])
        self._starts = np.cumsum(self._sizes) - self._sizes
        self._alone = bool((self._sizes == 1).all())

    def sums(self, weights: np.ndarray, *, axis: int) -> np.ndarray:
        """Return the sums of each group along an axis of all positions."""
        picked = weights
        # All positions in their order need no copy.
        if not np.array_equal(self._positions, np.arange(weights.shape[axis])):
            picked = weights.take(self._positions, axis=axis)
        return picked if self._alone else np.add.reduceat(picked, self._starts, axis=axis)

    def means(self, weights: np.ndarray) -> np.ndarray:
        """Return the means of each group of rows."""
        sums = self.sums(weights, axis=0)
        return sums if self._alone else sums / self._sizes[:, None].astype(np.float32)


def merged(
    base: HeadWeights,
    rows: Sequence[Sequence[int]],
    columns: Sequence[Sequence[int]],
    *,
    renormalise: bool = False,
) -> HeadWeights | np.ndarray:
    """Return `MergedWeights`, or an array if they are few; kept with `base` for the next call."""

    def compute() -> HeadWeights | np.ndarray:
        weights = MergedWeights(base, rows, columns, renormalise=renormalise)
        return np.asarray(weights) if weights.size <= MOST_AT_ONCE else weights

    return base.kept(("merged", tuple(rows), tuple(columns), renormalise), compute)


def part_of(base: HeadWeights, rows: range, columns: range) -> HeadWeights | np.ndarray:
    """Return the cells of these rows and columns, as an array if there are few.

    Unlike `merged`, it keeps no result: a user who scrolls asks for a new part at every step.
    """
    if base.shape[0] * base.shape[1] * len(rows) * len(columns) <= MOST_AT_ONCE:
        return base[:, :, rows.start : rows.stop, columns.start : columns.stop]
    return MergedWeights(base, [(row,) for row in rows], [(column,) for column in columns])


def thumbnails(attention: AttentionMap, side: int) -> AttentionMap:
    """Return a map of at most `side` rows and columns; each cell is the largest of its weights.

    Rows and columns are named by their first token. A cell is masked if all of its weights are. A
    map that is small enough is returned as it is.
    """
    n_rows, n_columns = attention.weights.shape[2:]
    if max(n_rows, n_columns) <= side:
        return attention
    rows = _starts(n_rows, side)
    columns = _starts(n_columns, side)

    def shrunk(weights: np.ndarray) -> np.ndarray:
        return np.maximum.reduceat(np.maximum.reduceat(weights, rows, axis=-2), columns, axis=-1)

    stored = attention.weights
    if isinstance(stored, HeadWeights):
        weights = stored.kept(("thumbnails", side), lambda: stored.per_head(shrunk))
    else:
        weights = shrunk(stored)
    output = attention.output_tokens
    return replace(
        attention,
        weights=weights,
        query_tokens=tuple(attention.query_tokens[row] for row in rows),
        key_tokens=tuple(attention.key_tokens[column] for column in columns),
        output_tokens=None if output is None else tuple(output[row] for row in rows),
        scores=None,
        mask=None if attention.mask is None else shrunk(attention.mask),
        head_masks=None,
    )


def _starts(length: int, most: int) -> np.ndarray:
    """Return the first positions of at most `most` parts of nearly equal length."""
    n = min(length, most)
    return (np.arange(n) * length + n - 1) // n
