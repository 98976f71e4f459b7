"""The grammar of the charts: short forms, selections at the top, and Vega-Lite's own schema."""

from __future__ import annotations

import altair as alt

from records import CROSS, DECODER, ENCODER, AttentionSite
from viz import chart
from viz.theme import palette_of


def test_a_text_stands_for_a_field_with_its_type():
    unit = chart.draw("t", chart.mark("bar"), x="place:O", y="weight:Q", x2="end:Q", tooltip=None)
    assert unit["encoding"]["x"] == {"field": "place", "type": "ordinal"}
    assert unit["encoding"]["y"] == {"field": "weight", "type": "quantitative"}
    assert unit["encoding"]["x2"] == {"field": "end"}
    assert unit["encoding"]["tooltip"] is None


def test_cases_are_tried_in_the_order_given():
    over = chart.hover("over", "q")
    found = chart.when(("datum.locked", "red"), (over, "black"), otherwise="grey")
    assert found == {
        "condition": [
            {"test": "datum.locked", "value": "red"},
            {"param": "over", "empty": False, "value": "black"},
        ],
        "value": "grey",
    }


def test_lines_are_chosen_before_columns_are_worked_out():
    unit = chart.draw("t", chart.mark("bar"), where="datum.seen", calculate={"a": "datum.b + 1"})
    assert unit["transform"] == [
        {"filter": "datum.seen"},
        {"calculate": "datum.b + 1", "as": "a"},
    ]


def test_selections_stand_at_the_top_with_the_view_they_start_on():
    picked, over = chart.click("cell", "q", "click"), chart.hover("over", "q")
    unit = chart.draw("t", chart.mark("rect"), params=(picked, over), x="q:O")
    spec = chart.whole({"vconcat": [chart.layered(unit)]})
    (drawn,) = spec["vconcat"][0]["layer"]
    assert "params" not in drawn
    assert [(p["name"], p["views"]) for p in spec["params"]] == [
        ("cell", [drawn["name"]]),
        ("over", [drawn["name"]]),
    ]
    assert spec["params"][0]["select"]["fields"] == ["q", "click"]


def test_a_chart_that_nobody_clicks_has_no_params():
    assert "params" not in chart.whole(chart.layered(chart.draw("t", chart.mark("rect"), x="q:O")))


def test_signed_colours_reach_as_far_below_zero_as_above():
    colour = chart.signed_colour("value:Q", ("#000000", "#ffffff"), 0.05, title="difference")
    assert colour["scale"]["domain"] == [-0.05, 0.05]
    assert colour["legend"]["values"] == [-0.05, -0.025, 0, 0.025, 0.05]


def test_every_piece_of_the_grammar_fits_the_schema_of_vega_lite():
    over = chart.hover("over", "q")
    cells = chart.draw(
        "cells",
        chart.mark("rect", **chart.QUIET),
        where="datum.seen",
        params=(chart.click("cell", "q", "click"), over),
        x=chart.field("k:O", scale=chart.places(3), axis=None),
        y=chart.pixels("y"),
        color=chart.share_colour("weight:Q", ("#ffffff", "#000000"), title="weight"),
        stroke=chart.when(("datum.locked", "red"), (over, "black"), otherwise="transparent"),
        tooltip=chart.told(("query:N", "query"), ("weight:Q", "weight", ".4f")),
    )
    names = chart.draw("rows", chart.text(align="right"), x=chart.value(-6), text="label:N")
    zero = chart.draw("rows", chart.mark("rule"), where=over, y=chart.datum(0), y2="end:Q")
    signed = chart.signed_colour("v:Q", ("#ffffff", "#000000"), 1.0, title="difference")
    drawn = chart.draw("cells", chart.mark("rect"), calculate={"v": "datum.w"}, color=signed)
    layers = chart.layered(cells, names, zero, width=90, height=30)
    alt.Chart.from_dict(chart.whole({"hconcat": [layers, drawn]}, right=20))


def test_sites_have_the_colours_of_what_they_are_whatever_their_name():
    alignment = AttentionSite("alignment", "target", "source")
    words = AttentionSite("words", "words", "words")
    assert palette_of(alignment) == palette_of(CROSS) == palette_of("cross")
    assert palette_of(words) == palette_of(ENCODER)
    assert palette_of(DECODER) not in (palette_of(ENCODER), palette_of(CROSS))


def test_a_name_that_says_nothing_keeps_a_colour_of_its_own():
    unknown = palette_of("alignment")
    assert unknown == palette_of("alignment")
    assert unknown not in [palette_of(site) for site in (ENCODER, DECODER, CROSS)]


def test_the_schema_of_the_tests_is_that_of_the_charts():
    spec = chart.whole(chart.layered(chart.draw("t", chart.mark("rect"), x="q:O")))
    assert spec["$schema"] == alt.SCHEMA_URL
