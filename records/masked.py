"""What a model that reads masked words says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .tokens import TokenSequence


@dataclass(frozen=True, eq=False)
class Guess:
    """What may stand at a masked place.

    Attributes
    ----------
    place : the position in the text.
    ids, tokens, log_probs : the likeliest pieces, best first; natural logarithms.
    own : the id that was masked; None where a mask was typed.
    own_log_prob, own_rank : of that id among all pieces, the likeliest being 1; NaN and 0 where
        there is none.
    entropy : of the distribution, in nats.
    """

    place: int
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    log_probs: np.ndarray
    own: int | None
    own_log_prob: float
    own_rank: int
    entropy: float


@dataclass(frozen=True, eq=False)
class BothSides:
    """Every piece of a text masked in turn, and said from both sides and from the left alone.

    Attributes
    ----------
    places : positions of the pieces, special ones left out.
    both, left : float32 (n,), log p of the piece that stands there.
    """

    src: TokenSequence
    places: tuple[int, ...]
    both: np.ndarray
    left: np.ndarray


@dataclass(frozen=True, eq=False)
class RestsOn:
    """A masked piece guessed while another piece is masked too, one after another.

    Attributes
    ----------
    place : of the piece that is guessed.
    others : positions of the pieces that are masked in turn.
    log_prob : log p of the piece that stood at `place` with none of `others` masked.
    without : float32 (n,), the same with each of `others` masked too.
    """

    src: TokenSequence
    place: int
    others: tuple[int, ...]
    log_prob: float
    without: np.ndarray
