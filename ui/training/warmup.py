"""The schedule of the rate: its formula, the run's own, and small runs with and without it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.schedule import rate_multiplier, warmup_learning_rate
from model import ModelError
from records import Metrics
from ui.kit.blocks import picture
from ui.kit.controls import number, slider, stops
from ui.kit.layout import finding, folded, settings
from ui.state import Run
from ui.words import plain, say
from viz.figure import tables_of
from viz.training import rate_curves
from words.numbers import grouped, scientific

from .curves import compare
from .stored import metrics_of, of_checkpoint, runs_of

FORMULA = (
    r"\mathit{lrate} = d_{model}^{-0.5} \cdot "
    r"\min(\mathit{step}^{-0.5},\ \mathit{step} \cdot \mathit{warmup}^{-1.5})"
)
SIZES = (32, 64, 128, 256, 512, 1024)
LEAST, MOST = 1, 8000
PAPER = 4000
COMPARED = ("plain", "no-warmup", "ten-times")
_POINTS = 240


def show(run: Run) -> None:
    card = run.translator.card
    found = card.training.get("settings")
    own: dict[str, Any] = found if isinstance(found, dict) else {}
    d_model, warmup, factor = _sliders(card.config.get("d_model"), own)
    rates = _own_rates(run)
    last = max([3 * warmup, *(step for step, _ in rates)])
    steps = np.unique([*np.geomspace(1, last, _POINTS).astype(int), warmup])
    formula = [(int(s), warmup_learning_rate(int(s), d_model, warmup, factor)) for s in steps]
    figure = rate_curves(formula, rates, warmup=warmup)
    peak = scientific(warmup_learning_rate(warmup, d_model, warmup, factor))
    paper = scientific(warmup_learning_rate(PAPER, 512, PAPER))
    finding(say("training-rate-peak", peak=peak, step=grouped(warmup), paper=paper))
    picture(
        "training-rate",
        figure,
        key="training_rate",
        numbers=lambda: pd.concat(
            [tables_of(figure)[name].assign(whose=name) for name in ("formula", "own")]
        ),
        warmup=warmup,
        d_model=d_model,
    )
    st.markdown(_own_words(plain(card.name), card.config, own, rates))
    st.markdown(f"## {say('training-warmup-runs-title')}")
    if runs := runs_of(*COMPARED):
        compare(runs, "warmup")
    with folded("reading"):
        st.latex(FORMULA)


def _sliders(own_size: Any, own: dict[str, Any]) -> tuple[int, int, float]:
    """Width, warm-up and factor of the formula; at first those of the run, where they are known."""
    known = type(own_size) is int and own_size > 0
    sizes, size = (sorted({*SIZES, own_size}), own_size) if known else (SIZES, 512)
    warmup, factor = own.get("warmup"), own.get("factor")
    warmup = min(warmup, MOST) if type(warmup) is int and warmup >= LEAST else PAPER
    factor = float(factor) if isinstance(factor, int | float) and 0 < factor < 100 else 1.0
    with settings():
        steps = slider("rate_warmup", LEAST, MOST, warmup, words="training-warmup")
        d_model = stops("rate_d_model", sizes, size, words="training-d-model")
        times = number("rate_factor", 0.001, 100.0, factor, words="training-factor", format="%.5g")
    return int(d_model), int(steps), float(times)


def _own_rates(run: Run) -> list[tuple[int, float]]:
    try:
        metrics = metrics_of(of_checkpoint(run.choices.checkpoint))
    except ModelError:
        return []
    steps, rates = (metrics or Metrics(())).of("lr")
    return [(int(step), float(rate)) for step, rate in zip(steps, rates, strict=True)]


def _own_words(name: str, config: Any, own: dict[str, Any], rates: list[tuple[int, float]]) -> str:
    """How the rate that was used compares with what the settings of its card give."""
    if not rates:
        return say("training-rate-unknown", name=name)
    step, most = max(rates, key=lambda each: each[1])
    told = say("training-rate-own", name=name, rate=scientific(most), step=grouped(step))
    try:
        points, shape = (
            own.get("rate_points", ()),
            (config["d_model"], own["warmup"], own["factor"]),
        )
        off = max(
            abs(warmup_learning_rate(at, *shape) * rate_multiplier(at, points) - rate)
            for at, rate in rates
        )
    except (KeyError, TypeError, ValueError):
        return told
    how = "training-rate-shaped" if points else "training-rate-plain"
    return f"{told} {say(how, n=len(points), error=scientific(off))}"
