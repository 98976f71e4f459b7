"""The path of a decision: where its links are drawn and listed."""

from __future__ import annotations

from test_core_trace import IT, NOUN, make_trace

from core.trace import Trace, trace_path
from viz.figure import tables_of
from viz.trace import trace_flow
from words import english


def flow(trace: Trace, **options: int):
    return tables_of(trace_flow(trace, trace_path(trace), **options))


def test_links_of_the_path_are_drawn_whatever_the_number_of_others():
    links = {("cross", 1, 0, 2, IT): -2.0, ("cross", 0, 0, 2, 3): 1.5}
    drawn = flow(make_trace(links), n_links=0)["links"]
    assert list(drawn["path"]) == [True]
    # None is drawn twice.
    assert list(flow(make_trace(links), n_links=9)["links"]["path"]) == [False, True]


def test_a_link_that_speaks_for_the_token_lowers_the_log_odds_when_it_is_gone():
    links = {("cross", 1, 0, 2, IT): -2.0, ("cross", 0, 0, 2, 3): 1.5}
    drawn = flow(make_trace(links))["links"].set_index("change")["speaks"]
    assert drawn[-2.0] == english("figures-trace-for-token")
    assert drawn[1.5] == english("figures-trace-for-rival")


def test_links_lead_upwards_from_what_is_looked_at():
    links = {
        ("cross", 1, 0, 2, IT): -2.0,
        ("decoder", 1, 0, 2, 0): -2.5,
        ("encoder", 2, 1, IT, NOUN): -1.0,
    }
    drawn = flow(make_trace(links))["links"].set_index("change")
    assert (drawn["y"] < drawn["y2"]).all()
    # Of 3 layers of the encoder, a gap of 2 and 2 double layers of the decoder.
    assert drawn.loc[-2.0, ["y", "y2"]].tolist() == [2.5, 8.5]
    assert drawn.loc[-2.5, ["y", "y2"]].tolist() == [6.5, 7.5]
    assert drawn.loc[-1.0, ["y", "y2"]].tolist() == [1.5, 2.5]


def test_what_stays_joins_the_links_of_the_path():
    trace = make_trace({("cross", 0, 0, 2, IT): -2.0, ("encoder", 0, 0, IT, NOUN): -1.0})
    tables = flow(trace)
    ends = tables["links"].set_index("change")
    stay = tables["stays"].iloc[1]
    assert stay.tolist() == [*ends.loc[-2.0, ["x", "y"]], *ends.loc[-1.0, ["x2", "y2"]]]


def test_links_of_different_heads_between_the_same_tokens_do_not_cover_each_other():
    drawn = flow(make_trace({("cross", 1, 0, 2, IT): -2.0, ("cross", 1, 1, 2, IT): -2.5}))["links"]
    assert drawn["x"].nunique() == 2


def test_a_trace_without_any_link_has_its_nodes_and_one_end():
    tables = flow(make_trace({}))
    assert (len(tables["links"]), len(tables["ends"])) == (0, 1)
    assert len(tables["nodes"]) == 4 * 4 + 5 * 3
    assert sorted(set(tables["nodes"]["y"])) == [-0.5, 0.5, 1.5, 2.5, 4.5, 5.5, 6.5, 7.5, 8.5]
    assert tables["ends"].iloc[0].tolist() == [2, 3 + 2 - 0.5 + 2 * 2]  # on top of the decoder
