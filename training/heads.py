"""The heads that link "it" to its antecedent and to what decides it, and what they are worth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from tqdm import tqdm

from core.attention import AttentionRecord
from core.changes import AblatedHead
from core.intervention import Intervention
from core.measures import pair_weights, strongest_head
from core.search import Decoding
from model import Translator

from .coreference import CoreferencePair, canonical_pairs
from .pointing import head_of, share
from .pronoun import forced_choice_is_right
from .storing import SHARE_DIGITS, number


def head_links(translator: Translator, items: Sequence[CoreferencePair]) -> dict[str, Any]:
    """For every head, weight on the antecedent minus weight on the other noun.

    Encoder: from the pieces of "it". Cross-attention: from the position that *writes* the first
    piece of the German pronoun, teacher-forced on the reference. The best head of a site is the
    one whose smaller half is largest, so that a head which follows a position or a class of noun,
    right in one half and wrong in the other, does not win. ``to_it`` is the cross-attention head
    that looks most from the pronoun being written at "it" itself.
    """
    margins: dict[str, dict[str, list[np.ndarray]]] = {
        site: {"first": [], "second": []} for site in ("encoder", "cross")
    }
    masses: dict[str, list[np.ndarray]] = {"encoder": [], "cross": []}
    to_it: list[np.ndarray] = []
    for pair in tqdm(items, desc="heads", unit="sentence"):
        record = translator.attend(pair.source, pair.target)
        rows = pronoun_rows(record, pair)
        for site in rows:
            noun, other = noun_weights(record, pair, site)
            margins[site][pair.half].append(noun - other)
            masses[site].append(noun)
        to_it.append(pair_weights(record.cross, rows["cross"], rows["encoder"]))
    heads = {}
    for site, halves in margins.items():
        first, second = (np.mean(margin, axis=0) for margin in halves.values())
        own, mean = chosen_head(first, second), (first + second) / 2
        of_noun = np.mean(masses[site], axis=0)
        heads[site] = head_entry(own, margin=mean, first=first, second=second, antecedent=of_noun)
        heads[site] |= {"n_pairs": len(items) // 2, "all_heads": np.round(mean, 3).tolist()}
    means = np.mean(to_it, axis=0)
    heads["cross"]["to_it"] = head_entry(strongest_head(means), weight=means)
    return heads


def pronoun_rows(record: AttentionRecord, pair: CoreferencePair) -> dict[str, tuple[int, ...]]:
    """By site the rows of "it", and the one that writes the first piece of its translation."""
    rows = {"encoder": record.src.pieces_at(*pair.pronoun)}
    if record.tgt is not None:
        rows["cross"] = record.tgt.pieces_at(*pair.target_pronoun)[:1]
    return rows


def noun_weights(record: AttentionRecord, pair: CoreferencePair, site: str) -> list[np.ndarray]:
    """Weight of these rows on the antecedent and on the other noun, each (L, H)."""
    rows = pronoun_rows(record, pair)[site]
    nouns = (record.src.pieces_at(*span) for span in (pair.antecedent, pair.distractor))
    return [pair_weights(record.of(site), rows, noun) for noun in nouns]


def head_entry(head: tuple[int, int], **maps: np.ndarray) -> dict[str, Any]:
    """A head as it is stored, with what it has in each of these maps (L, H)."""
    own = {name: number(float(values[head])) for name, values in maps.items()}
    return {"layer": head[0], "head": head[1], **own}


def encoder_margins(record: AttentionRecord, pair: CoreferencePair) -> np.ndarray:
    """Weight from "it" on the antecedent minus weight on the other noun, (L, H)."""
    return np.subtract(*noun_weights(record, pair, "encoder"))


def chosen_head(first: np.ndarray, second: np.ndarray) -> tuple[int, int]:
    """The head whose smaller half is largest, from the margins (L, H) of either half."""
    return strongest_head(np.minimum(first, second))


def canonical_weights(
    translator: Translator, decoding: Decoding, heads: dict[str, Any]
) -> dict[str, Any]:
    """What the classic sentences get: translation, and the weights from "it" to each noun.

    For each noun the head that looks there most, and what the encoder head of `heads` (as
    `head_links` and `property_links` found them) gives it; for the property its head.
    """
    tired, wide = canonical_pairs()
    result = {}
    for pair, other in ((tired, wide), (wide, tired)):
        translation = translator.translate(pair.source, decoding)
        src, encoder = translation.src, translation.attention.encoder
        entry: dict[str, Any] = {"translation": translation.text}

        def weights(positions: Sequence[int], src=src, encoder=encoder) -> np.ndarray:
            return pair_weights(encoder, src.pieces_of("it"), positions)

        for noun in ("animal", "street"):
            to_noun = weights(src.pieces_of(noun))
            entry[noun] = head_entry(strongest_head(to_noun), weight=to_noun)
            entry[noun]["noun_head"] = number(float(to_noun[head_of(heads["encoder"])]))
        to_property = weights(src.pieces_at(*deciding_span(pair, other)))
        entry["property_head"] = number(float(to_property[head_of(heads["property"])]))
        result[pair.source] = entry
    return result


def deciding_span(pair: CoreferencePair, other: CoreferencePair) -> tuple[int, int]:
    """Where `pair.source` differs from its other reading: the property that decides the noun."""
    own, rival = (re.findall(r"\w+|\W+", text) for text in (pair.source, other.source))
    start = next((i for i, (a, b) in enumerate(zip(own, rival, strict=False)) if a != b), len(own))
    shared = 0
    while shared < min(len(own), len(rival)) - start and own[-1 - shared] == rival[-1 - shared]:
        shared += 1
    return len("".join(own[:start])), len("".join(own[: len(own) - shared]))


def property_links(
    translator: Translator, items: Sequence[CoreferencePair], noun_head: tuple[int, int]
) -> dict[str, Any]:
    """The encoder head that looks most from "it" at what decides its noun, `noun_head` left out.

    ``weight`` is its mean weight there, ``first`` and ``second`` that of either half; over the
    ``sentences`` whose two readings differ in these words alone ("too tired", "too wide"), not in
    the clause of "it" as a whole.
    """
    readings = {(p.pair_id, p.half): p for p in items}
    halves: dict[str, list[np.ndarray]] = {"first": [], "second": []}
    for pair in items:
        other = readings[pair.pair_id, "second" if pair.half == "first" else "first"]
        start, end = deciding_span(pair, other)
        if start < pair.pronoun[1] and pair.pronoun[0] < end:
            continue
        record = translator.attend(pair.source, pair.target)
        it, decides = record.src.pieces_at(*pair.pronoun), record.src.pieces_at(start, end)
        halves[pair.half].append(pair_weights(record.encoder, it, decides))
    first, second = (np.mean(weights, axis=0) for weights in halves.values())
    means = np.mean([*halves["first"], *halves["second"]], axis=0)
    others = means.copy()
    others[noun_head] = -1.0
    return {
        **head_entry(strongest_head(others), weight=means, first=first, second=second),
        "sentences": sum(map(len, halves.values())),
        "all_heads": np.round(means.astype(float), 3).tolist(),
    }


def right_without(
    translator: Translator, items: Sequence[CoreferencePair], *off: tuple[int, int]
) -> int:
    """In how many sentences the right pronoun is the likeliest with these encoder heads off."""
    change = Intervention(*(AblatedHead("encoder", *head) for head in off))
    return sum(forced_choice_is_right(translator, pair, change) for pair in items)


def use_of(
    translator: Translator, items: Sequence[CoreferencePair], noun_head: tuple[int, int]
) -> dict[str, Any]:
    """Whether the noun's head is needed for the pronoun, and whether it suffices.

    Shares of right pronouns by forced choice with their bounds (Wilson 1927, 95 %): with nothing
    changed (``plain``), with the head switched off (``without``), and with every other head of its
    layer switched off (``alone``).
    """
    layer, own = noun_head
    heads = range(translator.card.config["n_heads"])
    off = {
        "plain": (),
        "without": (noun_head,),
        "alone": tuple((layer, head) for head in heads if head != own),
    }
    result: dict[str, Any] = {"sentences": len(items)}
    for name, heads_off in tqdm(off.items(), desc="antecedent head", unit="way"):
        result[name] = share(right_without(translator, items, *heads_off), len(items))
    return result


def served_by(
    translator: Translator,
    items: Sequence[CoreferencePair],
    noun_head: tuple[int, int],
    property_head: tuple[int, int],
) -> dict[str, Any]:
    """What `noun_head` does when one encoder head before it is switched off (zero).

    Mean weight from "it" to the antecedent minus the other noun: with nothing changed (``margin``),
    ``without`` `property_head`, and the mean ``without_others``, each other head of the layers
    below alone but `server`, the head without which least is left: ``without_server``. And the
    share of right pronouns by forced choice: with nothing changed, and without each.
    """
    n_heads = translator.card.config["n_heads"]

    def margin(off: Intervention) -> float:
        margins = []
        for pair in items:
            record = translator.attend(pair.source, pair.target, intervention=off)
            margins.append(float(encoder_margins(record, pair)[noun_head]))
        return float(np.mean(margins))

    def right(*off: tuple[int, int]) -> float | None:
        return number(right_without(translator, items, *off) / len(items), SHARE_DIGITS)

    heads = [(layer, head) for layer in range(noun_head[0]) for head in range(n_heads)]
    margins = {
        head: margin(Intervention(AblatedHead("encoder", *head)))
        for head in tqdm({*heads, property_head}, desc="head ablation", unit="head")
    }
    server = min(heads, key=margins.__getitem__, default=property_head)
    others = [margins[head] for head in heads if head not in (property_head, server)]
    return {
        "sentences": len(items),
        "margin": number(margin(Intervention())),
        "without": number(margins[property_head]),
        "without_others": number(float(np.mean(others)) if others else float("nan")),
        "server": {"layer": server[0], "head": server[1]},
        "without_server": number(margins[server]),
        "right": right(),
        "right_without": right(property_head),
        "right_without_server": right(server),
    }
