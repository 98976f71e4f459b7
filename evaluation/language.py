"""Check of a text's language: profiles from training text, limits from validation text.

Stored as ``language.json`` beside the weights, with how often the check is right.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.measurements import LANGUAGE
from core.text_language import (
    MOST_A_WORD,
    LanguageCheck,
    Profile,
    behind_of,
    excess_of,
    foreign_share,
    learned_profile,
    other_language,
    word_bits,
    words_of,
)
from training.corpora.grammar import GRAMMARS
from training.corpora.pairs import own_sets, read_pairs, set_pairs, spread_out
from training.corpora.text_pairs import TextPair
from training.files import OBJECTS, read

from .measurement import Measurement, ResultPart

LEARNED_PER_SET = 6000
OTHERS = {"fr": "tatoeba-en-fr"}
"""English sets with a third language as target; it gets a profile if its set is there."""
# A short text tells less about its language, so more alarms are accepted there.
FALSE_ALARMS = 0.005
SHORT_FALSE_ALARMS = 0.012
SHORT = 4  # words
OWN_SENTENCES = GRAMMARS / "languages.json"
RANDOM_TEXTS = 100


class LanguageMeasurement(Measurement):
    name = "language"
    file_kind = LANGUAGE
    on_a_line = (OBJECTS,)
    indent = 1

    def parts(self) -> Iterator[ResultPart]:
        yield ResultPart(("check",), self._check)

    def _check(self) -> dict[str, Any]:
        languages = self.of.card.languages
        sets = own_sets(self.sources)
        return measure_languages(self.data, sets, languages, limit=self.limit)[1]


def _distinct(pairs: Iterable[TextPair]) -> list[TextPair]:
    """Return the first pair of each source."""
    # Reversed twice: a dictionary keeps the last of equal keys.
    return list({pair.source: pair for pair in reversed(list(pairs))}.values())[::-1]


def measure_languages(
    data: Path,
    sets: Sequence[dict[str, Any]],
    codes: tuple[str, str],
    *,
    limit: int | None = None,
) -> tuple[LanguageCheck, dict[str, Any]]:
    """Learn profiles from training text and limits from validation text, and test both.

    Every other validation sentence sets the limits, the rest tests them. Returns the check, and its
    values with how often it is right, as ``language.json`` keeps them.
    """
    third = {code: data / folder for code, folder in OTHERS.items() if (data / folder).is_dir()}
    texts = _training_texts(data, sets, codes, third, limit or LEARNED_PER_SET)
    profiles = tuple(learned_profile(code, lines) for code, lines in texts.items())
    validation = [pair for entry in sets for pair in _distinct(set_pairs(data, entry, "val"))]
    check = limits_of(profiles, [pair.source for pair in validation[::2]])
    tested = {
        name: {
            "sentences": len(lines),
            # An alarm is right in a foreign text, and false in the model's own language.
            "alarms": sum(other_language(check, line) is not None for line in lines),
        }
        for name, lines in _test_texts(validation, codes, third).items()
        if lines
    }
    return check, check.to_values() | {"tested": tested}


def _training_texts(
    data: Path,
    sets: Sequence[dict[str, Any]],
    codes: tuple[str, str],
    third: Mapping[str, Path],
    per_set: int,
) -> dict[str, list[str]]:
    """Return the texts that the profile of each language is learnt from."""
    pairs = [
        pair for entry in sets for pair in spread_out(set_pairs(data, entry, "train"), per_set)
    ]
    texts = {
        codes[0]: [pair.source for pair in pairs],
        codes[1]: [pair.target for pair in pairs],
    }
    # The third languages have no direction of the model: their whole training part is read.
    for code, folder in third.items():
        texts[code] = [pair.target for pair in read_pairs(folder / "train.tsv.gz")]
    return texts


def _test_texts(
    validation: Sequence[TextPair], codes: tuple[str, str], third: Mapping[str, Path]
) -> dict[str, list[str]]:
    """Return the texts that test the check, by a name for the table."""
    sources = [pair.source for pair in validation[1::2]]
    texts = {
        f"{codes[0]}, validation": sources,
        f"{codes[0]}, validation, {SHORT} words or fewer": [
            line for line in sources if len(line.split()) <= SHORT
        ],
        f"{codes[1]}, validation": [pair.target for pair in validation],
    }
    for code, folder in third.items():
        texts[f"{code}, validation"] = [pair.target for pair in read_pairs(folder / "val.tsv.gz")]
    for name, lines in read(OWN_SENTENCES, dict[str, list[str]]).items():
        texts[f"{name}, written for this"] = lines
    return texts | {"random letters": random_texts(RANDOM_TEXTS)}


def limits_of(profiles: tuple[Profile, ...], texts: Sequence[str]) -> LanguageCheck:
    """Return a check that accepts nearly all `texts`, which are in the first profile's language."""
    every = [word for text in texts for word in words_of(text)]
    bits = sum(word_bits(profiles[0], word) for word in every)
    # One more letter a word: the end of a word is predicted, too.
    mean = bits / sum(len(word) + 1 for word in every)
    check = LanguageCheck(profiles, round(mean, 3), 0.0, 0.0)
    # Texts with foreign letters have a rule of their own and must not shift the limits.
    plain = [
        (words, len(text.split()) <= SHORT)
        for text in texts
        if (words := words_of(text)) and foreign_share(check, text) == 0
    ]

    def limit(values: list[float]) -> float:
        short = [value for value, (_, few) in zip(values, plain, strict=True) if few]
        bounds = [np.quantile(values, 1 - FALSE_ALARMS, method="higher")]
        if short:
            bounds.append(np.quantile(short, 1 - SHORT_FALSE_ALARMS, method="higher"))
        # Rounded up, so that the text that sets the bound passes.
        return math.ceil(1000 * max(0.0, *map(float, bounds))) / 1000

    excess = limit([excess_of(check, words) for words, _ in plain])
    # A single word never decides, least of all a name.
    behind = max(MOST_A_WORD, limit([behind_of(check, words)[0] for words, _ in plain]))
    return LanguageCheck(profiles, check.bits_per_letter, excess, behind)


def random_texts(n: int) -> list[str]:
    """Return `n` texts of two to six random words."""
    chance = random.Random(5)
    letters = "abcdefghijklmnopqrstuvwxyz"
    return [
        " ".join(
            "".join(chance.choices(letters, k=chance.randint(3, 8)))
            for _ in range(chance.randint(2, 6))
        )
        for _ in range(n)
    ]
