"""A pronoun put to the test: hide its noun, the noun's phrase, other words, and see what comes."""

from __future__ import annotations

import streamlit as st

from model import ModelError
from records import Intervention
from ui.masks.choices import source_words
from ui.masks.results import outcome_of
from ui.state import Run, show_problem
from ui.words import say

from .found import found_words, measured, result_lines, show_picture, show_table
from .held_out import show_held_out
from .places import hidings_for, places_for
from .setting import choose

__all__ = ["show"]


def show(run: Run) -> None:
    st.markdown(f"## {say('masks-pronoun-here')}")
    _this_sentence(run)
    st.markdown(f"## {say('masks-pronoun-held-out')}")
    show_held_out(run)


def _this_sentence(run: Run) -> None:
    words = source_words(run)
    if not words:
        st.info(say("masks-pronoun-no-words"), icon=":material/search_off:")
        return
    try:
        setting = choose(run, words)
    except ModelError as error:
        show_problem(error)
        return
    if setting is None:
        st.info(_what_to_choose(run), icon=":material/touch_app:")
        return
    tests = hidings_for(setting, places_for(run, setting))
    results, faults = measured(run, setting, tests)
    nothing = outcome_of(run, Intervention(), setting.choice.position, setting.choice.ids)
    if "antecedent" in setting.hidden:
        st.markdown(found_words(setting, results, nothing))
    if results:
        show_picture(run, setting, result_lines(setting, tests, results, nothing))
        show_table(setting, tests, results)
    for fault in dict.fromkeys(faults):
        st.warning(fault, icon=":material/visibility_off:")


def _what_to_choose(run: Run) -> str:
    known = (example.group for example in run.pack.examples if example.antecedent)
    if group := next(known, ""):
        return say("masks-pronoun-choose-known", group=say(f"example-{group}"))
    return say("masks-pronoun-choose")
