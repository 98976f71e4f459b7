"""Measure how much of a translation is owed to the source, from its first tokens to its last.

Stored as ``share.json`` beside the weights: the share of the source by ALTI+ (Ferrando et al. 2022)
in each tenth of the target, over the pairs of a gold alignment, and the agreement of ALTI+ and of
the mean weight of all heads with leave-one-out over source tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from tqdm import tqdm

from core.bootstrap import bootstrap, mean
from core.explain import mean_correlations
from core.gold import GoldPair
from core.gold_sets import gold_sets
from core.measurements import SHARES
from core.source_share import TENTHS, tenths_of
from model.experiments.explain import hidden_best, leave_one_out, rank_correlation
from model.experiments.source_share import share_of
from training.corpora.pairs import spread_out
from training.corpora.text_pairs import CorpusError
from training.files import LISTS, OBJECTS, interval_values

from .gold import pairs_in
from .measurement import Measurement, ResultPart

HIDDEN = 100
"""Number of sentences whose source tokens are hidden in turn."""


class ShareMeasurement(Measurement):
    name = "share"
    file_kind = SHARES
    on_a_line = (LISTS, OBJECTS)

    def frame(self) -> dict[str, Any]:
        sets = gold_sets(self.of.card.languages)
        if not sets:
            raise CorpusError(f"no set of gold alignments for {self.of.card.languages}")
        return {**self.provenance(), "set": sets[0]}

    def parts(self) -> Iterator[ResultPart]:
        yield ResultPart(("sentences",), lambda: len(self.pairs))
        yield ResultPart(("tenths",), lambda: self._measured[0])
        yield ResultPart(("agreement",), lambda: self._measured[1])
        yield ResultPart(("hidden_sentences",), lambda: len(spread_out(self.pairs, HIDDEN)))

    @cached_property
    def pairs(self) -> Sequence[GoldPair]:
        """Gold pairs, on which no model was trained."""
        languages = self.of.card.languages
        return pairs_in(self.data, gold_sets(languages)[0], languages)[: self.limit]

    @cached_property
    def _measured(self) -> tuple[list[Any], dict[str, Any]]:
        # Sum and count for each sentence and tenth; short targets leave tenths empty.
        sums = np.zeros((len(self.pairs), TENTHS, 2))
        hidden_of = spread_out(self.pairs, HIDDEN)
        agreeing: dict[str, list[float]] = {"alti": [], "weights": []}
        for at, pair in enumerate(tqdm(self.pairs, desc="shares", unit="sentence")):
            src = self.of.source_of(pair.source, "sentence")
            tgt = self.of.target_of(pair.target, "translation")
            record, log_probs = self.of.teacher_force(src, tgt)
            shares = share_of(self.of, record)
            of = tenths_of(len(tgt))
            for tenth in {*of.tolist()}:
                sums[at, tenth] = shares.of_source[of == tenth].mean(), 1
            if pair in hidden_of:
                # Hiding every token takes a run of each, so only a part of the sentences is asked.
                hidden = leave_one_out(
                    self.of.model, src.ids, tgt.ids, hidden_from=hidden_best(self.of)
                )
                drops = log_probs[:, None] - hidden
                weights = record.cross.weights.mean(axis=(0, 1))
                for name, values in (("alti", shares.source), ("weights", weights)):
                    agreeing[name].append(float(mean_correlations(rank_correlation(values, drops))))
        tenths = [interval_values(bootstrap(rows, mean)) for rows in sums.transpose(1, 0, 2)]
        # x == x is False for NaN: a row of equal values has no rank correlation.
        pairs = {name: np.array([(x, 1) for x in of if x == x]) for name, of in agreeing.items()}
        return tenths, {name: interval_values(bootstrap(of, mean)) for name, of in pairs.items()}
