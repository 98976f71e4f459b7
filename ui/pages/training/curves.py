"""Learning curves of recorded runs, learning-rate warm-up, and label smoothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.formation import Metrics
from core.interventions.intervention import Intervention
from core.records.tokens import numbered_labels, visible
from core.schedule import (
    SmoothedTarget,
    rate_multiplier,
    smoothed_target,
    warmup_learning_rate,
)
from model import ModelError, list_checkpoints
from ui.frame.choices import NAMES
from ui.frame.messages import named, plain, say, token_text
from ui.frame.state import Run, get_translator, telling
from ui.kit.blocks import picture, table
from ui.kit.controls import number, place_menu, several, slider, span, stops
from ui.kit.decisions import others_at
from ui.kit.forced_reading import next_log_probs
from ui.kit.layout import (
    caption,
    control_row,
    controls,
    finding,
    folded,
    note,
    paragraph,
    subtitle,
    warning,
)
from ui.shell.panels import set_title
from viz.figure import tables_of
from viz.training import (
    MOST_RUNS,
    calibration_chart,
    rate_curves,
    run_curves,
    small_percent,
    target_curve,
)
from words.numbers import fixed, grouped

from .recordings import curves_of, metrics_of, of_checkpoint, runs_of, settings_of, small_runs

STEPS = "curve_steps"
SMALL = "small_"  # prefix of the ids of small runs
# Vaswani et al. 2017, eq. 3.
FORMULA = (
    r"\mathit{lrate} = d_{model}^{-0.5} \cdot "
    r"\min(\mathit{step}^{-0.5},\ \mathit{step} \cdot \mathit{warmup}^{-1.5})"
)
SIZES = (32, 64, 128, 256, 512, 1024)
LEAST = 1
MOST = 8000
# Warm-up steps in the paper.
PAPER = 4000
POINTS = 240
N_NAMED = 4  # tokens that are named in the picture


# -- curves ------------------------------------------------------------------------------


def curves_fold() -> DeltaGenerator:
    """Return the fold of the learning curves, open for an address that chooses some."""
    if {"curve_runs", STEPS} & st.query_params.keys():
        st.session_state.setdefault("fold_curves", True)
    return folded("curves", late=True)


def show_curves(run: Run, tell: Callable[..., None], heads_of: str = "") -> None:
    """Draw the learning curves of chosen runs and their final values.

    Initially those of the open checkpoint, and of the run `heads_of` whose heads are shown. `tell`
    draws the sentence on them.
    """
    runs = _runs(run)
    if not runs:
        return
    with control_row():
        chosen = several(
            "curve_runs",
            list(runs),
            {run.choices.checkpoint, heads_of} & runs.keys() or list(runs)[:1],
            form=NAMES,
            format_func=run_name,
            max_selections=MOST_RUNS,
        )
        last = max((line["step"] for name in chosen for line in runs[name].lines), default=0)
        steps = _range(int(last))
    if not chosen:
        note("training-curves-none-chosen", "show_chart")
        return
    _loss_sentence(chosen[0], runs[chosen[0]], tell)
    panels = ("loss", "val_loss", "lr", "gradient_norm")
    curves_block({name: runs[name] for name in chosen}, panels, key="training_curves", steps=steps)
    if continued := [run_name(name) for name in chosen if _continued(name)]:
        caption("training-curves-went-on", runs=plain(", ".join(continued)))
    rows = [_ends(name, runs[name]) for name in chosen]
    table("training-curves-table", rows, words="training-column")


def _loss_sentence(name: str, metrics: Metrics, tell: Callable[..., None]) -> None:
    """Draw a sentence on the first and the least loss in training and validation, if recorded."""
    steps, losses = metrics.of("loss")
    val_steps, val_losses = metrics.of("val_loss")
    if not len(losses) or not len(val_losses):
        return
    least = int(losses.argmin())
    val_least = int(val_losses.argmin())
    tell(
        "training-curves-found",
        run=plain(run_name(name)),
        loss_first=losses[0],
        loss_least=losses[least],
        loss_step=int(steps[least]),
        val_loss_first=val_losses[0],
        val_loss_least=val_losses[val_least],
        val_loss_step=int(val_steps[val_least]),
    )


def curves_block(
    runs: Mapping[str, Metrics],
    panels: Sequence[str],
    *,
    key: str,
    steps: tuple[float, float] = (0, inf),
) -> None:
    names = [run_name(name) for name in runs]
    lines = pd.DataFrame(
        [
            (name, panel, int(step), float(value))
            for name, metrics in zip(names, runs.values(), strict=True)
            for panel in panels
            for step, value in zip(*metrics.of(panel), strict=True)
            if steps[0] <= step <= steps[1]
        ],
        columns=["run", "measure", "step", "value"],
    )
    # A run may have none of the measures in the chosen range.
    titles = {panel: say(f"training-measure-{panel}") for panel in panels}
    try:
        figure = run_curves(lines, names, titles, log=("lr",))
    except ValueError:
        note("training-curves-empty", "show_chart")
        return
    picture("training-curves", figure, key=key, numbers=lines, names=", ".join(names))


def compare(runs: dict[str, Any], key: str, panels: Sequence[str]) -> None:
    """Draw the curves of small runs beside each other."""
    curves = {SMALL + name: curves_of(run) for name, run in runs.items()}
    curves_block(curves, panels, key=f"training_small_{key}")


def scores(runs: dict[str, Any], key: str) -> None:
    """Draw a table of the scores of small runs on held-out pairs."""
    lines = [
        {
            "run": run_name(SMALL + name),
            "loss": fixed(run["curves"]["loss"][-1][1], 3),
            "checked": fixed(run["curves"]["val_loss"][-1][1], 3),
            "perplexity": fixed(run["perplexity"], 3),
            "score": fixed(run["bleu"]),
            "calibration": fixed(run["calibration_error"], 4),
        }
        for name, run in runs.items()
    ]
    stored = small_runs().values
    table(
        "training-small-table",
        lines,
        key=f"training_small_table_{key}",
        words="training-column",
        command=stored["command"],
        hardware=plain(stored["hardware"], 120),
        pairs=stored["pairs"],
    )


def run_name(name: str) -> str:
    """Return the name of a run: a checkpoint's own, or words for a small run."""
    small = name.removeprefix(SMALL)
    return name if small == name else named(f"small-run-{small}", small)


