"""Predictions of a masked language model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .sources import TokenSequence


@dataclass(frozen=True, eq=False)
class Guess:
    """Prediction at a masked position."""

    position: int  # in the text
    # ids, tokens, log_probs: the likeliest pieces, best first; natural logarithms
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    log_probs: np.ndarray
    masked_id: int | None  # id that was masked; None if the mask was typed
    # own_log_prob, own_rank: of that id among all pieces, the likeliest being 1; NaN and 0 if
    # there is none
    own_log_prob: float
    own_rank: int
    entropy: float  # of the distribution, in nats


@dataclass(frozen=True, eq=False)
class BothSides:
    """Predictions of every piece in turn, from both sides and from the left alone."""

    src: TokenSequence
    places: tuple[int, ...]  # positions of the pieces, special ones left out
    both: np.ndarray  # both, left: float32 (n,), log p of the piece that stands there
    left: np.ndarray


@dataclass(frozen=True, eq=False)
class RestsOn:
    """Predictions of one masked piece while each other piece is masked too, in turn."""

    src: TokenSequence
    position: int  # of the predicted piece
    others: tuple[int, ...]  # positions of the pieces that are masked in turn
    log_prob: float  # log p of the piece that stood at `position` with none of `others` masked
    without: np.ndarray  # float32 (n,), the same with each of `others` masked too
