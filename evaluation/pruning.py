"""Measure how far a model gets with fewer heads (Voita et al. 2019; Michel et al. 2019).

Stored as ``pruning.json`` beside the weights. The heads of one site are set to zero, the least
important first (those whose loss lowers log p least in ``roles.json``); and in random order, once
for each seed. For each number of ``removed`` heads: BLEU (greedy search), the share of right
pronouns in held-out sentences with "it", and the alignment error rate of the best cross-attention
head that is left, by the rows that read a word (teacher-forced; the best is chosen on the same
pairs). Measures that do not apply are empty, and so is the error rate without a head.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from core.bootstrap import bleu
from core.gold import error_rate, linked_words, rows_of, tally, word_pieces, word_weights
from core.gold_sets import gold_sets
from core.interventions.intervention import Intervention
from core.interventions.kinds import AblatedHead
from core.measurements import PRUNING, ROLES
from model import InputError, ModelError
from model.hooks.capture import capture_attention
from model.hooks.interventions import intervening
from model.teacher_forcing import output_limits, read_ids, tensor_of
from training.corpora.coreference import generate_held_out
from training.corpora.pairs import spread_out
from training.files import LISTS, number
from words import Message

from .bleu import bleu_row
from .gold import pairs_in
from .measured_sets import HELD_OUT_SEED, measured_sets
from .measurement import Measurement, ResultPart
from .pronoun import greedy_outputs, pronoun_is_right
from .templating import rendered

SENTENCES = 60  # for each measure
STEPS = 8
SEEDS = 3


class PruningMeasurement(Measurement):
    name = "pruning"
    file_kind = PRUNING
    on_a_line = (LISTS,)

    def frame(self) -> dict[str, Any]:
        return {**self.provenance(), "seeds": SEEDS}

    def parts(self) -> Iterator[ResultPart]:
        yield ResultPart(("sentences",), self._sentences)
        yield ResultPart(("sites",), self._sites)

    def _sentences(self) -> dict[str, int]:
        sets = {"bleu": self._pairs, "pronoun": self._pronouns, "aer": self._gold}
        return {name: len(of) for name, of in sets.items() if of}

    @property
    def _size(self) -> int:
        """Number of sentences of each measure."""
        return min(SENTENCES, self.limit or SENTENCES)

    @cached_property
    def _pairs(self) -> Sequence[Any]:
        """Pairs for BLEU."""
        pairs = measured_sets(self.of.card.languages).to_sweep(self.data)
        return spread_out(pairs, self._size)

    @cached_property
    def _pronouns(self) -> Sequence[Any]:
        """Held-out sentences with "it", [] if there are none in the model's languages."""
        if not measured_sets(self.of.card.languages).pronouns:
            return []
        return generate_held_out(self._size // 2, seed=HELD_OUT_SEED)

    @cached_property
    def _gold(self) -> Sequence[Any]:
        """Pairs with gold alignments, [] if there are none in the model's languages."""
        languages = self.of.card.languages
        sets = gold_sets(languages)
        return spread_out(pairs_in(self.data, sets[0], languages), self._size) if sets else []

    @cached_property
    def _orders(self) -> dict[str, list[list[tuple[int, int]]]]:
        """For each site its heads by importance, then in random orders.

        Raises ModelError if it was not measured how much each head contributes.
        """
        stored = self.of.card.measured(ROLES)
        off = stored.part.off if stored.part else {}
        if "zero" not in off:
            raise ModelError(Message.of("pruning-without-roles", name=self.of.card.name))
        orders = {}
        for site, bounds in off["zero"].items():
            changes = np.array(bounds.value)
            heads = list(np.ndindex(*changes.shape))
            # log p falls without a head that matters, so the largest change comes first.
            ranked = sorted(heads, key=lambda head: -changes[head])
            shuffled = [np.random.default_rng(seed).permutation(heads) for seed in range(SEEDS)]
            orders[site] = [
                ranked,
                *([tuple(map(int, head)) for head in order] for order in shuffled),
            ]
        return orders

    def _sites(self) -> dict[str, Any]:
        steps = {
            site: np.linspace(0, len(orders[0]), STEPS + 1).astype(int).tolist()
            for site, orders in self._orders.items()
        }
        # All states of all curves, so that one batch translates a sentence under each of them.
        gone = [
            (site, order[:n])
            for site, orders in self._orders.items()
            for order in orders
            for n in steps[site]
        ]
        offs = [Intervention(*(AblatedHead(site, *at) for at in heads)) for site, heads in gone]
        values = {
            "bleu": self._bleu(offs),
            "pronoun": self._right(offs),
            "aer": self._error(offs, gone),
        }
        # Back from one long row to curves of `STEPS` + 1 points, in the order of `gone`.
        curves = (
            {name: of[at : at + STEPS + 1] for name, of in values.items() if of}
            for at in range(0, len(gone), STEPS + 1)
        )
        return {
            site: {
                "removed": steps[site],
                "order": list(map(list, orders[0])),
                "ranked": next(curves),
                "random": [*islice(curves, SEEDS)],
            }
            for site, orders in self._orders.items()
        }

    def _of_outputs(
        self, pairs: Sequence[Any], what: str, offs: Sequence[Intervention], of: Callable[..., Any]
    ) -> list[list[Any]]:
        """Return `of` each pair and its translation, one row a pair, under each of `offs`."""
        bar = tqdm(pairs, desc=what, unit="sentence")
        return [[of(pair, text) for text in self._outputs(pair.source, offs)] for pair in bar]

    def _outputs(self, text: str, offs: Sequence[Intervention]) -> list[str]:
        src = self.of.source_of(text, "sentence")
        model = self.of.model
        most = output_limits(model.config.max_len, len(src))[1]
        outputs = greedy_outputs(model, src.ids, offs, most)
        return [self.of.tokenizer.decode(ids).text for ids in outputs]

    def _bleu(self, offs: Sequence[Intervention]) -> list[float | None]:
        rows = self._of_outputs(
            self._pairs, "BLEU", offs, lambda pair, text: bleu_row(text, pair.target)
        )
        # The sum of counts over sentences gives BLEU of the corpus.
        return [number(value, 2) for value in bleu(np.sum(rows, axis=0))]

    def _right(self, offs: Sequence[Intervention]) -> list[float | None]:
        rows = self._of_outputs(self._pronouns, "pronouns", offs, pronoun_is_right)
        return [number(value) for value in np.mean(rows, axis=0)] if rows else []

    @torch.inference_mode()
    def _error(self, offs: Sequence[Intervention], gone: Sequence[Any]) -> list[float | None]:
        model = self.of.model
        sums: Any = 0
        for pair in tqdm(self._gold, desc="alignment", unit="pair"):
            try:
                src = self.of.source_of(pair.source, "sentence")
                tgt = self.of.target_of(pair.target, "translation")
            except InputError:
                continue
            # Teacher forcing: every state reads the same pair, so that maps can be compared.
            source = tensor_of(model, src.ids).expand(len(offs), -1)
            target = tensor_of(model, read_ids(model.config, tgt.ids)).expand(len(offs), -1)
            with (
                intervening(model, offs, n_src=len(src), n_tgt=len(tgt)) as changed,
                capture_attention(model) as captured,
            ):
                changed(source, target)
            rows = rows_of(word_pieces(tgt, pair.target_words), "reads")
            columns = word_pieces(src, pair.source_words)
            by_words = word_weights(captured.weights("cross"), rows, columns)
            sums = sums + tally(linked_words(by_words), pair)
        if not self._gold:
            return []
        rates = error_rate(sums)
        # A removed head has no map left to align with.
        for row, (site, heads) in zip(rates, gone, strict=True):
            for at in heads if site == "cross" else ():
                row[at] = np.nan
        return [None if np.isnan(row).all() else number(np.nanmin(row)) for row in rates]

    @classmethod
    def report(cls, result: Mapping[str, Any]) -> str:
        """Return the curves of each site in the order of importance."""
        return rendered(f"{cls.name}.txt.j2", between="\n", sites=result["sites"])
