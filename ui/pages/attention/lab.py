"""Attention page below the translation: all heads of a run, and a view of the open one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.records.attention import OF_LAYERS, AttentionMap, AttentionSite, Measure
from core.value_zeroing import zeroing_facts
from core.weights.checks import padding_check, self_check, shown_check, vectors_check
from core.weights.transform import SpecialTokens
from model.experiments.padding import padding_effect
from ui.architecture import show_map
from ui.frame.choices import OPTION, arrives, keep
from ui.frame.messages import (
    current_words,
    has_single_head,
    language_names,
    page_text,
    say,
    site_name,
    stated,
)
from ui.frame.model_cache import ask
from ui.frame.run import Run
from ui.kit.controls import choice, kept_choice, toggle
from ui.kit.export import export_menu
from ui.kit.focus import (
    Link,
    current_focus,
    focus_of,
    link_of,
    write_address,
)
from ui.kit.guard import fragment
from ui.kit.head_roles import measured_head, roles_in
from ui.kit.layout import controls, explain, finding, folded, keep_open, paragraph, warning
from ui.kit.norm import (
    as_measured,
    can_zero,
    measure_choice,
    name_lacking,
    sink,
    tell_measure,
    ticked,
)
from ui.pages.attention.breaks import breaks_menu
from ui.pages.attention.drawing import DrawnHeads, draw_heads, kept_badge, tell_open_head
from ui.pages.attention.linked_heads import about_heads, open_buttons
from ui.pages.attention.opening import Opening, opening_of, role_names, selection_at_link
from ui.pages.attention.roles import all_heads, card, headline_of
from ui.pages.attention.scene import (
    MOST_COLUMNS_BESIDE,
    MOST_DRAWN,
    AttentionScene,
    Display,
    head_menu_of,
    make_scene,
    matrix_figure,
    overview_export,
)
from ui.pages.attention.twin import compare_button
from ui.shell.projector import presents
from ui.shell.switch import name_unfit, view_switch
from ui.shell.view import BODY, OpenPage, View

SPECIAL: tuple[SpecialTokens, ...] = ("show", "hide", "renormalise")
# Session key: the open site for which the body was last drawn completely.
DRAWN_FOR = "heads_drawn_for"
# Session key: the text for which an address named a head without a site.
NAMED_HEAD = "text_with_head"
# Keys of the fragments of the matrix: its texts, and its files.
OPEN_HEAD = "open_head"
FILES = "open_head_files"
LONG_TEXT = 100  # tokens, from which they can be merged into sentences
WIDE = ("pair", "together")
"""Views that take the whole width of the page, above the heads."""


@dataclass(frozen=True, eq=False)
class SelectedMaps:
    """Maps that the controls of the page select, in the chosen measure."""

    run: Run  # in the chosen measure
    weighed: Run  # the same run, its maps as weights
    measure: Measure
    error: float | None  # of the vectors behind the measure, see `ui.kit.norm.as_measured`
    maps: Mapping[str, AttentionMap]  # by site, in the chosen measure
    site_id: str  # the open site
    weights: AttentionMap  # of the open site


def lab(run: Run, here: OpenPage) -> None:
    """Draw the body of the attention page."""
    if not run.record.sites:
        view_switch(run, here)
        name_unfit(run, here.page)
        return
    # Incomplete until the end: another choice may interrupt the run.
    st.session_state[DRAWN_FOR] = None
    maps = {site.name: run.record.of(site.name) for site in run.record.sites}
    links = {name: link_of(run, attention) for name, attention in maps.items()}
    opening = opening_of(tuple(maps.values()), role_names(roles_in(run)), links, run.pack)
    site_id = _site(run, maps, links, opening)
    view = view_switch(run, here)
    with controls():
        selected = _selected_maps(run, view, maps, site_id)
        display = _display_options(selected.weights)
        # Statements about single heads make no sense for a measure of whole layers.
        if selected.measure not in OF_LAYERS:
            about_heads(selected.weighed, selected.weights, links[selected.site_id])
        if view is not None and view.id == "matrix":
            breaks_menu(selected.weighed)
    if view is not None:
        scenes = _scenes(selected, links, opening, display)
        _draw_view(view, scenes, selected)
        _below(selected, scenes)
        # Only now is the body complete for this site.
        st.session_state[DRAWN_FOR] = selected.site_id
    name_unfit(selected.run, here.page)
    name_lacking(selected.run.translator)


def _draw_view(view: View, scenes: Mapping[str, AttentionScene], selected: SelectedMaps) -> None:
    """Draw the view with all heads: the matrix as a part of them, any other beside them."""
    if view.id != "matrix":
        _beside(scenes, selected.site_id, view)
        return
    with st.container(gap="xsmall"):
        show_map(selected.weighed, "attention", wide=True)
        _matrix(scenes)


def _matrix(scenes: Mapping[str, AttentionScene]) -> None:
    """Draw all heads with the open one as a matrix, and the texts and files of the open one.

    A click on a head redraws the texts alone, which are a fragment.
    """
    drawn = DrawnHeads.of(scenes, hides=True)
    with st.container():
        with st.container(gap="xsmall"):
            headline = st.container(key="headline")
            draw_heads(scenes, drawn, panel=True)
        fragment(_files, key=FILES)(scenes)
        fragment(_open_head, key=OPEN_HEAD)(scenes, drawn, headline)


def _site(
    run: Run,
    maps: Mapping[str, AttentionMap],
    links: Mapping[str, Link | None],
    opening: Opening | None,
) -> str:
    """Return the open site: the reader's choice, or the one of `opening`."""
    state = st.session_state
    linked_sites = (name for name, link in links.items() if link and link.columns)
    # In an address, a head without a site is one of the first that links a pronoun to its noun.
    plain_site = next(linked_sites, next(iter(maps)))
    text = run.src.text
    if arrives("kind"):
        state[NAMED_HEAD] = text if "layer" in st.query_params else None
    default = opening.site if opening and state.get(NAMED_HEAD) != text else plain_site
    if run.change:
        # A hidden word changes the weights, not what the reader looks at.
        default = state.get("kind", default)
    site = kept_choice("kind", tuple(maps), default=default if default in maps else plain_site)
    return keep("kind", OPTION, site, plain_site)


