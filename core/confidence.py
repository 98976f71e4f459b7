"""How far a translation, its source and a model's probabilities may be trusted, as measured."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta, field
from scipy.stats import rankdata

from .bootstrap import draws, interval_of
from .stored import Count, Interval, LogProb, Made, Part, Percent, Positive, Share

BANDS = ("low", "middle", "high")
FEWEST = 20
"""Sentences of a set from which on a share of them is told."""


class Band(Part):
    """Sentences of one range of the measure, and how well they were translated."""

    name: Literal[BANDS]  # type: ignore[valid-type]
    below: LogProb | None  # the mean log p under which a sentence belongs here; None without bound
    chrf: Percent  # mean chrF of these sentences
    good: Share  # of them at chrF 50 or more
    sentences: Count


class Profile(Part):
    """How a language is written: its frequent words, and which letter follows which."""

    code: str  # of the language, as "en"
    # the symbols that are usual in it, first the space between words
    alphabet: Annotated[str, Meta(pattern="^ ")]
    # for each symbol a string of one hexadecimal digit a symbol, in the alphabet's order: the bits
    # it takes to say that this one comes next
    spelling: tuple[Annotated[str, Meta(pattern="^[0-9a-f]+$")], ...]
    words: dict[str, Count]  # share of each frequent word among all words, in 100,000ths

    def __post_init__(self) -> None:
        size = len(self.alphabet)
        if [len(row) for row in self.spelling] != [size] * size:
            raise ValueError(f"Expected {size} digits a row and {size} rows, as in the alphabet")
        if sum(self.words.values()) > 100_000:
            raise ValueError("Expected words that are no more than 100,000 100,000ths")


class LanguageCheck(Part):
    """Profiles of languages, and the limits beyond which a text is not taken for the first."""

    # of the language that the model reads, then of others
    profiles: Annotated[tuple[Profile, ...], Meta(min_length=1)]
    bits_per_letter: Positive  # what a letter of the model's language takes by its own profile
    most_excess: float  # bits a letter more than that, shrunk towards none for short texts
    most_behind: float  # bits by which another language may be the better guess


class Sure(Part):
    good: Share
    sentences: Count


class Confidence(Made, kw_only=True, rename={"check": "language"}):
    """What ``python -m training confidence`` measured, see `training.confidence`.

    Older measurements lack what has a default.
    """

    # of the mean log p a token, lowest first
    bands: Annotated[tuple[Band, ...], Meta(min_length=1)]
    # share of pairs of a good and a bad translation in which the good one has the higher mean log
    # p; None where all were good or all bad
    auc: Share | None
    check: LanguageCheck | None  # None where a text of the source says nothing of its language
    auc_low: Share | None = None  # auc_low, auc_high: between them 95 % of those of drawn sentences
    auc_high: Share | None = None
    auc_within: Share | None = None  # the AUC of pairs out of the same set alone
    sure: dict[str, Sure] = field(default_factory=dict)  # by set its sentences in the highest band

    def __post_init__(self) -> None:
        bounds = [band.below for band in self.bands]
        inner = [bound for bound in bounds[:-1] if bound is not None]
        if bounds[-1] is not None or len(inner) != len(bounds) - 1 or inner != sorted(inner):
            raise ValueError("Expected bands in order, each but the last with 'below'")

    @property
    def good_by_set(self) -> tuple[float, float] | None:
        """The least and the largest share of `sure`, of sets with `FEWEST` sentences there."""
        good = [share.good for share in self.sure.values() if share.sentences >= FEWEST]
        return (min(good), max(good)) if good else None


Bins = dict[str, list[float]]


def calibration(confidence: np.ndarray, right: np.ndarray) -> Bins:
    """Ten bins of equal width over how sure a model was, and how often it was right in each.

    `confidence`: (N,), the probability of the likeliest token, 0 to 1. `right`: bool (N,), whether
    that token was the one that stood there. Returns ``count``, ``confidence`` and ``accuracy``
    (means in each bin), of the bins that hold anything.
    """
    bins = np.minimum((confidence * 10).astype(int), 9)
    held = [bins == number for number in np.unique(bins)]
    return {
        "count": [int(inside.sum()) for inside in held],
        "confidence": [float(confidence[inside].mean()) for inside in held],
        "accuracy": [float(right[inside].mean()) for inside in held],
    }


def expected_calibration_error(bins: Bins) -> float:
    """Mean distance between how sure and how right, weighted by the bins (Guo et al. 2017, eq. 3).

    0 where every number is to be believed.
    """
    count, sure, right = (np.array(bins[name]) for name in ("count", "confidence", "accuracy"))
    return float((count * np.abs(sure - right)).sum() / count.sum())


MOST_WORDS = 300  # of a profile
UNSEEN = 15  # bits, the largest hexadecimal digit: a symbol the language does not know
MOST_A_WORD = 7.0  # bits by which one word may speak for another language: one name decides nothing
MOST_EXCESS_A_WORD = 8.0
SHRINK = 15.0  # letters that a text seems to have more, without excess: short ones weigh less
FOREIGN = 0.5  # share of letters outside the alphabet from which on a text is another script's
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SCRIPTS = {
    "HANGUL": "H", "CYRILLIC": "C", "GREEK": "G", "ARABIC": "A", "HEBREW": "B",
    "CJK": "J", "HIRAGANA": "J", "KATAKANA": "J",
}  # fmt: skip


# -- translations ---------------------------------------------------------------------------


def mean_log_prob(log_probs: np.ndarray) -> float:
    """Mean of the natural `log_probs` (T_tgt,) of an output's tokens, ``</s>`` included."""
    return float(np.mean(log_probs, dtype=np.float64))


