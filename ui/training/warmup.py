"""The schedule of the rate: its formula, the run's own, and small runs with and without it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.schedule import rate_multiplier, warmup_learning_rate
from model import ModelError
from records import Metrics
from ui.kit.blocks import figure_block
from ui.state import Run
from ui.words import plain, say
from viz.figure import tables_of
from viz.training import rate_curves
from words.numbers import fixed, grouped, scientific

from .curves import SMALL, curves_block, run_name
from .stored import curves_of, metrics_of, of_checkpoint, runs_of, small_runs

SIZES = (32, 64, 128, 256, 512, 1024)
LEAST, MOST = 1, 8000
PAPER = 4000
COMPARED = ("plain", "no-warmup", "ten-times")
_POINTS = 240


def show(run: Run) -> None:
    settings = _settings(run)
    st.latex(
        r"\mathit{lrate} = d_{model}^{-0.5} \cdot "
        r"\min(\mathit{step}^{-0.5},\ \mathit{step} \cdot \mathit{warmup}^{-1.5})"
    )
    d_model, warmup, factor = _sliders(run, settings)
    own = _own_rates(run)
    last = max([3 * warmup, *(step for step, _ in own)])
    steps = np.unique([*np.geomspace(1, last, _POINTS).astype(int), warmup])
    formula = [(int(s), warmup_learning_rate(int(s), d_model, warmup, factor)) for s in steps]
    figure = rate_curves(formula, own, warmup=warmup)
    figure_block(
        figure,
        key="training_rate",
        alt=say("training-rate-alt", warmup=warmup),
        name=say("training-rate-name", warmup=warmup, d_model=d_model),
        numbers=lambda: pd.concat(
            [tables_of(figure)[name].assign(whose=name) for name in ("formula", "own")]
        ),
    )
    peak = warmup_learning_rate(warmup, d_model, warmup, factor)
    paper = warmup_learning_rate(PAPER, 512, PAPER)
    st.markdown(say("training-rate-peak", peak=scientific(peak), paper=scientific(paper)))
    st.markdown(_own_words(run, settings, own))
    st.markdown("## " + say("training-warmup-runs-title"))
    if runs := runs_of(*COMPARED):
        compare(runs, "warmup")


def _settings(run: Run) -> dict[str, Any]:
    found = run.translator.card.training.get("settings")
    return found if isinstance(found, dict) else {}


def _sliders(run: Run, settings: dict[str, Any]) -> tuple[int, int, float]:
    own = run.translator.card.config.get("d_model")
    sizes = sorted({*SIZES, own}) if type(own) is int and own > 0 else list(SIZES)
    warmup = settings.get("warmup")
    warmup = min(warmup, MOST) if type(warmup) is int and warmup >= LEAST else PAPER
    factor = settings.get("factor")
    factor = float(factor) if isinstance(factor, int | float) and 0 < factor < 100 else 1.0
    first, second, third = st.columns(3, gap="medium")
    with first:
        d_model = st.select_slider(
            "$d_{model}$",
            sizes,
            own if own in sizes else 512,
            key="rate_d_model",
            bind="query-params",
        )
    with second:
        chosen = st.slider(
            say("training-warmup-label"),
            LEAST,
            MOST,
            warmup,
            key="rate_warmup",
            bind="query-params",
            help=say("training-warmup-help"),
        )
    with third:
        times = st.number_input(
            say("training-factor-label"),
            0.001,
            100.0,
            factor,
            format="%.5g",
            key="rate_factor",
            bind="query-params",
            help=say("training-factor-help"),
        )
    return int(d_model), int(chosen), float(times)


def _own_rates(run: Run) -> list[tuple[int, float]]:
    try:
        metrics = metrics_of(of_checkpoint(run.choices.checkpoint))
    except ModelError:
        return []
    steps, rates = (metrics or Metrics(())).of("lr")
    return [(int(step), float(rate)) for step, rate in zip(steps, rates, strict=True)]


def _own_words(run: Run, settings: dict[str, Any], own: list[tuple[int, float]]) -> str:
    """How the rate that was used compares with what the settings of its card give."""
    name = plain(run.translator.card.name)
    if not own:
        return say("training-rate-unknown", name=name)
    step, rate = max(own, key=lambda each: each[1])
    told = say("training-rate-own", name=name, rate=scientific(rate), step=grouped(step))
    try:
        d_model = run.translator.card.config["d_model"]
        points = settings.get("rate_points", ())
        rates = [
            warmup_learning_rate(at, d_model, settings["warmup"], settings["factor"])
            * rate_multiplier(at, points)
            for at, _ in own
        ]
        off = max(abs(ours - theirs) for ours, (_, theirs) in zip(rates, own, strict=True))
    except (KeyError, TypeError, ValueError):
        return told
    return told + " " + say(
        "training-rate-shaped" if points else "training-rate-plain",
        n=len(points),
        error=scientific(off),
    )  # fmt: skip


def compare(runs: dict[str, Any], key: str) -> None:
    """Some of the small runs beside each other."""
    curves = {SMALL + name: curves_of(run) for name, run in runs.items()}
    curves_block(curves, ("loss", "lr"), key=f"training_small_{key}")
    scores_table(runs, key)
    stored = small_runs()
    st.caption(
        say(
            "training-small-made",
            command=stored.values["command"],
            hardware=plain(stored.values["hardware"], 120),
            pairs=grouped(stored.values["pairs"]),
        )
    )


def scores_table(runs: dict[str, dict[str, Any]], key: str) -> None:
    """One line a small run: what came of it on pairs that were held out."""
    lines = [
        {
            "run": run_name(SMALL + name),
            "loss": fixed(run["curves"]["loss"][-1][1], 3),
            "val_loss": fixed(run["curves"]["val_loss"][-1][1], 3),
            "perplexity": fixed(run["perplexity"], 3),
            "bleu": fixed(run["bleu"], 2),
            "calibration_error": fixed(run["calibration_error"], 4),
        }
        for name, run in runs.items()
    ]
    column = st.column_config.TextColumn
    st.dataframe(
        pd.DataFrame(lines),
        key=f"training_small_table_{key}",
        hide_index=True,
        column_config={
            "run": column(say("training-run")),
            "loss": column(say("training-last-loss")),
            "val_loss": column(say("training-measure-val_loss")),
            "perplexity": column(say("training-perplexity"), help=say("training-perplexity-help")),
            "bleu": column(say("training-bleu"), help=say("training-bleu-held-out")),
            "calibration_error": column(
                say("training-calibration"), help=say("training-calibration-help")
            ),
        },
        alt=say("training-small-table-alt"),
    )
