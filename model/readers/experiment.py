"""Declaration of an experiment on a model: values in, a record out.

    @experiment("teacher-forcing", "changes", slow=True)
    def explain(reader: LoadedTranslator, src: TokenSequence, tgt: TokenSequence): ...

An experiment is a function whose first argument is the loaded model
(`model.experiments.protocol`), or a method of that. It raises a `ModelError` if the model lacks a
capability that the decorator names, an `InputError` for a text that is empty or too long, an
`InterventionError` for an intervention that does not fit. Pairs are read as their ids stand, not
tokenised anew: the output of a search may contain pieces into which its text would not be split.
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


Model = TypeVar("Model", bound=Capable)

__all__ = ["experiment"]


def experiment(
    *needs: str, slow: bool = False
) -> Callable[[Callable[Concatenate[Model, P], R]], Callable[Concatenate[Model, P], R]]:
    """Declare an experiment: the capabilities that it `needs`, and whether it is `slow`.

    A slow one may take longer than a reader waits for a page. Both values become attributes of the
    decorated function, which checks the needs at every call.
    """

    def declare(function: Callable[Concatenate[Model, P], R]) -> Callable[Concatenate[Model, P], R]:
        @wraps(function)
        def checked(reader: Model, /, *args: P.args, **named: P.kwargs) -> R:
            reader.need(*needs)
            return function(reader, *args, **named)

        # Pages read these to explain a missing view and to queue a slow one.
        vars(checked).update(needs=needs, slow=slow)
        return checked

    return declare
