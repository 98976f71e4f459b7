"""Row of one query in every head of a site, grouped by the key that a head attends to most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..records.attention import AttentionMap


@dataclass(frozen=True, eq=False)
class RowOfHeads:
    """One row of N heads; heads with the same largest key stand together."""

    # one line a head: layer, head (from 0), key (of its largest weight), weight (that weight),
    # group (from 0, the largest group first)
    heads: pd.DataFrame
    weights: np.ndarray  # float32 (N, T_k), in the order of `heads`

    def __len__(self) -> int:
        return len(self.heads)

    @property
    def places(self) -> list[tuple[int, int]]:
        """Layer and head of each line, from 0."""
        return list(zip(self.heads["layer"].tolist(), self.heads["head"].tolist(), strict=True))

    def n_at(self, key: int) -> int:
        """Return how many heads have their largest weight on a key."""
        return int((self.heads["key"] == key).sum())

    def hidden_by(self, row: np.ndarray) -> tuple[int, float]:
        """Return the head that a combined `row` (T_k,) hides most, and its largest weight.

        It is the one whose largest weight exceeds the value of the row at that key by most, among
        heads with another largest key than the row. The head is an index of `heads`; -1 if all have
        the key of the row.
        """
        keys = self.heads["key"].to_numpy()
        weights = self.heads["weight"].to_numpy()
        beyond = np.where(keys == row.argmax(), -np.inf, weights - row[keys])
        at = int(beyond.argmax())
        return (at, float(weights[at])) if np.isfinite(beyond[at]) else (-1, 0.0)


def row_of_heads(attention: AttentionMap, row: int, layer: int | None = None) -> RowOfHeads:
    """Return the row of one query in every head, or in those of one `layer` (from 0)."""
    n_layers, n_heads = attention.weights.shape[:2]
    layers = range(n_layers) if layer is None else [layer]
    places = [(at, head) for at in layers for head in range(n_heads)]
    weights = np.stack([attention.weights[at, head, row] for at, head in places])
    lines = pd.DataFrame(places, columns=["layer", "head"])
    lines["key"] = weights.argmax(axis=-1)
    lines["weight"] = weights.max(axis=-1).astype(float)
    # Of groups of one size, the one with the earlier key comes first.
    sizes = lines["key"].value_counts()
    order = sorted(sizes.index, key=lambda key: (-sizes[key], key))
    lines["group"] = lines["key"].map({key: at for at, key in enumerate(order)})
    lines = lines.sort_values(["group", "weight"], ascending=[True, False], kind="stable")
    return RowOfHeads(lines.reset_index(drop=True), weights[lines.index])
