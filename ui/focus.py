"""Which head is open and which row is locked, per kind of attention.

One record in the session is the truth; clicks on charts, pickers and the address bar change it,
and the widgets show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from records import AttentionKind, AttentionMap, Translation
from viz.labels import numbered_labels
from viz.measures import pair_weights, strongest_head

from .examples import Example

PRONOUNS = frozenset({"es", "sie", "er", "ihn", "ihm", "ihr"})


@dataclass(frozen=True)
class Link:
    """A pronoun and the nouns it might stand for, as positions in one attention map."""

    row_word: str
    rows: tuple[int, ...]
    column_word: str = ""
    columns: tuple[int, ...] = ()
    other_word: str = ""
    other_columns: tuple[int, ...] = ()


@dataclass(frozen=True)
class Focus:
    """The open head and the locked row; `column` is the key singled out in that row."""

    layer: int = 0
    head: int = 0
    row: int | None = None
    column: int | None = None


def find_link(
    kind: AttentionKind, translation: Translation, example: Example | None
) -> Link | None:
    """The pronoun's rows in this kind of attention, with its nouns where they are known.

    In the encoder the row is "it" itself, in the decoder the position that reads the German
    pronoun, in cross-attention the position that produces it.
    """
    src = translation.src
    word = example.pronoun if example and example.pronoun else "it"
    pronoun = src.pieces_of(word)
    if not pronoun:
        return None
    if kind != "encoder":
        produced = [t.removeprefix("▁").lower() for t in translation.tgt.tokens]
        found = [i for i, token in enumerate(produced) if token in PRONOUNS]
        if not found:
            return None
        word, pronoun = produced[found[-1]], (found[-1],)
    if kind == "decoder":
        pronoun = (min(pronoun[0] + 1, len(produced) - 1),)
    if kind == "decoder" or example is None or not example.antecedent:
        return Link(word, pronoun)
    return Link(
        word,
        pronoun,
        example.antecedent,
        src.pieces_of(example.antecedent),
        example.other,
        src.pieces_of(example.other),
    )


def current_focus(
    kind: AttentionKind, attention: AttentionMap, link: Link | None, identity: tuple
) -> Focus:
    """The focus for this kind, made or mended when the sentence has changed."""
    store: dict[str, Any] = st.session_state.setdefault("focus", {})
    first_visit = not store
    entry = store.get(kind)
    if entry is None:
        focus = _opening(attention, link)
        if first_visit:
            focus = _from_address(focus, attention)
    elif entry["identity"] == identity:
        focus = entry["focus"]
    elif entry["identity"][0] != identity[0]:  # another model: its heads do other things
        focus = _opening(attention, link)
    else:
        focus = replace(_opening(attention, link), **_head_of(entry["focus"]))
    focus = _inside(focus, attention)
    store[kind] = {"identity": identity, "focus": focus}
    return focus


def change_focus(kind: AttentionKind, **changes: int | None) -> Focus:
    entry = st.session_state["focus"][kind]
    entry["focus"] = replace(entry["focus"], **changes)
    return entry["focus"]


def clicked(chart: str, selection: str) -> dict[str, int] | None:
    """The newest click on a chart, once: the values of its selection's fields.

    Every drawing carries the number of clicks so far and a click sends it back, so the same cell
    can be clicked again and an old selection is not taken for a new one.
    """
    event = st.session_state.get(chart)
    chosen = (event or {}).get("selection", {}).get(selection)
    if not isinstance(chosen, list) or not chosen or not isinstance(chosen[-1], dict):
        return None
    values = chosen[-1]
    if values.get("click") != click_count(chart):
        return None
    counts = st.session_state["clicks"]
    counts[chart] += 1
    return values


def click_count(chart: str) -> int:
    return st.session_state.setdefault("clicks", {}).setdefault(chart, 0)


def apply_clicks(kind: AttentionKind, attention: AttentionMap) -> Focus:
    """Clicks on the grid open a head; clicks in the matrix lock a row, or unlock it."""
    focus = st.session_state["focus"][kind]["focus"]
    grid = clicked(f"{kind}_grid", "head")
    if grid and {"layer", "head"} <= grid.keys():
        focus = _inside(change_focus(kind, layer=grid["layer"], head=grid["head"]), attention)
    cell = clicked(f"{kind}_matrix", "cell")
    if cell and isinstance(cell.get("q"), int) and isinstance(cell.get("k"), int):
        row, column = cell["q"], cell["k"] if cell["k"] >= 0 else None
        if (row, column) == (focus.row, focus.column):
            row, column = None, None
        focus = _inside(replace(focus, row=row, column=column), attention)
    st.session_state["focus"][kind]["focus"] = focus
    return focus


def pickers(kind: AttentionKind, attention: AttentionMap, row_tokens: Sequence[str]) -> None:
    """Layer, head and row by keyboard; they show the focus and change it."""
    focus = st.session_state["focus"][kind]["focus"]
    labels = numbered_labels(row_tokens)
    with st.container(horizontal=True, wrap=False):
        for name, count in (("layer", attention.n_layers), ("head", attention.n_heads)):
            key = f"{kind}_{name}"
            st.session_state[key] = getattr(focus, name)
            st.selectbox(
                name.capitalize(),
                range(count),
                key=key,
                filter_mode=None,
                width=84,
                format_func=lambda i: str(i + 1),
                on_change=_take_picker,
                args=(kind, name),
            )
        st.session_state[f"{kind}_row"] = focus.row
        st.selectbox(
            "Locked row (query)",
            range(len(row_tokens)),
            index=None,
            key=f"{kind}_row",
            format_func=lambda i: labels[i],
            placeholder="none: point at a row",
            on_change=_take_picker,
            args=(kind, "row"),
        )


def _take_picker(kind: AttentionKind, name: str) -> None:
    changes = {name: st.session_state[f"{kind}_{name}"]}
    if name == "row":
        changes["column"] = None
    change_focus(kind, **changes)


def write_address(focus: Focus) -> None:
    """Keep head and row in the address, counted from 1 as on the page, so that it can be shared."""
    wanted = {"layer": focus.layer, "head": focus.head, "row": focus.row, "column": focus.column}
    for name, value in wanted.items():
        if value is None:
            if name in st.query_params:
                del st.query_params[name]
        elif st.query_params.get(name) != str(value + 1):
            st.query_params[name] = str(value + 1)


def _opening(attention: AttentionMap, link: Link | None) -> Focus:
    """The pronoun's row, and the head that looks most from it at its antecedent."""
    if link is None:
        return Focus()
    if not link.columns:
        return Focus(row=link.rows[0])
    layer, head = strongest_head(pair_weights(attention, link.rows, link.columns))
    return Focus(layer, head, link.rows[0], link.columns[0])


