"""Errors addressed to the person who can act on them."""

from __future__ import annotations

from typing import Any

from words import Message, english


class ModelError(Exception):
    """Something the user can fix.

    `message` says what is wrong, in English as `str(error)`; `hint` says what to try.
    """

    def __init__(self, message: Message, *, hint: Message | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class InputError(ModelError):
    """Text that the model cannot take: empty, too long, or of another kind."""


class InterventionError(InputError):
    """Change that this model or sentence does not allow: no such head, a row left without keys."""


class CheckpointError(ModelError):
    """Checkpoint that is missing, damaged or unfit for its own config."""


def format_error(id: str, **values: Any) -> CheckpointError:
    """Build an error with the message ``format-<id>``, and its hint if there is one."""
    hint = Message(f"format-{id}-hint", values) if english.has(f"format-{id}-hint") else None
    return CheckpointError(Message(f"format-{id}", values), hint=hint)


def expect(name: str, value: Any, *types: type) -> None:
    """Raise TypeError if `value`, the argument called `name`, is of none of `types`.

    Checked at the door: inside it would end in an AttributeError that names neither.
    """
    if not isinstance(value, types):
        # `NoneType` means nothing to most readers.
        wanted = " or ".join("None" if t is type(None) else t.__name__ for t in types)
        raise TypeError(f"expected {name} as {wanted}, found {type(value).__name__}: {value!r:.80}")
