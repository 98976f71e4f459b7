"""Two sentences: the same heads side by side, and their differences on shared words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.records.tokens import is_word
from core.weights.groups import Groups, is_special, shown_at
from core.weights.measures import moved, moved_rows, pair_weights, strongest_head
from core.weights.pairs import Pairs, align, moved_table, partners, shared_difference
from model import ModelError
from ui.frame.choices import LONG
from ui.frame.messages import has_single_head, say, site_name
from ui.frame.problems import show_problem
from ui.frame.state import translated
from ui.kit.blocks import picture
from ui.kit.controls import button, text_box
from ui.kit.focus import (
    Head,
    HeadSelection,
    choose_in_map,
    is_as_opened,
    link_of,
    open_in_map,
)
from ui.kit.layout import bar, caption, finding, folded, note, paragraph
from ui.kit.norm import as_measured
from ui.kit.text_changes import word_changes
from ui.pages.attention.roles import headline_of
from ui.pages.attention.scene import (
    AttentionScene,
    head_menu_of,
    heads_to_open,
    make_scene,
    matrix_figure,
    named_tokens,
)
from ui.pages.attention.twin import twin_button
from ui.shell.projector import presents
from viz.effect import difference_heatmap

HIGHEST = 205  # pixels of the cells, so that two matrices and their sentences fit the screen
LEAST_CHANGE = 0.1  # of a followed weight, below which the largest change is stated first
BROAD = 480  # pixels of the cells across in presentation mode
SIDES = {"first": "violet", "second": "green"}
MARKS = tuple(f":{colour}-background[**{{}}**]" for colour in SIDES.values())


@dataclass(frozen=True, eq=False)
class PairComparison:
    """Two scenes with the pairing of their shared tokens."""

    first: AttentionScene
    second: AttentionScene
    row_pairs: Pairs  # positions of shared tokens in both maps on screen
    column_pairs: Pairs
    difference: np.ndarray  # second minus first, (L, H, n_rows, n_columns)

    @property
    def shares_words(self) -> bool:
        """True if both axes share a token that is not special."""
        sides = (
            (self.first.row_tokens, self.row_pairs),
            (self.first.attention.key_tokens, self.column_pairs),
        )
        return all(
            any(not special for special in is_special([tokens[i] for i, _ in pairs]))
            for tokens, pairs in sides
        )


class LargestChange(NamedTuple):
    """The shared pair of tokens whose weight changes most, over all heads of the site."""

    selection: HeadSelection  # of the first sentence, on screen
    before: float
    after: float


class FollowedLink(NamedTuple):
    """A link in both sentences: its words and its weights (L, H) before and after."""

    row: str
    column: str
    before: np.ndarray
    after: np.ndarray


def show(scene: AttentionScene) -> Callable[[], None] | None:
    """Draw the open head in both sentences; return a function that draws the differences below."""
    menus = bar("pair")
    second = _second_scene(scene, menus)
    comparison = None if second is None else _opened(compare(scene, second))
    with menus:
        head_menu_of(scene)
    if comparison is None:
        finding(headline_of(scene))
        with st.container(key="pair_alone"):
            _matrix(scene, scene.rows, scene.columns, side="first")
        return None
    scene = comparison.first
    _side_by_side(comparison)
    if not comparison.shares_words:
        finding(headline_of(scene))
        note("pair_nothing", "join_inner")
        return None
    links = followed(comparison)
    headline, *sentences = _pair_sentences(comparison, links)
    headline = f"{scene.title}: {headline}"
    if _hardly_moves(links, scene.focus.place):
        headline = f"{_largest_words(comparison)} {headline}"
        with menus:
            _open_button(comparison)
    elif scene.selection == largest_change(comparison).selection:
        headline = f"{headline} {say('attention-pair-most')}"
    finding(headline)
    with folded("reading"):
        paragraph("pair")
    return partial(_differences, comparison, links, sentences)


def _differences(
    comparison: PairComparison, links: list[FollowedLink], sentences: list[str]
) -> None:
    scene = comparison.first
    rows = moved_rows(comparison.difference)[scene.focus.place]
    most = int(np.argmax(rows))
    moves = say(
        "attention-pair-moved",
        measure=scene.raw.measure,
        n=len(rows),
        share=moved(comparison.difference)[scene.focus.place],
        row=named_tokens(scene.row_tokens, [comparison.row_pairs[most][0]]),
        most=rows[most],
    )
    st.markdown(" ".join([*sentences, moves]))
    if has_single_head():
        _difference(comparison)
        return
    left, right = st.columns(2, gap="medium")
    with left:
        _difference(comparison)
    with right:
        _ranking(comparison, *links[:1])


def compare(first: AttentionScene, second: AttentionScene) -> PairComparison:
    row_pairs = align(first.row_tokens, second.row_tokens)
    column_pairs = align(first.attention.key_tokens, second.attention.key_tokens)
    difference = shared_difference(first.attention, second.attention, row_pairs, column_pairs)
    return PairComparison(first, second, row_pairs, column_pairs, difference)


def _opened(comparison: PairComparison) -> PairComparison:
    """Return the comparison at its largest change if the sentence opened at a link that stays."""
    scene = comparison.first
    stays = _hardly_moves(followed(comparison), scene.focus.place)
    if not (stays and comparison.shares_words and is_as_opened(scene.site_id)):
        return comparison
    open_in_map(scene.site_id, _groups_of(scene), largest_change(comparison).selection)
    return replace(comparison, first=scene.refreshed(), second=comparison.second.refreshed())


def second_rows(comparison: PairComparison) -> tuple[int, ...]:
    """Return the chosen rows in the second map: the same tokens, or its pronoun for the first's.

    "it" may become "es" in one translation and "sie" in the other; both are the row to compare.
    Empty if a chosen row has no partner.
    """
    scene = comparison.first
    second = comparison.second
    rows = partners(comparison.row_pairs, scene.rows)
    if len(rows) == len(scene.rows):
        return rows
    here = scene.link
    there = second.link
    if here and there and set(scene.focus.rows) == set(here.rows):
        return shown_at(there.rows, second.regrouped.query_groups)
    return ()


def strongest_columns(scene: AttentionScene, rows: Sequence[int]) -> tuple[int, ...]:
    """Return the key with the largest weight of `rows` in the open head; empty without rows."""
    if not rows:
        return ()
    weights = scene.attention.head(*scene.focus.place)[list(rows)]
    return (int(weights.sum(axis=0).argmax()),)


def followed(comparison: PairComparison) -> list[FollowedLink]:
    """Return the chosen link in both sentences, and the link to the other noun if there is one.

    Empty if no query and key are chosen, or if the second sentence lacks one of them.
    """
    scene = comparison.first
    second = comparison.second
    rows = second_rows(comparison)
    if not rows:
        return []
    row = named_tokens(scene.row_tokens, scene.rows)
    other_row = named_tokens(second.row_tokens, rows)
    if row != other_row:
        row = say("attention-pair-row", row=row, second=other_row)
    links = []
    for columns in (scene.columns, _other_columns(scene)):
        there = partners(comparison.column_pairs, columns)
        # A link with missing columns would compare different words.
        if not columns or len(there) < len(columns):
            break
        column = named_tokens(scene.attention.key_tokens, columns)
        before = pair_weights(scene.attention, scene.rows, columns)
        links.append(FollowedLink(row, column, before, pair_weights(second.attention, rows, there)))
    return links


def _second_scene(scene: AttentionScene, menus: DeltaGenerator) -> AttentionScene | None:
    """Return the scene of the second sentence, by default the example's twin.

    None, with a note, if there is nothing to compare.
    """
    run = scene.run
    twin = run.pack.twin_of(run.src.text)
    with menus:
        text = text_box(
            "second",
            twin,
            words="attention-pair-second",
            form=LONG,
            live="500ms",
        )
        if twin and text != twin:
            twin_button("use_twin", "attention-pair-use", twin)
    if not text.strip():
        note("pair_empty", "edit")
        return None
    try:
        # The same search settings, or the outputs would differ for two reasons.
        other = translated(replace(run.choices, text=text), run.translator)
        other, _ = as_measured(other, scene.raw.measure)
    except ModelError as error:
        show_problem(error)
        caption("attention-pair-first-stays")
        return None
    # Equal ids: the texts differ only in ways that the tokenizer drops.
    if other.record.src.ids == run.record.src.ids:
        note("pair_same", "equal")
        return None
    raw = other.record.of(scene.site_id)
    return make_scene(other, scene.site_id, raw, link_of(other, raw), scene.display)


def _side_by_side(comparison: PairComparison) -> None:
    scene = comparison.first
    second = comparison.second
    words = scene.run.translation
    others = second.run.translation
    rows = second_rows(comparison)
    columns = partners(comparison.column_pairs, scene.columns)
    # A strongest key is compared with the strongest one there, any other key with itself.
    if rows and scene.columns == strongest_columns(scene, scene.rows):
        columns = strongest_columns(second, rows)
    named = (*scene.columns, *_other_columns(scene))
    sides = (
        ("first", scene, scene.rows, scene.columns, named),
        ("second", second, rows, columns, partners(comparison.column_pairs, named)),
    )
    sources = word_changes(words.src.text, others.src.text, MARKS)
    targets = word_changes(words.text, others.text, MARKS)
    halves = st.columns(2, gap="medium")
    for half, (name, *side), source, target in zip(halves, sides, sources, targets, strict=True):
        with half:
            output = f"→ {target}" if target else say("attention-pair-ended")
            badge = f":{SIDES[name]}-badge[{say(f'attention-pair-badge-{name}')}]"
            with st.container(key=f"pair_words_{name}"):
                st.markdown(f"{badge} {source}  \n{output}")
            _matrix(*side, side=name)


def _matrix(
    scene: AttentionScene,
    rows: Sequence[int],
    columns: Sequence[int],
    named: Sequence[int] = (),
    *,
    side: str,
) -> None:
    """Draw a head of one side; the bars of the columns `named` in the headline have numbers."""
    n_rows, n_columns = scene.attention.weights.shape[2:]
    broad = BROAD if presents() else 0
    draw = partial(
        matrix_figure, scene, rows, columns, highest=HIGHEST, broad=broad, numbered=named
    )
    # Both matrices have the same colours, so the page names them once; a file stands alone.
    is_first = side == "first"
    picture(
        f"attention-pair-{side}",
        draw(legend=is_first),
        saved=None if is_first else draw(),
        key=f"{scene.site_id}_pair_{side}",
        data=scene.export_data,
        head=scene.head_name(title=True),
        site=site_name(scene.site_id, "attention"),
        n_rows=n_rows,
        n_columns=n_columns,
        file=scene.file_name,
    )


def _difference(comparison: PairComparison) -> None:
    scene = comparison.first
    second = comparison.second
    pairs = comparison.row_pairs, comparison.column_pairs
    maps = (scene.attention, second.attention)
    at = scene.focus.place
    head = scene.head_name()
    title = say("attention-pair-difference", head=head, measure=scene.raw.measure)
    st.markdown(f"### {title}")
    picture(
        "attention-pair-difference",
        difference_heatmap(maps, at, pairs, scene.row_tokens),
        key=f"{scene.site_id}_pair_difference",
        numbers="cells",
        leave_out=["seen"],
        head=head,
        measure=scene.raw.measure,
        file=scene.file_name,
        n_rows=len(pairs[0]),
        n_columns=len(pairs[1]),
        text=second.run.record.src.text,
    )


def _ranking(comparison: PairComparison, link: FollowedLink | None = None) -> None:
    scene = comparison.first
    weights = (link.before, link.after) if link else ()
    heads = moved_table(moved(comparison.difference), *weights)
    places = list(zip(heads.pop("layer"), heads.pop("head"), strict=True))
    heads.insert(0, "name", [scene.head_name(head) for head in places])
    st.markdown(f"### {say('attention-pair-heads')}")
    if link:
        caption(
            "attention-pair-heads-weight",
            row=link.row,
            column=link.column,
            measure=scene.raw.measure,
        )
    heads_to_open(
        "attention-pair-heads",
        scene,
        heads,
        places,
        key=f"{scene.site_id}_pair_heads",
        height=460,
        widths={"name": 104, "moved": 124} | dict.fromkeys(SIDES, 92),
        formats=dict.fromkeys(("moved", *SIDES), "%.2f"),
        shares={"moved": (0, 1)},
        site=site_name(scene.site_id, "attention"),
    )


def _pair_sentences(comparison: PairComparison, links: list[FollowedLink]) -> list[str]:
    scene = comparison.first
    measure = scene.raw.measure
    if not (scene.rows and scene.columns):
        return [say("attention-pair-choose", measure=measure)]
    if not links:
        return [_missing_sentence(comparison)]
    head = scene.focus.place
    link = links[0]
    weights = ", ".join(
        say(
            "attention-pair-weight-to",
            column=followed_link.column,
            before=followed_link.before[head],
            after=followed_link.after[head],
        )
        for followed_link in links
    )
    sentence = say("attention-pair-weight", row=link.row, weights=weights, measure=measure)
    # The head that changes most, in either direction.
    best = strongest_head(np.abs(link.after - link.before))
    id = f"attention-pair-weight-{'most' if best == head else 'other'}"
    n = link.before.size
    if best == head:
        return [sentence, say(id, n=n, column=link.column, measure=measure)]
    other = say(
        id,
        head=scene.head_name(best),
        n=n,
        column=link.column,
        measure=measure,
        before=link.before[best],
        after=link.after[best],
    )
    return [sentence, other]


def _hardly_moves(links: Sequence[FollowedLink], head: Head) -> bool:
    """Return True if the first link has almost the same weight in both sentences."""
    return bool(links) and abs(links[0].after[head] - links[0].before[head]) < LEAST_CHANGE


def largest_change(comparison: PairComparison) -> LargestChange:
    """Return the head and the shared pair of words whose weight changes most.

    Signs and special tokens count where no words are shared: weight on them seldom means anything.
    """
    changes = np.abs(np.nan_to_num(comparison.difference))
    sides = (
        (comparison.first.row_tokens, comparison.row_pairs),
        (comparison.first.attention.key_tokens, comparison.column_pairs),
    )
    of_rows, of_columns = (
        np.array([is_word(tokens[i]) for i, _ in pairs], bool) for tokens, pairs in sides
    )
    among_words = np.where(np.outer(of_rows, of_columns), changes, 0.0)
    if among_words.any():
        changes = among_words
    layer, head, i, j = map(int, np.unravel_index(changes.argmax(), changes.shape))
    first_row, second_row = comparison.row_pairs[i]
    first_column, second_column = comparison.column_pairs[j]
    before = comparison.first.attention.head(layer, head)[first_row, first_column]
    after = comparison.second.attention.head(layer, head)[second_row, second_column]
    selection = HeadSelection(layer, head, (first_row,), (first_column,))
    return LargestChange(selection, float(before), float(after))


def _largest_words(comparison: PairComparison) -> str:
    """Return a sentence on the largest change over all heads of the site."""
    scene = comparison.first
    change = largest_change(comparison)
    return say(
        "attention-pair-largest",
        head=scene.head_name(change.selection.place),
        row=named_tokens(scene.row_tokens, change.selection.rows),
        column=named_tokens(scene.attention.key_tokens, change.selection.columns),
        before=change.before,
        after=change.after,
    )


def _open_button(comparison: PairComparison) -> None:
    """Draw a button that opens the head and the tokens of the largest change."""
    scene = comparison.first
    selection = largest_change(comparison).selection
    button(
        "pair_largest",
        choose_in_map,
        scene.site_id,
        _groups_of(scene),
        selection,
        words="attention-pair-open",
        icon="search",
        values={"head": scene.head_name(selection.place)},
    )


def _groups_of(scene: AttentionScene) -> tuple[Groups, Groups]:
    """Return the pieces behind each row and each column on screen."""
    return scene.regrouped.query_groups, scene.regrouped.key_groups


def _missing_sentence(comparison: PairComparison) -> str:
    """Return a sentence on the chosen tokens that have no partner in the second sentence."""
    scene = comparison.first
    lost = {}
    if not second_rows(comparison):
        lost["rows"] = _lost(scene.row_tokens, scene.rows, comparison.row_pairs)
    if columns := _lost(scene.attention.key_tokens, scene.columns, comparison.column_pairs):
        lost["columns"] = columns
    id = f"attention-pair-missing-{'-'.join(lost)}"
    return say(id, measure=scene.raw.measure, **lost)


def _lost(tokens: Sequence[str], chosen: Sequence[int], pairs: Pairs) -> str:
    paired = dict(pairs)
    return named_tokens(tokens, [i for i in chosen if i not in paired])


def _other_columns(scene: AttentionScene) -> tuple[int, ...]:
    link = scene.link
    if link is None or set(scene.focus.rows) != set(link.rows):
        return ()
    nouns = link.columns, link.other_columns
    chosen = set(scene.focus.columns)
    # The noun that is not chosen, whichever of the two it is.
    other = next((b for a, b in (nouns, nouns[::-1]) if a and set(a) == chosen), ())
    return shown_at(other, scene.regrouped.key_groups)
