"""Experiments on a model: values in, a record out.

    @experiment("teacher-forcing", "change-ablate", slow=True)
    def knock_out(reader: Writer, src: TokenSequence, tgt: TokenSequence) -> KnockOut: ...

Each is a function that takes the loaded model first. What its family does not offer for an
experiment is refused with a `ModelError`, a text that is empty or too long with an `InputError`, an
intervention that does not fit with an `InterventionError`. Pairs are read as their ids stand, not
tokenised anew: the output of a search may hold pieces that its text would not be cut into.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from ..reader import Reader

P = ParamSpec("P")
R = TypeVar("R")
Of = TypeVar("Of", bound="Reader")

__all__ = ["experiment"]


def experiment(
    *needs: str, slow: bool = False
) -> Callable[[Callable[Concatenate[Of, P], R]], Callable[Concatenate[Of, P], R]]:
    """Declare what is asked of a loaded model, and the capabilities without which it is refused.
    Both stay on the function, as `needs`, and as `slow`, where it may take longer than a page."""

    def declare(function: Callable[Concatenate[Of, P], R]) -> Callable[Concatenate[Of, P], R]:
        @wraps(function)
        def asked(reader: Of, /, *args: P.args, **named: P.kwargs) -> R:
            reader.need(*needs)
            return function(reader, *args, **named)

        vars(asked).update(needs=needs, slow=slow)
        return asked

    return declare
