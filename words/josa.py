"""Korean particles, chosen by the sound before them.

A message writes the value where it stands and lets `JOSA` choose between two forms, the one after a
consonant first: ``“{ $token }”{ JOSA($token, "을/를") } 가립니다.``
"""

from __future__ import annotations

import re
import unicodedata

# Unicode orders the 11,172 syllables by initial, vowel and final: the final is the code point's
# remainder by 28, and 0 is none.
LIEUL = 8  # ㄹ among the final consonants of a syllable
_FIRST = ord("가")
_LAST = ord("힣")
_FINALS = 28
_BRACKETED = re.compile(r"(?<=[^\s(])\s*\\?\([^()]*\)\W*$")
"""Brackets at the end, which are skipped when read aloud."""
_DIGITS = dict(zip("0123456789", "영일이삼사오육칠팔구", strict=True))
"""Digits as they are read."""
_SIGNS = {"%": "트", "α": "파", "β": "타", "λ": "다", "σ": "마", "ε": "론", "π": "이", "∞": "대"}
"""Last syllables of signs, such as 퍼센트 for %."""
_UNITS = {"ms": "초", "s": "초", "µs": "초", "B": "트", "kB": "트", "MB": "트"}
"""Last syllables of units after a number."""
_LETTERS = {"L": "엘", "M": "엠", "N": "엔", "R": "알"}
"""Letters whose names end in a consonant; all others end in a vowel."""
_WORD = re.compile(r"[A-Za-zÀ-ÿ]+$")
_ALONE = re.compile(r"(?:^|[\s“\"*])\\?([.,?!:;\-–—])(?:\\?[.,?!])*[”\"*\s]*$")
"""Punctuation mark that stands alone and is read by its name."""
_PUNCTUATION = {":": "론", ";": "론", "-": "픈"}
"""Last syllables of 콜론, 세미콜론 and 하이픈; the others end like 쉼표."""
# Order matters: loanwords whose spelling misleads come before the rules of spelling.
_ENGLISH = (
    (re.compile(r"^(?:set|net|bit|hit|dot)$"), "트"),
    (re.compile(r"(?:foot|good|group|bag|^big|type|cuit|chocolate|private|e[ae]p)$"), "입"),
    (re.compile(r"(?:^|ab|with|drop|lay|check|time|work)out$"), "웃"),
    (re.compile(r"[a-zà-ÿ]le$|l$"), "엘"),
    (re.compile(r"[aeiou][nm]e$|n$|m$|ng$"), "엔"),
    (re.compile(r"(?:^|[^aeiou]|qu)[aeiou](?:pp?|tt?|ck?|k|b)$|ook$"), "입"),
)
_GERMAN = ((re.compile(r"l$"), "엘"), (re.compile(r"(?:m|n|ng)$"), "엔"))
"""German: a final e is spoken (아이네), a final stop has a vowel of its own (미트, 로크)."""
_ENDINGS = {"de": _GERMAN}
"""Endings of words in Latin letters as Hangul writes them, else a vowel.

A language that is not listed is read as English.
"""


class Spoken(str):
    """Text read aloud in a language, given by its code: the e of "Eine" is heard in German.

    >>> [josa(Spoken("Eine", code), "을/를") for code in ("en", "de")]
    ['을', '를']
    """

    language: str

    def __new__(cls, text: str, language: str) -> Spoken:
        # A `str` is immutable, so it takes its text in `__new__`.
        spoken = super().__new__(cls, text)
        spoken.language = language
        return spoken

    def __reduce__(self) -> tuple[type[Spoken], tuple[str, str]]:
        """Pickle the language too; `str` alone would lose it."""
        return Spoken, (str(self), self.language)


def language_of(value: object) -> str:
    """Return the language in which a text is read aloud; empty if it is not `Spoken`."""
    return value.language if isinstance(value, Spoken) else ""


def spoken_like(other: str, text: str) -> str:
    """Return `text`, read aloud in the language of `other` if that has one."""
    language = language_of(other)
    return Spoken(text, language) if language else text


def josa(value: object, pair: str) -> str:
    """Return the form of a particle that follows `value`.

    Parameters
    ----------
    value : what stands before; quotes, brackets and Markdown around it are passed over. Latin
        letters are read in its language where it is `Spoken`, else in English. A punctuation mark
        alone is read by its name, 마침표.
    pair : the form after a consonant and the one after a vowel, as ``"을/를"``. Forms that begin
        with 으 are left out after ㄹ, too.

    >>> [word + josa(word, "으로/로") for word in ("집", "길", "학교", "7", "it", "encoder")]
    ['집으로', '길로', '학교로', '7로', 'it으로', 'encoder로']
    >>> josa("漢", "을/를"), josa("漢", "으로/로")
    ('을(를)', '(으)로')
    """
    closed, open_ = pair.split("/")
    syllable = _last_syllable(str(value), language_of(value))
    # Unknown sound: write both forms, as in 을(를) or (으)로.
    if not syllable:
        before = closed.removesuffix(open_)
        return f"({before}){open_}" if closed != before else f"{closed}({open_})"
    final = (ord(syllable) - _FIRST) % _FINALS
    # Before 으로 and its like ㄹ counts as a vowel: 길로, not 길으로.
    return closed if final and not (final == LIEUL and closed.startswith("으")) else open_


def _last_syllable(text: str, language: str) -> str:
    """Return a syllable that ends as the text does when read aloud; empty if unknown."""
    # NFKC composes Hangul letters to syllables and turns full-width digits into plain ones.
    text = _BRACKETED.sub("", unicodedata.normalize("NFKC", text))
    sign = _ALONE.search(text)
    if sign:
        return _PUNCTUATION.get(sign[1], "표")
    text = re.sub(r"[^\w%∞]+$|[_\s]+$", "", text)
    if not text:
        return ""
    # Only after a number: "s" alone is a letter, in "3 s" it is 초.
    unit = re.search(r"(?<=\d )(?:ms|µs|s|kB|MB|B)$", text)
    if unit:
        return _UNITS[unit[0]]
    last = text[-1]
    if _FIRST <= ord(last) <= _LAST:
        return last
    word = _WORD.search(text)
    if word:
        return _of_latin(word[0], language)
    return _DIGITS.get(last) or _SIGNS.get(last) or _of_letter(last)


def _of_letter(letter: str) -> str:
    """Return a syllable that ends as the name of a single Hangul letter, such as 기역."""
    name = unicodedata.name(letter, "")
    if "HANGUL JUNGSEONG" in name:
        return "아"
    return ("을" if name.endswith("RIEUL") else "은") if name.startswith("HANGUL") else ""


def _of_latin(word: str, language: str) -> str:
    """Return a syllable that ends as a word in Latin letters does.

    Capitals and single letters are spelt out.
    """
    if word.isupper() or len(word) == 1:
        return _LETTERS.get(word[-1].upper(), "이")
    small = word.lower()
    endings = _ENDINGS.get(language[:2], _ENGLISH)
    return next((syllable for ending, syllable in endings if ending.search(small)), "이")
