"""Page of all lessons, and the worksheet of those a teacher chooses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model import ModelError
from ui.frame.messages import current_words, say
from ui.frame.run import Run
from ui.kit.controls import button, unlike
from ui.kit.export import file_stem
from ui.kit.layout import finding, paragraph
from ui.shell.language import language_spelt
from ui.shell.projector import KEY as PROJECTOR

from .answers import (
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
from .book import (
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
from .steps import ask_lesson

FIRST = "attention"
"""Page at the root of the app."""
ACROSS = 4
"""Cards in a row."""
# The worksheet is one file for print, so its style is part of it.
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
    """Texts of a lesson; `term` is the field's name of its topic, `links` are (label, URL)."""

    title: str
    term: str
    question: str
    choices: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    answers: tuple[str, ...]


def class_sheet(parts: Sequence[SheetLesson], source: str) -> str:
    """Return the worksheet as HTML: all questions, with the answers on a page of their own.

    `source` names the model that computed them.
    """
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
{"".join(map(_question, parts))}
<div class="answers">
<h1>{headline}</h1>
{"".join(_section(part, _elements("p", part.answers)) for part in parts)}
<p class="made">{escape(source)}</p>
</div>
</body>
</html>
"""


def _question(part: SheetLesson) -> str:
    links = _elements("div", (f"{what}: {link}" for what, link in part.links))
    return _section(
        part,
        f"""{_elements("p", [part.question])}
<ul>{_elements("li", part.choices)}</ul>
{_elements("p", [say("sheet-seen")])}
<div class="room"></div><div class="room"></div>
<div class="links">{escape(say("sheet-open"))} {links}</div>""",
    )


def _section(part: SheetLesson, inside: str) -> str:
    term = f'<span class="term">{escape(part.term)}</span>'
    return f"<section>\n<h2>{escape(part.title)} {term}</h2>\n{inside}\n</section>\n"


def _elements(tag: str, texts: Iterable[str]) -> str:
    return "".join(f"<{tag}>{escape(text)}</{tag}>" for text in texts)


def show(run: Run) -> None:
    progress = current_progress()
    of = len(lessons())
    st.html(Path(__file__).with_name("listing.css"))
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
