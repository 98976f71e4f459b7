"""Generate reviews whose deciding sentence and words are known."""

from __future__ import annotations

import itertools
import random
import zlib
from dataclasses import dataclass
from typing import Any

from .grammar import grammar
from .sentences import articles, distinct, filled, with_spans
from .text_pairs import BETWEEN, Span, TextPair

FEWEST = 4
"""Least number of sentences in a review."""
MOST = 12
"""Largest number of sentences in a review."""
MOST_OPINIONS = 4
"""Largest number of sentences with an opinion that does not decide."""
HELD_OUT = 7
"""One in this many pairs of deciding sentence and opinion is kept for held-out reviews."""
_OPPOSITE = {"pos": "neg", "neg": "pos"}


@dataclass(frozen=True)
class Review:
    """A review with the sentence and words that decide it.

    `sentences`: its text. `label`: "pos" or "neg". `deciding`: index of the deciding sentence.
    `words`: characters ``(start, end)`` of the deciding words in that sentence.
    """

    sentences: tuple[str, ...]
    label: str
    deciding: int
    words: tuple[Span, ...]

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


def generate(count: int, *, seed: int, held_out: bool = False) -> list[Review]:
    """Return `count` distinct reviews, half of them positive.

    Held-out reviews have pairs of deciding sentence and opinion that training never has.
    """
    rng = random.Random(f"reviews {seed}")
    labels = itertools.cycle(_OPPOSITE)
    return distinct(
        count, lambda _: _review(next(labels), rng, held_out), lambda review: review.text
    )


def _review(label: str, rng: random.Random, held_out: bool) -> Review:
    n_sentences = rng.randint(FEWEST, MOST)
    n_opinions = rng.randint(0, min(MOST_OPINIONS, n_sentences - 2))
    templates = grammar("en_reviews")["sentences"]
    sections = [rng.choice(("others", "beside")) for _ in range(n_opinions)]
    # The one sentence not counted here decides.
    sections += ["neutral"] * (n_sentences - 1 - n_opinions)
    sentences = [
        # Opinions about other things are drawn for and against, so that words alone decide nothing.
        with_spans(_filled(rng.choice(templates[section]), rng.choice([*_OPPOSITE]), rng))[0]
        for section in sections
    ]
    rng.shuffle(sentences)
    index = rng.randrange(n_sentences)
    sentence, words = _deciding(label, rng, held_out)
    sentences.insert(index, sentence)
    return Review(tuple(sentences), label, index, words)


def _deciding(label: str, rng: random.Random, held_out: bool) -> tuple[str, tuple[Span, ...]]:
    templates = grammar("en_reviews")["sentences"]
    deciding = templates["deciding"] + templates["negated"]
    while True:
        number = rng.randrange(len(deciding))
        negated = number >= len(templates["deciding"])
        # "not boring" praises: a negated template takes the opposite word.
        polarity = _OPPOSITE[label] if negated else label
        sentence, spans = with_spans(_filled(deciding[number], polarity, rng))
        opinion = sentence[slice(*spans["opinion"])]
        # crc32 is the same in every process; Python's own hash of a string is not.
        if (zlib.crc32(f"{number} {opinion}".encode()) % HELD_OUT == 0) == held_out:
            return sentence, tuple(spans.values())


def _filled(template: str, opinion: str, rng: random.Random) -> str:
    words = grammar("en_reviews")["words"]
    choices = words["any"] | words[opinion]
    return articles(filled(template, lambda name, _: rng.choice(choices[name])))


def reviews_of(spec: dict[str, Any], *, held_out: bool = False) -> list[Review]:
    """Return the generated reviews that a config asks for; `held_out` ones use the next seed."""
    count = spec["held_out"] if held_out else spec["reviews"]
    return generate(count, seed=spec["seed"] + held_out, held_out=held_out)


def review_pair(review: Review) -> TextPair:
    """Return a review as a pair of document and class."""
    return TextPair(BETWEEN.join(review.sentences), review.label)
