"""Messages before they become words: references from models, records and charts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, eq=False)
class Message:
    """Message id with the values of its variables.

    A value may be a message itself, or a tuple of messages, which become a list in a sentence.
    """

    id: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, id: str, /, **values: Any) -> Message:
        """Build a message from keyword values."""
        return cls(id, values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return (self.id, dict(self.values)) == (other.id, dict(other.values))

    def __hash__(self) -> int:
        """Hash the id alone: values need not be hashable."""
        return hash(self.id)

    def __str__(self) -> str:
        """Return the English words."""
        # Late, because the catalogue imports this module.
        from .catalogue import english

        return english.of(self)


def said_by(error: BaseException) -> Message | str:
    """Return the words of an exception of a library, without the name of its class.

    >>> said_by(ZeroDivisionError("division by zero")), str(said_by(KeyError("d_model")))
    ('division by zero', '“d_model” is missing')
    """
    if isinstance(error, KeyError) and error.args:
        return Message.of("fault-missing", name=str(error.args[0]))
    if isinstance(error, RecursionError | MemoryError):
        return Message("fault-too-large")
    return " ".join(str(error).split()) or Message("fault-unsaid")


def site_title(name: str, form: str = "") -> Message | str:
    """Return the displayed name of an attention site; the name itself if it has no message.

    >>> str(site_title("encoder")), str(site_title("encoder", "attention")), site_title("pages")
    ('the encoder', 'encoder self-attention', 'pages')
    """
    return named(f"site-{name}-{form}" if form else f"site-{name}", name)


def named(id: str, name: str) -> Message | str:
    """Return the message of this id for a name that a model brings, else the name itself.

    >>> str(named("block-sublayer-cross", "cross")), named("block-sublayer-mixing", "mixing")
    ('Cross-attention', 'mixing')
    """
    from .catalogue import english

    return Message(id) if english.has(id) else name
