"""On which tokens do the hidden units of the feed-forward layers fire? Measured on validation text.

Stored as ``units.json`` beside the weights: for the units of each layer that add most, most often,
the share of positions at which they fire and the places where they fire most, in a few pieces of
context. Only from sets that anybody may quote.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from core.hypotheses import spelt
from core.measurements import UNITS
from core.tokens import TokenSequence
from model.checkpoint import load_checkpoint
from model.experiments.block import units_of
from model.translator import Translator

from .corpus import CorpusError, Pair, read_pairs, spread_out
from .measuring import Measurement, Part
from .storing import number, store_rows

SETS = {
    ("en", "de"): (
        "tatoeba-en-de", "tatoeba-extra-en-de", "wiki-en-de", "chat-en-de", "stories-en-de",
    ),
    ("ko", "en"): (
        "ko-en-tatoeba", "ko-en-tatoeba-extra", "ko-en-jhe", "ko-en-stylekqc", "ko-en-korsts",
        "ko-en-stories",
    ),
}  # fmt: skip
"""Of a pair of languages, under licences that let a few words be quoted: CC BY, CC BY-SA and CC0
(see docs/data.md)."""
PER_SET = 400
MOST_TOKENS = 60  # of either side; longer pairs are left out
UNITS_PER_LAYER = 1400
STRONGEST = 12  # of a position count as those that add most
KEPT = 3  # contexts of each unit
BEFORE = 2  # pieces of context before the token; one after it
_SPARE = 5  # times as many contexts are followed, because the same words are kept once


Context = tuple[str, str, str]
"""What stands before a token, the token, and what comes after."""


class _Layer:
    """`values`, `where` (k, d_ff): the largest activations, falling, and the numbers of their
    contexts."""

    def __init__(self, d_ff: int) -> None:
        k = KEPT * _SPARE
        self.values = np.zeros((k, d_ff), np.float32)
        self.where = np.full((k, d_ff), -1, np.int64)
        self.fired = np.zeros(d_ff, np.int64)
        self.strongest: Counter[int] = Counter()

    def hear(self, activations: np.ndarray, lengths: np.ndarray, first: int) -> None:
        """Take in a sentence, (T, d_ff); its contexts are numbered from `first` on."""
        n_tokens = len(activations)
        self.fired += (activations > 0).sum(0)
        adding = np.argpartition(-activations * lengths, STRONGEST - 1, axis=1)[:, :STRONGEST]
        self.strongest.update(adding.ravel().tolist())
        numbers = np.broadcast_to(np.arange(first, first + n_tokens)[:, None], activations.shape)
        values = np.concatenate((self.values, activations))
        where = np.concatenate((self.where, numbers))
        order = np.argsort(-values, axis=0, kind="stable")[: len(self.values)]
        self.values = np.take_along_axis(values, order, 0)
        self.where = np.take_along_axis(where, order, 0)

    def units(self, contexts: Sequence[Context]) -> list[dict[str, Any]]:
        """The units that add most, most often, each with its contexts, by their number."""
        units = sorted(unit for unit, _ in self.strongest.most_common(UNITS_PER_LAYER))
        return [self._unit(unit, contexts) for unit in units]

    def _unit(self, unit: int, contexts: Sequence[Context]) -> dict[str, Any]:
        kept: dict[Context, float] = {}
        for value, at in zip(self.values[:, unit], self.where[:, unit], strict=True):
            if value > 0 and len(kept) < KEPT:
                kept.setdefault(contexts[at], round(float(value), 2))
        share = number(float(self.fired[unit] / max(1, len(contexts))))
        return {"unit": int(unit), "share": share, "places": [[*p, v] for p, v in kept.items()]}


class Units(Measurement):
    name = "units"
    kind = UNITS
    load = staticmethod(load_checkpoint)

    def frame(self) -> dict[str, Any]:
        self.chosen = _chosen(self.data, tuple(self.of.card.languages), self.limit)
        return {
            **self.made(),
            "sets": {folder: len(pairs) for folder, pairs in self.chosen.items()},
        }

    def parts(self) -> Iterator[Part]:
        yield Part(("positions",), self._positions)
        yield Part(("layers",), self._layers)

    def _positions(self) -> dict[str, int]:
        return {stack: len(contexts) for stack, contexts in self._heard[1].items()}

    def _layers(self) -> dict[str, Any]:
        stacks, contexts = self._heard
        return {
            stack: [layer.units(contexts[stack]) for layer in layers]
            for stack, layers in stacks.items()
        }

    @cached_property
    def _heard(self) -> tuple[dict[str, list[_Layer]], dict[str, list[Context]]]:
        tokenizers, reader = self.of.tokenizers, Translator(self.of)
        stacks: dict[str, list[_Layer]] = {}
        contexts: dict[str, list[Context]] = {}
        pairs = [pair for of_set in self.chosen.values() for pair in of_set]
        for pair in tqdm(pairs, desc="neurons", unit="sentence"):
            src = tokenizers["source"].encode(pair.source)
            tgt = tokenizers["target"].encode(pair.target)
            if max(len(src), len(tgt)) > MOST_TOKENS:
                continue
            for fired in units_of(reader, src, tgt):
                lengths = fired.lengths
                layers = stacks.setdefault(fired.stack, [_Layer(len(values)) for values in lengths])
                known = contexts.setdefault(fired.stack, [])
                for layer, *values in zip(layers, fired.activations, lengths, strict=True):
                    layer.hear(*values, len(known))
                known += (
                    contexts_of(src) if fired.stack == "encoder" else contexts_of(tgt, writes=True)
                )
        return stacks, contexts

    @classmethod
    def write(cls, folder: Path, result: Mapping[str, Any]) -> None:
        """A line a unit."""
        store_rows(folder / cls.kind.file, result, "layers", 3, (",", ":"))


def _chosen(data: Path, languages: tuple[str, str], limit: int | None) -> dict[str, list[Pair]]:
    sets = SETS.get(languages) or SETS.get(languages[::-1], ())
    files = {folder: data / folder / "val.tsv.gz" for folder in sets}
    reversed = languages not in SETS
    pairs = {
        folder: spread_out(list(read_pairs(file, reversed=reversed)), PER_SET)[:limit]
        for folder, file in files.items()
        if file.exists()
    }
    if not pairs:
        wanted = ", ".join(sets) or "that may be quoted in these languages"
        raise CorpusError(f"{data} holds none of the sets {wanted}")
    return pairs


def contexts_of(side: TokenSequence, *, writes: bool = False) -> Iterator[Context]:
    """Every position of a sentence with the pieces around it, as text.

    `writes`: of a decoder, which reads ``<s>`` and all but the last token; `after` is then what it
    writes.
    """
    tokens = ("<s>", *side.tokens) if writes else (*side.tokens, "")
    for at, token in enumerate(tokens[:-1]):
        yield spelt(tokens[max(0, at - BEFORE) : at]), token, spelt(tokens[at + 1 : at + 2])
