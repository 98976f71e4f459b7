"""Does the model know when it is wrong, and can it tell its language? Both measured.

Stored as ``confidence.json`` beside the weights: for the page the bands of the mean log p a token
with the chrF (Popović 2015) found in each and the profiles of the languages, for people how well
this and other measures tell good translations from bad, and how often the check of the language is
right.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import sacrebleu
from scipy.stats import spearmanr
from tqdm import tqdm

from core.confidence import (
    MOST_A_WORD,
    LanguageCheck,
    Profile,
    auc,
    auc_interval,
    behind_of,
    excess_of,
    foreign_share,
    learned_profile,
    mean_log_prob,
    other_language,
    word_bits,
    words_of,
)
from core.measurements import CONFIDENCE
from core.tokens import TokenSequence
from model import Translator

from .corpus import Pair, own_sets, read_pairs, set_pairs, spread_out
from .evaluate import DECODING
from .measuring import Measurement, Part
from .storing import OBJECTS, SHARE_DIGITS, number, read

PER_SET = 100
GOOD = 50.0  # chrF from which on a translation counts as good
AUCS = (
    "auc_low",
    "auc_high",
    "auc_within",
    "auc_within_low",
    "auc_within_high",
    "auc_of_sets",
)
CUTS = (("low", 0.1), ("middle", 0.5), ("high", 1.0))
LEARNED_PER_SET = 6000
OTHERS = {"fr": "tatoeba-en-fr"}
"""Sets from English whose target is a third language, for a profile of it where they are there."""
FALSE_ALARMS, SHORT_FALSE_ALARMS = 0.005, 0.012
SHORT = 4  # words
OWN_SENTENCES = Path(__file__).parent / "grammars" / "languages.json"
RANDOM_TEXTS = 100


@dataclass(frozen=True)
class Measured:
    """One validation sentence: what the search found and how good it is."""

    source: TokenSequence
    log_probs: np.ndarray
    score: float
    chrf: float
    of: str = ""
    """The set it is from."""


class Confidence(Measurement):
    name = "confidence"
    kind = CONFIDENCE
    on_a_line = (OBJECTS,)
    indent = 1

    def frame(self) -> dict[str, Any]:
        self.own = own_sets(self.sources)
        self.pairs = {
            entry["folder"]: spread_out(_distinct(set_pairs(self.data, entry, "val")), PER_SET)
            for entry in self.own
        }
        return {
            **self.made(),
            "settings": {"decoding": {"beam_size": DECODING.beam_size, "alpha": DECODING.alpha}},
            "sets": {folder: len(pairs[: self.limit]) for folder, pairs in self.pairs.items()},
            "good": f"chrF {GOOD:.0f} or more, one reference, sacreBLEU {sacrebleu.__version__}",
        }

    def parts(self) -> Iterator[Part]:
        yield Part(("auc",), lambda: self._measures["mean_log_prob"]["auc"])
        for name in AUCS:
            yield Part((name,), lambda name=name: self._aucs[name])
        yield Part(("bands",), lambda: bands_of(self._translated))
        yield Part(("sure",), lambda: sure_of(self._translated))
        yield Part(("measures",), lambda: self._measures)
        yield Part(("language",), lambda: self._languages[1])

    @cached_property
    def _translated(self) -> list[Measured]:
        pairs = [(pair, name) for name in self.pairs for pair in self.pairs[name][: self.limit]]
        return [
            replace(translated(self.of, pair), of=folder)
            for pair, folder in tqdm(pairs, desc="confidence", unit="sentence")
        ]

    @cached_property
    def _languages(self) -> tuple[LanguageCheck, dict[str, Any]]:
        languages = self.of.card.languages
        return measure_languages(self.data, self.own, languages, limit=self.limit)

    @cached_property
    def _measures(self) -> dict[str, dict[str, Any]]:
        return compared(self._translated, self._languages[0])

    @cached_property
    def _aucs(self) -> dict[str, Any]:
        return aucs_of(self._translated)


def _distinct(pairs: Any) -> list[Pair]:
    """The first pair of each source."""
    return list({pair.source: pair for pair in reversed(list(pairs))}.values())[::-1]


def translated(translator: Translator, pair: Pair) -> Measured:
    translation = translator.translate(pair.source, DECODING)
    chrf = sacrebleu.sentence_chrf(translation.text, [pair.target]).score
    return Measured(translation.src, translation.log_probs, translation.score, chrf)


# -- how well a measure tells good from bad --------------------------------------------------


def _one_letter(sentence: Measured, check: LanguageCheck) -> float:
    return -float(np.mean([len(piece.strip("▁")) <= 1 for piece in sentence.source.tokens[:-1]]))


def _usual_source(sentence: Measured, check: LanguageCheck) -> float:
    words = words_of(sentence.source.text)
    letters = sum(len(word) + 1 for word in words)
    return -sum(word_bits(check.profiles[0], word) for word in words) / max(letters, 1)


MEASURES: dict[str, Callable[[Measured, LanguageCheck], float]] = {
    "mean_log_prob": lambda sentence, check: mean_log_prob(sentence.log_probs),
    "mean_log_prob_without_end": lambda sentence, check: mean_log_prob(
        sentence.log_probs[:-1] if len(sentence.log_probs) > 1 else sentence.log_probs
    ),
    "lowest_log_prob": lambda sentence, check: float(sentence.log_probs.min()),
    "summed_log_prob": lambda sentence, check: float(sentence.log_probs.sum()),
    "score": lambda sentence, check: sentence.score,
    "short_source": lambda sentence, check: -float(len(sentence.source)),
    "usual_source": _usual_source,
    "few_one_letter_pieces": _one_letter,
}
"""Numbers known without a reference; the higher, the better the translation should be."""


def compared(sentences: Sequence[Measured], check: LanguageCheck) -> dict[str, dict[str, Any]]:
    """For each measure the AUC of good against bad and Spearman's correlation with chrF."""
    chrf = [sentence.chrf for sentence in sentences]
    good = [value >= GOOD for value in chrf]
    rows = {}
    for name, value in MEASURES.items():
        values = [value(sentence, check) for sentence in sentences]
        differ = len(set(values)) > 1
        rho = float(spearmanr(values, chrf).statistic) if differ else math.nan
        rows[name] = {"auc": number(auc(values, good)), "spearman": number(rho)}
    return rows


