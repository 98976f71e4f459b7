"""Experiments on a model: values in, a record out.

    @experiment("teacher-forcing", "changes", slow=True)
    def explain(reader: Translator, src: TokenSequence, tgt: TokenSequence) -> Explanation: ...

An experiment is a function whose first argument is the loaded model. It raises a `ModelError` if
the model's family lacks a capability that the decorator names, an `InputError` for a text that is
empty or too long, an `InterventionError` for an intervention that does not fit. Pairs are read as
their ids stand, not tokenised anew: the output of a search may contain pieces into which its text
would not be split.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Capable(Protocol):
    """Loaded model that knows what it lacks."""

    def need(self, *capabilities: str) -> None: ...


Of = TypeVar("Of", bound=Capable)

__all__ = ["experiment"]


def experiment(
    *needs: str, slow: bool = False
) -> Callable[[Callable[Concatenate[Of, P], R]], Callable[Concatenate[Of, P], R]]:
    """Declare an experiment: the capabilities that it `needs`, and whether it is `slow`.

    A slow one may take longer than a reader waits for a page. Both values become attributes of the
    decorated function, which checks the needs at every call.
    """

    def declare(function: Callable[Concatenate[Of, P], R]) -> Callable[Concatenate[Of, P], R]:
        @wraps(function)
        def checked(reader: Of, /, *args: P.args, **named: P.kwargs) -> R:
            reader.need(*needs)
            return function(reader, *args, **named)

        # Pages read these to explain a missing view and to queue a slow one.
        vars(checked).update(needs=needs, slow=slow)
        return checked

    return declare
