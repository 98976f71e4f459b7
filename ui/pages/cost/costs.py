"""Views of the cost of layers: counted, measured, and path lengths."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import streamlit as st

from core.cost import (
    DIALS,
    FIRST_FITTED,
    FIRST_STEPS,
    LAYERS,
    MEASURES,
    PATHS,
    SCORES,
    Costs,
    costs_table,
    crossing,
    fitted_exponents,
    path_length,
    sequential_steps,
    table_operations,
    table_path,
)
from core.measurements import COSTS
from model.nets.layers import WIDTH, WINDOW, measured_layers
from ui.components.stepper import stepper
from ui.frame.admission import interrupted, long_turn
from ui.frame.messages import plain, say
from ui.frame.model_cache import cached
from ui.frame.run import Run
from ui.kit.blocks import picture, table
from ui.kit.controls import button, menu
from ui.kit.layout import caption, controls, finding, folded, paragraph, subtitle
from ui.kit.measurements import source_line, stored_of
from viz import cost

CLIFF = 8  # least growth of a time from one n to the double that is more than a power of n
FOLDER = Path(__file__).parent
MEASURED = {"layers": LAYERS, "scores": SCORES}
# Few sizes, so that the button answers within seconds.
HERE_LENGTHS = (32, 128, 512)
HERE_WIDTHS = (64, 256)
HERE_SECONDS = 7.0
SHARED = 60  # seconds during which all who press the button share one measurement
EXPECTED = dict.fromkeys(LAYERS, (1, 1)) | dict.fromkeys(SCORES, (2, 2)) | {"attention": (1, 2)}
"""Power of n by counting, or both ends of its range if the count has two terms."""


def counted(run: Run) -> None:
    """Draw Table 1 of Vaswani et al. (2017) for any n, d, k and r, with the path lengths."""
    costs = stored_costs()
    with controls():
        n, d, k, r = (size_dial(name, ["cost_counted", "cost_paths"]) for name in "ndkr")
    first = table_operations("attention", n, d, k, r)
    second = table_operations("gru", n, d, k, r)
    headline = say(
        "cost-cheaper",
        # The sign tells the message which of the two layers is cheaper.
        which=(first > second) - (first < second),
        n=n,
        d=d,
        factor=abs(math.log(first / second)),
    )
    finding(f"{headline}  \n:gray[:small[{say('cost-letters')}]]")
    figure = cost.counted_table(None if costs is None else costs_table(costs))
    picture("cost-counted", figure, numbers=partial(counted_rows, n, d, k, r))
    if costs is not None:
        caption("cost-time-where", hardware=plain(costs.hardware))
    sizes = {"n": n, "d": d, "k": k, "r": r}
    lengths = [
        {"layer": layer, **sizes, "path": path_length(layer, n, k, r)} for layer in PATHS.index
    ]
    picture("cost-paths", cost.path_strips(), numbers=pd.DataFrame(lengths))
    if costs is not None:
        with folded("reading"):
            caption("cost-counted-how", k=costs.width, r=costs.window)
            st.caption(made_by(costs))


def counted_rows(n: int, d: int, k: int, r: int) -> pd.DataFrame:
    """Return Table 1 at these sizes, one row for each kind of layer."""
    lines = [
        {
            "layer": layer,
            "n": n,
            "d": d,
            "k": k,
            "r": r,
            "operations": table_operations(layer, n, d, k, r),
            "sequential": sequential_steps(layer, n),
            "path": table_path(layer, n, k, r),
        }
        for layer in LAYERS
    ]
    return pd.DataFrame(lines)


# Sliders that move figures in the browser; the server only learns their final positions.


def size_dial(name: str, figures: Sequence[str] = ()) -> int:
    """Draw a slider for n, d, k or r and return the size of its step."""
    values = DIALS[f"{name}_step"]
    key = f"cost_{name}"
    with st.container(width=150):
        return values[
            stepper(
                key,
                len(values) - 1,
                FIRST_STEPS[f"{name}_step"],
                figures,
                signal=f"{name}_step",
                words=f"cost-{name}",
                names=tuple(f"{name} = {value:,}" for value in values),
            )
        ]


def stored_costs() -> Costs | None:
    """Return the measured costs; if there are none, the page explains why."""
    return stored_of(COSTS, FOLDER).part


def made_by(costs: Costs) -> str:
    source = source_line(costs)
    return " ".join(filter(None, (source, costs.when and say("cost-when", date=costs.when))))


def measured(run: Run) -> None:
    """Draw the measured cost of layers, or of the two scores, against n."""
    costs = stored_costs()
    if costs is None:
        return
    with controls():
        of = menu("cost_of", tuple(MEASURED), width=190)
        measure = menu("cost_measure", MEASURES, width=190)
        width = size_dial("d")
        layers = MEASURED[of]
        key = f"cost_{of}"
        here = measure_here(layers, key)
    rows = costs_table(costs)
    rows = rows[rows["kind"].isin(layers)]
    powers = fitted_exponents(rows, layers, measure)
    crossed = crossing_length(rows, layers, measure, width)
    finding(
        crossing_words(rows, layers, measure, width, crossed)
        + later_words(crossed, layers, measure, width)
        + cliff_words(rows, measure, width)
    )
    now = None if here is None else costs_table(here)
    picture(
        "cost-measured",
        cost.measured_lines(rows, layers, measure, width, powers, here=now, crossed=crossed),
        key=key,
        below="" if here is None else say("cost-here-done", n=len(here.rows)),
        numbers=rows,
        measure=measure,
    )
    with folded("table"):
        subtitle("cost-exponents-title")
        exponents(powers[powers["at"] == width], width)
    with folded("reading"):
        st.caption(made_by(costs))


def crossing_length(
    rows: pd.DataFrame, layers: Sequence[str], measure: str, d: int
) -> float | None:
    """Return the length at which the first two layers cost the same, in two digits, or None."""
    n = crossing(rows, *layers[:2], measure, d)
    # The crossing of two measured curves is no more certain.
    return None if n is None else float(f"{n:.1e}")


def crossing_words(
    rows: pd.DataFrame, layers: Sequence[str], measure: str, d: int, crossed: float | None
) -> str:
    """Return a sentence on `crossed`, the length at which the first two layers cost the same."""
    first, second = layers[:2]
    if crossed is not None:
        return say(
            "cost-crossed",
            n=crossed,
            measure=measure,
            first=cost.layer_name(first),
            second=cost.layer_name(second),
            d=d,
        )
    wide = rows[rows["d"] == d].pivot(index="n", columns="kind", values=measure)
    # A logarithmic axis and a crossing need both costs positive.
    both = wide[wide > 0].reindex(columns=[first, second]).dropna()
    if both.empty:
        return say("cost-exponents-none")
    least, most = sorted(both.iloc[-1])
    return say(
        "cost-not-crossed",
        factor=math.log(most / least),
        most=int(wide.index.max()),
        n=int(both.index[-1]),
        first=cost.layer_name(first),
        second=cost.layer_name(second),
        d=d,
    )


def later_words(crossed: float | None, layers: Sequence[str], measure: str, d: int) -> str:
    """Return why self-attention was measured cheaper beyond n = d, "" where it was not."""
    if crossed is None or crossed <= d or measure == "kept" or layers[0] != "attention":
        return ""
    return f"  \n:gray[:small[{say('cost-crossed-later', d=d)}]]"


def cliff_words(rows: pd.DataFrame, measure: str, d: int) -> str:
    """Return a sentence on the jump in the time of additive scores, "" without one.

    They store n² · d numbers, so their time should grow by 4 when n doubles.
    """
    costs = rows[(rows["kind"] == "additive") & (rows["d"] == d)].sort_values("n")
    if measure == "kept" or len(costs) < 2:
        return ""
    # Stored lengths double from row to row, so a ratio is the growth for twice the length.
    growth = (costs[measure] / costs[measure].shift()).to_numpy()
    # The first row has no row before it and is NaN.
    at = int(np.nanargmax(growth))
    if growth[at] < CLIFF:
        return ""
    jump = say(
        "cost-cliff",
        before=int(costs["n"].iloc[at - 1]),
        after=int(costs["n"].iloc[at]),
        growth=math.log(growth[at]),
        size=int(costs["kept"].iloc[at]),
    )
    return f"  \n:gray[:small[{jump}]]"


def exponents(powers: pd.DataFrame, d: int) -> None:
    """Draw the fitted powers of n for width `d`, with their intervals."""
    if powers.empty:
        paragraph("cost-exponents-none")
        return
    lines = {
        "layer": powers["kind"].map(cost.layer_name),
        "exponent": powers["exponent"],
        "interval": [
            say("cost-interval-told", low=low, high=high)
            for low, high in zip(powers["low"], powers["high"], strict=True)
        ],
        "counted": [
            str(low) if low == high else say("cost-from-to", low=low, high=high)
            for low, high in map(EXPECTED.get, powers["kind"])
        ],
        "points": powers["points"],
    }
    table(
        "cost-exponents",
        lines,
        words="cost",
        formats={"exponent": "%.2f"},
        first=FIRST_FITTED,
        d=d,
    )


# Measurement on this machine.


@dataclass(frozen=True)
class Moment:
    """Cache key of a shared measurement: its kinds, and the minute of the request."""

    kinds: tuple[str, ...]
    minute: int


def measure_here(layers: Sequence[str], key: str) -> Costs | None:
    kept = f"{key}_here"
    if button(f"{kept}_button", words="cost-here", icon="timer"):
        # The minute in the key lets all who press the button at once share one measurement.
        moment = Moment(tuple(layers), int(time.time() // SHARED))
        st.session_state[kept] = measured_here(moment)
    return st.session_state.get(kept)


@cached("kinds", "minute", max_entries=4, spinner="cost-here-working")
def measured_here(moment: Moment) -> Costs:
    """Measure a few lengths and widths of each kind, in the long queue."""
    with long_turn():
        end = time.monotonic() + HERE_SECONDS
        rows = measured_layers(
            HERE_LENGTHS,
            HERE_WIDTHS,
            moment.kinds,
            seconds=HERE_SECONDS / 2,
            # The time limit counts from the turn, not from the click.
            stop=lambda: interrupted() or time.monotonic() > end,
        )
        return Costs(command="", rows=tuple(rows), width=WIDTH, window=WINDOW)
