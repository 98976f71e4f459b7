"""Focus of each attention site: the open head and the chosen tokens.

The session holds the only copy; clicks on charts, pickers and the address change it, and widgets
show it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from core.records.attention import OF_LAYERS, AttentionMap, AttentionSite
from core.records.sources import TokenSequence
from core.records.tokens import SPACE
from core.weights.groups import Groups, shown_at
from core.weights.measures import pair_weights, strongest_head
from words.packs import Pack

from ..frame import choices
from ..frame.choices import PLACES, choose
from ..frame.messages import head_code
from ..frame.run import Run
from .controls import choice

KEY = "focus"
"""Session key: the `SiteFocus` of each site."""
Head = tuple[int, int]
"""A layer and a head, both from 0."""
Identity = tuple[Any, ...]


@dataclass(frozen=True)
class HeadSelection:
    """The open head of a site, and its chosen queries (rows) and keys (columns) as positions.

    In the session they are positions of the map as computed; on the way to and from the browser
    they are those on screen, where words may be merged (`ui.components.heads`).
    """

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


@dataclass(frozen=True)
class SiteFocus:
    """Session state of one site."""

    identity: Identity  # of the run: model, source, and the rest
    focus: HeadSelection
    opened: Head  # the head with which the sentence opened
    # A measure with one map per layer puts the open head by, for later.
    put_by: int | None = None
    # all that was selected then; None once a view has opened something better
    opened_with: HeadSelection | None = None

    @property
    def head_to_keep(self) -> int:
        return self.focus.head if self.put_by is None else self.put_by

    def keeps_head(self, identity: Identity) -> bool:
        """Return True if the open head stays though rows or columns have changed."""
        # The heads of another model would do other things. With a word hidden, another head could
        # not be compared with the one before.
        model, source = self.identity[:2]
        is_moved = self.focus.place != self.opened
        return model == identity[0] and (source == identity[1] or is_moved)


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


def pronoun_position(run: Run) -> int | None:
    """Return the output position that translates the pronoun, or None."""
    across = run.record.across
    link = link_of(run, across) if across else None
    return link.rows[0] if link else None


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
        rows = tuple(i for i, token in enumerate(_lowered(tgt)) if token == example.writes)[:1]
        noun = example.antecedent
        return Link(example.writes, rows, noun, src.pieces_of(noun)) if rows else None
    pronoun = example.pronoun if example and example.pronoun else pack.pronoun
    rows = src.pieces_of(pronoun) if pronoun else ()
    if not rows or site.query not in ("source", "target"):
        return None
    if site.query == "source":
        word = pronoun
    else:
        word, rows = _written_pronoun(site, tgt, pack)
    if not rows:
        return None
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


def _written_pronoun(
    site: AttentionSite, tgt: TokenSequence | None, pack: Pack
) -> tuple[str, tuple[int, ...]]:
    """Return the pronoun of the output and its rows at `site`; without rows if there is none."""
    produced = _lowered(tgt)
    forms = [i for i, token in enumerate(produced) if token in pack.forms]
    if not forms:
        return "", ()
    # An antecedent comes before its pronoun, so the last form is the likeliest.
    position = forms[-1]
    # Teacher forcing shifts the input by one: a token is read one step after it is produced.
    row = min(position + 1, len(produced) - 1) if site.is_self else position
    return produced[position], (row,)


def _lowered(tgt: TokenSequence | None) -> list[str]:
    return [token.removeprefix(SPACE).lower() for token in tgt.tokens] if tgt else []


def current_focus(
    site: str,
    attention: AttentionMap,
    identity: Identity,
    opens_with: HeadSelection,
    *,
    from_address: bool = False,
) -> HeadSelection:
    """Return the focus of a site, created or repaired if the sentence has changed.

    A new sentence opens as `opens_with` says, unless the reader has gone to another head.
    """
    store = _of_sites()
    before = store.get(site)
    new = SiteFocus(identity, opens_with, opens_with.place, opened_with=opens_with)
    if from_address:
        # An address may name a head or a token that this map lacks.
        new = replace(new, focus=_inside(_from_address(opens_with, attention), attention))
    elif before is not None:
        new = _carried_over(before, new, attention.site)
    if attention.measure in OF_LAYERS:
        new = replace(
            new,
            focus=replace(new.focus, head=0),
            put_by=new.focus.head if before is None else before.head_to_keep,
        )
    elif before is not None and before.put_by is not None and not from_address:
        new = replace(new, focus=replace(new.focus, head=before.put_by))
    store[site] = replace(new, focus=_inside(new.focus, attention))
    return store[site].focus


def _carried_over(before: SiteFocus, new: SiteFocus, site: AttentionSite) -> SiteFocus:
    """Return the `new` focus of a site with what stays of the one `before`."""
    if _reads_same(before.identity, new.identity, site):
        return replace(
            new, focus=before.focus, opened=before.opened, opened_with=before.opened_with
        )
    if not before.keeps_head(new.identity):
        return new
    focus = replace(new.focus, layer=before.focus.layer, head=before.focus.head)
    is_untouched = before.focus.place == before.opened
    return replace(new, focus=focus, opened=before.opened if is_untouched else new.opened)


def _reads_same(identity: Identity, other: Identity, site: AttentionSite) -> bool:
    """Return True if rows and columns are the same, though other things may have changed."""
    of_source = site.query == site.key == "source"
    return identity == other or (of_source and identity[:2] == other[:2])


def _of_sites() -> dict[str, SiteFocus]:
    """Return what the session holds, by site."""
    if KEY not in st.session_state:
        choose({KEY: {}})
    store: dict[str, SiteFocus] = st.session_state[KEY]
    return store


def change_focus(site: str, **changes: Any) -> HeadSelection:
    """Replace fields of the focus of a site, and return it."""
    store = _of_sites()
    store[site] = replace(store[site], focus=replace(store[site].focus, **changes))
    return store[site].focus


def open_head(site: str, layer: int, head: int) -> None:
    change_focus(site, layer=layer, head=head)


def choose_in_map(
    site: str, groups: tuple[Groups, Groups], selection: HeadSelection
) -> HeadSelection:
    """Set the focus to a selection on screen and return it as positions of the map as computed.

    `groups` hold the pieces behind each row and each column on screen. A side whose positions did
    not change keeps its pieces: one of a word may have been chosen.
    """
    focus = focus_of(site)
    row_groups, column_groups = groups
    return change_focus(
        site,
        layer=selection.layer,
        head=selection.head,
        rows=_pieces(selection.rows, row_groups, focus.rows),
        columns=_pieces(selection.columns, column_groups, focus.columns),
    )


def _pieces(positions: Sequence[int], groups: Groups, before: tuple[int, ...]) -> tuple[int, ...]:
    """Return the pieces at `positions` on screen; those `before`, if they are shown there."""
    if set(positions) == set(shown_at(before, groups)):
        return before
    return tuple(piece for position in positions for piece in groups[position])


def open_in_map(site: str, groups: tuple[Groups, Groups], selection: HeadSelection) -> None:
    """Let the sentence open with another selection on screen: the reader has not chosen it."""
    focus = choose_in_map(site, groups, selection)
    store = _of_sites()
    store[site] = replace(store[site], opened=focus.place, opened_with=None)


def is_as_opened(site: str) -> bool:
    """Return True if a site still shows what its sentence opened with."""
    of_site = _of_sites()[site]
    return of_site.focus == of_site.opened_with


def focus_of(site: str) -> HeadSelection:
    return _of_sites()[site].focus


def head_menu(site: str, attention: AttentionMap, words: Mapping[Head, str]) -> None:
    """Draw a menu of all heads, each with its role in `words`, which shows and changes the focus.

    For views that stand above the tiles; left out where there is one head.
    """
    heads = list(np.ndindex(attention.n_layers, attention.n_heads))
    key = f"{site}_place"
    if len(heads) > 1:
        choose({key: focus_of(site).place})
        choice(
            key,
            heads,
            words="head",
            style="select",
            address=False,
            text=lambda head: " · ".join(filter(None, (head_code(*head), words.get(head)))),
            width=150,
            on_change=_take_head,
            args=(site,),
        )


def _take_head(site: str) -> None:
    open_head(site, *st.session_state[f"{site}_place"])


def write_address(focus: HeadSelection) -> None:
    places = {
        "layer": (focus.layer,),
        "head": (focus.head,),
        "row": focus.rows,
        "column": focus.columns,
    }
    choices.keep_all(places, PLACES, ())


def head_of_link(attention: AttentionMap, link: Link) -> Head:
    """Return the head with the most weight from the pronoun to its noun."""
    return strongest_head(pair_weights(attention, link.rows, link.columns))


def _from_address(focus: HeadSelection, attention: AttentionMap) -> HeadSelection:
    layers, heads, rows, columns = (
        choices.read(name, PLACES) or () for name in ("layer", "head", "row", "column")
    )
    # A layer without a head, or the reverse, is ignored.
    if layers and heads:
        candidate = replace(focus, layer=layers[0], head=heads[0])
        focus = candidate if _inside(candidate, attention) == candidate else focus
    return replace(focus, rows=rows, columns=columns) if rows or columns else focus


def _inside(focus: HeadSelection, attention: AttentionMap) -> HeadSelection:
    n_rows, n_columns = attention.weights.shape[2:]
    return HeadSelection(
        layer=focus.layer if 0 <= focus.layer < attention.n_layers else 0,
        head=focus.head if 0 <= focus.head < attention.n_heads else 0,
        rows=tuple(i for i in focus.rows if 0 <= i < n_rows),
        columns=tuple(i for i in focus.columns if 0 <= i < n_columns),
    )


def is_unmarked(pack: Pack, token: str) -> bool:
    """Return True if a source token is a pronoun that is translated alike whatever its noun."""
    return token.removeprefix(SPACE).lower() in pack.unmarked