def _selected_maps(
    run: Run, view: View | None, maps: Mapping[str, AttentionMap], site_id: str
) -> SelectedMaps:
    """Draw the menus of item and measure, and return the maps that they select."""
    weights = run.record.of(site_id, _item(run, site_id))
    maps = {**maps, site_id: weights}
    measure = _measure(run, view)
    if measure == "weight":
        return SelectedMaps(run, run, measure, None, maps, site_id, weights)
    measured, error = as_measured(run, measure)
    record = measured.record
    # A measure may lack sites: value zeroing has encoder self-attention alone.
    maps = {
        name: record.of(name, attention.item)
        for name, attention in maps.items()
        if name in record.site_ids
    }
    if site_id not in maps:
        site_id = next(iter(maps))
        weights = run.record.of(site_id)
    return SelectedMaps(measured, run, measure, error, maps, site_id, weights)


def _item(run: Run, site_id: str) -> int | None:
    """Return the item of the site's map; with a menu if the site has several maps."""
    items = [attention.item for attention in run.record.maps if attention.site_id == site_id]
    if len(items) == 1:
        return items[0]
    return choice(
        f"{site_id}_item",
        items,
        words="item",
        style="select",
        text=lambda item: str(item + 1),
        address=False,
        width=120,
    )


def _display_options(attention: AttentionMap) -> Display:
    """Draw the menu of display options of a site.

    Rows with an output token can be named by it, which is the default of cross-attention.
    """
    site = attention.site
    longest = max(attention.weights.shape[2:])
    with st.popover(say("display"), icon=":material/tune:"):
        rows = "read"
        if attention.output_tokens is not None:
            rows = choice(
                f"{site.name}_rows",
                ("read", "produced"),
                words="rows",
                default=_row_names(site),
            )
        return Display(
            produced=rows == "produced",
            # Of very many keys, even the largest weights are pale on a scale to 1.
            contrast=toggle("contrast", longest > MOST_DRAWN, words="contrast"),
            words=toggle("words", words="merge-words"),
            sentences=(longest > LONG_TEXT and toggle("sentences", words="merge-sentences")),
            special=choice("special", SPECIAL, words="special", style="radio"),
            sums=toggle("sums", words="sums"),
        )


def _rows_produced(attention: AttentionMap) -> bool:
    """Return True if rows are named by output token, with or without the menu on screen."""
    site = attention.site
    return (
        attention.output_tokens is not None
        and st.session_state.get(f"{site.name}_rows", _row_names(site)) == "produced"
    )


