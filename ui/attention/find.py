"""Find the head: choose tokens on both sides, and all heads of the kind are ranked by them."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from analysis.measures import head_table_of, rank_heads
from analysis.transform import Groups
from records import AttentionKind
from ui.attention.scene import Scene
from ui.focus import change_focus
from ui.words import head_name, page_text, plain
from viz.labels import distinct_labels

LABELS = {
    "layer": "layer",
    "head": "head",
    "weight": "chosen pair",
    "largest": "largest",
    "entropy": "entropy, bits",
    "distance": "distance, tokens",
    "previous": "on previous",
    "same": "on same",
    "next": "on next",
    "special": "on special",
}
PLAIN = ("layer", "head", "entropy", "distance")  # the others are shares of one
MOST_NAMED = 6


def show(scene: Scene) -> None:
    st.markdown(page_text("find"))
    attention, kind = scene.attention, scene.kind
    _token_pills(
        "Queries: tokens that look",
        f"{kind}_find_rows",
        distinct_labels(scene.row_tokens),
        scene.rows,
        (kind, "rows", scene.shown.query_groups),
    )
    _token_pills(
        "Keys: tokens looked at",
        f"{kind}_find_columns",
        distinct_labels(attention.key_tokens),
        scene.columns,
        (kind, "columns", scene.shown.key_groups),
    )
    chosen = bool(scene.rows and scene.columns)
    if chosen:
        st.markdown(_best_sentence(scene))
    else:
        st.markdown(
            "Choose at least one query and one key to rank the heads by the weight between them."
        )
    _head_list(scene, chosen=chosen)


def _token_pills(
    title: str,
    key: str,
    labels: list[str],
    chosen: tuple[int, ...],
    target: tuple[AttentionKind, str, Groups],
) -> None:
    st.session_state[key] = list(chosen)
    st.pills(
        title,
        range(len(labels)),
        selection_mode="multi",
        wrap=True,
        key=key,
        format_func=lambda i: plain(labels[i]),
        on_change=_take_tokens,
        args=(key, *target),
    )


def _take_tokens(key: str, kind: AttentionKind, side: str, groups: Groups) -> None:
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
    text = (
        f"From {queries} to {keys}: **{head_name(layer, head)}** has most of all "
        f"{len(ranking)} heads, **{weight:.3f}**"
    )
    if place > 1:
        text += f"; the open {head_name(scene.focus.layer, scene.focus.head)} has {open_weight:.3f}"
        text += f", place {place}"
    several = len(scene.rows) > 1 or len(scene.columns) > 1
    return text + (". Summed over the keys, averaged over the queries." if several else ".")


def _named(labels: list[str], places: tuple[int, ...]) -> str:
    names = [f"“{plain(labels[i])}”" for i in places[:MOST_NAMED]]
    if len(places) > MOST_NAMED:
        names.append(f"{len(places) - MOST_NAMED} more")
    return " + ".join(names)


def _head_list(scene: Scene, *, chosen: bool) -> None:
    """Every head of the kind with its numbers; a click on a row opens the head."""
    focus = scene.focus
    heads = head_table_of(scene.raw, focus.rows, focus.columns)
    order = "weight" if chosen else "entropy"
    heads = heads.sort_values(order, ascending=not chosen, kind="stable").reset_index(drop=True)
    at = heads.index[(heads["layer"] == focus.layer + 1) & (heads["head"] == focus.head + 1)]
    shares = [name for name in heads.columns if name not in PLAIN]
    columns = {
        name: st.column_config.ProgressColumn(
            LABELS[name], min_value=0.0, max_value=1.0, format="%.3f"
        )
        for name in shares
    }
    columns |= {
        name: st.column_config.NumberColumn(LABELS[name], format="%.2f")
        for name in ("entropy", "distance")
    }
    columns |= {name: st.column_config.NumberColumn(LABELS[name]) for name in ("layer", "head")}
    key = f"{scene.kind}_heads_{_version(heads)}"
    st.dataframe(
        heads,
        key=key,
        hide_index=True,
        column_config=columns,
        on_select=lambda: _open_row(key, scene.kind, heads),
        selection_mode="single-row",
        height=min(36 * (len(heads) + 1), 420),
    )
    st.caption(
        f"Open: {head_name(focus.layer, focus.head)}, line {int(at[0]) + 1} of {len(heads)}. Click "
        "the box at the left of a line to open its head, a column's title to sort by it."
    )


def _version(heads: pd.DataFrame) -> str:
    """Changes with the order of the heads: an old selection must not point at another head."""
    return "_".join(f"{a}.{b}" for a, b in zip(heads["layer"][:3], heads["head"][:3], strict=True))


def _open_row(key: str, kind: AttentionKind, heads: pd.DataFrame) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    if rows and rows[0] < len(heads):
        line = heads.iloc[rows[0]]
        change_focus(kind, layer=int(line["layer"]) - 1, head=int(line["head"]) - 1)
