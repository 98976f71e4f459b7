"""Heads worth opening: for the pronoun in this sentence, best over many, trained to look there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from analysis.measures import pair_weights, strongest_head
from records import AttentionMap, CheckpointCard
from ui.focus import Focus, Link, change_focus
from ui.panels import guided_heads
from ui.state import Run
from ui.words import head_name, plain, say, site_name
from words import numbers

SMALL = 0.2

Head = tuple[int, int]


def head_hints(run: Run, attention: AttentionMap, link: Link | None, focus: Focus) -> list[Head]:
    """The head for the pronoun in this sentence, and the one that was best over many.

    Returns those of the two that are not open.
    """
    card, kind, shown = run.translator.card, attention.kind, (focus.layer, focus.head)
    heads = []
    if link and link.columns:
        best = strongest_head(pair_weights(attention, link.rows, link.columns))
        st.markdown(_link_sentences(attention, link, shown, best))
        heads.append(best)
    measured = _measured_head(card, attention)
    if measured is not None:
        where, sentences = measured
        st.markdown(sentences)
        heads.append(where)
    guided = guided_heads(card, run.record.sites[0].name).get(kind)
    if guided is not None:
        st.markdown(say("attention-guided", layer=guided[0] + 1, head=guided[1] + 1))
    return [head for head in dict.fromkeys(heads) if head != shown]


def open_buttons(kind: str, heads: Sequence[Head]) -> None:
    """A button for each head worth opening."""
    for place, (layer, head) in enumerate(heads):
        st.button(
            say("attention-open", head=head_name(layer, head)),
            key=f"{kind}_open_{place}",
            icon=":material/open_in_full:",
            on_click=_open_head,
            args=(kind, layer, head),
        )


def _open_head(kind: str, layer: int, head: int) -> None:
    change_focus(kind, layer=layer, head=head)


def _link_sentences(attention: AttentionMap, link: Link, shown: Head, best: Head) -> str:
    here = pair_weights(attention, link.rows, link.columns)
    there = pair_weights(attention, link.rows, link.other_columns) if link.other_columns else None

    def weights(head: Head) -> str:
        weight = numbers.fixed(here[head])
        if there is None:
            return say("attention-link-weight", weight=weight)
        other, elsewhere = plain(link.other_word), numbers.fixed(there[head])
        return say("attention-link-weights", weight=weight, other=other, there=elsewhere)

    who = "attention-link-word" if attention.site.is_self else "attention-link-writer"
    sentences = [
        say(
            "attention-link",
            who=say(who, word=plain(link.row_word)),
            best=head_name(*best),
            noun=plain(link.column_word),
            n=attention.n_layers * attention.n_heads,
            weights=weights(best),
        )
    ]
    if here[best] < SMALL:
        sentences.append(say("attention-link-little"))
    if best != shown:
        sentences.append(say("attention-link-open", head=head_name(*shown), weights=weights(shown)))
    return " ".join(sentences)


def _measured_head(card: CheckpointCard, attention: AttentionMap) -> tuple[Head, str] | None:
    """The head the evaluation found, with its numbers, when the card has them."""
    entry = card.heads.get(attention.kind)
    where = _head_in(entry) if isinstance(entry, dict) else None
    if where is None or where[0] >= attention.n_layers or where[1] >= attention.n_heads:
        return None
    margin, first, second = (_float(entry.get(name)) for name in ("margin", "first", "second"))
    pairs = entry.get("n_pairs")
    over = say("attention-measured-over", n=pairs if isinstance(pairs, int) else 0)
    if margin is None:
        return where, say("attention-measured", over=over, head=head_name(*where))
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
    return where, f"{sentence} {elsewhere}".strip()


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
