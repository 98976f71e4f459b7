"""Heads worth opening: for the pronoun in this sentence, best over many, trained to look there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from analysis.measures import pair_weights, strongest_head
from records import AttentionMap, CheckpointCard
from ui.focus import Head, Link, change_focus
from ui.kit.blocks import draw
from ui.panels import guided_heads
from ui.state import Run
from ui.words import has_single_head, head_code, head_name, plain, say, site_name
from viz.maps import head_rows
from words import numbers

SMALL = 0.2


@dataclass(frozen=True)
class Hint:
    """A head worth opening and what it is worth opening for."""

    head: Head
    words: str


def head_hints(run: Run, attention: AttentionMap, link: Link | None) -> list[Hint]:
    """The heads for the pronoun in this sentence, and the one that was best over many."""
    card, hints = run.translator.card, []
    if has_single_head():
        return hints  # it is open already
    if link and link.columns:
        best = strongest_head(pair_weights(attention, link.rows, link.columns))
        hints.append(_hint(attention, link, best, link.column_word, link.columns))
        second = deciding_head(attention, link)
        if second is not None:
            word, columns = link.deciding_word, link.deciding_columns
            hints.append(_hint(attention, link, second, word, columns))
    measured = measured_head(card, attention)
    if measured is not None and measured not in [hint.head for hint in hints]:
        words = say("attention-open-measured", head=head_code(*measured))
        hints.append(Hint(measured, words))
    return hints


def _hint(
    attention: AttentionMap, link: Link, head: Head, word: str, columns: Sequence[int]
) -> Hint:
    weight = pair_weights(attention, link.rows, columns)[head]
    return Hint(
        head,
        say(
            "attention-open-link",
            head=head_code(*head),
            row=plain(link.row_word),
            column=plain(word),
            weight=numbers.fixed(weight),
        ),
    )


def about_heads(run: Run, attention: AttentionMap, link: Link | None) -> None:
    """Behind one click: what was measured of these heads, here and over many sentences."""
    card = run.translator.card
    second = deciding_head(attention, link)
    told = measured_head(card, attention) is not None or (link is not None and link.columns)
    if not (told or (link and _had_to_be_read(card)) or _guided(run, attention)):
        return
    menu = st.popover(
        say("attention-measured-title"),
        icon=":material/query_stats:",
        key="measured",
        on_change="rerun",
    )
    if not menu.open:
        return
    with menu:
        best = None
        if link and link.columns:
            best = strongest_head(pair_weights(attention, link.rows, link.columns))
            st.markdown(_link_sentences(attention, link, best))
        if second is not None and link and best:
            st.markdown(_deciding_sentence(attention, link, second))
            _two_rows(attention, link, (best, second))
        sentences = _measured_sentences(card, attention)
        if sentences:
            st.markdown(sentences)
        if second is not None and best:
            served = _served_sentence(card, attention, best, second)
            if served:
                st.markdown(served)
        _say_how_it_was_trained(run, attention, link)


def _say_how_it_was_trained(run: Run, attention: AttentionMap, link: Link | None) -> None:
    card, site = run.translator.card, attention.site
    if link and site.query == site.key == "source" and _had_to_be_read(card):
        st.markdown(say("attention-routes", pronoun=plain(link.row_word)))
    guided = _guided(run, attention)
    if guided is not None:
        st.markdown(say("attention-guided", layer=guided[0] + 1, head=guided[1] + 1))


def _guided(run: Run, attention: AttentionMap) -> Head | None:
    return guided_heads(run.translator.card, run.record.sites[0].name).get(attention.kind)


def _two_rows(attention: AttentionMap, link: Link, heads: Sequence[Head]) -> None:
    """What the pronoun looks at in the two heads that belong together, one below the other."""
    weights = attention.weights[:, :, list(link.rows)].mean(axis=2)
    draw(
        head_rows(
            weights,
            attention.key_tokens,
            kind=attention.site,
            only=heads,
        ),
        key=f"{attention.kind}_two_heads",
        alt=say(
            "attention-two-heads-alt",
            site=site_name(attention.kind, "attention"),
            pronoun=link.row_word,
            first=head_name(*heads[0]),
            noun=link.column_word,
            second=head_name(*heads[1]),
            word=link.deciding_word,
        ),
    )


def deciding_head(attention: AttentionMap, link: Link | None) -> Head | None:
    """Of the other heads the one that looks most from the pronoun at what decides its noun.

    None where the site shows no such words, or no head looks there.
    """
    if link is None or not link.deciding_columns or not attention.site.is_self:
        return None
    weights = pair_weights(attention, link.rows, link.deciding_columns).copy()
    weights[strongest_head(pair_weights(attention, link.rows, link.columns))] = 0.0
    found = strongest_head(weights)
    return found if weights[found] >= SMALL else None


def open_buttons(kind: str, hints: Sequence[Hint]) -> None:
    """A button for each head worth opening."""
    for place, hint in enumerate(hints):
        st.button(
            hint.words,
            key=f"{kind}_open_{place}",
            on_click=_open_head,
            args=(kind, *hint.head),
        )


def _open_head(kind: str, layer: int, head: int) -> None:
    change_focus(kind, layer=layer, head=head)


def _link_sentences(attention: AttentionMap, link: Link, best: Head) -> str:
    weight = pair_weights(attention, link.rows, link.columns)[best]
    weights = say("attention-link-weight", weight=numbers.fixed(weight))
    if link.other_columns:
        there = pair_weights(attention, link.rows, link.other_columns)[best]
        weights = say(
            "attention-link-weights",
            weight=numbers.fixed(weight),
            other=plain(link.other_word),
            there=numbers.fixed(there),
        )
    who = "attention-link-word" if attention.site.is_self else "attention-link-writer"
    told = say(
        "attention-link",
        who=say(who, word=plain(link.row_word)),
        best=head_name(*best),
        noun=plain(link.column_word),
        n=attention.n_layers * attention.n_heads,
        weights=weights,
    )
    return f"{told} {say('attention-link-little')}" if weight < SMALL else told


def _had_to_be_read(card: CheckpointCard) -> bool:
    """Whether the pronoun had to be read off its place in training (`training.routes`)."""
    settings = card.training.get("settings")
    return isinstance(settings, dict) and bool(settings.get("routes"))


def _deciding_sentence(attention: AttentionMap, link: Link, head: Head) -> str:
    return say(
        "attention-decides",
        head=head_name(*head, title=True),
        word=plain(link.deciding_word),
        weight=numbers.fixed(pair_weights(attention, link.rows, link.deciding_columns)[head]),
    )


def _served_sentence(
    card: CheckpointCard, attention: AttentionMap, noun_head: Head, property_head: Head
) -> str:
    """What the noun's head does without the others, where the card has it of these two heads."""
    measured, first = card.heads.get("property"), card.heads.get(attention.kind)
    serves = measured.get("serves") if isinstance(measured, dict) else None
    if not isinstance(serves, dict) or not isinstance(first, dict):
        return ""
    values = {name: _float(serves.get(name)) for name in ("margin", "without", "without_server")}
    server = serves.get("server")
    place = _head_in(server) if isinstance(server, dict) else None
    told = (_head_in(measured), _head_in(first)) == (property_head, noun_head)
    if not told or place is None or None in values.values():
        return ""
    return say(
        "attention-serves",
        head=head_name(*noun_head, title=True),
        server=head_name(*place),
        n=int(_float(serves.get("sentences")) or 0),
        **{name: numbers.fixed(value) for name, value in values.items()},
    )


