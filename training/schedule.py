"""What a training config asks for from some step on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def latest(step: int, entries: Sequence[Sequence[float]], otherwise: Any) -> Any:
    """What the last entry reached holds, `otherwise` before the first.

    An entry is (step, value), or (step, value, value, ...), which gives the values as a tuple.
    """
    reached = [values for first, *values in entries if first <= step]
    if not reached:
        return otherwise
    return reached[-1][0] if len(reached[-1]) == 1 else tuple(reached[-1])
