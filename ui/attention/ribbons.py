"""The head view: links between queries and keys, one colour for each head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from analysis.labels import distinct_labels
from analysis.links import Links, Side, links
from analysis.transform import Groups
from records import fingerprint_of
from ui import address
from ui.address import SOUND_PLACES
from ui.attention.scene import Scene
from ui.components.ribbons import Choice, read_choice, ribbons
from ui.export import export_menu
from ui.focus import change_focus, focus_of, shown_at
from ui.kit.controls import slider
from ui.kit.layout import finding, folded, settings
from ui.words import has_single_head, page_text, say
from viz.ribbons import ribbon_figure
from words import numbers

SHARES = (10, 100)


@dataclass(frozen=True)
class Shown:
    """What the session remembers of the ribbons of one site of attention.

    Attributes
    ----------
    heads : the heads that are on.
    open_head : the open head when they were chosen; when another is opened, it alone is on.
    side : the side whose links are drawn when both have something locked.
    number : the reader's last click that was taken.
    """

    heads: tuple[int, ...]
    open_head: int
    side: Side = "query"
    number: int = 0


def show(scene: Scene) -> None:
    attention, kind, focus = scene.attention, scene.kind, scene.focus
    finding(f"{scene.title}: {scene.readout}")
    with settings():
        how = {"format": "%d%%"}
        share = slider("share", *SHARES, 75, 5, words="attention-share", **how) / 100
    every = links(attention, focus.layer, share=share)
    remembered = current_shown(kind, focus.head, attention.n_heads)
    write_heads(remembered)
    choice = Choice(scene.rows, scene.columns, remembered.side, remembered.heads, remembered.number)
    identity, key = picture_identity(scene), f"{kind}_ribbons"
    groups = scene.shown.query_groups, scene.shown.key_groups
    ribbons(
        attention,
        every,
        choice,
        key=key,
        identity=identity,
        query_labels=distinct_labels(scene.row_tokens),
        key_labels=distinct_labels(attention.key_tokens),
        open_head=focus.head,
        on_choice=partial(take_choice, key, kind, identity, *groups, attention.n_heads),
    )
    st.caption(summary(every, choice.heads))
    figure = partial(
        ribbon_figure,
        attention,
        links(attention, focus.layer, choice.heads or (focus.head,), share),
        row_tokens=scene.row_tokens,
        rows=choice.rows,
        columns=choice.columns,
        side=choice.side,
    )
    name = say("attention-ribbons-name", head=scene.file_name)
    export_menu(figure, key=f"{key}_export", name=name, scene=scene)
    with folded("reading"):
        st.markdown(page_text("ribbons"))


def current_shown(kind: str, open_head: int, n_heads: int) -> Shown:
    """The heads that are on: as last chosen, while the same head is open; else the open one.

    On the first visit and on the way back the address may name them, counted from 1.
    """
    by_history = address.by_history()
    first_visit = by_history or "ribbons" not in st.session_state
    store: dict[str, Shown] = st.session_state.setdefault("ribbons", {})
    shown = store.get(kind)
    if shown is None or by_history:
        asked = sound_heads(address.read("heads", SOUND_PLACES), n_heads) if first_visit else ()
        shown = Shown(asked or (open_head,), open_head)
    heads = tuple(head for head in shown.heads if head < n_heads)
    if shown.open_head != open_head or heads != shown.heads:
        shown = Shown((open_head,), open_head, shown.side, shown.number)
    store[kind] = shown
    return shown


def sound_heads(asked: tuple[int, ...] | None, n_heads: int) -> tuple[int, ...]:
    """The heads that an address names; none when there are not so many."""
    return asked if asked and asked[-1] < n_heads else ()


def write_heads(shown: Shown) -> None:
    """Keep the heads in the address when they are more, or others, than the open one."""
    heads = shown.heads if shown.heads != (shown.open_head,) else None
    address.write("heads", heads, SOUND_PLACES)


def picture_identity(scene: Scene) -> str:
    """Changes when the tokens or the heads on screen are others."""
    attention = scene.attention
    return fingerprint_of(
        {
            "kind": scene.kind,
            "heads": attention.n_heads,
            "queries": attention.query_tokens,
            "keys": attention.key_tokens,
            "query_groups": scene.shown.query_groups,
            "key_groups": scene.shown.key_groups,
        }
    )


def take_choice(
    key: str,
    kind: str,
    identity: str,
    query_groups: Groups,
    key_groups: Groups,
    n_heads: int,
) -> None:
    """What the reader clicked, before the page is drawn anew: focus and heads follow it."""
    sent = (st.session_state.get(key) or {}).get("choice")
    choice = read_choice(sent, identity, n_heads, len(query_groups), len(key_groups))
    if choice is None:
        return
    focus = focus_of(kind)
    changes = {}
    for name, places, groups in (
        ("rows", choice.rows, query_groups),
        ("columns", choice.columns, key_groups),
    ):
        if set(places) != set(shown_at(getattr(focus, name), groups)):
            changes[name] = tuple(i for place in places for i in groups[place])
    if len(choice.heads) == 1 and choice.heads[0] != focus.head:
        changes["head"] = choice.heads[0]
    if changes:
        focus = change_focus(kind, **changes)
    store = st.session_state.setdefault("ribbons", {})
    store[kind] = Shown(choice.heads, focus.head, choice.side, choice.number)


def summary(every: Links, heads: Sequence[int]) -> str:
    """In words: which heads are drawn, how many links, and how much weight is hidden."""
    if not heads:
        return say("attention-ribbons-none")
    drawn = sum(int(every.of(head).sum()) for head in heads)
    told = {
        "n": drawn,
        "links": numbers.grouped(drawn),
        "hidden": numbers.percent(every.hidden_share(heads)),
    }
    if has_single_head():
        text = say("attention-ribbons-drawn-single", **told)
    else:
        named = ", ".join(str(head + 1) for head in heads)
        place = {"layer": every.layer + 1, "n_heads": len(heads), "heads": named}
        text = say("attention-ribbons-drawn", **place, **told)
    lost = [float(every.left_out[every.heads.index(head)]) for head in heads]
    if any(lost):
        text += " " + say("attention-ribbons-lost", share=numbers.percent(max(lost)))
    return text
