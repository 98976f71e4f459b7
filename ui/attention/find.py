"""Find the head: choose tokens on both sides, and all heads of the site are ranked by them."""

from __future__ import annotations

import streamlit as st

from core.measures import head_table_of, pair_weights, strongest_head
from core.tokens import distinct_labels
from core.transform import Groups
from ui.attention.scene import Scene, heads_to_open, named_tokens
from ui.focus import change_focus
from ui.kit.layout import finding, folded, paragraph
from ui.words import plain, say

WHOLE = ("layer", "head")
WITH_UNITS = ("entropy", "distance")  # the others are shares of one


def show(scene: Scene) -> None:
    focus, chosen = scene.focus, bool(scene.rows and scene.columns)
    heads = head_table_of(scene.raw, focus.rows, focus.columns)
    by = "weight" if chosen else "entropy"
    heads = heads.sort_values(by, ascending=not chosen, kind="stable", ignore_index=True)
    places = list(zip(heads["layer"] - 1, heads["head"] - 1, strict=True))
    said = say("attention-find-choose", measure=scene.raw.measure)
    keys, shown = scene.attention.key_tokens, scene.shown
    if chosen:
        weights, open_place = heads["weight"], places.index(focus.place)
        said = say(
            "attention-find-best",
            queries=named_tokens(scene.row_tokens, scene.rows),
            keys=named_tokens(keys, scene.columns),
            best=scene.head_name(places[0]),
            n=len(heads),
            measure=scene.raw.measure,
            weight=weights[0],
            place=open_place + 1,
            open=scene.head_name(),
            open_weight=weights[open_place],
        )
        if len(scene.rows) > 1 or len(scene.columns) > 1:
            said += " " + say("attention-find-summed", measure=scene.raw.measure)
    finding(said)
    if scene.raw.measure != "weight":
        heads = heads.rename(columns={"weight": "norm", "largest": "largest-norm"})
    shares = [name for name in heads.columns if name not in (*WHOLE, *WITH_UNITS)]
    heads_to_open(
        "attention-find",
        scene,
        heads,
        places,
        key=f"{scene.kind}_heads",
        width=92,
        widths=dict.fromkeys(WHOLE, 48) | dict.fromkeys(WITH_UNITS, 112),
        formats=dict.fromkeys(WITH_UNITS, "%.2f") | dict.fromkeys(shares, "%.3f"),
        shares=shares,
    )
    sides = (
        ("queries", "rows", scene.row_tokens, scene.rows, shown.query_groups),
        ("keys", "columns", keys, scene.columns, shown.key_groups),
    )
    for title, side, tokens, chosen_places, groups in sides:
        key, labels = f"{scene.kind}_find_{side}", distinct_labels(tokens)
        st.session_state[key] = list(chosen_places)
        st.pills(
            say(f"attention-find-{title}"),
            range(len(labels)),
            selection_mode="multi",
            wrap=True,
            key=key,
            format_func=lambda i, labels=labels: plain(labels[i]),
            on_change=_take_tokens,
            args=(key, scene, side, groups),
        )
    with folded("reading"):
        paragraph("find")


def _take_tokens(key: str, scene: Scene, side: str, groups: Groups) -> None:
    positions = {i for place in st.session_state[key] for i in groups[place]}
    focus = change_focus(scene.kind, **{side: tuple(sorted(positions))})
    if focus.rows and focus.columns:
        layer, head = strongest_head(pair_weights(scene.raw, focus.rows, focus.columns))
        change_focus(scene.kind, layer=layer, head=head)
