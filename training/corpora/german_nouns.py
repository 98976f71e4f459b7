"""Genders of German nouns, read off the articles before them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

# Reliability of an article as a sign of its noun's gender: "den" and "die" are plural, too.
_ARTICLES = {
    "einen": ("m", 1.0), "eine": ("f", 1.0), "einer": ("f", 1.0), "zur": ("f", 1.0),
    "das": ("n", 1.0), "ins": ("n", 1.0), "den": ("m", 0.5), "die": ("f", 0.2),
}  # fmt: skip
_PHRASE = re.compile(
    rf"\b({'|'.join(_ARTICLES)})\s+(?:[a-zäöüß]+e[nrms]?\s+)?([A-ZÄÖÜ][\wäöüß-]+)", re.IGNORECASE
)
_LEAST = 3.0  # weighted articles that a noun needs
GERMAN_NOUN = re.compile(r"\b[A-ZÄÖÜ][\wäöüß-]+")


def noun_genders(sentences: Iterable[str]) -> dict[str, str]:
    """Return German noun -> "m", "f" or "n", for nouns of which three articles in four agree."""
    totals: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for sentence in sentences:
        for article, noun in _PHRASE.findall(sentence):
            # The pattern ignores case for articles at the start of a sentence; nouns are
            # capitalised.
            if noun[0].isupper():
                gender, weight = _ARTICLES[article.lower()]
                totals[noun][gender] += weight
    genders = {}
    for noun, weights in totals.items():
        gender = max(weights, key=weights.__getitem__)
        most = weights[gender]
        if most >= _LEAST and most >= 0.75 * sum(weights.values()):
            genders[noun] = gender
    return genders
