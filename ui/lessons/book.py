"""The lessons as data, read from ``lessons.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Step:
    """A state of the lab, and what is measured in it."""

    id: str
    page: str
    measure: str
    address: Mapping[str, str]
    about: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Lesson:
    """A question with its possible answers; the first step decides which is right."""

    id: str
    choices: tuple[str, ...]
    steps: tuple[Step, ...]


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons in their order."""
    text = Path(__file__).with_name("lessons.toml").read_text(encoding="utf-8")
    return tuple(_lesson(**each) for each in tomllib.loads(text)["lesson"])


def lesson_of(id: str | None) -> Lesson | None:
    """The lesson of this id; None when there is none."""
    return next((lesson for lesson in lessons() if lesson.id == id), None)


def _lesson(id: str, choices: list[str], step: list[dict]) -> Lesson:
    return Lesson(id, tuple(choices), tuple(Step(**each) for each in step))
