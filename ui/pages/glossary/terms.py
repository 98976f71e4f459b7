"""Page of the glossary, `words/glossary.md`: English and Korean in one table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from ...frame.messages import current_words, say
from ...kit.controls import text_box
from ...kit.layout import note

FILE = Path(__file__).resolve().parents[3] / "words" / "glossary.md"
SEPARATOR = " · "  # between the English and the Korean name of a section
# The order of the columns of the file.
COLUMNS = ("term", "korean", "meaning", "korean_meaning", "paper", "code")
BACKGROUND = "Background"
"""Section of terms that occur nowhere else in the app."""


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

    def holds(self, wanted: str) -> bool:
        """Return True if a term, meaning or name in the code contains `wanted`, in any case."""
        return any(wanted.casefold() in getattr(self, name).casefold() for name in COLUMNS)


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


def show() -> None:
    """Draw all terms, or those that contain the typed text."""
    rows = tuple(entries(FILE.read_text(encoding="utf-8")))
    wanted = text_box("glossary_find", words="glossary-find", live="300ms").strip()
    matches = [entry for entry in rows if not wanted or entry.holds(wanted)]
    if not matches:
        note("glossary-none", "search_off")
        return
    for section in dict.fromkeys(entry.section for entry in matches):
        st.markdown(list_of(section, [entry for entry in matches if entry.section == section]))


def list_of(section: tuple[str, str], rows: list[Entry]) -> str:
    """Return a section as Markdown in the page's language, each term with its translation."""
    korean = current_words().language == "ko"
    about = [say("glossary-background"), ""] if section[0] == BACKGROUND else []
    return "\n".join([f"## {section[korean]}", "", *about, *(_line(row, korean) for row in rows)])


def _line(row: Entry, korean: bool) -> str:
    terms = (row.korean or row.term, row.term) if korean else (row.term, row.korean)
    name = " · ".join([f"**{terms[0]}**", *filter(None, terms[1:] if terms[1] != terms[0] else ())])
    meaning = row.korean_meaning if korean else row.meaning
    sources = " · ".join(filter(None, (row.paper, row.code)))
    return f"- {name}  \n  {meaning}" + (f"  \n  :small[{sources}]" if sources else "")
