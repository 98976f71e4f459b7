"""What is counted and fitted: against torch's counter, brute force and powers that are known."""

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
from model.layers import WIDTH, WINDOW, build_layer, kept_bytes
from support.models import read_json
from ui.cost.costs import FOLDER


@pytest.mark.parametrize(("n", "d"), [(40, 64), (16, 128)])
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
def test_a_layer_makes_the_products_that_torch_counts(kind, products, n, d):
    layer, x = build_layer(kind, d), torch.randn(1, n, d)
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        layer(x)
    assert counter.get_total_flops() == 2 * products(n, d)


@pytest.mark.parametrize(("kind", "gates"), [("gru", 3), ("lstm", 4)])
def test_a_recurrent_layer_multiplies_by_all_its_weights_at_every_step(kind, gates):
    named = build_layer(kind, 16).named_parameters()
    assert sum(p.numel() for name, p in named if "weight" in name) == 2 * gates * 16 * 16


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("attention", 40 * 40 * 64),
        ("restricted", 9 * 40 * 64),
        ("gru", 40 * 64 * 64),
        ("convolution", 5 * 40 * 64 * 64),
    ],
)
def test_operations_are_those_of_table_1_of_the_paper(kind, expected):
    assert table_operations(kind, 40, 64, 5, 9) == expected


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


@pytest.mark.parametrize("n", [1, 2, 9, 32])
@pytest.mark.parametrize("kind", ["attention", "gru", "convolution", "dilated", "restricted"])
def test_paths_are_those_that_brute_force_walks(kind, n):
    assert path_length(kind, n, 5, 9) == hops(kind, n, 5, 9)


@pytest.mark.parametrize(("kind", "steps"), [("lstm", 12), ("attention", 1)])
def test_only_recurrent_layers_wait_at_every_token(kind, steps):
    assert sequential_steps(kind, 12) == steps


def in_browser(expression: str, **steps: int) -> float:
    """The value of an expression of Vega, by Python: they share what is used here."""
    names = {"pow": pow, "min": min, "ceil": math.ceil, "log": math.log, **steps}
    return eval(expression, {"__builtins__": {}}, names)


@pytest.mark.parametrize("kind", LAYERS)
@pytest.mark.parametrize("steps", [(0, 0, 0, 0), (8, 3, 4, 6), (3, 2, 1, 2), (2, 0, 3, 5)])
def test_the_sliders_show_what_is_counted_here(kind, steps):
    at = dict(zip(DIALS, steps, strict=True))
    n, d, k, r = (DIALS[name][step] for name, step in at.items())
    at = {name: in_browser(each, **at) for name, each in DIALLED.items()}
    assert at == {"n": n, "d": d, "k": k, "r": r}
    _, operations, sequential, _, path = TABLE_ONE.loc[kind]
    assert in_browser(operations, **at) == table_operations(kind, n, d, k, r)
    assert in_browser(sequential, **at) == sequential_steps(kind, n)
    assert in_browser(path, **at) == table_path(kind, n, k, r)


@pytest.mark.parametrize("kind", PATHS.index)
@pytest.mark.parametrize(("n", "k", "r"), [(8, 3, 4), (64, 3, 32), (128, 11, 64), (16, 5, 256)])
def test_the_drawn_steps_are_those_that_brute_force_walks(kind, n, k, r):
    needs = in_browser(PATHS["needs"][kind], n=n, k=k, r=r)
    assert needs == hops(kind, n, k, r)
    reach = [
        in_browser(PATHS["reach"][kind].format(s="s"), s=s, n=n, k=k, r=r) for s in range(needs + 1)
    ]
    assert reach[0] == 0
    for position in range(1, n):
        steps = next(s for s, far in enumerate(reach) if far >= position)
        assert steps == hops(kind, position + 1, k, r)


def costs_of(power: float, lengths=(64, 128, 256, 512, 1024), noise=0.0) -> pd.DataFrame:
    random = np.random.default_rng(0)
    return pd.DataFrame(
        [
            {"kind": kind, "n": n, "d": 64, "forward": a * n**b * math.exp(noise * random.normal())}
            for kind, a, b in (("attention", 1e-8, power), ("gru", 1e-5, 1.0))
            for n in lengths
        ]
    )


def test_a_power_is_found_and_short_lengths_are_left_out():
    found = fitted_exponents(costs_of(1.7), ["attention", "gru"], "forward").set_index("kind")
    assert found.loc["attention", "exponent"] == pytest.approx(1.7)
    assert found.loc["gru", "exponent"] == pytest.approx(1)
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


def test_the_stored_costs_are_whole_say_how_they_were_made_and_what_the_layers_keep():
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
