"""Focus of each attention site: the open head and the chosen tokens.

The session holds the only copy; clicks on charts, pickers and the address change it, and widgets
show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from core.attention import OF_LAYERS, AttentionMap, AttentionSite
from core.measures import pair_weights, strongest_head
from core.tokens import SPACE, TokenSequence, numbered_labels
from core.transform import Groups, Regrouped, shown_at
from words.packs import Pack

from . import address
from .address import PLACES
from .kit.blocks import head_picker
from .state import Run
from .words import say

Head = tuple[int, int]
"""A layer and a head, both from 0."""


@dataclass(frozen=True)
class Link:
    """A pronoun and its candidate nouns, as positions in an attention map.

    On the target side also a written word and the noun that it renders. `deciding_word` tells which
    noun is meant: "tired", "wide".
    """

    row_word: str
    rows: tuple[int, ...]
    column_word: str = ""
    columns: tuple[int, ...] = ()
    other_word: str = ""
    other_columns: tuple[int, ...] = ()
    deciding_word: str = ""
    deciding_columns: tuple[int, ...] = ()


@dataclass(frozen=True)
class Focus:
    """The open head, and the chosen queries and keys as positions of the map as computed."""

    layer: int = 0
    head: int = 0
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()

    @property
    def place(self) -> Head:
        return self.layer, self.head

    @property
    def row(self) -> int | None:
        return self.rows[0] if self.rows else None

    @property
    def column(self) -> int | None:
        return self.columns[0] if self.columns else None


def link_of(run: Run, attention: AttentionMap) -> Link | None:
    """Return the pronoun and nouns of the run's example that this map can show, or None."""
    translation = run.translation
    if not isinstance(translation.src, TokenSequence):
        return None
    link = link_at(attention.site, translation.src, translation.tgt, run.pack)
    if link is None:
        return None
    return replace(
        link,
        row_word=run.spoken(attention.site.query, link.row_word),
        column_word=run.spoken("source", link.column_word),
        deciding_word=run.spoken("source", link.deciding_word),
    )


def link_at(
    site: AttentionSite, src: TokenSequence, tgt: TokenSequence | None, pack: Pack
) -> Link | None:
    """Return the pronoun's rows at `site`, with its nouns if the example names them.

    In self-attention of the source the row is the pronoun itself. On the target side it is the
    position that produces its translation, or, in self-attention of the target, the next position,
    which reads it.
    """
    example = pack.example_of(src.text)
    if example and example.writes and (site.query, site.key) == ("target", "source"):
        # From where it is written to the noun that it renders.
        rows = tuple(i for i, token in enumerate(_spelt(tgt)) if token == example.writes)[:1]
        noun = example.antecedent
        return Link(example.writes, rows, noun, src.pieces_of(noun)) if rows else None
    word = example.pronoun if example and example.pronoun else pack.pronoun
    rows = src.pieces_of(word) if word else ()
    if not rows or site.query not in ("source", "target"):
        return None
    if site.query == "target":
        produced = _spelt(tgt)
        found = [i for i, token in enumerate(produced) if token in pack.forms]
        if not found:
            return None
        # An antecedent comes before its pronoun, so the last form found is the likeliest.
        word, rows = produced[found[-1]], (found[-1],)
    if site.is_self and site.query == "target":
        # Teacher forcing shifts the input by one: a token is read one step after it is produced.
        rows = (min(rows[0] + 1, len(produced) - 1),)
    if site.key != "source" or example is None or not example.antecedent:
        return Link(word, rows)
    return Link(
        word,
        rows,
        example.antecedent,
        src.pieces_of(example.antecedent),
        example.other,
        src.pieces_of(example.other),
        example.decides,
        src.pieces_of(example.decides) if example.decides else (),
    )


def _spelt(tgt: TokenSequence | None) -> list[str]:
    return [token.removeprefix(SPACE).lower() for token in tgt.tokens] if tgt else []


def current_focus(
    kind: str,
    attention: AttentionMap,
    link: Link | None,
    identity: tuple,
    *,
    measured: Head | None = None,
    from_address: bool = False,
) -> Focus:
    """Return the focus of the site `kind`, created or repaired if the sentence has changed.

    The `measured` head, which follows antecedents over many sentences, opens if this sentence has
    no known nouns.
    """
    store: dict[str, Any] = st.session_state.setdefault("focus", {})
    entry, focus = store.get(kind), _opening(attention, link, measured)
    if from_address:
        # An address may name a head or a token that this map lacks.
        focus = _inside(_from_address(focus, attention), attention)
    elif entry is not None and _reads_same(entry["identity"], identity, attention.site):
        focus = entry["focus"]
    elif entry is not None and entry["identity"][0] == identity[0]:
        # The heads of another model would do other things.
        focus = replace(focus, layer=entry["focus"].layer, head=entry["focus"].head)
    # Such a measure has one map per layer, so the head that was open is kept for later.
    if attention.measure in OF_LAYERS:
        asked_head = entry.get("head", entry["focus"].head) if entry else focus.head
        store[kind] = {"identity": identity, "focus": _inside(replace(focus, head=0), attention)}
        store[kind]["head"] = asked_head
        return store[kind]["focus"]
    if entry is not None and "head" in entry and not from_address:
        focus = replace(focus, head=entry["head"])
    focus = _inside(focus, attention)
    store[kind] = {"identity": identity, "focus": focus}
    return focus


