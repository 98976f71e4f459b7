"""Page of the glossary: English and Korean terms by topic, by letter, or by a search."""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

from ui.frame.messages import current_words, say
from ui.kit.controls import choice, text_box
from ui.kit.layout import note
from words.glossary import BACKGROUND, OTHER_LETTER, Entry, glossary, search

FEW = 6
"""Terms that need no second column."""


def show() -> None:
    """Draw the terms that match the typed text, or else those of a topic or a letter."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="glossary_line"):
        wanted = text_box("glossary_find", words="glossary-find", live="300ms", width=320).strip()
        if not wanted:
            by = choice("glossary_by", ("topic", "letter"), words="glossary-by", title=False)
    if wanted:
        matches = search(wanted)
        if not matches:
            note("glossary-none", "search_off")
            return
        st.caption(say("glossary-matches", n=len(matches)))
        _draw(matches)
    elif by == "topic":
        _draw_topic()
    else:
        _draw_letter()


def _draw_topic() -> None:
    korean = current_words().language == "ko"
    topics = {topic_id(entry.section): entry.section for entry in glossary()}
    left, right = st.columns([2, 7], gap="medium")
    with left:
        topic = choice(
            "glossary_topic",
            tuple(topics),
            words="glossary-topic",
            style="radio",
            text=lambda id: topics[id][korean],
            title=False,
        )
    section = topics[topic]
    with right:
        if section[0] == BACKGROUND:
            st.caption(say("glossary-background"))
        _draw([entry for entry in glossary() if entry.section == section])


def _draw_letter() -> None:
    language = current_words().language
    letters = {entry.letter(language) for entry in glossary()} - {OTHER_LETTER}
    # The letters of the page's language first: Hangul is after Latin in Unicode.
    letters = sorted(letters, key=lambda letter: (letter.isascii() == (language == "ko"), letter))
    letter = choice(
        "glossary_letter",
        (*letters, OTHER_LETTER),
        words="glossary-letter",
        text=str,
        title=False,
        wrap=True,
    )
    of_letter = [entry for entry in glossary() if entry.letter(language) == letter]
    _draw(sorted(of_letter, key=lambda entry: entry.headword(language).casefold()))


def topic_id(section: tuple[str, str]) -> str:
    """Return the id of a section, as the address has it: "what-heads-do"."""
    return re.sub(r"\W+", "-", section[0].lower())


def _draw(rows: Sequence[Entry]) -> None:
    korean = current_words().language == "ko"
    lines = [_line(row, korean) for row in rows]
    if len(lines) <= FEW:
        st.markdown("\n".join(lines))
        return
    half = (len(lines) + 1) // 2
    left, right = st.columns(2, gap="large")
    left.markdown("\n".join(lines[:half]))
    right.markdown("\n".join(lines[half:]))


def _line(row: Entry, korean: bool) -> str:
    """Return an entry in the page's language as a list item, the term with its translation."""
    term, translation = (row.korean or row.term, row.term) if korean else (row.term, row.korean)
    # A term without a Korean word of its own has nothing to add.
    name = f"**{term}**" if translation in ("", term) else f"**{term}** · {translation}"
    meaning = row.korean_meaning if korean else row.meaning
    sources = " · ".join(filter(None, (row.paper, row.code)))
    return f"- {name}  \n  {meaning}" + (f"  \n  :small[{sources}]" if sources else "")
