"""Label smoothing: its effect on small runs, and the smoothed target of one token."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.interventions.intervention import Intervention
from core.records.tokens import numbered_labels
from core.smoothing import SmoothedTarget, smoothed_target
from ui.frame.messages import say, token_text
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.controls import number, place_menu
from ui.kit.forced_reading import next_log_probs
from ui.kit.layout import controls, finding, folded, note, subtitle
from viz.training import calibration_chart, small_percent, target_bars

from .curves import SMALL, compare, run_name, scores_fold
from .recordings import runs_of, settings_of


def show(run: Run) -> None:
    """Draw the target of one token, and below the effect of such targets on training."""
    if len(run.tgt):
        _one_token(run)
    else:
        note("training-smoothing-empty", "short_text")
    runs = runs_of("plain", "smoothed")
    if not runs:
        return
    subtitle("training-smoothing-effect")
    left, right = st.columns([5, 6], gap="medium")
    with left:
        bins = {run_name(SMALL + name): run["bins"] for name, run in runs.items()}
        picture("training-calibration-chart", calibration_chart(bins), numbers="bins")
    with right:
        st.markdown("\n".join(f"- {sentence}" for sentence in effects(*runs.values())))
    fold = folded("curves", late=True)
    if fold.open:
        with fold:
            # The learning rates of both are the same, so their curves would be one line.
            compare(runs, "smoothing", ("loss",))
    scores_fold(runs, "smoothing")


def effects(plain_run: Mapping[str, Any], smoothed: Mapping[str, Any]) -> list[str]:
    """Return sentences that compare a run with label smoothing with one without."""
    sentences = []
    for measure in ("perplexity", "bleu", "calibration_error"):
        sign = "more" if smoothed[measure] > plain_run[measure] else "less"
        sentences.append(
            say(
                f"training-smoothing-{measure.replace('_', '-')}-{sign}",
                plain=float(plain_run[measure]),
                smoothed=float(smoothed[measure]),
            )
        )
    return sentences


def _pickers(run: Run) -> tuple[int, float]:
    """Draw the controls, and return the position of the chosen token and the smoothing."""
    with controls():
        labels = numbered_labels(run.tgt.tokens)
        # The least certain token has competitors to see.
        unsure = int(np.argmin(run.translation.log_probs))
        position = place_menu("smoothing_token", labels, default=unsure, title=False, width=120)
        epsilon = number("smoothing_epsilon", 0.0, 0.5, _smoothing_of(run), 0.05, width=180)
    return position, epsilon


def _one_token(run: Run) -> None:
    """Draw the plain and the smoothed target of a chosen token beside the model's probability."""
    tgt = run.tgt
    position, epsilon = _pickers(run)
    # float64: the losses are sums over the whole vocabulary.
    log_probs = next_log_probs(run, Intervention(), tgt.ids[:position]).astype(np.float64)
    label = tgt.ids[position]
    token = tgt.tokens[position]
    target = smoothed_target(log_probs, label, epsilon)
    probabilities = np.exp(log_probs)
    word = run.spoken("target", token_text(token))
    finding(
        "training-target-found",
        token=word,
        epsilon=epsilon,
        on_label=target.on_label,
        on_others=target.on_others,
        given=probabilities[label],
    )
    picture(
        "training-target",
        target_bars(
            token,
            probability=float(probabilities[label]),
            on_label=target.on_label,
            n_others=len(probabilities) - 1,
            epsilon=epsilon,
        ),
        key="training_target_half",  # all of it on a phone
        wide=True,
        numbers=lambda: target_table(run, probabilities, label, target),
        token=word,
        others=len(probabilities) - 1,
        on_others=small_percent(target.on_others),
        plain=target.plain_loss,
        smoothed=target.smoothed_loss,
        least=target.least_loss,
    )


def _smoothing_of(run: Run) -> float:
    """Return the label smoothing with which the model was trained, 0.1 if it is not stated."""
    smoothing = settings_of(run).get("label_smoothing")
    if not isinstance(smoothing, int | float) or not 0 <= smoothing <= 0.5:
        return 0.1
    return float(smoothing)


def target_table(
    run: Run, probabilities: np.ndarray, label: int, target: SmoothedTarget
) -> pd.DataFrame:
    """Return the model's and the target's probability of every token, most likely first."""
    # Stable, so that equally likely tokens keep the order of the vocabulary.
    order = np.argsort(-probabilities, kind="stable")
    return pd.DataFrame(
        {
            "token": list(map(run.writer.tokenizer.token_of, order.tolist())),
            "probability": probabilities[order],
            "target": np.where(order == label, target.on_label, target.on_others),
        }
    )
