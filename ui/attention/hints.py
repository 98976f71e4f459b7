"""Heads worth opening: for the pronoun in this sentence, best over many, trained to look there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from analysis.measures import pair_weights, strongest_head
from records import AttentionMap, CheckpointCard
from ui.blocks import draw
from ui.focus import Focus, Link, change_focus
from ui.panels import guided_heads
from ui.state import Run, is_dark
from ui.words import current_words, head_name, plain, say, site_name
from viz.head_rows import head_rows
from words import numbers

SMALL = 0.2

Head = tuple[int, int]


def head_hints(run: Run, attention: AttentionMap, link: Link | None, focus: Focus) -> list[Head]:
    """The heads for the pronoun in this sentence, and the one that was best over many.

    Returns those that are not open.
    """
    card, shown = run.translator.card, (focus.layer, focus.head)
    second = deciding_head(attention, link)
    heads = []
    if second is None:
        words = picture = st.container(gap="xsmall")
    else:
        words, picture = st.columns([6, 7], gap="medium", vertical_alignment="center")
    with words:
        if link and link.columns:
            best = strongest_head(pair_weights(attention, link.rows, link.columns))
            st.markdown(_link_sentences(attention, link, shown, best))
            heads.append(best)
            if second is not None:
                st.markdown(_deciding_sentence(attention, link, second))
                heads.append(second)
        # Beside two heads that speak for themselves, the numbers over many sentences wait.
        with words if second is None else st.popover(say("attention-measured-title")):
            measured = _measured_head(card, attention)
            if measured is not None:
                where, sentences = measured
                st.markdown(sentences)
                heads.append(where)
            if second is not None:
                served = _served_sentence(card, attention, heads[0], second)
                if served:
                    st.markdown(served)
            _say_how_it_was_trained(run, attention, link)
    if second is not None:
        with picture:
            _two_rows(attention, link, heads[:2])
    return [head for head in dict.fromkeys(heads) if head != shown]


def _say_how_it_was_trained(run: Run, attention: AttentionMap, link: Link | None) -> None:
    card, site = run.translator.card, attention.site
    if link and site.query == site.key == "source" and _had_to_be_read(card):
        st.markdown(say("attention-routes", pronoun=plain(link.row_word)))
    guided = guided_heads(card, run.record.sites[0].name).get(attention.kind)
    if guided is not None:
        st.markdown(say("attention-guided", layer=guided[0] + 1, head=guided[1] + 1))


def _two_rows(attention: AttentionMap, link: Link, heads: Sequence[Head]) -> None:
    """What the pronoun looks at in the two heads that belong together, one below the other."""
    weights = attention.weights[:, :, list(link.rows)].mean(axis=2)
    draw(
        head_rows(
            weights,
            attention.key_tokens,
            kind=attention.site,
            only=heads,
            dark=is_dark(),
            say=current_words(),
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
