"""Language of a text: profiles of languages' spelling, and a check against them."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Annotated

from msgspec import Meta

from .storage import Count, MeasuredFile, Part, Positive

MOST_WORDS = 300  # words in a profile
UNSEEN = 15  # bits of an unknown symbol, the largest hexadecimal digit
MOST_A_WORD = 7.0  # bits one word may add for another language: no name decides alone
MOST_EXCESS_A_WORD = 8.0
SHRINK = 15.0  # letters without excess added to every text, so that short ones weigh less
CLEARLY_OWN = 15.0  # bits ahead of every other language: rare words do not make a text foreign
FOREIGN = 0.5  # share of letters outside the alphabet from which a text is in another script
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SCRIPTS = {
    "HANGUL": "H", "CYRILLIC": "C", "GREEK": "G", "ARABIC": "A", "HEBREW": "B",
    "CJK": "J", "HIRAGANA": "J", "KATAKANA": "J",
}  # fmt: skip
"""One capital a script: a letter of it is foreign to a Latin profile, whichever it is."""


class Profile(Part):
    """Spelling profile of a language: its frequent words, and which letter follows which."""

    code: str  # of the language, as "en"
    # its usual symbols, first the space between words
    alphabet: Annotated[str, Meta(pattern="^ ")]
    # for each symbol a row of hexadecimal digits, one for each symbol of the alphabet: the bits
    # that it takes to code that symbol next
    spelling: tuple[Annotated[str, Meta(pattern="^[0-9a-f]+$")], ...]
    words: dict[str, Count]  # share of each frequent word among all words, in 100,000ths

    def __post_init__(self) -> None:
        size = len(self.alphabet)
        if [len(row) for row in self.spelling] != [size] * size:
            raise ValueError(f"Expected {size} rows of {size} digits, as in the alphabet")
        if sum(self.words.values()) > 100_000:
            raise ValueError("Expected shares of words that sum to at most 100,000 (in 100,000ths)")


class LanguageCheck(Part):
    """Profiles of languages, and the limits beyond which a text is not in the first."""

    # of the language that the model reads, then of others
    profiles: Annotated[tuple[Profile, ...], Meta(min_length=1)]
    bits_per_letter: Positive  # mean bits of a letter of the model's language by its own profile
    most_excess: float  # bits a letter more than that, shrunk towards none for short texts
    most_behind: float  # bits by which another language may be the better guess


class TextLanguage(MeasuredFile, kw_only=True):
    """Content of ``language.json``, stored by ``python -m evaluation language``."""

    check: LanguageCheck


@lru_cache(maxsize=4096)
def _symbol(character: str) -> str:
    """Return a Latin letter in lower case, or one capital for all letters of another script."""
    lower = character.lower()[:1]
    script = unicodedata.name(lower, "?").split()[0]
    return lower if script == "LATIN" else _SCRIPTS.get(script, "?")


def words_of(text: str) -> list[str]:
    """Split a text into words in symbols, without capitalised words after the first, such as names.

    >>> words_of("Yesterday Anna's DOG saw 3 trains.")
    ['yesterday', 'saw', 'trains']
    """
    words = _WORD.findall(unicodedata.normalize("NFC", text).replace("’", "'"))
    # Names occur in every language; the first word is capitalised anyway.
    kept = [word for n, word in enumerate(words) if n == 0 or not word[0].isupper()]
    return ["".join(c if c == "'" else _symbol(c) for c in word) for word in kept]


def learned_profile(code: str, texts: Iterable[str]) -> Profile:
    """Learn the profile of a language from texts in it.

    Letters rarer than one in 20,000 are taken for foreign.
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
    n_letters = letters.total()
    n_all = words.total()
    alphabet = " " + "".join(
        sorted(c for c, count in letters.items() if c != " " and count >= n_letters / 20_000)
    )
    spelling = []
    for first in alphabet:
        # Additive smoothing by five pseudo-counts, spread as the letters are.
        after = {c: follows[first, c] + 5 * letters[c] / n_letters for c in alphabet}
        total = sum(after.values())
        bits = (round(-math.log2(after[c] / total)) if after[c] else UNSEEN for c in alphabet)
        spelling.append("".join(f"{min(UNSEEN, bit):x}" for bit in bits))
    shares = {word: int(count / n_all * 1e5) for word, count in words.most_common(MOST_WORDS)}
    return Profile(code, alphabet, tuple(spelling), shares)


def word_bits(profile: Profile, word: str) -> float:
    """Return the bits of `word`, in symbols, as a frequent word of a language or by its letters."""
    index = {c: i for i, c in enumerate(profile.alphabet)}
    spelled = f" {word} "
    bits = sum(
        int(profile.spelling[index[a]][index[b]], 16) if a in index and b in index else UNSEEN
        for a, b in pairwise(spelled)
    )
    # The share of words that are not frequent, spelt by their letters.
    rest = max(1.0, 1e5 - sum(profile.words.values()))
    # 2 ** -900 is still a normal float; a smaller power would underflow to 0.
    share = profile.words.get(word, 0) + rest * 2.0 ** -min(bits, 900)
    return -math.log2(share / 1e5)


def excess_of(check: LanguageCheck, words: Sequence[str]) -> float:
    """Return the bits a letter of a text beyond those of its language, shrunk for short texts."""
    profile = check.profiles[0]
    excess = sum(
        min(MOST_EXCESS_A_WORD, word_bits(profile, word) - check.bits_per_letter * (len(word) + 1))
        for word in words
    )
    return excess / (sum(len(word) + 1 for word in words) + SHRINK)


def behind_of(check: LanguageCheck, words: Sequence[str]) -> tuple[float, str]:
    """Return the bits by which the best other language is the better guess, and its code."""
    profile, *others = check.profiles
    bits_of_words = [word_bits(profile, word) for word in words]

    def behind(other: Profile) -> float:
        pairs = zip(bits_of_words, words, strict=True)
        gains = (bits - word_bits(other, word) for bits, word in pairs)
        return sum(max(-MOST_A_WORD, min(MOST_A_WORD, gain)) for gain in gains)

    return max(((behind(other), other.code) for other in others), default=(-math.inf, ""))


def foreign_share(check: LanguageCheck, text: str) -> float:
    """Return the share of letters that the model's language lacks; 0 for a text without letters."""
    letters = [_symbol(c) for c in unicodedata.normalize("NFC", text) if c.isalpha()]
    alphabet = set(check.profiles[0].alphabet)
    return sum(c not in alphabet for c in letters) / len(letters) if letters else 0.0


def other_language(check: LanguageCheck, text: str) -> str | None:
    """Return the language that a text seems to be in if it is not the model's.

    The code of a language with a profile, "" for any other, None if the text passes.
    """
    if foreign_share(check, text) >= FOREIGN:
        return ""
    words = words_of(text)
    if not words:
        return None
    bits, code = behind_of(check, words)
    if bits > check.most_behind:
        return code
    # "Colorless green ideas sleep furiously": rare words, but no other language spells like that.
    if -CLEARLY_OWN > bits > -math.inf:
        return None
    return "" if excess_of(check, words) > check.most_excess else None
