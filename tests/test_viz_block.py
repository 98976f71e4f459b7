"""Figures of blocks and costs: they fit Vega-Lite, hold what they show, and can be drawn."""

import json

import altair as alt
import numpy as np
import pandas as pd
import pytest

from analysis.block import firing, lengths_table, norm_stages, stream_table
from analysis.costs import reached_table
from records import LAYERS, Gradients, Lens, Stream, SubLayer
from viz import block, cost
from viz.look import Look
from words import english

RANDOM = np.random.default_rng(0)
PLACES = tuple(SubLayer("decoder", 0, name) for name in ("self", "cross", "feed_forward"))
TOKENS = ("▁der", "▁Hund", "▁der", "</s>")
S, T, D = 3, 4, 16


def vectors():
    return RANDOM.normal(size=(S, T, D)).astype(np.float32)


STREAM = Stream(
    PLACES, vectors(), vectors(), vectors(), np.ones((S, D), np.float32),
    np.zeros((S, D), np.float32), 1e-5, False, np.ones(S, bool), np.ones(S, bool),
)  # fmt: skip
LENS = Lens(
    PLACES,
    ((("▁a", "▁b"),) * T,) * (S + 1),
    np.full((S + 1, T, 2), 0.25, np.float32),
    np.full((S + 1, T), 0.25, np.float32),
    np.arange(1, 1 + (S + 1) * T).reshape(S + 1, T),
)
SIZES = np.array([[1, 2, 3], [1e-21, 0, 3], [4, 5, 6], [7, 8, 9]], np.float64)
GRADIENTS = Gradients(PLACES, SIZES, np.zeros((4, S)), np.ones(4))
MEASURED = pd.DataFrame(
    [
        {"kind": kind, "n": n, "d": d, "forward": 1e-3 * n, "both": 2e-3 * n, "kept": n}
        for kind in LAYERS
        for n in (8, 64, 512)
        for d in (64, 128)
    ]
)
FIGURES = {
    "stream": lambda: block.stream_bars(stream_table(STREAM, 1), PLACES, chosen=1),
    "strips": lambda: block.norm_strips(norm_stages(STREAM, 0, 0)),
    "matrices": lambda: block.norm_matrices(STREAM.sums[0], TOKENS, 1e-5, chosen=2),
    "lengths": lambda: block.length_lines(lengths_table(STREAM), lengths_table(STREAM), PLACES),
    "gradients": lambda: block.gradient_lines(GRADIENTS),
    "lens": lambda: block.lens_grid(LENS, TOKENS, chosen=0),
    "units": lambda: block.unit_bars(
        firing(np.arange(6.0), np.ones(6), 4).assign(told="a, b"), chosen=3
    ),
    "counted": lambda: cost.counted_table(MEASURED),
    "uncounted": lambda: cost.counted_table(None),
    "paths": lambda: cost.path_strips(reached_table(8, 3, 5), 3, 5),
}


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("dark", [False, True])
def test_figures_fit_the_schema_of_vega_lite(name, dark):
    alt.Chart.from_dict(Look(dark=dark)(FIGURES[name]).to_dict(), validate=True)


@pytest.mark.parametrize("name", FIGURES)
def test_figures_are_plain_json_without_what_is_no_number(name):
    json.dumps(FIGURES[name]().to_dict(), allow_nan=False)


def test_a_gradient_of_zero_is_left_out_and_a_tiny_one_is_not():
    lines = block.gradient_lines(GRADIENTS).tables["lines"]
    cut = lines[lines["run"] == "residual"]["power_size"].tolist()
    assert cut[0] == pytest.approx(-21)
    assert cut[1] is None
    assert cut[2] == pytest.approx(np.log10(3))


def test_words_that_occur_twice_keep_rows_and_columns_of_their_own():
    rows = block.norm_matrices(STREAM.sums[0], TOKENS, 1e-5).tables["rows"]
    assert rows[rows["panel"] == 0]["label"].is_unique
    assert block.lens_grid(LENS, TOKENS).tables["columns"]["label"].is_unique


def test_margins_say_which_norm_makes_which_axis_even():
    tables = block.norm_matrices(STREAM.sums[0], TOKENS, 0.0).tables
    rows, columns = (tables[name].groupby("panel") for name in ("rows", "columns"))
    np.testing.assert_allclose(rows.get_group(1)["variance"], 1)
    np.testing.assert_allclose(columns.get_group(2)["variance"], 1)
    assert not np.allclose(rows.get_group(2)["variance"], 1)
    assert not np.allclose(columns.get_group(1)["variance"], 1)


