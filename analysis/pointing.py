"""Does a map point at the right word? The largest weight of a word's rows, pieces merged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .transform import Groups


def pointed_at(weights: np.ndarray, rows: Sequence[int], words: Groups) -> np.ndarray:
    """The word with the largest weight, where `rows` are the pieces of one target word.

    The rows are averaged, and the weights of a source word's pieces are added. `weights`: array
    (..., T_tgt, T_src); rows go by the token produced. `rows`: positions of the target word's
    pieces. `words`: positions of the pieces of each source word. Returns int (...): the place in
    `words`, the first of several that are equal.
    """
    mean = weights[..., list(rows), :].mean(axis=-2)
    sums = np.stack([mean[..., list(word)].sum(axis=-1) for word in words], axis=-1)
    return sums.argmax(axis=-1)


def words_at(pieces: Sequence[int], words: Groups) -> tuple[int, ...]:
    """The places in `words` of those that hold some of `pieces`."""
    wanted = set(pieces)
    return tuple(place for place, word in enumerate(words) if wanted & set(word))


def chance(pieces: Sequence[int], n_pieces: int) -> float:
    """What uniform attention gives `pieces` of a source of `n_pieces`."""
    return len(pieces) / n_pieces
