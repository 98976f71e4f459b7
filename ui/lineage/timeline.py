"""From 2014 to 2019: what was new, which equation changed, and the checkpoint that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from records import Outline
from ui.state import Run, open_checkpoint, outlines
from ui.words import say


@dataclass(frozen=True)
class Event:
    """A paper of the lineage.

    Attributes
    ----------
    id : in the messages, ``timeline-<id>`` and ``timeline-<id>-new``.
    equation : what changed, as KaTeX.
    architecture : of the checkpoints that show it.
    best : name of the one to open, where there are several.
    """

    id: str
    year: int
    equation: str
    architecture: str
    best: str = ""


EVENTS = (
    Event(
        "cho",
        2014,
        r"\mathbf{c} = \tanh(V \mathbf{h}_N), \quad "
        r"\mathbf{s}_t = f(\mathbf{s}_{t-1}, y_{t-1}, \mathbf{c})",
        "rnn-encoder-decoder",
    ),
    Event(
        "sutskever",
        2014,
        r"p(y_1 \dots y_T \mid x_N, \dots, x_1) = \prod_t p(y_t \mid \mathbf{v}, y_{<t})",
        "lstm-seq2seq",
        "sutskever",
    ),
    Event(
        "bahdanau",
        2015,
        r"e_{ij} = \mathbf{v}^\top \tanh(W \mathbf{s}_{i-1} + U \mathbf{h}_j), \quad "
        r"\mathbf{c}_i = \sum_j \alpha_{ij} \mathbf{h}_j",
        "additive-attention",
    ),
    Event(
        "luong",
        2015,
        r"\mathrm{score}(\mathbf{h}_t, \bar{\mathbf{h}}_s) = \mathbf{h}_t^\top W \bar{\mathbf{h}}_s"
        r", \quad \tilde{\mathbf{h}}_t = \tanh(W_c [\mathbf{c}_t; \mathbf{h}_t])",
        "luong-attention",
        "luong-global-general",
    ),
    Event(
        "captioner",
        2015,
        r"\hat{\mathbf{z}}_t = \sum_{i=1}^{L} \alpha_{ti}\, \mathbf{a}_i",
        "captioner",
        "captions-soft",
    ),
    Event(
        "hierarchical",
        2016,
        r"\alpha_{it} = \frac{\exp(\mathbf{u}_{it}^\top \mathbf{u}_w)}"
        r"{\sum_t \exp(\mathbf{u}_{it}^\top \mathbf{u}_w)}",
        "hierarchical-attention",
        "documents-han",
    ),
    Event(
        "vaswani",
        2017,
        r"\mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
        "transformer",
        "transformer",
    ),
    Event(
        "bert",
        2019,
        r"p(x_i \mid x_1 \dots x_{i-1}, \texttt{[MASK]}, x_{i+1} \dots x_N)",
        "masked-language-model",
        "masked-lm",
    ),
)


def show(run: Run) -> None:
    installed = list(filter(None, outlines().values()))
    for event in EVENTS:
        _event(event, checkpoint_for(event, installed), run.choices.checkpoint)


def checkpoint_for(event: Event, installed: Sequence[Outline]) -> str | None:
    """The checkpoint that shows an event; one that was trained for the lineage before others."""
    fitting = [each for each in installed if each.architecture == event.architecture]
    fitting.sort(
        key=lambda each: (
            each.name.removeprefix("lineage-") != event.best,
            not each.of_lineage,
            each.name,
        )
    )
    return fitting[0].name if fitting else None


def _event(event: Event, checkpoint: str | None, opened: str) -> None:
    with st.container(border=True, key=f"timeline_{event.id}", gap="small"):
        title = say(f"timeline-{event.id}")
        st.markdown(f"## {event.year} · {title}")
        st.markdown(say(f"timeline-{event.id}-new"))
        st.markdown(f"${event.equation}$")
        if checkpoint is None:
            st.caption(say("timeline-not-installed"))
        elif checkpoint == opened:
            st.caption(say("timeline-opened"))
        else:
            if st.button(
                say("timeline-open"),
                key=f"timeline_open_{event.id}",
                icon=":material/open_in_new:",
                help=say("timeline-open-help", title=title),
                on_click=open_checkpoint,
                args=(checkpoint,),
            ):
                st.rerun()  # the menu of checkpoints stands outside of what a click draws anew
