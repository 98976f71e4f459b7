"""The lessons as data, read from ``lessons.toml``, and how far the reader has come with them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import streamlit as st

from ui import address
from ui.address import NAMES, NUMBER, OPTION, TEXT

_KEY = "lesson_progress"
FORMS = {"lesson": OPTION, "lesson_said": OPTION, "lesson_step": NUMBER, "done": NAMES}
"""How the address spells it."""


@dataclass(frozen=True)
class Step:
    """A state of the lab, and what is measured in it.

    In braces stands in its address what only the model's tokens tell: ``{it}`` are the places of a
    word of the sentence, ``{>Tier}`` the row that writes a word of the translation, ``{>>Tier}``
    the one that reads it, ``{noun_head}`` the head that looks from the pronoun at its noun.
    """

    id: str
    page: str
    measure: str  # the function of `ui.lessons.measures` that answers
    address: Mapping[str, str]
    about: Mapping[str, object] = field(default_factory=dict)  # what the measure takes besides


@dataclass(frozen=True)
class Lesson:
    """A question with its possible answers; the first step decides which is right."""

    id: str
    choices: tuple[str, ...]
    steps: tuple[Step, ...]


@cache
def lessons() -> tuple[Lesson, ...]:
    text = Path(__file__).with_name("lessons.toml").read_text(encoding="utf-8")
    return tuple(
        Lesson(each["id"], tuple(each["choices"]), tuple(Step(**step) for step in each["step"]))
        for each in tomllib.loads(text)["lesson"]
    )


def lesson_of(id: str | None) -> Lesson | None:
    return next((lesson for lesson in lessons() if lesson.id == id), None)


@dataclass(frozen=True)
class Progress:
    """What the session and the address keep of the lessons."""

    lesson: Lesson | None = None
    said: str | None = None  # the guess; None before, and on a link to a step
    step: int = 0  # while the question is asked, then the step that is open, from 1
    done: tuple[str, ...] = ()  # ids of the lessons that were answered, in that order

    def spelt(self) -> dict[str, str]:
        values = {
            "lesson": self.lesson.id if self.lesson else None,
            "lesson_said": self.said,
            "lesson_step": self.step or None,
            "done": self.done,
        }
        return {name: FORMS[name].write(value) for name, value in values.items() if value}

    def at(self, step: int) -> Progress:
        """The same with a step open, which answers the question."""
        done = self.done if self.lesson.id in self.done else (*self.done, self.lesson.id)
        return replace(self, step=step, done=done)


def current_progress() -> Progress:
    """Of this session; at the first visit, or when the reader went back, that of the address.

    What the address says and no lesson knows is left out.
    """
    if _KEY not in st.session_state or address.by_history():
        known = {lesson.id for lesson in lessons()}
        asked = {name: address.read(name, form) for name, form in FORMS.items()}
        progress = Progress(done=tuple(id for id in asked["done"] or () if id in known))
        if lesson := lesson_of(asked["lesson"]):
            said, step = asked["lesson_said"], asked["lesson_step"] or 0
            said = said if said in lesson.choices else None
            step = step if step <= len(lesson.steps) else 0
            progress = replace(progress, lesson=lesson, said=said, step=step)
        keep(progress)
    return st.session_state[_KEY]


def keep(progress: Progress) -> None:
    st.session_state[_KEY] = progress


def take_lesson(id: str | None) -> None:
    """Ask the question of a lesson, or close the one that is open (for callbacks)."""
    keep(Progress(lesson_of(id), done=current_progress().done))


def write_address(progress: Progress) -> None:
    for name in FORMS:
        address.write(name, progress.spelt().get(name), TEXT)
