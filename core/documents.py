"""A document as a model judges it: weights of two levels, changes, what comes of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from .attention import AttentionRecord
from .measures import divergence
from .pairs import moved_rows
from .sources import DocumentSource

LeavingOut = Literal["unread", "unseen"]
"""Not read at all, as if it did not stand there; or read, but given no weight."""
Weighing = Literal["own", "uniform", "shuffled"]
"""The model's own weights, the same for all, or its own in another order."""
LEAVING_OUT: tuple[LeavingOut, ...] = get_args(LeavingOut)
WEIGHING: tuple[Weighing, ...] = get_args(Weighing)
Rows = tuple[np.ndarray, ...]
"""For each sentence an array with a number for each of its words."""


@dataclass(frozen=True)
class DocumentChange:
    """What is different while a document is judged."""

    sentences: frozenset[int] = frozenset()  # places of the sentences that are left out
    # places (sentence, word) of the words that are left out
    words: frozenset[tuple[int, int]] = frozenset()
    how: LeavingOut = "unread"  # whether what is left out is read
    # word_weights, sentence_weights: the weights that are used at either level
    word_weights: Weighing = "own"
    sentence_weights: Weighing = "own"
    seed: int = 0  # of the other order

    @property
    def changes_weights(self) -> bool:
        """Whether other weights than the model's own are used."""
        return (self.word_weights, self.sentence_weights) != ("own", "own")


@dataclass(frozen=True, eq=False)
class Judgement:
    """What a model makes of a document."""

    src: DocumentSource  # the document, as it stands
    classes: tuple[str, ...]  # ids of what it may be judged to be
    log_probs: np.ndarray  # float32 (C,), natural log-probability of each class
    # the weights of each sentence's words as they were used; they sum to one. NaN where a word was
    # not read
    words: Rows
    sentences: np.ndarray  # float32 (S,), the weights of the sentences; NaN where one was not read
    # the maps of what was read, and of each sentence that was the places of its words that were
    attention: AttentionRecord | None = None
    read: Mapping[int, Sequence[int]] = field(default_factory=dict)

    def showing(self, attention: AttentionRecord) -> Judgement:
        """The same with the numbers of other maps of what was read."""
        words, sentences = placed(self.src, self.read, attention)
        return replace(self, words=words, sentences=sentences, attention=attention)

    @property
    def probs(self) -> np.ndarray:
        return np.exp(self.log_probs)

    @property
    def decided(self) -> int:
        """The place of the likeliest class."""
        return int(self.log_probs.argmax())


@dataclass(frozen=True, eq=False)
class Importance:
    """What a judgement depends on, told without attention."""

    # how far the probability of the decided class falls when a word is not read, NaN for the only
    # word of a document
    word_drops: Rows
    sentence_drops: np.ndarray  # the same for each sentence, float32 (S,)
    # gradient of that probability with respect to the embedding of a word, times the embedding
    word_gradients: Rows
    sentence_gradients: np.ndarray  # the same for the vectors of the sentences, float32 (S,)


@dataclass(frozen=True, eq=False)
class OtherMap:
    """Other weights that leave the judgement as it is (Jain and Wallace 2019, section 4.2.2)."""

    level: Literal["words", "sentences"]  # "words" or "sentences", whose weights were sought
    judgement: Judgement  # what the model makes of the document with them
    # Jensen-Shannon divergence from the model's own weights, in nats, at most log 2; of words the
    # mean over the sentences of two words and more
    divergence: float
    distance: float  # total variation distance of the probabilities of the classes, 0 to 1


def placed(
    src: DocumentSource, read: Mapping[int, Sequence[int]], attention: AttentionRecord
) -> tuple[Rows, np.ndarray]:
    """The numbers of both levels at the places of a document, float32, NaN where nothing was `read`
    (see `Judgement`)."""
    words = [np.full(len(sentence), np.nan, np.float32) for sentence in src.sentences]
    for item, (sentence, places) in enumerate(read.items()):
        words[sentence][list(places)] = attention.of("words", item).weights.ravel()
    sentences = np.full(len(words), np.nan, np.float32)
    sentences[list(read)] = attention.of("sentences").weights.ravel()
    return tuple(words), sentences


MOST_DIVERGENCE = float(np.log(2))
"""The Jensen-Shannon divergence of two maps that share nothing, in nats."""


def shown_weights(words: Sequence[np.ndarray], sentences: np.ndarray) -> tuple[np.ndarray, ...]:
    """sqrt(p_s) p_w of every word, as Yang et al. 2016 (section 3.4) draw them.

    The root keeps the words of a sentence visible that has little weight itself.
    """
    return tuple(
        np.sqrt(weight) * row for weight, row in zip(sentences.tolist(), words, strict=True)
    )


def joint_weights(words: Sequence[np.ndarray], sentences: np.ndarray) -> np.ndarray:
    """p_s p_w of every word, one after another; they sum to one where both levels do."""
    rows = (weight * row for weight, row in zip(sentences.tolist(), words, strict=True))
    return np.concatenate(list(rows))


def total_variation(p: np.ndarray, q: np.ndarray) -> float:
    """Half the sum of the absolute differences of two distributions, 0 to 1."""
    return float(moved_rows(p - q))


def js_divergence(p: np.ndarray, q: np.ndarray) -> float:
    """Jensen-Shannon divergence of two distributions in nats, 0 to log 2 (Lin 1991)."""
    return MOST_DIVERGENCE * float(divergence(p, q))


def points_at(weights: np.ndarray, right: Collection[int]) -> float:
    """Whether the largest weight is a right one; of several that are equal the share of such.

    So a map that is the same everywhere scores what chance does. `weights`: (n,), NaN where there
    is none. `right`: places in `weights`.
    """
    largest = np.flatnonzero(weights >= np.nanmax(weights) * (1 - 1e-6))
    return float(np.isin(largest, list(right)).mean())
