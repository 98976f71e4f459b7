"""Attention page below the translation: all heads of a run, and a view of the open one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import streamlit as st

from core.card import CheckpointCard, head_facts, number_in
from core.records.attention import OF_LAYERS, AttentionMap, Measure
from core.value_zeroing import zeroing_facts
from core.weights.checks import padding_check, self_check, shown_check, vectors_check
from core.weights.measures import pair_weights, strongest_head
from model.experiments.padding import padding_effect
from ui.architecture import show_map
from ui.frame.address import OPTION
from ui.frame.choices import arrives, keep
from ui.frame.messages import (
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
from ui.frame.state import Run
from ui.kit.blocks import draw
from ui.kit.controls import choice, kept_choice
from ui.kit.export import export_menu
from ui.kit.focus import (
    Head,
    HeadSelection,
    Link,
    current_focus,
    focus_of,
    link_of,
    open_head,
    write_address,
)
from ui.kit.guard import fragment
from ui.kit.head_roles import OfSites, role_names, roles_in
from ui.kit.hidden_words import is_shown
from ui.kit.layout import controls, explain, finding, folded, paragraph, warning
from ui.kit.norm import (
    as_measured,
    can_zero,
    measure_choice,
    name_lacking,
    sink,
    tell_measure,
    ticked,
)
from ui.pages.attention.breaks import breaks_row
from ui.pages.attention.drawing import draw_heads, kept_badge
from ui.pages.attention.opening import Opening, opening_of
from ui.pages.attention.pair import compare_button
from ui.pages.attention.roles import all_heads, card, head_menu_of, headline_of
from ui.pages.attention.scene import (
    MOST_COLUMNS_BESIDE,
    AttentionScene,
    make_scene,
    matrix_figure,
    overview_export,
    presents,
)
from ui.shell.inputs import Display, display_options, rows_produced
from ui.shell.panels import guided_heads, head_in, head_of
from ui.shell.views import BODY, OpenPage, View, name_unfit, view_switch
from viz.maps import head_rows

# Session key: the open site for which the body was last drawn completely.
DRAWN_FOR = "heads_drawn_for"
# Session key: the text for which an address named a head without a site.
NAMED_HEAD = "text_with_head"
SMALL = 0.2  # weight below which a link is not worth mentioning


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
    sites = run.record.sites
    if not sites:
        view_switch(run, here)
        name_unfit(run, here.page)
        return
    # Incomplete until the end: another choice may interrupt the run.
    st.session_state[DRAWN_FOR] = None
    maps = {site.name: run.record.of(site.name) for site in sites}
    links = {name: link_of(run, attention) for name, attention in maps.items()}
    opening = opening_of(tuple(maps.values()), role_names(roles_in(run)), links, run.pack)
    site_id = _site(run, maps, links, opening)
    view = view_switch(run, here)
    if view is not None and not is_shown(run, hides=view.hides):
        # The frame's run hides other words than the view wants.
        st.rerun()
    with controls():
        selected = _selected_maps(run, view, maps, site_id)
        roles = roles_in(selected.run)
        badge, role = kept_badge(roles)
        weights = selected.weights
        display = display_options(weights.site, names_produced=weights.output_tokens is not None)
        link = links[selected.site_id]
        # Statements about single heads make no sense for a measure of whole layers.
        if selected.measure not in OF_LAYERS:
            about_heads(selected.weighed, weights, link)
    if view is not None:
        scenes = _scenes(selected, links, opening, display)
        # The matrix redraws as a fragment, so a click on a head does not rerun the page.
        if view.id == "matrix":
            with st.container(gap="xsmall"):
                show_map(run, here.page.id, wide=True)
                breaks_row(selected.weighed)
                fragment(_open_head, key="open_head")(scenes, selected.weighed)
        else:
            _beside(scenes, selected.site_id, badge, role, view)
        _below(selected, scenes[selected.site_id], link, roles)
        # Only now is the body complete for this site.
        st.session_state[DRAWN_FOR] = selected.site_id
    name_unfit(selected.run, here.page)
    name_lacking(selected.run.translator)


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
    measured, error = as_measured(run, measure)
    if measure != "weight":
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


def _scenes(
    selected: SelectedMaps,
    links: Mapping[str, Link | None],
    opening: Opening | None,
    display: Display,
) -> dict[str, AttentionScene]:
    # The address names the focus only on arrival; afterwards the session decides.
    is_arrival = arrives("focus")
    return {
        name: _scene(
            selected.run,
            attention,
            selected.weighed.record.of(name, attention.item),
            links[name],
            display,
            opening=opening.selection if opening and opening.site == name else None,
            from_address=is_arrival and name == selected.site_id,
        )
        for name, attention in selected.maps.items()
    }


def _below(
    selected: SelectedMaps, scene: AttentionScene, link: Link | None, roles: OfSites
) -> None:
    """Draw what stands below every view: heads worth opening, checks, all heads, explanations."""
    with st.container(horizontal=True, gap="small", key="worth_a_look"):
        if selected.measure not in OF_LAYERS:
            open_buttons(selected.weighed, selected.weights, link)
        compare_button(selected.run)
    _display_note(scene)
    tell_measure(scene.raw)
    show_checks(scene, selected.weights, selected.error)
    all_heads(selected.run, roles)
    _reading(scene)


def _display_note(scene: AttentionScene) -> None:
    """Draw a note on merged words and removed special tokens, if the reader chose them."""
    special = scene.display.special
    changes = ["words"] if scene.display.words else []
    if special != "show":
        changes.append(special)
    if changes:
        note = say(f"note-{'-'.join(changes)}", share=scene.regrouped.hidden_mass)
        st.caption(f":material/tune: {note}")


def _reading(scene: AttentionScene) -> None:
    """Draw the fold that explains the figure and the open site."""
    single = "_single" if has_single_head() else ""
    page = f"attention_{scene.site_id}{single}"
    with folded("reading"):
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


def _scene(
    run: Run,
    attention: AttentionMap,
    weighed: AttentionMap,
    link: Link | None,
    display: Display,
    *,
    opening: HeadSelection | None,
    from_address: bool,
) -> AttentionScene:
    """Return the scene of a site; rows of a site off screen keep their last names."""
    current_focus(
        attention.site_id,
        attention,
        link,
        run.identity,
        measured=measured_head(run.card, attention),
        opening=opening,
        from_address=from_address,
    )
    produced = attention.output_tokens is not None and rows_produced(attention.site)
    display = replace(display, produced=produced)
    return make_scene(run, attention.site_id, attention, link, display, weighed)


def _open_head(scenes: Mapping[str, AttentionScene], weighed: Run) -> None:
    # The browser may have opened another site since the body was drawn.
    site_id = st.session_state.get("kind")
    site_id = site_id if site_id in scenes else next(iter(scenes))
    if not is_shown(scenes[site_id].run, hides=True):
        st.rerun()
    roles = roles_in(scenes[site_id].run)
    badge, role = kept_badge(roles)
    scenes = {name: scene.refreshed() for name, scene in scenes.items()}
    scene = scenes[site_id]
    write_address(scene.focus)
    head_role = None
    # Roles were measured on weights.
    if scene.raw.measure == "weight":
        head_role = roles.get(site_id, {}).get(scene.focus.place)
    weights = weighed.record.of(site_id, scene.raw.item)
    headline, below = _sentences(scene, weights, roles, badge)
    with st.container(gap="xsmall"):
        with st.container(key="headline"):
            finding(headline)
        draw_heads(scenes, site_id, badge, role, panel=True, hides=True, on_kind=_draw_body_for)
    with st.container(horizontal=True):
        figure = partial(matrix_figure, scene, scene.rows, scene.columns)
        name = scene.file_name
        export_menu(figure, key=f"{site_id}_matrix_export", name=name, data=scene.export_data)
        if not has_single_head():
            overview_export(scenes, site_id, badge)
    if below:
        st.markdown(below)
    if head_role:
        card(scene, head_role)


def _sentences(
    scene: AttentionScene, weights: AttentionMap, roles: OfSites, badge: str
) -> tuple[str, str]:
    """Return the sentence above the open head, and those below it, which may be empty."""
    below = scene.readout if scene.rows else ""
    strongest = scene.strongest(badge)
    if scene.raw.measure == "weight":
        return headline_of(scene, roles), _joined(strongest, below)
    beside = beside_weights(weights, scene)
    # A measure of whole layers is stated before its strongest layer.
    if strongest and scene.raw.measure not in OF_LAYERS:
        return strongest, _joined(beside, below)
    return (beside, _joined(strongest, below)) if beside else (scene.readout, strongest)


def _joined(*sentences: str) -> str:
    return "\n\n".join(filter(None, sentences))


def beside_weights(weights: AttentionMap, scene: AttentionScene) -> str:
    """Return Markdown on the open layer beside its weights; empty if weights are shown."""
    layer = scene.focus.layer
    if scene.raw.measure != "zeroing":
        return sink(weights, scene.raw, layer)
    facts = zeroing_facts(scene.raw.head(layer, 0), weights.weights[layer].mean(0), scene.run.src)
    return stated("zeroing-found", layer=layer + 1, **facts)


def _draw_body_for(site_id: str) -> None:
    """Rerun the body, whose controls belong to one site, if another site was opened."""
    if st.session_state.get(DRAWN_FOR) != site_id:
        st.rerun(BODY)


def _beside(
    scenes: Mapping[str, AttentionScene], site_id: str, badge: str, role: str, view: View
) -> None:
    scene = scenes[site_id]
    # A wide view stands above the heads instead of beside them, as does any in presentation mode.
    wide = view.id == "pair" or len(scene.raw.key_tokens) > MOST_COLUMNS_BESIDE
    over = wide or presents()
    if over or has_single_head():
        if view.id != "pair":
            with controls():
                head_menu_of(scene, roles_in(scene.run))
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
        draw_heads(scenes, site_id, badge, role, panel=False, hides=view.hides)
    if more:
        more()
    write_address(focus_of(site_id))


# -- heads worth opening: in this sentence, and over many -----------------------------------


class LinkedHead(NamedTuple):
    """A head that links the pronoun to `word`, with the weight of the link."""

    head: Head
    word: str
    weight: float


def linked_heads(attention: AttentionMap, link: Link | None) -> list[LinkedHead]:
    """Return the head with the most weight from pronoun to noun, and one for the deciding word.

    The second is another head, the one with the most weight on the word that decides the noun; it
    is left out if the site has no such word or no head attends to it.
    """
    if link is None or not link.columns:
        return []
    weights = pair_weights(attention, link.rows, link.columns)
    best = strongest_head(weights)
    heads = [LinkedHead(best, link.column_word, weights[best])]
    if link.deciding_columns and attention.site.is_self:
        weights = pair_weights(attention, link.rows, link.deciding_columns).copy()
        # A copy, because the best head must not win twice and the map is shared.
        weights[best] = 0.0
        second = strongest_head(weights)
        if weights[second] >= SMALL:
            heads.append(LinkedHead(second, link.deciding_word, weights[second]))
    return heads


def open_buttons(run: Run, attention: AttentionMap, link: Link | None) -> None:
    """Draw a button for each head worth opening: in this sentence, and the best over many."""
    if has_single_head():
        return  # it is open anyway
    labels = [
        (
            linked.head,
            say(
                "attention-open-link",
                head=head_code(*linked.head),
                row=plain(link.row_word),
                column=plain(linked.word),
                weight=linked.weight,
            ),
        )
        for linked in linked_heads(attention, link)
    ]
    measured = measured_head(run.card, attention)
    if measured is not None and measured not in dict(labels):
        labels.append((measured, say("attention-open-measured", head=head_code(*measured))))
    site_id = attention.site_id
    for n, (head, label) in enumerate(labels):
        st.button(label, key=f"{site_id}_open_{n}", on_click=open_head, args=(site_id, *head))


def about_heads(run: Run, attention: AttentionMap, link: Link | None) -> None:
    """Draw a popover with measurements of these heads, in this sentence and over many."""
    card = run.card
    linked = linked_heads(attention, link)
    here = [_link_sentences(attention, link, linked[0])] if linked else []
    for head, word, weight in linked[1:]:
        name = head_name(*head, title=True)
        here.append(say("attention-decides", head=name, word=plain(word), weight=weight))
    over_many = [_measured_sentences(card, attention), _served_sentence(card, attention, linked)]
    settings = card.training.get("settings")
    site = attention.site
    # With `routes`, training forced the noun to be read at the pronoun
    # (`training.objectives.bottleneck`).
    routes = isinstance(settings, dict) and settings.get("routes")
    if link and routes and site.query == site.key == "source":
        over_many.append(say("attention-routes", pronoun=plain(link.row_word)))
    guided = guided_heads(card, run.record.sites[0].name).get(attention.site_id)
    if guided is not None:
        layer, head = guided
        over_many.append(
            say("attention-guided", site=attention.site_id, layer=layer + 1, head=head + 1)
        )
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


def _two_rows(attention: AttentionMap, link: Link, linked: Sequence[LinkedHead]) -> None:
    # A pronoun may consist of several tokens; their rows are averaged.
    weights = attention.weights[:, :, list(link.rows)].mean(axis=2)
    heads = [linked_head.head for linked_head in linked]
    first, second = (head_name(*head) for head in heads)
    draw(
        head_rows(weights, attention.key_tokens, site=attention.site, only=heads),
        key=f"{attention.site_id}_two_heads",
        alt=say(
            "attention-two-heads-alt",
            site=site_name(attention.site_id, "attention"),
            pronoun=link.row_word,
            first=first,
            noun=link.column_word,
            second=second,
            word=link.deciding_word,
        ),
    )


def _link_sentences(attention: AttentionMap, link: Link, best: LinkedHead) -> str:
    who = "word" if attention.site.is_self else "writer"
    there = 0.0
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
    card: CheckpointCard, attention: AttentionMap, linked: Sequence[LinkedHead]
) -> str:
    # A card is a file from anywhere: entries that do not fit the pattern are ignored.
    match card.heads:
        case {"property": {"serves": {"server": server} as serves} as measured}:
            heads = [head_of(card.heads.get(attention.site_id)), head_of(measured)]
        case _:
            return ""
    values = {name: number_in(serves, name) for name in ("margin", "without", "without_server")}
    server_head = head_of(server)
    linked_pair = [linked_head.head for linked_head in linked]
    # The ablation was measured for exactly these two heads.
    if heads != linked_pair or server_head is None or None in values.values():
        return ""
    return say(
        "attention-serves",
        head=head_name(*heads[0], title=True),
        server=head_name(*server_head),
        n=int(number_in(serves, "sentences") or 0),
        **values,
    )


def measured_head(card: CheckpointCard, attention: AttentionMap) -> Head | None:
    """Return the head that follows the antecedent by evaluation, if card and map have it."""
    return head_in(attention, head_of(card.heads.get(attention.site_id)))


def _measured_sentences(card: CheckpointCard, attention: AttentionMap) -> str:
    measured = measured_head(card, attention)
    if measured is None:
        return ""
    facts = head_facts(card.heads[attention.site_id], SMALL)
    over = say("attention-measured-over", n=facts.pop("pairs"))
    sentence = say("attention-measured", over=over, head=head_name(*measured), **facts)
    others = {
        name: (number_in(entry, "margin") or 0.0, head)
        for name, entry in card.heads.items()
        if name != attention.site_id and (head := head_of(entry)) is not None
    }
    name = max(others, key=others.get, default="")
    # A weak head here is put in context by the site with the largest margin.
    if facts["found"] != "little" or not name or others[name][0] < SMALL:
        return sentence
    margin, head = others[name]
    other = say(
        "attention-measured-other",
        site=site_name(name, "attention"),
        head=head_name(*head),
        margin=margin,
    )
    return f"{sentence} {other}"


# -- the self-check of what is on screen ----------------------------------------------------


def show_checks(scene: AttentionScene, weighed: AttentionMap, error: float | None) -> None:
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
        checks.append(shown_check(scene.regrouped))
    failed = sum(not check.passed for check in checks)
    st.caption(" · ".join(map(ticked, checks)))
    if failed:
        warning("attention-checks-failed", "rule", n=failed, of=len(checks))
    if box.open:
        lines = (f"- {ticked(check, '**')}: {say(check.measured)}" for check in checks)
        measured = say("attention-checks-measured", site=site_name(scene.site_id, "attention"))
        box.markdown(measured + "\n\n" + "\n".join(lines))
