"""The attention page below the translation: all heads of a run, and a view of the open one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from records import AttentionMap, TokenSequence, Translation
from ui import address
from ui.choice import kept_choice
from ui.controls import Display, display_options, item_menu, rows_produced
from ui.focus import current_focus, focus_of, link_of, pickers, write_address
from ui.guard import fragment
from ui.kit.layout import controls
from ui.panels import guided_heads, search_numbers, shown_note
from ui.state import Run
from ui.views import BODY, Page, View, name_unfit, view_switch
from ui.words import current_words, has_single_head, head_name, language_names, page_text, say

from .checks import show_checks
from .drawing import BADGE_NAMES, draw_heads
from .hints import about_heads, head_hints, measured_head, open_buttons
from .matrix import words_of
from .pair import compare_button
from .scene import MOST_COLUMNS_BESIDE, Scene, make_scene

DRAWN_FOR = "heads_drawn_for"
OF_ONE_HEAD = ("ribbons", "arithmetic", "space", "pair")


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
    with st.container(horizontal=True, gap="small", key="worth_a_look"):
        open_buttons(kind, head_hints(run, attention, links[kind]))
        compare_button(run)
    name_unfit(run, page)
    if view is None:
        return
    _focus_all(run, maps, links, kind)
    displays = {name: display if name == kind else _elsewhere(maps[name], display) for name in maps}
    scenes = {name: make_scene(run, name, maps[name], links[name], displays[name]) for name in maps}
    if view.id == "matrix":
        fragment(_open_head, key="open_head")(scenes, badge)
    else:
        _beside(scenes, kind, badge, view)
    _explained(run, scenes[kind], display)
    st.session_state[DRAWN_FOR] = kind


def _elsewhere(attention: AttentionMap, display: Display) -> Display:
    """How a site is shown whose rows cannot be named at the moment: as they were last."""
    produced = attention.output_tokens is not None and rows_produced(attention.site)
    return replace(display, produced=produced)


def _focus_all(run: Run, maps: Mapping[str, AttentionMap], links: Mapping, kind: str) -> None:
    """Make or mend what is open at every site; the address speaks for the one on screen."""
    asked = "focus" not in st.session_state or address.by_history()
    for name, attention in maps.items():
        current_focus(
            name,
            attention,
            links[name],
            run.identity,
            measured=measured_head(run.translator.card, attention),
            from_address=asked and name == kind,
        )


def _open_head(scenes: Mapping[str, Scene], badge: str) -> None:
    """All heads and the open one, which the browser draws, and what is said of it."""
    state = st.session_state
    kind, badge = state.get("kind"), state.get("badge", badge)
    kind = kind if kind in scenes else next(iter(scenes))
    address.write("badge", None if badge == BADGE_NAMES[0] else badge)
    scenes = {name: scene.refreshed() for name, scene in scenes.items()}
    draw_heads(scenes, kind, badge, panel=True, on_kind=_draw_body_for)
    words_of(scenes, kind, badge)


def _draw_body_for(kind: str) -> None:
    """Draw all around the heads anew, unless it was drawn to its end for this site."""
    if st.session_state.get(DRAWN_FOR) != kind:
        st.rerun(BODY)


def _beside(scenes: Mapping[str, Scene], kind: str, badge: str, view: View) -> None:
    """Another view of the open head, beside all heads or, where it needs the width, above them."""
    scene = scenes[kind]
    if has_single_head():  # nothing to choose from stands beside it
        draw_heads(scenes, kind, badge, panel=False)
        _detail(scene, view)
    elif view.id == "pair" or len(scene.raw.key_tokens) > MOST_COLUMNS_BESIDE:
        _detail(scene, view)
        draw_heads(scenes, kind, badge, panel=False)
    else:
        left, right = st.columns([5, 8], gap="medium")
        with right:
            _detail(scene, view)
        with left:
            scenes = {name: each.refreshed() for name, each in scenes.items()}
            draw_heads(scenes, kind, badge, panel=False)
    write_address(focus_of(kind))


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
    view.show(scene)


def _explained(run: Run, scene: Scene, display: Display) -> None:
    """What was done to the weights, what this site of attention is, and the self-check."""
    shown_note(scene.shown.hidden_mass, display.words, display.special)
    single = "_single" if has_single_head() else ""
    st.markdown(page_text(f"reading{single}"))
    if current_words().has_page(f"attention_{scene.kind}{single}"):
        source, target = language_names(run.translator.card.languages)
        text = page_text(f"attention_{scene.kind}{single}")
        st.markdown(text.format(source=source, target=target))
    show_checks(scene)
    translation = run.translation
    if isinstance(translation, Translation) and isinstance(run.record.src, TokenSequence):
        st.caption(search_numbers(translation))