def test_tokens_that_are_not_drawn_count_in_a_batch_norm():
    every, some = (
        block.norm_matrices(STREAM.sums[0], TOKENS, 0.0, rows=rows).tables
        for rows in (slice(None), slice(1, 3))
    )
    pd.testing.assert_frame_equal(every["columns"], some["columns"])
    assert some["rows"]["label"].tolist() == ["Hund", "der₂"] * 3
    drawn = every["cells"][every["cells"]["q"].isin([1, 2])]
    np.testing.assert_allclose(drawn["value"], some["cells"]["value"])


def test_only_what_its_own_token_leads_is_framed():
    cells = block.lens_grid(LENS, TOKENS).tables["cells"]
    assert cells["rank"].tolist() == list(range(1, 17))
    assert cells["text"].unique().tolist() == ["a"]


def test_sliders_begin_where_the_figure_says():
    params = cost.counted_table(None).chart["params"]
    assert {p["name"]: p["value"] for p in params} == {
        name: cost.FIRST[name] for name in (cost.N_STEP, cost.D_STEP, cost.K_STEP, cost.R_STEP)
    }


POWERS = pd.DataFrame(
    [("gru", 64, 1.0, 0.9, 1.1), ("gru", 128, 2.0, 1.9, 2.1)],
    columns=["kind", "at", "exponent", "low", "high"],
)


def test_measured_lines_hold_the_points_of_their_width_and_rings_what_was_measured_here():
    here = MEASURED[(MEASURED["kind"] == "lstm") & (MEASURED["n"] == 64)]
    plot = cost.measured_lines(MEASURED, LAYERS, "both", 64, POWERS, here=here)
    crossing, *traces = plot.data
    assert crossing.x == (64, 64)
    lines, rings = traces[: len(LAYERS)], traces[len(LAYERS) :]
    assert [trace.name for trace in lines] == [cost.layer_name(kind) for kind in LAYERS]
    for trace in lines:
        assert dict(zip(trace.x, trace.y, strict=True)) == {n: 2e-3 * n for n in (8, 64, 512)}
    assert {trace.name: trace.x for trace in rings if trace.x} == {cost.layer_name("lstm"): (64,)}
    assert all(trace.marker.symbol == "circle-open" for trace in rings)
    assert all(english("cost-here-point") in trace.hovertemplate for trace in rings)
    assert [plot.layout[axis].type for axis in ("xaxis", "yaxis")] == ["log", "log"]


def test_the_pointer_tells_the_power_that_was_fitted_at_this_width():
    lines = cost.measured_lines(MEASURED, LAYERS, "kept", 128, POWERS).data[1:]
    told = {trace.name: trace.hovertemplate for trace in lines if trace.x}
    power, interval = "Fitted exponent: 2.00", english("cost-interval", low="1.90", high="2.10")
    assert told[cost.layer_name("gru")].endswith(f"{power}<br>95% CI: {interval}<extra></extra>")
    assert english("cost-exponent") not in told[cost.layer_name("attention")]
    assert lines[0].text == ("8 B", "64 B", "512 B")


def test_the_axes_are_the_same_for_every_width():
    first, second = (cost.measured_lines(MEASURED, LAYERS, "both", d, POWERS) for d in (64, 128))
    for axis in ("xaxis", "yaxis"):
        assert first.layout[axis] == second.layout[axis]


@pytest.mark.parametrize(
    ("measure", "least", "said"),
    [
        ("forward", 3e-5, ("100 µs", "200 µs", "500 µs", "1 ms", "10 ms", "100 ms", "1 s")),
        ("kept", 300, ("500 B", "1 kB", "10 kB", "100 kB", "1 MB", "10 MB")),
    ],
)
def test_the_axis_of_a_measure_says_each_number_in_a_unit_that_reads_well(measure, least, said):
    table = pd.DataFrame(
        [
            {"kind": "gru", "n": n, "d": 256, measure: least * 10**power}
            for power, n in enumerate((8, 32, 128, 512, 1024, 2048))
        ]
    )
    axis = cost.measured_lines(table, ["gru"], measure, 256, POWERS).layout.yaxis
    assert set(said) <= set(axis.ticktext)
    low, high = (10**end for end in axis.range)
    assert low < least < 10**5 * least < high
    factors = {"µs": 1e-6, "ms": 1e-3, "s": 1, "B": 1, "kB": 1e3, "MB": 1e6}
    for number, words in zip(axis.tickvals, axis.ticktext, strict=True):
        told, unit = words.split()
        assert float(told) * factors[unit] == pytest.approx(number)
