"""Moves to the steps of a lesson, and to the question of another lesson."""

from __future__ import annotations

import streamlit as st

from model import ModelError
from ui.frame import address
from ui.frame.run import Run

from .book import (
    LessonProgress,
    address_of,
    current_progress,
    lesson_of,
    lesson_run,
    run_of,
    set_progress,
)

STAYS = ("checkpoint", "projector")
"""Address names of choices for all lessons, which a step does not undo."""
VOTES = "lesson_votes"
"""Session key: votes of a class by choice, once the vote is open."""


def open_step(screen: Run, progress: LessonProgress, **further: str) -> bool:
    """Open the state of the step, or of the first one while the question is open (for callbacks).

    `further` values join the address. Returns False if the model cannot read the lesson's sentence;
    then only the panel changes.
    """
    run = lesson_run(screen, progress.lesson)
    step = progress.lesson.steps[max(0, progress.step - 1)]
    stays = {name: st.query_params[name] for name in STAYS if name in st.query_params}
    if run.choices.checkpoint != st.session_state["checkpoint"]:
        stays["checkpoint"] = run.choices.checkpoint
    set_progress(progress)
    try:
        state = address_of(run_of(run, step), step)
    except ModelError:
        return False
    address.go(step.page, state | progress.spelt() | stays | further)
    return True


def ask_lesson(screen: Run, id: str, **further: str) -> None:
    """Ask the question of a lesson (for callbacks); `further` values join the address."""
    st.session_state.pop(VOTES, None)
    open_step(screen, LessonProgress(lesson_of(id), done=current_progress().done), **further)
