"""Every head of the model on one sentence: an overview, and one head in detail."""

from __future__ import annotations

import streamlit as st

from ui.controls import (
    KIND_TITLES,
    contrast_toggle,
    kind_switch,
    row_label_switch,
)
from ui.examples import example_of
from ui.focus import (
    apply_clicks,
    click_count,
    current_focus,
    find_link,
    pickers,
    write_address,
)
from ui.panels import (
    figure_alt,
    guided_head,
    head_hints,
    open_buttons,
    overview_panel,
    row_readout,
    show_figure,
    translation_panel,
    twin_button,
)
from ui.state import View, is_dark
from ui.words import head_name, page_text
from viz.heatmap import attention_heatmap

MOST_COLUMNS_BESIDE = 33  # a wider matrix goes below the overview


def show(view: View) -> None:
    translation, card = view.translation, view.translator.card
    example = example_of(translation.src.text)
    translation_panel(translation, card.languages)
    actions = st.container(horizontal=True, vertical_alignment="bottom")
    with actions:
        kind = kind_switch()
        twin_button(example)
    attention = translation.attention.of(kind)
    link = find_link(kind, translation, example)
    current_focus(kind, attention, link, view.identity)
    focus = apply_clicks(kind, attention)
    write_address(focus)
    guided = guided_head(card, kind)
    dark = is_dark()
    with st.container(gap="xsmall"):
        worth_opening = head_hints(kind, attention, link, card, focus)
    with actions:
        open_buttons(kind, worth_opening)

    side_by_side = len(attention.key_tokens) <= MOST_COLUMNS_BESIDE
    parts = st.columns([6, 7], gap="medium") if side_by_side else (st.container(), st.container())
    overview, detail = parts
    with overview:
        st.markdown(f"##### All heads of {KIND_TITLES[kind]}")
        overview_panel(kind, attention, focus, link, marked=guided)
        st.markdown(page_text(f"attention_{kind}"))

    with detail:
        title = f"##### {head_name(focus.layer, focus.head).capitalize()}"
        is_guided = guided == (focus.layer, focus.head)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(title + (" :orange-badge[guided]" if is_guided else ""), width="content")
            produced = row_label_switch(kind)
            contrast = contrast_toggle()
        row_tokens = attention.output_tokens if produced else attention.query_tokens
        matrix = attention_heatmap(
            attention,
            focus.layer,
            focus.head,
            row_tokens=row_tokens,
            locked_row=focus.row,
            locked_column=focus.column,
            contrast=contrast,
            click=click_count(f"{kind}_matrix"),
            dark=dark,
        )
        show_figure(matrix, key=f"{kind}_matrix", alt=figure_alt("matrix", kind, attention))
        row_readout(attention, focus, row_tokens)
        pickers(kind, attention, row_tokens)
        st.markdown(page_text("reading"))


if (current := st.session_state.get("view")) is not None:
    show(current)
