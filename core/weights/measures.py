"""Measures of attention weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ..records.attention import AttentionMap
from ..records.head_weights import HeadWeights
from .groups import is_special


def pair_weights(
    attention: AttentionMap, rows: Sequence[int], columns: Sequence[int]
) -> np.ndarray:
    """Return the weight of each head from `rows` to `columns`, (L, H), 0 to 1.

    Summed over the columns (pieces of the word attended to) and averaged over the rows (pieces of
    the word that attends).
    """
    keys = list(columns)
    return _of_rows(attention, rows, lambda picked: picked[..., keys].sum(axis=-1).mean(axis=-1))


def largest_of_rows(attention: AttentionMap, rows: Sequence[int]) -> np.ndarray:
    """Return the largest weight that each head gives a key from `rows` on average, (L, H)."""
    return _of_rows(attention, rows, lambda picked: picked.mean(axis=-2).max(axis=-1))


def _of_rows(
    attention: AttentionMap, rows: Sequence[int], measure: Callable[[np.ndarray], Any]
) -> np.ndarray:
    """Return `measure` of these rows of each head, (L, H)."""
    weights = attention.weights
    chosen = list(rows)
    if not isinstance(weights, HeadWeights):
        return np.asarray(measure(weights[:, :, chosen]))
    # Head by head: many rows of all heads would take many times the memory of the recording.
    shape = weights.shape[:2]
    values = [measure(weights[layer, head, chosen]) for layer, head in np.ndindex(*shape)]
    return np.reshape(values, shape)


def strongest_head(per_head: np.ndarray) -> tuple[int, int]:
    """Return the (layer, head) of the largest number in an (L, H) array."""
    layer, head = np.unravel_index(int(np.argmax(per_head)), per_head.shape)
    return int(layer), int(head)


def row_entropy(weights: np.ndarray) -> np.ndarray:
    """Return the entropy in bits over the last axis; 0 means all weight on one key."""
    # 0 log 0 is 0 in the limit; a 1 in its place gives that without a warning.
    positive = np.where(weights > 0, weights, 1.0)
    return -(positive * np.log2(positive)).sum(axis=-1)


def divergence(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return the Jensen-Shannon divergence of rows in bits, 0 to 1 (Lin 1991)."""
    return row_entropy((p + q) / 2) - (row_entropy(p) + row_entropy(q)) / 2


def row_shares(values: np.ndarray) -> np.ndarray:
    """Normalise rows to sum to one over the last axis; rows of no positive sum become zeros."""
    total = values.sum(-1, keepdims=True)
    return np.divide(values, total, out=np.zeros_like(values), where=total > 0)


