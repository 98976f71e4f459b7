"""What the width of the beam does: on this sentence, and over the test set."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from model import ModelError
from records import CheckpointCard
from ui.beam.methods import COLUMNS
from ui.beam.node import number
from ui.beam.scene import BeamScene, best_text
from ui.beam.stored import show_command, source_words, sweep_rows
from ui.export import export_menu
from ui.panels import show_picture
from ui.state import Run, Timed, search_again, show_problem
from viz.sweep import sweep_chart

WIDTHS = (1, 2, 3, 5, 10, 20)


def show(scene: BeamScene) -> None:
    st.markdown("##### This sentence")
    try:
        timed = widths_of(scene.run)
    except ModelError as error:
        show_problem(error)
        return
    lines = widths_table(timed)
    st.markdown(widths_words(lines))
    st.dataframe(
        lines,
        key="beam_widths",
        hide_index=True,
        column_config=COLUMNS | {"beam_size": st.column_config.TextColumn("width", width=90)},
        alt="Output, log-probability, score and time for each width of the beam.",
    )
    st.markdown("##### Over the test set")
    _test_set(scene, scene.run.translator.card)


def widths_of(run: Run) -> dict[int, Timed]:
    """The search with every width, all other choices as they are.

    Runners-up are only for drawing, and are left out of the time.
    """
    decoding = replace(run.choices.decoding, n_runners_up=0)
    return {width: search_again(run, replace(decoding, beam_size=width)) for width in WIDTHS}


def widths_table(timed: dict[int, Timed]) -> pd.DataFrame:
    """One line a width: beam_size, text, log_prob, length, score, ms."""
    best = {width: t.tree.hypothesis(t.tree.best) for width, t in timed.items()}
    return pd.DataFrame(
        {
            "beam_size": ["1, greedy" if width == 1 else str(width) for width in timed],
            "text": [best_text(t.tree) for t in timed.values()],
            "log_prob": [best[width].cum_log_prob for width in timed],
            "length": [len(best[width].ids) for width in timed],
            "score": [best[width].score for width in timed],
            "ms": [t.seconds * 1000 for t in timed.values()],
        }
    )


def widths_words(lines: pd.DataFrame) -> str:
    """How many outputs there are, and whether wider was better by the model's own score."""
    n_outputs = lines["text"].nunique()
    if n_outputs == 1:
        return "Every width finds the same output: the model's choice is clear on this sentence."
    first, last = lines["score"].iloc[0], lines["score"].iloc[-1]
    best = lines.loc[lines["score"].idxmax(), "beam_size"]
    change = "raises" if last > first else "lowers" if last < first else "does not change"
    return (
        f"{n_outputs} different outputs. Going from greedy to the widest beam {change} the score "
        f"({number(first)} → {number(last)}); width {best} is the narrowest with the best one."
    )


def _test_set(scene: BeamScene, card: CheckpointCard) -> None:
    rows = sweep_rows(card)
    if not rows:
        show_command(card)
        return
    figure = sweep_chart(rows, chosen=scene.tree.beam_size, dark=scene.dark)
    show_picture(
        figure, key="beam_sweep", alt="Quality, probability, length and time by beam width."
    )
    export_menu(
        figure,
        key="beam_sweep_export",
        name=f"width sweep of {card.name}",
        numbers=lambda: pd.DataFrame(rows),
    )
    st.dataframe(
        pd.DataFrame(rows),
        key="beam_sweep_table",
        hide_index=True,
        column_config={
            "beam_size": st.column_config.NumberColumn("width"),
            "bleu": st.column_config.NumberColumn("BLEU", format="%.2f"),
            "mean_log_prob": st.column_config.NumberColumn("mean log P", format="%.3f"),
            "length_ratio": st.column_config.NumberColumn("length ÷ reference", format="%.3f"),
            "seconds": st.column_config.NumberColumn("s per sentence", format="%.4f"),
        },
        alt="The same numbers as a table.",
    )
    st.caption(source_words(card))
