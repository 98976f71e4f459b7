"""Interface of a task over the rows of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol

Row = tuple[str, ...]
"""Texts of a row, in the order of `CorpusFile.columns`."""
Values = dict[str, Any]
"""Columns of a result; ``error`` stands in place of those that it lacks."""
Work = Callable[[int, Sequence[Row]], list[Values]]
"""Function from the number of the first row and the rows to the result of each."""


class Task(Protocol):
    """Work on each row of a corpus, whose results depend on nothing but the rows and the task."""

    inputs: ClassVar[tuple[str, ...]]
    """Columns that it reads."""

    @property
    def models(self) -> tuple[str, ...]:
        """Paths of its models."""

    def anywhere(self) -> Task:
        """Return the task with absolute paths; raises CheckpointError for a missing model."""

    def open(self) -> Work:
        """Load the model; raises ModelError if it does not fit."""
