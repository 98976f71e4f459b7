"""Two sentences: the same heads side by side, and what each does differently on shared words."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from analysis.labels import distinct_labels
from analysis.measures import pair_weights, strongest_head
from analysis.pairs import (
    Pairs,
    align,
    difference_cells,
    moved,
    moved_rows,
    moved_table,
    partners,
    shared_difference,
)
from analysis.transform import Groups, is_special
from model import ModelError
from ui.address import LONG
from ui.attention.overview import matrix_figure
from ui.attention.scene import Scene, make_scene
from ui.focus import change_focus, link_of
from ui.kit.blocks import picture, table
from ui.kit.controls import text_box
from ui.kit.layout import finding, folded
from ui.state import Run, show_problem, translated
from ui.words import has_single_head, head_name, page_text, plain, say, site_name
from viz.effect import difference_heatmap
from words import numbers

MOST_TEXT = 700
MOST_NAMED = 4
HIGHEST = 290  # pixels of the cells of a matrix, with its sentence below it
SIDES = {"first": "violet", "second": "green"}


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two scenes of the same head and what they share.

    Attributes
    ----------
    first, second : the scene of the page, and the same view of the second sentence.
    row_pairs, column_pairs : positions of shared tokens in the two maps on screen.
    difference : second minus first, (L, H, n_rows, n_columns).
    """

    first: Scene
    second: Scene
    row_pairs: Pairs
    column_pairs: Pairs
    difference: np.ndarray

    @property
    def shares_words(self) -> bool:
        """Something is shared on both sides that is not a special token."""
        sides = (
            (self.first.row_tokens, self.row_pairs),
            (self.first.attention.key_tokens, self.column_pairs),
        )
        return all(
            any(not special for special in is_special([tokens[i] for i, _ in pairs]))
            for tokens, pairs in sides
        )


@dataclass(frozen=True, eq=False)
class Followed:
    """One link in both sentences: its words and the (L, H) weights before and after."""

    row: str
    column: str
    before: np.ndarray
    after: np.ndarray


def show(scene: Scene) -> Callable[[], None] | None:
    """The open head in both sentences; what differs is returned, to stand below all heads."""
    place = st.container()
    text = _second_sentence(scene)
    second = _second_scene(scene, text)
    if second is None:
        finding(f"{scene.title}: {scene.readout}")
        with place, st.container(key="pair_alone"):
            _matrix(scene, scene.rows, scene.columns, side="first")
        return None
    comparison = compare(scene, second)
    links = followed(comparison)
    with place:
        _side_by_side(comparison)
    if not comparison.shares_words:
        finding(f"{scene.title}: {scene.readout}")
        st.info(page_text("pair_nothing"), icon=":material/join_inner:")
        return None
    said, *others = _pair_sentences(comparison, links)
    finding(f"{scene.title}: {said}")
    with folded("reading"):
        st.markdown(page_text("pair"))
    return partial(_differences, comparison, links, others)


def _differences(comparison: Comparison, links: list[Followed], said: list[str]) -> None:
    """What the open head does differently, and how much every head does."""
    st.markdown(" ".join([*said, _moved_sentence(comparison)]))
    if has_single_head():
        _difference(comparison)
        return
    left, right = st.columns(2, gap="medium")
    with left:
        _difference(comparison)
    with right:
        _ranking(comparison, links)


def compare_button(run: Run) -> None:
    """One click to this sentence beside the one that differs in a word and turns the answer."""
    if run.example and run.example.twin:
        st.button(
            say("compare", text=plain(run.example.twin)),
            key="twin",
            icon=":material/compare_arrows:",
            on_click=_compare_with,
            args=(run.example.twin,),
        )


def _compare_with(text: str) -> None:
    st.session_state["second"] = text
    st.session_state["look"] = "pair"


def compare(first: Scene, second: Scene) -> Comparison:
    """Align the rows and the columns on screen and subtract the weights."""
    row_pairs = align(first.row_tokens, second.row_tokens)
    column_pairs = align(first.attention.key_tokens, second.attention.key_tokens)
    difference = shared_difference(first.attention, second.attention, row_pairs, column_pairs)
    return Comparison(first, second, row_pairs, column_pairs, difference)


def second_rows(comparison: Comparison) -> tuple[int, ...]:
    """The chosen rows in the second map: the same tokens, or its pronoun for the first one's.

    "it" may become "es" in one translation and "sie" in the other; both are the row to look at.
    Empty when a chosen row has no partner.
    """
    scene, second = comparison.first, comparison.second
    rows = partners(comparison.row_pairs, scene.rows)
    if len(rows) == len(scene.rows):
        return rows
    here, there = scene.link, second.link
    if here and there and set(scene.focus.rows) == set(here.rows):
        return _on_screen(there.rows, second.shown.query_groups)
    return ()


