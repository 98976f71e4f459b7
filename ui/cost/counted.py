"""Table 1 of Vaswani et al. 2017, with numbers for any n, d, k and r."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from analysis.costs import DIALS, costs_table, sequential_steps, table_operations, table_path
from records import LAYERS
from ui.kit.blocks import figure_block
from ui.state import Run
from ui.words import say
from viz import cost

from .dials import dial
from .stored import made_by, stored_costs

CHART = "cost_counted"


def show(run: Run) -> None:
    costs = stored_costs()
    sliders = st.container()
    figure = cost.counted_table(None if costs is None else costs_table(costs))
    numbers = []
    with sliders, st.container(horizontal=True, gap="medium"):
        for step, values in DIALS.items():
            with st.container(width=240):
                key = f"cost_{step.removesuffix('_step')}"
                numbers.append(values[dial(key, len(values) - 1, [CHART])])
    figure_block(
        figure,
        key=CHART,
        alt=say("cost-counted-alt"),
        name=say("cost-counted-name"),
        numbers=lambda: counted_numbers(*numbers),
    )
    if costs is not None:
        st.caption(say("cost-counted-caption", k=costs.width, r=costs.window))
        st.caption(made_by(costs))


def counted_numbers(n: int, d: int, k: int, r: int) -> pd.DataFrame:
    """The numbers of the table for one n, d, k and r."""
    return pd.DataFrame(
        [
            {
                "layer": kind,
                **{"n": n, "d": d, "k": k, "r": r},
                "operations": table_operations(kind, n, d, k, r),
                "sequential": sequential_steps(kind, n),
                "path": table_path(kind, n, k, r),
            }
            for kind in LAYERS
        ]
    )
