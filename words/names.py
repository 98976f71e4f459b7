"""Messages that stand for exceptions, attention sites and other names of models."""

from __future__ import annotations

from .catalogue import Message, english


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
    return Message(id) if english.has(id) else name
