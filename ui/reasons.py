"""Reasons why a view does not fit a model: a fact of the model, or a limit of this app.

Facts come from `model.lacking`, messages ``none-<fact>``. Others say what the app cannot do,
``need-<need>``, or that a check refuted a claim of the model.
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
"""Capabilities that a need of a run rests on."""


@dataclass(frozen=True)
class AbsenceReason:
    """A reason as text, and if it is a fact of the model."""

    said: str
    is_fact: bool


def why_not(reader: Reader, lacks: Sequence[str]) -> AbsenceReason:
    """Return the reason why the needs `lacks` are not met; only the facts, if there are any."""
    none = reader.has_none
    # Several needs may rest on one fact.
    if facts := dict.fromkeys(none[need] for need in lacks if need in none):
        return AbsenceReason(" ".join(say(f"none-{fact}") for fact in facts), is_fact=True)
    withdrawn = reader.withdrawn
    said = (
        say(withdrawn_message(claim, withdrawn[claim]))
        if (claim := next((each for each in BEHIND.get(need, (need,)) if each in withdrawn), None))
        else say(f"need-{need}")
        for need in lacks
    )
    return AbsenceReason(" ".join(said), is_fact=False)
