"""The head that opens for a text, with the query and the key to look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.records.attention import AttentionMap
from core.records.tokens import SPACE
from core.roles import LEAST, NEIGHBOURS, HeadRole, text_values
from core.weights.groups import is_special
from core.weights.measures import pair_weights, strongest_head
from ui.kit.focus import Head, HeadSelection, Link, head_of_link, is_unmarked
from words.packs import Pack

NO_PACK = Pack()
Roles = Mapping[str, Mapping[Head, str | None]]
"""Names of the measured roles by site and head, the best measured heads first."""


@dataclass(frozen=True)
class Opening:
    """A site and what is selected in it."""

    site: str
    selection: HeadSelection


def role_names(
    roles: Mapping[str, Mapping[Head, HeadRole]],
) -> dict[str, dict[Head, str | None]]:
    """Return the name of each head's role, by site and head; the best measured heads come first."""
    return {
        site: {
            head: role.name
            for head, role in sorted(
                of_site.items(), key=lambda item: item[1].best.value.value, reverse=True
            )
        }
        for site, of_site in roles.items()
    }


def opening_of(
    maps: Sequence[AttentionMap],
    roles: Roles,
    links: Mapping[str, Link | None],
    pack: Pack = NO_PACK,
) -> Opening | None:
    """Return the head that tells most about a text, by the first rule that finds one.

    1. A pronoun: the head with the most weight from the pronoun to its noun, if an example names
       the noun; else the best coreference head that gives the pronoun's weight to an earlier word.
    2. A pronoun that is translated alike whatever its noun ("they"): the best measured coreference
       head, wherever it looks.
    3. Alignment: an alignment head at the longest pair of words, which are seldom small ones.
    4. A neighbour: the head that attends most to the next, the previous or its own token.

    For the other rules, less weight than a role needs (`LEAST`) does not count. None if no rule
    finds a head.
    """
    for rule in (_pronoun, partial(_unmarked, pack), _aligned, _neighbour):
        for attention in maps:
            site_roles = roles.get(attention.site_id, {})
            selection = rule(attention, site_roles, links.get(attention.site_id))
            if selection is not None:
                return Opening(attention.site_id, selection)
    return None


def selection_at_link(
    attention: AttentionMap, link: Link | None, measured: Head | None
) -> HeadSelection:
    """Return the selection of a site without an `Opening`: the head of the link.

    The `measured` head, which follows antecedents over many sentences, if this sentence has no
    known nouns; the first head without a link.
    """
    if link is None:
        return HeadSelection()
    # Where the noun is hidden, no head of the sentence is linked to it.
    linked = link.columns and pair_weights(attention, link.rows, link.columns).any()
    head = head_of_link(attention, link) if linked else measured or (0, 0)
    return HeadSelection(*head, link.rows, link.columns)


def _pronoun(
    attention: AttentionMap, roles: Mapping[Head, str | None], link: Link | None
) -> HeadSelection | None:
    if link is None:
        return None
    if link.columns:
        weights = pair_weights(attention, link.rows, link.columns)
        head = strongest_head(weights)
        if weights[head] < LEAST["noun"]:
            return None
        return HeadSelection(*head, link.rows, link.columns)
    if not attention.site.is_self:
        return None
    # An antecedent precedes its pronoun.
    nouns = [word for word in words_of(attention.key_tokens) if word[-1] < min(link.rows)]
    if not nouns:
        return None
    for head in _with_role(roles, "noun"):
        weights = [pair_weights(attention, link.rows, noun)[head] for noun in nouns]
        if max(weights) >= LEAST["noun"]:
            return HeadSelection(*head, link.rows, nouns[int(np.argmax(weights))])
    return None


def _unmarked(
    pack: Pack, attention: AttentionMap, roles: Mapping[Head, str | None], link: Link | None
) -> HeadSelection | None:
    tokens = attention.key_tokens
    rows = tuple(row for row, token in enumerate(tokens) if is_unmarked(pack, token))
    if attention.site.query != "source" or not attention.site.is_self or not rows:
        return None
    head = next(_with_role(roles, "noun"), None)
    return None if head is None else HeadSelection(*head, rows[-1:])


def _aligned(
    attention: AttentionMap, roles: Mapping[Head, str | None], link: Link | None
) -> HeadSelection | None:
    outputs = attention.output_tokens
    if attention.site.is_self or outputs is None:
        return None
    rows = [word[0] for word in words_of(outputs) if len(word) == 1]
    heads = list(_with_role(roles, "aligns"))
    if not rows or not heads:
        return None
    weights = np.stack([attention.weights[head][rows] for head in heads])
    pairs = []
    for key in words_of(attention.key_tokens):
        # For each head, its row with the most weight on the pieces of the word.
        on_word = weights[:, :, key].sum(axis=-1)
        for head, most, at in zip(heads, on_word.max(-1), on_word.argmax(-1), strict=True):
            if most >= LEAST["aligns"]:
                row = rows[at]
                length = _length(attention.key_tokens, key) + _length(outputs, (row,))
                pairs.append((length, float(most), head, (row,), key))
    best = max(pairs, default=None)
    return None if best is None else HeadSelection(*best[2], *best[3:])


def _neighbour(
    attention: AttentionMap, roles: Mapping[Head, str | None], link: Link | None
) -> HeadSelection | None:
    best = max(
        (
            (float(values[head]), head)
            for role in NEIGHBOURS
            for head in _with_role(roles, role)
            for values in [text_values(attention, role)]
            if values is not None and values[head] >= LEAST[role]
        ),
        default=None,
    )
    return None if best is None else HeadSelection(*best[1])


def _with_role(roles: Mapping[Head, str | None], name: str) -> Iterator[Head]:
    return (head for head, role in roles.items() if role == name)


def _length(tokens: Sequence[str], word: Sequence[int]) -> int:
    return sum(len(tokens[piece].removeprefix(SPACE)) for piece in word)


def words_of(tokens: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the pieces of each word of letters alone, without special tokens and signs."""
    special = is_special(tokens)
    words: list[tuple[int, ...]] = []
    for position, token in enumerate(tokens):
        if special[position] or not token.removeprefix(SPACE).isalpha():
            continue
        if token.startswith(SPACE):
            words.append((position,))
        elif words and words[-1][-1] == position - 1:
            words[-1] = (*words[-1], position)
    return words
