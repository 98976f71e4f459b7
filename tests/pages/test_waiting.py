"""Waiting on pages: the door, turns of pages, and the line of long measurements."""

from __future__ import annotations

import threading

import pytest

from support.app import asked, n_charts, open_frame, open_page, press, run, says
from ui.frame import admission
from ui.frame.admission import Queues, leaving_long_queue, long_turn, once_a_turn, page_turn, queues
from ui.frame.fair_queue import Admission, Turns

SENTENCE = "A dog runs through the snow."


@pytest.fixture
def own(monkeypatch) -> Queues:
    """Queues of this test alone: one page at once, one long measurement, one session."""
    found = Queues(Turns(1, 1.0), Turns(1), Admission(1, lambda who: True))
    monkeypatch.setattr(admission, "queues", lambda: found)
    return found


def test_a_newcomer_to_a_full_house_reads_why_and_loses_nothing(folder, own):
    own.admission.come_in("somebody else")
    page = open_page(text=SENTENCE, kind="decoder")
    assert says(page, "door-full", n=1)
    assert n_charts(page) == 0
    assert asked(page)["text"] == SENTENCE
    own.admission.places = 2
    page = press(page, "door_again")
    assert not says(page, "door-full", n=1)
    assert page.text_input("text").value == SENTENCE
    assert asked(page)["kind"] == "decoder"


def test_who_is_inside_stays_when_the_house_is_full(folder, own):
    page = open_page()
    own.admission.places = 0
    assert not says(run(page), "door-full", n=0)
    assert page.text_input("text").value


def test_a_page_leaves_no_turn_behind(folder, own):
    open_page()
    assert (own.pages.n_working, own.pages.n_waiting, own.long.n_working) == (0, 0, 0)


def test_a_turn_within_a_turn_is_the_same(own):
    with page_turn(whole=True), page_turn(whole=False):
        assert own.pages.n_working == 1


def test_files_are_looked_at_once_a_turn(own):
    looks = []
    look = once_a_turn(lambda name: looks.append(name) or len(looks))
    with page_turn(whole=True), page_turn(whole=False):
        assert [look("one"), look("one"), look("other")] == [1, 1, 2]
    with page_turn(whole=False):
        assert look("one") == 3
    assert [look("one"), look("one")] == [4, 5]


def test_a_long_measurement_frees_the_turn_of_its_page(own):
    with page_turn(whole=True), long_turn():
        assert (own.pages.n_working, own.long.n_working) == (0, 1)
    assert own.long.n_working == 0


def test_a_search_beyond_its_turn_goes_on_as_a_long_one_until_it_is_done(own):
    own.pages.lasts = 0.0
    with page_turn(whole=True):
        with leaving_long_queue():
            admission.interrupted()
            assert own.long.n_working == 1
        assert own.long.n_working == 0


def _measured() -> None:
    import streamlit as st

    from ui.frame.admission import long_turn

    with long_turn():
        st.markdown("measured")


def test_who_waits_for_a_long_measurement_is_told_the_place(own, monkeypatch):
    monkeypatch.setattr(admission, "PATIENCE", 0.0)
    said = []
    monkeypatch.setattr(admission, "say", lambda id, **values: said.append((id, values)) or id)
    other = own.long.join("somebody else", lambda place: None)
    threading.Timer(0.3, own.long.leave, [other]).start()
    page = open_frame(_measured)
    assert ("long-queue", {"n": 1}) in said
    assert not page.info  # gone when its turn has come
    assert page.markdown[0].value == "measured"


@pytest.mark.parametrize("text", ["none", "0", "2.5"])
def test_a_limit_that_is_no_whole_number_is_refused(monkeypatch, text):
    monkeypatch.setenv("ATTENTION_LAB_SESSIONS", text)
    queues.cache_clear()
    with pytest.raises(ValueError, match="ATTENTION_LAB_SESSIONS is"):
        queues()


def test_limits_come_from_the_environment(monkeypatch):
    for name, value in (("SESSIONS", "7"), ("AT_ONCE", "3"), ("LONG_AT_ONCE", "1")):
        monkeypatch.setenv(f"ATTENTION_LAB_{name}", value)
    queues.cache_clear()
    try:
        found = queues()
    finally:
        queues.cache_clear()
    assert (found.admission.places, found.pages.places, found.long.places) == (7, 3, 1)
