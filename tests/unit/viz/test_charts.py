"""Numbers behind charts and plots of one topic each, against sums by hand."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from html import unescape

import altair as alt
import numpy as np
import pandas as pd
import pytest

from core.arithmetic import Strip, stage_strips
from core.block import stream_turns
from core.cost import LAYERS
from core.explain import measures_table
from core.interventions.effect import next_tokens
from core.records.attention import ENCODER, TRANSFORMER_SITES
from core.records.search import Candidate
from core.records.sublayers import Gradients, Lens, SubLayer
from core.softmax import scaling_effect
from core.source_share import Shares, share_lines
from support.figures import PLAIN, map_of, pixels_of
from support.figures.arithmetic import shares_of, stages_of
from support.figures.knockout import heads_table
from support.figures.links import FIGURES
from viz import arithmetic, cost, effect, recipes
from viz.ablation import head_grid
from viz.agreement import two_readings
from viz.block import gradient_lines, lens_grid, stream_arrows
from viz.explain import measure_bars
from viz.export import figure_svg
from viz.figure import drawn, side_by_side, spec_of, tables_of
from viz.gaze import A_ROW, SHADE, gaze_figure, gaze_table, shaded
from viz.heatmap import HeatmapOptions, attention_heatmap
from viz.lineage import length_lines
from viz.pronoun import flip_rates
from viz.source_share import share_curve
from viz.style import Look
from viz.sweep import MEASURES, cost_chart, sweep_chart
from viz.training import target_bars
from viz.word_order import layer_panels
from words import english
from words.numbers import percent

TOKENS = ("▁the", "▁dog", "▁the")

# Shares in words


@pytest.mark.parametrize("share", [0.0, 1e-4, 0.0049, 0.0051, 0.25, 1.0])
def test_the_browser_writes_a_share_as_python_does(share):
    def written() -> alt.Chart:
        rows = recipes.source("shares", text=recipes.whole_percent("share"))
        return recipes.text(rows).encode(text="text:N")

    figure = drawn(written, {"shares": pd.DataFrame({"share": [share]})})
    texts = re.findall(r">([^<>]+)</text>", figure_svg(figure))
    assert [unescape(text) for text in texts] == [percent(share, 0)]


def test_a_share_that_is_not_none_is_never_written_as_none():
    heads = heads_table([("words", 0, 0), ("words", 0, 1)])
    values = np.array([0.0, 0.004])
    texts = tables_of(head_grid(heads, values, title="c", shares=True))["cells"]["label"]
    assert set(texts) == {"0%", "< 1%"}


# Arithmetic of one row


@pytest.mark.parametrize("dark", [False, True])
def test_numbers_are_dark_on_pale_cells_and_pale_on_dark_ones(dark):
    strip = Strip("weight", np.array([0.0, 1.0]), "share")
    figure = Look(dark=dark)(arithmetic.strips_figure, [strip], ("▁a", "▁b"), site=ENCODER)
    inks = tables_of(figure)["cells"]["ink"].tolist()
    assert inks == (["#ffffff", "#000000"] if dark else ["#000000", "#ffffff"])


@pytest.mark.parametrize(("heads", "n_parts"), [(3, 3), (1, 2)])
def test_the_parts_drawn_add_up_to_the_output_and_this_head_is_marked(heads, n_parts):
    found = stages_of(PLAIN, heads=heads)
    tables = tables_of(arithmetic.output_figure(found))
    parts = tables["parts"].pivot(index="part", columns="j")["value"]
    assert len(parts) == n_parts + 1
    np.testing.assert_allclose(parts[:-1].sum(), parts.iloc[-1])
    np.testing.assert_allclose(parts.iloc[-1], found.output)
    blocks = tables["blocks"]
    assert blocks[blocks["chosen"]]["start"].tolist() == [(heads - 1) * 4]


@pytest.mark.parametrize("site", ["encoder", "decoder"])
def test_the_arithmetic_of_a_sentence_fits_beside_all_heads(site):
    """A page of 1280 pixels leaves 565 to it; the tokens are those of the first sentence."""
    words = "The animal didn ' t cross the street because it was too tired . </s>"
    tokens = tuple(f"▁{word}" for word in words.split())
    found = stages_of(tokens, TRANSFORMER_SITES[site], heads=8, d_k=32, row=9)
    strips, shares = stage_strips(found), shares_of(found, arithmetic.most_rows(32))
    room = arithmetic.ROOM_BESIDE
    figures = {
        "strips": arithmetic.strips_figure(strips, tokens, site=site, chosen=1, room=room),
        "values": arithmetic.contribution_matrix(shares, found, tokens, chosen=1),
        "output": arithmetic.output_figure(found),
        "weight": arithmetic.weight_figure(found, 1, tokens, site=site, room=room),
        "curves": arithmetic.scaling_curves(scaling_effect(15), found),
    }
    for name, figure in figures.items():
        assert float(re.search(r' width="([\d.]+)"', figure_svg(figure))[1]) <= 565, name


# Cost of layers

MEASURED = pd.DataFrame(
    [
        {"kind": kind, "n": n, "d": d, "both": 2e-3 * n, "kept": n}
        for kind in LAYERS
        for n in (8, 64, 512)
        for d in (64, 128)
    ]
)
POWERS = pd.DataFrame(
    [("gru", 64, 1.0, 0.9, 1.1), ("gru", 128, 2.0, 1.9, 2.1)],
    columns=["kind", "at", "exponent", "low", "high"],
)


def test_measured_lines_hold_the_points_of_their_width_and_rings_what_was_measured_here():
    here = MEASURED[(MEASURED["kind"] == "lstm") & (MEASURED["n"] == 64)]
    plot = cost.measured_lines(MEASURED, LAYERS, "both", 64, POWERS, here=here)
    crossing, *traces = plot.data
    lines, rings = traces[: len(LAYERS)], traces[len(LAYERS) :]
    assert crossing.x == (64, 64)
    assert [trace.name for trace in lines] == [cost.layer_name(kind) for kind in LAYERS]
    for trace in lines:
        assert dict(zip(trace.x, trace.y, strict=True)) == {n: 2e-3 * n for n in (8, 64, 512)}
    assert {trace.name: trace.x for trace in rings if trace.x} == {cost.layer_name("lstm"): (64,)}
    assert all(trace.marker.symbol == "circle-open" for trace in rings)
    assert all(english("cost-here-point") in trace.hovertemplate for trace in rings)
    assert [plot.layout[axis].type for axis in ("xaxis", "yaxis")] == ["log", "log"]
    wider = cost.measured_lines(MEASURED, LAYERS, "both", 128, POWERS).layout
    assert (wider.xaxis, wider.yaxis) == (plot.layout.xaxis, plot.layout.yaxis)


@pytest.mark.parametrize(
    ("factor", "sides"),
    [(1.0, ["top right", "bottom right"]), (2.0, ["middle right", "middle right"])],
)
def test_only_the_two_layers_of_the_headline_are_strong_and_named_at_their_ends(factor, sides):
    costs = MEASURED.assign(both=MEASURED["both"].where(MEASURED["kind"] != LAYERS[0], 1.01e3))
    costs.loc[costs["kind"] == LAYERS[1], "both"] = 1e3 * factor
    traces = cost.measured_lines(costs, LAYERS, "both", 64, POWERS).data[1 : 1 + len(LAYERS)]
    assert [trace.opacity for trace in traces] == [1, 1, *[0.4] * (len(LAYERS) - 2)]
    named = [trace for trace in traces if "text" in trace.mode]
    assert [trace.text[-1].strip() for trace in named] == list(map(cost.layer_name, LAYERS[:2]))
    assert all(set(trace.text[:-1]) == {""} for trace in named)
    assert [trace.textposition for trace in named] == sides


def test_the_pointer_tells_the_power_that_was_fitted_at_this_width():
    lines = cost.measured_lines(MEASURED, LAYERS, "kept", 128, POWERS).data[1:]
    told = {trace.name: trace.hovertemplate for trace in lines if trace.x}
    interval = english("cost-interval-told", low="1.90", high="2.10")
    ending = f"Fitted exponent: 2.00<br>95% CI: {interval}<extra></extra>"
    assert told[cost.layer_name("gru")].endswith(ending)
    assert english("cost-exponent") not in told[cost.layer_name("attention")]
    assert [size for (size,) in lines[0].customdata] == ["8 B", "64 B", "512 B"]


@pytest.mark.parametrize(
    ("measure", "least", "said"),
    [
        ("forward", 3e-5, {"100 µs", "200 µs", "500 µs", "1 ms", "10 ms", "100 ms", "1 s"}),
        ("kept", 300, {"500 B", "1 kB", "10 kB", "100 kB", "1 MB", "10 MB"}),
    ],
)
def test_the_axis_of_a_measure_says_each_number_in_a_unit_that_reads_well(measure, least, said):
    table = pd.DataFrame({"kind": "gru", "n": 8 ** np.arange(6), "d": 256})
    table[measure] = least * 10.0 ** np.arange(6)
    axis = cost.measured_lines(table, ["gru"], measure, 256, POWERS).layout.yaxis
    assert said <= set(axis.ticktext)
    low, high = (10**end for end in axis.range)
    assert low < least < 10**5 * least < high
    factors = {"µs": 1e-6, "ms": 1e-3, "s": 1, "B": 1, "kB": 1e3, "MB": 1e6}
    for number, words in zip(axis.tickvals, axis.ticktext, strict=True):
        told, unit = words.split()
        assert float(told) * factors[unit] == pytest.approx(number)


# Effects of a change


def test_the_chart_of_next_tokens_is_the_same_for_any_number_and_marks_the_written_one():
    sides = [[Candidate(i, f"▁w{i}", -1.0, i) for i in range(n)] for n in (2, 6)]
    few, more = (effect.next_token_bars(next_tokens(s, s), written=1) for s in sides)
    assert few.layer is more.layer
    assert tables_of(few)["tokens"]["label"].tolist() == ["w0", "▸ w1"]


def test_tokens_that_are_unlikely_on_both_sides_are_left_out_beyond_three():
    likely = [Candidate(i, f"▁w{i}", math.log(p), i) for i, p in enumerate((0.9, 0.002))]
    unlikely = [Candidate(i, f"▁w{i}", math.log(1e-5), i) for i in range(2, 8)]
    sides = [[*likely, *unlikely]] * 2
    tokens = tables_of(effect.next_token_bars(next_tokens(*sides)))["tokens"]
    assert tokens["label"].tolist() == ["w0", "w1", "w2"]


def test_side_by_side_both_keep_their_numbers():
    weights = np.array([[0.25, 0.75]], np.float32)
    one = effect.weight_matrix(weights, ("▁a",), TOKENS[:2], site="cross")
    other = effect.difference_matrix(weights, weights[:, ::-1], ("▁a",), TOKENS[:2])
    both = tables_of(side_by_side({"one": one, "two": other}))
    assert both["cells0"]["value"].tolist() == [0.25, 0.75]
    assert both["cells1"]["value"].tolist() == [0.5, -0.5]


# Maps of heads


def test_the_product_is_the_score_times_the_root_of_the_width():
    scores = np.zeros((2, 3, 4, 4), np.float32)
    for d_k, times in ((16, "datum.score * 4.0"), (None, None)):
        figure = attention_heatmap(
            map_of(PLAIN[:4], scores=scores), 0, 0, options=HeatmapOptions(d_k=d_k)
        )
        layers = spec_of(figure)["vconcat"][0]["layer"]
        steps = [step for layer in layers for step in layer.get("transform", [])]
        worked_out = {step["as"]: step["calculate"] for step in steps if "as" in step}
        assert worked_out.get("product") == times


def test_which_columns_are_numbered_is_said_by_the_cells_and_changes_no_chart():
    first, second = (
        attention_heatmap(
            map_of(PLAIN[:4]), 0, 0, locked_rows=(1,), options=HeatmapOptions(numbered=columns)
        )
        for columns in ((0,), (1, 3))
    )
    assert spec_of(first)["vconcat"] is spec_of(second)["vconcat"]
    cells = tables_of(second)["cells"]
    assert set(cells["k"][cells["numbered"]]) == {1, 3}


def test_heads_of_other_sites_than_a_transformer_s_have_names_of_their_own():
    heads = [("words", 0, 0), ("sentences", 0, 0)]
    figure = head_grid(heads_table(heads), np.array([1.0, 2.0]), title="c")
    names = tables_of(figure)["cells"]["name"]
    name = english("head-name", layer=1, head=1)
    assert list(names) == [f"{english(f'site-{site}-attention')}, {name}" for site, _, _ in heads]


def test_numbers_of_slight_changes_are_pale_and_probabilities_are_not():
    heads = heads_table([("words", 0, 0), ("words", 0, 1)])
    values = np.array([0.01, 1.0])
    for shares in (False, True):
        layers = spec_of(head_grid(heads, values, title="c", shares=shares))["layer"]
        [text] = [layer for layer in layers if layer["mark"]["type"] == "text"]
        cases = text["encoding"]["opacity"].get("condition", [])
        assert [case["test"] for case in cases] == ([] if shares else ["abs(datum.value) < 0.05"])


def test_five_hidden_words_differ_in_colour_and_in_shape():
    flip = {"place": "it", "share": 0.5, "low": 0.4, "high": 0.6, "n": 100}
    rows = pd.DataFrame([flip | {"hidden": word} for word in "abcde"])
    dots = spec_of(flip_rates(rows))["layer"][1]
    for channel in ("color", "shape"):
        assert len(set(dots["encoding"][channel]["scale"]["range"])) == 5


@pytest.mark.parametrize(
    ("measure", "inks"),
    [("distance", ["#000000", "#ffffff"]), ("cosine", ["#ffffff", "#000000"])],
)
def test_white_stands_on_a_large_distance_and_on_a_small_cosine(measure, inks):
    panels = {"a": np.array([[0.0, 0.0]]), "b": np.array([[0.0, 1.0]])}
    cells = tables_of(layer_panels(panels, TOKENS[:2], measure=measure))["cells"]
    assert cells["ink"].tolist()[2:] == inks


# Gaze on a picture

GRID = (2, 2)
PIXELS = np.full((4, 4, 3), 200, dtype=np.uint8)
WEIGHTS = [np.array([0.64, 0.16, 0.16, 0.04]), np.array([0.0, 0.0, 1.0, 0.0])]
LABELS = ["red", "circle"]


def test_a_cell_is_as_bright_as_the_root_of_its_share_of_the_largest():
    # Of 0.64 the others are a quarter, a quarter and a sixteenth.
    light = [round(200 * (1 - SHADE * dark)) for dark in (0, 0.5, 0.5, 0.75)]
    found = shaded(PIXELS, WEIGHTS[0], GRID)
    assert found[::2, ::2, 0].ravel().tolist() == light
    np.testing.assert_array_equal(found, found[::2, ::2].repeat(2, 0).repeat(2, 1))


def test_the_picture_stands_first_and_then_as_each_word_looks_at_it_with_its_box():
    boxes = [None, (1, 0, 3, 2)]
    figure = gaze_figure(PIXELS, LABELS, WEIGHTS, grid=GRID, notes=["", "90%"], boxes=boxes)
    tables = tables_of(figure)
    panels = tables["panels"]
    assert panels["label"].tolist() == ["", *LABELS]
    assert panels["note"].tolist() == ["", "", "90%"]
    np.testing.assert_array_equal(pixels_of(panels["image"][0]), PIXELS)
    for url, weights in zip(panels["image"][1:], WEIGHTS, strict=True):
        np.testing.assert_array_equal(pixels_of(url), shaded(PIXELS, weights, GRID))
    (box,) = tables["boxes"].to_numpy()
    corner = panels.loc[2, ["x", "y"]].to_numpy(float)
    side = 112 / 4  # a picture is drawn 112 wide
    np.testing.assert_allclose(box - [*corner, *corner], [side, 0, 3 * side, 2 * side])


def test_no_two_pictures_share_a_place_and_each_cell_of_each_word_has_a_line():
    tables = tables_of(gaze_figure(PIXELS, ["a"] * 14, [WEIGHTS[1]] * 14, grid=GRID))
    assert not tables["panels"].duplicated(["x", "y"]).any()
    assert tables["panels"]["x"].nunique() == A_ROW
    assert tables["boxes"].empty
    table = gaze_table(LABELS, WEIGHTS, GRID)
    assert table["weight"].tolist() == np.concatenate(WEIGHTS).tolist()
    assert table.iloc[2].tolist() == [1, "red", 1, 0, 0.16]


# Searches of several widths

SWEEP = [
    {"beam_size": 5, "bleu": 38.0, "mean_log_prob": -7.5, "length_ratio": 0.98, "seconds": 0.06},
    {"beam_size": 1, "bleu": 36.0, "mean_log_prob": -8.0, "length_ratio": 0.99, "seconds": 0.03},
]


def test_every_measure_has_its_own_panel_over_the_same_widths_in_order_and_one_is_marked():
    figure = sweep_chart(pd.DataFrame(SWEEP), chosen=5)
    panels = spec_of(figure)["hconcat"]
    titles = [panel["title"]["text"] for panel in panels]
    assert titles == [english(f"beam-sweep-{name}") for name, *_ in MEASURES]
    rows = tables_of(figure)["rows"]
    assert list(rows["beam_size"]) == [1, 5]
    assert list(rows["chosen"]) == [False, True]
    for name, *_ in MEASURES:
        assert list(rows[name]) == [SWEEP[1][name], SWEEP[0][name]]
    for panel in panels:
        assert panel["layer"][0]["encoding"]["x"]["axis"]["values"] == [1, 5]
    rows = [{"beam_size": b, "mean_log_prob": -1.0, "bleu": None} for b in (1, 2)]
    (panel,) = spec_of(sweep_chart(rows))["hconcat"]
    assert panel["title"]["text"] == english("beam-sweep-mean_log_prob")


def test_numbers_stand_at_the_narrowest_the_widest_and_the_chosen_width():
    widths = [
        {"beam_size": b, "bleu": bleu} for b, bleu in ((1, 30.0), (2, 33.0), (5, 32.0), (9, 31.0))
    ]
    rows = tables_of(sweep_chart(widths, chosen=5))["rows"]
    assert list(rows["bleu_text"]) == ["30.0", "", "32.0", "31.0"]
    # The highest has one, too, a little aside.
    assert list(rows["bleu_best"]) == ["", "33.0", "", ""]


def test_a_single_point_beside_a_line_is_left_out():
    rows = [
        {"length": n, "beam_size": b, "seconds": n / 100} for n, b in ((8, 5), (16, 5), (16, 1))
    ]
    tables = tables_of(cost_chart(rows))
    assert tables["widths"]["label"].tolist() == [english("beam-cost-of-width", n=5)]
    assert tables["lengths"]["label"].tolist() == [english("beam-cost-of-length", n=16)]
    assert tables["rows"].query("of_length")["length"].tolist() == [16, 16]


# The smoothed target of a token


def test_the_bars_of_a_target_hold_the_right_token_and_all_others_together():
    figure = target_bars("▁dog", probability=0.92, on_label=0.9, n_others=5, epsilon=0.1)
    tables = tables_of(figure)
    shares = [1, 0.9, 0.92, 0, 0.1, 0.08]
    assert tables["bars"]["probability"].to_numpy() == pytest.approx(shares)
    assert list(tables["bars"]["number"]) == ["100.0%", "90.0%", "92.0%", "0.0%", "10.0%", "8.0%"]
    headings = tables["headings"]["label"]
    assert headings[0] == english("training-target-right", token="dog")
    assert headings[1] == english("training-target-others", n=5)


def test_every_bar_of_a_target_stands_at_its_name_and_each_group_below_its_heading():
    figure = target_bars("▁dog", probability=0.5, on_label=0.9, n_others=5, epsilon=0.1)
    tables = tables_of(figure)
    names = tables["names"]["label"]
    assert list(names[tables["bars"]["place"]]) == list(tables["bars"]["name"])
    assert (names[tables["headings"]["place"]] == "").all()


# Measures and readings


@pytest.mark.parametrize(("n", "texts"), [(3, ["63%", "25%", "12%"]), (13, ["63%"])])
def test_few_shares_all_have_a_number_and_many_only_the_largest(n, texts):
    weights = np.array([0.63, 0.25, 0.12, *[0.0] * 10])[:n]
    lines = measures_table([f"▁{i}" for i in range(n)], weights, weights / 2, weights / 100)
    drawn = tables_of(measure_bars(lines, shares=True))["lines"]
    assert [text for text in drawn["attention_text"] if text] == texts
    assert drawn["drop_text"][0] == "32%"
    assert [text for text in drawn["gradient_text"] if text] == ["+0.0063"]


def test_a_reading_below_chance_is_marked_and_each_side_has_its_column():
    shares = pd.DataFrame(
        {"label": ["a", "a"], "side": ["both", "left"], "share": [0.95, 0.39]}
    ).assign(low=np.nan, high=np.nan)
    ids = (f"masked-agreement-{name}" for name in ("axis", "examples", "edge"))
    dots = tables_of(two_readings(shares, *ids))["dots"]
    assert dots["written"].tolist() == ["95%", "39%"]
    assert dots["wrong"].tolist() == [False, True]
    assert dots["at"].nunique() == 2
    assert (dots["at"] > 1).all()
    plural = {"label": "a", "side": "plural", "share": 0.08, "low": np.nan, "high": np.nan}
    ids = (f"masked-agreement-{name}" for name in ("axis", "examples", "edge"))
    dots = tables_of(two_readings(pd.concat([shares, pd.DataFrame([plural])]), *ids))["dots"]
    assert dots["hollow"].tolist() == [False, False, True]
    assert dots["at"].nunique() == 3


# Names at lines


def test_ends_of_lines_are_named_in_percent_and_their_names_stand_apart():
    points = [("a", 5, 0.5), ("a", 9, 0.304), ("b", 5, 0.9), ("b", 9, 0.3)]
    lines = pd.DataFrame(points, columns=["system", "words", "share"])
    tables = tables_of(length_lines(lines, {"a": "cho", "b": "x"}, "b"))
    assert list(tables["first"]["label"]) == ["90%", "50%"]
    last = tables["last"]
    assert list(last["label"]) == ["a: 30%", "b: 30%"]
    assert np.diff(last["y"])[0] >= 17


def test_many_lines_have_a_legend_in_place_of_names():
    systems = {name: "x" for name in "abcde"}
    rows = [(name, 5, 0.5) for name in systems]
    lines = pd.DataFrame(rows, columns=["system", "words", "share"])
    few = length_lines(lines[:1], {"a": "x"}, "a")
    many = length_lines(lines, systems, "a")
    assert ["last" in tables_of(figure) for figure in (few, many)] == [True, False]


def test_no_name_of_a_run_lies_on_the_stem_of_another():
    sizes = np.array([[1.0, 2], [1e-9, 3], [100, 4], [10, 5]])
    places = tuple(SubLayer("encoder", 0, name) for name in ("self", "feed_forward"))
    gradients = Gradients(places, sizes, np.full((4, 2), 0.5), np.ones(4))
    named = tables_of(gradient_lines(gradients, 1e-3))["named"]
    assert list(named["run"]) == ["residual", "plain", "both", "norm"]
    assert (np.diff(named["y"]) < -13).all()
    assert list(named["is_right"]) == [False, True, True, True]
    changes = ["< 1%", "50%", "2.0-fold", "25-fold"]
    assert [text.rpartition(": ")[2] for text in named["text"]] == changes
    mirrored = tables_of(gradient_lines(replace(gradients, sizes=1 / sizes), 1e-3))["named"]
    assert list(mirrored["run"]) == ["plain", "both", "norm", "residual"]


@pytest.mark.parametrize(
    ("gone", "full", "drawn"),
    [
        (["decoder"] * 3, 1.0, [4]),  # beside the middle cross
        (["decoder"], 1.0, [3]),
        (["decoder", "encoder"], 1.0, []),
        ([], 1.0, []),
        (["decoder"] * 3, 1e-12, []),  # an axis of so many powers has no room for words
    ],
)
def test_the_reason_why_the_encoder_keeps_its_gradient_stands_beside_the_crosses(gone, full, drawn):
    names = ("self", "cross", "feed_forward")
    places = tuple(SubLayer(stack, 0, name) for stack in ("encoder", "decoder") for name in names)
    sizes = np.ones((4, 6))
    sizes[0, 0] = full
    for at, stack in enumerate(gone):
        sizes[1, at + 3 * (stack == "decoder")] = np.nan
    gradients = Gradients(places, sizes, np.full((4, 6), 0.5), np.ones(4))
    assert list(tables_of(gradient_lines(gradients, 1e-3))["bypass"]["place"]) == drawn


def test_a_box_of_the_stream_has_the_numbers_of_its_headline():
    places = (SubLayer("encoder", 0, "self"),)
    rows = {"place": 0, "before": 4.0, "added": 8.0, "summed": 80**0.5, "after": 3.0, "cosine": 0.0}
    figure = stream_arrows(stream_turns(pd.DataFrame([rows])), places)
    (text,) = tables_of(figure)["panels"]["numbers"]
    assert text == english("block-stream-numbers", ratio=2.0, turn=63.4)


def test_the_chosen_token_has_thick_frames_from_where_it_stays_the_likeliest():
    places = tuple(SubLayer("decoder", 0, name) for name in ("self", "cross"))
    ranks = np.array([[1, 1], [2, 1], [1, 1]])
    tokens = tuple((("▁a",), ("▁b",)) for _ in ranks)
    lens = Lens(places, tokens, np.ones((3, 2, 1)), np.ones((3, 2)), ranks)
    for chosen, framed in ((0, [(2, 0)]), (1, [(0, 1), (1, 1), (2, 1)]), (None, [])):
        cells = tables_of(lens_grid(lens, ["▁a", "▁b"], chosen=chosen))["cells"]
        stays = cells[cells["stays"]]
        assert list(zip(stays["q"], stays["k"], strict=True)) == framed
        assert set(stays["percent"]) <= {"100%"}
        assert stays["two"].all()  # three rows have room for the probability


def test_a_probability_is_left_out_where_rows_are_low():
    places = tuple(SubLayer("decoder", layer, "self") for layer in range(12))
    ones = np.ones((13, 1))
    lens = Lens(places, ((("▁a",),),) * 13, ones[..., None], ones, ones.astype(int))
    cells = tables_of(lens_grid(lens, ["▁a"], chosen=0))["cells"]
    assert cells["stays"].all()
    assert not cells["two"].any()


def test_the_scale_of_changes_ends_at_the_largest():
    figure = head_grid(heads_table([("words", 0, 0)]), np.array([-6.83]), title="c")
    assert list(tables_of(figure)["limits"]["value"]) == [-6.83, 6.83]
    legends = [
        encoding["color"]["legend"]["values"]["expr"]
        for layer in spec_of(figure)["layer"]
        for encoding in [layer["encoding"]]
        if "legend" in encoding.get("color", {})
    ]
    assert legends
    assert all("limits" in values for values in legends)


def test_where_two_layers_were_measured_equal_stands_a_line_with_the_length():
    plot = cost.measured_lines(MEASURED, LAYERS, "both", 64, POWERS, crossed=200.0)
    uprights = [trace for trace in plot.data if trace.mode == "lines+text"]
    marks = {trace.x: "".join(trace.text).strip() for trace in uprights}
    assert marks[200.0, 200.0] == english("cost-crossed-at", n=200)
    assert len(marks) == 2
    ring = plot.data[-1]
    # All lines are 2e-3 n.
    assert (ring.x, ring.y) == ((200.0,), pytest.approx((0.4,)))


# Numbers at bars that a headline names


def test_the_needed_token_has_both_probabilities_and_the_rank_of_its_weight():
    weights = np.array([0.7, 0.2, 0.1])
    lines = measures_table(TOKENS, weights, np.array([0.1, 2.0, np.nan]), np.zeros(3))
    table = tables_of(measure_bars(lines, log_prob=float(np.log(0.5))))["lines"]
    assert table["drop_text"].tolist() == ["", "50.0% → 6.8%", ""]  # 0.5 / e²
    assert table["attention_text"].tolist() == ["0.70", "0.20 (rank 2)", ""]
    alone = tables_of(measure_bars(lines))["lines"]
    assert alone["drop_text"].tolist() == ["", "+2.00", ""]


def test_a_bar_of_shares_names_the_source_token_that_contributes_most():
    shares = Shares(np.array([[0.5, 0.1], [0.2, 0.3]]), np.array([[0.4, 0.0], [0.1, 0.4]]))
    lines = share_lines(["▁a", "▁b"], ["▁x", "▁y"], shares)
    bars = tables_of(share_curve(lines, chosen=1))["bars"]
    assert bars["strongest"].tolist() == ["x\n50%", "y\n30%"]
    assert bars["source"].tolist() == pytest.approx([0.6, 0.5])


def test_curves_of_ribbons_are_no_groups_of_their_own_in_a_file():
    curves = re.findall(r'<path aria-label="row[^>]*>', figure_svg(FIGURES["ribbons"](TOKENS)))
    assert curves
    assert not [curve for curve in curves if re.search(r' opacity="0', curve)]
