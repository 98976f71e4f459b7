"""What a model that reads masked words says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .tokens import TokenSequence


@dataclass(frozen=True, eq=False)
class Guess:
    """What may stand at a masked place."""

    place: int  # the position in the text
    # ids, tokens, log_probs: the likeliest pieces, best first; natural logarithms
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    log_probs: np.ndarray
    own: int | None  # the id that was masked; None where a mask was typed
    # own_log_prob, own_rank: of that id among all pieces, the likeliest being 1; NaN and 0 where
    # there is none
    own_log_prob: float
    own_rank: int
    entropy: float  # of the distribution, in nats


@dataclass(frozen=True, eq=False)
class BothSides:
    """Every piece of a text masked in turn, and said from both sides and from the left alone."""

    src: TokenSequence
    places: tuple[int, ...]  # positions of the pieces, special ones left out
    both: np.ndarray  # both, left: float32 (n,), log p of the piece that stands there
    left: np.ndarray


@dataclass(frozen=True, eq=False)
class RestsOn:
    """A masked piece guessed while another piece is masked too, one after another."""

    src: TokenSequence
    place: int  # of the piece that is guessed
    others: tuple[int, ...]  # positions of the pieces that are masked in turn
    log_prob: float  # log p of the piece that stood at `place` with none of `others` masked
    without: np.ndarray  # float32 (n,), the same with each of `others` masked too
