"""How many steps information takes from the first position to the last."""

from __future__ import annotations

import streamlit as st

from analysis.costs import reached_table
from ui.kit.blocks import figure_block
from ui.state import Run
from ui.words import say
from viz import cost

from .dials import dial

CHART = "cost_paths"
N, K, R = 32, 3, 5


def show(run: Run) -> None:
    reached = reached_table(N, K, R)
    st.markdown(say("cost-paths-told", n=N, k=K, r=R))
    dial("cost_step", int(reached["step"].max()), [CHART], steps=True)
    figure_block(
        cost.path_strips(reached),
        key=CHART,
        alt=say("cost-paths-alt", n=N),
        name=say("cost-paths-name"),
        numbers=lambda: reached,
    )
