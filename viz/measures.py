"""Numbers read off attention weights; drawing happens elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from records import AttentionMap


def pair_weights(
    attention: AttentionMap, rows: Sequence[int], columns: Sequence[int]
) -> np.ndarray:
    """How much each head looks from `rows` at `columns`.

    Returns
    -------
    float array of shape (L, H): the weights summed over the columns (the pieces of the word
    looked at) and averaged over the rows (the pieces of the word that looks), from 0 to 1.
    """
    picked = attention.weights[:, :, list(rows)][..., list(columns)]
    return picked.sum(axis=-1).mean(axis=-1)


def strongest_head(per_head: np.ndarray) -> tuple[int, int]:
    """The (layer, head) of the largest number in an (L, H) array."""
    layer, head = np.unravel_index(int(np.argmax(per_head)), per_head.shape)
    return int(layer), int(head)


def row_entropy(weights: np.ndarray) -> np.ndarray:
    """Entropy in bits over the last axis; 0 means all weight on one key."""
    positive = np.where(weights > 0, weights, 1.0)
    return -(positive * np.log2(positive)).sum(axis=-1)


def mean_entropy(attention: AttentionMap) -> np.ndarray:
    """Entropy in bits, averaged over the rows; shape (L, H)."""
    return row_entropy(attention.weights).mean(axis=-1)


def mean_distance(attention: AttentionMap) -> np.ndarray:
    """Positions between query and key, averaged by weight and then over the rows; (L, H).

    It says something only where queries and keys are the same sentence.
    """
    n_queries, n_keys = attention.weights.shape[2:]
    distance = np.abs(np.arange(n_queries)[:, None] - np.arange(n_keys)[None, :])
    return (attention.weights * distance).sum(axis=-1).mean(axis=-1)


def row_ranks(weights: np.ndarray) -> np.ndarray:
    """The rank of each key within its row, 1 for the largest; same shape as `weights`."""
    order = np.argsort(-weights, axis=-1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(1, weights.shape[-1] + 1)[None, :], axis=-1)
    return ranks


def top_keys(row: np.ndarray, count: int) -> list[int]:
    """Positions of the `count` largest weights of one row, largest first."""
    return [int(k) for k in np.argsort(-row, kind="stable")[:count]]
