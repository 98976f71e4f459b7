"""Lessons as data, the reader's progress, and the state of the lab in a step."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import streamlit as st

from core.records.attention import AttentionMap
from model import ModelError
from ui.frame.checkpoints import by_preference, outlines
from ui.frame.choices import NAMES, NUMBER, OPTION, choose, read, remembered
from ui.frame.run import OPENING, FrameChoices, Run, run_on_screen
from ui.frame.state import get_translator, translated
from ui.kit.controls import NONE
from ui.kit.focus import Head, head_of_link, link_of
from words import Message, numbers
from words.packs import first_pack

_KEY = "lesson_progress"
_ADDED = ("address", "about")
"""Mappings that a step merges with those of its lesson, instead of replacing them."""
FORMS = {
    "path": OPTION,
    "lesson": OPTION,
    "lesson_said": OPTION,
    "lesson_step": NUMBER,
    "done": NAMES,
}
"""Address forms of the progress."""
Value = TypeVar("Value")
_PLACE = re.compile(r"\{(>{0,2})([^{}]+)\}")
percent = partial(numbers.percent, digits=0)
"""Writer of the shares in answers: whole percent."""


@dataclass(frozen=True)
class Step:
    """A state of the lab, and a measurement in it.

    Its address holds in braces what depends on the model's tokens: ``{it}`` are the positions of a
    word of the sentence, ``{>Tier}`` the row that writes a word of the translation, ``{>>Tier}``
    the row that reads it, ``{noun_head}`` the head with the most weight from the pronoun to its
    noun.
    """

    id: str
    page: str
    measure: str  # the function in `measures` that answers
    address: Mapping[str, str]
    about: Mapping[str, Any]  # further arguments of the measure
    # The ringed mark: the `key` of a picture, and its position there (see `ring_of`).
    ring: Mapping[str, str]
    text: str = ""  # the sentence; without one, that on screen stays


@dataclass(frozen=True)
class Lesson:
    """A question with its possible answers; its first step decides which is right."""

    path: str
    id: str
    choices: tuple[str, ...]
    steps: tuple[Step, ...]
    names_results: bool = False  # question and choices name results of the first step
    needs: str = ""  # fact (`model.readers.absent.FACTS`) that the open model must have

    @property
    def among(self) -> tuple[Lesson, ...]:
        """Lessons of its path, itself included even if it does not fit the model."""
        offered = paths()[self.path]
        return offered if self in offered else (*offered, self)

    @property
    def following(self) -> Lesson | None:
        return next(iter(self.among[self.among.index(self) + 1 :]), None)

    @property
    def fits(self) -> bool:
        """True if the lesson fits the model on screen."""
        run = run_on_screen() if self.needs else None
        return not self.needs or (
            run is not None and self.needs in run.translator.has_none.values()
        )


def paths() -> Mapping[str, tuple[Lesson, ...]]:
    """Return the lessons on offer by path, in order."""
    return {
        path: tuple(lesson for lesson in of_path if lesson.fits)
        for path, of_path in written().items()
    }


@cache
def written() -> Mapping[str, tuple[Lesson, ...]]:
    """Return all lessons by path, also those for some models only."""
    tables = tomllib.loads(Path(__file__).with_name("lessons.toml").read_text(encoding="utf-8"))
    return {
        path: tuple(_lesson(path, id, **table) for id, table in of_path.items())
        for path, of_path in tables.items()
    }


def _lesson(
    path: str,
    id: str,
    step: Mapping[str, Mapping[str, Any]],
    choices: list[str],
    names_results: bool = False,
    needs: str = "",
    **shared: Any,
) -> Lesson:
    """Return the lesson of a table in ``lessons.toml``; `shared` holds for each of its steps."""

    def merged(table: Mapping[str, Any]) -> dict[str, Any]:
        both = {name: {**shared.get(name, NONE), **table.get(name, NONE)} for name in _ADDED}
        return {"ring": NONE, **shared, **table, **both}

    steps = (Step(step_id, **merged(table)) for step_id, table in step.items())
    return Lesson(path, id, tuple(choices), tuple(steps), names_results, needs)


def lessons() -> tuple[Lesson, ...]:
    return tuple(lesson for path in paths().values() for lesson in path)


def next_in(path: str, done: Collection[str]) -> Lesson | None:
    """Return the first lesson of a path that is not done; None if all are."""
    return next((lesson for lesson in paths()[path] if lesson.id not in done), None)


def lesson_of(id: str | None) -> Lesson | None:
    every = (lesson for of_path in written().values() for lesson in of_path)
    return next((lesson for lesson in every if lesson.id == id), None)


@dataclass(frozen=True)
class LessonProgress:
    """Progress in session and address."""

    lesson: Lesson | None = None
    guess: str | None = None  # None before it, and on a link to a step
    step: int = 0  # 0 while the question is open, then the open step, from 1
    done: tuple[str, ...] = ()  # ids of the answered lessons, in order

    def spelt(self) -> dict[str, str]:
        values = {
            "path": self.lesson.path if self.lesson else None,
            "lesson": self.lesson.id if self.lesson else None,
            "lesson_said": self.guess,
            "lesson_step": self.step or None,
            "done": self.done,
        }
        return {name: FORMS[name].write(value) for name, value in values.items() if value}

    def at(self, step: int) -> LessonProgress:
        """Return the progress with `step` open, which counts the lesson as done."""
        done = self.done if self.lesson.id in self.done else (*self.done, self.lesson.id)
        return replace(self, step=step, done=done)


def current_progress() -> LessonProgress:
    """Return the session's progress; on arrival, that of the address.

    Unknown ids in the address are dropped.
    """
    return remembered(_KEY, _progress_in_address)


def _progress_in_address() -> LessonProgress:
    values = {name: read(name, form) for name, form in FORMS.items()}
    done = tuple(id for id in values["done"] or () if lesson_of(id) is not None)
    lesson = lesson_of(values["lesson"])
    path = values["path"]
    if lesson is None and path in paths():
        lesson = next_in(path, done) or paths()[path][0]
    if lesson is None:
        return LessonProgress(done=done)
    guess = values["lesson_said"]
    step = values["lesson_step"] or 0
    return LessonProgress(
        lesson,
        guess=guess if guess in lesson.choices else None,
        step=step if step <= len(lesson.steps) else 0,
        done=done,
    )


def set_progress(progress: LessonProgress) -> None:
    choose({_KEY: progress})


class NoAnswer(ModelError):
    """The model on screen cannot answer: a site or a word of its output is missing."""

    def __init__(self) -> None:
        super().__init__(Message("lesson-no-answer"))


@dataclass(frozen=True)
class Answer:
    choice: str  # the right one
    values: Mapping[str, str | int] = field(default_factory=dict)  # for the texts of the step


def answer(choice: str, head: Head | None = None, **values: Any) -> Answer:
    """Return the answer `choice`, with numbers as text and `head` counted from 1."""
    if head is not None:
        values["layer"] = head[0] + 1
        values["head"] = head[1] + 1
    # Numbers of the texts are formatted here, the same in all languages.
    for name, value in values.items():
        if isinstance(value, float | np.floating):
            values[name] = numbers.fixed(value)
    return Answer(choice, values)


def compared(difference: float, below: str, same: str, above: str, within: float) -> str:
    """Return one of three choices by the sign of `difference`, `same` if it is at most `within`."""
    if abs(difference) <= within:
        return same
    return above if difference > 0 else below


def require(value: Value | None) -> Value:
    """Return `value`, or raise NoAnswer if it is None."""
    if value is None:
        raise NoAnswer
    return value


def lesson_run(screen: Run, lesson: Lesson | None = None) -> Run:
    """Return a run for `lesson`: that on screen if its model fits, else one by another model.

    The model must search and read the lessons' language, unless the lesson is about the open model.
    Without such a model the run on screen stays.
    """
    if lesson is not None and lesson.needs:
        return screen
    language = first_pack().languages[:1]
    offered = outlines()

    def fits(name: str) -> bool:
        outline = offered.get(name)
        return outline is not None and outline.searches and outline.languages[:1] == language

    if screen.card.languages[:1] == language and "search" in screen.capabilities:
        return screen
    opened = st.session_state.get("checkpoint", screen.choices.checkpoint)
    # The reader's own choice comes before the preferred models.
    name = next(filter(fits, (opened, *by_preference(offered))), None)
    if name is None:
        return screen
    try:
        choices = FrameChoices(name, first_pack().examples[0].text, OPENING)
        return translated(choices, get_translator(name))
    except ModelError:
        return screen


def run_of(screen: Run, step: Step) -> Run:
    """Return the run of a step's sentence, with its search settings, by the model on screen."""
    if not step.text:
        return screen
    beam = int(step.address.get("beam", OPENING.beam_size))
    alpha = float(step.address.get("alpha", OPENING.alpha))
    decoding = replace(OPENING, beam_size=beam, alpha=alpha)
    choices = FrameChoices(screen.choices.checkpoint, step.text, decoding)
    return screen if choices == screen.choices else translated(choices, screen.translator)


