"""The attention page below the translation: one site, its heads side by side, and a view of one."""

from __future__ import annotations

import streamlit as st

from records import AttentionMap
from ui.controls import display_options, item_menu, site_switch
from ui.focus import (
    apply_grid_click,
    apply_matrix_click,
    current_focus,
    focus_of,
    link_of,
    pickers,
    write_address,
)
from ui.panels import guided_heads, shown_note
from ui.state import Run
from ui.views import Page, View, name_unfit, view_switch
from ui.words import current_words, head_name, language_names, page_text, say

from .checks import show_checks
from .hints import head_hints, open_buttons
from .overview import overview_panel
from .scene import Scene, make_scene

OF_ONE_HEAD = ("matrix", "ribbons", "arithmetic", "pair")
MOST_COLUMNS_BESIDE = 33  # a wider matrix goes below the overview


def lab(run: Run, page: Page) -> None:
    """Everything below the translation; a click in it draws no more than this anew."""
    sites = run.record.sites
    if not sites:
        view_switch(run, page)
        name_unfit(run, page)
        return
    maps = {site.name: run.record.of(site.name) for site in sites}
    apply_grid_click(maps)
    actions = st.container(horizontal=True, vertical_alignment="bottom")
    with actions:
        kind = site_switch(tuple(maps))
        maps[kind] = _map_of(run, kind)
    first_visit = "focus" not in st.session_state
    links = {name: link_of(run, attention) for name, attention in maps.items()}
    for name, attention in maps.items():
        wanted = first_visit and name == kind
        current_focus(name, attention, links[name], run.identity, from_address=wanted)
    hints = head_hints(run, maps[kind], links[kind], focus_of(kind))
    with actions:
        open_buttons(kind, hints)

    raw = maps[kind]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        view = view_switch(run, page)
        display = display_options(raw.site, names_produced=raw.output_tokens is not None)
    name_unfit(run, page)
    if view is None:
        return
    wide = view.id == "pair" or len(raw.key_tokens) > MOST_COLUMNS_BESIDE
    left, right = st.columns([5, 8], gap="medium")
    with st.container() if wide else right:
        scene = make_scene(run, kind, raw, links[kind], display)
        if view.id == "matrix":
            apply_matrix_click(kind, scene.raw, scene.shown)
            scene = scene.refreshed()
        _detail(scene, view)
    write_address(focus_of(kind))
    with left:
        guided = guided_heads(run.translator.card, sites[0].name)
        marked = [(name, *head) for name, head in guided.items() if name in maps]
        overview_panel(list(maps.values()), kind, marked=marked)
    with right if wide else left:
        if current_words().has_page(f"attention_{kind}"):
            source, target = language_names(run.translator.card.languages)
            st.markdown(page_text(f"attention_{kind}").format(source=source, target=target))
        show_checks(scene)


def _map_of(run: Run, kind: str) -> AttentionMap:
    """The map of a site; the reader chooses where there are several."""
    items = [each.item for each in run.record.maps if each.kind == kind]
    return run.record.of(kind, item_menu(kind, items) if len(items) > 1 else items[0])


def _detail(scene: Scene, view: View) -> None:
    """The title of the view, the menus for head and tokens, and the view."""
    focus, title = scene.focus, say(f"view-attention-{view.id}")
    if view.id in OF_ONE_HEAD:
        title = head_name(focus.layer, focus.head, title=True)
    heads = guided_heads(scene.run.translator.card, scene.run.record.sites[0].name)
    guided = heads.get(scene.kind) == (focus.layer, focus.head)
    badge = f" :orange-badge[{say('guided')}]" if guided and view.id in OF_ONE_HEAD else ""
    st.markdown(f"## {title}{badge}")
    pickers(scene.kind, scene.shown, scene.row_tokens)
    shown_note(scene.shown.hidden_mass, scene.display.words, scene.display.special)
    view.show(scene)