def band_of(confidence: Confidence, log_probs: np.ndarray) -> Band:
    """The band that an output of these log-probabilities (T_tgt,) belongs to."""
    value = mean_log_prob(log_probs)
    return next(b for b in confidence.bands if b.below is None or value < b.below)


def auc(values: Sequence[float], good: Sequence[bool], sets: Sequence[str] | None = None) -> float:
    """Share of pairs of a good and a bad one in which the good one has the higher value.

    The area under the ROC curve (Hanley and McNeil 1982), equal values counting half; NaN where
    no pair is. With `sets`, only pairs out of the same set count: what a value tells beyond which
    set a sentence is of.
    """
    every, flags = np.asarray(values, dtype=np.float64), np.asarray(good, dtype=bool)
    of = np.zeros(len(flags)) if sets is None else np.asarray(sets)
    ordered, pairs = 0.0, 0
    for name in np.unique(of):
        here = of == name
        n_good = int(flags[here].sum())
        ranks = rankdata(every[here])
        ordered += ranks[flags[here]].sum() - n_good * (n_good + 1) / 2
        pairs += n_good * int((~flags[here]).sum())
    return float(ordered / pairs) if pairs else math.nan


def auc_interval(
    values: Sequence[float], good: Sequence[bool], sets: Sequence[str] | None = None
) -> Interval:
    """`auc` and where 95 % of those of drawn sentences lie; draws without a pair are left out."""
    aucs = []
    for times in draws(len(values)):
        drawn = np.repeat(np.arange(len(values)), times).tolist()
        of = None if sets is None else [sets[i] for i in drawn]
        aucs.append(auc([values[i] for i in drawn], [good[i] for i in drawn], of))
    return interval_of(auc(values, good, sets), np.array(aucs)[~np.isnan(aucs)])


# -- languages ------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _symbol(character: str) -> str:
    """A letter of the Latin script in lower case, one capital for all of another script."""
    lower = character.lower()[:1]
    script = unicodedata.name(lower, "?").split()[0]
    return lower if script == "LATIN" else _SCRIPTS.get(script, "?")


