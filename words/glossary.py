"""Table of concepts in ``glossary.md``: its rows, their names, and a search through them.

>>> [entry.term for entry in search("multihead attention")][:1]
['Multi-head attention']
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("glossary.md")
SEPARATOR = " · "  # between the English and the Korean name of a section
# The order of the columns of the file.
COLUMNS = ("term", "korean", "meaning", "korean_meaning", "paper", "code")
BACKGROUND = "Background"
"""Section of terms that occur nowhere else in the app."""
_INITIALS = "ㄱㄱㄴㄷㄷㄹㅁㅂㅂㅅㅅㅇㅈㅈㅊㅋㅌㅍㅎ"
"""First letters of Hangul syllables in Unicode's order, doubled consonants as single ones."""
_SYLLABLES_PER_INITIAL = 21 * 28  # vowels times endings, "no ending" being one
OTHER_LETTER = "#"


@dataclass(frozen=True)
class Entry:
    """A row of the glossary, as Markdown."""

    section: tuple[str, str]
    term: str
    korean: str
    meaning: str
    korean_meaning: str
    paper: str
    code: str

    @property
    def is_background(self) -> bool:
        """Return True if no other page shows the term."""
        return self.section[0] == BACKGROUND

    def headword(self, language: str) -> str:
        """Return the term in a language, in English if it has no name of its own there."""
        return (self.korean or self.term) if language == "ko" else self.term

    def names(self, language: str) -> list[str]:
        """Return the names in the headword, which separates them by commas, slashes or brackets."""
        plain = self.headword(language).replace("`", "")
        return [name.strip() for name in re.split(r"[,/()]", plain) if name.strip()]

    def letter(self, language: str) -> str:
        """Return the letter under which the term is listed: A to Z, ㄱ to ㅎ, or "#"."""
        first = self.headword(language).lstrip("`[*(")[0].upper()
        if "가" <= first <= "힣":
            return _INITIALS[(ord(first) - ord("가")) // _SYLLABLES_PER_INITIAL]
        return first if "A" <= first <= "Z" else OTHER_LETTER

    def rank(self, wanted: str) -> int | None:
        """Return 0 if a whole name matches, 1 for part of one, 2 for the text, None for nothing."""
        key = _key(wanted)
        names = [_key(name) for name in self.names("en") + self.names("ko")]
        if key in names:
            return 0
        whole = [_key(self.term), _key(self.korean)]
        if any(key in name for name in names + whole):
            return 1
        # In a text spaces count: without them "elmo" would be in "model more".
        text = " ".join((self.meaning, self.korean_meaning, self.paper, self.code))
        return 2 if any(_spelling(wanted, by) in _spelling(text, by) for by in ("", " ")) else None


def _spelling(text: str, hyphen: str = "") -> str:
    """Return `text` in small letters, its hyphens replaced, with -ise spelt as -ize."""
    plain = re.sub(r"[-‐‑–]", hyphen, text.casefold())
    return re.sub(r"is(?=e\b|ed\b|ing\b|ation)", "iz", plain)


def _key(name: str) -> str:
    """Return the spelling of a name without spaces: "warm up", "warm-up" and "warmup" are one."""
    return re.sub(r"[\s`_]", "", _spelling(name))


def entries(text: str) -> Iterator[Entry]:
    """Yield the rows of all tables in order."""
    section = ("", "")
    for line in text.splitlines():
        if line.startswith("## "):
            english, _, korean = line[3:].partition(SEPARATOR)
            section = (english, korean)
        # Cells are split at a space and a bar, so that code in a cell may hold a bar.
        cells = [cell.strip() for cell in line.strip().strip("|").split(" |")]
        if line.startswith("|") and len(cells) == len(COLUMNS) and cells[0] != "Term":
            yield Entry(section, *(cell.strip("| ") for cell in cells))


@cache
def glossary() -> tuple[Entry, ...]:
    """Return all rows of the file."""
    return tuple(entries(FILE.read_text(encoding="utf-8")))


def search(wanted: str) -> list[Entry]:
    """Return the entries that match in either language, the best first."""
    ranks = {entry: entry.rank(wanted) for entry in glossary()}
    matches = [entry for entry, rank in ranks.items() if rank is not None]
    return sorted(matches, key=lambda entry: ranks[entry] or 0)
