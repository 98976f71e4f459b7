"""One sentence through every system: output, map, and the papers the systems come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import pandas as pd
import streamlit as st

from core.lineage import drop_limit, grouped_drops, grouped_places, mean_map, sharpest_head
from core.records.attention import AttentionMap, AttentionSite
from core.records.hypotheses import changed_words
from core.records.sources import TokenSequence
from core.records.tokens import visible
from core.weights.groups import Groups, single_groups, word_groups
from core.weights.transform import groups_for, regroup
from model import ModelError
from ui.components.frame import foreign
from ui.frame.messages import head_name, plain, say
from ui.frame.problems import show_problem
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.controls import choice, menu, text_box
from ui.kit.layout import caption, controls, finding, note, settings, subtitle
from viz.figure import Figure, tables_of, width_of
from viz.lineage import system_map
from viz.recipes import symmetric_limit
from words import Message

from .chosen import ChosenSystem, SystemResult, chosen_systems, result_of, tell_others, too_long
from .timeline import show_line, show_papers, take_paper

MOST_CELLS = 6400  # cells of source by target that are drawn
WIDTH = 944  # pixels of a page
MOST_ACROSS = 3  # maps in a row
MOST_SHOWN = 300  # characters of a translation


@dataclass(frozen=True, eq=False)
class SystemMap:
    """Map of a system, ready to be drawn."""

    values: np.ndarray
    row_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    site: AttentionSite | None = None  # of weights; None for drops of log p
    of: str = ""  # sentence that names the averaged heads or the one drawn; empty for a single head
    centres: np.ndarray | None = None  # centre of each row's window, from 0; None without a window

    def drawn(self, limit: float) -> Figure:
        """Return the figure; drops are coloured from -limit to limit."""
        if self.site is None:
            return system_map(
                self.values,
                self.row_tokens,
                self.key_tokens,
                limit=limit,
                title=say("lineage-drop"),
                heading="figures-lineage-drops",
            )
        return system_map(
            self.values,
            self.row_tokens,
            self.key_tokens,
            site=self.site,
            heading="figures-lineage-weights",
            centres=self.centres,
        )


@dataclass(frozen=True, eq=False)
class SystemCard:
    """A system with its result, or the error, and its map."""

    system: ChosenSystem
    result: SystemResult | ModelError
    map: SystemMap | None

    @property
    def name(self) -> str:
        return self.system.outline.name


def show(run: Run) -> None:
    with controls():
        quantity = menu("lineage_shown", ("attention", "left_out"), width=225)
    take_paper(run)
    systems = chosen_systems(run)
    with settings():
        target = _target(run)
        heads = choice("lineage_heads", ("mean", "sharpest"))
    left_out = quantity == "left_out"
    results = [result_of(system, run, target, left_out=left_out) for system in systems]
    spellings = {r.record.src.tokens for r in results if isinstance(r, SystemResult)}
    # Systems that split words differently are compared by whole words.
    words = len(spellings) > 1
    cards = [
        SystemCard(system, result, map_of(result, heads, left_out=left_out, words=words))
        for system, result in zip(systems, results, strict=True)
    ]
    is_open = target == run.translation.text.strip()
    rows = "open" if is_open else "reference" if target else "own"
    _likelihoods(cards, rows)
    mapped = [card for card in cards if card.map]
    # One scale for all maps of drops, so that their colours can be compared.
    limit = drop_limit([card.map.values for card in mapped if card.map.site is None])
    _draw_cards(run, cards, limit, rows)
    if words:
        caption("lineage-words")
    tell_others(run)
    show_line(run, [system.outline for system in systems])
    _difference(run, mapped, limit)
    show_papers(run)


def _target(run: Run) -> str:
    """Draw the menu of the target and return its text; empty for each system's own output."""
    origin = choice("lineage_target", ("open", "reference", "own"), wrap=True)
    if origin == "own":
        return ""
    target = ""
    if origin == "reference":
        target = text_box("lineage_reference", live="500ms").strip()
        if not target:
            caption("lineage_reference-empty")
    return target or run.translation.text.strip()


def _likelihoods(cards: Sequence[SystemCard], rows: str) -> None:
    """Draw the finding: the systems that give the target the least and the most probability.

    `rows` says whose translation the target is: "open", "reference" or "own".
    """
    means = {
        card.system.title: card.result.mean
        for card in cards
        if isinstance(card.result, SystemResult)
    }
    if not means:
        return
    least = min(means, key=means.__getitem__)
    most = max(means, key=means.__getitem__)
    finding(
        "lineage-found",
        n=len(means),
        rows=rows,
        least=float(np.exp(means[least])),
        by_least=plain(least, 120),
        most=float(np.exp(means[most])),
        by_most=plain(most, 120),
    )