def _row_names(site: AttentionSite) -> str:
    return "read" if site.is_self else "produced"


def _scenes(
    selected: SelectedMaps,
    links: Mapping[str, Link | None],
    opening: Opening | None,
    display: Display,
) -> dict[str, AttentionScene]:
    """Return the scene of each site; rows of a site off screen keep their last names."""
    run = selected.run
    # The address names the focus only on arrival; afterwards the session decides.
    is_arrival = arrives("focus")
    scenes = {}
    for name, attention in selected.maps.items():
        if opening is not None and opening.site == name:
            opens_with = opening.selection
        else:
            opens_with = selection_at_link(
                attention, links[name], measured_head(run.card, attention)
            )
        current_focus(
            name,
            attention,
            run.identity,
            opens_with,
            from_address=is_arrival and name == selected.site_id,
        )
        scenes[name] = make_scene(
            run,
            name,
            attention,
            links[name],
            replace(display, produced=_rows_produced(attention)),
            selected.weighed.record.of(name, attention.item),
        )
    return scenes


def _below(selected: SelectedMaps, scenes: Mapping[str, AttentionScene]) -> None:
    """Draw what stands below every view: heads worth opening, checks, all heads, explanations."""
    scene = scenes[selected.site_id]
    with st.container(horizontal=True, gap="small", key="worth_a_look"):
        if selected.measure not in OF_LAYERS:
            open_buttons(selected.weighed, selected.weights, scene.link)
        compare_button(selected.run)
    _display_note(scene)
    tell_measure(scene.raw)
    show_checks(scene, selected.error)
    all_heads(selected.run, scenes.values())
    _reading(scene)


def _display_note(scene: AttentionScene) -> None:
    """Draw a note on merged words and removed special tokens, if the reader chose them."""
    special = scene.display.special
    changes = ["words"] if scene.display.words else []
    if scene.display.sentences:
        changes = ["sentences"]
    if special != "show":
        changes.append(special)
    if changes:
        note = say(f"note-{'-'.join(changes)}", share=scene.regrouped.hidden_mass)
        st.caption(f":material/tune: {note}")


def _reading(scene: AttentionScene) -> None:
    """Draw the fold that explains the figure and the open site."""
    single = "_single" if has_single_head() else ""
    page = f"attention_{scene.site_id}{single}"
    fold = folded("reading", late=True)
    # None: the view has drawn the same fold, which does not wait until it is opened.
    if fold.open is False:
        return
    with fold:
        paragraph("zeroing" if scene.raw.measure == "zeroing" else f"reading{single}")
        if current_words().has_page(page):
            source, target = language_names(scene.run.card.languages)
            explain(page_text(page).format(source=source, target=target))


def _measure(run: Run, view: View | None) -> Measure:
    """Return the chosen measure; views of how weights are computed always show weights."""
    if view is None or "vectors" in view.needs:
        return "weight"
    more = ("zeroing",) if view.id == "matrix" and can_zero(run) else ()
    return measure_choice(run.translator, controls, title=False, more=more)


def _open_site(scenes: Mapping[str, AttentionScene]) -> str:
    """Return the open site; the browser may have opened another since the body was drawn."""
    site_id = st.session_state.get("kind")
    return site_id if site_id in scenes else next(iter(scenes))


def _files(scenes: Mapping[str, AttentionScene]) -> None:
    """Draw the menus of files of the open head and of all heads."""
    site_id = _open_site(scenes)
    scenes = {name: scene.refreshed() for name, scene in scenes.items()}
    scene = scenes[site_id]
    with st.container(horizontal=True):
        figure = partial(matrix_figure, scene, scene.rows, scene.columns)
        name = scene.file_name
        export_menu(figure, key=f"{site_id}_matrix_export", name=name, data=scene.export_data)
        if not has_single_head():
            badge, _ = kept_badge(scenes)
            overview_export(scenes, site_id, badge)


def _open_head(
    scenes: Mapping[str, AttentionScene], drawn: DrawnHeads, headline: DeltaGenerator
) -> None:
    """Draw the texts on the open head; the one above all heads goes into `headline`."""
    site_id = _open_site(scenes)
    badge, role = kept_badge(scenes)
    scenes = {name: scene.refreshed() for name, scene in scenes.items()}
    scene = scenes[site_id]
    write_address(scene.focus)
    above, below = _sentences(scene, badge)
    with headline:
        finding(above)
    tell_open_head(scenes, drawn, site_id, badge, role, panel=True, on_kind=_redraw_for)
    if below:
        st.markdown(below)
    head_role = scene.roles.get(scene.focus.place)
    # Roles were measured on weights.
    if head_role and scene.raw.measure == "weight":
        card(scene, head_role)


