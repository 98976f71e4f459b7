"""Head view: links between queries and keys, one colour per head (after BertViz, Vig 2019).

Its two layouts are one picture: the horizontal one is the vertical one turned left by a right
angle, so queries come to stand below and keys above, and words are read from left to right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from core.card import fingerprint_of
from core.records.attention import OF_LAYERS, Measure
from core.records.tokens import distinct_labels
from core.weights.combined import combined_table
from core.weights.groups import Groups
from core.weights.links import Links, Side, links, rows_are_drawn
from ui.components import browser_sent
from ui.components.ribbons import RibbonChoice, read_choice, ribbons
from ui.frame import choices
from ui.frame.choices import SOUND_PLACES, arrives, keep
from ui.frame.messages import as_sentence, has_single_head, say, site_name
from ui.kit.controls import choice as choice_of
from ui.kit.controls import slider
from ui.kit.export import export_menu
from ui.kit.focus import HeadSelection, choose_in_map, focus_of
from ui.kit.layout import finding, folded, paragraph
from ui.pages.attention.roles import headline_of
from ui.pages.attention.scene import AttentionScene
from ui.pages.attention.window import windowed
from viz.ribbons import ribbon_figure

LAYOUTS = ("vertical", "horizontal")
# Percent; least and most of the weight that is drawn as links.
SHARES = (10, 100)


@dataclass(frozen=True)
class RibbonHeads:
    """Session state of the ribbons of one site."""

    heads: tuple[int, ...]  # those that are on
    open_head: int  # when they were chosen; opening another head turns all others off
    side: Side = "query"  # side whose links are drawn if tokens of both are locked
    number: int = 0  # of the last click that was taken over


def show(scene: AttentionScene) -> None:
    site_id = scene.site_id
    focus = scene.focus
    finding(headline_of(scene))
    scene = windowed(scene)
    attention = scene.attention
    heads_on = current_heads(site_id, focus.head, attention.n_heads)
    st.markdown(f"**{as_sentence(title_of(scene, heads_on.heads))}**")
    with st.container(key="share_line", horizontal=True, vertical_alignment="center"):
        share = slider("share", *SHARES, 75, 5, words="attention-share", format="%d%%") / 100
        layout = choice_of("ribbons_layout", LAYOUTS, title=False)
    all_links = links(attention, focus.layer, share=share)
    choice = RibbonChoice(scene.rows, scene.columns, heads_on.side, heads_on.heads, heads_on.number)
    key = f"{site_id}_ribbons"
    groups = (scene.regrouped.query_groups, scene.regrouped.key_groups)
    tokens = attention.query_tokens, attention.key_tokens
    identity = fingerprint_of({"of": [site_id, attention.n_heads, tokens, groups]})
    # The container reserves the height while the component loads.
    with st.container(key=f"reserved_{key}"):
        ribbons(
            attention,
            all_links,
            choice,
            key=key,
            identity=identity,
            query_labels=distinct_labels(scene.row_tokens),
            key_labels=distinct_labels(attention.key_tokens),
            open_head=focus.head,
            roles=role_words(scene),
            horizontal=layout == "horizontal",
            on_choice=partial(take_choice, key, site_id, identity, *groups, attention.n_heads),
        )
    st.caption(summary(all_links, choice.heads, attention.measure))
    _export(scene, choice, share, horizontal=layout == "horizontal")
    with folded("reading"):
        paragraph("ribbons")


def title_of(scene: AttentionScene, heads: Sequence[int]) -> str:
    """Return the name of the map on screen: its site, the open layer and the heads that are on."""
    site = site_name(scene.site_id, "attention")
    layer = scene.focus.layer + 1
    if has_single_head():
        return say("heads-open-single", site=site)
    if scene.raw.measure in OF_LAYERS or not heads:
        return say("heads-open-layer", site=site, layer=layer)
    if len(heads) == 1:
        return say("heads-open", site=site, layer=layer, head=heads[0] + 1)
    names = ", ".join(str(head + 1) for head in heads)
    return say("heads-open-several", site=site, layer=layer, heads=names)


def role_words(scene: AttentionScene) -> tuple[str, ...]:
    """Return the word of each head's role in the open layer, empty for a head without a role."""
    of = scene.roles if scene.raw.measure == "weight" else {}
    named = (of.get((scene.focus.layer, head)) for head in range(scene.attention.n_heads))
    return tuple(say(f"role-{role.name}") if role and role.name else "" for role in named)


