"""All that can be proved of a model, worked out once more (`model.check`)."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from ..check import check, claims_of
from ..reader import Reader
from . import experiment


@experiment(slow=True)
def prove(
    reader: Reader, *, progress: Callable[[float], None] = lambda _: None
) -> dict[str, float]:
    """How far each claim is from what it must equal, what was withdrawn among them; infinite where
    one has no number."""
    claiming = copy(reader)
    claiming.withdrawn = {}
    return {
        each.capability: each.difference for each in check(claiming, claims_of(claiming), progress)
    }
