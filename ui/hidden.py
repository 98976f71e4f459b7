"""Words of the source that the reader has taken out of what the model reads, in the page's head.

They are positions of the sentence, kept in session and address for as long as it stays.
"""

from __future__ import annotations

import streamlit as st

from core.intervention import Intervention, change_text, hide, hiding_places
from core.pronoun import Word, words_of
from core.tokens import TokenSequence
from model import InterventionError

from . import address
from .address import PLACES
from .components.frame import foreign
from .effect import in_one
from .kit.controls import button, keep, settle
from .state import UNCHANGED, Run, show_problem, translated
from .words import say

KEY = "hidden"


def words_to_hide(run: Run) -> tuple[Word, ...]:
    """The words that can be hidden from the model; none where it or its source has nothing of the
    kind."""
    if not run.translator.writes or not isinstance(run.src, TokenSequence):
        return ()
    return words_of(run.src) if places_to_hide(run) else ()


def hidden_places() -> tuple[int, ...]:
    """The positions that the reader has hidden."""
    return st.session_state.get(KEY, ())


def without_hidden(run: Run) -> Run:
    """The run without the words that are hidden; the same run where none are."""
    known = {place for word in words_to_hide(run) for place in word.positions}
    settle(KEY, PLACES, (), sound=known.issuperset, of=run.source_identity)
    try:
        return translated(run.choices, run.translator, _change(run)) if hidden_places() else run
    except InterventionError as error:
        st.session_state[KEY] = ()
        show_problem(error)
        return run


def is_shown(run: Run, *, hides: bool) -> bool:
    """Whether a run is without exactly what is hidden, which is nothing where no view `hides`."""
    if hides:
        keep(KEY, PLACES, hidden_places(), ())
    return run.change == (_change(run) if hides else UNCHANGED)


def _change(run: Run) -> Intervention:
    places = hidden_places()
    return hide(*places, where=places_to_hide(run)[0]) if places else UNCHANGED


def places_to_hide(run: Run) -> tuple[str, ...]:
    return hiding_places(run.translator.sites, run.capabilities)


def tell_hidden(run: Run) -> None:
    """How the translation changed without the hidden words, and ways back and further."""
    before = translated(run.choices, run.translator).translation.text
    text = in_one(before, run.translation.text)
    with foreign(run.card.languages[1], key="translation", width="content"):
        st.markdown(f"## {text}" if text else say("run-nothing"), width="content")
    how = {"words": "hidden-undo", "icon": "undo", "type": "tertiary"}
    button("hidden_undo", st.session_state.update, {KEY: ()}, **how)
    values = address.of_frame() | {"mask_look": "change", "change": change_text(run.change)}
    how = {"words": "hidden-more", "icon": "arrow_forward", "type": "tertiary"}
    button("hidden_more", address.go, "masks", values, **how)