def _reads_same(identity: tuple, other: tuple, site: AttentionSite) -> bool:
    """Return True if rows and columns are the same, though other things may have changed."""
    of_source = site.query == site.key == "source"
    return identity == other or (of_source and identity[:2] == other[:2])


def change_focus(kind: str, **changes: int | tuple[int, ...]) -> Focus:
    entry = st.session_state["focus"][kind]
    entry["focus"] = replace(entry["focus"], **changes)
    return entry["focus"]


def open_head(kind: str, layer: int, head: int) -> None:
    change_focus(kind, layer=layer, head=head)


def choose(
    kind: str,
    groups: tuple[Groups, Groups],
    rows: Sequence[int],
    columns: Sequence[int],
    **changes: int,
) -> Focus:
    """Set the focus to positions on screen, which `groups` map to pieces of the map as computed.

    A side whose positions did not change keeps its pieces: one of a word may have been chosen.
    """
    focus, chosen = focus_of(kind), dict[str, Any](changes)
    for side, places, of in zip(("rows", "columns"), (rows, columns), groups, strict=True):
        if set(places) != set(shown_at(getattr(focus, side), of)):
            chosen[side] = tuple(i for place in places for i in of[place])
    return change_focus(kind, **chosen)


def focus_of(kind: str) -> Focus:
    return st.session_state["focus"][kind]["focus"]


def pickers(kind: str, shown: Regrouped, row_tokens: Sequence[str]) -> None:
    """Draw menus of layer, head, row and column, which show and change the focus."""
    focus, attention = focus_of(kind), shown.attention
    with st.container(horizontal=True, wrap=True):
        head_picker(
            kind,
            attention.n_layers,
            attention.n_heads,
            chosen=focus.place,
            on_change=_take_head,
            args=(kind,),
        )
        sides = (
            ("row", row_tokens, shown.query_groups, focus.rows),
            ("column", attention.key_tokens, shown.key_groups, focus.columns),
        )
        for name, tokens, groups, chosen in sides:
            key, labels = f"{kind}_{name}", numbered_labels(tokens)
            places = shown_at(chosen, groups)
            # Streamlit ignores `index` once the key is in the session, so the value is set there.
            st.session_state[key] = places[0] if places else None
            st.selectbox(
                say(f"focus-{name}", n=len(places)),
                range(len(labels)),
                index=None,
                key=key,
                format_func=labels.__getitem__,
                placeholder=say("none"),
                width=150,
                on_change=_take_token,
                args=(kind, name, groups),
            )


def _take_head(kind: str, name: str) -> None:
    change_focus(kind, **{name: st.session_state[f"{kind}_{name}"]})


def _take_token(kind: str, side: str, groups: Groups) -> None:
    place = st.session_state[f"{kind}_{side}"]
    change_focus(kind, **{f"{side}s": () if place is None else groups[place]})


def write_address(focus: Focus) -> None:
    for name, positions in {
        "layer": (focus.layer,),
        "head": (focus.head,),
        "row": focus.rows,
        "column": focus.columns,
    }.items():
        address.write(name, positions, PLACES)


def _opening(attention: AttentionMap, link: Link | None, measured: Head | None) -> Focus:
    if link is None:
        return Focus()
    # Where the noun is hidden, no head of the sentence is linked to it.
    linked = link.columns and pair_weights(attention, link.rows, link.columns).any()
    head = head_of_link(attention, link) if linked else measured or (0, 0)
    return Focus(*head, link.rows, link.columns)


def head_of_link(attention: AttentionMap, link: Link) -> Head:
    """Return the head with the most weight from the pronoun to its noun."""
    return strongest_head(pair_weights(attention, link.rows, link.columns))


def _from_address(focus: Focus, attention: AttentionMap) -> Focus:
    layers, heads, rows, columns = (
        address.read(name, PLACES) or () for name in ("layer", "head", "row", "column")
    )
    # A layer without a head, or the reverse, is ignored.
    if layers and heads:
        candidate = replace(focus, layer=layers[0], head=heads[0])
        focus = candidate if _inside(candidate, attention) == candidate else focus
    return replace(focus, rows=rows, columns=columns) if rows or columns else focus


def _inside(focus: Focus, attention: AttentionMap) -> Focus:
    n_rows, n_columns = attention.weights.shape[2:]
    return Focus(
        layer=focus.layer if 0 <= focus.layer < attention.n_layers else 0,
        head=focus.head if 0 <= focus.head < attention.n_heads else 0,
        rows=tuple(i for i in focus.rows if 0 <= i < n_rows),
        columns=tuple(i for i in focus.columns if 0 <= i < n_columns),
    )