def followed(comparison: Comparison) -> list[Followed]:
    """The chosen link in both sentences, and the link to the other noun where there is one.

    Empty when no query and key are chosen, or when the second sentence lacks one of them.
    """
    scene, second = comparison.first, comparison.second
    rows = second_rows(comparison)
    if not rows:
        return []
    row, other_row = _names(scene.row_tokens, scene.rows), _names(second.row_tokens, rows)
    links = []
    for columns in (scene.columns, _other_columns(scene)):
        there = partners(comparison.column_pairs, columns)
        if not columns or len(there) < len(columns):
            break
        links.append(
            Followed(
                row=row
                if row == other_row
                else say("attention-pair-row", row=row, second=other_row),
                column=_names(scene.attention.key_tokens, columns),
                before=pair_weights(scene.attention, scene.rows, columns),
                after=pair_weights(second.attention, rows, there),
            )
        )
    return links


def marked_words(first: str, second: str) -> tuple[str, str]:
    """Two texts as Markdown, the words that differ bold on their sentence's colour."""
    sides = [text[:MOST_TEXT].split() for text in (first, second)]
    opcodes = SequenceMatcher(None, *sides, autojunk=False).get_opcodes()
    texts = []
    for words, colour, at in zip(sides, SIDES.values(), (1, 3), strict=True):
        parts = []
        for opcode in opcodes:
            stretch = plain(" ".join(words[opcode[at] : opcode[at + 1]]), MOST_TEXT)
            if stretch:
                parts.append(
                    stretch if opcode[0] == "equal" else f":{colour}-background[**{stretch}**]"
                )
        texts.append(" ".join(parts))
    return texts[0], texts[1]


def _second_sentence(scene: Scene) -> str:
    """The box for the second sentence; it starts with the twin of a known example."""
    twin = scene.run.example.twin if scene.run.example else ""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = text_box("second", twin, words="attention-pair-second", form=LONG, live="500ms")
        if twin and text != twin:
            st.button(
                say("attention-pair-use", text=plain(twin)),
                key="use_twin",
                icon=":material/compare_arrows:",
                on_click=_use_second,
                args=(twin,),
            )
    return text


def _use_second(text: str) -> None:
    st.session_state["second"] = text


def _second_scene(scene: Scene, text: str) -> Scene | None:
    """The same view of the second sentence; None after saying why there is nothing to compare."""
    if not text.strip():
        st.info(page_text("pair_empty"), icon=":material/edit:")
        return None
    run = scene.run
    try:
        other = translated(replace(run.choices, text=text), run.translator)
    except ModelError as error:
        show_problem(error)
        st.caption(say("attention-pair-first-stays"))
        return None
    if other.record.src.ids == run.record.src.ids:
        st.info(page_text("pair_same"), icon=":material/equal:")
        return None
    raw = other.record.of(scene.kind)
    return make_scene(other, scene.kind, raw, link_of(other, raw), scene.display)


def _side_by_side(comparison: Comparison) -> None:
    """The open head in both sentences, and below them the sentences and their translations."""
    scene, second = comparison.first, comparison.second
    words, others = scene.run.translation, second.run.translation
    columns = partners(comparison.column_pairs, scene.columns)
    sides = (
        ("first", scene, scene.rows, scene.columns),
        ("second", second, second_rows(comparison), columns),
    )
    sources = marked_words(words.src.text, others.src.text)
    targets = marked_words(words.text, others.text)
    places = st.columns(2, gap="medium")
    for place, (name, *side), source, target in zip(places, sides, sources, targets, strict=True):
        with place:
            written = f"→ {target}" if target else say("attention-pair-ended")
            _matrix(*side, side=name, below=f"{_badge(name)} {source}\n\n{written}")


def _badge(side: str) -> str:
    return f":{SIDES[side]}-badge[{say(f'attention-pair-badge-{side}')}]"


def _matrix(
    scene: Scene, rows: Sequence[int], columns: Sequence[int], *, side: str, below: str = ""
) -> None:
    n_rows, n_columns = scene.attention.weights.shape[2:]
    picture(
        f"attention-pair-{side}",
        matrix_figure(scene, rows, columns, highest=HIGHEST),
        key=f"{scene.kind}_pair_{side}",
        below=below,
        files={"scene": scene},
        head=head_name(scene.focus.layer, scene.focus.head, title=True),
        site=site_name(scene.kind, "attention"),
        n_rows=n_rows,
        n_columns=n_columns,
        file=scene.file_name,
    )


def _difference(comparison: Comparison) -> None:
    scene, second = comparison.first, comparison.second
    head = scene.focus.layer, scene.focus.head
    pairs = comparison.row_pairs, comparison.column_pairs
    parts = (scene.attention, second.attention), head, pairs, scene.row_tokens
    name = head_name(*head)
    st.markdown(f"### {say('attention-pair-difference', head=name)}")
    picture(
        "attention-pair-difference",
        difference_heatmap(*parts),
        key=f"{scene.kind}_pair_difference",
        numbers=lambda: difference_cells(*parts),
        head=name,
        file=scene.file_name,
        n_rows=len(pairs[0]),
        n_columns=len(pairs[1]),
        text=second.run.record.src.text,
    )


