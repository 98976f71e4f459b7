"""The attention page below the translation: all heads of a run, and a view of the open one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from records import AttentionMap
from ui import address
from ui.controls import Display, display_options, item_menu, rows_produced
from ui.focus import Link, current_focus, focus_of, link_of, pickers, write_address
from ui.guard import fragment
from ui.kit.controls import kept_choice
from ui.kit.layout import controls, finding, folded, settings
from ui.panels import shown_note
from ui.state import Run
from ui.views import BODY, Page, View, name_unfit, view_switch
from ui.words import current_words, has_single_head, language_names, page_text

from .checks import show_checks
from .drawing import BADGE_NAMES, draw_heads
from .hints import about_heads, measured_head, open_buttons
from .overview import matrix_export, overview_export
from .pair import compare_button
from .scene import MOST_COLUMNS_BESIDE, Scene, make_scene

DRAWN_FOR = "heads_drawn_for"


def lab(run: Run, page: Page) -> None:
    """Everything below the translation; a click in it draws no more than this anew."""
    sites = run.record.sites
    if not sites:
        view_switch(run, page)
        name_unfit(run, page)
        return
    st.session_state[DRAWN_FOR] = None  # until all is drawn: another choice may break it off
    maps = {site.name: run.record.of(site.name) for site in sites}
    links = {name: link_of(run, attention) for name, attention in maps.items()}
    known = (name for name, link in links.items() if link and link.columns)
    kind = kept_choice("kind", tuple(maps), default=next(known, None))
    badge = kept_choice("badge", BADGE_NAMES)
    view = view_switch(run, page)
    with controls():
        maps[kind] = attention = _map_of(run, kind)
        display = display_options(
            attention.site, names_produced=attention.output_tokens is not None
        )
        about_heads(run, attention, links[kind])
    if view is not None:
        scenes = _scenes(run, maps, links, kind, display)
        if view.id == "matrix":
            fragment(_open_head, key="open_head")(scenes)
        else:
            _beside(scenes, kind, badge, view)
        with st.container(horizontal=True, gap="small", key="worth_a_look"):
            open_buttons(run, attention, links[kind])
            compare_button(run)
        _explained(scenes[kind], display)
        st.session_state[DRAWN_FOR] = kind
    name_unfit(run, page)


def _scenes(
    run: Run,
    maps: Mapping[str, AttentionMap],
    links: Mapping[str, Link | None],
    kind: str,
    display: Display,
) -> dict[str, Scene]:
    asked = "focus" not in st.session_state or address.by_history()
    scenes = {}
    for name, attention in maps.items():
        current_focus(
            name,
            attention,
            links[name],
            run.identity,
            measured=measured_head(run.translator.card, attention),
            from_address=asked and name == kind,
        )
        produced = attention.output_tokens is not None and rows_produced(attention.site)
        shown = replace(display, produced=produced)
        scenes[name] = make_scene(run, name, attention, links[name], shown)
    return scenes


def _open_head(scenes: Mapping[str, Scene]) -> None:
    kind, badge = st.session_state.get("kind"), kept_choice("badge", BADGE_NAMES)
    kind = kind if kind in scenes else next(iter(scenes))
    scenes = {name: scene.refreshed() for name, scene in scenes.items()}
    scene = scenes[kind]
    write_address(scene.focus)
    with st.container(gap="xsmall"):
        finding(scene.readout)
        draw_heads(scenes, kind, badge, panel=True, on_kind=_draw_body_for)
    with st.container(horizontal=True):
        matrix_export(scene)
        if not has_single_head():
            overview_export(scenes, kind, badge)


def _draw_body_for(kind: str) -> None:
    if st.session_state.get(DRAWN_FOR) != kind:
        st.rerun(BODY)


def _beside(scenes: Mapping[str, Scene], kind: str, badge: str, view: View) -> None:
    scene = scenes[kind]
    with settings():
        pickers(kind, scene.shown, scene.row_tokens)
    over = view.id == "pair" or len(scene.raw.key_tokens) > MOST_COLUMNS_BESIDE
    if over or has_single_head():
        more = view.show(scene)
        left = st.container()
    else:
        left, right = st.columns([5, 8], gap="medium")
        with right:
            more = view.show(scene)
    with left:
        scenes = {name: each.refreshed() for name, each in scenes.items()}
        draw_heads(scenes, kind, badge, panel=False)
    if more:
        more()
    write_address(focus_of(kind))


def _map_of(run: Run, kind: str) -> AttentionMap:
    items = [each.item for each in run.record.maps if each.kind == kind]
    return run.record.of(kind, item_menu(kind, items) if len(items) > 1 else items[0])


def _explained(scene: Scene, display: Display) -> None:
    shown_note(scene.shown.hidden_mass, display.words, display.special)
    show_checks(scene)
    single = "_single" if has_single_head() else ""
    with folded("reading"):
        st.markdown(page_text(f"reading{single}"))
        if current_words().has_page(f"attention_{scene.kind}{single}"):
            source, target = language_names(scene.run.translator.card.languages)
            text = page_text(f"attention_{scene.kind}{single}")
            st.markdown(text.format(source=source, target=target))
