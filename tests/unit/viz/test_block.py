"""What figures of blocks and costs hold: numbers, by an independent count where there is one."""

import numpy as np
import pandas as pd
import pytest

from core.cost import LAYERS
from viz import cost
from words import english

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


def test_the_pointer_tells_the_power_that_was_fitted_at_this_width():
    lines = cost.measured_lines(MEASURED, LAYERS, "kept", 128, POWERS).data[1:]
    told = {trace.name: trace.hovertemplate for trace in lines if trace.x}
    power, interval = (
        "Fitted exponent: 2.00",
        english("cost-interval-told", low="1.90", high="2.10"),
    )
    assert told[cost.layer_name("gru")].endswith(f"{power}<br>95% CI: {interval}<extra></extra>")
    assert english("cost-exponent") not in told[cost.layer_name("attention")]
    assert [size for (size,) in lines[0].customdata] == ["8 B", "64 B", "512 B"]


def test_the_axes_are_the_same_for_every_width():
    first, second = (cost.measured_lines(MEASURED, LAYERS, "both", d, POWERS) for d in (64, 128))
    assert first.layout["xaxis"] == second.layout["xaxis"]
    assert first.layout["yaxis"] == second.layout["yaxis"]


@pytest.mark.parametrize(
    ("measure", "least", "said"),
    [
        ("forward", 3e-5, ("100 µs", "200 µs", "500 µs", "1 ms", "10 ms", "100 ms", "1 s")),
        ("kept", 300, ("500 B", "1 kB", "10 kB", "100 kB", "1 MB", "10 MB")),
    ],
)
def test_the_axis_of_a_measure_says_each_number_in_a_unit_that_reads_well(measure, least, said):
    table = pd.DataFrame({"kind": "gru", "n": 8 ** np.arange(6), "d": 256})
    table[measure] = least * 10.0 ** np.arange(6)
    axis = cost.measured_lines(table, ["gru"], measure, 256, POWERS).layout.yaxis
    assert set(said) <= set(axis.ticktext)
    low, high = (10**end for end in axis.range)
    assert low < least < 10**5 * least < high
    factors = {"µs": 1e-6, "ms": 1e-3, "s": 1, "B": 1, "kB": 1e3, "MB": 1e6}
    for number, words in zip(axis.tickvals, axis.ticktext, strict=True):
        told, unit = words.split()
        assert float(told) * factors[unit] == pytest.approx(number)
