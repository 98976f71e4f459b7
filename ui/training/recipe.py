"""Two parts of the recipe, with and without: warm-up of the learning rate, and smoothed labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.labels import numbered_labels, token_label
from analysis.schedule import rate_multiplier, warmup_learning_rate
from analysis.smoothing import smoothed_target
from model import ModelError
from records import Metrics
from ui.kit.blocks import picture
from ui.kit.controls import number, slider, stops
from ui.kit.layout import controls, finding, folded, settings
from ui.shared import cached
from ui.state import Run
from ui.words import plain, say
from viz.figure import tables_of
from viz.training import calibration_chart, rate_curves, target_bars
from words.numbers import fixed, grouped, percent, scientific

from .curves import SMALL, compare, run_name
from .film import numbered
from .stored import metrics_of, of_checkpoint, runs_of, settings_of

FORMULA = (
    r"\mathit{lrate} = d_{model}^{-0.5} \cdot "
    r"\min(\mathit{step}^{-0.5},\ \mathit{step} \cdot \mathit{warmup}^{-1.5})"
)
SIZES = (32, 64, 128, 256, 512, 1024)
LEAST, MOST = 1, 8000
PAPER = 4000
POINTS = 240
SHOWN = 8  # tokens with bars
USUAL = 0.1
LEAST_DRAWN = 1e-12  # of a probability


# -- the learning rate ---------------------------------------------------------------------


def show_warmup(run: Run) -> None:
    """The schedule of the rate: its formula, the run's own, and small runs with and without it."""
    card, own = run.translator.card, settings_of(run)
    d_model, warmup, factor = _sliders(card.config.get("d_model"), own)
    rates = _own_rates(run)
    last = max([3 * warmup, *(step for step, _ in rates)])
    steps = np.unique([*np.geomspace(1, last, POINTS).astype(int), warmup]).tolist()
    formula = [(step, warmup_learning_rate(step, d_model, warmup, factor)) for step in steps]
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
    st.markdown(_own_words(plain(card.name), (card.config.get("d_model"), own), rates))
    st.markdown(f"## {say('training-warmup-runs-title')}")
    if runs := runs_of("plain", "no-warmup", "ten-times"):
        compare(runs, "warmup")
    with folded("reading"):
        st.latex(FORMULA)


def _sliders(size: Any, own: dict[str, Any]) -> tuple[int, int, float]:
    warmup, factor = own.get("warmup"), own.get("factor")
    size = size if type(size) is int and size > 0 else 512
    warmup = min(warmup, MOST) if type(warmup) is int and warmup >= LEAST else PAPER
    factor = float(factor) if isinstance(factor, int | float) and 0 < factor < 100 else 1.0
    with settings():
        steps = slider("rate_warmup", LEAST, MOST, warmup, words="training-warmup")
        d_model = stops("rate_d_model", sorted({*SIZES, size}), size, words="training-d-model")
        how = {"words": "training-factor", "format": "%.5g"}
        return d_model, steps, number("rate_factor", 0.001, 100.0, factor, **how)


def _own_rates(run: Run) -> list[tuple[int, float]]:
    try:
        metrics = metrics_of(of_checkpoint(run.choices.checkpoint))
    except ModelError:
        return []
    steps, rates = (metrics or Metrics(())).of("lr")
    return [(int(step), float(rate)) for step, rate in zip(steps, rates, strict=True)]


def _own_words(name: str, card: tuple[Any, Any], rates: Sequence[tuple[int, float]]) -> str:
    if not rates:
        return say("training-rate-unknown", name=name)
    step, most = max(rates, key=lambda each: each[1])
    told = say("training-rate-own", name=name, rate=scientific(most), step=grouped(step))
    d_model, own = card
    points = own.get("rate_points", ())
    try:
        off = max(
            abs(
                warmup_learning_rate(at, d_model, own["warmup"], own["factor"])
                * rate_multiplier(at, points)
                - rate
            )
            for at, rate in rates
        )
    except (KeyError, TypeError, ValueError):
        return told
    how = "training-rate-shaped" if points else "training-rate-plain"
    return f"{told} {say(how, n=len(points), error=scientific(off))}"


# -- smoothed labels -----------------------------------------------------------------------


def show_smoothing(run: Run) -> None:
    """A token's target against what the model gives, and a run with and without smoothing."""
    if len(run.translation.tgt):
        _one_token(run)
    else:
        st.info(say("training-smoothing-empty"), icon=":material/short_text:")
    st.markdown(f"## {say('training-smoothing-runs-title')}")
    if runs := runs_of("plain", "smoothed"):
        compare(runs, "smoothing")
        _calibration(runs)


@cached("identity", max_entries=64)
def distribution_at(run: Run, place: int) -> tuple[np.ndarray, tuple[tuple[int, str], ...]]:
    """The model's log-probabilities at a place of its translation, and the likeliest tokens."""
    beginning, n = tuple(run.translation.tgt.ids[:place]), run.translator.vocab_size
    found = run.translator.candidates(run.choices.text, beginning, n)
    log_probs = np.full(n, -np.inf)
    log_probs[[each.token_id for each in found]] = [each.log_prob for each in found]
    return log_probs, tuple((each.token_id, each.token) for each in found[: SHOWN + 1])


def _one_token(run: Run) -> None:
    tgt = run.translation.tgt
    own = settings_of(run).get("label_smoothing")
    own = float(own) if isinstance(own, int | float) and 0 <= own <= 0.5 else USUAL
    with controls():
        labels = numbered_labels(run.translation.tgt.tokens)
        place = numbered("smoothing_token", labels, style="select", title=False, width=150)
    with settings():
        epsilon = slider("smoothing_epsilon", 0.0, 0.5, own, 0.01, words="training-epsilon")
    log_probs, likeliest = distribution_at(run, place)
    label, token = tgt.ids[place], tgt.tokens[place]
    target = smoothed_target(log_probs, label, epsilon)
    others = [each for each in likeliest if each[0] != label][: SHOWN - 1]
    shown = sorted([(label, token), *others], key=lambda each: -log_probs[each[0]])
    given = [max(float(np.exp(log_probs[i])), LEAST_DRAWN) for i, _ in shown]
    asked = [target.on_label if i == label else target.on_others for i, _ in shown]
    wanted = [max(each, LEAST_DRAWN) for each in asked]
    figure, word = (
        target_bars([name for _, name in shown], given, wanted),
        plain(token_label(token)),
    )
    finding(
        say(
            "training-target-found",
            token=word,
            epsilon=f"{epsilon:g}",
            on_label=percent(target.on_label, 2),
            on_others=scientific(target.on_others),
            given=percent(float(np.exp(log_probs[label])), 2),
        )
    )
    picture(
        "training-target",
        figure,
        key="training_target",
        numbers=lambda: tables_of(figure)["bars"].drop(columns="place"),
        token=word,
        text=run.translation.src.text,
        plain=fixed(target.plain_loss, 3),
        smoothed=fixed(target.smoothed_loss, 3),
        least=fixed(target.least_loss, 3),
    )


def _calibration(runs: dict[str, Any]) -> None:
    first, second = runs.values()
    told = []
    for measure in ("perplexity", "bleu", "calibration_error"):
        sign = "more" if second[measure] > first[measure] else "less"
        told.append(say(f"training-smoothing-{measure.replace('_', '-')}-{sign}"))
    st.markdown(" ".join(told))
    figure = calibration_chart({run_name(SMALL + name): run["bins"] for name, run in runs.items()})
    numbers = {"numbers": lambda: pd.DataFrame(tables_of(figure)["bins"])}
    picture("training-calibration-chart", figure, key="training_calibration", **numbers)