def measured_head(card: CheckpointCard, attention: AttentionMap) -> Head | None:
    """The head the evaluation found to follow the antecedent, when the card has it."""
    entry = card.heads.get(attention.kind)
    where = _head_in(entry) if isinstance(entry, dict) else None
    if where is None or where[0] >= attention.n_layers or where[1] >= attention.n_heads:
        return None
    return where


def _measured_sentences(card: CheckpointCard, attention: AttentionMap) -> str:
    """What the evaluation found of that head, with its numbers; nothing where it did not look."""
    where = measured_head(card, attention)
    if where is None:
        return ""
    entry = card.heads[attention.kind]
    margin, first, second = (_float(entry.get(name)) for name in ("margin", "first", "second"))
    pairs = entry.get("n_pairs")
    over = say("attention-measured-over", n=pairs if isinstance(pairs, int) else 0)
    if margin is None:
        return say("attention-measured", over=over, head=head_name(*where))
    halves = first is not None and second is not None
    sentence = say(
        "attention-measured-little" if margin < SMALL / 2 else "attention-measured-best",
        over=over,
        head=head_name(*where),
        margin=numbers.fixed(margin),
        halves="told" if halves else "untold",
        first=numbers.fixed(first) if halves else "",
        second=numbers.fixed(second) if halves else "",
    )
    elsewhere = _other_site(card, attention.kind) if margin < SMALL / 2 else ""
    return f"{sentence} {elsewhere}".strip()


def _other_site(card: CheckpointCard, kind: str) -> str:
    """Where the link is made when it is not made here."""
    found = [
        (margin, name, where)
        for name, entry in card.heads.items()
        if name != kind
        and isinstance(entry, dict)
        and (where := _head_in(entry)) is not None
        and (margin := _float(entry.get("margin"))) is not None
        and margin >= SMALL
    ]
    if not found:
        return ""
    margin, name, where = max(found)
    site = site_name(name, "attention")
    margin = numbers.fixed(margin)
    return say("attention-measured-other", site=site, head=head_name(*where), margin=margin)


def _head_in(entry: dict[str, Any]) -> Head | None:
    layer, head = entry.get("layer"), entry.get("head")
    if isinstance(layer, int) and isinstance(head, int) and layer >= 0 and head >= 0:
        return layer, head
    return None


def _float(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and np.isfinite(value) else None
