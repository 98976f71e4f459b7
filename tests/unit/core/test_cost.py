"""Costs that are counted and fitted: against torch's counter, brute force and known powers."""

import math
import re

import numpy as np
import pandas as pd
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from core.cost import (
    DIALLED,
    DIALS,
    LAYERS,
    PATHS,
    TABLE_ONE,
    Costs,
    crossing,
    fitted_exponents,
    path_length,
    power_of,
    sequential_steps,
    table_operations,
    table_path,
)
from core.measurements import COSTS
from model.nets.layers import WIDTH, WINDOW, build_layer, kept_bytes
from support.models import read_json
from ui.pages.cost.costs import FOLDER


@pytest.mark.parametrize(
    ("kind", "products"),
    [
        ("attention", lambda n, d: 4 * n * d * d + 2 * n * n * d),
        ("convolution", lambda n, d: WIDTH * n * d * d),
        ("dilated", lambda n, d: WIDTH * n * d * d),
        ("restricted", lambda n, d: 4 * n * d * d + 2 * n * WINDOW * d),
        ("dot", lambda n, d: n * n * d),
        ("additive", lambda n, d: 2 * n * d * d),  # and a vector, which torch does not count
    ],
)
def test_a_layer_makes_the_products_that_torch_counts(kind, products):
    for n, d in ((40, 64), (16, 128)):
        layer, x = build_layer(kind, d), torch.randn(1, n, d)
        with FlopCounterMode(display=False) as counter, torch.no_grad():
            layer(x)
        assert counter.get_total_flops() == 2 * products(n, d)


def test_table_1_of_the_paper_by_hand():
    for kind, operations, steps, path in (
        ("attention", 40 * 40 * 64, 1, 1),
        ("restricted", 9 * 40 * 64, 1, 5),  # 40 / 9 rounded up
        ("gru", 40 * 64 * 64, 40, 40),
        ("lstm", 40 * 64 * 64, 40, 40),
        ("convolution", 5 * 40 * 64 * 64, 1, 8),
        ("dilated", 5 * 40 * 64 * 64, 1, 3),  # 5^3 is the first power above 40
    ):
        assert table_operations(kind, 40, 64, 5, 9) == operations
        assert sequential_steps(kind, 40) == steps
        assert table_path(kind, 40, 5, 9) == path


def hops(kind: str, n: int, k: int, r: int) -> int:
    """By brute force: layers until the last position knows of the first."""
    known, steps = {0}, 0
    while n - 1 not in known:
        moves = {
            "attention": range(n),
            "gru": range(2),
            "convolution": range(k),
            "restricted": range(r),
            "dilated": range(0, k ** (steps + 1), k**steps),
        }[kind]
        known = {i + move for i in known for move in moves if i + move < n}
        steps += 1
    return steps


@pytest.mark.parametrize("kind", PATHS.index)
def test_paths_are_those_that_brute_force_walks(kind):
    """The lengths at which one more layer is needed are among them, for windows of 5 and of 9."""
    for n in (1, 2, 5, 6, 9, 10, 17, 18, 25, 26):
        assert path_length(kind, n, 5, 9) == hops(kind, n, 5, 9), n


def in_browser(expression: str, **steps: int) -> float:
    """The value of an expression of Vega, by Python: they share what is used here."""
    names = {"pow": pow, "min": min, "ceil": math.ceil, "log": math.log, **steps}
    return eval(expression, {"__builtins__": {}}, names)


@pytest.mark.parametrize("kind", LAYERS)
def test_the_sliders_show_what_is_counted_here(kind):
    for steps in [(0, 0, 0, 0), (8, 3, 4, 6), (3, 2, 1, 2), (2, 0, 3, 5)]:
        at = dict(zip(DIALS, steps, strict=True))
        n, d, k, r = (DIALS[name][step] for name, step in at.items())
        at = {name: in_browser(each, **at) for name, each in DIALLED.items()}
        assert at == {"n": n, "d": d, "k": k, "r": r}
        _, operations, sequential, _, path = TABLE_ONE.loc[kind]
        assert in_browser(operations, **at) == table_operations(kind, n, d, k, r)
        assert in_browser(sequential, **at) == sequential_steps(kind, n)
        assert in_browser(path, **at) == table_path(kind, n, k, r)


@pytest.mark.parametrize("kind", PATHS.index)
def test_the_drawn_steps_are_those_that_brute_force_walks(kind):
    for n, k, r in [(8, 3, 4), (64, 3, 32), (128, 11, 64), (16, 5, 256)]:
        needs = in_browser(PATHS["needs"][kind], n=n, k=k, r=r)
        assert needs == hops(kind, n, k, r)
        expression = PATHS["reach"][kind].format(s="s")
        reach = [in_browser(expression, s=s, n=n, k=k, r=r) for s in range(needs + 1)]
        assert reach[0] == 0
        for position in range(1, n):
            steps = next(s for s, far in enumerate(reach) if far >= position)
            assert steps == hops(kind, position + 1, k, r)


def costs_of(power: float, lengths=(64, 128, 256, 512, 1024)) -> pd.DataFrame:
    rows = [
        {"kind": kind, "n": n, "d": 64, "forward": a * n**b}
        for kind, a, b in (("attention", 1e-8, power), ("gru", 1e-5, 1.0))
        for n in lengths
    ]
    return pd.DataFrame(rows)


def test_a_power_is_found_and_short_lengths_are_left_out():
    found = fitted_exponents(costs_of(1.7), ["attention", "gru"], "forward").set_index("kind")
    assert found["exponent"].tolist() == pytest.approx([1.7, 1])
    assert (found["points"] == 4).all()
    few = costs_of(2, lengths=(128, 256))
    assert fitted_exponents(few, ["attention"], "forward").empty


def test_the_interval_is_that_of_the_formula():
    x, y = np.array([1.0, 2, 4, 8]), np.array([1.0, 2.2, 3.7, 8.5])
    slope, low, high = power_of(x, y)
    lx, ly = np.log(x), np.log(y)
    mine = ((lx - lx.mean()) * (ly - ly.mean())).sum() / ((lx - lx.mean()) ** 2).sum()
    left = ly - ly.mean() - mine * (lx - lx.mean())
    error = math.sqrt((left**2).sum() / 2 / ((lx - lx.mean()) ** 2).sum())
    assert slope == pytest.approx(mine)
    assert high - slope == pytest.approx(slope - low) == pytest.approx(4.302653 * error, rel=1e-6)


def test_lines_cross_where_they_are_equal():
    # 1e-8 n^2 = 1e-5 n at n = 1000
    assert crossing(costs_of(2), "attention", "gru", "forward", 64) == pytest.approx(1000)
    assert crossing(costs_of(1), "attention", "gru", "forward", 64) is None
    assert crossing(costs_of(2), "attention", "lstm", "forward", 64) is None


def test_the_stored_costs_are_whole_and_tell_what_the_layers_keep():
    costs = Costs.from_values(read_json(FOLDER / COSTS.file))
    assert re.match(r"python -m benchmarks\.layers", costs.command)
    assert costs.hardware
    assert costs.when
    assert {row.n for row in costs.rows} <= {2**power for power in range(3, 12)}
    assert {row.d for row in costs.rows} == {64, 128, 256, 512}
    assert {row.kind for row in costs.rows} >= set(LAYERS)
    for row in (row for row in costs.rows if row.n <= 32 and row.d <= 128):
        x = torch.randn(1, row.n, row.d, requires_grad=True)
        assert (row.kind, row.kept) == (row.kind, kept_bytes(build_layer(row.kind, row.d), x))
