"""The causal mask: what it takes from one head, and a decoder that runs without it."""

from __future__ import annotations

import numpy as np
import streamlit as st

from analysis.arithmetic import Strip
from analysis.labels import distinct_labels, numbered_labels
from analysis.masking import HeadStages, head_stages
from records import AttentionMap
from ui import address
from ui.choice import choice
from ui.focus import click_count, clicked, link_of
from ui.kit.blocks import figure_block, head_picker
from ui.masks.choices import causal_map
from ui.state import Run
from ui.words import head_name, plain, say
from viz.masking import stages_figure, stages_table
from viz.stages import strips_figure
from words import numbers

from .heads import open_best
from .peek import show_peek


def show(run: Run) -> None:
    attention = causal_map(run)
    moved = np.array(
        [
            [head_stages(scores, attention.mask).mean_moved for scores in layer]
            for layer in attention.scores
        ]
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        layer, head = head_picker("seen", attention.n_layers, attention.n_heads, address=True)
        row = _row_picker(run, attention)
        open_best("seen", moved, (layer, head))
        peeking = "change-causal" in run.capabilities and st.toggle(
            say("masks-seen-peek"),
            key="seen_peek",
            bind="query-params",
            help=say("masks-seen-peek-help"),
        )
    if peeking:
        st.markdown(f"## {say('masks-seen-without')}")
        show_peek(run, attention, layer, head)
        st.markdown(f"## {say('masks-seen-with')}")
    stages = head_stages(attention.scores[layer, head], attention.mask)
    tokens = attention.query_tokens
    click = click_count("seen_stages")
    place, text = {"layer": layer + 1, "head": head + 1}, run.translation.src.text
    figure_block(
        stages_figure(stages, tokens, tokens, row=row, click=click),
        key="seen_stages",
        alt=say("masks-seen-stages-alt", **place),
        name=say("masks-seen-stages-file", head=head_name(layer, head), text=text),
        clicks=True,
        numbers=lambda: stages_table(stages, tokens, tokens),
    )
    st.markdown(moved_words(stages, tokens, row))
    name = say("masks-seen-row-file", row=row + 1, head=head_name(layer, head), text=text)
    _row_numbers(stages, attention, row, attention.head(layer, head)[row], name)


def moved_words(stages: HeadStages, tokens: tuple[str, ...], row: int) -> str:
    """The share that the mask moves, over all rows and in the chosen one."""
    n_rows = int((~stages.mask.all(axis=1)).sum())
    if not n_rows:
        return say("masks-seen-one-position")
    who, share = plain(distinct_labels(tokens)[row]), numbers.fixed(stages.mean_moved)
    mean = say("masks-seen-moved", share=share, n=n_rows)
    if stages.mask[row].all():
        return f"{mean} {say('masks-seen-row-last', token=who)}"
    return f"{mean} {say('masks-seen-row', token=who, share=numbers.fixed(stages.moved[row]))}"


def _row_numbers(
    stages: HeadStages, attention: AttentionMap, row: int, used: np.ndarray, name: str
) -> None:
    """The chosen row as numbers, from its scores to its weights."""
    seen, tokens = stages.mask[row], attention.query_tokens
    strips = (
        Strip("masks-seen-strip-score", stages.scores[row], "signed"),
        Strip("masks-seen-strip-mask", stages.added[row], "mask", seen),
        Strip("masks-seen-strip-exp", stages.terms[row], "share", seen),
        Strip("masks-seen-strip-weight", stages.weights[row], "share", seen),
        Strip("masks-seen-strip-free", stages.free_weights[row], "share"),
    )
    cells = stages_table(stages, tokens, tokens)
    of_row = cells[cells["q"] == row].reset_index(drop=True)
    figure_block(
        strips_figure(strips, tokens, kind=attention.site),
        key="seen_row_numbers",
        alt=say("masks-seen-row-alt"),
        name=name,
        numbers=lambda: of_row,
    )
    difference = float(np.abs(stages.weights[row] - used).max())
    st.caption(say("masks-seen-row-caption", difference=numbers.scientific(difference)))


def _row_picker(run: Run, attention: AttentionMap) -> int:
    """The query whose numbers stand below, by menu or by a click; kept in the address from 1."""
    labels = numbered_labels(attention.query_tokens)
    memory = st.session_state.get("seen_row_memory")
    if memory is None or address.by_history():
        row = next(iter(address.read("seen_row") or ()), None)
    else:
        # The widget forgets its value while another part is open.
        row = st.session_state.get("seen_row", memory["row"])
        row = row if memory["identity"] == run.identity else None
    cell = clicked("seen_stages", "cell")
    if cell and isinstance(cell.get("q"), int):
        row = cell["q"]
    if row not in range(len(labels)):
        row = _opening_row(run, attention)
    st.session_state["seen_row"] = row
    st.session_state["seen_row_memory"] = {"identity": run.identity, "row": row}
    choice(
        "seen_row",
        range(len(labels)),
        words="masks-seen-query",
        style="select",
        address=False,
        text=lambda place: labels[place],
        width=160,
    )
    address.drawn("seen_row")
    address.write("seen_row", (row,))
    return row


def _opening_row(run: Run, attention: AttentionMap) -> int:
    """The row that reads the pronoun, where there is one; else the middle one."""
    link = link_of(run, attention)
    return link.rows[0] if link else len(attention.query_tokens) // 2
