"""Whom a model names where a Korean sentence names nobody, on generated pairs it never read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from torch import nn
from tqdm import tqdm

from model import Translator
from model.tokenizer import TextTokenizer
from records import Decoding

from .dropped import KINDS, Dropped, generate, twins
from .pointing import linked, majority, of_maps, right_maps, share, uniform_shares
from .rounding import number

PAIRS, SEED = 100, 7
"""Of each kind, and other ones than a training holds back."""
_SECOND = re.compile(r"[.!?]\s+(\w+)")


def second_subject(text: str) -> str:
    """The word that begins the second sentence, in lower case; empty where there is none."""
    found = _SECOND.search(text)
    return found[1].lower() if found else ""


def right_pronouns(
    translator: Translator, pairs: Iterable[Dropped], decoding: Decoding
) -> dict[str, bool]:
    """By source whether the translation's second sentence begins with the right pronoun."""
    return {
        pair.source: second_subject(translator.translate(pair.source, decoding).text)
        == pair.pronoun
        for pair in tqdm(pairs, desc="dropped subjects", unit="pair")
    }


def antecedent_pointing(
    model: nn.Module, tokenizer: TextTokenizer, pairs: Sequence[Dropped]
) -> dict[str, Any]:
    """How often the largest cross-attention weight lies on who is meant while the pronoun is
    written, the reference being read: the best map, chosen on every second pair, on the others."""
    found = [linked(pair.source, pair.target, [pair.link], tokenizer) for pair in pairs]
    right = [right_maps(model, pair) for pair in tqdm(found, desc="attention maps", unit="pair")]
    expected = [each for pair in found[1::2] for each in uniform_shares(pair)]
    return of_maps(right[1::2], right[::2]) | {"uniform": number(float(np.mean(expected)))}


def measure(
    translator: Translator, decoding: Decoding, *, limit: int | None = None
) -> dict[str, Any]:
    """Right pronouns by kind, of pairs and their twins both, and where cross-attention points.

    ``majority``: the pronoun that is right most often in a kind, and the share it would have alone.

    ``twins`` exchange the two people and nothing else, so that who is named first decides; by
    chance a model that always takes one of the two pronouns has none of them right.
    """
    n = limit or PAIRS
    pairs = generate(n * len(KINDS), seed=SEED, held_out=True)
    exchanged = twins(n, seed=SEED)
    every = {pair.source: pair for both in exchanged for pair in both}
    every |= {pair.source: pair for pair in pairs}
    right = right_pronouns(translator, every.values(), decoding)
    kinds = {}
    for kind in KINDS:
        of_kind = {pair: right[pair.source] for pair in pairs if pair.kind == kind}
        kinds[kind] = share(sum(of_kind.values()), len(of_kind)) | {
            "sentences": len(of_kind),
            "majority": majority([pair.pronoun for pair in of_kind]),
        }
    both_right = [all(right[pair.source] for pair in both) for both in exchanged]
    of_people = [pair for pair in pairs if pair.kind == "together"]
    return {
        "kinds": kinds,
        "twins": share(sum(both_right), len(both_right)) | {"pairs": len(both_right)},
        "pointing": antecedent_pointing(translator._model, translator._tokenizer, of_people),
    }
