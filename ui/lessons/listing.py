"""The page of all lessons, and the worksheet of a teacher's choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from urllib.parse import urlencode

import streamlit as st

from model import ModelError
from ui.export import file_stem
from ui.kit.layout import paragraph
from ui.language import language_spelt
from ui.state import Run
from ui.words import current_words, say

from .book import (
    Lesson,
    Progress,
    address_of,
    current_progress,
    lesson_of,
    lesson_run,
    lessons,
    run_of,
    take_lesson,
)
from .measures import answer_of, right_choice
from .strip import found_words, open_id, said_words, term_of, term_tag, title_of

_STYLE = """
body { font: 12pt/1.45 system-ui, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 18pt; } h2 { font-size: 13pt; margin: 0 0 .3rem; }
.name { border-bottom: 1px solid; margin-bottom: 1.5rem; padding-bottom: .3rem; }
section { break-inside: avoid; margin-bottom: 1.6rem; }
ul { list-style: none; padding: 0; margin: .4rem 0; }
li::before { content: "\\2610\\00a0\\00a0"; }
.room { border-bottom: 1px solid #999; height: 1.7rem; }
.links { font-size: 8.5pt; color: #333; overflow-wrap: anywhere; margin-top: .5rem; }
.answers { break-before: page; } .answers p { margin: .2rem 0; }
.made { font-size: 9pt; color: #333; }
.term { font-size: 10pt; font-weight: normal; color: #555; }
"""


@dataclass(frozen=True)
class SheetLesson:
    """A lesson in words; `term` is what the field calls its subject, `links` are pairs of what is
    opened and its address."""

    title: str
    term: str
    question: str
    choices: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    answers: tuple[str, ...]


def class_sheet(parts: Sequence[SheetLesson], made: str) -> str:
    """The page as HTML: all questions, and the answers on a page of their own at the end; `made`
    tells what worked them out."""
    questions = "\n".join(map(_question, parts))
    answers = "\n".join(map(_answers, parts))
    title, name, headline = (escape(say(f"sheet-{part}")) for part in ("title", "name", "answers"))
    return f"""<!DOCTYPE html>
<html lang="{escape(current_words().language)}">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{title}</h1>
<p class="name">{name}</p>
{questions}
<div class="answers">
<h1>{headline}</h1>
{answers}
<p class="made">{escape(made)}</p>
</div>
</body>
</html>
"""


def _question(part: SheetLesson) -> str:
    choices = "".join(f"<li>{escape(choice)}</li>" for choice in part.choices)
    links = "".join(f"<div>{escape(what)}: {escape(link)}</div>" for what, link in part.links)
    return f"""<section>
<h2>{_heading(part)}</h2>
<p>{escape(part.question)}</p>
<ul>{choices}</ul>
<p>{escape(say("sheet-seen"))}</p>
<div class="room"></div><div class="room"></div>
<div class="links">{escape(say("sheet-open"))} {links}</div>
</section>"""


def _answers(part: SheetLesson) -> str:
    lines = "".join(f"<p>{escape(answer)}</p>" for answer in part.answers)
    return f"<section><h2>{_heading(part)}</h2>{lines}</section>"


def _heading(part: SheetLesson) -> str:
    return f'{escape(part.title)} <span class="term">{escape(part.term)}</span>'


def show(run: Run) -> None:
    progress = current_progress()
    titles = {
        lesson.id: say("lesson-listed", n=n, title=title_of(lesson))
        for n, lesson in enumerate(lessons(), start=1)
    }
    if progress.lesson is None:
        _list(progress, titles)
    with st.expander(say("lessons-teacher"), icon=":material/print:", key="lessons_teacher"):
        _teacher(lesson_run(run), titles)


def _list(progress: Progress, titles: dict[str, str]) -> None:
    done, of = len(progress.done), len(titles)
    st.markdown(f"{say('lessons-intro')} {say('lessons-done', n=done, of=of)}")
    half = -(-of // 2)
    for column, start in zip(st.columns(2, gap="small"), (0, half), strict=True):
        with column, st.container(gap="xxsmall"):
            for lesson in lessons()[start : start + half]:
                st.button(
                    f"{titles[lesson.id]} {term_tag(lesson)}",
                    key=f"lesson_take_{lesson.id}",
                    icon=":material/check:" if lesson.id in progress.done else ":material/school:",
                    type="tertiary",
                    on_click=take_lesson,
                    args=(lesson.id,),
                )


def _teacher(run: Run, titles: dict[str, str]) -> None:
    paragraph("lessons-teacher-text")
    chosen = st.multiselect(
        say("lessons-choose"),
        list(titles),
        key="lessons_chosen",
        format_func=titles.get,
        placeholder=say("lessons-choose-none"),
    )
    if not chosen:
        return
    card = run.card
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
        base = (st.context.url or "").rstrip("/").removesuffix("/lessons")
        link = f"{base}/{step.page}?{urlencode(values)}"
        links.append((say(open_id(lesson, step)), link))
        answers.append(found_words(lesson, step, answer_of(run, step), markdown=False))
    return SheetLesson(
        title,
        term_of(lesson),
        say(f"lesson-{lesson.id}-question"),
        tuple(said_words(lesson, choice) for choice in lesson.choices),
        tuple(links),
        tuple(answers),
    )
