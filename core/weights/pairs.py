"""Comparison of two runs or two sentences: shared tokens, and how far each head moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

import numpy as np
import pandas as pd

from ..records.attention import AttentionMap
from ..records.tokens import numbered_labels
from .tables import places_of

Pairs = tuple[tuple[int, int], ...]
"""Positions of equal tokens: (in the first sequence, in the second)."""


def align(first: Sequence[str], second: Sequence[str]) -> Pairs:
    """Return the positions of tokens that two sequences share, in order: (in `first`, in `second`).

    The longest common run comes first, then the longest on either side of it (Ratcliff and
    Obershelp), so each token has at most one partner and partners never cross.
    """
    # autojunk would drop tokens that are frequent in sequences of 200 and more.
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return tuple(
        (block.a + i, block.b + i)
        for block in matcher.get_matching_blocks()
        for i in range(block.size)
    )


def partners(pairs: Pairs, positions: Sequence[int]) -> tuple[int, ...]:
    """Return the partners of `positions` in the second sequence, leaving out those without one."""
    where = dict(pairs)
    return tuple(where[position] for position in positions if position in where)


def shared_weights(
    first: AttentionMap, second: AttentionMap, row_pairs: Pairs, column_pairs: Pairs
) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights of both maps on the rows and columns they share.

    Two arrays of shape (L, H, n_rows, n_columns), the numbers of pairs. Nothing is re-normalised: a
    row also has weight on columns that are not shared, so it need not sum to one here.

    Raises
    ------
    ValueError : the maps differ in kind, layers or heads.
    """
    shapes = (first.site_id, first.weights.shape[:2]), (second.site_id, second.weights.shape[:2])
    if shapes[0] != shapes[1]:
        raise ValueError(f"cannot compare {shapes[0]} with {shapes[1]}")
    rows = _positions_of(row_pairs)
    columns = _positions_of(column_pairs)
    return (
        first.weights[:, :, rows[0]][..., columns[0]],
        second.weights[:, :, rows[1]][..., columns[1]],
    )


def shared_mask(
    first: AttentionMap, second: AttentionMap, row_pairs: Pairs, column_pairs: Pairs
) -> np.ndarray:
    """Return True where the query may attend in both sentences, bool (n_rows, n_columns)."""
    before, after = (
        attention.allowed[np.ix_(*positions)]
        for attention, *positions in zip(
            (first, second), _positions_of(row_pairs), _positions_of(column_pairs), strict=True
        )
    )
    return before & after


def shared_difference(
    first: AttentionMap, second: AttentionMap, row_pairs: Pairs, column_pairs: Pairs
) -> np.ndarray:
    """Subtract first from second on shared rows and columns, -1 to 1; (L, H, n_rows, n_columns).

    Raw weights are compared, see `shared_weights`; a masked weight counts as 0.
    """
    before, after = shared_weights(first, second, row_pairs, column_pairs)
    return after - before


def rank_moved(per_head: np.ndarray) -> list[tuple[int, int]]:
    """Return the (layer, head) pairs of an (L, H) array, largest number first.

    Ties are in reading order.
    """
    # Negated, because reversing a stable sort would reverse the ties as well.
    order = np.argsort(-per_head, axis=None, kind="stable")
    return [divmod(int(index), per_head.shape[1]) for index in order]


def moved_table(
    per_head: np.ndarray, before: np.ndarray | None = None, after: np.ndarray | None = None
) -> pd.DataFrame:
    """Return one row a head in the order of `rank_moved`.

    `per_head`: (L, H) array of `moved`. `before`, `after`: (L, H) weights of a chosen pair in the
    first and in the second sentence. Columns layer, head (from 0), moved, and with a pair first,
    second.
    """
    order = rank_moved(per_head)
    layers, heads = (np.array([head[axis] for head in order], np.int64) for axis in (0, 1))
    columns = {"layer": layers, "head": heads, "moved": per_head[layers, heads]}
    if before is not None and after is not None:
        columns |= {"first": before[layers, heads], "second": after[layers, heads]}
    return pd.DataFrame(columns)


def difference_cells(
    maps: tuple[AttentionMap, AttentionMap],
    head: tuple[int, int],
    pairs: tuple[Pairs, Pairs],
    row_tokens: Sequence[str],
) -> pd.DataFrame:
    """Return one row for each cell of a head that two maps share and neither masks.

    `pairs` are the shared rows and the shared columns, `row_tokens` name the rows of the first map.
    Columns q, k (indices of shared rows and columns, from 0), query, key (labels with the position
    in the first sentence from 1), first, second (weights 0 to 1) and difference.
    """
    before, after = (weights[head] for weights in shared_weights(*maps, *pairs))
    rows, columns = np.nonzero(shared_mask(*maps, *pairs))
    query, key = shared_labels(map(numbered_labels, (row_tokens, maps[0].key_tokens)), pairs)
    frame = pd.DataFrame(places_of(rows, columns, query, key))
    for name, values in {"first": before, "second": after, "difference": after - before}.items():
        frame[name] = values[rows, columns].astype(np.float32)
    return frame


def shared_labels(sides: Iterable[Sequence[str]], pairs: Sequence[Pairs]) -> list[list[str]]:
    """Return those labels of the first map's rows and columns that are shared."""
    return [[labels[i] for i, _ in shared] for labels, shared in zip(sides, pairs, strict=True)]


def _positions_of(pairs: Pairs) -> np.ndarray:
    """Return positions in the first and in the second sequence, (2, n)."""
    # reshape: no pairs at all still have two rows.
    return np.array(pairs, dtype=np.intp).reshape(-1, 2).T
