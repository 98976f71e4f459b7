"""Panel of the open lesson beside every page: its question, then its answer and next steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ui.components import browser_sent
from ui.components.lesson import TOOLS, lesson_tools
from ui.frame import address, choices
from ui.frame.choices import TEXT, keep
from ui.frame.messages import plain, say
from ui.frame.run import Run
from ui.kit.controls import button, unlike
from ui.kit.layout import caption

from .answers import (
    Values,
    answer_of,
    answer_words,
    choice_words,
    is_measured,
    open_id,
    question_of,
    question_values,
    term_tag,
    title_of,
)
from .book import (
    FORMS,
    Lesson,
    LessonProgress,
    current_progress,
    lesson_run,
    lessons,
    ring_of,
    run_of,
    set_progress,
)
from .steps import VOTES, ask_lesson, open_step

_GUESS = "lesson_guess"
"""Prefix of the session keys of the boxes for a guess."""


def show_lesson(run: Run, page: str, *, first: DeltaGenerator | None, slides: bool) -> None:
    """Draw the panel of the open lesson beside the picture.

    Without one, the first lesson is offered in `first`, on the page at the root. `slides` is True
    if the lesson is shown to a class.
    """
    progress = current_progress()
    lesson = progress.lesson
    if lesson is None:
        if first is not None and not progress.done:
            with first:
                button(
                    "lesson_new", ask_lesson, run, lessons()[0].id, icon="school", type="tertiary"
                )
    else:
        # The address named a lesson only; its first step is elsewhere.
        if not progress.step and page != lesson.steps[0].page and open_step(run, progress):
            st.rerun()
        styles = ["lesson"]
        if slides:
            styles.append("slides")
        if not progress.step:
            styles.append("asking")
        for style in styles:
            st.html(Path(__file__).with_name(f"{style}.css"))
        with st.container(key="lesson", gap="xsmall"):
            ring = _lesson(run, page, progress, slides)
            lesson_tools(
                asking=not progress.step,
                slides=slides,
                ring=ring,
                on_slide=lambda: turn(run, str(browser_sent(TOOLS, "slide"))),
            )
    # Session and address must agree, also after callbacks.
    spelt = current_progress().spelt()
    for name in FORMS:
        keep(name, TEXT, spelt.get(name), None)


def _lesson(screen: Run, page: str, progress: LessonProgress, slides: bool) -> dict[str, str]:
    lesson = progress.lesson
    run = lesson_run(screen, lesson)
    values = question_values(run, lesson)
    question = question_of(lesson, values)
    caption(
        "lesson-in-path",
        path=say(f"path-{lesson.path}"),
        n=lesson.among.index(lesson) + 1,
        of=len(lesson.among),
    )
    # The question is known by then, and its space is needed for the answer.
    st.markdown(f"## {title_of(lesson)}", help=question if progress.step else None)
    st.markdown(term_tag(lesson))
    if progress.step:
        ring = _answer(screen, run, page, progress, values)
    else:
        st.markdown(question)
        ring = _ask(screen, lesson, values, slides)
    with st.container(horizontal=True, gap="xsmall"):
        button("lesson_all", _leave_for_all, type="tertiary")
        button("lesson_close", _close, icon="close", type="tertiary")
    return ring


def _show(screen: Run, lesson: Lesson) -> None:
    guess = st.session_state.get(f"{_GUESS}_{lesson.id}")
    open_step(screen, LessonProgress(lesson, guess, done=current_progress().done).at(1))


def _close() -> None:
    set_progress(LessonProgress(done=current_progress().done))


def _leave_for_all() -> None:
    _close()
    frame = {name: value for name, value in choices.of_frame().items() if name not in FORMS}
    address.go("lessons", frame | current_progress().spelt())


# The open question.


def _ask(screen: Run, lesson: Lesson, values: Values, slides: bool) -> dict[str, str]:
    votes = st.session_state.get(VOTES)
    if not slides:
        _guess(screen, lesson, values)
    elif votes is None:
        button("lesson_vote", turn, screen, "next", icon="pan_tool", type="primary")
    else:
        _vote(screen, lesson, values, votes)
    return {}


def _guess(screen: Run, lesson: Lesson, values: Values) -> None:
    """Draw the choices of one reader, and the button that shows the answer."""
    key = f"{_GUESS}_{lesson.id}"
    guess = st.radio(
        say("lesson-guess"),
        lesson.choices,
        index=None,
        key=key,
        format_func=unlike(
            key, lesson.choices, lambda choice: choice_words(lesson, choice, values)
        ),
    )
    button(
        "lesson_show",
        _show,
        screen,
        lesson,
        icon="visibility",
        type="primary",
        disabled=guess is None,
    )


def _vote(screen: Run, lesson: Lesson, values: Values, votes: Mapping[str, int]) -> None:
    """Draw the choices of a class, which votes by digit keys or buttons.

    The counts are hidden until the answer.
    """
    for number, choice in enumerate(lesson.choices, start=1):
        button(
            f"lesson_vote_{choice}",
            turn,
            screen,
            str(number),
            words="lesson-votes",
            values={
                "n": votes.get(choice, 0),
                "words": choice_words(lesson, choice, values),
            },
            width="stretch",
        )
    caption("lesson-vote-keys", n=len(lesson.choices))
    button("lesson_show", turn, screen, "next", icon="visibility", type="primary")


def turn(screen: Run, act: str) -> None:
    """Turn to the next or previous slide, or count a vote (for callbacks).

    `act` is "next", "back", or the number of a choice from 1.
    """
    state = st.session_state
    progress = current_progress()
    lesson = progress.lesson
    step = progress.step
    votes = state.get(VOTES)
    if lesson is None:
        return
    if act.isdigit():
        if not step and votes is not None and 0 < int(act) <= len(lesson.choices):
            choice = lesson.choices[int(act) - 1]
            state[VOTES] = {**votes, choice: votes.get(choice, 0) + 1}
    # The first "next" opens the vote, the second one the answer.
    elif act == "next" and not step and votes is None:
        state[VOTES] = {}
    elif act == "next" and step < len(lesson.steps):
        open_step(screen, progress.at(step + 1))
    elif act == "next" and lesson.following:
        ask_lesson(screen, lesson.following.id)
    elif act == "back" and step:
        open_step(screen, replace(progress, step=step - 1))
    elif act == "back":
        state.pop(VOTES, None)


# The answer.


def _answer(
    screen: Run, run: Run, page: str, progress: LessonProgress, values: Values
) -> dict[str, str]:
    lesson = progress.lesson
    step = lesson.steps[progress.step - 1]
    if votes := st.session_state.get(VOTES):
        counts = (f"{choice_words(lesson, choice, values)}: **{n}**" for choice, n in votes.items())
        st.markdown(f"{say('lesson-voted')} {' · '.join(counts)}")
    first = answer_of(run, lesson.steps[0])
    if first is not None:
        st.markdown(_verdict(lesson, progress.guess, first.choice, values))
    answer = answer_of(run, step)
    st.markdown(answer_words(lesson, step, answer))
    text = step.text or screen.choices.text
    elsewhere = page != step.page or screen.choices.text != text
    if elsewhere:
        caption("lesson-elsewhere", text=plain(text))
        button("lesson_again", open_step, screen, progress)
    _step_buttons(screen, progress)
    # A ring would point at the wrong place if another page or sentence is on screen.
    return {} if answer is None or elsewhere else ring_of(run_of(run, step), step, answer.values)


def _step_buttons(screen: Run, progress: LessonProgress) -> None:
    """Draw the buttons for the other steps of the lesson and for the next lesson."""
    lesson = progress.lesson
    for number, step in enumerate(lesson.steps, start=1):
        if number != progress.step:
            button(
                f"lesson_step_{number}",
                open_step,
                screen,
                progress.at(number),
                words=open_id(lesson, step),
                icon="arrow_forward" if number > progress.step else "arrow_back",
            )
    if following := lesson.following:
        button(
            "lesson_next",
            ask_lesson,
            screen,
            following.id,
            icon="skip_next",
            type="primary",
            values={"title": title_of(following)},
        )


def _verdict(lesson: Lesson, guess: str | None, right: str, values: Values) -> str:
    words = choice_words(lesson, right, values)
    if guess is None:
        return say("lesson-right-measured" if is_measured(lesson) else "lesson-right", right=words)
    if guess == right:
        return f":green-badge[:material/check:] {say('lesson-said-right', said=words)}"
    return say("lesson-said-wrong", said=choice_words(lesson, guess, values), right=words)
