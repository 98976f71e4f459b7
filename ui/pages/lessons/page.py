"""Lessons page: all lessons, and a worksheet of those that a teacher chooses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model import ModelError
from ui.frame.messages import say
from ui.frame.run import Run
from ui.kit.controls import button, unlike
from ui.kit.export import file_stem
from ui.kit.layout import finding, paragraph
from ui.pages.lessons.answers import (
    answer_of,
    answer_words,
    choice_words,
    open_id,
    question_of,
    question_values,
    term_of,
    term_tag,
    title_of,
)
from ui.pages.lessons.book import (
    Lesson,
    LessonProgress,
    address_of,
    current_progress,
    lesson_of,
    lesson_run,
    lessons,
    next_in,
    paths,
    run_of,
)
from ui.pages.lessons.steps import ask_lesson
from ui.pages.lessons.worksheet import SheetLesson, class_sheet
from ui.shell.language import language_spelt
from ui.shell.projector import KEY as PROJECTOR
from ui.shell.view import OpenPage, Page
from ui.shell.views import open_page

FIRST = "attention"  # page at the root of the app
ACROSS = 4  # cards in a row


def body(run: Run, here: OpenPage) -> None:
    """Draw the paths of lessons as cards, and the worksheet for teachers."""
    progress = current_progress()
    of = len(lessons())
    st.html(Path(__file__).with_name("page.css"))
    finding("lessons-intro", n=len(progress.done), of=of)
    for number, (path, of_path) in enumerate(paths().items()):
        if not number % ACROSS:
            columns = st.columns(ACROSS, gap="small")
        with columns[number % ACROSS], _card(path):
            _path(run, path, of_path, progress.done)
    with columns[-1], _card("teacher"):
        st.markdown(f"**{say('lessons-teacher')}**")
        with st.popover(say("lessons-sheet"), icon=":material/print:", key="lessons_teacher"):
            _teacher(lesson_run(run))
        button("lessons_slides", _slides, run, icon="slideshow")


def _card(name: str) -> DeltaGenerator:
    return st.container(border=True, key=f"paths_{name}", gap="xsmall", height="stretch")


def _path(run: Run, path: str, of_path: tuple[Lesson, ...], done: tuple[str, ...]) -> None:
    dark = st.context.theme.type == "dark"
    drawn = f"app/static/lessons/{path}-{'dark' if dark else 'light'}.webp"
    st.html(f'<img src="{drawn}" alt="" width="400" height="240">')
    n = sum(lesson.id in done for lesson in of_path)
    following = next_in(path, done)
    st.markdown(
        f"**{say(f'path-{path}')}** :gray[:small[{say('lessons-of-path', n=n, of=len(of_path))}]]"
    )
    st.progress(n / len(of_path))
    if following is None:
        st.markdown(f":green-badge[:material/check:] {say('lessons-complete')}")
    else:
        button(
            f"path_take_{path}",
            ask_lesson,
            run,
            following.id,
            words="lessons-continue" if n else "lessons-begin",
            values={"title": title_of(following)},
            width="stretch",
        )
    with st.popover(say("lessons-list"), key=f"path_all_{path}", type="tertiary"):
        for lesson in of_path:
            st.button(
                f"{title_of(lesson)} {term_tag(lesson)}",
                key=f"lesson_take_{lesson.id}",
                icon=":material/check:" if lesson.id in done else ":material/school:",
                type="tertiary",
                on_click=ask_lesson,
                args=(run, lesson.id),
            )


def _slides(run: Run) -> None:
    # Slides of the first lesson, in the projector view. By the address, since the page that opens
    # reads its values there.
    ask_lesson(run, lessons()[0].id, **{PROJECTOR: "1"})


def _teacher(run: Run) -> None:
    paragraph("lessons-teacher-text")
    names = {path: say(f"path-{path}") for path in paths()}
    titles = {
        lesson.id: say("lesson-listed", path=names[lesson.path], title=title_of(lesson))
        for lesson in lessons()
    }
    chosen_paths = _multiselect("lessons_chosen_paths", names, words="lessons-choose-paths")
    chosen = _multiselect("lessons_chosen", titles, words="lessons-choose")
    of_paths = [lesson.id for path in chosen_paths for lesson in paths()[path]]
    ids = dict.fromkeys((*of_paths, *chosen))
    if not ids:
        return
    card = run.card
    source = say("sheet-answers-from", checkpoint=card.name, fingerprint=card.fingerprint)
    parts = [_of_sheet(run, lesson_of(id), titles[id]) for id in ids]
    st.download_button(
        say("lessons-save"),
        class_sheet(parts, source),
        file_name=f"{file_stem(say('lessons-sheet-file'))}.html",
        icon=":material/download:",
        on_click="ignore",
    )


def _multiselect(key: str, labels: Mapping[str, str], *, words: str) -> list[str]:
    return st.multiselect(
        say(words),
        list(labels),
        key=key,
        format_func=unlike(key, labels, lambda name: labels.get(name, name)),
        placeholder=say("lessons-choose-none"),
    )


def _of_sheet(run: Run, lesson: Lesson, title: str) -> SheetLesson:
    values = question_values(run, lesson)
    choices = {choice: choice_words(lesson, choice, values, say) for choice in lesson.choices}
    links = []
    answers = []
    right = answer_of(run, lesson.steps[0])
    if right is not None:
        answers.append(say("sheet-right", right=choices[right.choice]))
    for number, step in enumerate(lesson.steps, start=1):
        try:
            state = address_of(run_of(run, step), step)
        except ModelError:
            continue
        state |= LessonProgress(lesson, step=number).spelt() | language_spelt()
        # The answers are those of this model, whichever one the reader has open.
        state["checkpoint"] = run.choices.checkpoint
        # A sheet is read outside the app, so its links need the full address.
        base = (st.context.url or "").rstrip("/").removesuffix("/lessons")
        # Streamlit knows its first page only at the root, not by its name.
        link = f"{base}/{'' if step.page == FIRST else step.page}?{urlencode(state)}"
        links.append((say(open_id(lesson, step)), link))
        answers.append(answer_words(lesson, step, answer_of(run, step), say))
    return SheetLesson(
        title,
        term_of(lesson),
        question_of(lesson, values, say),
        tuple(choices.values()),
        tuple(links),
        tuple(answers),
    )


PAGE = Page(
    "lessons",
    body=body,
    whole=True,
    of_run=False,
    reads=False,
    group="learn",
    order=1,
)

if __name__ == "__main__":
    open_page(PAGE)
