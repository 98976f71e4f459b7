"""Which head is open and which tokens are chosen, per kind of attention.

One record in the session is the truth; clicks on charts, pickers and the address bar change it,
and the widgets show it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from analysis.measures import pair_weights, strongest_head
from analysis.transform import Groups, Regrouped
from records import AttentionKind, AttentionMap, Translation
from viz.labels import numbered_labels

from .examples import Example

MOST_ADDRESS = 1000  # characters of a list of positions
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
    """The open head, and the chosen queries and keys as positions of the map as computed."""

    layer: int = 0
    head: int = 0
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()

    @property
    def row(self) -> int | None:
        """The first chosen query."""
        return self.rows[0] if self.rows else None

    @property
    def column(self) -> int | None:
        """The first chosen key."""
        return self.columns[0] if self.columns else None


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
    kind: AttentionKind,
    attention: AttentionMap,
    link: Link | None,
    identity: tuple,
    *,
    from_address: bool = False,
) -> Focus:
    """The focus for this kind, made or mended when the sentence has changed.

    With `from_address`, a focus made for the first time is the one the address asks for.
    """
    store: dict[str, Any] = st.session_state.setdefault("focus", {})
    entry = store.get(kind)
    if entry is None:
        focus = _opening(attention, link)
        if from_address:
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


def change_focus(kind: AttentionKind, **changes: int | tuple[int, ...]) -> Focus:
    entry = st.session_state["focus"][kind]
    entry["focus"] = replace(entry["focus"], **changes)
    return entry["focus"]


def focus_of(kind: AttentionKind) -> Focus:
    return st.session_state["focus"][kind]["focus"]


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


def apply_grid_click(maps: Mapping[AttentionKind, AttentionMap]) -> None:
    """A click on the overview opens that head, and its kind of attention with it."""
    cell = clicked("grid", "head")
    kind = cell and cell.get("kind")
    if kind not in maps or not {"layer", "head"} <= cell.keys():
        return
    changed = change_focus(kind, layer=cell["layer"], head=cell["head"])
    st.session_state["focus"][kind]["focus"] = _inside(changed, maps[kind])
    st.session_state["kind"] = kind


def apply_matrix_click(kind: AttentionKind, attention: AttentionMap, shown: Regrouped) -> None:
    """A click on a cell or a row's label chooses it; the same click again lets it go."""
    cell = clicked(f"{kind}_matrix", "cell")
    if not cell or not isinstance(cell.get("q"), int) or not isinstance(cell.get("k"), int):
        return
    rows = _group(shown.query_groups, cell["q"])
    columns = _group(shown.key_groups, cell["k"])
    focus = focus_of(kind)
    if (rows, columns) == (focus.rows, focus.columns):
        rows, columns = (), ()
    focus = _inside(replace(focus, rows=rows, columns=columns), attention)
    st.session_state["focus"][kind]["focus"] = focus


def _group(groups: Groups, position: int) -> tuple[int, ...]:
    return groups[position] if 0 <= position < len(groups) else ()


def pickers(kind: AttentionKind, shown: Regrouped, row_tokens: Sequence[str]) -> None:
    """Layer, head, row and column by keyboard; they show the focus and change it."""
    focus, attention = focus_of(kind), shown.attention
    with st.container(horizontal=True, wrap=True):
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
                on_change=_take_head,
                args=(kind, name),
            )
        sides = (
            ("row", "Query (row)", row_tokens, shown.query_groups, focus.rows),
            ("column", "Key (column)", attention.key_tokens, shown.key_groups, focus.columns),
        )
        for name, title, tokens, groups, chosen in sides:
            _token_picker(f"{kind}_{name}", title, tokens, groups, chosen)


def _token_picker(
    key: str, title: str, tokens: Sequence[str], groups: Groups, chosen: tuple[int, ...]
) -> None:
    labels = numbered_labels(tokens)
    places = [i for i, group in enumerate(groups) if set(group) & set(chosen)]
    st.session_state[key] = places[0] if places else None
    st.selectbox(
        title + (f", first of {len(places)}" if len(places) > 1 else ""),
        range(len(labels)),
        index=None,
        key=key,
        format_func=lambda i: labels[i],
        placeholder="none",
        width=150,
        on_change=_take_token,
        args=(key, groups),
    )


def _take_head(kind: AttentionKind, name: str) -> None:
    change_focus(kind, **{name: st.session_state[f"{kind}_{name}"]})


def _take_token(key: str, groups: Groups) -> None:
    kind, name = key.rsplit("_", 1)
    place = st.session_state[key]
    chosen = () if place is None else _group(groups, place)
    change_focus(kind, **{f"{name}s": chosen})


def write_address(focus: Focus) -> None:
    """Keep head and tokens in the address, counted from 1 as on the page, to be shared."""
    wanted = {
        "layer": (focus.layer,),
        "head": (focus.head,),
        "row": focus.rows,
        "column": focus.columns,
    }
    for name, positions in wanted.items():
        text = ",".join(str(i + 1) for i in positions)
        if not text:
            if name in st.query_params:
                del st.query_params[name]
        elif st.query_params.get(name) != text:
            st.query_params[name] = text


def _opening(attention: AttentionMap, link: Link | None) -> Focus:
    """The pronoun's rows, and the head that looks most from them at its antecedent."""
    if link is None:
        return Focus()
    if not link.columns:
        return Focus(rows=link.rows)
    layer, head = strongest_head(pair_weights(attention, link.rows, link.columns))
    return Focus(layer, head, link.rows, link.columns)


def _from_address(focus: Focus, attention: AttentionMap) -> Focus:
    asked = {
        name: _numbers(st.query_params.get(name)) for name in ("layer", "head", "row", "column")
    }
    if asked["layer"] and asked["head"]:
        candidate = replace(focus, layer=asked["layer"][0], head=asked["head"][0])
        focus = candidate if _inside(candidate, attention) == candidate else focus
    if asked["row"] or asked["column"]:
        focus = replace(focus, rows=asked["row"], columns=asked["column"])
    return _inside(focus, attention)


def _numbers(text: str | None) -> tuple[int, ...]:
    """Positions from 0 for numbers in the address, which count from 1; what is no number goes."""
    parts = (text or "")[:MOST_ADDRESS].split(",")
    sound = [p for p in parts if p.isascii() and p.isdigit() and len(p) < 5 and int(p) > 0]
    return tuple(sorted({int(part) - 1 for part in sound}))


def _head_of(focus: Focus) -> dict[str, int]:
    return {"layer": focus.layer, "head": focus.head}


def _inside(focus: Focus, attention: AttentionMap) -> Focus:
    """`focus` with everything that this attention does not have taken back to a safe value."""
    n_rows, n_columns = attention.weights.shape[2:]
    return Focus(
        layer=focus.layer if 0 <= focus.layer < attention.n_layers else 0,
        head=focus.head if 0 <= focus.head < attention.n_heads else 0,
        rows=tuple(i for i in focus.rows if 0 <= i < n_rows),
        columns=tuple(i for i in focus.columns if 0 <= i < n_columns),
    )
