"""Measure the English subject of Korean pairs whose second sentence omits it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from torch import nn
from tqdm import tqdm

from core.records.search import Decoding
from model import Translator
from model.tokenizer import TextTokenizer
from training.corpora.zero_pronouns import CONDITIONS, Dropped, generate, twins

from .attention_links import (
    WordLink,
    linked,
    majority,
    of_maps,
    right_maps,
    share,
    uniform_share,
)

PAIRS = 100
"""Pairs of each condition."""
SEED = 7
"""A seed other than that of the pairs a training validates with."""
_SECOND = re.compile(r"[.!?]\s+(\w+)")


def person_link(pair: Dropped) -> WordLink:
    """Return the link from the one who is meant to the pronoun that renders it."""
    return WordLink("person", pair.antecedent, pair.pronoun_span)


def second_subject(text: str) -> str:
    """Return the first word of the second sentence in lower case; "" if there is none."""
    match = _SECOND.search(text)
    return match[1].lower() if match else ""


def right_pronouns(
    translator: Translator, pairs: Iterable[Dropped], decoding: Decoding
) -> dict[str, bool]:
    """Return by source if the translation's second sentence begins with the right pronoun."""
    return {
        pair.source: second_subject(translator.translate(pair.source, decoding).text)
        == pair.pronoun
        for pair in tqdm(pairs, desc="dropped subjects", unit="pair")
    }


def antecedent_pointing(
    model: nn.Module, tokenizer: TextTokenizer, pairs: Sequence[Dropped]
) -> dict[str, Any]:
    """Return how often the largest cross-attention weight lies on the one who is meant.

    Read while the pronoun is written, the reference being forced. The best map is chosen on every
    second pair and measured on the others.
    """
    links = [linked(pair.source, pair.target, [person_link(pair)], tokenizer) for pair in pairs]
    right = [right_maps(model, pair) for pair in tqdm(links, desc="attention maps", unit="pair")]
    return of_maps(right[1::2], right[::2]) | {"uniform": uniform_share(links[1::2])}


def measure(
    translator: Translator, decoding: Decoding, *, limit: int | None = None
) -> dict[str, Any]:
    """Measure pronouns by condition, of pairs and of twins, and where cross-attention points.

    ``majority``: the pronoun that is right most often in a condition, and the share it would reach
    alone.

    ``twins`` exchange the two persons and nothing else, so that the order decides. A model that
    always writes one of the two pronouns gets none of them right.
    """
    n = limit or PAIRS
    pairs = generate(n * len(CONDITIONS), seed=SEED, held_out=True)
    exchanged = twins(n, seed=SEED)
    every = {pair.source: pair for both in exchanged for pair in both}
    every |= {pair.source: pair for pair in pairs}
    right = right_pronouns(translator, every.values(), decoding)
    conditions = {}
    for condition in CONDITIONS:
        flags = {pair: right[pair.source] for pair in pairs if pair.condition == condition}
        conditions[condition] = share(sum(flags.values()), len(flags)) | {
            "sentences": len(flags),
            "majority": majority([pair.pronoun for pair in flags]),
        }
    both_right = [all(right[pair.source] for pair in both) for both in exchanged]
    of_people = [pair for pair in pairs if pair.condition == "together"]
    return {
        "kinds": conditions,
        "twins": share(sum(both_right), len(both_right)) | {"pairs": len(both_right)},
        "pointing": antecedent_pointing(translator.model, translator.tokenizer, of_people),
    }
