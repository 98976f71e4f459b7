"""Heads switched off and nouns hidden: the numbers behind the charts, and what a click reports."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd
import pytest

from records import KnockOut, TokenSequence
from viz.export import figure_svg
from viz.hiding import flip_rates, hiding_dots
from viz.knockout import choice_dots, head_bars, head_places, knockout_table
from viz.labels import head_title
from viz.look import Look
from words import english

HEADS = (("encoder", 0, 0), ("encoder", 1, 0), ("decoder", 0, 0), ("cross", 0, 0))


def sequence(*tokens: str) -> TokenSequence:
    offsets = tuple((i, i + 1) for i in range(len(tokens)))
    ids = tuple(4 + len(token) for token in tokens)
    return TokenSequence(" ".join(tokens), ids, tokens, offsets)


@pytest.fixture
def found() -> KnockOut:
    """Four heads and two tokens; head 1 hurts, head 3 helps when it is gone."""
    plain = np.array([-0.5, -0.25], np.float32)
    changes = [[0.0, 0.0], [-2.0, -0.125], [-0.25, -0.5], [0.25, 0.125]]
    written, other = sequence("▁es", "▁war"), sequence("▁sie", "▁war")
    return KnockOut(
        src=sequence("▁it"),
        tgt=written,
        how="zero",
        heads=HEADS,
        log_probs=plain + np.array(changes, np.float32),
        plain_log_probs=plain,
        outputs=(written, other, written, written),
        plain_output=written,
        position=0,
        choices=("▁es", "▁sie"),
        choice_probs=np.array([[0.75, 0.25], [0.25, 0.5], [0.5, 0.25], [1, 0]], np.float32),
        plain_choice_probs=np.array([0.75, 0.25], np.float32),
        seconds=0.1,
    )


def test_the_change_is_that_of_the_whole_translation(found):
    assert list(knockout_table(found)["change"]) == [0.0, -2.125, -0.75, 0.375]


def test_the_hardest_hit_token_is_named_with_its_own_change(found):
    line = knockout_table(found).iloc[2]
    assert (line["token"], line["token_change"]) == ("war", -0.5)


def test_only_outputs_of_other_pieces_count_as_changed(found):
    assert list(knockout_table(found)["changed"]) == [False, True, False, False]


def test_the_table_holds_the_probability_of_every_choice(found):
    table = knockout_table(found)
    assert list(table["P(es)"]) == [0.75, 0.25, 0.5, 1.0]
    assert list(table["P(sie)"]) == [0.25, 0.5, 0.25, 0.0]


def test_heads_are_named_from_one():
    assert head_title("cross", 1, 0) == "cross 2.1"


def test_ranked_heads_stand_lowest_first_and_equally_far_apart():
    places = head_places(HEADS, np.array([0.0, -2.0, 3.0, -1.0]), ranked=True)
    step = places.min() * 2
    assert list(places / step - 0.5) == [2, 0, 3, 1]


def test_equal_heads_keep_their_order():
    places = head_places(HEADS, np.zeros(4), ranked=True)
    assert list(np.argsort(places)) == [0, 1, 2, 3]


def test_by_place_kinds_stand_further_apart_than_layers_and_layers_than_heads():
    heads = (("encoder", 0, 0), ("encoder", 0, 1), ("encoder", 1, 0), ("decoder", 0, 0))
    head, layer, kind = np.diff(head_places(heads, np.zeros(4), ranked=False))
    assert head < layer < kind


def test_a_click_on_a_bar_reports_its_head_and_the_number_of_the_drawing(found):
    figure = head_bars(found.heads, found.changes, title="change", click=7)
    bars = figure.tables["bars"]
    assert list(zip(bars["kind"], bars["layer"], bars["head"], strict=True)) == list(HEADS)
    assert set(bars["click"]) == {7}
    assert figure.selection == "head"


def test_the_selected_head_alone_has_the_frame(found):
    bars = head_bars(found.heads, found.changes, title="c", selected=HEADS[2]).tables["bars"]
    assert list(bars["selected"]) == [False, False, True, False]


def test_kinds_are_written_over_their_stretch_only_when_they_keep_together(found):
    by_place = head_bars(found.heads, found.changes, title="c", ranked=False)
    assert len(by_place.tables["kinds"]) == 3
    assert len(head_bars(found.heads, found.changes, title="c").tables["kinds"]) == 0


def test_a_value_too_few_is_refused(found):
    with pytest.raises(ValueError, match="found 3 for 4"):
        head_bars(found.heads, found.changes[:3], title="c")


def test_choices_stand_where_the_bars_of_their_heads_stand(found):
    bars = head_bars(found.heads, found.changes, title="c").tables["bars"]
    dots = choice_dots(found).tables["dots"]
    assert list(dots["x"]) == [x for x in bars["x"] for _ in found.choices]
    assert list(dots["probability"]) == list(found.choice_probs.ravel())


def test_the_labels_of_the_plain_lines_do_not_cover_each_other(found):
    names = ("▁es", "▁sie")
    even = np.array([0.5, 0.5], np.float32)
    near = KnockOut(**{**vars(found), "choices": names, "plain_choice_probs": even})
    first, second = choice_dots(near).tables["plain"]["place"]
    assert second - first >= 12


def test_without_a_choice_there_is_nothing_to_draw(found):
    with pytest.raises(ValueError, match="no choice"):
        choice_dots(KnockOut(**{**vars(found), "position": None}))


def hiding(*values: float) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "hidden": ["animal", "animal", "street", "street"],
            "place": ["all", "all", "all", "all"],
            "choice": ["es", "sie", "es", "sie"],
            "probability": values,
            "plain": [0.9, 0.1, 0.9, 0.1],
        }
    )


def test_every_hidden_word_has_its_own_panel():
    figure = hiding_dots(hiding(0.5, 0.5, 0.9, 0.1))
    assert [len(row["hconcat"]) for row in figure.chart["vconcat"]] == [2]
    assert list(figure.tables["dots"]["word"]) == [0, 0, 1, 1]


def test_panels_of_other_places_stand_in_a_row_of_their_own():
    lines = hiding(0.5, 0.5, 0.9, 0.1)
    further = lines.assign(hidden="because", place="none")
    figure = hiding_dots(pd.concat([lines, further[:2]]))
    assert [len(row["hconcat"]) for row in figure.chart["vconcat"]] == [2, 1]


def test_one_word_in_two_roles_has_two_panels():
    figure = hiding_dots(hiding(0.5, 0.5, 0.9, 0.1).assign(hidden="dog", role=[*"aabb"]))
    assert list(figure.tables["dots"]["word"]) == [0, 0, 1, 1]


def test_a_missing_column_is_named():
    with pytest.raises(ValueError, match="plain"):
        hiding_dots(hiding(0.5, 0.5, 0.9, 0.1).drop(columns="plain"))


def test_flips_keep_the_interval_they_come_with():
    row = {"place": "it", "hidden": "noun", "share": 0.5, "low": 0.4, "high": 0.6, "n": 100}
    rows = flip_rates([row]).tables["rows"]
    assert rows[["low", "share", "high"]].to_numpy().tolist() == [[0.4, 0.5, 0.6]]


def test_five_hidden_words_differ_in_colour_and_in_shape():
    row = {"place": "it", "share": 0.5, "low": 0.4, "high": 0.6, "n": 100}
    chart = flip_rates([row | {"hidden": word} for word in "abcde"]).chart
    points = chart["layer"][1]["encoding"]
    assert len(set(points["color"]["scale"]["range"])) == 5
    assert len(set(points["shape"]["scale"]["range"])) == 5


def test_flips_without_an_interval_are_refused():
    with pytest.raises(ValueError, match="low"):
        flip_rates([{"place": "it", "hidden": "noun", "share": 0.5, "n": 2}])


@pytest.mark.parametrize("label", ["▁'", "▁[", "▁a.b", '▁"', "▁<b>"])
def test_tokens_that_mean_something_to_vega_are_drawn_as_they_are(found, label):
    strange = KnockOut(**{**vars(found), "choices": (label, "▁sie")})
    svg = figure_svg(choice_dots(strange))
    escaped = label[1:].replace("<", "&lt;").replace(">", "&gt;")
    assert escaped in svg.replace("&quot;", '"').replace("&#x27;", "'").replace("&apos;", "'")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("ranked", [False, True])
def test_the_bars_can_be_saved(found, ranked, dark):
    figure = Look(dark=dark)(head_bars, found.heads, found.changes, title="change", ranked=ranked)
    svg = Look(dark=dark)(figure_svg, figure)
    assert svg.count(">2.1<") == 1  # the label of encoder layer 2, head 1


def test_every_point_between_the_first_and_the_last_head_of_a_layer_takes_the_click():
    heads = [("cross", 0, head) for head in range(3)]
    bars = head_bars(heads, np.zeros(3), title="c", ranked=False).tables["bars"]
    assert list(bars["end"][:-1]) == list(bars["start"][1:])


def test_the_charts_fit_the_schema_of_vega_lite(found):
    flip = {"place": "it", "hidden": "noun", "share": 0.5, "low": 0.4, "high": 0.6, "n": 100}
    for figure in (
        head_bars(found.heads, found.changes, title="c", outputs=["a"] * 4),
        head_bars(found.heads, found.changes, title="c", ranked=False),
        choice_dots(found),
        hiding_dots(hiding(0.5, 0.5, 0.9, 0.1)),
        flip_rates([flip]),
    ):
        alt.Chart.from_dict(figure.chart)


def test_bars_of_other_sites_than_a_transformer_s_have_colours_of_their_own():
    figure = head_bars([("words", 0, 0), ("sentences", 0, 0)], np.array([1.0, 2.0]), title="c")
    scale = figure.chart["layer"][0]["encoding"]["color"]["scale"]
    assert scale["domain"] == ["words", "sentences"]
    name = english("head-name", layer=1, head=1)
    assert set(figure.tables["bars"]["name"]) == {
        f"{english(f'site-{site}-attention')}, {name}" for site in ("words", "sentences")
    }
