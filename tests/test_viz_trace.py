"""The path of a decision: where its links are drawn and listed."""

from __future__ import annotations

import altair as alt
from test_analysis_trace import IT, NOUN, make_trace

from analysis.trace import trace_path
from records import Trace
from viz.export import figure_svg
from viz.trace import link_ends, links_table, trace_flow
from words import english


def test_the_deciding_row_is_known_by_what_it_produces_and_others_by_what_they_read():
    trace = make_trace({("decoder", 1, 0, 2, 1): -3.0, ("cross", 0, 0, 1, 0): -2.0})
    decision, earlier = trace_path(trace).links
    assert link_ends(trace, decision) == ("es", "Tier")
    assert link_ends(trace, earlier) == ("Tier", "animal")


def test_links_are_listed_strongest_first_with_head_and_weight():
    trace = make_trace({("cross", 1, 0, 2, IT): -1.0, ("encoder", 2, 1, IT, NOUN): 2.0})
    table = links_table(trace, 5)
    assert list(table["name"]) == ["encoder 3.2", "cross 2.1"]
    assert list(table["change"]) == [2.0, -1.0]
    assert list(table["from"]) == ["it", "es"]
    assert set(table["weight"]) == {0.25}


def flow(trace: Trace, **options: int):
    return trace_flow(trace, trace_path(trace), **options).tables


def test_links_of_the_path_are_drawn_whatever_the_number_of_others():
    links = {("cross", 1, 0, 2, IT): -2.0, ("cross", 0, 0, 2, 3): 1.5}
    drawn = flow(make_trace(links), n_links=0)["links"]
    assert list(drawn["path"]) == [True]
    assert list(flow(make_trace(links), n_links=9)["links"]["path"]) == [False, True]


def test_no_link_is_drawn_twice():
    drawn = flow(make_trace({("cross", 1, 0, 2, IT): -2.0}), n_links=5)["links"]
    assert len(drawn) == 1


def test_a_link_that_speaks_for_the_token_lowers_the_log_odds_when_it_is_gone():
    links = {("cross", 1, 0, 2, IT): -2.0, ("cross", 0, 0, 2, 3): 1.5}
    drawn = flow(make_trace(links))["links"].set_index("change")["speaks"]
    assert drawn[-2.0] == english("figures-trace-for-token")
    assert drawn[1.5] == english("figures-trace-for-rival")


def test_links_lead_upwards_from_what_is_looked_at():
    links = {
        ("cross", 1, 0, 2, IT): -2.0,
        ("decoder", 1, 0, 2, 0): -2.0,
        ("encoder", 2, 1, IT, NOUN): -1.0,
    }
    drawn = flow(make_trace(links))["links"]
    assert (drawn["y"] > drawn["y2"]).all()


def test_what_stays_joins_the_links_of_the_path():
    trace = make_trace({("cross", 0, 0, 2, IT): -2.0, ("encoder", 0, 0, IT, NOUN): -1.0})
    tables = flow(trace)
    first, second = trace_path(trace).links
    ends = tables["links"].set_index("change")
    stay = tables["stays"].iloc[1]
    assert (stay["x"], stay["y"]) == (ends.loc[first.change, "x"], ends.loc[first.change, "y"])
    assert (stay["x2"], stay["y2"]) == (
        ends.loc[second.change, "x2"],
        ends.loc[second.change, "y2"],
    )


def test_links_of_different_heads_between_the_same_tokens_do_not_cover_each_other():
    drawn = flow(make_trace({("cross", 1, 0, 2, IT): -2.0, ("cross", 1, 1, 2, IT): -2.5}))["links"]
    assert drawn["x"].nunique() == 2


def test_the_token_decided_for_is_the_marked_one():
    produced = flow(make_trace({}, position=1))["produced"]
    assert list(produced["decides"]) == [False, True, False]


def test_a_trace_without_any_link_can_be_drawn_and_saved():
    trace = make_trace({})
    assert "tired" in figure_svg(trace_flow(trace, trace_path(trace)))


def test_the_chart_fits_the_schema_of_vega_lite():
    trace = make_trace({("cross", 1, 0, 2, IT): -2.0, ("encoder", 2, 1, IT, NOUN): -1.0})
    alt.Chart.from_dict(trace_flow(trace, trace_path(trace)).chart)
