"""The open lesson, on top of every page: its question, then its answer and what to try next."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model import ModelError
from ui import address
from ui.kit.controls import button
from ui.kit.layout import caption
from ui.state import Run, leave_out
from ui.words import plain, say

from .book import (
    FORMS,
    Lesson,
    Progress,
    Step,
    address_of,
    current_progress,
    keep,
    lesson_run,
    lessons,
    run_of,
    take_lesson,
    write_address,
)
from .measures import Answer, answer_of, right_choice

_STAYS = ("checkpoint", "projector")
"""What the reader chose for all lessons, and a state does not undo."""
_GUESS = "lesson_guess"


def show_lesson(run: Run, page: str, *, first: DeltaGenerator | None) -> None:
    """The strip of the open lesson; where none is, the first one is offered in `first`, on the page
    that people open first."""
    progress = current_progress()
    if progress.lesson is None:
        if first is not None and not progress.done:
            with first:
                how = {"words": "lesson-new", "icon": "school", "type": "tertiary"}
                button("lesson_new", take_lesson, lessons()[0].id, **how)
    else:
        with st.container(border=True, key="lesson", gap="xsmall"):
            question = say(f"lesson-{progress.lesson.id}-question")
            if progress.step:
                # Known by now, and room is wanted for what the answer points at.
                _head(progress.lesson, question)
                _found(run, page, progress)
            else:
                _head(progress.lesson)
                st.markdown(question)
                _ask(run, page, progress)
    write_address(current_progress())


def title_of(lesson: Lesson) -> str:
    return say(f"lesson-{lesson.id}")


def term_of(lesson: Lesson) -> str:
    return say(f"lesson-{lesson.id}-term")


def term_tag(lesson: Lesson) -> str:
    """The term as Markdown, small and grey, for after the title."""
    return f":gray[:small[{term_of(lesson)}]]"


def said_words(lesson: Lesson, choice: str) -> str:
    return say(f"lesson-{lesson.id}-says-{choice}")


def found_words(lesson: Lesson, step: Step, found: Answer | None, *, markdown: bool = True) -> str:
    if found is None:
        return say("lesson-no-answer")
    # Sites are ids that the words choose by.
    values = {
        name: plain(value) if markdown and isinstance(value, str) and name != "site" else value
        for name, value in found.values.items()
    }
    return say(f"lesson-{lesson.id}-{step.id}", choice=found.choice, **values)


def open_id(lesson: Lesson, step: Step) -> str:
    return "lesson-first" if step is lesson.steps[0] else f"lesson-{lesson.id}-{step.id}-open"


def open_step(run: Run, progress: Progress) -> None:
    """Open the state of the step, with the lesson on top (for callbacks).

    Where the model cannot read the lesson's sentence, the strip alone says so.
    """
    step = progress.lesson.steps[progress.step - 1]
    stays = {name: st.query_params[name] for name in _STAYS if name in st.query_params}
    if run.choices.checkpoint != st.session_state["checkpoint"]:
        stays["checkpoint"] = run.choices.checkpoint
    keep(progress)
    try:
        state = address_of(run_of(run, step), step)
    except ModelError:
        return
    address.go(step.page, state | progress.spelt() | stays)


def _show(screen: Run, lesson: Lesson) -> None:
    said = st.session_state[f"{_GUESS}_{lesson.id}"]
    open_step(lesson_run(screen), Progress(lesson, said, done=current_progress().done).at(1))


def _leave_for_all() -> None:
    take_lesson(None)
    frame = {name: said for name, said in address.of_frame().items() if name not in FORMS}
    address.go("lessons", frame | current_progress().spelt())


def _head(lesson: Lesson, question: str | None = None) -> None:
    every = lessons()
    place = every.index(lesson)
    with st.container(horizontal=True, vertical_alignment="center"):
        title = say("lesson-title", n=place + 1, of=len(every), title=title_of(lesson))
        st.markdown(f"## {title} {term_tag(lesson)}", width="stretch", help=question)
        if place + 1 < len(every):
            how = {"words": "lesson-next", "icon": "arrow_forward"}
            button("lesson_next", take_lesson, every[place + 1].id, **how)
        button("lesson_all", _leave_for_all, words="lesson-all")
        how = {"words": "lesson-close", "icon": "close", "type": "tertiary"}
        button("lesson_close", take_lesson, None, **how)


def _ask(run: Run, page: str, progress: Progress) -> None:
    lesson = progress.lesson
    leave_out("sentence", "page")  # nobody need guess who already sees the answer
    said = st.radio(
        say("lesson-guess"),
        lesson.choices,
        index=None,
        key=f"{_GUESS}_{lesson.id}",
        format_func=lambda choice: said_words(lesson, choice),
    )
    how = {"words": "lesson-show", "icon": "visibility", "type": "primary"}
    button("lesson_show", _show, run, lesson, disabled=said is None, **how)


def _found(screen: Run, page: str, progress: Progress) -> None:
    lesson, here = progress.lesson, progress.step
    run = lesson_run(screen)
    step = lesson.steps[here - 1]
    right = right_choice(run, lesson)
    told = [] if right is None else [_verdict(lesson, progress.said, right)]
    st.markdown(" ".join([*told, found_words(lesson, step, answer_of(run, step))]))
    elsewhere = page != step.page or screen.choices.text != step.address["text"]
    if elsewhere:
        caption("lesson-elsewhere", text=plain(step.address["text"]))
    with st.container(horizontal=True, vertical_alignment="center"):
        if elsewhere:
            button("lesson_again", open_step, run, progress, words="lesson-again")
        others = [n for n in range(1, len(lesson.steps) + 1) if n != here]
        if others:
            st.markdown(say("lesson-try"), width="content")
        for number in others:
            icon = "arrow_forward" if number > here else "arrow_back"
            how = {"words": open_id(lesson, lesson.steps[number - 1]), "icon": icon}
            button(f"lesson_step_{number}", open_step, run, progress.at(number), **how)


def _verdict(lesson: Lesson, said: str | None, right: str) -> str:
    words = said_words(lesson, right)
    if said is None:
        return say("lesson-right", right=words)
    if said == right:
        return f":green-badge[:material/check:] {say('lesson-said-right', said=words)}"
    return say("lesson-said-wrong", said=said_words(lesson, said), right=words)
