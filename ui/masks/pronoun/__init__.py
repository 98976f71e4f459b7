"""A pronoun put to the test: hide its noun, the noun's phrase, other words, and see what comes."""

from __future__ import annotations

import streamlit as st

from records import Intervention
from ui.controls import use_sentence
from ui.guard import guarded
from ui.kit.blocks import note
from ui.kit.layout import settings, subtitle
from ui.masks.choices import source_words
from ui.masks.results import outcome_of
from ui.state import Run
from ui.words import plain, say

from .found import measured, show_found
from .held_out import show_held_out
from .places import hidings_for, places_for
from .setting import choose

__all__ = ["show"]


def show(run: Run) -> None:
    with guarded("sentence"):
        _this_sentence(run)
    subtitle("masks-pronoun-held-out")
    show_held_out(run)


def _this_sentence(run: Run) -> None:
    words = source_words(run)
    if not words:
        note("masks-pronoun-no-words", "search_off")
        return
    with settings():
        setting = choose(run, words)
    if setting is None:
        _offer_example(run)
        return
    tests = hidings_for(setting, places_for(run, setting))
    results, faults = measured(run, setting, tests)
    nothing = outcome_of(run, Intervention(), setting.choice.position, setting.choice.ids)
    if results:
        show_found(run, setting, [test for test in tests if test.key in results], results, nothing)
    for fault in dict.fromkeys(faults):
        st.warning(fault, icon=":material/visibility_off:")


def _offer_example(run: Run) -> None:
    known = next((each for each in run.pack.examples if each.pronoun), None)
    if known is None:
        note("masks-pronoun-choose", "touch_app")
        return
    group = say(f"example-{known.group}")
    note("masks-pronoun-choose-known", "touch_app", group=group)
    st.button(plain(known.text), key="test_example", on_click=use_sentence, args=(known.text,))