def _export(scene: AttentionScene, choice: RibbonChoice, share: float, *, horizontal: bool) -> None:
    """Draw the menu of files of the ribbons."""
    attention = scene.attention
    # A file needs at least one head, so the open one stands in.
    heads = choice.heads or (scene.focus.head,)
    figure = partial(
        ribbon_figure,
        attention,
        links(attention, scene.focus.layer, heads, share),
        row_tokens=scene.row_tokens,
        rows=choice.rows,
        columns=choice.columns,
        side=choice.side,
        horizontal=horizontal,
    )
    data = scene.export_data
    if len(choice.rows) > 1 and rows_are_drawn(choice.rows, choice.columns, choice.side):
        start = 0 if scene.window is None else scene.window.rows.start
        table = partial(
            combined_table,
            scene.whole.attention,
            scene.focus.layer,
            heads,
            [start + row for row in choice.rows],
            row_tokens=data.row_tokens,
        )
        labels = distinct_labels(scene.row_tokens)
        queries = " + ".join(labels[row] for row in choice.rows)
        data = replace(data, table=table, choices={**data.choices, "queries": queries})
    name = say("attention-ribbons-name", head=scene.file_name)
    export_menu(figure, key=f"{scene.site_id}_ribbons_export", name=name, data=data)


def current_heads(site_id: str, open_head: int, n_heads: int) -> RibbonHeads:
    """Return the heads that are on: the last choice while the same head is open, else that head.

    On arrival the address may name them. It holds them whenever they differ from the open head
    alone.
    """
    alone = (open_head,)
    is_arrival = arrives("ribbons")
    store = st.session_state.setdefault("ribbons", {})
    if is_arrival:
        heads = choices.read("heads", SOUND_PLACES) or alone
        store[site_id] = RibbonHeads(heads, open_head)
    current = store.get(site_id, RibbonHeads(alone, open_head))
    # The address may name heads that this model lacks.
    if current.open_head != open_head or max(current.heads, default=0) >= n_heads:
        current = replace(current, heads=alone, open_head=open_head)
    store[site_id] = current
    keep("heads", SOUND_PLACES, current.heads, alone)
    return current


def take_choice(
    key: str, site_id: str, identity: str, query_groups: Groups, key_groups: Groups, n_heads: int
) -> None:
    """Take over the reader's click before the page is redrawn (callback)."""
    choice = read_choice(
        browser_sent(key, "choice"), identity, n_heads, len(query_groups), len(key_groups)
    )
    if choice is None:
        return
    focus = focus_of(site_id)
    # A single head that is on becomes the open one.
    head = choice.heads[0] if len(choice.heads) == 1 else focus.head
    selection = HeadSelection(focus.layer, head, choice.rows, choice.columns)
    focus = choose_in_map(site_id, (query_groups, key_groups), selection)
    store = st.session_state.setdefault("ribbons", {})
    store[site_id] = RibbonHeads(choice.heads, focus.head, choice.side, choice.number)


def summary(all_links: Links, heads: Sequence[int], measure: Measure = "weight") -> str:
    """Return a sentence on the heads drawn, the number of links, and the hidden weight."""
    if not heads:
        return say("attention-ribbons-none")
    n_drawn = sum(int(all_links.of(head).sum()) for head in heads)
    text = say(
        f"attention-ribbons-drawn{'-single' if has_single_head() else ''}",
        measure=measure,
        n=n_drawn,
        hidden=all_links.hidden_share(heads),
        layer=all_links.layer + 1,
        n_heads=len(heads),
        heads=", ".join(str(head + 1) for head in heads),
    )
    lost = [float(all_links.left_out[all_links.heads.index(head)]) for head in heads]
    if any(lost):
        text += " " + say("attention-ribbons-lost", share=max(lost))
    return text
