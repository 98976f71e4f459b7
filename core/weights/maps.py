"""Tables of several maps of one head, and of all heads' weights for a single token."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..records.attention import HEAD, AttentionMap, Head
from ..records.tokens import numbered_labels
from .tables import array_table, places_of


@dataclass(frozen=True, eq=False)
class NamedMap:
    """Weights (T_q, T_k) of one head, with title and labels."""

    title: str
    weights: np.ndarray
    row_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    mask: np.ndarray | None = None

    @classmethod
    def of(
        cls, title: str, attention: AttentionMap, layer: int, head: int, *, produced: bool = False
    ) -> NamedMap:
        """Take one head of a map; `produced` names rows by the token they produce."""
        rows = (produced and attention.output_tokens) or attention.query_tokens
        tokens = tuple(rows), tuple(attention.key_tokens)
        return cls(title, attention.head(layer, head), *tokens, attention.mask_of(layer, head))


def map_cells(maps: Sequence[NamedMap]) -> pd.DataFrame:
    """Return one row for each map and unmasked cell.

    Columns panel, q, k (from 0), map (its title), query, key (labels with positions from 1) and
    weight.
    """
    frames = []
    for panel, named in enumerate(maps):
        seen = np.ones(named.weights.shape) if named.mask is None else named.mask
        at = rows, columns = np.nonzero(seen)
        query = numbered_labels(named.row_tokens)
        key = numbered_labels(named.key_tokens)
        frame = pd.DataFrame({"panel": np.int16(panel), **places_of(rows, columns, query, key)})
        frame = frame.astype({"query": object, "key": object})
        frames.append(frame.assign(map=named.title, weight=named.weights[at].astype(np.float32)))
    return pd.concat(frames, ignore_index=True)


def head_rows_cells(
    weights: np.ndarray, key_tokens: Sequence[str], names: Sequence[str]
) -> pd.DataFrame:
    """Return one row for each layer, head and key of weights (L, H, T_k).

    Columns layer, head, k (all from 0), name (the head's, one of L·H `names`), key (label with its
    position from 1) and weight.

    Raises
    ------
    ValueError : the shapes do not fit.
    """
    if weights.ndim != 3 or weights.shape[2] != len(key_tokens):
        raise ValueError(f"expected weights of (L, H, {len(key_tokens)}), found {weights.shape}")
    frame = array_table(weights, "layer", "head", "k", name="weight")
    of_head = np.arange(len(names)).repeat(len(key_tokens))
    frame.insert(3, "name", pd.Categorical.from_codes(of_head, names))
    frame.insert(4, "key", pd.Categorical.from_codes(frame["k"], numbered_labels(key_tokens)))
    return frame.astype({"weight": np.float32})


Frame = tuple[Sequence[AttentionMap], Mapping[str, np.ndarray]]
"""Maps of one time, and for each site an (L, H) array of numbers, NaN for none."""


def head_numbers(
    frames: Sequence[Frame],
    selected: Head,
    marked: Sequence[Head],
    named: Callable[..., str],
) -> pd.DataFrame:
    """Return one row for each time, site, layer and head; all times have the same sites and heads.

    Columns kind, layer, head (from 0), name (from `named`), selected, time (from 0), number, and
    badge: the number as text, with ◆ at `marked` heads.
    """
    heads = [(m.site_id, *head) for m in frames[0][0] for head in np.ndindex(m.n_layers, m.n_heads)]
    every = pd.DataFrame(heads, columns=HEAD)
    every["name"] = [named(*head) for head in heads]
    every["selected"] = [head == selected for head in heads]
    every["badge"] = [" ◆" if head in marked else "" for head in heads]
    times = [every.assign(time=np.int16(time)) for time in range(len(frames))]
    lines = pd.concat(times, ignore_index=True)
    lines["number"] = np.concatenate([np.ravel(b[m.site_id]) for maps, b in frames for m in maps])
    written = lines["number"].map("{:.2f}".format, na_action="ignore").fillna("")
    return lines.assign(badge=written + lines["badge"])
