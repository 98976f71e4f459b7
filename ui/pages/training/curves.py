"""Learning curves of recorded runs, with their scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.formation import Metrics
from model import ModelError, list_checkpoints
from ui.frame.choices import NAMES
from ui.frame.messages import named, plain, say, set_title
from ui.frame.problems import telling
from ui.frame.run import Run
from ui.frame.state import get_translator
from ui.kit.blocks import picture, table
from ui.kit.controls import several, span
from ui.kit.layout import caption, control_row, folded, note, warning
from viz.training import MOST_RUNS, run_curves
from words.numbers import fixed, grouped

from .recordings import curves_of, metrics_of, of_checkpoint, small_runs

STEPS = "curve_steps"
SMALL = "small_"  # prefix of the ids of small runs


def curves_fold() -> DeltaGenerator:
    """Return the fold of the learning curves, open for an address that chooses some."""
    # Whoever follows such an address wants to see these curves, not a closed fold.
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
    named: bool = False,
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
        figure = run_curves(lines, names, titles, log=("lr",), named=named)
    except ValueError:
        note("training-curves-empty", "show_chart")
        return
    picture("training-curves", figure, key=key, numbers=lines, names=", ".join(names))


def compare(runs: dict[str, Any], key: str, panels: Sequence[str], *, named: bool = False) -> None:
    """Draw the curves of small runs beside each other, `named` at their ends or in a legend."""
    curves = {SMALL + name: curves_of(run) for name, run in runs.items()}
    curves_block(curves, panels, key=f"training_small_{key}", named=named)


def scores_fold(runs: dict[str, Any], key: str) -> None:
    """Draw a fold with the scores of small runs on held-out pairs; the table once it is open."""
    fold = folded("table", late=True)
    if fold.open:
        with fold:
            _scores(runs, key)


def _scores(runs: dict[str, Any], key: str) -> None:
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
        # A damaged file of one checkpoint must not hide the curves of the others.
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
    # A run that has just begun has a file without lines.
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
    # A slider needs two different ends.
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
        # A card may be written by hand, and True counts as an int.
        if isinstance(bleu, int | float) and not isinstance(bleu, bool):
            return fixed(bleu), plain(set_title(test, test.replace("_", " ")))
    return "", ""
