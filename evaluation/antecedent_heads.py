"""Find the heads that resolve "it" and that look at its property, and measure their use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from tqdm import tqdm

from core.interventions.intervention import Intervention
from core.interventions.kinds import AblatedHead
from core.records.attention import AttentionRecord
from core.records.search import Decoding
from core.weights.measures import pair_weights, strongest_head
from model import Translator
from training.corpora.coreference import canonical_pairs
from training.corpora.text_pairs import CoreferencePair
from training.files import SHARE_DIGITS, number

from .attention_links import head_of, share
from .pronoun import forced_choice_is_right


def head_links(translator: Translator, items: Sequence[CoreferencePair]) -> dict[str, Any]:
    """Return for every head its weight on the antecedent minus that on the other noun.

    Encoder: from the pieces of "it". Cross-attention: from the position that *writes* the first
    piece of the German pronoun, teacher-forced on the reference. The best head of a site has the
    largest smaller half, so that a head which follows a position or a class of noun, right in one
    half and wrong in the other, does not win. ``to_it`` is the cross-attention head that looks most
    at "it" from the pronoun being written.
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
        # Halves are averaged apart, so that both count alike however many sentences each has.
        first, second = (np.mean(margin, axis=0) for margin in halves.values())
        mean = (first + second) / 2
        heads[site] = head_entry(
            chosen_head(first, second),
            margin=mean,
            first=first,
            second=second,
            antecedent=np.mean(masses[site], axis=0),
        )
        heads[site] |= {"n_pairs": len(items) // 2, "all_heads": np.round(mean, 3).tolist()}
    means = np.mean(to_it, axis=0)
    heads["cross"]["to_it"] = head_entry(strongest_head(means), weight=means)
    return heads


def pronoun_rows(record: AttentionRecord, pair: CoreferencePair) -> dict[str, tuple[int, ...]]:
    """Return by site the rows of "it", and the row that writes its translation's first piece."""
    rows = {"encoder": record.src.pieces_at(*pair.pronoun)}
    if record.tgt is not None:
        rows["cross"] = record.tgt.pieces_at(*pair.target_pronoun)[:1]
    return rows


def noun_weights(record: AttentionRecord, pair: CoreferencePair, site: str) -> list[np.ndarray]:
    """Return the weight of `pronoun_rows` on the antecedent and on the other noun, each (L, H)."""
    rows = pronoun_rows(record, pair)[site]
    nouns = (record.src.pieces_at(*span) for span in (pair.antecedent, pair.distractor))
    return [pair_weights(record.of(site), rows, noun) for noun in nouns]


def head_entry(head: tuple[int, int], **maps: np.ndarray) -> dict[str, Any]:
    """Return a head as it is stored, with its values in each of these maps (L, H)."""
    at_head = {name: number(float(values[head])) for name, values in maps.items()}
    return {"layer": head[0], "head": head[1], **at_head}


def encoder_margins(record: AttentionRecord, pair: CoreferencePair) -> np.ndarray:
    """Return the weight from "it" on the antecedent minus that on the other noun, (L, H)."""
    return np.subtract(*noun_weights(record, pair, "encoder"))


def chosen_head(first: np.ndarray, second: np.ndarray) -> tuple[int, int]:
    """Return the head whose smaller half is largest, from the margins (L, H) of both halves."""
    return strongest_head(np.minimum(first, second))


def canonical_weights(
    translator: Translator, decoding: Decoding, heads: dict[str, Any]
) -> dict[str, Any]:
    """Return the translations of the classic sentences, and the weights from "it" to each noun.

    For each noun: the head that looks there most, and the weight of the encoder head in `heads` (as
    `head_links` and `property_links` return them); for the property the weight of its head.
    """
    tired, wide = canonical_pairs()
    result = {}
    for pair, other in ((tired, wide), (wide, tired)):
        translation = translator.translate(pair.source, decoding)
        src = translation.src
        encoder = translation.attention.encoder
        entry: dict[str, Any] = {"translation": translation.text}

        # Defaults bind this sentence's values, not those of the loop's last round.
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
    """Return the span of the deciding property, in which `pair.source` and `other` differ."""
    words, rival = (re.findall(r"\w+|\W+", text) for text in (pair.source, other.source))
    # Common prefix and suffix in words; what remains differs.
    same = (a == b for a, b in zip(words, rival, strict=False))
    start = next((i for i, is_same in enumerate(same) if not is_same), len(words))
    shared = 0
    while shared < min(len(words), len(rival)) - start and words[-1 - shared] == rival[-1 - shared]:
        shared += 1
    return len("".join(words[:start])), len("".join(words[: len(words) - shared]))


def property_links(
    translator: Translator, items: Sequence[CoreferencePair], noun_head: tuple[int, int]
) -> dict[str, Any]:
    """Find the encoder head that looks most from "it" at the property that decides its noun.

    `noun_head` is left out. ``weight`` is the mean weight there, ``first`` and ``second`` that of
    either half, over the ``sentences`` whose readings differ in the property alone ("too tired",
    "too wide") and not in the whole clause of "it".
    """
    readings = {(p.pair_id, p.half): p for p in items}
    halves: dict[str, list[np.ndarray]] = {"first": [], "second": []}
    for pair in items:
        other = readings[pair.pair_id, "second" if pair.half == "first" else "first"]
        start, end = deciding_span(pair, other)
        # The difference takes in "it" itself: there is no property to look at.
        if start < pair.pronoun[1] and pair.pronoun[0] < end:
            continue
        record = translator.attend(pair.source, pair.target)
        it = record.src.pieces_at(*pair.pronoun)
        deciding = record.src.pieces_at(start, end)
        halves[pair.half].append(pair_weights(record.encoder, it, deciding))
    first, second = (np.mean(weights, axis=0) for weights in halves.values())
    means = np.mean([*halves["first"], *halves["second"]], axis=0)
    others = means.copy()
    # Weights are not negative, so this head is never the strongest.
    others[noun_head] = -1.0
    return {
        **head_entry(strongest_head(others), weight=means, first=first, second=second),
        "sentences": sum(map(len, halves.values())),
        "all_heads": np.round(means.astype(float), 3).tolist(),
    }


def right_without(
    translator: Translator, items: Sequence[CoreferencePair], *off: tuple[int, int]
) -> int:
    """Return how many right pronouns are the likeliest with these encoder heads ablated."""
    change = Intervention(*(AblatedHead("encoder", *head) for head in off))
    return sum(forced_choice_is_right(translator, pair, change) for pair in items)


def use_of(
    translator: Translator, items: Sequence[CoreferencePair], noun_head: tuple[int, int]
) -> dict[str, Any]:
    """Measure if the noun's head is necessary for the pronoun, and if it suffices.

    Shares of right pronouns by forced choice, with bounds (Wilson 1927, 95 %): unchanged
    (``plain``), with the head ablated (``without``), and with every other head of its layer ablated
    (``alone``).
    """
    layer, kept = noun_head
    heads = range(translator.card.config["n_heads"])
    off = {
        "plain": (),
        "without": (noun_head,),
        "alone": tuple((layer, head) for head in heads if head != kept),
    }
    result: dict[str, Any] = {"sentences": len(items)}
    for name, heads_off in tqdm(off.items(), desc="antecedent head", unit="way"):
        result[name] = share(right_without(translator, items, *heads_off), len(items))
    return result


def mean_margin(
    translator: Translator,
    items: Sequence[CoreferencePair],
    head: tuple[int, int],
    ablated: tuple[int, int] | None = None,
) -> float:
    """Return the mean of `encoder_margins` in one head, while another is `ablated` (zero)."""
    off = Intervention() if ablated is None else Intervention(AblatedHead("encoder", *ablated))
    margins = []
    for pair in items:
        record = translator.attend(pair.source, pair.target, intervention=off)
        margins.append(float(encoder_margins(record, pair)[head]))
    return float(np.mean(margins))


def served_by(
    translator: Translator,
    items: Sequence[CoreferencePair],
    noun_head: tuple[int, int],
    property_head: tuple[int, int],
) -> dict[str, Any]:
    """Measure `noun_head` while one encoder head below it is ablated (zero).

    Mean weight from "it" to the antecedent minus the other noun: unchanged (``margin``),
    ``without`` `property_head`, and the mean ``without_others`` over all other heads of the layers
    below. `server` is the head without which least is left (``without_server``); the mean leaves it
    out. Also the share of right pronouns by forced choice: unchanged, and without each of the two.
    """

    def right(*off: tuple[int, int]) -> float | None:
        return number(right_without(translator, items, *off) / len(items), SHARE_DIGITS)

    n_heads = translator.card.config["n_heads"]
    # Heads of the same layer or above cannot reach this head's input.
    heads = [(layer, head) for layer in range(noun_head[0]) for head in range(n_heads)]
    margins = {
        head: mean_margin(translator, items, noun_head, head)
        # A set: the property head may be one of the heads below.
        for head in tqdm({*heads, property_head}, desc="head ablation", unit="head")
    }
    server = min(heads, key=margins.__getitem__, default=property_head)
    others = [margins[head] for head in heads if head not in (property_head, server)]
    return {
        "sentences": len(items),
        "margin": number(mean_margin(translator, items, noun_head)),
        "without": number(margins[property_head]),
        "without_others": number(float(np.mean(others)) if others else float("nan")),
        "server": {"layer": server[0], "head": server[1]},
        "without_server": number(margins[server]),
        "right": right(),
        "right_without": right(property_head),
        "right_without_server": right(server),
    }
