"""Both translations, before a change and after it, word by word."""

from __future__ import annotations

from collections.abc import Collection
from difflib import SequenceMatcher

import streamlit as st

from ui.state import Run
from ui.words import plain, say

from .reading import Effect

MOST_TEXT = 1000  # characters of a translation that are compared and shown
LOST_AND_NEW = ":violet-background[~~{}~~]", ":green-background[**{}**]"


def outcome(run: Run, effect: Effect) -> str:
    """The translation after a change in one line, with the words that were lost and are new."""
    before, after = run.translation.text, effect.translation.text
    if run.translation.tgt.ids == effect.translation.tgt.ids:
        return say("masks-effect-unchanged", text=plain(after, MOST_TEXT))
    parts = (each for pair in _stretches(before, after) for each in dict.fromkeys(pair) if each)
    return say("masks-effect-after", text=" ".join(parts) or say("masks-nothing-written"))


def both_outputs(run: Run, effect: Effect) -> str:
    """Both translations, word by word, or that nothing changed."""
    if run.translation.tgt.ids == effect.translation.tgt.ids:
        return outcome(run, effect)
    texts = run.translation.text, effect.translation.text
    return pair_words("masks-effect-before", "masks-effect-after", *texts)


def show_notes(run: Run, effect: Effect) -> None:
    """Which pronouns became others, and what else is easily missed in the translation after."""
    before, after = run.translation.text, effect.translation.text
    if before == after and run.translation.tgt.ids != effect.translation.tgt.ids:
        st.caption(say("masks-effect-same-words"))
    elif changed := pronoun_changes(before, after, run.pack.forms):
        st.markdown(changed)
    if not effect.translation.finished:
        st.caption(say("masks-effect-unfinished"))


def pair_words(first_name: str, second_name: str, before: str, after: str) -> str:
    """Two outputs under each other, each behind the message that names it."""
    texts = zip((first_name, second_name), word_changes(before, after), strict=True)
    nothing = say("masks-nothing-written")
    return "  \n".join(say(name, text=text or nothing) for name, text in texts)


def word_changes(before: str, after: str, marks: tuple[str, str] = LOST_AND_NEW) -> tuple[str, str]:
    """Two texts as Markdown: words lost are struck through on purple, new ones bold on green.

    Other `marks` hold ``{}`` for the words of the first text, and of the second, that differ.
    """
    sides = zip(*_stretches(before, after, marks), strict=True)
    return tuple(" ".join(filter(None, side)) for side in sides) or ("", "")


def _stretches(
    before: str, after: str, marks: tuple[str, str] = LOST_AND_NEW
) -> list[tuple[str, str]]:
    sides = [text[:MOST_TEXT].split() for text in (before, after)]
    found = []
    for what, *ends in SequenceMatcher(None, *sides, autojunk=False).get_opcodes():
        texts = [
            plain(" ".join(words[start:end]), MOST_TEXT)
            for words, start, end in zip(sides, ends[::2], ends[1::2], strict=True)
        ]
        if what != "equal":
            texts = [text and mark.format(text) for text, mark in zip(texts, marks, strict=True)]
        found.append(tuple(texts))
    return found


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