def _from_address(focus: Focus, attention: AttentionMap) -> Focus:
    asked = {
        name: _number(st.query_params.get(name)) for name in ("layer", "head", "row", "column")
    }
    if asked["layer"] is not None and asked["head"] is not None:
        candidate = replace(focus, layer=asked["layer"], head=asked["head"])
        focus = candidate if _inside(candidate, attention) == candidate else focus
    if asked["row"] is not None:
        focus = replace(focus, row=asked["row"], column=asked["column"])
    return _inside(focus, attention)


def _number(text: str | None) -> int | None:
    """A position from 0 for a number in the address, which counts from 1."""
    sound = text and text.isascii() and text.isdigit() and len(text) < 5 and int(text) > 0
    return int(text) - 1 if sound else None


def _head_of(focus: Focus) -> dict[str, int]:
    return {"layer": focus.layer, "head": focus.head}


def _inside(focus: Focus, attention: AttentionMap) -> Focus:
    """`focus` with everything that this attention does not have taken back to a safe value."""
    n_rows, n_columns = attention.weights.shape[2:]
    row = focus.row if focus.row is not None and 0 <= focus.row < n_rows else None
    column = focus.column if focus.column is not None and 0 <= focus.column < n_columns else None
    return Focus(
        layer=focus.layer if 0 <= focus.layer < attention.n_layers else 0,
        head=focus.head if 0 <= focus.head < attention.n_heads else 0,
        row=row,
        column=None if row is None else column,
    )
