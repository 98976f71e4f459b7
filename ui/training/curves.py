"""What runs noted on their way: loss, rate, gradient norm; several side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

import pandas as pd
import streamlit as st

from model import ModelError, list_checkpoints
from records import Metrics
from ui import address
from ui.kit.blocks import plot_block
from ui.panels import set_title
from ui.state import Run, get_translator, show_problem
from ui.words import current_words, plain, say
from viz.training import MOST_RUNS, run_curves
from words.numbers import fixed, grouped

from .stored import curves_of, metrics_of, of_checkpoint, runs_of, small_runs

PANELS = ("loss", "val_loss", "lr", "gradient_norm")
LOG = ("lr",)
KEY, STEPS = "curve_runs", "curve_steps"
SMALL = "small_"  # begins the ids of small runs


def show(run: Run) -> None:
    runs = _runs(run)
    if not runs:
        return
    with st.container(horizontal=True, gap="medium"):
        chosen = _chosen(run, runs)
        steps = _range(chosen, runs)
    if not chosen:
        st.info(say("training-curves-none-chosen"), icon=":material/show_chart:")
        return
    curves_block({name: runs[name] for name in chosen}, PANELS, key="training_curves", steps=steps)
    _table(chosen, runs)


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
    plot_block(
        figure,
        key=key,
        alt=say("training-curves-alt", names=", ".join(names)),
        name=say("training-curves-name", names=", ".join(names)),
        caption=say("training-curves-zoom"),
        numbers=lambda: lines,
    )


def _runs(run: Run) -> dict[str, Metrics]:
    """Every run whose curves are there: the checkpoints', then the small ones."""
    found: dict[str, Metrics] = {}
    for name in list_checkpoints():
        try:
            metrics = metrics_of(of_checkpoint(name))
        except ModelError as error:
            show_problem(error)
            continue
        if metrics is not None:
            found[name] = metrics
        elif name == run.choices.checkpoint:
            st.info(say("training-no-metrics", name=plain(name)), icon=":material/show_chart:")
        if metrics is not None and metrics.n_unread:
            st.warning(
                say("training-metrics-cut", name=plain(name), n=metrics.n_unread),
                icon=":material/content_cut:",
            )
    found |= {SMALL + name: curves_of(run) for name, run in runs_of().items()}
    return {name: metrics for name, metrics in found.items() if metrics.lines}


def run_name(name: str) -> str:
    """A run as the page calls it: a checkpoint by its name, a small run in words."""
    if name.startswith(SMALL):
        id = f"small-run-{name.removeprefix(SMALL)}"
        return say(id) if current_words().has(id) else plain(name)
    return name


def _chosen(run: Run, runs: dict[str, Metrics]) -> list[str]:
    own = run.choices.checkpoint
    default = [own] if own in runs else list(runs)[:1]
    state = st.session_state
    if KEY not in state or address.by_history():
        asked = [name for name in address.read(KEY) or () if name in runs]
        state[KEY] = asked[:MOST_RUNS] or default
    state[KEY] = [name for name in state[KEY] if name in runs]
    chosen = st.multiselect(
        say("training-curves-runs"),
        list(runs),
        key=KEY,
        format_func=run_name,
        max_selections=MOST_RUNS,
        width=560,
        persist_state="session",
    )
    address.write(KEY, tuple(chosen) if chosen and chosen != default else None)
    address.drawn(KEY)
    return chosen


def _range(chosen: list[str], runs: dict[str, Metrics]) -> tuple[int, int]:
    """The steps that are drawn, in the address; where a reader zooms to stays in the browser."""
    last = int(max((line["step"] for name in chosen for line in runs[name].lines), default=0))
    if last < 2:
        return 0, last
    state, key = st.session_state, f"{STEPS}_{last}"
    if key not in state or address.by_history():
        state[key] = _asked_range(last)
    shown = st.slider(
        say("training-curves-range"), 0, last, key=key, width=300, persist_state="session"
    )
    address.write(STEPS, None if shown == (0, last) else shown)
    address.drawn(STEPS)
    return shown


def _asked_range(last: int) -> tuple[int, int]:
    """The steps that the address asks for, where they make sense; else all."""
    asked = address.read(STEPS) or ()
    if len(asked) != 2 or not asked[0] < min(asked[1], last):
        return 0, last
    return asked[0], min(asked[1], last)


def _table(chosen: list[str], runs: dict[str, Metrics]) -> None:
    """The ends of the runs, with BLEU where it was measured."""
    lines = []
    for name in chosen:
        _, loss = runs[name].of("loss")
        _, checked = runs[name].of("val_loss")
        bleu, where = _bleu(name)
        lines.append(
            {
                "run": run_name(name),
                "steps": grouped(int(max(line["step"] for line in runs[name].lines))),
                "loss": fixed(loss[-1], 3) if len(loss) else "",
                "val_loss": fixed(checked.min(), 3) if len(checked) else "",
                "bleu": "" if bleu is None else fixed(bleu),
                "where": where,
            }
        )
    column = st.column_config.TextColumn
    st.dataframe(
        pd.DataFrame(lines),
        key="training_curves_table",
        hide_index=True,
        column_config={
            "run": column(say("training-run")),
            "steps": column(say("training-steps")),
            "loss": column(say("training-last-loss")),
            "val_loss": column(say("training-lowest-val-loss")),
            "bleu": column(say("training-bleu")),
            "where": column(say("training-bleu-where")),
        },
        alt=say("training-curves-table-alt"),
    )
    st.caption(say("training-curves-validation"))


def _bleu(name: str) -> tuple[float | None, str]:
    """BLEU and on what it was measured."""
    if name.startswith(SMALL):
        score = small_runs().values["runs"][name.removeprefix(SMALL)]["bleu"]
        return float(score), say("training-bleu-held-out")
    try:
        scores = get_translator(name).card.scores
    except ModelError:
        return None, ""
    for test, entry in scores.items():
        if isinstance(entry, dict) and _is_number(entry.get("bleu")):
            return float(entry["bleu"]), plain(set_title(test, test.replace("_", " ")))
    return None, ""


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
