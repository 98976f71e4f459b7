"""What the width of the beam does: on this sentence, and over the test set."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from analysis.hypotheses import outputs_table
from model import ModelError
from records import BeamTree, CheckpointCard
from records.measurements import SEARCH
from ui.beam.scene import BeamScene, outputs
from ui.beam.searches import search_again
from ui.kit.blocks import picture, table
from ui.kit.layout import finding, folded
from ui.state import Run, show_problem
from ui.stored import source_line, stored_box
from ui.words import current_words, say
from viz.sweep import MEASURES, sweep_chart
from words import Message

WIDTHS = (1, 2, 3, 5, 10, 20)
FORMATS = {"bleu": "%.2f", "mean_log_prob": "%.3f", "length_ratio": "%.3f", "seconds": "%.4f"}


def show(scene: BeamScene) -> None:
    try:
        lines = widths_table(widths_of(scene.run))
    except ModelError as error:
        show_problem(error)
        return
    finding(current_words().of(widths_message(lines)))
    outputs("beam-width", lines, key="beam_widths", hidden=("penalty", "finished"))
    st.markdown("## " + say("beam-width-test-set"))
    card = scene.run.translator.card
    rows = sweep_rows(card)
    if rows.empty:
        stored_box(card.lies(SEARCH))
        return
    drawn = sweep_chart(rows.to_dict("records"), chosen=scene.tree.beam_size)
    picture("beam-sweep", drawn, key="beam_sweep", numbers=lambda: rows, name=card.name)
    how = {"words": "beam-sweep", "formats": FORMATS}
    table("beam-sweep-table", rows, key="beam_sweep_table", **how)
    with folded("reading"):
        st.caption(source_line(card.searches))


def widths_of(run: Run) -> dict[int, BeamTree]:
    """The search with every width, all other choices as they are; no runners-up are kept."""
    decoding = replace(run.choices.decoding, n_runners_up=0)
    return {width: search_again(run, replace(decoding, beam_size=width)) for width in WIDTHS}


def widths_table(trees: dict[int, BeamTree]) -> pd.DataFrame:
    """The `outputs_table` of each width, which the column beam_size names."""
    lines = outputs_table([tree.hypothesis(tree.best) for tree in trees.values()])
    names = [say("beam-width-greedy") if width == 1 else str(width) for width in trees]
    lines.insert(0, "beam_size", names)
    return lines


def widths_message(lines: pd.DataFrame) -> Message:
    """How many outputs there are, and whether wider was better by the model's own score."""
    n_outputs = lines["text"].nunique()
    if n_outputs == 1:
        return Message("beam-width-same")
    first, last = lines["score"].iloc[0], lines["score"].iloc[-1]
    change = "raises" if last > first else "lowers" if last < first else "keeps"
    best = lines.loc[lines["score"].idxmax(), "beam_size"]
    return Message.of(f"beam-width-{change}", n=n_outputs, best=best)


def sweep_rows(card: CheckpointCard) -> pd.DataFrame:
    """What was measured over the test set, one line a width: beam_size and the measures."""
    names = ["beam_size", *(name for name, *_ in MEASURES)]
    return pd.DataFrame(card.searches.get("sweep", []), columns=names)
