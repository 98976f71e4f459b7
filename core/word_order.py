"""Word order: tokens by layer in two orders, and the equality of two outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .records.sources import TokenSequence
from .records.tokens import numbered_labels
from .weights.groups import word_groups
from .weights.tables import array_table

ROUNDING = 1e-3
"""Distance below which two float32 vectors of norm about 10 count as equal."""


@dataclass(frozen=True, eq=False)
class Reordered:
    """Encoder states of the same tokens in two orders."""

    src: TokenSequence  # the tokens in the first order
    order: tuple[int, ...]  # position i of the second order holds token ``order[i]`` of `src`
    positions: bool  # whether positional encodings were added
    # float32 (2, L + 1, T, d_model), first and second order; row t is about token t of `src` in
    # both. Layer 0 is the embedding, layer L the encoder's output
    vectors: np.ndarray
    # float32 (2, L, H, T, T), each with the rows and columns of its own order
    attention: np.ndarray

    @property
    def distances(self) -> np.ndarray:
        """Euclidean distance between a token's two vectors, (L + 1, T)."""
        first, second = self.vectors.astype(np.float64)
        return np.linalg.norm(first - second, axis=-1)

    @property
    def cosines(self) -> np.ndarray:
        """Cosine of the angle between a token's two vectors, (L + 1, T)."""
        first, second = self.vectors.astype(np.float64)
        lengths = np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
        return (first * second).sum(-1) / lengths


@dataclass(frozen=True, eq=False)
class Equivariance:
    """Distance of encode(P x) from P encode(x), P permuting all tokens, ``</s>`` included."""

    positions: bool  # whether positional encodings were added
    bits: int  # 32 or 64, the floating-point type
    orders: tuple[tuple[int, ...], ...]  # N permutations
    # float64 (N,): the largest absolute difference over all tokens and numbers
    differences: np.ndarray
    largest_value: float  # the largest absolute number of encode(x), to judge them by


def layer_table(
    panels: Mapping[str, np.ndarray], tokens: Sequence[str], measure: str
) -> pd.DataFrame:
    """Return one row for each of the panels (L + 1, T), layer and token.

    `measure` of the values is "distance" or "cosine". Columns panel, layer (0 the embedding), t
    (from 0), token (label with its position from 1), value, and text (the value as a cell prints
    it).

    Raises
    ------
    ValueError : there are no panels, or one is not (L + 1, T).
    """
    shapes = {values.shape for values in panels.values()}
    if len(shapes) != 1 or next(iter(shapes))[1:] != (len(tokens),):
        raise ValueError(f"expected panels of (L + 1, {len(tokens)}), found {sorted(shapes)}")
    lines = _cells(panels, "panel", "layer", "t")
    lines.insert(3, "token", np.array(numbered_labels(tokens), dtype=object)[lines["t"]])
    return lines.assign(text=[_cell_text(value, measure) for value in lines["value"]])


def _cell_text(value: float, measure: str) -> str:
    """Write a number for a cell, small distances as a power of ten instead of 0.00."""
    # Anything smaller would be printed as 0.00, as if both vectors were equal.
    if value == 0 or abs(value) >= 0.005 or measure == "cosine":
        return f"{value:.2f}"
    return f"{value:.0e}".replace("e-0", "e-")


