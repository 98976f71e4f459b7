"""Why a view does not fit a model: it has none of what is needed, or it cannot be shown here.

That it has none is a fact of the model (`model.lacking`), ``none-<fact>``. All else says no more
than what this app can do with it: ``need-<need>``, or that a check showed a claim to be false.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model import Reader
from model.reader import withdrawn_message

from .words import say

BEHIND = {
    "leave-out": ("change-unread", "change-hide"),
    "position-table": ("positions", "learned-positions"),
}
"""The capabilities that a need of a run rests on."""


@dataclass(frozen=True)
class Reason:
    """What is said, and whether it is a fact of the model."""

    said: str
    is_fact: bool


def why_not(reader: Reader, lacks: Sequence[str]) -> Reason:
    """Why needs of a view are not met; the facts alone, where there are any."""
    none = reader.has_none
    if facts := dict.fromkeys(none[need] for need in lacks if need in none):
        return Reason(" ".join(say(f"none-{fact}") for fact in facts), is_fact=True)
    withdrawn = reader.withdrawn
    said = (
        say(withdrawn_message(claim, withdrawn[claim]))
        if (claim := next((each for each in BEHIND.get(need, (need,)) if each in withdrawn), None))
        else say(f"need-{need}")
        for need in lacks
    )
    return Reason(" ".join(said), is_fact=False)
