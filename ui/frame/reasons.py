"""Reasons why a view does not fit a model: a fact of the model, or a limit of this app.

Facts come from `model.readers.absent`, messages ``none-<fact>``. Others say what the app cannot do,
``need-<need>``, or that a check refuted a claim of the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model import Reader
from model.readers.reader import withdrawn_message

from .messages import say

BEHIND = {
    "leave-out": ("change-unread", "change-hide"),
    "position-table": ("positions", "learned-positions"),
}
"""Capabilities that a need of a run rests on."""


@dataclass(frozen=True)
class AbsenceReason:
    """A reason as text, and if it is a fact of the model."""

    text: str
    is_fact: bool


def why_not(reader: Reader, lacks: Sequence[str]) -> AbsenceReason:
    """Return the reason why the needs `lacks` are not met; only the facts, if there are any."""
    none = reader.has_none
    # Several needs may rest on one fact.
    if facts := dict.fromkeys(none[need] for need in lacks if need in none):
        return AbsenceReason(" ".join(say(f"none-{fact}") for fact in facts), is_fact=True)
    return AbsenceReason(" ".join(_limit(reader, need) for need in lacks), is_fact=False)


def _limit(reader: Reader, need: str) -> str:
    """Return why a need is not met by a model that may have the thing."""
    for claim in BEHIND.get(need, (need,)):
        if claim in reader.withdrawn:
            return say(withdrawn_message(claim, reader.withdrawn[claim]))
    return say(f"need-{need}")
