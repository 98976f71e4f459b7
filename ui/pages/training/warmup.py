"""Learning-rate schedule with warm-up, beside the rates that were recorded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

from core.formation import Metrics
from core.records.tokens import visible
from core.schedule import rate_multiplier, warmup_learning_rate
from model import ModelError
from ui.frame.messages import plain, say
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.controls import number, slider, stops
from ui.kit.layout import control_row, finding, folded, paragraph, subtitle
from viz.figure import tables_of
from viz.training import rate_curves

from .curves import compare, scores_fold
from .recordings import metrics_of, of_checkpoint, runs_of, settings_of

# Vaswani et al. 2017, eq. 3.
FORMULA = (
    r"\mathit{lrate} = d_{model}^{-0.5} \cdot "
    r"\min(\mathit{step}^{-0.5},\ \mathit{step} \cdot \mathit{warmup}^{-1.5})"
)
# Widths d_model on the slider: those of the small runs, of the paper (512), and of its big model.
SIZES = (32, 64, 128, 256, 512, 1024)
# Warm-up steps on the slider.
LEAST = 1
MOST = 8000
# Warm-up steps in the paper.
PAPER = 4000
# Points of a curve, apart by equal factors; more would fall on the same steps.
POINTS = 240


def show(run: Run) -> None:
    """Draw small runs with and without warmup, and below the schedule of the model."""
    if runs := runs_of("plain", "no-warmup", "ten-times"):
        plain_run, without, higher = runs.values()
        headline = say(
            "training-warmup-found",
            plain=plain_run["curves"]["val_loss"][-1][1],
            without=without["curves"]["val_loss"][-1][1],
            higher=higher["curves"]["val_loss"][-1][1],
        )
        finding(f"{headline}  \n:gray[:small[{say('training-warmup-read')}]]")
        compare(runs, "warmup", ("val_loss", "lr"), named=True)
        scores_fold(runs, "warmup")
    subtitle("training-rate-title")
    _schedule(run)
    with folded("reading"):
        st.latex(FORMULA)


def _schedule(run: Run) -> None:
    """Draw the learning rate of the formula and of the model's training, with their controls."""
    d_model, warmup, factor = _schedule_of(run)
    with control_row():
        warmup = slider("rate_warmup", LEAST, MOST, warmup, width=260)
        d_model = stops("rate_d_model", sorted({*SIZES, d_model}), d_model, width=260)
        factor = number("rate_factor", 0.001, 100.0, factor, format="%.5g", width=200)
    try:
        metrics = metrics_of(of_checkpoint(run.choices.checkpoint)) or Metrics(())
    except ModelError:
        metrics = Metrics(())
    rates = [(int(step), float(rate)) for step, rate in zip(*metrics.of("lr"), strict=True)]
    # Three warm-ups show the decay as well.
    last = max([3 * warmup, *(step for step, _ in rates)])
    # Evenly on a logarithmic axis, and with the peak exactly.
    steps = np.unique([*np.geomspace(1, last, POINTS).astype(int), warmup]).tolist()
    formula = {step: warmup_learning_rate(step, d_model, warmup, factor) for step in steps}
    figure = rate_curves(list(formula.items()), rates, warmup=warmup, name=visible(run.card.name))
    paragraph("training-rate-peak", step=warmup)
    picture(
        "training-rate",
        figure,
        wide=True,
        numbers=lambda: pd.concat([tables_of(figure)[name] for name in ("formula", "own")]),
        warmup=warmup,
        d_model=d_model,
        peak=formula[warmup],
        paper=warmup_learning_rate(PAPER, 512, PAPER),
    )
    st.markdown(_recorded_words(run, rates))


def _schedule_of(run: Run) -> tuple[int, int, float]:
    """Return width, warm-up steps and factor of the model's training, or those of the paper."""
    trained_with = settings_of(run)
    d_model = run.card.config.get("d_model")
    warmup = trained_with.get("warmup")
    factor = trained_with.get("factor")
    # A card may come from anywhere; type() because True is an int.
    return (
        d_model if type(d_model) is int and d_model > 0 else 512,
        min(warmup, MOST) if type(warmup) is int and warmup >= LEAST else PAPER,
        float(factor) if isinstance(factor, int | float) and 0 < factor < 100 else 1.0,
    )


def _recorded_words(run: Run, rates: Sequence[tuple[int, float]]) -> str:
    """Return sentences on the recorded learning rates, and on their error against the formula."""
    card = run.card
    trained_with = settings_of(run)
    if not rates:
        return say("training-rate-unknown", name=plain(card.name))
    step, highest = max(rates, key=lambda point: point[1])
    sentence = say("training-rate-own", name=plain(card.name), rate=highest, step=step)
    if restart := restart_step(rates):
        sentence = f"{sentence} {say('training-rate-restart', step=restart)}"
    points = trained_with.get("rate_points", ())
    try:
        d_model = card.config.get("d_model")
        warmup = trained_with["warmup"]
        factor = trained_with["factor"]
        error = max(
            # Recorded rates are compared with the formula times the run's own multipliers.
            abs(
                warmup_learning_rate(at, d_model, warmup, factor) * rate_multiplier(at, points)
                - rate
            )
            for at, rate in rates
        )
    except (KeyError, TypeError, ValueError):
        return sentence
    id = "training-rate-shaped" if points else "training-rate-plain"
    return f"{sentence} {say(id, n=len(points), error=error)}"


def restart_step(rates: Sequence[tuple[int, float]]) -> int | None:
    """Return the step at which the rate rises again after it fell below half its peak, or None."""
    peak_step, peak = max(rates, key=lambda point: point[1])
    falling = [(step, rate) for step, rate in rates if step >= peak_step]
    for (step, rate), (_, after) in pairwise(falling):
        # A factor of 1.5 is more than the noise of a recorded rate.
        if rate < peak / 2 and after > 1.5 * rate:
            return step
    return None
