"""Source words that the reader has hidden from the model, kept in session and address.

They are stored as positions, and dropped when the sentence changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import streamlit as st

from core.interventions.intervention import Intervention, change_text, hide, hiding_places
from core.pronoun import Word, words_of
from core.records.sources import TokenSequence
from model import InterventionError

from ..frame import address, choices
from ..frame.choices import PLACES, choose, keep, settle
from ..frame.problems import show_problem
from ..frame.run import UNCHANGED, Run
from ..frame.state import translated
from .controls import button
from .text_changes import in_one

KEY = "hidden"


def words_to_hide(run: Run) -> tuple[Word, ...]:
    """Return the words that can be hidden; empty if the model or its source allows none."""
    # Sources of other kinds, such as a scene, have no words.
    if not run.translator.writes or not isinstance(run.src, TokenSequence):
        return ()
    return words_of(run.src) if _ways(run) else ()


def positions_to_hide(run: Run) -> set[int]:
    """Return the source positions of `words_to_hide`."""
    return {position for word in words_to_hide(run) for position in word.positions}


def hidden_positions() -> tuple[int, ...]:
    """Return the source positions that are hidden now."""
    return st.session_state.get(KEY, ())


def hide_words(words: Iterable[Word], positions: Collection[int]) -> None:
    """Hide the positions that belong to `words`, and run the page anew if others were hidden.

    For callbacks. The positions come from a browser, so they are not trusted.
    """
    can_hide = {position for word in words for position in word.positions}
    hidden = tuple(sorted(can_hide.intersection(positions)))
    if hidden != hidden_positions():
        choose({KEY: hidden})
        # The run is another one, also for the frame, which a fragment would not redraw.
        st.rerun()


def without(run: Run, positions: Collection[int]) -> Run:
    """Return the run with these source positions hidden, or raise InterventionError."""
    return translated(run.choices, run.translator, _hiding(run, positions)) if positions else run


def without_hidden(run: Run) -> Run:
    """Return the run with the hidden words of session or address hidden."""
    settle(KEY, PLACES, (), sound=positions_to_hide(run).issuperset, of=run.source_identity)
    # The address may name positions that the model cannot hide; then the plain run is shown.
    try:
        return without(run, hidden_positions())
    except InterventionError as error:
        choose({KEY: ()})
        show_problem(error)
        return run


def is_shown(run: Run, *, hides: bool) -> bool:
    """Return True if `run` hides exactly the hidden words; none if the view does not hide."""
    # Keeps the positions in the address, although no control of their own is drawn.
    if hides:
        keep(KEY, PLACES, hidden_positions(), ())
    return run.change == (_hiding(run, hidden_positions()) if hides else UNCHANGED)


def _hiding(run: Run, positions: Collection[int]) -> Intervention:
    """Return the intervention that hides positions in the most thorough way the model allows."""
    return hide(*positions, where=_ways(run)[0]) if positions else UNCHANGED


def _ways(run: Run) -> tuple[str, ...]:
    return hiding_places(run.translator.sites, run.capabilities)


def changed_text(run: Run) -> str:
    """Return the translation as Markdown, with the words marked that hiding changed."""
    whole = translated(run.choices, run.translator)
    return in_one(whole.translation.text, run.translation.text)


def hidden_buttons(run: Run) -> None:
    """Draw the buttons for undo, and for the view of interventions with the same words hidden."""
    button(
        "hidden_undo",
        choose,
        {KEY: ()},
        words="hidden-undo",
        icon="undo",
        type="tertiary",
    )
    # The sentence is spelt out: the target page begins with another example, and an address leaves
    # out its page's own.
    state = {"text": run.choices.text, "mask_look": "change", "change": change_text(run.change)}
    button(
        "hidden_more",
        address.go,
        "masks",
        choices.of_frame() | state,
        words="hidden-more",
        icon="arrow_forward",
        type="tertiary",
    )
