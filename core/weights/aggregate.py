"""Combine many heads in one map: mean, maximum, spread, rollout and flow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from ..records.attention import AttentionMap, AttentionRecord
from ..records.head_weights import HeadWeights
from .groups import Groups, single_groups

Combination = Literal["mean", "max", "spread"]
COMBINATIONS: tuple[Combination, ...] = get_args(Combination)
# Capacities of a flow are whole numbers of 32 bits; the sum of two must fit as well.
_UNIT = 1 << 28
_UNLIMITED = 1 << 30


@dataclass(frozen=True, eq=False)
class Rollout:
    """Attention rollout: the share of each input token in each top position."""

    # map of shape (1, 1, T_q, T_k) onto the input tokens, without scores; the rows of
    # self-attention sum to one
    attention: AttentionMap
    # cross-attention only, float32 (T_q, T_q): the part of each row that came from
    # the target tokens read so far, so that a row of both maps together sums to one
    prefix: np.ndarray | None = None

    @property
    def prefix_share(self) -> np.ndarray | None:
        """Share of each row that stays with the target prefix: (T_q,), 0 to 1."""
        return None if self.prefix is None else self.prefix.sum(axis=-1)


def combine(
    attention: AttentionMap, combination: Combination, layer: int | None = None
) -> AttentionMap:
    """Combine many heads in one map of shape (1, 1, T_q, T_k).

    Parameters
    ----------
    attention : AttentionMap
    combination : {"mean", "max", "spread"}
        Mean (rows still sum to one), largest weight of any head (rows sum to one or more), or
        population standard deviation over the heads (0 to 0.5).
    layer : int, optional
        Only the heads of this layer, from 0; by default all heads of all layers.

    Raises
    ------
    ValueError : `combination` is something else.
    """
    if combination not in COMBINATIONS:
        raise ValueError(f"combination is {combination!r}, expected one of {COMBINATIONS}")
    stored = attention.weights
    if isinstance(stored, HeadWeights) and layer is None:
        name = ("combined", combination)
        return _single(attention, stored.kept(name, lambda: _combined(stored, combination)))
    weights = attention.weights if layer is None else attention.weights[layer : layer + 1]
    heads = weights.reshape(-1, *weights.shape[2:])
    over: dict[str, Callable[..., np.ndarray]] = {"mean": np.mean, "max": np.max, "spread": np.std}
    return _single(attention, over[combination](heads, axis=0))


def _combined(weights: HeadWeights, combination: Combination) -> np.ndarray:
    """Combine all heads of weights that are read head by head; float32 (T_q, T_k)."""
    if combination == "max":
        largest = np.zeros(weights.shape[2:], np.float32)
        for head in weights.heads:
            np.maximum(largest, head, out=largest)
        return largest
    mean = weights.mean((0, 1))
    if combination == "mean":
        return mean.astype(np.float32)
    n_heads = weights.shape[0] * weights.shape[1]
    # Around the mean, and not from the mean of squares, which would lose digits.
    squares = np.zeros_like(mean)
    for head in weights.heads:
        squares += (head - mean) ** 2
    return np.sqrt(squares / n_heads).astype(np.float32)


def rollout(record: AttentionRecord, site: str) -> Rollout:
    """Return the attention rollout of a site (Abnar and Zuidema 2020, section 3).

    Heads are averaged, each sub-layer is taken as half attention and half residual connection,
    ``0.5 A + 0.5 I``, and the sub-layers are multiplied from the input to the top.

    For self-attention, this is the path through that stack alone. For cross-attention it is the
    whole path from a top position of the decoder: through the self-attention and cross-attention of
    every decoder layer to the target tokens read so far, and on through the encoder to the source.

    Raises
    ------
    KeyError : the record has no map of `site`, or one of its sides has no self-attention.
    """
    attention = record.of(site)
    if attention.site.is_self:
        return Rollout(_single(attention, _through(attention)))
    below = _through(_self_attention(record, attention.site.key))
    n_rows = len(attention.query_tokens)
    from_source = np.zeros((n_rows, len(below)))
    from_prefix = np.eye(n_rows)
    decoder = _self_attention(record, attention.site.query)
    for self_weights, across in zip(_mean_heads(decoder), _mean_heads(attention), strict=True):
        mixed = _half_residual(self_weights)
        from_source = 0.5 * (mixed @ from_source) + 0.5 * (across @ below)
        from_prefix = 0.5 * (mixed @ from_prefix)
    # The products are taken in float64: a deep stack multiplies many small numbers.
    return Rollout(_single(attention, from_source), from_prefix.astype(np.float32))


def can_roll(record: AttentionRecord, site: str) -> bool:
    """Return True if both sides of a site attend to themselves, as `rollout` and flow need."""
    sides = {attending.query for attending in record.sites if attending.is_self}
    return {record.of(site).site.query, record.of(site).site.key} <= sides


def flow_rows(
    record: AttentionRecord, site: str, rows: Sequence[int], key_groups: Groups | None = None
) -> np.ndarray:
    """Return the attention flow (Abnar and Zuidema 2020, section 3) from top positions.

    The sub-layers of `rollout` become a layered graph whose edges have the capacity
    ``0.5 A + 0.5 I``. The flow to an input token, or to a group of `key_groups`, is the maximum
    flow from the top position to it, each target taken by itself. Flows of a row therefore do not
    sum to one.

    Parameters
    ----------
    record : AttentionRecord
    site : str
    rows : sequence of int
        Top positions, from 0.
    key_groups : Groups, optional
        Groups of input tokens; by default every token alone.

    Returns
    -------
    flows : float32 array of shape (len(rows), number of groups), 0 to 1
        Accurate to about five decimals, because capacities are rounded to multiples of 2 ** -28.
    """
    graph = _Graph(record, site)
    groups = key_groups or single_groups(len(record.of(site).key_tokens))
    flows = [[graph.flow(row, group) for group in groups] for row in rows]
    return np.array(flows, dtype=np.float32)


def _single(attention: AttentionMap, weights: np.ndarray) -> AttentionMap:
    return replace(attention, weights=weights.astype(np.float32)[None, None], scores=None)


def _mean_heads(attention: AttentionMap) -> np.ndarray:
    """Average the heads, in float64: (L, T_q, T_k)."""
    return attention.weights.mean(axis=1, dtype=np.float64)


def _self_attention(record: AttentionRecord, side: str) -> AttentionMap:
    """Return the map in which `side` attends to itself; raise KeyError if there is none."""
    for attention in record.maps:
        if attention.site.query == attention.site.key == side:
            return attention
    raise KeyError(f"no attention of {side!r} on itself; found {record.site_ids}")


def _half_residual(weights: np.ndarray) -> np.ndarray:
    """Mix attention with the residual connection: ``0.5 A + 0.5 I``."""
    return 0.5 * weights + 0.5 * np.eye(len(weights))


def _through(attention: AttentionMap) -> np.ndarray:
    """Multiply one stack of self-attention: (T, T), rows the top, columns the input."""
    result = np.eye(len(attention.key_tokens))
    for weights in _mean_heads(attention):
        result = _half_residual(weights) @ result
    return result


class _Graph:
    """Layered graph of a record, whose edges lead from the top to the input tokens."""

    def __init__(self, record: AttentionRecord, site: str) -> None:
        self._blocks: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._size = 0
        attention = record.of(site)
        if not attention.site.is_self:
            source, memory = self._stack(_self_attention(record, attention.site.key))
            self._inputs = source
            below = self._level(len(attention.query_tokens))
            decoder = _self_attention(record, attention.site.query)
            layers = zip(_mean_heads(decoder), _mean_heads(attention), strict=True)
            for self_weights, across in layers:
                n_rows = len(self_weights)
                middle = self._level(n_rows)
                above = self._level(n_rows)
                self._connect(middle, below, _half_residual(self_weights))
                # Half of a cross-attention sub-layer is its residual connection.
                self._connect(above, middle, 0.5 * np.eye(n_rows))
                self._connect(above, memory, 0.5 * across)
                below = above
            self._top = below
        else:
            self._inputs, self._top = self._stack(attention)
        # Built once a record: only the sink and its edges differ from flow to flow.
        starts, ends, capacities = (
            np.concatenate(parts) for parts in zip(*self._blocks, strict=True)
        )
        self._edges = starts, ends, capacities

    def flow(self, row: int, group: Sequence[int]) -> float:
        """Return the maximum flow from a top position to the input tokens of `group` together."""
        # Loading SciPy's graphs takes a tenth of a second; only pages with a flow pay for it.
        from scipy.sparse import coo_array, csr_array
        from scipy.sparse.csgraph import maximum_flow

        starts, ends, capacities = self._edges
        sink = self._size  # one extra node, which every token of the group drains into
        members = self._inputs[list(group)]
        graph = csr_array(
            coo_array(
                (
                    np.concatenate([capacities, np.full(len(members), _UNLIMITED, np.int32)]),
                    (
                        np.concatenate([starts, members]),
                        np.concatenate([ends, np.full(len(members), sink)]),
                    ),
                ),
                shape=(sink + 1, sink + 1),
            )
        )
        return maximum_flow(graph, int(self._top[row]), sink).flow_value / _UNIT

    def _stack(self, attention: AttentionMap) -> tuple[np.ndarray, np.ndarray]:
        inputs = below = self._level(len(attention.key_tokens))
        for weights in _mean_heads(attention):
            above = self._level(len(weights))
            self._connect(above, below, _half_residual(weights))
            below = above
        return inputs, below

    def _level(self, count: int) -> np.ndarray:
        nodes = np.arange(self._size, self._size + count)
        self._size += count
        return nodes

    def _connect(self, above: np.ndarray, below: np.ndarray, capacity: np.ndarray) -> None:
        # SciPy's maximum flow takes integer capacities.
        units = np.rint(capacity * _UNIT).astype(np.int32)
        i, j = np.nonzero(units)
        self._blocks.append((above[i], below[j], units[i, j]))
