"""One sentence through every system: output, map, and the papers the systems come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from core.attention import AttentionSite
from core.lineage import drop_limit, grouped_drops, grouped_places, mean_map, sharpest_head
from core.transform import groups_for, regroup, single_groups, word_groups
from model import ModelError
from ui.components.frame import foreign
from ui.kit.blocks import picture
from ui.kit.controls import choice, menu, text_box
from ui.kit.layout import caption, controls, finding, note, settings, subtitle
from ui.state import Run, show_problem
from ui.words import head_name, plain, say
from viz.figure import Figure, tables_of, width_of
from viz.lineage import system_map
from viz.recipes import symmetric_limit
from words import Message

from .chosen import Heard, System, chosen_systems, heard_by, tell_others, too_long
from .timeline import show_line, show_papers, take_paper

MOST_CELLS = 6400  # cells of source by target that are drawn
WIDTH, MOST_ACROSS = 944, 3  # pixels of a page, and maps in a row


@dataclass(frozen=True, eq=False)
class Picture:
    """Map of a system, ready to be drawn."""

    values: np.ndarray
    row_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    site: AttentionSite | None = None  # of weights; None for drops of log p
    of: str = ""  # the mean or the head; empty for a single head
    centres: np.ndarray | None = None  # centre of each row's window, from 0; None without a window

    def drawn(self, limit: float, heading: str) -> Figure:
        """Return the figure; drops are coloured from -limit to limit."""
        names = self.row_tokens, self.key_tokens
        if self.site is None:
            title = say("lineage-drop")
            return system_map(self.values, *names, limit=limit, title=title, heading=heading)
        window = {"centres": self.centres, "window": self.site.window or 0}
        return system_map(self.values, *names, site=self.site, heading=heading, **window)


@dataclass(frozen=True, eq=False)
class Card:
    """A system with its result, or the error, and its map."""

    system: System
    found: Heard | ModelError
    picture: Picture | None

    @property
    def name(self) -> str:
        return self.system.outline.name


def show(run: Run) -> None:
    with controls():
        shown = menu("lineage_shown", ("attention", "left_out"), width=225)
    take_paper(run)
    systems = chosen_systems(run)
    with settings():
        options = "open", "reference", "own"
        asked = choice("lineage_target", options, wrap=True)
        target = ""
        if asked == "reference":
            target = text_box("lineage_reference", live="500ms").strip()
            if not target:
                caption("lineage_reference-empty")
        if asked != "own":
            target = target or run.translation.text.strip()
        heads = choice("lineage_heads", ("mean", "sharpest"))
    found = [heard_by(each, run, target, left_out=shown == "left_out") for each in systems]
    heard = [each for each in found if isinstance(each, Heard)]
    # Systems that split words differently are compared by whole words.
    words = len({each.record.src.tokens for each in heard}) > 1
    cards = [
        Card(system, each, picture_of(each, shown, heads, words=words))
        for system, each in zip(systems, found, strict=True)
    ]
    if heard:
        told = {"own": not target}
        able = [card for card in cards if isinstance(card.found, Heard)]
        for who, end in (("least", min), ("most", max)):
            card = end(able, key=lambda card: card.found.mean)
            told |= {who: card.found.mean, f"by_{who}": plain(card.system.title, 120)}
        finding("lineage-found", n=len(able), **told)
    drawn = [card for card in cards if card.picture]
    limit = drop_limit([card.picture.values for card in drawn if card.picture.site is None])
    headings = {
        card.name: say("lineage-opened", title=card.system.title)
        if card.name == run.choices.checkpoint
        else card.system.title
        for card in cards
    }
    figures = {card.name: card.picture.drawn(limit, headings[card.name]) for card in drawn}
    widest = max(map(width_of, figures.values()), default=0)
    across = max(1, min(MOST_ACROSS, int((WIDTH + 16) // (widest + 4))))
    for start in range(0, len(cards), across):
        for column, card in zip(st.columns(across), cards[start : start + across], strict=False):
            # A key becomes a CSS class, which allows no other characters.
            key = "".join(c if c.isalnum() else "_" for c in card.name)
            with column, st.container(gap="xsmall", key=f"system_{key}"):
                if card.name not in figures:
                    st.markdown(f"**{plain(headings[card.name], 120)}**")
                if isinstance(card.found, ModelError):
                    show_problem(card.found)
                else:
                    _show_card(run, card, card.found, figures.get(card.name), key)
    if words:
        caption("lineage-words")
    tell_others(run)
    show_line(run, {system.outline.name for system in systems})
    _difference(run, drawn, limit)
    show_papers(run)


def picture_of(heard: Heard | ModelError, shown: str, heads: str, *, words: bool) -> Picture | None:
    """Return the map of a system, or None if the sentences are too long for one.

    It shows drops by leaving out tokens if `shown` asks for them or if there is no attention.
    """
    if isinstance(heard, ModelError) or len(heard.record.src) * len(heard.record.tgt) > MOST_CELLS:
        return None
    record = heard.record
    sides = record.tgt, record.src
    groups = [word_groups(side) if words else single_groups(len(side)) for side in sides]
    named = [
        tuple("".join(side.tokens[i] for i in group) for group in grouped)
        for side, grouped in zip(sides, groups, strict=True)
    ]
    attention = record.across
    if shown == "left_out" or attention is None:
        known = isinstance(heard.drops, np.ndarray)
        return Picture(grouped_drops(heard.drops, *groups), *named) if known else None
    if words:
        rows, keys = groups_for(record, attention.kind, produced=True)
        attention = regroup(attention, query_groups=rows, key_groups=keys).attention
    centres = None if heard.centres is None else grouped_places(heard.centres, *groups)
    n = attention.n_layers * attention.n_heads
    of = ""
    if n > 1 and heads == "mean":
        weights = mean_map(attention.weights)
        of = say("lineage-of-mean", n=n)
    else:
        place = sharpest_head(attention.weights)
        weights = attention.head(*place)
        of = say("lineage-of-head", head=head_name(*place), n=n) if n > 1 else ""
    return Picture(weights, *named, attention.site, of, centres)


def _show_card(run: Run, card: Card, found: Heard, figure: Figure | None, key: str) -> None:
    shown = card.picture
    if figure is not None:
        picture(
            "lineage-map",
            figure,
            key=f"lineage_map_{key}",
            numbers=lambda: numbers_of(figure, "weight" if shown.site else "drop"),
            system=card.system.title,
            kind="weights" if shown.site else "drops",
            rows=len(shown.row_tokens),
            columns=len(shown.key_tokens),
        )
    with foreign(run.card.languages[1], key=f"lineage_{key}"):
        st.markdown(plain(found.translation.text, 300) or say("run-nothing"))
    total = found.log_probs.sum(dtype=np.float64)
    n = len(found.record.tgt)
    caption("lineage-numbers", log_p=total, mean=found.mean, n=n)
    why = found.drops if isinstance(found.drops, Message) else too_long(found.record)
    st.caption(_map_words(shown) if shown else plain(say(why)))


def numbers_of(figure: Figure, value: str) -> pd.DataFrame:
    return tables_of(figure)["cells"][["query", "key", "value"]].rename(columns={"value": value})


def _map_words(shown: Picture) -> str:
    if shown.site is None:
        return say("lineage-is-drops")
    said = [shown.of or say("lineage-is-weights")]
    if shown.centres is not None:
        said.append(say("lineage-window", d=shown.site.window))
    if not shown.site.normalised:
        sums = shown.values.sum(axis=1)
        said.append(say("lineage-rows-free", least=sums.min(), most=sums.max()))
    return " ".join(said)


def _difference(run: Run, cards: Sequence[Card], limit: float) -> None:
    subtitle("lineage-difference")
    if len(cards) < 2:
        caption("lineage-difference-one")
        return
    shown = {card.name: card.picture for card in cards}
    titles = {card.name: card.system.title for card in cards}
    pair = {}
    with st.container(horizontal=True, vertical_alignment="bottom", wrap=True):
        firsts = default_pair(shown, run.choices.checkpoint)
        for which, first in zip(("first", "second"), firsts, strict=True):
            how = {"default": first, "style": "select", "text": titles.get, "width": 330}
            pair[which] = choice(f"lineage_{which}", list(shown), **how)
    a, b = map(shown.get, pair.values())
    drops = a.site is None
    # Weights and drops have different units.
    if drops != (b.site is None):
        note("lineage-difference-kinds", "compare")
        return
    if a.values.shape != b.values.shape or a.row_tokens != b.row_tokens:
        note("lineage-difference-sizes", "compare")
        return
    difference = b.values - a.values
    below = ""
    # A difference of two drops can be twice as large as either.
    end = 2 * limit if drops else symmetric_limit(difference.ravel())
    title = say("lineage-difference-drop" if drops else "lineage-difference-weight")
    figure = system_map(difference, a.row_tokens, a.key_tokens, limit=end, title=title, room=600)
    if not drops:
        # Half the L1 distance of two rows: the share of weight that moved.
        moved = np.abs(difference).sum(axis=1) / 2
        most = int(moved.argmax())
        told = {"mean": moved.mean(), "most": moved[most]}
        token = plain(a.row_tokens[most].replace("▁", ""))
        below = say("lineage-difference-words", token=token, **told)
    picture(
        "lineage-difference",
        figure,
        below=below,
        numbers=lambda: numbers_of(figure, "value"),
        rows=len(a.row_tokens),
        **{which: titles[name] for which, name in pair.items()},
    )


def default_pair(pictures: dict[str, Picture], opened: str) -> tuple[str, str]:
    """Return the open system and the first other one with the same kind of map."""
    names = list(pictures)
    second = opened if opened in pictures else names[-1]
    others = [name for name in names if name != second]
    kind = pictures[second].site is None
    alike = [name for name in others if (pictures[name].site is None) == kind]
    return (alike or others)[0], second
