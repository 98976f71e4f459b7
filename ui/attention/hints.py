"""Heads worth opening: for the pronoun in this sentence, best over many, trained to look there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from analysis.measures import pair_weights, strongest_head
from records import AttentionMap, CheckpointCard
from ui.focus import Head, Link, open_head
from ui.kit.blocks import draw
from ui.panels import guided_heads, head_of
from ui.state import Run
from ui.words import has_single_head, head_code, head_name, plain, say, site_name
from viz.maps import head_rows
from words import numbers

SMALL = 0.2


class Linked(NamedTuple):
    """A head that looks from the pronoun to a word, and how much."""

    head: Head
    word: str
    weight: float


def linked_heads(attention: AttentionMap, link: Link | None) -> list[Linked]:
    """The head that looks most from the pronoun at its noun, and of the others the one that looks
    most at what decides the noun.

    The second is left out where the site shows no such words, or no head looks there.
    """
    if link is None or not link.columns:
        return []
    weights = pair_weights(attention, link.rows, link.columns)
    best = strongest_head(weights)
    found = [Linked(best, link.column_word, weights[best])]
    if link.deciding_columns and attention.site.is_self:
        weights = pair_weights(attention, link.rows, link.deciding_columns).copy()
        weights[best] = 0.0
        second = strongest_head(weights)
        if weights[second] >= SMALL:
            found.append(Linked(second, link.deciding_word, weights[second]))
    return found


def open_buttons(run: Run, attention: AttentionMap, link: Link | None) -> None:
    """A button for each head worth opening: in this sentence, and the best over many."""
    if has_single_head():
        return  # it is open already
    labels = [
        (
            each.head,
            say(
                "attention-open-link",
                head=head_code(*each.head),
                row=plain(link.row_word),
                column=plain(each.word),
                weight=numbers.fixed(each.weight),
            ),
        )
        for each in linked_heads(attention, link)
    ]
    measured = measured_head(run.translator.card, attention)
    if measured is not None and measured not in dict(labels):
        labels.append((measured, say("attention-open-measured", head=head_code(*measured))))
    kind = attention.kind
    for place, (head, label) in enumerate(labels):
        st.button(label, key=f"{kind}_open_{place}", on_click=open_head, args=(kind, *head))


def about_heads(run: Run, attention: AttentionMap, link: Link | None) -> None:
    """Behind one click: what was measured of these heads, here and over many sentences."""
    card, linked = run.translator.card, linked_heads(attention, link)
    here = [_link_sentences(attention, link, linked[0])] if linked else []
    for head, word, weight in linked[1:]:
        told = {"head": head_name(*head, title=True), "word": plain(word)}
        here.append(say("attention-decides", **told, weight=numbers.fixed(weight)))
    over_many = [_measured_sentences(card, attention), _served_sentence(card, attention, linked)]
    settings, site = card.training.get("settings"), attention.site
    # The pronoun had to be read off its place in training (`training.routes`).
    routes = isinstance(settings, dict) and settings.get("routes")
    if link and routes and site.query == site.key == "source":
        over_many.append(say("attention-routes", pronoun=plain(link.row_word)))
    guided = guided_heads(card, run.record.sites[0].name).get(attention.kind)
    if guided is not None:
        over_many.append(say("attention-guided", layer=guided[0] + 1, head=guided[1] + 1))
    if not any(here + over_many):
        return
    menu = st.popover(
        say("attention-measured-title"),
        icon=":material/query_stats:",
        key="measured",
        on_change="rerun",
    )
    if menu.open:
        with menu:
            st.markdown("\n\n".join(here))
            if len(linked) > 1:
                _two_rows(attention, link, linked)
            st.markdown("\n\n".join(filter(None, over_many)))


def _two_rows(attention: AttentionMap, link: Link, linked: Sequence[Linked]) -> None:
    weights = attention.weights[:, :, list(link.rows)].mean(axis=2)
    heads = [each.head for each in linked]
    first, second = (head_name(*head) for head in heads)
    draw(
        head_rows(weights, attention.key_tokens, kind=attention.site, only=heads),
        key=f"{attention.kind}_two_heads",
        alt=say(
            "attention-two-heads-alt",
            site=site_name(attention.kind, "attention"),
            pronoun=link.row_word,
            first=first,
            noun=link.column_word,
            second=second,
            word=link.deciding_word,
        ),
    )


def _link_sentences(attention: AttentionMap, link: Link, best: Linked) -> str:
    weights = say("attention-link-weight", weight=numbers.fixed(best.weight))
    if link.other_columns:
        there = pair_weights(attention, link.rows, link.other_columns)[best.head]
        weights = say(
            "attention-link-weights",
            weight=numbers.fixed(best.weight),
            other=plain(link.other_word),
            there=numbers.fixed(there),
        )
    who = "attention-link-word" if attention.site.is_self else "attention-link-writer"
    told = say(
        "attention-link",
        who=say(who, word=plain(link.row_word)),
        best=head_name(*best.head),
        noun=plain(link.column_word),
        n=attention.n_layers * attention.n_heads,
        weights=weights,
    )
    return f"{told} {say('attention-link-little')}" if best.weight < SMALL else told


def _served_sentence(
    card: CheckpointCard, attention: AttentionMap, linked: Sequence[Linked]
) -> str:
    match card.heads:
        case {"property": {"serves": {"server": server} as serves} as measured}:
            heads = [head_of(card.heads.get(attention.kind)), head_of(measured)]
        case _:
            return ""
    values = {name: _float(serves, name) for name in ("margin", "without", "without_server")}
    place = head_of(server)
    if heads != [each.head for each in linked] or place is None or None in values.values():
        return ""
    return say(
        "attention-serves",
        head=head_name(*heads[0], title=True),
        server=head_name(*place),
        n=int(_float(serves, "sentences") or 0),
        **{name: numbers.fixed(value) for name, value in values.items()},
    )


def measured_head(card: CheckpointCard, attention: AttentionMap) -> Head | None:
    """The head the evaluation found to follow the antecedent, when the card has it."""
    where = head_of(card.heads.get(attention.kind))
    if where is None or where[0] >= attention.n_layers or where[1] >= attention.n_heads:
        return None
    return where


def _measured_sentences(card: CheckpointCard, attention: AttentionMap) -> str:
    where = measured_head(card, attention)
    if where is None:
        return ""
    entry = card.heads[attention.kind]
    margin, *halves = (_float(entry, name) for name in ("margin", "first", "second"))
    pairs = entry.get("n_pairs")
    over = say("attention-measured-over", n=pairs if isinstance(pairs, int) else 0)
    little = margin is not None and margin < SMALL / 2
    told = margin is not None and None not in halves
    first, second = map(numbers.fixed, halves) if told else ("", "")
    sentence = say(
        "attention-measured",
        found="nothing" if margin is None else "little" if little else "best",
        over=over,
        head=head_name(*where),
        margin="" if margin is None else numbers.fixed(margin),
        halves="told" if told else "untold",
        first=first,
        second=second,
    )
    return f"{sentence} {_other_site(card, attention.kind) if little else ''}".strip()


def _other_site(card: CheckpointCard, kind: str) -> str:
    margin, name, where = max(
        (
            (_float(entry, "margin") or 0.0, name, head_of(entry))
            for name, entry in card.heads.items()
            if name != kind and head_of(entry) is not None
        ),
        default=(0.0, kind, None),
    )
    if margin < SMALL:
        return ""
    site, told = site_name(name, "attention"), numbers.fixed(margin)
    return say("attention-measured-other", site=site, head=head_name(*where), margin=told)


def _float(entry: Any, name: str) -> float | None:
    value = entry.get(name)
    return float(value) if isinstance(value, int | float) and np.isfinite(value) else None
