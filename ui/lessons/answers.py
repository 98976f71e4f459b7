"""What a measure of a lesson comes to, and what measures are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ui.focus import Head
from words import numbers

ROUNDING = 1e-3
percent = partial(numbers.percent, digits=0)


@dataclass(frozen=True)
class Answer:
    choice: str  # that is right
    values: Mapping[str, str | int] = field(default_factory=dict)  # of the step's words


def found(choice: str, at: Head | None = None, **values: Any) -> Answer:
    if at is not None:
        values |= {"layer": at[0] + 1, "head": at[1] + 1}
    for name, value in values.items():
        if isinstance(value, float | np.floating):
            values[name] = numbers.fixed(value)
    return Answer(choice, values)


def compared(difference: float, below: str, same: str, above: str, within: float) -> str:
    if abs(difference) <= within:
        return same
    return above if difference > 0 else below