def aucs_of(sentences: Sequence[Measured]) -> dict[str, Any]:
    """What the mean log p tells, and what it tells beyond the set that a sentence is of.

    ``auc_low`` and ``auc_high`` bound the AUC (95 %, bootstrap over sentences).
    ``auc_within``, with its bounds, counts pairs of a good and a bad translation out of the same
    set alone. ``auc_of_sets`` is that of the mean of each set's values in the place of its
    sentences'.
    """
    values = [mean_log_prob(sentence.log_probs) for sentence in sentences]
    good = [sentence.chrf >= GOOD for sentence in sentences]
    sets = [sentence.of for sentence in sentences]
    of_set = {
        name: float(np.mean([v for v, own in zip(values, sets, strict=True) if own == name]))
        for name in set(sets)
    }
    every, within = auc_interval(values, good), auc_interval(values, good, sets)
    return {
        "auc_low": number(every.low),
        "auc_high": number(every.high),
        "auc_within": number(within.value),
        "auc_within_low": number(within.low),
        "auc_within_high": number(within.high),
        "auc_of_sets": number(auc([of_set[name] for name in sets], good)),
    }


def sure_of(sentences: Sequence[Measured]) -> dict[str, dict[str, Any]]:
    """Of each set the sentences in the upper half of the mean log p, and the share that is good."""
    values = np.array([mean_log_prob(sentence.log_probs) for sentence in sentences])
    bound = np.quantile(values, CUTS[1][1])
    sure: dict[str, list[bool]] = {}
    for sentence, value in zip(sentences, values, strict=True):
        if value >= bound:
            sure.setdefault(sentence.of, []).append(sentence.chrf >= GOOD)
    return {
        name: {"sentences": len(good), "good": number(float(np.mean(good)), SHARE_DIGITS)}
        for name, good in sure.items()
    }


def bands_of(sentences: Sequence[Measured]) -> list[dict[str, Any]]:
    """The lowest tenth of the mean log p, the rest of the lower half, and the upper half.

    Bands that nothing lies in, as where all are equal, are left out.
    """
    values = np.array([mean_log_prob(sentence.log_probs) for sentence in sentences])
    chrf = np.array([sentence.chrf for sentence in sentences])
    bounds = [float(np.quantile(values, share)) for _, share in CUTS[:-1]]
    band = np.searchsorted(bounds, values, side="right")
    bands = []
    for i, (name, _) in enumerate(CUTS):
        here = chrf[band == i]
        if len(here):
            row = {"name": name, "below": round(bounds[i], 4) if i < len(bounds) else None}
            row |= {
                "chrf": round(float(here.mean()), 1),
                "good": number((here >= GOOD).mean(), SHARE_DIGITS),
            }
            bands.append(row | {"sentences": len(here)})
    bands[-1]["below"] = None
    return bands


