"""Charts of arrays of anybody's model, for notebooks.

from viz.notebook import head_grid, head_view, record
rec = record(model(**inputs, output_attentions=True), tokens)
head_view(rec)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from core.recorded import as_map, record
from core.records.attention import AttentionMap, AttentionRecord
from core.weights.combined import combined_table
from core.weights.links import DEFAULT_SHARE, check_indices, links

from .figure import Figure
from .heatmap import attention_heatmap as heatmap
from .overview import head_grid as overview
from .ribbons import ribbon_figure
from .style import say

__all__ = [
    "as_map",
    "attention_heatmap",
    "combined_queries",
    "head_grid",
    "head_view",
    "record",
]
MOST_COLOURED = 8
"""Heads of a head view, unless they are named."""


def attention_heatmap(
    weights: Any,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    *,
    layer: int = 0,
    head: int = 0,
    site: str | None = None,
    **marks: Any,
) -> Figure:
    """Draw one head as a matrix.

    Parameters
    ----------
    weights, tokens, key_tokens
        Arrays or tensors as for `core.recorded.as_map`, which also takes another text of a batch;
        or a record.
    layer, head : int
        From 0.
    site : str, optional
        "encoder", "decoder" or "cross" of a record; by default its first.
    marks
        Row labels, marked rows and columns and `options` of `viz.heatmap.attention_heatmap`.
    """
    attention = _map_of(weights, tokens, key_tokens, site)
    _check_head(attention, layer, head)
    return heatmap(attention, layer, head, **marks)


def head_view(
    weights: Any,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    *,
    layer: int = 0,
    heads: Sequence[int] | None = None,
    queries: Sequence[int] = (),
    horizontal: bool = False,
    share: float = DEFAULT_SHARE,
    site: str | None = None,
) -> Figure:
    """Draw heads of a layer as links between two columns of tokens, queries on the left.

    Parameters
    ----------
    weights, tokens, key_tokens, layer, site
        As for `attention_heatmap`.
    heads : sequence of int, optional
        From 0; by default the first eight.
    queries : sequence of int
        From 0; only their links are drawn, by default all. Of several, each key has the mean and
        the sum of their weights, averaged over the heads.
    horizontal : bool
        Draw two rows of tokens instead, queries below and keys above.
    share : float
        Part of a row's weight that its links carry.
    """
    attention = _map_of(weights, tokens, key_tokens, site)
    chosen = _heads_of(attention, layer, heads)
    check_indices("query row", queries, len(attention.query_tokens))
    drawn = links(attention, layer, chosen, share)
    return ribbon_figure(attention, drawn, rows=tuple(queries), horizontal=horizontal)


def combined_queries(
    weights: Any,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    *,
    queries: Sequence[int],
    layer: int = 0,
    heads: Sequence[int] | None = None,
    site: str | None = None,
) -> pd.DataFrame:
    """Return the mean and the sum of the rows of `queries`, one line for each head and key.

    The columns are those of `core.weights.combined.combined_table`; of each head, ``weight_mean``
    adds up to 1 and ``weight_sum`` to the number of queries. The parameters are those of
    `head_view`.
    """
    attention = _map_of(weights, tokens, key_tokens, site)
    return combined_table(attention, layer, _heads_of(attention, layer, heads), queries)


def head_grid(
    weights: Any,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
) -> Figure:
    """Draw all heads as small matrices, layers down and heads across, with their largest weight.

    The number is the mean over the rows. Of a record all sites are drawn; the parameters are those
    of `attention_heatmap`.
    """
    if isinstance(weights, AttentionRecord):
        maps = weights.maps
    else:
        maps = (_map_of(weights, tokens, key_tokens),)
    largest = {
        attention.site_id: attention.weights.max(axis=-1).mean(axis=-1) for attention in maps
    }
    title = say("figures-arithmetic-largest")
    # No head has this number, so none is framed.
    return overview(maps, largest, badge_title=title, selected=("", -1, -1))


def _map_of(
    weights: Any,
    tokens: Sequence[str] | None,
    key_tokens: Sequence[str] | None,
    site: str | None = None,
) -> AttentionMap:
    """Return the map to draw: of a record its `site`, else the arrays."""
    if isinstance(weights, AttentionRecord):
        return weights.maps[0] if site is None else weights.of(site)
    return as_map(weights, tokens, key_tokens)


def _heads_of(attention: AttentionMap, layer: int, heads: Sequence[int] | None) -> tuple[int, ...]:
    """Return the heads to draw, all of which exist in the layer."""
    # Links of more heads would cover each other.
    chosen = tuple(range(min(attention.n_heads, MOST_COLOURED))) if heads is None else tuple(heads)
    for head in chosen:
        _check_head(attention, layer, head)
    return chosen


def _check_head(attention: AttentionMap, layer: int, head: int) -> None:
    """Raise IndexError unless the map has this head."""
    for name, index, n in (
        ("layer", layer, attention.n_layers),
        ("head", head, attention.n_heads),
    ):
        if not 0 <= index < n:
            raise IndexError(f"{name} {index} of {n}; {name}s count from 0")