def per_head(attention: AttentionMap, measure: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Return a measure of each head; (L, H) and the axes of its result.

    `measure` reduces weights (..., T_q, T_k), of all heads at once or of one after the other.
    """
    weights = attention.weights
    return weights.per_head(measure) if isinstance(weights, HeadWeights) else measure(weights)


def mean_entropy(attention: AttentionMap) -> np.ndarray:
    """Return the entropy in bits, averaged over the rows; (L, H)."""
    return per_head(attention, lambda weights: row_entropy(weights).mean(axis=-1))


def mean_distance(attention: AttentionMap) -> np.ndarray:
    """Return the mean distance of query and key in positions; (L, H).

    Averaged by weight, then over the rows. Meaningful only if queries and keys are the same
    sentence.
    """
    n_queries, n_keys = attention.weights.shape[2:]
    distance = np.abs(np.arange(n_queries)[:, None] - np.arange(n_keys)[None, :])
    return per_head(attention, lambda weights: (weights * distance).sum(axis=-1).mean(axis=-1))


def mass_at(step: int, attention: AttentionMap) -> np.ndarray:
    """Return the mean weight on the key `step` positions after the query; (L, H), 0 to 1.

    Over the rows that have such a key; 0 if none has.
    """
    n_queries, n_keys = attention.weights.shape[2:]
    if not -n_queries < step < n_keys:
        return np.zeros(attention.weights.shape[:2], dtype=attention.weights.dtype)
    return per_head(
        attention,
        lambda weights: np.diagonal(weights, offset=step, axis1=-2, axis2=-1).mean(axis=-1),
    )


previous_mass, same_mass, next_mass = (partial(mass_at, step) for step in (-1, 0, 1))


def special_mass(attention: AttentionMap) -> np.ndarray:
    """Return the mean weight of a row on all special tokens such as ``</s>``; (L, H), 0 to 1."""
    # dtype: an empty tuple would become a float array, which cannot index.
    special = np.array(is_special(attention.key_tokens), dtype=bool)
    return per_head(attention, lambda weights: weights[..., special].sum(axis=-1).mean(axis=-1))


def largest_weight(attention: AttentionMap) -> np.ndarray:
    """Return the largest weight of a row, averaged over the rows; (L, H), 0 to 1."""
    return per_head(attention, lambda weights: weights.max(axis=-1).mean(axis=-1))


def same_sentence(attention: AttentionMap) -> bool:
    """Return True if rows and columns are the same tokens, so that distances mean something."""
    return attention.site.is_self and attention.query_tokens == attention.key_tokens


@dataclass(frozen=True)
class Badge:
    """Number that sums up one head."""

    name: str  # short name for columns and addresses
    of: Callable[[AttentionMap], np.ndarray]  # from a map to the (L, H) numbers


BADGES = (
    Badge("largest", largest_weight),
    Badge("entropy", mean_entropy),
    Badge("distance", mean_distance),
    Badge("previous", previous_mass),
    Badge("same", same_mass),
    Badge("next", next_mass),
    Badge("special", special_mass),
)
_NEEDS_ONE_SENTENCE = frozenset({"distance", "previous", "same", "next"})


def badges_of(attention: AttentionMap) -> tuple[Badge, ...]:
    """Return the badges that apply to a map.

    Distances and neighbours need rows and columns that are the same tokens; the next token needs to
    be visible to some query; special tokens must be among the columns.
    """
    left_out: set[str] = set()
    if not same_sentence(attention):
        left_out |= _NEEDS_ONE_SENTENCE
    # Under a causal mask the weight on the next token is 0 in every head.
    elif not np.diagonal(attention.allowed, 1).any():
        left_out.add("next")
    if not any(is_special(attention.key_tokens)):
        left_out.add("special")
    return tuple(badge for badge in BADGES if badge.name not in left_out)


def badge_numbers(attention: AttentionMap) -> dict[str, np.ndarray]:
    """Return the (L, H) numbers of every badge that applies to a map, by its name.

    Those of stored weights are computed in one pass, once for everybody.
    """
    weights = attention.weights
    badges = badges_of(attention)
    if not isinstance(weights, HeadWeights):
        return {badge.name: badge.of(attention) for badge in badges}

    def of_head(head: np.ndarray) -> list[float]:
        alone = replace(attention, weights=head[None, None], scores=None, head_masks=None)
        return [badge.of(alone).item() for badge in badges]

    # Tokens decide which badges apply, and which columns are special.
    name = ("badges", tuple(badge.name for badge in badges), tuple(attention.key_tokens))
    numbers = weights.kept(name, lambda: weights.per_head(of_head))
    return {badge.name: numbers[..., nth] for nth, badge in enumerate(badges)}


def top_keys(row: np.ndarray, count: int) -> list[int]:
    """Return the positions of the `count` largest weights of one row, largest first."""
    return [int(k) for k in np.argsort(-row, kind="stable")[:count]]


def row_facts(
    row: np.ndarray, seen: np.ndarray, columns: Sequence[int], most: int
) -> tuple[list[int], dict[str, Any]]:
    """Return the keys with the largest weights of a row (T_k,), and facts of the chosen `columns`.

    Facts: number and weight of the columns, and the rank of a single one. Only keys that are `seen`
    count.
    """
    # Below 0.005 a weight is printed as 0.00.
    keys = [key for key in top_keys(row, most) if seen[key] and row[key] >= 0.005]
    picked = [key for key in columns if seen[key]]
    facts: dict[str, Any] = {"n": len(picked), "weight": row[picked].sum()}
    if len(picked) == 1:
        rank = 1 + int((row > row[picked[0]]).sum())
        facts |= {"key": picked[0], "rank": rank, "of": int(seen.sum())}
    return keys, facts


def moved(difference: np.ndarray) -> np.ndarray:
    """Return the share of a row's weight that moved in each head, mean over shared rows; (L, H).

    Half the sum of absolute differences: the total variation distance of two rows, as far as it
    lies on shared columns. 0 if no row is shared.
    """
    # The mean of no rows would be NaN.
    if difference.shape[2] == 0:
        return np.zeros(difference.shape[:2])
    return moved_rows(difference).mean(axis=-1)


def moved_rows(difference: np.ndarray) -> np.ndarray:
    """Return `moved` of every shared row on its own; (L, H, n_rows)."""
    # What leaves one key arrives at another and would count twice.
    return np.abs(difference).sum(axis=-1) / 2
