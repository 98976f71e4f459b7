"""Words of the source that the reader has taken out of what the model reads, in the page's head.

They are positions of the sentence, kept in session and address for as long as it stays.
"""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from core.intervention import Intervention, change_text, hide, hiding_places
from core.pronoun import Word, words_of
from core.tokens import TokenSequence
from model import InterventionError

from . import address
from .address import PLACES
from .effect import in_one
from .kit.controls import button, keep, settle
from .state import UNCHANGED, Run, show_problem, translated

KEY = "hidden"


def words_to_hide(run: Run) -> tuple[Word, ...]:
    """None where the model or its source has nothing of the kind."""
    if not run.translator.writes or not isinstance(run.src, TokenSequence):
        return ()
    return words_of(run.src) if _ways(run) else ()


def positions_to_hide(run: Run) -> set[int]:
    return {position for word in words_to_hide(run) for position in word.positions}


def hidden_positions() -> tuple[int, ...]:
    return st.session_state.get(KEY, ())


def without(run: Run, positions: Collection[int]) -> Run:
    """The run with these positions of its source hidden; InterventionError where they cannot be."""
    return translated(run.choices, run.translator, _hiding(run, positions)) if positions else run


def without_hidden(run: Run) -> Run:
    settle(KEY, PLACES, (), sound=positions_to_hide(run).issuperset, of=run.source_identity)
    try:
        return without(run, hidden_positions())
    except InterventionError as error:
        st.session_state[KEY] = ()
        show_problem(error)
        return run


def is_shown(run: Run, *, hides: bool) -> bool:
    """Whether a run is without exactly what is hidden, which is nothing where no view `hides`."""
    if hides:
        keep(KEY, PLACES, hidden_positions(), ())
    return run.change == (_hiding(run, hidden_positions()) if hides else UNCHANGED)


def _hiding(run: Run, positions: Collection[int]) -> Intervention:
    return hide(*positions, where=_ways(run)[0]) if positions else UNCHANGED


def _ways(run: Run) -> tuple[str, ...]:
    return hiding_places(run.translator.sites, run.capabilities)


def changed_text(run: Run) -> str:
    """The translation with what the hidden words changed in it, as Markdown."""
    whole = translated(run.choices, run.translator)
    return in_one(whole.translation.text, run.translation.text)


def hidden_buttons(run: Run) -> None:
    """Undo, and the view of interventions with the same sentence and the same words hidden."""
    undo = st.session_state.update, {KEY: ()}
    button("hidden_undo", *undo, words="hidden-undo", icon="undo", type="tertiary")
    # Pages begin with different examples, and an address leaves out the one that its page begins
    # with.
    state = {"text": run.choices.text, "mask_look": "change", "change": change_text(run.change)}
    more = address.go, "masks", address.of_frame() | state
    button("hidden_more", *more, words="hidden-more", icon="arrow_forward", type="tertiary")
