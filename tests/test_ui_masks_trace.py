"""A decision traced link by link, driven without a browser."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import masks_page
import pytest
from harness import n_charts, press, put, run, shown, table_of, words
from masks_page import open_page

from analysis.trace import TracePath
from records import Decision, Intervention
from ui.effect.reading import candidates_under
from ui.masks import choices, trace, trace_words
from words import english, numbers

view = masks_page.view


@pytest.fixture(scope="module")
def traced(view):
    position = choices.pronoun_position(view)
    tgt = view.translation.tgt
    decision = Decision(position, tgt.ids[position], tgt.tokens[position], 5, "▁x")
    return view.translator.trace(view.translation.src, tgt, decision)


def test_the_pronoun_is_traced_against_a_rival_at_once_and_another_rival_anew(folder):
    page = open_page("trace")
    first = page.selectbox("trace_rival").value
    assert f" and “{first}” " in words(page)
    assert n_charts(page) == 2
    assert {"from", "to", "weight", "change"} <= set(table_of(page, "weight"))
    page.selectbox("trace_rival").select_index(2)
    run(page)
    rival = page.selectbox("trace_rival").value
    assert rival != first
    assert f" and “{rival}” " in words(page)


def test_the_log_odds_on_the_page_are_those_of_the_candidates(view, traced):
    prefix = view.translation.tgt.ids[: traced.decision.position]
    found = {c.token_id: c.log_prob for c in candidates_under(view, Intervention(), prefix, 200)}
    expected = found[traced.decision.token_id] - found[traced.decision.rival_id]
    assert traced.log_odds == pytest.approx(expected, abs=1e-4)
    unchanged = trace_words.log_odds_under(view, traced, Intervention())
    assert unchanged == pytest.approx(expected, abs=1e-4)


def test_the_check_of_a_single_link_is_its_own_change(view, traced):
    link = traced.strongest(1)[0]
    change = trace_words.path_change(TracePath(traced.decision, (link,), 0.0))
    without = trace_words.log_odds_under(view, traced, change)
    assert without - traced.log_odds == pytest.approx(link.change, abs=1e-3)


def test_the_check_names_the_sum_beside_the_whole(view, traced):
    path = TracePath(traced.decision, traced.strongest(2), 0.0)
    without = trace_words.log_odds_under(view, traced, trace_words.path_change(path))
    same = (without < 0) == (traced.log_odds < 0)
    said = english(
        "masks-trace-check",
        n=2,
        change=numbers.signed(without - traced.log_odds),
        sum=numbers.signed(sum(link.change for link in path.links)),
        turn="same" if same else "rival" if without < 0 else "token",
    )
    assert trace_words.check_words(view, traced, path) == said


def test_another_token_takes_its_own_rivals(folder):
    page = open_page("trace")
    page.selectbox("trace_token").select_index(0)
    run(page)
    menu = page.selectbox("trace_rival")
    assert menu.value == menu.options[0]
    assert page.session_state["run"].translation.tgt.tokens[0].strip("▁") not in menu.options
    token = put(page, text="A man plays.").selectbox("trace_token")
    assert token.value in range(len(token.options))


def test_the_path_is_written_with_heads_from_one(view, traced):
    link = replace(traced.strongest(1)[0], kind="cross", layer=1, head=2, query=0, key=0)
    text = shown(trace_words.path_words(view, traced, TracePath(traced.decision, (link,), 0.0)))
    stop = english(
        "masks-trace-stop", token="The", head="cross 2.3", change=numbers.signed(link.change)
    )
    assert text.startswith(english("masks-trace-path", path=f"es → {stop}"))


def links_to(traced, *stops: int) -> TracePath:
    """A path that comes by these source positions."""
    start = traced.strongest(1)[0]
    links = [replace(start, kind="cross", layer=0, head=0, query=0, key=stops[0])]
    for query, key in pairwise(stops):
        links.append(replace(start, kind="encoder", layer=0, head=0, query=query, key=key))
    return TracePath(traced.decision, tuple(links), 0.0)


@pytest.mark.parametrize(
    ("stops", "id"),
    [
        ("it animal", "textbook"),
        ("it animal because", "onward"),
        ("because animal", "by-way"),
        ("because", "elsewhere"),
        ("animal", "straight"),
        ("", "no-path"),
    ],
)
def test_the_page_says_whether_the_path_is_the_textbook_s(view, traced, stops, id):
    places = [view.translation.src.pieces_of(word)[0] for word in stops.split()]
    path = links_to(traced, *places) if places else TracePath(traced.decision, (), 0.0)
    found = trace_words.verdict(view, traced, path)
    assert found.id == f"masks-trace-{id}"
    if id == "by-way":
        assert (found.values["by"], found.values["noun"]) == ("“because”", "animal")


def test_a_long_sentence_waits_for_the_button(folder, monkeypatch):
    monkeypatch.setattr(trace, "MOST_AT_ONCE", 3)
    page = open_page("trace", "The dog runs.")
    assert n_charts(page) == 0
    (info,) = page.info
    n_src = len(page.session_state["run"].translation.src)
    n_read = page.selectbox("trace_token").value + 1
    assert info.value == english("masks-trace-long", n=n_src + n_read)
    press(page, "trace_start")
    assert n_charts(page) == 2
    put(page, trace_share=50)
    assert n_charts(page) == 2
