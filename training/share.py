"""How much of what a model writes is owed to the source, from its first tokens to its last?

Stored as ``share.json`` beside the weights: the share of the source by ALTI+ (Ferrando et al.
2022) in each tenth of the target, over the pairs of a gold alignment, and how far ALTI+ and the
mean weight of all heads agree with what hiding source tokens does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from core.bootstrap import bootstrap, mean
from core.explain import mean_correlations
from core.measurements import SHARES
from core.share import TENTHS, tenths_of
from model.experiments.explain import hidden_best, hide_each, rank_correlation
from model.experiments.share import share_of

from .corpus import CorpusError, Pair, spread_out
from .measuring import Measurement, Part
from .storing import LISTS, OBJECTS, interval_values

SETS = {("en", "de"): "rwth-de-en", ("ko", "en"): "pud-en-ko"}
"""Of a pair of languages the folder of ``align/`` that holds pairs nobody trained on."""
HIDDEN = 100
"""Of so many sentences the source tokens are hidden in turn."""


class Share(Measurement):
    name = "share"
    kind = SHARES
    on_a_line = (LISTS, OBJECTS)

    def frame(self) -> dict[str, Any]:
        folder = SETS.get(self.of.card.languages)
        if folder is None:
            raise CorpusError(f"no set of gold alignments for {self.of.card.languages}")
        return {**self.made(), "set": folder}

    def parts(self) -> Iterator[Part]:
        yield Part(("sentences",), lambda: len(self.pairs))
        yield Part(("tenths",), lambda: self._measured[0])
        yield Part(("agreement",), lambda: self._measured[1])
        yield Part(("hidden_sentences",), lambda: len(spread_out(self.pairs, HIDDEN)))

    @cached_property
    def pairs(self) -> list[Pair]:
        folder = self.data / "align" / SETS[self.of.card.languages]
        return list(islice(gold_pairs(folder), self.limit))

    @cached_property
    def _measured(self) -> tuple[list, dict[str, Any]]:
        sums = np.zeros((len(self.pairs), TENTHS, 2))
        hidden_of = spread_out(self.pairs, HIDDEN)
        agreeing: dict[str, list[float]] = {"alti": [], "weights": []}
        for at, pair in enumerate(tqdm(self.pairs, desc="shares", unit="sentence")):
            src = self.of.source_of(pair.source, "sentence")
            tgt = self.of.target_of(pair.target, "translation")
            record, log_probs = self.of.read_again(src, tgt)
            shares = share_of(self.of, record)
            of = tenths_of(len(tgt))
            for tenth in {*of.tolist()}:
                sums[at, tenth] = shares.of_source[of == tenth].mean(), 1
            if pair in hidden_of:
                how = hidden_best(self.of)
                hidden = hide_each(self.of.model, src.ids, tgt.ids, hidden_from=how)
                drops, weights = log_probs[:, None] - hidden, record.cross.weights.mean(axis=(0, 1))
                for name, values in (("alti", shares.source), ("weights", weights)):
                    agreeing[name].append(float(mean_correlations(rank_correlation(values, drops))))
        tenths = [interval_values(bootstrap(rows, mean)) for rows in sums.transpose(1, 0, 2)]
        pairs = {name: np.array([(x, 1) for x in of if x == x]) for name, of in agreeing.items()}
        return tenths, {name: interval_values(bootstrap(of, mean)) for name, of in pairs.items()}


def gold_pairs(folder: Path) -> Iterator[Pair]:
    """The texts of a folder of gold alignments, English before German, Korean before English.

    Raises CorpusError where its files are missing.
    """
    try:
        if (folder / "test.uc.en").exists():
            sides = ((folder / f"test.uc.{code}").read_text("utf-8") for code in ("en", "de"))
            yield from map(Pair, *(side.splitlines() for side in sides))
            return
        for line in (folder / f"{folder.name}.jsonl").read_text("utf-8").splitlines():
            found = json.loads(line)
            yield Pair(*(_text(found[code]) for code in ("ko", "en")))
    except OSError as error:
        raise CorpusError(f"{folder} holds no gold alignment: {error.strerror}") from error


def _text(words: list[list]) -> str:
    """Words with what each says last: whether a space comes after it."""
    return "".join(word + " " * bool(space) for word, *_, space in words).strip()