def _draw_cards(run: Run, cards: Sequence[SystemCard], limit: float, rows: str) -> None:
    """Draw the systems side by side, as many in a row as their maps leave room for.

    `rows` is that of `_likelihoods`.
    """
    headings = {
        card.name: say("lineage-opened", title=card.system.title)
        if card.name == run.choices.checkpoint
        else card.system.title
        for card in cards
    }
    figures = {card.name: card.map.drawn(limit) for card in cards if card.map}
    widest = max(map(width_of, figures.values()), default=0)
    across = max(1, min(MOST_ACROSS, int((WIDTH + 16) // (widest + 4))))
    for start in range(0, len(cards), across):
        in_row = cards[start : start + across]
        # The translations first, in a row of their own, so that the maps below stay level.
        for column, card in zip(st.columns(across), in_row, strict=False):
            with column, st.container(gap="xsmall"):
                st.markdown(f"**{plain(headings[card.name], 120)}**")
                if isinstance(card.result, SystemResult):
                    share = float(np.exp(card.result.mean))
                    caption("lineage-per-token", share=share, rows=rows)
                if isinstance(card.result, ModelError):
                    show_problem(card.result)
                else:
                    _show_translation(run, card, card.result)
        for column, card in zip(st.columns(across), in_row, strict=False):
            if not isinstance(card.result, ModelError):
                key = _css_name(card.name)
                with column, st.container(gap="xsmall", key=f"system_{key}"):
                    _show_map(card, card.result, figures.get(card.name), key)


def _css_name(name: str) -> str:
    """Return a name as part of a key, which becomes a CSS class."""
    # Names of checkpoints may hold points and slashes, which a class cannot.
    return "".join(c if c.isalnum() else "_" for c in name)


def map_of(
    result: SystemResult | ModelError, heads: str, *, left_out: bool, words: bool
) -> SystemMap | None:
    """Return the map of a system, or None if the sentences are too long for one.

    It shows drops if `left_out` asks for them or if there is no attention. With `words` a cell is a
    pair of words, else a pair of pieces. `heads` is "mean" or "sharpest".
    """
    if isinstance(result, ModelError):
        return None
    record = result.record
    if len(record.src) * len(record.tgt) > MOST_CELLS:
        return None
    rows = word_groups(record.tgt) if words else single_groups(len(record.tgt))
    keys = word_groups(record.src) if words else single_groups(len(record.src))
    row_tokens = _joined(record.tgt, rows)
    key_tokens = _joined(record.src, keys)
    attention = record.across
    if left_out or attention is None:
        if not isinstance(result.drops, np.ndarray):
            return None
        drops = grouped_drops(result.drops, rows, keys)
        # The end of the sentence cannot be left out, so it has no column.
        measured = np.flatnonzero(~np.isnan(drops).all(axis=0))
        columns = tuple(key_tokens[column] for column in measured)
        return SystemMap(drops[:, measured], row_tokens, columns)
    if words:
        queries, sources = groups_for(record, attention.site_id, produced=True)
        attention = regroup(attention, query_groups=queries, key_groups=sources).attention
    centres = None if result.centres is None else grouped_places(result.centres, rows, keys)
    weights, of = _of_heads(attention, heads)
    return SystemMap(weights, row_tokens, key_tokens, attention.site, of, centres)


def _joined(tokens: TokenSequence, groups: Groups) -> tuple[str, ...]:
    """Return the tokens of each group as one string."""
    return tuple("".join(tokens.tokens[i] for i in group) for group in groups)


def _of_heads(attention: AttentionMap, heads: str) -> tuple[np.ndarray, str]:
    """Return the mean weights or those of the sharpest head, and a sentence that names the choice.

    The sentence is empty if there is only one head.
    """
    n = attention.n_layers * attention.n_heads
    if n > 1 and heads == "mean":
        return mean_map(attention.weights), say("lineage-of-mean", n=n)
    head = sharpest_head(attention.weights)
    of = say("lineage-of-head", head=head_name(*head), n=n) if n > 1 else ""
    return attention.head(*head), of


def _show_translation(run: Run, card: SystemCard, result: SystemResult) -> None:
    with foreign(run.card.languages[1], key=f"lineage_{_css_name(card.name)}"):
        opened = run.translation.text
        st.markdown(marked(result.translation.text, opened) or say("run-nothing"))


def marked(text: str, reference: str) -> str:
    """Return a text as Markdown, the words that `reference` lacks at their place on orange."""
    pairs = changed_words(visible(text[:MOST_SHOWN]), visible(reference))
    # Only words are marked, no gaps.
    words = [(word, changed) for word, changed in pairs if word]
    return " ".join(
        f":orange-background[{plain(' '.join(group))}]" if changed else plain(" ".join(group))
        for changed, group in (
            (changed, [word for word, _ in pairs])
            for changed, pairs in groupby(words, key=lambda pair: pair[1])
        )
    )


def _show_map(card: SystemCard, result: SystemResult, figure: Figure | None, key: str) -> None:
    drawn = card.map
    if figure is not None:
        picture(
            "lineage-map",
            figure,
            key=f"lineage_map_{key}",
            numbers=lambda: numbers_of(figure, "weight" if drawn.site else "drop"),
            system=card.system.title,
            kind="weights" if drawn.site else "drops",
            rows=len(drawn.row_tokens),
            columns=len(drawn.key_tokens),
        )
    total = result.log_probs.sum(dtype=np.float64)
    n = len(result.record.tgt)
    share = float(np.exp(result.mean))
    caption("lineage-numbers", log_p=total, mean=result.mean, share=share, n=n)
    reason = result.drops if isinstance(result.drops, Message) else too_long(result.record)
    st.caption(_map_words(drawn) if drawn else plain(say(reason)))


def numbers_of(figure: Figure, value: str) -> pd.DataFrame:
    return tables_of(figure)["cells"][["query", "key", "value"]].rename(columns={"value": value})


def _map_words(drawn: SystemMap) -> str:
    if drawn.site is None:
        return say("lineage-is-drops")
    sentences = [drawn.of or say("lineage-is-weights")]
    if drawn.centres is not None:
        sentences.append(say("lineage-window", d=drawn.site.window))
    if not drawn.site.normalised:
        sums = drawn.values.sum(axis=1)
        sentences.append(say("lineage-rows-free", least=sums.min(), most=sums.max()))
    return " ".join(sentences)


def _difference(run: Run, cards: Sequence[SystemCard], limit: float) -> None:
    subtitle("lineage-difference")
    if len(cards) < 2:
        caption("lineage-difference-one")
        return
    maps = {card.name: card.map for card in cards}
    titles = {card.name: card.system.title for card in cards}
    # Defaults of one kind, because weights cannot be subtracted from drops.
    default_first, default_second = default_pair(maps, run.choices.checkpoint)
    with st.container(horizontal=True, vertical_alignment="bottom", wrap=True):
        first = _system_menu("lineage_first", titles, default_first)
        second = _system_menu("lineage_second", titles, default_second)
    a = maps[first]
    b = maps[second]
    # Weights and drops have different units.
    if (a.site is None) != (b.site is None):
        note("lineage-difference-kinds", "compare")
        return
    if a.values.shape != b.values.shape or a.row_tokens != b.row_tokens:
        note("lineage-difference-sizes", "compare")
        return
    _draw_difference(a, b, limit, titles[first], titles[second])


def _draw_difference(a: SystemMap, b: SystemMap, limit: float, first: str, second: str) -> None:
    """Draw `b` minus `a`, the maps of the systems with these titles."""
    difference = b.values - a.values
    below = ""
    # A difference of two drops can be twice as large as either.
    end = 2 * limit if a.site is None else symmetric_limit(difference.ravel())
    title = say("lineage-difference-drop" if a.site is None else "lineage-difference-weight")
    figure = system_map(difference, a.row_tokens, a.key_tokens, limit=end, title=title, room=600)
    if a.site is not None:
        # Half the L1 distance of two rows: the share of weight that moved.
        moved = np.abs(difference).sum(axis=1) / 2
        most = int(moved.argmax())
        token = plain(a.row_tokens[most].replace("▁", ""))
        below = say("lineage-difference-words", token=token, mean=moved.mean(), most=moved[most])
    picture(
        "lineage-difference",
        figure,
        below=below,
        numbers=lambda: numbers_of(figure, "value"),
        rows=len(a.row_tokens),
        first=first,
        second=second,
    )


def _system_menu(key: str, titles: dict[str, str], default: str) -> str:
    return choice(key, list(titles), default=default, style="select", text=titles.get, width=330)


def default_pair(maps: dict[str, SystemMap], opened: str) -> tuple[str, str]:
    """Return the first other system with the same kind of map as the open one, and the open one."""
    names = list(maps)
    second = opened if opened in maps else names[-1]
    others = [name for name in names if name != second]
    drops = maps[second].site is None
    alike = [name for name in others if (maps[name].site is None) == drops]
    return (alike or others)[0], second
