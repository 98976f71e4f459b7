"""What a change of the model's run does to one translation, beside the plain run."""

from __future__ import annotations

import streamlit as st

from model.errors import InterventionError
from records import Intervention
from ui.state import Run, show_problem
from ui.words import say

from .attention import show_attention
from .log_probs import show_log_probs
from .next_tokens import show_next_tokens
from .outputs import show_outputs
from .reading import Effect, Reading, effect_of, read_again, reading_of

__all__ = [
    "Effect",
    "Reading",
    "effect_of",
    "read_again",
    "reading_of",
    "show_attention",
    "show_effect",
    "show_nothing_changed",
    "show_numbers",
]


def show_effect(
    run: Run,
    change: Intervention,
    *,
    key: str,
    kind: str | None = None,
    layer: int | None = None,
    head: int | None = None,
) -> None:
    """Draw what `change` does to the sentence on screen, in words, numbers and attention.

    Parameters
    ----------
    key : begins the keys of all widgets.
    kind, layer, head : the attention to show first; where one is None, the head, of the kind if
        that is given, where most weight moved.
    """
    if not change:
        show_nothing_changed()
        return
    try:
        reading = reading_of(run, change)
    except InterventionError as error:
        show_problem(error)
        return
    above = st.container()
    # Needs no search, so it is there while the search is still running.
    show_attention(run, reading, key=key, kind=kind, layer=layer, head=head)
    with above:
        try:
            effect = effect_of(run, change)
        except InterventionError as error:
            show_problem(error)
        else:
            show_numbers(run, effect, key=key)


def show_numbers(run: Run, effect: Effect, *, key: str) -> None:
    """Both outputs, how likely the original one still is, and what could stand in it."""
    show_outputs(run, effect)
    show_log_probs(run, effect, key=key)
    show_next_tokens(run, effect, key=key)


def show_nothing_changed() -> None:
    st.info(say("masks-effect-none"), icon=":material/tune:")
