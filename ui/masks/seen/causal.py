"""The causal mask: what it takes from one head, and a decoder that runs without it."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from analysis.arithmetic import Strip
from analysis.labels import distinct_labels, numbered_labels
from analysis.masking import HeadStages, head_stages
from analysis.measures import strongest_head
from records import AttentionMap
from ui.focus import click_count, link_of, take_click
from ui.kit.blocks import head_picker, picture
from ui.kit.controls import button, place_menu, toggle
from ui.kit.layout import control_row, finding, settings
from ui.masks.choices import causal_map
from ui.state import Run
from ui.words import head_name, plain, say
from viz.masking import stages_figure, stages_table
from viz.stages import strips_figure
from words import numbers

from .peek import show_peek


def show(run: Run) -> None:
    attention = causal_map(run)
    every = [[head_stages(scores, attention.mask) for scores in of] for of in attention.scores]
    with settings():
        with control_row():
            layer, head = head_picker("seen", attention.n_layers, attention.n_heads, address=True)
            row = _row_picker(run, attention)
        open_best("seen", np.array([[s.mean_moved for s in of] for of in every]), (layer, head))
        peeking = "change-causal" in run.capabilities and toggle(
            "seen_peek", words="masks-seen-peek"
        )
    stages, tokens = every[layer][head], attention.query_tokens
    told: dict[str, Any] = {"layer": layer + 1, "head": head + 1, "text": run.translation.src.text}
    if peeking:
        show_peek(run, attention, layer, head)
        st.markdown(f"## {say('masks-seen-with')}\n\n{moved_words(stages)}")
    else:
        finding(moved_words(stages))
    picture(
        "masks-seen-stages",
        stages_figure(stages, tokens, tokens, row=row, click=click_count("seen_stages")),
        key="seen_stages",
        clicks=True,
        numbers=lambda: stages_table(stages, tokens, tokens),
        **told,
    )
    st.markdown(row_words(stages, tokens, row))
    _row_numbers(stages, attention, row, attention.head(layer, head)[row], told)


def open_best(key: str, per_head: np.ndarray, shown: tuple[int, int]) -> None:
    """A button to the head with the largest number, where another one is open.

    `key` is that of the `ui.kit.blocks.head_picker`; ``masks-<key>-best`` says what is largest.
    """
    best = strongest_head(per_head)
    if best != shown and per_head[best] > 0:
        words = f"masks-{key.replace('_', '-')}-best"
        button(
            f"{key}_best",
            st.session_state.update,
            {f"{key}_layer": best[0], f"{key}_head": best[1]},
            words=words,
            icon="arrow_forward",
            values={"head": head_name(*best), "share": numbers.fixed(per_head[best])},
        )


def moved_words(stages: HeadStages) -> str:
    """The share that the mask moves, over all rows."""
    n_rows = int((~stages.mask.all(axis=1)).sum())
    if not n_rows:
        return say("masks-seen-one-position")
    return say("masks-seen-moved", share=numbers.fixed(stages.mean_moved), n=n_rows)


def row_words(stages: HeadStages, tokens: tuple[str, ...], row: int) -> str:
    """The share that the mask moves in one row."""
    last = "-last" if stages.mask[row].all() else ""
    who, share = plain(distinct_labels(tokens)[row]), numbers.fixed(stages.moved[row])
    return say(f"masks-seen-row{last}", token=who, share=share)


def _row_numbers(
    stages: HeadStages, attention: AttentionMap, row: int, used: np.ndarray, told: dict[str, Any]
) -> None:
    seen, tokens = stages.mask[row], attention.query_tokens
    strips = (
        Strip("masks-seen-strip-score", stages.scores[row], "signed"),
        Strip("masks-seen-strip-mask", stages.added[row], "mask", seen),
        Strip("masks-seen-strip-exp", stages.terms[row], "share", seen),
        Strip("masks-seen-strip-weight", stages.weights[row], "share", seen),
        Strip("masks-seen-strip-free", stages.free_weights[row], "share"),
    )
    cells = stages_table(stages, tokens, tokens)
    picture(
        "masks-seen-row",
        strips_figure(strips, tokens, kind=attention.site),
        key="seen_row_numbers",
        numbers=lambda: cells[cells["q"] == row].reset_index(drop=True),
        row=row + 1,
        difference=numbers.scientific(float(np.abs(stages.weights[row] - used).max())),
        **told,
    )


def _row_picker(run: Run, attention: AttentionMap) -> int:
    labels, link = numbered_labels(attention.query_tokens), link_of(run, attention)
    take_click("seen_row", range(len(labels)), "seen_stages", "cell", "q")
    return place_menu(
        "seen_row",
        labels,
        words="masks-seen-query",
        default=link.rows[0] if link else len(labels) // 2,
        of=run.identity,
        width=160,
    )
