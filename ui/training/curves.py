"""What runs noted on their way: loss, rate, gradient norm; several side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

import pandas as pd
import streamlit as st

from model import ModelError, list_checkpoints
from records import Metrics
from ui import address
from ui.address import IDS, NAMES
from ui.kit.blocks import picture, table
from ui.kit.controls import several
from ui.kit.layout import finding, settings
from ui.panels import set_title
from ui.state import Run, get_translator, show_problem
from ui.words import named, plain, say
from viz.training import MOST_RUNS, run_curves
from words.numbers import fixed, grouped

from .stored import curves_of, metrics_of, of_checkpoint, runs_of, small_runs

PANELS = ("loss", "val_loss", "lr", "gradient_norm")
LOG = ("lr",)
STEPS = "curve_steps"
SMALL = "small_"  # begins the ids of small runs


def show(run: Run) -> None:
    runs = _runs(run)
    if not runs:
        return
    own = run.choices.checkpoint
    with settings():
        chosen = several(
            "curve_runs",
            list(runs),
            [own] if own in runs else list(runs)[:1],
            words="training-curves-runs",
            form=NAMES,
            format_func=run_name,
            max_selections=MOST_RUNS,
        )
        steps = _range(
            int(max((x["step"] for each in chosen for x in runs[each].lines), default=0))
        )
    if not chosen:
        st.info(say("training-curves-none-chosen"), icon=":material/show_chart:")
        return
    _tell(chosen[0], runs[chosen[0]])
    curves_block({name: runs[name] for name in chosen}, PANELS, key="training_curves", steps=steps)
    rows = pd.DataFrame([_ends(name, runs[name]) for name in chosen])
    table("training-curves-table", rows, key="training_curves_table", words="training-column")


def curves_block(
    runs: Mapping[str, Metrics],
    panels: Sequence[str],
    *,
    key: str,
    steps: tuple[float, float] = (0, inf),
) -> None:
    """The curves of some runs, by their ids, from a step to a step."""
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
    titles = {panel: say(f"training-measure-{panel}") for panel in panels}
    try:
        figure = run_curves(lines, names, titles, log=LOG)
    except ValueError:
        st.info(say("training-curves-empty"), icon=":material/show_chart:")
        return
    picture("training-curves", figure, key=key, numbers=lambda: lines, names=", ".join(names))


def compare(runs: dict[str, Any], key: str) -> None:
    """Some of the small runs beside each other, and what came of them on held-out pairs."""
    curves = {SMALL + name: curves_of(run) for name, run in runs.items()}
    curves_block(curves, ("loss", "lr"), key=f"training_small_{key}")
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
        pd.DataFrame(lines),
        key=f"training_small_table_{key}",
        words="training-column",
        command=stored["command"],
        hardware=plain(stored["hardware"], 120),
        pairs=grouped(stored["pairs"]),
    )


def run_name(name: str) -> str:
    """A run as the page calls it: a checkpoint by its name, a small run in words."""
    small = name.removeprefix(SMALL)
    return name if small == name else named(f"small-run-{small}", small)


def _runs(run: Run) -> dict[str, Metrics]:
    found: dict[str, Metrics] = {}
    for name in list_checkpoints():
        try:
            metrics = metrics_of(of_checkpoint(name))
        except ModelError as error:
            show_problem(error)
            continue
        if metrics is not None:
            found[name] = metrics
            if metrics.n_unread:
                cut = say("training-metrics-cut", name=plain(name), n=metrics.n_unread)
                st.warning(cut, icon=":material/content_cut:")
        elif name == run.choices.checkpoint:
            st.info(say("training-no-metrics", name=plain(name)), icon=":material/show_chart:")
    found |= {SMALL + name: curves_of(run) for name, run in runs_of().items()}
    return {name: metrics for name, metrics in found.items() if metrics.lines}


def _range(last: int) -> tuple[int, int]:
    """The steps that are drawn, in the address; where a reader zooms to stays in the browser."""
    if last < 2:
        return 0, last
    state, key = st.session_state, f"{STEPS}_{last}"
    if key not in state or address.by_history():
        first, end = asked if len(asked := address.read(STEPS, IDS) or ()) == 2 else (0, last)
        end = min(end, last)
        state[key] = (first, end) if first < end else (0, last)  # as far as they make sense
    shown = st.slider(say("training-curves-range"), 0, last, key=key, persist_state="session")
    address.write(STEPS, None if shown == (0, last) else shown, IDS)
    return shown


def _tell(name: str, metrics: Metrics) -> None:
    told = {}
    for measure in ("loss", "val_loss"):
        steps, values = metrics.of(measure)
        if not len(values):
            return
        at = int(values.argmin())
        told |= {f"{measure}_first": fixed(values[0]), f"{measure}_least": fixed(values[at])}
        told[f"{measure}_step"] = grouped(int(steps[at]))
    finding(say("training-curves-found", run=plain(run_name(name)), **told))


def _ends(name: str, metrics: Metrics) -> dict[str, str]:
    _, loss = metrics.of("loss")
    _, checked = metrics.of("val_loss")
    bleu, where = _bleu(name)
    return {
        "run": run_name(name),
        "steps": grouped(int(max(line["step"] for line in metrics.lines))),
        "loss": fixed(loss[-1], 3) if len(loss) else "",
        "lowest": fixed(checked.min(), 3) if len(checked) else "",
        "bleu": "" if bleu is None else fixed(bleu),
        "where": where,
    }


def _bleu(name: str) -> tuple[float | None, str]:
    if name.startswith(SMALL):
        score = small_runs().values["runs"][name.removeprefix(SMALL)]["bleu"]
        return float(score), say("training-bleu-held-out")
    try:
        scores = get_translator(name).card.scores
    except ModelError:
        return None, ""
    for test, entry in scores.items():
        bleu = entry.get("bleu") if isinstance(entry, dict) else None
        if isinstance(bleu, int | float) and not isinstance(bleu, bool):
            return float(bleu), plain(set_title(test, test.replace("_", " ")))
    return None, ""
