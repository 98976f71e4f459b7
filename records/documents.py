"""A document as a model judges it, what may be changed about that, and what it depends on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from .sources import DocumentSource

LeavingOut = Literal["unread", "unseen"]
"""Not read at all, as if it did not stand there; or read, but given no weight."""
Weighing = Literal["own", "uniform", "shuffled"]
"""The model's own weights, the same for all, or its own in another order."""
LEAVING_OUT: tuple[LeavingOut, ...] = ("unread", "unseen")
WEIGHING: tuple[Weighing, ...] = ("own", "uniform", "shuffled")
Rows = tuple[np.ndarray, ...]
"""For each sentence an array with a number for each of its words."""


@dataclass(frozen=True)
class DocumentChange:
    """What is different while a document is judged.

    Attributes
    ----------
    sentences : places of the sentences that are left out.
    words : places (sentence, word) of the words that are left out.
    how : whether what is left out is read.
    word_weights, sentence_weights : the weights that are used at either level.
    seed : of the other order.
    """

    sentences: frozenset[int] = frozenset()
    words: frozenset[tuple[int, int]] = frozenset()
    how: LeavingOut = "unread"
    word_weights: Weighing = "own"
    sentence_weights: Weighing = "own"
    seed: int = 0

    @property
    def changes_weights(self) -> bool:
        """Whether other weights than the model's own are used."""
        return (self.word_weights, self.sentence_weights) != ("own", "own")


@dataclass(frozen=True, eq=False)
class Judgement:
    """What a model makes of a document.

    Attributes
    ----------
    src : the document, as it stands.
    classes : ids of what it may be judged to be.
    log_probs : float32 array (C,), natural log-probability of each class.
    words : the weights of each sentence's words as they were used; they sum to one. NaN where a
        word was not read.
    sentences : float32 array (S,), the weights of the sentences; NaN where one was not read.
    """

    src: DocumentSource
    classes: tuple[str, ...]
    log_probs: np.ndarray
    words: Rows
    sentences: np.ndarray

    @property
    def probs(self) -> np.ndarray:
        return np.exp(self.log_probs)

    @property
    def decided(self) -> int:
        """The place of the likeliest class."""
        return int(self.log_probs.argmax())


@dataclass(frozen=True, eq=False)
class Importance:
    """What a judgement depends on, told without attention.

    Attributes
    ----------
    word_drops : how far the probability of the decided class falls when a word is not read,
        NaN for the only word of a document.
    sentence_drops : the same for each sentence, float32 array (S,).
    word_gradients : gradient of that probability with respect to the embedding of a word, times
        the embedding.
    sentence_gradients : the same for the vectors of the sentences, float32 array (S,).
    """

    word_drops: Rows
    sentence_drops: np.ndarray
    word_gradients: Rows
    sentence_gradients: np.ndarray


@dataclass(frozen=True, eq=False)
class OtherMap:
    """Other weights that leave the judgement as it is (Jain and Wallace 2019, section 4.2.2).

    Attributes
    ----------
    level : "words" or "sentences", whose weights were sought.
    judgement : what the model makes of the document with them.
    divergence : Jensen-Shannon divergence from the model's own weights, in nats, at most log 2; of
        words the mean over the sentences of two words and more.
    distance : total variation distance of the probabilities of the classes, 0 to 1.
    """

    level: Literal["words", "sentences"]
    judgement: Judgement
    divergence: float
    distance: float
