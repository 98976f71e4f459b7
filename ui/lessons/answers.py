"""What a measure of a lesson comes to, and what measures are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.intervention import Intervention
from ui.effect import reading_of, searched_again
from ui.focus import Head
from ui.state import Run
from words import numbers

from .book import Step

ROUNDING = 1e-3


@dataclass(frozen=True)
class Answer:
    choice: str  # that is right
    values: Mapping[str, str | int] = field(default_factory=dict)  # of the step's words


Measure = Callable[[Run, Step], Answer]


def found(choice: str, at: Head | None = None, **values: Any) -> Answer:
    if at is not None:
        values |= {"layer": at[0] + 1, "head": at[1] + 1}
    told = {
        name: numbers.fixed(value) if isinstance(value, float | np.floating) else value
        for name, value in values.items()
    }
    return Answer(choice, told)


def percent(share: float) -> str:
    return numbers.percent(share, 0)


def compared(difference: float, below: str, same: str, above: str, within: float) -> str:
    if abs(difference) <= within:
        return same
    return above if difference > 0 else below


def under(run: Run, change: Intervention, at: Head | None = None) -> Answer:
    """Whether the translation stays as it is under a change."""
    before, after = run.translation.text, searched_again(run, change).text
    reading = reading_of(run, change)
    sums = {"sum": reading.plain_total, "changed": reading.total}
    choice = "same" if before == after else "other"
    return found(choice, at, before=before, after=after, **sums)
