"""Find the head: choose tokens on both sides, and all heads of the site are ranked by them."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from analysis.labels import distinct_labels
from analysis.measures import head_table_of, rank_heads
from analysis.transform import Groups
from ui.attention.scene import Scene
from ui.focus import change_focus
from ui.kit.blocks import table
from ui.kit.layout import finding, folded
from ui.words import head_name, page_text, plain, say
from words import numbers

WHOLE = ("layer", "head")
WITH_UNITS = ("entropy", "distance")  # the others are shares of one
MOST_NAMED = 6


def show(scene: Scene) -> None:
    chosen = bool(scene.rows and scene.columns)
    finding(_best_sentence(scene) if chosen else say("attention-find-choose"))
    _head_list(scene, chosen=chosen)
    keys, shown = scene.attention.key_tokens, scene.shown
    sides = (
        ("queries", "rows", scene.row_tokens, scene.rows, shown.query_groups),
        ("keys", "columns", keys, scene.columns, shown.key_groups),
    )
    for title, side, tokens, places, groups in sides:
        key, labels = f"{scene.kind}_find_{side}", distinct_labels(tokens)
        st.session_state[key] = list(places)
        st.pills(
            say(f"attention-find-{title}"),
            range(len(labels)),
            selection_mode="multi",
            wrap=True,
            key=key,
            format_func=lambda i, labels=labels: plain(labels[i]),
            on_change=_take_tokens,
            args=(key, scene.kind, side, groups),
        )
    with folded("reading"):
        st.markdown(page_text("find"))


def _take_tokens(key: str, kind: str, side: str, groups: Groups) -> None:
    """Choose the tokens, and open the head with the most weight between them."""
    places = sorted(st.session_state[key])
    positions = tuple(sorted({i for place in places for i in groups[place]}))
    focus = change_focus(kind, **{side: positions})
    run = st.session_state.get("run")
    if run is None or not (focus.rows and focus.columns):
        return
    attention = run.translation.attention.of(kind)
    layer, head, _ = rank_heads(attention, focus.rows, focus.columns)[0]
    change_focus(kind, layer=layer, head=head)


def _best_sentence(scene: Scene) -> str:
    ranking = rank_heads(scene.raw, scene.focus.rows, scene.focus.columns)
    layer, head, weight = ranking[0]
    place = 1 + [(a, b) for a, b, _ in ranking].index((scene.focus.layer, scene.focus.head))
    open_weight = ranking[place - 1][2]
    queries = _named(distinct_labels(scene.row_tokens), scene.rows)
    keys = _named(distinct_labels(scene.attention.key_tokens), scene.columns)
    text = say(
        "attention-find-best" if place == 1 else "attention-find-better",
        queries=queries,
        keys=keys,
        best=head_name(layer, head),
        n=len(ranking),
        weight=numbers.fixed(weight, 3),
        open=head_name(scene.focus.layer, scene.focus.head),
        open_weight=numbers.fixed(open_weight, 3),
    )
    several = len(scene.rows) > 1 or len(scene.columns) > 1
    return f"{text} {say('attention-find-summed')}" if several else text


def _named(labels: list[str], places: tuple[int, ...]) -> str:
    names = [say("quoted", text=plain(labels[i])) for i in places[:MOST_NAMED]]
    if len(places) > MOST_NAMED:
        names.append(say("more", n=len(places) - MOST_NAMED))
    return " + ".join(names)


def _head_list(scene: Scene, *, chosen: bool) -> None:
    """Every head of the site with its numbers; a click on a row opens the head."""
    focus = scene.focus
    heads = head_table_of(scene.raw, focus.rows, focus.columns)
    order = "weight" if chosen else "entropy"
    heads = heads.sort_values(order, ascending=not chosen, kind="stable").reset_index(drop=True)
    at = heads.index[(heads["layer"] == focus.layer + 1) & (heads["head"] == focus.head + 1)]
    key = f"{scene.kind}_heads_{_version(heads)}"
    shares = [name for name in heads.columns if name not in (*WHOLE, *WITH_UNITS)]
    table(
        "attention-find",
        heads,
        key=key,
        widths=dict.fromkeys(WHOLE, 58)
        | dict.fromkeys(WITH_UNITS, 96)
        | dict.fromkeys(shares, 122),
        formats=dict.fromkeys(WITH_UNITS, "%.2f") | dict.fromkeys(shares, "%.3f"),
        shares=shares,
        height=min(36 * (len(heads) + 1), 396),
        on_pick=partial(_open_row, key, scene.kind, heads),
        head=head_name(focus.layer, focus.head),
        line=int(at[0]) + 1,
        of=len(heads),
    )


def _version(heads: pd.DataFrame) -> str:
    """Changes with the order of the heads: an old selection must not point at another head."""
    return "_".join(f"{a}.{b}" for a, b in zip(heads["layer"][:3], heads["head"][:3], strict=True))


def _open_row(key: str, kind: str, heads: pd.DataFrame) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    if rows and rows[0] < len(heads):
        line = heads.iloc[rows[0]]
        change_focus(kind, layer=int(line["layer"]) - 1, head=int(line["head"]) - 1)
