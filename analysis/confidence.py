"""How far a translation and its source may be trusted, from numbers that were measured before."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from scipy.stats import rankdata

from records import Band, Confidence, Interval, LanguageCheck, Profile

from .bootstrap import draws, interval_of

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
    found = []
    for times in draws(len(values)):
        drawn = np.repeat(np.arange(len(values)), times).tolist()
        of = None if sets is None else [sets[i] for i in drawn]
        found.append(auc([values[i] for i in drawn], [good[i] for i in drawn], of))
    return interval_of(auc(values, good, sets), np.array(found)[~np.isnan(found)])


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
    found = _WORD.findall(unicodedata.normalize("NFC", text).replace("’", "'"))
    kept = [word for n, word in enumerate(found) if n == 0 or not word[0].isupper()]
    return ["".join(c if c == "'" else _symbol(c) for c in word) for word in kept]


def learned_profile(code: str, texts: Iterable[str], n_words: int = 300) -> Profile:
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
        spelling.append("".join(f"{min(UNSEEN, each):x}" for each in bits))
    shares = {word: int(count / n_all * 1e5) for word, count in words.most_common(n_words)}
    return Profile(code, alphabet, tuple(spelling), shares)


def word_bits(profile: Profile, word: str) -> float:
    """Bits it takes to say `word`, in symbols, in a language: as a frequent word or by letters."""
    place = {c: i for i, c in enumerate(profile.alphabet)}
    spelled = f" {word} "
    bits = sum(
        int(profile.spelling[place[a]][place[b]], 16) if a in place and b in place else UNSEEN
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

    def behind(other: Profile) -> float:
        gains = (word_bits(own, word) - word_bits(other, word) for word in words)
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