def address_of(run: Run, step: Step) -> dict[str, str]:
    """Return the spelt address of a step; places that this model lacks are left out."""
    filled = {"text": step.text} if step.text else {}
    for name, spelt in step.address.items():
        with suppress(NoAnswer):
            # An intervention joins positions by dots, all other values by commas.
            filled[name] = _filled(run, spelt, "." if name == "change" else ",")
    return filled


def ring_of(run: Run, step: Step, values: Mapping[str, str | int]) -> dict[str, str]:
    """Return the ring of a step for its `values`.

    ``=name`` stands for a value, ``{=name}`` for the first position of a word that is a value.
    Empty if this model has no such position.
    """

    def with_values(spelt: str) -> str:
        return re.sub(r"=(\w+)", lambda match: str(values.get(match[1], "")), spelt)

    try:
        return {
            name: _filled(run, with_values(spelt)).split(",")[0]
            if "{" in spelt
            else with_values(spelt)
            for name, spelt in step.ring.items()
        }
    except NoAnswer:
        return {}


def _filled(run: Run, spelt: str, joint: str = ",") -> str:
    """Return a spelt value with the positions in braces filled in (see `Step`)."""

    def positions(match: re.Match[str]) -> str:
        arrows, word = match.groups()
        if word == "noun_head":
            indices = noun_head(run)
        else:
            indices = (written_place(run, word),) if arrows else source_places(run, word)
        # ``>``: the row that writes it; ``>>``: the row that reads it, one further.
        return joint.join(str(index + max(1, len(arrows))) for index in indices)

    return _PLACE.sub(positions, spelt)


def map_from(run: Run, query: str = "source") -> AttentionMap:
    """Return the attention map from `query` to the source."""
    return run.record.of(require(run.record.between(query, "source")))


def noun_head(run: Run) -> Head:
    """Return the head with the most weight from pronoun to noun, as page one opens it."""
    attention = map_from(run)
    link = require(link_of(run, attention))
    require(link.columns or None)
    return head_of_link(attention, link)


def source_places(run: Run, word: str) -> tuple[int, ...]:
    """Return the positions of a word, or of a special token, in the sentence."""
    src = run.src
    positions = src.pieces_of(word) or tuple(i for i, t in enumerate(src.tokens) if t == word)
    return require(positions or None)


def written_place(run: Run, word: str) -> int:
    """Return the row that writes the first token of a word of the translation."""
    tgt = run.tgt
    return require((tgt.pieces_of(word) if tgt else ()) or None)[0]
