"""What layers cost by counting, and how far information gets; sliders move both in the browser."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from analysis.costs import (
    DIALS,
    FIRST_STEPS,
    costs_table,
    reached_table,
    sequential_steps,
    table_operations,
    table_path,
)
from records import LAYERS
from ui.address import NUMBER
from ui.components.stepper import stepper
from ui.kit.blocks import picture
from ui.kit.controls import kept
from ui.kit.layout import controls, finding, folded
from ui.state import Run
from ui.words import say
from viz import cost

from .stored import made_by, stored_costs

N, K, R = 32, 3, 5  # of the strips


def show(run: Run) -> None:
    """Table 1 of Vaswani et al. 2017, with numbers for any n, d, k and r."""
    costs = stored_costs()
    with controls():
        n, d = (size_dial(name, ["cost_counted"]) for name in "nd")
    place, below = st.container(), st.container(horizontal=True, gap="medium")
    with below:
        k, r = (size_dial(name, ["cost_counted"], told=True) for name in "kr")
    first, second = (table_operations(kind, n, d, k, r) for kind in ("attention", "gru"))
    told = {"n": n, "d": d, "first": f"{first:,}", "second": f"{second:,}"}
    finding(say("cost-cheaper", which=(first > second) - (first < second), **told))

    def numbers() -> pd.DataFrame:
        sizes = {"n": n, "d": d, "k": k, "r": r}
        lines = [
            {
                "layer": kind,
                **sizes,
                "operations": table_operations(kind, n, d, k, r),
                "sequential": sequential_steps(kind, n),
                "path": table_path(kind, n, k, r),
            }
            for kind in LAYERS
        ]
        return pd.DataFrame(lines)

    with place:
        picture(
            "cost-counted",
            cost.counted_table(None if costs is None else costs_table(costs)),
            key="cost_counted",
            numbers=numbers,
        )
    if costs is not None:
        with folded("reading"):
            st.caption(say("cost-counted-how", k=costs.width, r=costs.window))
            st.caption(made_by(costs))


def paths(run: Run) -> None:
    """How many steps information takes from the first position to the last."""
    reached = reached_table(N, K, R)
    last = reached[reached["place"] == N - 1].set_index("kind")["step"]
    finding(say("cost-paths", n=N, attention=int(last["attention"]), recurrent=int(last["gru"])))
    with controls():
        dial("cost_step", "path_step", int(reached["step"].max()), ["cost_paths"], buttons=True)
    figure = cost.path_strips(reached)
    picture("cost-paths", figure, key="cost_paths", numbers=reached, n=N, k=K, r=R)


# Sliders that move figures in the browser; the server only hears where they came to rest


def size_dial(name: str, figures: Sequence[str] = (), *, told: bool = False) -> int:
    """A slider for n, d, k or r, its name above it where that is told; what it stands for."""
    values = DIALS[f"{name}_step"]
    with st.container(width=240 if told else 180, gap="xsmall"):
        if told:
            st.caption(say(f"cost-{name}"), help=say(f"cost-{name}-help"))
        names = tuple(f"{name} = {value:,}" for value in values)
        return values[dial(f"cost_{name}", f"{name}_step", len(values) - 1, figures, names=names)]


def dial(
    key: str,
    signal: str,
    last: int,
    figures: Sequence[str] = (),  # by their keys; others are drawn anew where it comes to rest
    *,
    names: Sequence[str] = (),  # of the steps, where one is not its number
    buttons: bool = False,
) -> int:
    """A slider for a variable of figures; where it stands."""
    words = key.replace("_", "-")
    step = kept(key, NUMBER, FIRST_STEPS[signal], sound=lambda step: step <= last)
    stepper(
        step,
        last,
        dict.fromkeys(figures),
        signal=signal,
        key=f"{key}_slider",
        identity=key,
        names=names,
        words={"group": say(f"{words}-help"), "step": say(words)},
        buttons=buttons,
        on_step=partial(st.session_state.__setitem__, key),
    )
    return step