# -- does it look like the language ----------------------------------------------------------


def measure_languages(
    data: Path,
    sets: Sequence[dict[str, Any]],
    codes: tuple[str, str],
    *,
    limit: int | None = None,
) -> tuple[LanguageCheck, dict[str, Any]]:
    """Profiles from training text, limits from every other validation sentence, tests on the rest.

    Returns the check, and what ``confidence.json`` keeps of it with how often it is right.
    """
    train = [
        pair
        for entry in sets
        for pair in spread_out(set_pairs(data, entry, "train"), limit or LEARNED_PER_SET)
    ]
    validation = [pair for entry in sets for pair in _distinct(set_pairs(data, entry, "val"))]
    third = {code: data / folder for code, folder in OTHERS.items() if (data / folder).is_dir()}
    texts = {
        codes[0]: [pair.source for pair in train],
        codes[1]: [pair.target for pair in train],
    } | {
        code: [pair.target for pair in read_pairs(folder / "train.tsv.gz")]
        for code, folder in third.items()
    }
    profiles = tuple(learned_profile(code, lines) for code, lines in texts.items())
    held = [pair.source for pair in validation]
    check = limits_of(profiles, held[::2])

    def alarms(lines: Sequence[str]) -> dict[str, Any]:
        rung = sum(other_language(check, line) is not None for line in lines)
        return {"sentences": len(lines), "alarms": rung}

    tested = {
        f"{codes[0]}, validation": held[1::2],
        f"{codes[0]}, validation, {SHORT} words or fewer": [
            line for line in held[1::2] if len(line.split()) <= SHORT
        ],
        f"{codes[1]}, validation": [pair.target for pair in validation],
    } | {
        f"{code}, validation": [pair.target for pair in read_pairs(folder / "val.tsv.gz")]
        for code, folder in third.items()
    }
    own = read(OWN_SENTENCES, dict[str, list[str]])
    tested |= {f"{name}, written for this": lines for name, lines in own.items()}
    tested["random letters"] = random_texts(RANDOM_TEXTS)
    return check, check.to_values() | {
        "tested": {name: alarms(lines) for name, lines in tested.items() if lines}
    }


def limits_of(profiles: tuple[Profile, ...], texts: Sequence[str]) -> LanguageCheck:
    """A check that rings for few of `texts`, which are in the first profile's language."""
    every = [word for text in texts for word in words_of(text)]
    bits = sum(word_bits(profiles[0], word) for word in every)
    mean = bits / sum(len(word) + 1 for word in every)
    check = LanguageCheck(profiles, round(mean, 3), 0.0, 0.0)
    shown = [
        (words, len(text.split()) <= SHORT)
        for text in texts
        if (words := words_of(text)) and foreign_share(check, text) == 0
    ]

    def limit(values: list[float]) -> float:
        short = [value for value, (_, few) in zip(values, shown, strict=True) if few]
        bounds = [np.quantile(values, 1 - FALSE_ALARMS, method="higher")]
        if short:
            bounds.append(np.quantile(short, 1 - SHORT_FALSE_ALARMS, method="higher"))
        # Rounded up, so that the text which is the bound does not ring.
        return math.ceil(1000 * max(0.0, *map(float, bounds))) / 1000

    excess = limit([excess_of(check, words) for words, _ in shown])
    # So that one word never decides, a name least of all.
    behind = max(MOST_A_WORD, limit([behind_of(check, words)[0] for words, _ in shown]))
    return LanguageCheck(profiles, check.bits_per_letter, excess, behind)


def random_texts(n: int) -> list[str]:
    """Two to six words of random letters each."""
    chance = random.Random(5)
    letters = "abcdefghijklmnopqrstuvwxyz"
    return [
        " ".join(
            "".join(chance.choices(letters, k=chance.randint(3, 8)))
            for _ in range(chance.randint(2, 6))
        )
        for _ in range(n)
    ]
