"""Label smoothing: a token's target against what the model gives, and a run with and without it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.labels import numbered_labels, token_label
from analysis.smoothing import smoothed_target
from ui.choice import choice
from ui.kit.blocks import picture
from ui.kit.controls import slider
from ui.kit.layout import controls, finding, settings
from ui.shared import cached
from ui.state import Run
from ui.words import plain, say
from viz.figure import tables_of
from viz.training import calibration_chart, target_bars
from words.numbers import fixed, percent, scientific

from .curves import SMALL, compare, run_name
from .stored import runs_of

COMPARED = ("plain", "smoothed")
SHOWN = 8  # tokens with bars
USUAL = 0.1
_LEAST = 1e-12  # of a probability that is drawn


def show(run: Run) -> None:
    if len(run.translation.tgt):
        _one_token(run)
    else:
        st.info(say("training-smoothing-empty"), icon=":material/short_text:")
    st.markdown(f"## {say('training-smoothing-runs-title')}")
    if runs := runs_of(*COMPARED):
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
    labels = numbered_labels(tgt.tokens)
    with controls():
        place = choice(
            "smoothing_token",
            range(len(tgt)),
            words="smoothing_token",
            style="select",
            title=False,
            text=lambda at: labels[at],
            spell=lambda at: str(at + 1),
            width=150,
        )
    with settings():
        epsilon = slider(
            "smoothing_epsilon", 0.0, 0.5, _own_epsilon(run), 0.01, words="training-epsilon"
        )
    log_probs, likeliest = distribution_at(run, place)
    label, token = tgt.ids[place], tgt.tokens[place]
    target = smoothed_target(log_probs, label, epsilon)
    others = [each for each in likeliest if each[0] != label][: SHOWN - 1]
    shown = sorted([(label, token), *others], key=lambda each: -log_probs[each[0]])
    given = [max(float(np.exp(log_probs[i])), _LEAST) for i, _ in shown]
    wanted = [max(target.on_label if i == label else target.on_others, _LEAST) for i, _ in shown]
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


def _own_epsilon(run: Run) -> float:
    settings = run.translator.card.training.get("settings")
    found = settings.get("label_smoothing") if isinstance(settings, dict) else None
    return float(found) if isinstance(found, int | float) and 0 <= found <= 0.5 else USUAL


def _calibration(runs: dict[str, Any]) -> None:
    figure = calibration_chart({run_name(SMALL + name): run["bins"] for name, run in runs.items()})
    first, second = (runs[name] for name in COMPARED)
    told = []
    for measure in ("perplexity", "bleu", "calibration_error"):
        sign = "more" if second[measure] > first[measure] else "less"
        told.append(say(f"training-smoothing-{measure.replace('_', '-')}-{sign}"))
    st.markdown(" ".join(told))
    picture(
        "training-calibration-chart",
        figure,
        key="training_calibration",
        numbers=lambda: pd.DataFrame(tables_of(figure)["bins"]),
    )