def words_of(text: str) -> list[str]:
    """The words of a text in symbols; names, capitals after the first word, are left out.

    >>> words_of("Yesterday Anna's DOG saw 3 trains.")
    ['yesterday', 'saw', 'trains']
    """
    words = _WORD.findall(unicodedata.normalize("NFC", text).replace("’", "'"))
    kept = [word for n, word in enumerate(words) if n == 0 or not word[0].isupper()]
    return ["".join(c if c == "'" else _symbol(c) for c in word) for word in kept]


def learned_profile(code: str, texts: Iterable[str]) -> Profile:
    """The profile of a language from texts in it.

    Letters rarer than one in 20,000 are not of the language.
    """
    words: Counter[str] = Counter()
    for text in texts:
        words.update(words_of(text))
    letters: Counter[str] = Counter()
    follows: Counter[tuple[str, str]] = Counter()
    for word, count in words.items():
        spelled = f" {word} "
        for pair in pairwise(spelled):
            follows[pair] += count
            letters[pair[1]] += count
    n_letters, n_all = letters.total(), words.total()
    alphabet = " " + "".join(
        sorted(c for c, count in letters.items() if c != " " and count >= n_letters / 20_000)
    )
    spelling = []
    for first in alphabet:
        after = {c: follows[first, c] + 5 * letters[c] / n_letters for c in alphabet}
        total = sum(after.values())
        bits = (round(-math.log2(after[c] / total)) if after[c] else UNSEEN for c in alphabet)
        spelling.append("".join(f"{min(UNSEEN, bit):x}" for bit in bits))
    shares = {word: int(count / n_all * 1e5) for word, count in words.most_common(MOST_WORDS)}
    return Profile(code, alphabet, tuple(spelling), shares)


def word_bits(profile: Profile, word: str) -> float:
    """Bits it takes to say `word`, in symbols, in a language: as a frequent word or by letters."""
    index = {c: i for i, c in enumerate(profile.alphabet)}
    spelled = f" {word} "
    bits = sum(
        int(profile.spelling[index[a]][index[b]], 16) if a in index and b in index else UNSEEN
        for a, b in pairwise(spelled)
    )
    rest = max(1.0, 1e5 - sum(profile.words.values()))
    share = profile.words.get(word, 0) + rest * 2.0 ** -min(bits, 900)
    return -math.log2(share / 1e5)


def excess_of(check: LanguageCheck, words: Sequence[str]) -> float:
    """Bits a letter that a text takes beyond what its language takes, shrunk for short texts."""
    own = check.profiles[0]
    excess = sum(
        min(MOST_EXCESS_A_WORD, word_bits(own, word) - check.bits_per_letter * (len(word) + 1))
        for word in words
    )
    return excess / (sum(len(word) + 1 for word in words) + SHRINK)


def behind_of(check: LanguageCheck, words: Sequence[str]) -> tuple[float, str]:
    """By how many bits the best of the other languages is the better guess, and its code."""
    own, *others = check.profiles
    own_bits = [word_bits(own, word) for word in words]

    def behind(other: Profile) -> float:
        gains = (bits - word_bits(other, word) for bits, word in zip(own_bits, words, strict=True))
        return sum(max(-MOST_A_WORD, min(MOST_A_WORD, gain)) for gain in gains)

    return max(((behind(other), other.code) for other in others), default=(-math.inf, ""))


def foreign_share(check: LanguageCheck, text: str) -> float:
    """Share of the letters of a text that its language does not know; 0 where it has none."""
    letters = [_symbol(c) for c in unicodedata.normalize("NFC", text) if c.isalpha()]
    known = set(check.profiles[0].alphabet)
    return sum(c not in known for c in letters) / len(letters) if letters else 0.0


def other_language(check: LanguageCheck, text: str) -> str | None:
    """What a text looks like when it does not look like the language that the model reads.

    The code of a language with a profile, "" for whatever else, None where nothing is wrong.
    """
    if foreign_share(check, text) >= FOREIGN:
        return ""
    words = words_of(text)
    if not words:
        return None
    bits, code = behind_of(check, words)
    if bits > check.most_behind:
        return code
    return "" if excess_of(check, words) > check.most_excess else None
