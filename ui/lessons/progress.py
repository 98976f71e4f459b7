"""Which lesson is open, how far, what was guessed, and which lessons are done."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from ui import address
from ui.address import NAMES, NUMBER, OPTION, TEXT

from .book import Lesson, lesson_of, lessons

_KEY = "lesson_progress"
FORMS = {"lesson": OPTION, "lesson_said": OPTION, "lesson_step": NUMBER, "done": NAMES}
"""How the address spells it."""


@dataclass(frozen=True)
class Progress:
    """What the session and the address keep of the lessons."""

    lesson: Lesson | None = None
    said: str | None = None
    step: int = 0
    done: tuple[str, ...] = ()

    def spelt(self) -> dict[str, str]:
        """As the address spells it."""
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
        st.session_state[_KEY] = _from_address()
    return st.session_state[_KEY]


def keep(progress: Progress) -> None:
    st.session_state[_KEY] = progress


def take_lesson(id: str | None) -> None:
    """Ask the question of a lesson, or close the one that is open (for callbacks)."""
    keep(Progress(lesson_of(id), done=current_progress().done))


def write_address(progress: Progress) -> None:
    """Keep it in the address, to be shared."""
    spelt = progress.spelt()
    for name in FORMS:
        address.write(name, spelt.get(name), TEXT)


def _from_address() -> Progress:
    known = {lesson.id for lesson in lessons()}
    asked = {name: address.read(name, form) for name, form in FORMS.items()}
    done = tuple(id for id in asked["done"] or () if id in known)
    lesson = lesson_of(asked["lesson"])
    if lesson is None:
        return Progress(done=done)
    said, step = asked["lesson_said"], asked["lesson_step"] or 0
    return Progress(
        lesson,
        said if said in lesson.choices else None,
        step if step <= len(lesson.steps) else 0,
        done,
    )
