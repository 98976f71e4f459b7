"""Judgement of a document: weights of words and sentences, changes, and their consequences."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from .records.attention import AttentionRecord
from .records.sources import DocumentSource
from .weights.measures import divergence, moved_rows

LeavingOut = Literal["unread", "unseen"]
""""unread": as if the word did not stand there; "unseen": read, but given no weight."""
Weighing = Literal["own", "uniform", "shuffled"]
"""Weights that are used: the model's own, equal ones, or its own in another order."""
LEAVING_OUT: tuple[LeavingOut, ...] = get_args(LeavingOut)
WEIGHING: tuple[Weighing, ...] = get_args(Weighing)
Rows = tuple[np.ndarray, ...]
"""One array a sentence, with a number for each of its words."""


@dataclass(frozen=True)
class DocumentChange:
    """Differences under which a document is judged."""

    sentences: frozenset[int] = frozenset()  # indices of the sentences that are left out
    # indices (sentence, word) of the words that are left out
    words: frozenset[tuple[int, int]] = frozenset()
    removal: LeavingOut = "unread"  # of what is left out
    # word_weights, sentence_weights: weights used at either level
    word_weights: Weighing = "own"
    sentence_weights: Weighing = "own"
    seed: int = 0  # seed of "shuffled"

    @property
    def changes_weights(self) -> bool:
        """True if other weights than the model's own are used."""
        return (self.word_weights, self.sentence_weights) != ("own", "own")


@dataclass(frozen=True, eq=False)
class Judgement:
    """Class probabilities of a document, and the attention behind them."""

    src: DocumentSource  # the document, as it stands
    classes: tuple[str, ...]  # ids of the classes
    log_probs: np.ndarray  # float32 (C,), natural log-probability of each class
    # attention weights over each sentence's words; they sum to one. NaN for a word that was
    # not read
    words: Rows
    sentences: np.ndarray  # float32 (S,), attention weights of the sentences; NaN for one not read
    # attention over the words that were read; `read[s]` lists their positions in sentence s
    attention: AttentionRecord | None = None
    read: Mapping[int, Sequence[int]] = field(default_factory=dict)

    def showing(self, attention: AttentionRecord) -> Judgement:
        """Return the judgement with the numbers of other maps of the same words."""
        words, sentences = placed(self.src, self.read, attention)
        return replace(self, words=words, sentences=sentences, attention=attention)

    @property
    def probs(self) -> np.ndarray:
        """Probability of each class, (C,)."""
        return np.exp(self.log_probs)

    @property
    def decided(self) -> int:
        """Index of the likeliest class."""
        return int(self.log_probs.argmax())


@dataclass(frozen=True, eq=False)
class Importance:
    """Importance of words and sentences for a judgement, measured without attention."""

    # drop of the decided class's probability when a word is not read, NaN for the only
    # word of a document
    word_drops: Rows
    sentence_drops: np.ndarray  # the same for each sentence, float32 (S,)
    # gradient of that probability with respect to the embedding of a word, times the embedding
    word_gradients: Rows
    sentence_gradients: np.ndarray  # the same for the vectors of the sentences, float32 (S,)


@dataclass(frozen=True, eq=False)
class OtherMap:
    """Other weights that leave the judgement as it is (Jain and Wallace 2019, section 4.2.2)."""

    level: Literal["words", "sentences"]  # level whose weights were changed
    judgement: Judgement  # judgement with these weights
    # Jensen-Shannon divergence from the model's own weights, in nats, at most log 2; of words the
    # mean over the sentences of two words and more
    divergence: float
    distance: float  # total variation distance of the probabilities of the classes, 0 to 1


def placed(
    src: DocumentSource, read: Mapping[int, Sequence[int]], attention: AttentionRecord
) -> tuple[Rows, np.ndarray]:
    """Return the numbers of both levels at the positions of a document, float32.

    NaN for words and sentences that are not in `read` (see `Judgement`).
    """
    words = [np.full(len(sentence), np.nan, np.float32) for sentence in src.sentences]
    for item, (sentence, places) in enumerate(read.items()):
        words[sentence][list(places)] = attention.of("words", item).weights.ravel()
    sentences = np.full(len(words), np.nan, np.float32)
    sentences[list(read)] = attention.of("sentences").weights.ravel()
    return tuple(words), sentences


MOST_DIVERGENCE = float(np.log(2))
"""Jensen-Shannon divergence of two maps that share nothing, in nats."""


def shown_weights(words: Sequence[np.ndarray], sentences: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return sqrt(p_s) p_w of every word, as Yang et al. 2016 (section 3.4) draw them.

    The root keeps words visible in a sentence of little weight.
    """
    return tuple(
        np.sqrt(weight) * row for weight, row in zip(sentences.tolist(), words, strict=True)
    )


def joint_weights(words: Sequence[np.ndarray], sentences: np.ndarray) -> np.ndarray:
    """Return p_s p_w of every word, one after another; they sum to one if both levels do."""
    rows = (weight * row for weight, row in zip(sentences.tolist(), words, strict=True))
    return np.concatenate(list(rows))


def total_variation(p: np.ndarray, q: np.ndarray) -> float:
    """Return half the sum of the absolute differences of two distributions, 0 to 1."""
    return float(moved_rows(p - q))


def js_divergence(p: np.ndarray, q: np.ndarray) -> float:
    """Return the Jensen-Shannon divergence of two distributions in nats, 0 to log 2 (Lin 1991)."""
    return MOST_DIVERGENCE * float(divergence(p, q))


def points_at(weights: np.ndarray, right: Collection[int]) -> float:
    """Return the share of right positions among those of largest weight.

    A uniform map therefore scores what chance does. `weights`: (n,), NaN for missing ones. `right`:
    indices into `weights`.
    """
    # Uniform float32 weights differ in the last bits; they count as equal.
    largest = np.flatnonzero(weights >= np.nanmax(weights) * (1 - 1e-6))
    return float(np.isin(largest, list(right)).mean())
