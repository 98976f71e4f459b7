"""Style sheet of the pages, and the look of their figures."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from viz.style import Look, use_look
from viz.theme import css_colours
from words import Words, languages

from .messages import words_chosen

DRESSED = "x-attention-lab-dressed"
"""Header of a session whose page was sent with its style sheet."""


def page_style() -> str:
    """Return the style sheet of all pages, and of the first one while it loads, as HTML."""
    css, coming = (
        Path(__file__).with_name(f"{name}.css").read_text(encoding="utf-8")
        for name in ("style", "coming")
    )
    lines = r"\a ".join(Words(language)("page-coming") for language in languages())
    coming += f':root {{ --page-coming: "{lines}"; }}'
    return f'<style>{css_colours()}{css}</style><style id="coming">{coming}</style>'


def style_page() -> None:
    """Send the style sheet with this drawing, unless it came with the page."""
    if DRESSED not in st.context.headers:
        st.html(page_style())


def look_as_page() -> None:
    """Set the theme and language of this run's figures to those of the page."""
    use_look(Look(st.context.theme.type == "dark", words_chosen()))
