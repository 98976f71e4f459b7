"""Errors that speak to the person who can act on them."""

from __future__ import annotations

from typing import Any

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


def expect(name: str, value: Any, *types: type) -> None:
    """TypeError where an argument is of none of some types, told at the door: inside it would end
    in an AttributeError that names neither."""
    if not isinstance(value, types):
        wanted = " or ".join("None" if t is type(None) else t.__name__ for t in types)
        raise TypeError(f"expected {name} as {wanted}, found {type(value).__name__}: {value!r:.80}")
