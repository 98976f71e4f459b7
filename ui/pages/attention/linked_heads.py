"""Heads worth opening: those that link a pronoun in this sentence, and those measured over many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from core.card import CheckpointCard, head_facts, number_in
from core.records.attention import AttentionMap
from core.weights.measures import pair_weights, strongest_head
from ui.frame.messages import has_single_head, head_code, head_name, plain, say, site_name
from ui.frame.run import Run
from ui.kit.blocks import draw
from ui.kit.focus import Head, Link, open_head
from ui.kit.head_roles import guided_heads, head_of, measured_head
from viz.maps import head_rows

SMALL = 0.2  # weight below which a link is not worth mentioning


class LinkedHead(NamedTuple):
    """A head that links the pronoun to `word`, with the weight of the link."""

    head: Head
    word: str
    weight: float


def linked_heads(attention: AttentionMap, link: Link | None) -> list[LinkedHead]:
    """Return the head with the most weight from pronoun to noun, and one for the deciding word.

    The second is another head, the one with the most weight on the word that decides the noun; it
    is left out if the site has no such word or no head attends to it.
    """
    if link is None or not link.columns:
        return []
    weights = pair_weights(attention, link.rows, link.columns)
    best = strongest_head(weights)
    heads = [LinkedHead(best, link.column_word, weights[best])]
    if link.deciding_columns and attention.site.is_self:
        weights = pair_weights(attention, link.rows, link.deciding_columns).copy()
        # A copy, because the best head must not win twice and the map is shared.
        weights[best] = 0.0
        second = strongest_head(weights)
        if weights[second] >= SMALL:
            heads.append(LinkedHead(second, link.deciding_word, weights[second]))
    return heads


def open_buttons(run: Run, attention: AttentionMap, link: Link | None) -> None:
    """Draw a button for each head worth opening: in this sentence, and the best over many."""
    if has_single_head():
        return  # it is open anyway
    labels = [
        (
            linked.head,
            say(
                "attention-open-link",
                head=head_code(*linked.head),
                row=plain(link.row_word),
                column=plain(linked.word),
                weight=linked.weight,
            ),
        )
        for linked in linked_heads(attention, link)
    ]
    measured = measured_head(run.card, attention)
    if measured is not None and measured not in dict(labels):
        labels.append((measured, say("attention-open-measured", head=head_code(*measured))))
    site_id = attention.site_id
    for n, (head, label) in enumerate(labels):
        st.button(label, key=f"{site_id}_open_{n}", on_click=open_head, args=(site_id, *head))


def about_heads(run: Run, attention: AttentionMap, link: Link | None) -> None:
    """Draw a popover with measurements of these heads, in this sentence and over many."""
    card = run.card
    linked = linked_heads(attention, link)
    here = [_link_sentences(attention, link, linked[0])] if linked else []
    for head, word, weight in linked[1:]:
        name = head_name(*head, title=True)
        here.append(say("attention-decides", head=name, word=plain(word), weight=weight))
    over_many = [_measured_sentences(card, attention), _served_sentence(card, attention, linked)]
    settings = card.training.get("settings")
    site = attention.site
    # With `routes`, training forced the noun to be read at the pronoun
    # (`training.objectives.bottleneck`).
    routes = isinstance(settings, dict) and settings.get("routes")
    if link and routes and site.query == site.key == "source":
        over_many.append(say("attention-routes", pronoun=plain(link.row_word)))
    guided = guided_heads(card, run.record.sites[0].name).get(attention.site_id)
    if guided is not None:
        layer, head = guided
        over_many.append(
            say("attention-guided", site=attention.site_id, layer=layer + 1, head=head + 1)
        )
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


def _two_rows(attention: AttentionMap, link: Link, linked: Sequence[LinkedHead]) -> None:
    # A pronoun may consist of several tokens; their rows are averaged.
    weights = attention.weights[:, :, list(link.rows)].mean(axis=2)
    heads = [linked_head.head for linked_head in linked]
    first, second = (head_name(*head) for head in heads)
    draw(
        head_rows(weights, attention.key_tokens, site=attention.site, only=heads),
        key=f"{attention.site_id}_two_heads",
        alt=say(
            "attention-two-heads-alt",
            site=site_name(attention.site_id, "attention"),
            pronoun=link.row_word,
            first=first,
            noun=link.column_word,
            second=second,
            word=link.deciding_word,
        ),
    )


def _link_sentences(attention: AttentionMap, link: Link, best: LinkedHead) -> str:
    who = "word" if attention.site.is_self else "writer"
    there = 0.0
    if link.other_columns:
        there = pair_weights(attention, link.rows, link.other_columns)[best.head]
    return say(
        "attention-link",
        who=say(f"attention-link-{who}", word=plain(link.row_word)),
        best=head_name(*best.head),
        noun=plain(link.column_word),
        n=attention.n_layers * attention.n_heads,
        weight=best.weight,
        other=plain(link.other_word) if link.other_columns else "none",
        there=there,
        size="little" if best.weight < SMALL else "large",
    )


def _served_sentence(
    card: CheckpointCard, attention: AttentionMap, linked: Sequence[LinkedHead]
) -> str:
    # A card is a file from anywhere: entries that do not fit the pattern are ignored.
    match card.heads:
        case {"property": {"serves": {"server": server} as serves} as measured}:
            heads = [head_of(card.heads.get(attention.site_id)), head_of(measured)]
        case _:
            return ""
    values = {name: number_in(serves, name) for name in ("margin", "without", "without_server")}
    server_head = head_of(server)
    linked_pair = [linked_head.head for linked_head in linked]
    # The ablation was measured for exactly these two heads.
    if heads != linked_pair or server_head is None or None in values.values():
        return ""
    return say(
        "attention-serves",
        head=head_name(*heads[0], title=True),
        server=head_name(*server_head),
        n=int(number_in(serves, "sentences") or 0),
        **values,
    )


def _measured_sentences(card: CheckpointCard, attention: AttentionMap) -> str:
    measured = measured_head(card, attention)
    if measured is None:
        return ""
    facts = head_facts(card.heads[attention.site_id], SMALL)
    over = say("attention-measured-over", n=facts.pop("pairs"))
    sentence = say("attention-measured", over=over, head=head_name(*measured), **facts)
    others = {
        name: (number_in(entry, "margin") or 0.0, head)
        for name, entry in card.heads.items()
        if name != attention.site_id and (head := head_of(entry)) is not None
    }
    name = max(others, key=others.get, default="")
    # A weak head here is put in context by the site with the largest margin.
    if facts["found"] != "little" or not name or others[name][0] < SMALL:
        return sentence
    margin, head = others[name]
    other = say(
        "attention-measured-other",
        site=site_name(name, "attention"),
        head=head_name(*head),
        margin=margin,
    )
    return f"{sentence} {other}"
