"""What the width of the beam does: on this sentence, and over the test set."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from model import ModelError
from records import BeamTree, CheckpointCard
from records.measurements import SEARCH
from ui.beam.columns import columns
from ui.beam.scene import BeamScene, best_text
from ui.beam.searches import search_again
from ui.beam.stored import sweep_rows
from ui.kit.blocks import plot_block
from ui.state import Run, show_problem
from ui.stored import source_line, stored_box
from ui.words import current_words, say
from viz.sweep import sweep_chart
from words import Message

WIDTHS = (1, 2, 3, 5, 10, 20)


def show(scene: BeamScene) -> None:
    st.markdown("## " + say("beam-width-sentence"))
    try:
        trees = widths_of(scene.run)
    except ModelError as error:
        show_problem(error)
        return
    lines = widths_table(trees)
    st.markdown(current_words().of(widths_message(lines)))
    st.dataframe(
        lines,
        key="beam_widths",
        hide_index=True,
        column_config=columns(beam_size=st.column_config.TextColumn(say("beam-width"), width=96)),
        alt=say("beam-width-alt"),
    )
    st.markdown("## " + say("beam-width-test-set"))
    _test_set(scene, scene.run.translator.card)


def widths_of(run: Run) -> dict[int, BeamTree]:
    """The search with every width, all other choices as they are; no runners-up are kept."""
    decoding = replace(run.choices.decoding, n_runners_up=0)
    return {width: search_again(run, replace(decoding, beam_size=width)) for width in WIDTHS}


def widths_table(trees: dict[int, BeamTree]) -> pd.DataFrame:
    """One line a width: beam_size, text, log_prob, length, score."""
    best = {width: tree.hypothesis(tree.best) for width, tree in trees.items()}
    return pd.DataFrame(
        {
            "beam_size": [
                say("beam-width-greedy") if width == 1 else str(width) for width in trees
            ],
            "text": [best_text(tree) for tree in trees.values()],
            "log_prob": [best[width].cum_log_prob for width in trees],
            "length": [len(best[width].ids) for width in trees],
            "score": [best[width].score for width in trees],
        }
    )


def widths_message(lines: pd.DataFrame) -> Message:
    """How many outputs there are, and whether wider was better by the model's own score."""
    n_outputs = lines["text"].nunique()
    if n_outputs == 1:
        return Message("beam-width-same")
    first, last = lines["score"].iloc[0], lines["score"].iloc[-1]
    change = "raises" if last > first else "lowers" if last < first else "keeps"
    return Message.of(
        f"beam-width-{change}",
        n=n_outputs,
        best=lines.loc[lines["score"].idxmax(), "beam_size"],
    )


def _test_set(scene: BeamScene, card: CheckpointCard) -> None:
    rows = sweep_rows(card)
    if not rows:
        stored_box(card.lies(SEARCH))
        return
    plot_block(
        sweep_chart(rows, chosen=scene.tree.beam_size),
        key="beam_sweep",
        alt=say("beam-sweep-alt"),
        name=say("beam-sweep-file", name=card.name),
        numbers=lambda: pd.DataFrame(rows),
    )
    number = st.column_config.NumberColumn
    st.dataframe(
        pd.DataFrame(rows),
        key="beam_sweep_table",
        hide_index=True,
        column_config={
            "beam_size": say("beam-width"),
            "bleu": number(say("beam-sweep-bleu"), format="%.2f"),
            "mean_log_prob": number(say("beam-sweep-mean_log_prob"), format="%.3f"),
            "length_ratio": number(say("beam-sweep-length_ratio"), format="%.3f"),
            "seconds": number(say("beam-sweep-seconds-short"), format="%.4f"),
        },
        alt=say("beam-sweep-table-alt"),
    )
    st.caption(source_line(card.searches))
