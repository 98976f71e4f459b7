"""Answers of lessons by the model on screen, and the words of questions, choices and answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from model import ModelError
from ui.frame.messages import say, stated
from ui.frame.run import Run
from ui.kit.controls import NONE

from . import further, measures
from .book import Answer, Lesson, Step, run_of

Values = Mapping[str, str | int]
Write = Callable[..., str]
"""Writer of messages: `stated` returns Markdown, `say` plain text."""


def title_of(lesson: Lesson) -> str:
    return say(f"lesson-{lesson.id}")


def term_of(lesson: Lesson) -> str:
    return say(f"lesson-{lesson.id}-term")


def term_tag(lesson: Lesson) -> str:
    """Return the field's term as Markdown, small and grey, to follow the title."""
    return f":gray[:small[{term_of(lesson)}]]"


def answer_of(screen: Run, step: Step) -> Answer | None:
    """Return the answer of the model on screen, or None if it has none."""
    # lessons.toml names a function of either module.
    measure = (vars(measures) | vars(further))[step.measure]
    try:
        return measure(run_of(screen, step), step)
    except ModelError:
        return None


def is_measured(lesson: Lesson) -> bool:
    """Return True if a stored measurement or another model answers the lesson."""
    return lesson.steps[0].measure in vars(further)


def question_values(run: Run, lesson: Lesson) -> Values:
    """Return the values of question and choices; dots if the model has no answer."""
    if not lesson.names_results:
        return NONE
    answer = answer_of(run, lesson.steps[0])
    return dict.fromkeys(("begin", *lesson.choices), "…") | dict(answer.values if answer else NONE)


def question_of(lesson: Lesson, values: Values = NONE, write: Write = stated) -> str:
    return write(f"lesson-{lesson.id}-question", **values)


def choice_words(lesson: Lesson, choice: str, values: Values = NONE, write: Write = stated) -> str:
    return write(f"lesson-{lesson.id}-says-{choice}", **values)


def answer_words(lesson: Lesson, step: Step, answer: Answer | None, write: Write = stated) -> str:
    if answer is None:
        return say("lesson-no-answer")
    return write(f"lesson-{lesson.id}-{step.id}", choice=answer.choice, **answer.values)


def open_id(lesson: Lesson, step: Step) -> str:
    return "lesson-first" if step is lesson.steps[0] else f"lesson-{lesson.id}-{step.id}-open"