def _sentences(scene: AttentionScene, badge: str) -> tuple[str, str]:
    """Return the sentence above the open head, and those below it, which may be empty."""
    below = scene.readout if scene.rows else ""
    strongest = scene.strongest(badge)
    if scene.raw.measure == "weight":
        return headline_of(scene), _joined(strongest, below)
    beside = beside_weights(scene)
    # A measure of whole layers is stated before its strongest layer.
    if strongest and scene.raw.measure not in OF_LAYERS:
        return strongest, _joined(beside, below)
    return (beside, _joined(strongest, below)) if beside else (scene.readout, strongest)


def _joined(*sentences: str) -> str:
    return "\n\n".join(filter(None, sentences))


def beside_weights(scene: AttentionScene) -> str:
    """Return Markdown on the open layer beside its weights; empty if weights are shown."""
    layer = scene.focus.layer
    weighed = scene.weighed
    if scene.raw.measure != "zeroing":
        return sink(weighed, scene.raw, layer)
    facts = zeroing_facts(scene.raw.head(layer, 0), weighed.weights[layer].mean(0), scene.run.src)
    return stated("zeroing-found", layer=layer + 1, **facts)


def _redraw_for(site_id: str) -> None:
    """Rerun more than the texts where another choice of the reader asks for it (callback).

    That is the body, whose controls belong to one site, if another site was opened; and the files
    of the open head while their menu is open.
    """
    if st.session_state.get(DRAWN_FOR) != site_id:
        st.rerun(BODY)
    if any(st.session_state.get(key) for key in (f"{site_id}_matrix_export", "grid_export")):
        st.rerun([FILES, OPEN_HEAD])


def _beside(scenes: Mapping[str, AttentionScene], site_id: str, view: View) -> None:
    badge, role = kept_badge(scenes)
    scene = scenes[site_id]
    # A wide view stands above the heads instead of beside them, as does any in presentation mode.
    wide = view.id in WIDE or len(scene.raw.key_tokens) > MOST_COLUMNS_BESIDE
    over = wide or presents()
    if over or has_single_head():
        if view.id not in WIDE:  # these have the menu in their own line
            with controls():
                head_menu_of(scene)
        more = view.show(scene)
        left = st.container()
    else:
        with st.container(key="heads_and_view"):
            left, right = st.columns([5, 8], gap="medium")
        with right, st.container(key="beside_heads", gap="xsmall"):
            more = view.show(scene)
    # Drawn after the view, because its menus may move the focus.
    with left:
        scenes = {name: scene.refreshed() for name, scene in scenes.items()}
        drawn = DrawnHeads.of(scenes, hides=view.hides)
        draw_heads(scenes, drawn, panel=False)
        tell_open_head(scenes, drawn, site_id, badge, role, panel=False)
    if more:
        more()
    write_address(focus_of(site_id))


def show_checks(scene: AttentionScene, error: float | None) -> None:
    """Draw the self-check: every rule, measured on all layers and heads on screen.

    The rule that padding changes nothing needs another pass of the model and is checked only when
    the box is open.
    """
    label = say("attention-checks")
    keep_open("checks", label)
    box = st.expander(label, key="checks", icon=":material/rule:", on_change="rerun")
    checks = [] if error is None else [vectors_check(error)]
    checks += self_check(scene.weighed)
    if box.open and "padding" in scene.run.capabilities and not scene.run.change:
        run = scene.run
        effect = ask(run.translator, padding_effect, run.record, key=run.identity)
        checks.append(padding_check(effect))
    if scene.attention is not scene.raw:
        checks.append(shown_check(scene.regrouped))
    failed = sum(not check.passed for check in checks)
    st.caption(" · ".join(map(ticked, checks)))
    if failed:
        warning("attention-checks-failed", "rule", n=failed, of=len(checks))
    if box.open:
        lines = (f"- {ticked(check, '**')}: {say(check.measured)}" for check in checks)
        measured = say("attention-checks-measured", site=site_name(scene.site_id, "attention"))
        box.markdown(measured + "\n\n" + "\n".join(lines))
