"""Errors that speak to the person who can act on them."""

from __future__ import annotations

from words import Message


class ModelError(Exception):
    """Something the user can mend: what is wrong, `str(error)` is its English, and what to try."""

    def __init__(self, message: Message, *, hint: Message | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class InputError(ModelError):
    """The text cannot be translated as it is: empty, too long."""


class InterventionError(InputError):
    """A change that this model or sentence cannot take: no such head, a row left with nothing."""


class CheckpointError(ModelError):
    """A checkpoint is missing, damaged or does not fit its own config."""