def _runs(run: Run) -> dict[str, Metrics]:
    runs: dict[str, Metrics] = {}
    for name in list_checkpoints():
        with telling():
            metrics = metrics_of(of_checkpoint(name))
            if metrics is not None:
                runs[name] = metrics
                if metrics.n_unread:
                    n_unread = metrics.n_unread
                    warning("training-metrics-cut", "content_cut", name=plain(name), n=n_unread)
            elif name == run.choices.checkpoint:
                note("training-no-metrics", "show_chart", name=plain(name))
    small = small_runs().values.get("runs", {})  # the section of heads reports their faults
    runs |= {SMALL + name: curves_of(small_run) for name, small_run in small.items()}
    return {name: metrics for name, metrics in runs.items() if metrics.lines}


def _continued(name: str) -> bool:
    """Return True if a checkpoint's training began with trained weights."""
    if name.startswith(SMALL):
        return False
    try:
        settings = get_translator(name).card.training.get("settings")
    except ModelError:
        return False
    return isinstance(settings, dict) and bool(settings.get("start_from"))


def _range(last: int) -> tuple[int, int]:
    """Draw the range of steps and keep it in the address; zooming stays in the browser."""
    if last < 2:
        return 0, last
    return span(STEPS, last, words="training-curves-range")


def _ends(name: str, metrics: Metrics) -> dict[str, str]:
    loss, checked = (metrics.of(measure)[1] for measure in ("loss", "val_loss"))
    bleu, where = _bleu(name)
    return {
        "run": run_name(name),
        "steps": grouped(int(max(line["step"] for line in metrics.lines))),
        "loss": fixed(loss[-1], 3) if len(loss) else "",
        "lowest": fixed(checked.min(), 3) if len(checked) else "",
        "bleu": bleu,
        "where": where,
    }


def _bleu(name: str) -> tuple[str, str]:
    if name.startswith(SMALL):
        small = small_runs().values["runs"][name.removeprefix(SMALL)]
        return fixed(small["bleu"]), say("training-bleu-held-out")
    try:
        scores = get_translator(name).card.scores
    except ModelError:
        return "", ""
    for test, entry in scores.items():
        bleu = entry.get("bleu") if isinstance(entry, dict) else None
        if isinstance(bleu, int | float) and not isinstance(bleu, bool):
            return fixed(bleu), plain(set_title(test, test.replace("_", " ")))
    return "", ""


# -- the learning rate ---------------------------------------------------------------------


def show_warmup(run: Run) -> None:
    """Draw small runs with and without warmup, and below the schedule of the model."""
    if runs := runs_of("plain", "no-warmup", "ten-times"):
        plain_run, without, higher = runs.values()
        finding(
            "training-warmup-found",
            plain=plain_run["curves"]["val_loss"][-1][1],
            without=without["curves"]["val_loss"][-1][1],
            higher=higher["curves"]["val_loss"][-1][1],
        )
        compare(runs, "warmup", ("loss", "lr"))
        with folded("table"):
            scores(runs, "warmup")
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


# -- smoothed labels -----------------------------------------------------------------------


def show_smoothing(run: Run) -> None:
    """Draw the target of one token over the whole vocabulary, and below its effect on training."""
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
            # Both have one learning rate.
            compare(runs, "smoothing", ("loss",))
    with folded("table"):
        scores(runs, "smoothing")


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


def _one_token(run: Run) -> None:
    tgt = run.tgt
    with controls():
        labels = numbered_labels(tgt.tokens)
        # The least certain token has competitors to see.
        unsure = int(np.argmin(run.translation.log_probs))
        position = place_menu("smoothing_token", labels, default=unsure, title=False, width=120)
        epsilon = number("smoothing_epsilon", 0.0, 0.5, _smoothing_of(run), 0.05, width=180)
    # float64: the losses are sums over the whole vocabulary.
    log_probs = next_log_probs(run, Intervention(), tgt.ids[:position]).astype(np.float64)
    label = tgt.ids[position]
    token = tgt.tokens[position]
    target = smoothed_target(log_probs, label, epsilon)
    probabilities = np.exp(log_probs)
    rivals = others_at(run, position)[: N_NAMED - 1]
    names = {label: token} | {rival.token_id: rival.token for rival in rivals}
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
        target_curve(
            probabilities, label, names, on_label=target.on_label, on_others=target.on_others
        ),
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
    order = np.argsort(-probabilities, kind="stable")
    return pd.DataFrame(
        {
            "token": list(map(run.writer.tokenizer.token_of, order.tolist())),
            "probability": probabilities[order],
            "target": np.where(order == label, target.on_label, target.on_others),
        }
    )