def strip_tables(
    cases: Mapping[str, np.ndarray], labels: Sequence[str], order: Sequence[int], most: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the first `most` numbers of each token's two vectors, and where each token moves.

    `cases` are arrays of (2, T, n): row t is about token t in both orders. `labels` names tokens in
    the first order; position i of the second holds token ``order[i]``.

    Returns
    -------
    cells : panel (index of the case), side (0 the first order), place, dimension (from 1), label
        and value.
    moves : panel, label, first and second (places in the two orders), and distance of the whole
        vectors.

    Raises
    ------
    ValueError : an array is not (2, T, n).
    """
    shapes = sorted({values.shape for values in cases.values()})
    if len(shapes) != 1 or shapes[0][:2] != (2, len(labels)):
        raise ValueError(f"expected vectors of (2, {len(labels)}, n), found {shapes}")
    first_numbers = {title: values[..., :most] for title, values in cases.items()}
    cells = _cells(first_numbers, "panel", "side", "t", "dimension")
    # Row 0 has the places in the first order, row 1 those in the second.
    places = np.stack([np.arange(len(labels)), np.argsort(order)])
    cells["place"] = places[cells["side"], cells["t"]]
    cells["label"] = np.array(labels, dtype=object)[cells["t"]]
    cells["dimension"] += 1
    distances = {
        title: np.linalg.norm(second.astype(np.float64) - first, axis=-1)
        for title, (first, second) in cases.items()
    }
    moves = _cells(distances, "panel", "t").rename(columns={"value": "distance"})
    for column, row in zip(("first", "second"), places, strict=True):
        moves[column] = row[moves["t"]]
    moves["label"] = np.array(labels, dtype=object)[moves["t"]]
    return cells.drop(columns="t"), moves.drop(columns="t")


def _cells(arrays: Mapping[str, np.ndarray], *axes: str) -> pd.DataFrame:
    return array_table(np.stack([np.asarray(a, np.float64) for a in arrays.values()]), *axes)


def equivariance_table(cases: Sequence[Equivariance]) -> pd.DataFrame:
    """Return one row for each case and permutation.

    Columns positions, bits, permutation (from 1), difference (largest absolute difference) and
    rounding (from the largest number of the output to the next floating-point number).
    """
    float_types: dict[int, Any] = {32: np.float32, 64: np.float64}
    lines = [
        {
            "positions": case.positions,
            "bits": case.bits,
            "permutation": permutation,
            "difference": difference,
            "rounding": float(np.spacing(float_types[case.bits](case.largest_value))),
        }
        for case in cases
        for permutation, difference in enumerate(case.differences.tolist(), start=1)
    ]
    return pd.DataFrame(lines)


@dataclass(frozen=True, eq=False)
class Both:
    """Tokens in two orders, read without positions and with them."""

    without: Reordered
    with_positions: Reordered

    @property
    def src(self) -> TokenSequence:
        return self.without.src

    @property
    def second_tokens(self) -> tuple[str, ...]:
        """Tokens in the second order."""
        return tuple(self.src.tokens[i] for i in self.without.order)

    @property
    def cases(self) -> dict[str, Reordered]:
        return {"without": self.without, "with": self.with_positions}


def whole_words(src: TokenSequence) -> list[tuple[int, ...]]:
    """Return the positions of each word, special tokens left out."""
    return [group for group in word_groups(src) if not all(src.special[i] for i in group)]


def word_texts(src: TokenSequence, order: tuple[int, ...] | None = None) -> list[str]:
    """Return the words of a text in reading order, or as a permutation of its tokens puts them."""
    groups = whole_words(src)
    if order is not None:
        # Pieces of a word stay together, so its first piece tells where the word is.
        groups.sort(key=lambda group: order.index(group[0]))
    return [src.text[src.offsets[g[0]][0] : src.offsets[g[-1]][1]].strip() for g in groups]


def moved_words(src: TokenSequence, order: Sequence[int]) -> tuple[int, ...]:
    """Return the order of tokens for a new `order` of words.

    Pieces of a word stay together, special tokens at the end.
    """
    groups = whole_words(src)
    moved = [i for word in order for i in groups[word]]
    return (*moved, *(i for i in range(len(src)) if i not in set(moved)))


def shuffled(n: int, seed: int) -> list[int]:
    """Return a random permutation of 0 to n - 1 other than the identity, if there is one."""
    generator = np.random.default_rng(seed)
    order = unchanged = list(range(n))
    # A permutation of few words is often the identity.
    while n > 1 and order == unchanged:
        order = generator.permutation(n).tolist()
    return order


def taken_in_turn(words: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Return the index in `words` of each of `wanted`, a permutation of them.

    Of equal words the first one that is still free is taken.
    """
    free: dict[str, list[int]] = {}
    for index, word in enumerate(words):
        free.setdefault(word, []).append(index)
    return [free[word].pop(0) for word in wanted]
