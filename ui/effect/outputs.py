"""Both translations, before a change and after it, word by word."""

from __future__ import annotations

from collections.abc import Collection
from difflib import SequenceMatcher

import streamlit as st

from ui.state import Run
from ui.words import plain, say

from .reading import Effect

MOST_TEXT = 1000  # characters of a translation that are compared and shown
LOST, NEW = ":violet-background[~~{}~~]", ":green-background[**{}**]"


def show_outputs(run: Run, effect: Effect) -> None:
    """Both translations, word by word."""
    before, after = run.translation.text, effect.translation.text
    if run.translation.tgt.ids == effect.translation.tgt.ids:
        st.markdown(say("masks-effect-unchanged", text=plain(after, MOST_TEXT)))
        return
    with st.container(gap="xsmall"):
        show_pair("masks-effect-before", "masks-effect-after", before, after)
        if before == after:
            st.caption(say("masks-effect-same-words"))
        elif changed := pronoun_changes(before, after, run.pack.forms):
            st.markdown(changed)
        if not effect.translation.finished:
            st.caption(say("masks-effect-unfinished"))


def show_pair(first_name: str, second_name: str, before: str, after: str) -> None:
    """Two outputs under each other, each behind the message that names it."""
    for name, text in zip((first_name, second_name), word_changes(before, after), strict=True):
        st.markdown(say(name, text=text or say("masks-nothing-written")))


def word_changes(before: str, after: str) -> tuple[str, str]:
    """Two texts as Markdown: words lost are struck through on purple, new ones bold on green."""
    sides = [text[:MOST_TEXT].split() for text in (before, after)]
    opcodes = SequenceMatcher(None, *sides, autojunk=False).get_opcodes()
    texts = []
    for words, at, mark in ((sides[0], 1, LOST), (sides[1], 3, NEW)):
        parts = []
        for opcode in opcodes:
            stretch = plain(" ".join(words[opcode[at] : opcode[at + 1]]), MOST_TEXT)
            if stretch:
                parts.append(stretch if opcode[0] == "equal" else mark.format(stretch))
        texts.append(" ".join(parts))
    return texts[0], texts[1]


def pronoun_changes(before: str, after: str, pronouns: Collection[str]) -> str:
    """In words which of the `pronouns` became others; empty when none did."""
    sides = [
        [word for raw in text.split() if (word := raw.strip(".,;:!?„“”\"'").lower()) in pronouns]
        for text in (before[:MOST_TEXT], after[:MOST_TEXT])
    ]
    if sides[0] == sides[1]:
        return ""
    first, second = (
        ", ".join(say("quoted", text=plain(word)) for word in side)
        or say("masks-effect-no-pronoun")
        for side in sides
    )
    return say("masks-effect-pronouns", n=max(map(len, sides)), before=first, after=second)
