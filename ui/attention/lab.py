"""Attention page below the translation: all heads of a run, and a view of the open one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import streamlit as st

from core.attention import OF_LAYERS, AttentionMap, Measure
from core.card import CheckpointCard, head_facts, number_in
from core.checks import padding_check, self_check, shown_check, vectors_check
from core.measures import pair_weights, strongest_head
from core.value_zeroing import zeroing_facts
from model.experiments.padding import padding_effect
from ui import address
from ui.attention.breaks import breaks_fold
from ui.attention.drawing import draw_heads, kept_badge
from ui.attention.pair import compare_button
from ui.attention.roles import all_heads, card, finding_of, roles_in, state_here
from ui.attention.scene import (
    MOST_COLUMNS_BESIDE,
    Scene,
    make_scene,
    matrix_figure,
    overview_export,
)
from ui.controls import Display, display_options, rows_produced
from ui.export import export_menu
from ui.focus import Head, Link, current_focus, focus_of, link_of, open_head, pickers, write_address
from ui.guard import fragment
from ui.hidden import is_shown
from ui.kit.blocks import draw
from ui.kit.controls import choice, kept_choice
from ui.kit.layout import controls, finding, folded, paragraph, settings, warning
from ui.norm import as_measured, can_zero, measure_choice, name_lacking, sink, tell_measure, ticked
from ui.panels import guided_heads, head_in, head_of
from ui.state import Run
from ui.views import BODY, Page, View, name_unfit, view_switch
from ui.words import (
    current_words,
    has_single_head,
    head_code,
    head_name,
    language_names,
    page_text,
    plain,
    say,
    site_name,
    stated,
)
from viz.maps import head_rows

# Session key: the open site for which the body was last drawn completely.
DRAWN_FOR = "heads_drawn_for"
SMALL = 0.2  # weight below which a link is not worth mentioning


def lab(run: Run, page: Page) -> None:
    """Draw the body of the attention page."""
    sites = run.record.sites
    if not sites:
        view_switch(run, page)
        name_unfit(run, page)
        return
    # Incomplete until the end: another choice may interrupt the run.
    st.session_state[DRAWN_FOR] = None
    maps = {site.name: run.record.of(site.name) for site in sites}
    links = {name: link_of(run, attention) for name, attention in maps.items()}
    known = (name for name, link in links.items() if link and link.columns)
    # Initially the first site that links a pronoun to its noun.
    kind = kept_choice("kind", tuple(maps), default=next(known, None))
    view = view_switch(run, page)
    if view is not None and not is_shown(run, hides=view.hides):
        # The frame's run hides other words than the view wants.
        st.rerun()
    with controls():
        items = [each.item for each in run.record.maps if each.kind == kind]
        item = items[0]
        if len(items) > 1:
            # A site may have several maps, told apart by their item.
            counted = {"text": lambda item: str(item + 1), "address": False, "width": 120}
            item = choice(f"{kind}_item", items, words="item", style="select", **counted)
        maps[kind] = attention = run.record.of(kind, item)
        weighed, measure = run, _measure(run, view)
        run, error = as_measured(run, measure)
        if measure != "weight":
            # A measure may lack sites: value zeroing has encoder self-attention alone.
            of_items = {name: each.item for name, each in maps.items() if name in run.record.kinds}
            maps = {name: run.record.of(name, at) for name, at in of_items.items()}
            if kind not in maps:
                kind = next(iter(maps))
                attention = weighed.record.of(kind)
        roles = roles_in(run)
        badge, role = kept_badge(roles)
        display = display_options(
            attention.site, names_produced=attention.output_tokens is not None
        )
        # Statements about single heads make no sense for a measure of whole layers.
        if measure not in OF_LAYERS:
            about_heads(weighed, attention, links[kind])
    if view is not None:
        # The address names the focus only on arrival; afterwards the session decides.
        asked = "focus" not in st.session_state or address.by_history()
        scenes = {
            name: _scene(
                run,
                each,
                weighed.record.of(name, each.item),
                links[name],
                display,
                from_address=asked and name == kind,
            )
            for name, each in maps.items()
        }
        # The matrix redraws as a fragment, so a click on a head does not rerun the page.
        if view.id == "matrix":
            fragment(_open_head, key="open_head")(scenes, weighed)
        else:
            _beside(scenes, kind, badge, role, view)
        with st.container(horizontal=True, gap="small", key="worth_a_look"):
            if measure not in OF_LAYERS:
                open_buttons(weighed, attention, links[kind])
            compare_button(run)
        shown = {"words": display.words, display.special: display.special != "show"}
        if done := [name for name, was_done in shown.items() if was_done]:
            note = say(f"note-{'-'.join(done)}", share=scenes[kind].shown.hidden_mass)
            st.caption(f":material/tune: {note}")
        tell_measure(scenes[kind].raw)
        show_checks(scenes[kind], attention, error)
        all_heads(run, roles)
        single = "_single" if has_single_head() else ""
        with folded("reading"):
            paragraph("zeroing" if measure == "zeroing" else f"reading{single}")
            if current_words().has_page(f"attention_{kind}{single}"):
                source, target = language_names(run.card.languages)
                text = page_text(f"attention_{kind}{single}")
                st.markdown(text.format(source=source, target=target))
        # Only now is the body complete for this site.
        st.session_state[DRAWN_FOR] = kind
        breaks_fold(weighed)
    name_unfit(run, page)
    name_lacking(run.translator)


def _measure(run: Run, view: View | None) -> Measure:
    """Return the chosen measure; views of how weights are computed always show weights."""
    if view is None or "vectors" in view.needs:
        return "weight"
    beside = view.id == "matrix"
    more = ("zeroing",) if beside and can_zero(run) else ()
    place = controls if beside else settings
    return measure_choice(run.translator, place, title=not beside, more=more)


def _scene(
    run: Run,
    attention: AttentionMap,
    weighed: AttentionMap,
    link: Link | None,
    display: Display,
    *,
    from_address: bool,
) -> Scene:
    """Return the scene of a site; rows of a site off screen keep their last names."""
    kind, measured = attention.kind, measured_head(run.card, attention)
    how = {"measured": measured, "from_address": from_address}
    current_focus(kind, attention, link, run.identity, **how)
    produced = attention.output_tokens is not None and rows_produced(attention.site)
    display = replace(display, produced=produced)
    return make_scene(run, kind, attention, link, display, weighed)


def _open_head(scenes: Mapping[str, Scene], weighed: Run) -> None:
    # The browser may have opened another site since the body was drawn.
    kind = st.session_state.get("kind")
    kind = kind if kind in scenes else next(iter(scenes))
    if not is_shown(scenes[kind].run, hides=True):
        st.rerun()
    roles = roles_in(scenes[kind].run)
    badge, role = kept_badge(roles)
    scenes = {name: scene.refreshed() for name, scene in scenes.items()}
    scene = scenes[kind]
    measure = scene.raw.measure
    write_address(scene.focus)
    with st.container(gap="xsmall"):
        found = roles.get(kind, {}).get(scene.focus.place)
        # Roles were measured on weights.
        found = found if measure == "weight" else None
        said = beside_weights(weighed.record.of(kind, scene.raw.item), scene)
        told = finding_of(scene, found) if found else said
        below = told and scene.readout if scene.rows else ""
        if below and found and state_here(scene, found) in ("absent", "untested"):
            # The behaviour in this sentence comes before the evidence from others.
            told, below = below, told
        told = told or scene.readout
        if strongest := scene.strongest(badge):
            first, then = (told, strongest) if measure in OF_LAYERS else (strongest, told)
            told, below = first, "\n\n".join(filter(None, (then, below)))
        finding(told)
        draw_heads(scenes, kind, badge, role, panel=True, hides=True, on_kind=_draw_body_for)
    with st.container(horizontal=True):
        figure = partial(matrix_figure, scene, scene.rows, scene.columns)
        name = scene.file_name
        export_menu(figure, key=f"{kind}_matrix_export", name=name, data=scene.export_data)
        if not has_single_head():
            overview_export(scenes, kind, badge)
    if below:
        st.markdown(below)
    if found:
        card(scene, found)


def beside_weights(weights: AttentionMap, scene: Scene) -> str:
    """Return Markdown on the open layer beside its weights; empty if weights are shown."""
    layer = scene.focus.layer
    if scene.raw.measure != "zeroing":
        return sink(weights, scene.raw, layer)
    facts = zeroing_facts(scene.raw.head(layer, 0), weights.weights[layer].mean(0), scene.run.src)
    return stated("zeroing-found", layer=layer + 1, **facts)


def _draw_body_for(kind: str) -> None:
    """Rerun the body, whose controls belong to one site, if another site was opened."""
    if st.session_state.get(DRAWN_FOR) != kind:
        st.rerun(BODY)


def _beside(scenes: Mapping[str, Scene], kind: str, badge: str, role: str, view: View) -> None:
    scene = scenes[kind]
    with settings():
        pickers(kind, scene.shown, scene.row_tokens)
    # A wide view stands above the heads instead of beside them.
    over = view.id == "pair" or len(scene.raw.key_tokens) > MOST_COLUMNS_BESIDE
    if over or has_single_head():
        more = view.show(scene)
        left = st.container()
    else:
        left, right = st.columns([5, 8], gap="medium")
        with right:
            more = view.show(scene)
    # Drawn after the view, because its menus may move the focus.
    with left:
        scenes = {name: each.refreshed() for name, each in scenes.items()}
        draw_heads(scenes, kind, badge, role, panel=False, hides=view.hides)
    if more:
        more()
    write_address(focus_of(kind))


# -- heads worth opening: in this sentence, and over many -----------------------------------


class Linked(NamedTuple):
    """A head that links the pronoun to `word`, with the weight of the link."""

    head: Head
    word: str
    weight: float


def linked_heads(attention: AttentionMap, link: Link | None) -> list[Linked]:
    """Return the head with the most weight from pronoun to noun, and one for the deciding word.

    The second is another head, the one with the most weight on the word that decides the noun; it
    is left out if the site has no such word or no head attends to it.
    """
    if link is None or not link.columns:
        return []
    weights = pair_weights(attention, link.rows, link.columns)
    best = strongest_head(weights)
    found = [Linked(best, link.column_word, weights[best])]
    if link.deciding_columns and attention.site.is_self:
        weights = pair_weights(attention, link.rows, link.deciding_columns).copy()
        # A copy, because the best head must not win twice and the map is shared.
        weights[best] = 0.0
        second = strongest_head(weights)
        if weights[second] >= SMALL:
            found.append(Linked(second, link.deciding_word, weights[second]))
    return found


def open_buttons(run: Run, attention: AttentionMap, link: Link | None) -> None:
    """Draw a button for each head worth opening: in this sentence, and the best over many."""
    if has_single_head():
        return  # it is open anyway
    labels = [
        (
            each.head,
            say(
                "attention-open-link",
                head=head_code(*each.head),
                row=plain(link.row_word),
                column=plain(each.word),
                weight=each.weight,
            ),
        )
        for each in linked_heads(attention, link)
    ]
    measured = measured_head(run.card, attention)
    if measured is not None and measured not in dict(labels):
        labels.append((measured, say("attention-open-measured", head=head_code(*measured))))
    kind = attention.kind
    for place, (head, label) in enumerate(labels):
        st.button(label, key=f"{kind}_open_{place}", on_click=open_head, args=(kind, *head))


def about_heads(run: Run, attention: AttentionMap, link: Link | None) -> None:
    """Draw a popover with measurements of these heads, in this sentence and over many."""
    card, linked = run.card, linked_heads(attention, link)
    here = [_link_sentences(attention, link, linked[0])] if linked else []
    for head, word, weight in linked[1:]:
        told = {"head": head_name(*head, title=True), "word": plain(word)}
        here.append(say("attention-decides", **told, weight=weight))
    over_many = [_measured_sentences(card, attention), _served_sentence(card, attention, linked)]
    settings, site = card.training.get("settings"), attention.site
    # With `routes`, training forced the noun to be read at the pronoun (`training.bottleneck`).
    routes = isinstance(settings, dict) and settings.get("routes")
    if link and routes and site.query == site.key == "source":
        over_many.append(say("attention-routes", pronoun=plain(link.row_word)))
    guided = guided_heads(card, run.record.sites[0].name).get(attention.kind)
    if guided is not None:
        place = {"layer": guided[0] + 1, "head": guided[1] + 1}
        over_many.append(say("attention-guided", site=attention.kind, **place))
    if not any(here + over_many):
        return
    menu = st.popover(
        say("attention-measured-title"),
        icon=":material/query_stats:",
        key="measured",
        on_change="rerun",
    )
    if menu.open:
        with menu:
            st.markdown("\n\n".join(here))
            if len(linked) > 1:
                _two_rows(attention, link, linked)
            st.markdown("\n\n".join(filter(None, over_many)))


def _two_rows(attention: AttentionMap, link: Link, linked: Sequence[Linked]) -> None:
    # A pronoun may consist of several tokens; their rows are averaged.
    weights = attention.weights[:, :, list(link.rows)].mean(axis=2)
    heads = [each.head for each in linked]
    first, second = (head_name(*head) for head in heads)
    draw(
        head_rows(weights, attention.key_tokens, kind=attention.site, only=heads),
        key=f"{attention.kind}_two_heads",
        alt=say(
            "attention-two-heads-alt",
            site=site_name(attention.kind, "attention"),
            pronoun=link.row_word,
            first=first,
            noun=link.column_word,
            second=second,
            word=link.deciding_word,
        ),
    )


def _link_sentences(attention: AttentionMap, link: Link, best: Linked) -> str:
    who, there = "word" if attention.site.is_self else "writer", 0.0
    if link.other_columns:
        there = pair_weights(attention, link.rows, link.other_columns)[best.head]
    return say(
        "attention-link",
        who=say(f"attention-link-{who}", word=plain(link.row_word)),
        best=head_name(*best.head),
        noun=plain(link.column_word),
        n=attention.n_layers * attention.n_heads,
        weight=best.weight,
        other=plain(link.other_word) if link.other_columns else "none",
        there=there,
        size="little" if best.weight < SMALL else "large",
    )


def _served_sentence(
    card: CheckpointCard, attention: AttentionMap, linked: Sequence[Linked]
) -> str:
    # A card is a file from anywhere: entries that do not fit the pattern are ignored.
    match card.heads:
        case {"property": {"serves": {"server": server} as serves} as measured}:
            heads = [head_of(card.heads.get(attention.kind)), head_of(measured)]
        case _:
            return ""
    values = {name: number_in(serves, name) for name in ("margin", "without", "without_server")}
    place = head_of(server)
    # The ablation was measured for exactly these two heads.
    if heads != [each.head for each in linked] or place is None or None in values.values():
        return ""
    return say(
        "attention-serves",
        head=head_name(*heads[0], title=True),
        server=head_name(*place),
        n=int(number_in(serves, "sentences") or 0),
        **values,
    )


def measured_head(card: CheckpointCard, attention: AttentionMap) -> Head | None:
    """Return the head that follows the antecedent by evaluation, if card and map have it."""
    return head_in(attention, head_of(card.heads.get(attention.kind)))


def _measured_sentences(card: CheckpointCard, attention: AttentionMap) -> str:
    where = measured_head(card, attention)
    if where is None:
        return ""
    facts = head_facts(card.heads[attention.kind], SMALL)
    over = say("attention-measured-over", n=facts.pop("pairs"))
    sentence = say("attention-measured", over=over, head=head_name(*where), **facts)
    others = {
        name: (number_in(entry, "margin") or 0.0, head)
        for name, entry in card.heads.items()
        if name != attention.kind and (head := head_of(entry)) is not None
    }
    name = max(others, key=others.get, default="")
    # A weak head here is put in context by the site with the largest margin.
    if facts["found"] != "little" or not name or others[name][0] < SMALL:
        return sentence
    margin, head = others[name]
    site, place = site_name(name, "attention"), head_name(*head)
    return f"{sentence} {say('attention-measured-other', site=site, head=place, margin=margin)}"


# -- the self-check of what is on screen ----------------------------------------------------


def show_checks(scene: Scene, weighed: AttentionMap, error: float | None) -> None:
    """Draw the self-check: every rule, measured on all layers and heads on screen.

    The rule that padding changes nothing needs another pass of the model and is checked only when
    the box is open.
    """
    box = st.expander(
        say("attention-checks"), key="checks", icon=":material/rule:", on_change="rerun"
    )
    checks = [] if error is None else [vectors_check(error)]
    checks += self_check(weighed)
    if box.open and "padding" in scene.run.capabilities and not scene.run.change:
        run = scene.run
        effect = run.ask(padding_effect, run.record, key=run.identity)
        checks.append(padding_check(effect))
    if scene.attention is not scene.raw:
        checks.append(shown_check(scene.shown))
    failed = sum(not check.passed for check in checks)
    st.caption(" · ".join(map(ticked, checks)))
    if failed:
        warning("attention-checks-failed", "rule", n=failed, of=len(checks))
    if box.open:
        lines = (f"- {ticked(each, '**')}: {say(each.measured)}" for each in checks)
        measured = say("attention-checks-measured", site=site_name(scene.kind, "attention"))
        box.markdown(measured + "\n\n" + "\n".join(lines))
