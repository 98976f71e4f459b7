"""Generated reviews whose deciding sentence and words are known."""

from __future__ import annotations

import itertools
import random
import re
import tomllib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from .grammar import GRAMMARS

GRAMMAR = GRAMMARS / "en_reviews.toml"
FEWEST, MOST = 4, 12
"""Sentences of a review."""
MOST_OPINIONS = 4
"""Sentences with an opinion that does not count."""
HELD_OUT = 7
"""One in so many pairs of a deciding sentence and its opinion is kept for the held-out reviews."""
_PLACE = re.compile(r"\{(\w+)\}")
_MARKED = re.compile(r"\*([^*]+)\*")
GOOD, BAD = "pos", "neg"
_POLES = {GOOD: "good", BAD: "bad"}
_OPPOSITE = {GOOD: BAD, BAD: GOOD}


@dataclass(frozen=True)
class Review:
    """A review and what decides it.

    `sentences`: its text. `label`: "pos" or "neg". `deciding`: the place of the sentence that
    decides. `words`: characters ``(start, end)`` of the deciding words in that sentence.
    """

    sentences: tuple[str, ...]
    label: str
    deciding: int
    words: tuple[tuple[int, int], ...]

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


@cache
def grammar() -> dict[str, Any]:
    return tomllib.loads(GRAMMAR.read_text(encoding="utf-8"))


def generate(count: int, *, seed: int, held_out: bool = False) -> list[Review]:
    """Different reviews, half of them good; held-out ones pair what training never pairs."""
    rng = random.Random(f"reviews {seed}")
    found: dict[str, Review] = {}
    for label in itertools.cycle(_POLES):
        if len(found) >= count:
            return list(found.values())
        review = _review(label, rng, held_out)
        found.setdefault(review.text, review)
    raise AssertionError  # the cycle has no end


def _review(label: str, rng: random.Random, held_out: bool) -> Review:
    n_sentences = rng.randint(FEWEST, MOST)
    n_opinions = rng.randint(0, min(MOST_OPINIONS, n_sentences - 2))
    rows = grammar()
    kinds = [rng.choice(("others", "beside")) for _ in range(n_opinions)]
    kinds += ["neutral"] * (n_sentences - 1 - n_opinions)
    sentences = [
        _filled(rng.choice(rows[kind])["text"], rng.choice([*_POLES]), rng) for kind in kinds
    ]
    rng.shuffle(sentences)
    place = rng.randrange(n_sentences)
    sentence, words = _deciding(label, rng, held_out)
    sentences.insert(place, sentence)
    return Review(tuple(sentences), label, place, words)


def _deciding(
    label: str, rng: random.Random, held_out: bool
) -> tuple[str, tuple[tuple[int, int], ...]]:
    while True:
        number = rng.randrange(len(grammar()["deciding"]))
        row = grammar()["deciding"][number]
        said = _OPPOSITE[label] if row.get("negated") else label
        marked = _filled(row["text"], said, rng)
        words = tuple(_MARKED.findall(marked))
        if (zlib.crc32(f"{number} {words[-1]}".encode()) % HELD_OUT == 0) == held_out:
            return unmarked(marked)


def unmarked(marked: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A text without its asterisks, and the characters that stood between them.

    >>> unmarked("I *loved* it.")
    ('I loved it.', ((2, 7),))
    """
    spans, taken = [], 0
    for found in _MARKED.finditer(marked):
        start = found.start() - taken
        spans.append((start, start + len(found[1])))
        taken += 2
    return _MARKED.sub(r"\1", marked), tuple(spans)


def _filled(text: str, pole: str, rng: random.Random) -> str:
    words = grammar()["words"]
    choices: dict[str, Sequence[str]] = words["any"] | words[_POLES[pole]]
    filled = _PLACE.sub(lambda found: rng.choice(choices[found[1]]), text)
    filled = re.sub(r"(?<=\S )(My|The|A|Our|Everyone)\b", lambda found: found[1].lower(), filled)
    filled = re.sub(r"\ba (?=\*?[aeiou])", "an ", filled)
    return filled[0].upper() + filled[1:]
