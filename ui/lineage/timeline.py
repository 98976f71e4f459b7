"""From 2014 to 2019: what was new, which equation changed, and the checkpoint that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.card import Outline
from ui.kit.blocks import picture
from ui.kit.controls import button
from ui.kit.layout import caption, finding, paragraph
from ui.state import Run, open_checkpoint, outlines
from ui.words import say
from viz.lineage import paper_line


@dataclass(frozen=True)
class Event:
    id: str
    at: float  # when its conference was, in years
    kind: str
    architecture: str
    best: str = ""  # the checkpoint to open, where there are several


KINDS = ("vector", "attention", "self")
EVENTS = (
    Event("cho", 2014.8, "vector", "rnn-encoder-decoder"),
    Event("sutskever", 2014.95, "vector", "lstm-seq2seq", "sutskever"),
    Event("bahdanau", 2015.35, "attention", "additive-attention"),
    Event("luong", 2015.7, "attention", "luong-attention", "luong-global-general"),
    Event("captioner", 2015.5, "attention", "captioner", "captions-soft"),
    Event("hierarchical", 2016.45, "attention", "hierarchical-attention", "documents-han"),
    Event("vaswani", 2017.95, "self", "transformer", "transformer"),
    Event("bert", 2019.4, "self", "masked-language-model", "masked-lm"),
)
EQUATIONS = {
    "cho": r"\mathbf{c} = \tanh(V \mathbf{h}_N), \quad "
    r"\mathbf{s}_t = f(\mathbf{s}_{t-1}, y_{t-1}, \mathbf{c})",
    "sutskever": r"p(y_1 \dots y_T \mid x_N, \dots, x_1) = \prod_t p(y_t \mid \mathbf{v}, y_{<t})",
    "bahdanau": r"e_{ij} = \mathbf{v}^\top \tanh(W \mathbf{s}_{i-1} + U \mathbf{h}_j), \quad "
    r"\mathbf{c}_i = \sum_j \alpha_{ij} \mathbf{h}_j",
    "luong": r"\mathrm{score}(\mathbf{h}_t, \bar{\mathbf{h}}_s) = \mathbf{h}_t^\top W "
    r"\bar{\mathbf{h}}_s, \quad \tilde{\mathbf{h}}_t = \tanh(W_c [\mathbf{c}_t; \mathbf{h}_t])",
    "captioner": r"\hat{\mathbf{z}}_t = \sum_{i=1}^{L} \alpha_{ti}\, \mathbf{a}_i",
    "hierarchical": r"\alpha_{it} = \frac{\exp(\mathbf{u}_{it}^\top \mathbf{u}_w)}"
    r"{\sum_t \exp(\mathbf{u}_{it}^\top \mathbf{u}_w)}",
    "vaswani": r"\mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
    "bert": r"p(x_i \mid x_1 \dots x_{i-1}, \texttt{[MASK]}, x_{i+1} \dots x_N)",
}
"""What each paper changed, as KaTeX."""


def show(run: Run) -> None:
    installed, opened = list(filter(None, outlines().values())), run.choices.checkpoint
    there = {event.id: checkpoint_for(event, installed) for event in EVENTS}
    kinds = {kind: say(f"timeline-kind-{kind}") for kind in KINDS}
    papers = pd.DataFrame(
        {
            "label": say(f"timeline-{event.id}"),
            "at": event.at,
            "told": str(int(event.at)),
            "kind": kinds[event.kind],
            "marked": there[event.id] == opened,
        }
        for event in EVENTS
    )
    years = {"first": papers["told"].min(), "last": papers["told"].max()}
    sizes = {"n": len(EVENTS), "there": sum(map(bool, there.values()))}
    finding(say("timeline-found", **sizes, **years))
    line, numbers = paper_line(papers, tuple(kinds.values())), papers[["label", "at", "kind"]]
    picture("timeline", line, numbers=numbers, **sizes, **years)
    for start in range(0, len(EVENTS), 2):
        for column, event in zip(st.columns(2), EVENTS[start : start + 2], strict=False):
            with column:
                _event(event, there[event.id], opened)


def checkpoint_for(event: Event, installed: Sequence[Outline]) -> str | None:
    """The checkpoint that shows an event; one that was trained for the lineage before others."""

    def order(each: Outline) -> tuple[bool, bool, str]:
        return each.name.removeprefix("lineage-") != event.best, not each.of_lineage, each.name

    fitting = (each for each in installed if each.architecture == event.architecture)
    found = min(fitting, key=order, default=None)
    return found.name if found else None


def _event(event: Event, checkpoint: str | None, opened: str) -> None:
    with st.container(border=True, key=f"timeline_{event.id}", gap="small"):
        title = say(f"timeline-{event.id}")
        st.markdown(f"## {int(event.at)} · {title}")
        paragraph(f"timeline-{event.id}-new")
        st.markdown(f"${EQUATIONS[event.id]}$")
        if checkpoint is None:
            caption("timeline-not-installed")
        elif checkpoint == opened:
            caption("timeline-opened")
        else:
            how = {"words": "timeline-open", "icon": "open_in_new", "values": {"title": title}}
            button(f"timeline_open_{event.id}", open_checkpoint, checkpoint, **how)