def _ranking(comparison: Comparison, links: list[Followed]) -> None:
    """Every head of the site by how much it moved; a click on a line opens the head."""
    scene, link = comparison.first, links[0] if links else None
    weights = (link.before, link.after) if link else (None, None)
    heads = moved_table(moved(comparison.difference), *weights)
    order = list(zip(heads["layer"], heads["head"], strict=True))
    shown = heads.drop(columns=["layer", "head"])
    shown.insert(0, "name", [head_name(*place) for place in order])
    key = f"{scene.kind}_pair_heads_{zlib.crc32(repr(order).encode())}"
    st.markdown(f"### {say('attention-pair-heads')}")
    if link:
        st.caption(say("attention-pair-heads-weight", row=link.row, column=link.column))
    open_head = scene.focus.layer, scene.focus.head
    table(
        "attention-pair-heads",
        shown,
        key=key,
        widths={"name": 104, "moved": 124} | dict.fromkeys(SIDES, 92),
        formats=dict.fromkeys(("moved", *SIDES), "%.3f"),
        shares=("moved",),
        height=min(36 * (len(heads) + 1), 460),
        on_pick=partial(open_row, key, scene.kind, heads),
        n=len(heads),
        site=site_name(scene.kind, "attention"),
        head=head_name(*open_head),
        line=order.index(open_head) + 1,
        of=len(heads),
    )


def open_row(key: str, kind: str, heads: pd.DataFrame) -> None:
    """Open the head of the line that was clicked in the table `key` (for callbacks)."""
    rows = st.session_state[key]["selection"]["rows"]
    if rows and 0 <= rows[0] < len(heads):
        line = heads.iloc[rows[0]]
        change_focus(kind, layer=int(line["layer"]), head=int(line["head"]))


def _pair_sentences(comparison: Comparison, links: list[Followed]) -> list[str]:
    """The chosen weight in both sentences, in the open head and in the one that changes it most."""
    scene = comparison.first
    if not (scene.rows and scene.columns):
        return [say("attention-pair-choose")]
    if not links:
        return [_missing_sentence(comparison)]
    where, link = (scene.focus.layer, scene.focus.head), links[0]
    weights = ", ".join(
        say("attention-pair-weight-to", column=each.column, **_weights(each, where))
        for each in links
    )
    text = say("attention-pair-weight", row=link.row, weights=weights)
    best = strongest_head(np.abs(link.after - link.before))
    found = {"n": link.before.size, "column": link.column}
    if best == where:
        return [text, say("attention-pair-weight-most", **found)]
    other = {"head": head_name(*best), **found, **_weights(link, best)}
    return [text, say("attention-pair-weight-other", **other)]


def _weights(link: Followed, head: tuple[int, int]) -> dict[str, str]:
    return {"before": numbers.fixed(link.before[head]), "after": numbers.fixed(link.after[head])}


def _missing_sentence(comparison: Comparison) -> str:
    """Which of the chosen tokens have no partner in the second sentence."""
    scene = comparison.first
    lost = {}
    if not second_rows(comparison):
        known = dict(comparison.row_pairs)
        lost["rows"] = _names(scene.row_tokens, [i for i in scene.rows if i not in known])
    known = dict(comparison.column_pairs)
    columns = [i for i in scene.columns if i not in known]
    if columns:
        lost["columns"] = _names(scene.attention.key_tokens, columns)
    return say(f"attention-pair-missing-{'-'.join(lost)}", **lost)


def _moved_sentence(comparison: Comparison) -> str:
    """How much the open head moved, and the row that moved most."""
    scene = comparison.first
    where = scene.focus.layer, scene.focus.head
    rows = moved_rows(comparison.difference)[where]
    most = int(np.argmax(rows))
    return say(
        "attention-pair-moved",
        n=len(rows),
        share=numbers.percent(moved(comparison.difference)[where]),
        row=_names(scene.row_tokens, [comparison.row_pairs[most][0]]),
        most=numbers.percent(rows[most]),
    )


def _other_columns(scene: Scene) -> tuple[int, ...]:
    """The noun that was not chosen, when one of the link's two nouns is."""
    link = scene.link
    if link is None or set(scene.focus.rows) != set(link.rows):
        return ()
    nouns = link.columns, link.other_columns
    chosen = set(scene.focus.columns)
    other = next((b for a, b in (nouns, nouns[::-1]) if a and set(a) == chosen), ())
    return _on_screen(other, scene.shown.key_groups)


def _on_screen(positions: Sequence[int], groups: Groups) -> tuple[int, ...]:
    """Positions of a map as computed, as positions of the map on screen."""
    return tuple(i for i, group in enumerate(groups) if set(group) & set(positions))


def _names(tokens: Sequence[str], positions: Sequence[int]) -> str:
    labels = distinct_labels(tokens)
    names = [say("quoted", text=plain(labels[i])) for i in positions[:MOST_NAMED]]
    if len(positions) > MOST_NAMED:
        names.append(say("more", n=len(positions) - MOST_NAMED))
    return " + ".join(names)
