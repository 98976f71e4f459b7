"""One head in two sentences: what it does differently on the words they share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.pairs import Pairs, shared_mask, shared_weights
from records import AttentionMap

from . import chart
from .figure import Figure
from .labels import distinct_labels, numbered_labels
from .look import say
from .matrix import Grid, labelled, pair_names, places_of
from .theme import diverging_ramp


def difference_cells(
    first: AttentionMap,
    second: AttentionMap,
    layer: int,
    head: int,
    row_pairs: Pairs,
    column_pairs: Pairs,
    *,
    row_tokens: Sequence[str] | None = None,
) -> pd.DataFrame:
    """One line for each shared cell that may be looked at in both sentences.

    Parameters
    ----------
    row_tokens : the tokens that name the rows of `first`, its `query_tokens` unless given.

    Returns
    -------
    DataFrame with the columns q, k (places among the shared rows and columns, from 0), query, key
    (labels with the position in the first sentence from 1), first, second (weights 0 to 1),
    difference (second minus first).
    """
    before, after = (
        weights[layer, head] for weights in shared_weights(first, second, row_pairs, column_pairs)
    )
    rows, columns = np.nonzero(shared_mask(first, second, row_pairs, column_pairs))
    row_tokens = first.query_tokens if row_tokens is None else row_tokens
    query = _picked(numbered_labels(row_tokens), row_pairs)
    key = _picked(numbered_labels(first.key_tokens), column_pairs)
    return pd.DataFrame(
        {
            **places_of(rows, columns, query, key),
            "first": before[rows, columns].astype(np.float32),
            "second": after[rows, columns].astype(np.float32),
            "difference": (after - before)[rows, columns].astype(np.float32),
        }
    )


def difference_heatmap(
    first: AttentionMap,
    second: AttentionMap,
    layer: int,
    head: int,
    row_pairs: Pairs,
    column_pairs: Pairs,
    *,
    row_tokens: Sequence[str] | None = None,
    limit: float | None = None,
) -> Figure:
    """Second minus first as a matrix: green where the second sentence has more weight.

    The colours run from `-limit` to `limit`, `viz.chart.symmetric_limit` of the head unless given.
    Words that the first sentence has more than once are numbered. The other arguments are those of
    `difference_cells`.

    Raises
    ------
    ValueError : no row or no column is shared.
    """
    if not row_pairs or not column_pairs:
        raise ValueError("no shared rows and columns to draw")
    cells = difference_cells(
        first, second, layer, head, row_pairs, column_pairs, row_tokens=row_tokens
    )
    named = first.query_tokens if row_tokens is None else row_tokens
    rows = labelled(_picked(distinct_labels(named), row_pairs), "q")
    columns = labelled(_picked(distinct_labels(first.key_tokens), column_pairs), "k")
    grid = Grid.of(rows, columns, row_title="figures-pairs-query", column_title="figures-pairs-key")
    tooltip = chart.told(
        *pair_names(),
        ("first:Q", say("figures-pairs-first"), ".4f"),
        ("second:Q", say("figures-pairs-second"), ".4f"),
        ("difference:Q", say("figures-pairs-difference"), "+.4f"),
    )
    colour = chart.signed_colour(
        "difference:Q",
        diverging_ramp(),
        chart.symmetric_limit(cells["difference"]) if limit is None else limit,
        title=say("figures-pairs-second-minus-first"),
        gradientLength=220,
        offset=6,
        titleLimit=240,
    )
    matrix = grid.drawn(
        grid.cells({}, color=colour, tooltip=tooltip), grid.row_labels(), grid.column_labels()
    )
    return Figure(
        chart.whole(matrix, right=30, autosize="pad"),
        {"cells": cells, "rows": rows, "columns": columns},
        "",
        width=round(grid.width) + grid.row_room + 70,
    )


def _picked(labels: Sequence[str], pairs: Pairs) -> np.ndarray:
    return np.array([labels[position] for position, _ in pairs], dtype=object)
