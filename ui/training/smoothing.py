"""Label smoothing: a token's target against what the model gives, and a run with and without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from analysis.labels import numbered_labels, token_label
from analysis.smoothing import smoothed_target
from ui.choice import choice
from ui.kit.blocks import figure_block
from ui.shared import cached
from ui.state import Run
from ui.words import plain, say
from viz.figure import tables_of
from viz.training import calibration_chart, target_bars
from words.numbers import fixed, percent, scientific

from .curves import run_name
from .stored import runs_of
from .warmup import compare

COMPARED = ("plain", "smoothed")
SHOWN = 8  # tokens with bars
USUAL = 0.1
_LEAST = 1e-12  # of a probability that is drawn


@dataclass(frozen=True, eq=False)
class Distribution:
    """What the model gives every token of its vocabulary in one place."""

    log_probs: np.ndarray
    likeliest: tuple[tuple[int, str], ...]


@cached("identity", max_entries=64)
def distribution_at(run: Run, place: int) -> Distribution:
    """The model's distribution over what stands at a place of its translation."""
    ids = run.translation.tgt.ids
    found = run.translator.candidates(
        run.choices.text, tuple(ids[:place]), run.translator.vocab_size
    )
    log_probs = np.full(run.translator.vocab_size, -np.inf)
    for each in found:
        log_probs[each.token_id] = each.log_prob
    return Distribution(
        log_probs, tuple((each.token_id, each.token) for each in found[: SHOWN + 1])
    )


def show(run: Run) -> None:
    tgt = run.translation.tgt
    if len(tgt):
        _one_token(run)
    else:
        st.info(say("training-smoothing-empty"), icon=":material/short_text:")
    st.markdown("## " + say("training-smoothing-runs-title"))
    if runs := runs_of(*COMPARED):
        compare(runs, "smoothing")
        _calibration(runs)


def _one_token(run: Run) -> None:
    tgt = run.translation.tgt
    labels = numbered_labels(tgt.tokens)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        place = choice(
            "smoothing_token",
            tuple(range(len(tgt))),
            words="smoothing_token",
            style="select",
            text=lambda at: labels[at],
            spell=lambda at: str(at + 1),
            width=220,
        )
        epsilon = st.slider(
            say("training-epsilon-label"),
            0.0,
            0.5,
            _own_epsilon(run),
            0.01,
            key="smoothing_epsilon",
            bind="query-params",
            help=say("training-epsilon-help"),
            width=300,
        )
    found = distribution_at(run, place)
    label = tgt.ids[place]
    target = smoothed_target(found.log_probs, label, epsilon)
    shown = [each for each in found.likeliest if each[0] != label][: SHOWN - 1]
    shown = sorted([(label, tgt.tokens[place]), *shown], key=lambda each: -found.log_probs[each[0]])
    given = [max(float(np.exp(found.log_probs[i])), _LEAST) for i, _ in shown]
    wanted = [max(target.on_label if i == label else target.on_others, _LEAST) for i, _ in shown]
    figure = target_bars([token for _, token in shown], given, wanted)
    word = plain(token_label(tgt.tokens[place]))
    figure_block(
        figure,
        key="training_target",
        alt=say("training-target-alt", token=word),
        name=say("training-target-name", token=word, text=run.translation.src.text),
        numbers=lambda: tables_of(figure)["bars"].drop(columns="place"),
    )
    st.markdown(
        say(
            "training-smoothing-token",
            token=word,
            epsilon=f"{epsilon:g}",
            on_label=percent(target.on_label, 2),
            on_others=scientific(target.on_others),
            given=percent(float(np.exp(found.log_probs[label])), 2),
        )
    )
    st.markdown(
        say(
            "training-smoothing-loss",
            plain=fixed(target.plain_loss, 3),
            smoothed=fixed(target.smoothed_loss, 3),
            least=fixed(target.least_loss, 3),
        )
    )


def _own_epsilon(run: Run) -> float:
    settings = run.translator.card.training.get("settings")
    found = settings.get("label_smoothing") if isinstance(settings, dict) else None
    return float(found) if isinstance(found, int | float) and 0 <= found <= 0.5 else USUAL


def _calibration(runs: dict[str, Any]) -> None:
    bins = {run_name(f"small_{name}"): run["bins"] for name, run in runs.items()}
    first, second = (runs[name] for name in COMPARED)
    signs = {
        measure: ("more" if second[measure] > first[measure] else "less")
        for measure in ("perplexity", "bleu", "calibration_error")
    }
    st.markdown(
        " ".join(
            say(f"training-smoothing-{name.replace('_', '-')}-{signs[name]}")
            for name in ("perplexity", "bleu", "calibration_error")
        )
    )
    figure = calibration_chart(bins)
    figure_block(
        figure,
        key="training_calibration",
        alt=say("training-calibration-alt"),
        name=say("training-calibration-name"),
        caption=say("training-calibration-caption"),
        numbers=lambda: pd.DataFrame(tables_of(figure)["bins"]),
    )
