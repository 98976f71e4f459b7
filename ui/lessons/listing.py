"""The page of all lessons, and the worksheet of a teacher's choice."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from model import ModelError
from ui.export import file_stem
from ui.language import language_spelt
from ui.state import Run
from ui.words import say

from .book import Lesson, lesson_of, lessons
from .measures import answer_of, right_choice
from .progress import Progress, current_progress, take_lesson
from .sheet import SheetLesson, class_sheet
from .states import address_of, lesson_run, run_of
from .strip import found_words, open_words, said_words, term_of, term_tag, title_of


def show(run: Run) -> None:
    progress = current_progress()
    if progress.lesson is None:
        _list(progress)
    with st.expander(say("lessons-teacher"), icon=":material/print:", key="lessons_teacher"):
        _teacher(lesson_run(run))


def _list(progress: Progress) -> None:
    every = lessons()
    done = len(progress.done)
    st.markdown(f"{say('lessons-intro')} {say('lessons-done', n=done, of=len(every))}")
    half = -(-len(every) // 2)
    for column, start in zip(st.columns(2, gap="small"), (0, half), strict=True):
        with column, st.container(gap="xxsmall"):
            for n, lesson in enumerate(every[start : start + half], start=start + 1):
                title = say("lesson-listed", n=n, title=title_of(lesson))
                st.button(
                    f"{title} {term_tag(lesson)}",
                    key=f"lesson_take_{lesson.id}",
                    icon=":material/check:" if lesson.id in progress.done else ":material/school:",
                    type="tertiary",
                    on_click=take_lesson,
                    args=(lesson.id,),
                )


def _teacher(run: Run) -> None:
    st.markdown(say("lessons-teacher-text"))
    titles = {
        lesson.id: say("lesson-listed", n=n, title=title_of(lesson))
        for n, lesson in enumerate(lessons(), start=1)
    }
    chosen = st.multiselect(
        say("lessons-choose"),
        list(titles),
        key="lessons_chosen",
        format_func=titles.get,
        placeholder=say("lessons-choose-none"),
    )
    if not chosen:
        return
    card = run.translator.card
    made = say("sheet-answers-from", checkpoint=card.name, fingerprint=card.fingerprint)
    parts = [_of_sheet(run, lesson_of(id), titles[id]) for id in chosen]
    st.download_button(
        say("lessons-save"),
        class_sheet(parts, made),
        file_name=f"{file_stem(say('lessons-sheet-file'))}.html",
        mime="text/html",
        key="lessons_save",
        icon=":material/download:",
        on_click="ignore",
    )


def _of_sheet(run: Run, lesson: Lesson, title: str) -> SheetLesson:
    links, answers = [], []
    right = right_choice(run, lesson)
    if right is not None:
        answers.append(say("sheet-right", right=said_words(lesson, right)))
    for place, step in enumerate(lesson.steps, start=1):
        try:
            values = address_of(run_of(run, step), step)
        except ModelError:
            continue
        values |= Progress(lesson, step=place).spelt() | language_spelt()
        links.append((open_words(lesson, step), _link(step.page, values)))
        found = answer_of(run, step)
        answers.append(
            say("lesson-no-answer")
            if found is None
            else found_words(lesson, step, found, markdown=False)
        )
    return SheetLesson(
        title,
        term_of(lesson),
        say(f"lesson-{lesson.id}-question"),
        tuple(said_words(lesson, choice) for choice in lesson.choices),
        tuple(links),
        tuple(answers),
    )


def _link(page: str, values: dict[str, str]) -> str:
    base = (st.context.url or "").rstrip("/").removesuffix("/lessons")
    return f"{base}/{page}?{urlencode(values)}"
