"""Every head of the model on one sentence: an overview, and one head in six views."""

from __future__ import annotations

import streamlit as st

from ui import address
from ui.attention import arithmetic, find, matrix, pair, ribbons, together
from ui.attention.checks import show_checks
from ui.attention.scene import Scene, make_scene
from ui.controls import display_options, kind_switch, view_switch
from ui.examples import Example, example_of
from ui.focus import (
    apply_grid_click,
    apply_matrix_click,
    current_focus,
    find_link,
    focus_of,
    pickers,
    write_address,
)
from ui.panels import (
    guided_head,
    head_hints,
    open_buttons,
    overview_panel,
    shown_note,
    translation_panel,
    twin_button,
)
from ui.state import Run
from ui.words import head_name, page_text, say

VIEWS = {
    "matrix": matrix.show,
    "ribbons": ribbons.show,
    "find": find.show,
    "arithmetic": arithmetic.show,
    "together": together.show,
    "pair": pair.show,
}
OF_ONE_HEAD = ("matrix", "ribbons", "arithmetic", "pair")
MOST_COLUMNS_BESIDE = 33  # a wider matrix goes below the overview


def show(run: Run) -> None:
    example = example_of(run.translation.src.text)
    translation_panel(run.translation, run.translator.card.languages)
    twin_button(example)
    lab(run, example)


@st.fragment
def lab(run: Run, example: Example | None) -> None:
    """Everything below the translation; a click in it draws no more than this anew."""
    address.begin()
    translation, card = run.translation, run.translator.card
    maps = {attention.kind: attention for attention in translation.attention.maps}
    apply_grid_click(maps)
    actions = st.container(horizontal=True, vertical_alignment="bottom")
    with actions:
        kind = kind_switch()
    first_visit = "focus" not in st.session_state
    links = {name: find_link(name, translation, example) for name in maps}
    for name, attention in maps.items():
        wanted = first_visit and name == kind
        current_focus(name, attention, links[name], run.identity, from_address=wanted)
    with st.container(gap="xsmall"):
        hints = head_hints(kind, maps[kind], links[kind], card, focus_of(kind))
    with actions:
        open_buttons(kind, hints)

    with st.container(horizontal=True, vertical_alignment="bottom"):
        look = view_switch()
        display = display_options(kind)
    wide = look == "pair" or len(maps[kind].key_tokens) > MOST_COLUMNS_BESIDE
    left, right = st.columns([5, 8], gap="medium")
    with st.container() if wide else right:
        scene = make_scene(run, kind, maps[kind], links[kind], display)
        if look == "matrix":
            apply_matrix_click(kind, scene.raw, scene.shown)
            scene = scene.refreshed()
        _detail(scene, look)
    write_address(focus_of(kind))
    with left:
        marked = [(name, *head) for name in maps if (head := guided_head(card, name))]
        overview_panel(list(maps.values()), kind, marked=marked)
    with right if wide else left:
        st.markdown(page_text(f"attention_{kind}"))
        show_checks(scene)
    address.tidy()


def _detail(scene: Scene, look: str) -> None:
    """The title of the view, the menus for head and tokens, and the view."""
    focus, card = scene.focus, scene.run.translator.card
    title = say(f"view-attention-{look}")
    if look in OF_ONE_HEAD:
        title = head_name(focus.layer, focus.head).capitalize()
    guided = guided_head(card, scene.kind) == (focus.layer, focus.head)
    badge = " :orange-badge[guided]" if guided and look in OF_ONE_HEAD else ""
    st.markdown(f"##### {title}{badge}")
    pickers(scene.kind, scene.shown, scene.row_tokens)
    shown_note(scene.shown.hidden_mass, scene.display.words, scene.display.special)
    VIEWS[look](scene)


if (current := st.session_state.get("run")) is not None:
    show(current)
