"""A decision traced link by link, driven without a browser."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import masks_page
import pytest
from harness import n_charts, press, run, shown, table_of, words
from masks_page import open_page

from analysis.trace import TracePath
from records import Decision, Intervention
from ui.effect import candidates_under
from ui.masks import choices, trace
from words import english

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
    unchanged = trace.log_odds_under(view, traced, Intervention())
    assert unchanged == pytest.approx(expected, abs=1e-4)


def test_the_check_of_a_single_link_is_its_own_change(view, traced):
    link = traced.strongest(1)[0]
    change = trace.path_change(TracePath(traced.decision, (link,), 0.0))
    without = trace.log_odds_under(view, traced, change)
    assert without - traced.log_odds == pytest.approx(link.change, abs=1e-3)


def test_the_check_names_the_sum_beside_the_whole(view, traced):
    path = TracePath(traced.decision, traced.strongest(2), 0.0)
    without = trace.log_odds_under(view, traced, trace.path_change(path))
    same = (without < 0) == (traced.log_odds < 0)
    said = english(
        "masks-trace-check",
        n=2,
        change=without - traced.log_odds,
        sum=sum(link.change for link in path.links),
        turn="same" if same else "rival" if without < 0 else "token",
    )
    assert trace.check_words(view, traced, path) == said


def test_another_token_takes_its_own_rivals(folder):
    page = open_page("trace")
    page.selectbox("trace_token").select_index(0)
    run(page)
    assert page.selectbox("trace_rival").value == page.selectbox("trace_rival").options[0]
    page.text_input("text").set_value("A man plays.")
    run(page)
    assert page.selectbox("trace_token").value in range(len(page.selectbox("trace_token").options))


def test_a_token_is_no_rival_of_itself(view):
    position = choices.pronoun_position(view)
    written = view.translation.tgt.ids[position]
    assert written not in {c.token_id for c in trace.rivals_at(view, position).values()}


def test_the_path_is_written_with_heads_from_one(view, traced):
    link = replace(traced.strongest(1)[0], kind="cross", layer=1, head=2, query=0, key=0)
    text = shown(trace.path_words(view, traced, TracePath(traced.decision, (link,), 0.0)))
    stop = english("masks-trace-stop", token="The", head="cross 2.3", change=link.change)
    assert text.startswith(english("masks-trace-path", path=f"es → {stop}"))


def links_to(traced, *stops: int) -> TracePath:
    """A path that comes by these source positions."""
    start = traced.strongest(1)[0]
    links = [replace(start, kind="cross", layer=0, head=0, query=0, key=stops[0])]
    for query, key in pairwise(stops):
        links.append(replace(start, kind="encoder", layer=0, head=0, query=query, key=key))
    return TracePath(traced.decision, tuple(links), 0.0)


def test_the_page_says_whether_the_path_is_the_textbook_s(view, traced):
    src = view.translation.src
    it, animal, because = (src.pieces_of(word)[0] for word in ("it", "animal", "because"))
    for stops, id in (
        ((it, animal), "masks-trace-textbook"),
        ((it, animal, because), "masks-trace-onward"),
        ((because, animal), "masks-trace-by-way"),
        ((because,), "masks-trace-elsewhere"),
        ((animal,), "masks-trace-straight"),
        ((), "masks-trace-no-path"),
    ):
        path = links_to(traced, *stops) if stops else TracePath(traced.decision, (), 0.0)
        found = trace.verdict(view, traced, path)
        assert found.id == id
    by_way = trace.verdict(view, traced, links_to(traced, because, animal))
    assert (by_way.values["by"], by_way.values["noun"]) == ("“because”", "animal")


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
    page.slider("trace_share").set_value(50)
    run(page)
    assert n_charts(page) == 2
