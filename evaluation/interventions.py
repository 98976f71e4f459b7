"""Measure interventions on a checkpoint: hidden words, and attention beside leave-one-out.

Stored as ``interventions.json`` beside the weights. Every part is saved when it is done, and the
same command continues from there. Layers and heads count from 0.

``head_means``
    For each kind the mean output of every head, (L, H, d_k), before W_O: over all positions of
    validation pairs, teacher-forced with their references. ``sentences`` and ``positions`` say
    over how many. The "mean" ablation replaces a head's output by them.
``pronoun``
    Empty if no such sentences exist in the model's languages
    (`evaluation.measured_sets.MeasuredSets`).
    How often the pronoun of a held-out coreference sentence flips when words are hidden: the
    antecedent, the other noun, either with its determiner and adjective ("phrase"), or a control
    word. ``plain`` counts the greedy outputs with nothing hidden, ``heads`` names the heads tried
    alone. One row of ``forced`` and ``searched`` is a place (``where``, see `WHERES`) and a
    ``word``, with ``all`` sentences and each half.

    ``forced`` keeps the plain output before the pronoun as it is: the pronoun flips when another
    of its forms becomes the likeliest. ``log_odds_change`` is the mean change of the natural log
    of P(right form) / P(best other form). ``searched`` searches anew, greedily: the pronoun flips
    when the output has other forms than the plain one, counted as `pronoun_is_right` does;
    ``other_gender`` of them have one form, of another gender. ``right`` outputs still have the
    right one. ``low`` and ``high`` bound the share of flips (Wilson 1927, 95 %).
``explain``
    Rank correlations of cross-attention rows, while greedy outputs are read again, with the drop
    of log p when each source token is hidden, or with gradient times input (``against``): the mean
    over the rows of a sentence, then ``mean`` and ``std`` over ``n`` sentences. ``heads`` (L, H);
    ``layers`` (L,) for the weights averaged over a layer's heads; ``average`` for those averaged
    over all. ``permuted_heads`` and ``permuted_average`` shuffle the weights of each row at
    random: the chance level. ``gradient`` is the correlation of gradient times input with the
    drops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from core.explain import mean_correlations
from core.measurements import INTERVENTIONS
from model import Translator
from model.experiments.explain import (
    gradient_times_input,
    leave_one_out,
    rank_correlation,
    read_pair,
)
from model.families.transformer import Transformer
from model.hooks.activations import changing, hook_points
from model.io.checkpoint import load_checkpoint
from model.teacher_forcing import read_ids, tensor_of
from training.corpora.coreference import generate_held_out
from training.corpora.pairs import spread_out
from training.corpora.text_pairs import TextPair
from training.files import LISTS, numbers

from .measured_sets import HELD_OUT_PAIRS, HELD_OUT_SEED, measured_sets
from .measurement import Measurement, ResultPart
from .pronoun import (
    CONTROL,
    DECODING,
    FollowedPronoun,
    followed_heads,
    force,
    rows_of,
    search_anew,
    translate_plainly,
)

MEANS_PER_SET = 250
EXPLAIN_PER_SET = 100


@torch.inference_mode()
def head_means(
    model: Transformer, pairs: Iterable[tuple[Sequence[int], Sequence[int]]]
) -> dict[str, Any]:
    """Return the mean output of every head over every position of `pairs` of source and target ids.

    By site nested lists (L, H, d_k) of five significant digits; ``sentences``; and ``positions`` of
    source and target.
    """
    sums: dict[tuple[str, int], Tensor] = {}

    def add(heads: Tensor, name: str) -> None:
        site, layer, _ = name.split(".")
        # Thousands of positions are added up: float32 would lose digits.
        sums[site, int(layer)] = sums.get((site, int(layer)), 0) + heads[0].double().sum(1)

    n_sentences = 0
    positions = {"source": 0, "target": 0}
    with changing(hook_points(model), {"*.z": add}):
        for src_ids, tgt_ids in pairs:
            read = read_ids(model.config, tgt_ids)
            model(*(tensor_of(model, ids) for ids in (src_ids, read)))
            n_sentences += 1
            positions["source"] += len(src_ids)
            positions["target"] += len(read)
    means: dict[str, Any] = {}
    for (site, _), total in sorted(sums.items()):
        n = positions["source" if site == "encoder" else "target"]
        # Five digits keep the file at a tenth of its size and suffice for an ablation.
        rounded = [[float(f"{x:.5g}") for x in head] for head in (total / n).tolist()]
        means.setdefault(site, []).append(rounded)
    return {**means, "sentences": n_sentences, "positions": positions}


class InterveneMeasurement(Measurement):
    """Interventions of a checkpoint, see the module's docstring."""

    name = "intervene"
    file_kind = INTERVENTIONS
    on_a_line = (LISTS,)
    load = staticmethod(load_checkpoint)

    def frame(self) -> dict[str, Any]:
        self.measured = measured_sets(self.of.card.languages)
        self.sets = self.measured.read(self.data)
        names = list(self.sets)
        return {
            **self.provenance(),
            "settings": {
                "decoding": {"beam_size": DECODING.beam_size},
                "limit": self.limit,
                "head_means": {"sets": names, "pairs_per_set": MEANS_PER_SET},
                "pronoun": {"pairs": HELD_OUT_PAIRS, "seed": HELD_OUT_SEED, "control": CONTROL},
                "explain": {"sets": names, "sentences_per_set": EXPLAIN_PER_SET},
            },
            "head_means": {},
            "pronoun": {"plain": {}, "heads": {}, "forced": [], "searched": []},
            "explain": {},
        }

    def parts(self) -> Iterator[ResultPart]:
        model = self.of.model
        tokenizer = self.of.tokenizer
        yield ResultPart(("head_means",), self._head_means)
        if self.measured.pronouns:
            heads = followed_heads(self.of.card)
            entries = {name: at and {"layer": at[0], "head": at[1]} for name, at in heads.items()}
            yield ResultPart(("pronoun", "heads"), lambda: entries)
            yield ResultPart(("pronoun", "plain"), lambda: self._followed[1])
            # Lambdas: the outputs that both parts follow are searched once, and only if a part is
            # missing.
            yield ResultPart(
                ("pronoun", "forced"), lambda: rows_of(force(model, self._followed[0], heads))
            )
            yield ResultPart(
                ("pronoun", "searched"),
                lambda: rows_of(search_anew(model, tokenizer, self._followed[0], heads)),
            )
        yield ResultPart(("explain",), self._explain)

    def _chosen(self, per_set: int, label: str) -> Iterable[TextPair]:
        chosen = (spread_out(pairs, per_set)[: self.limit] for pairs in self.sets.values())
        return tqdm([pair for pairs in chosen for pair in pairs], desc=label, unit="sentence")

    def _head_means(self) -> dict[str, Any]:
        encode = self.of.tokenizer.encode
        chosen = self._chosen(MEANS_PER_SET, "head means")
        return head_means(
            self.of.model, ((encode(p.source).ids, encode(p.target).ids) for p in chosen)
        )

    @cached_property
    def _followed(self) -> tuple[list[FollowedPronoun], dict[str, Any]]:
        """Sentences whose pronoun can be followed in the plain output, and their counts."""
        pairs = generate_held_out(self.limit or HELD_OUT_PAIRS, seed=HELD_OUT_SEED)
        return translate_plainly(Translator(self.of), self.of.tokenizer, pairs)

    def _explain(self) -> dict[str, Any]:
        translator = Translator(self.of)

        def outputs() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
            for pair in self._chosen(EXPLAIN_PER_SET, "rank correlations"):
                tree = translator.search(pair.source, DECODING)
                yield translator.tokenize(pair.source).ids, tree.hypothesis(tree.best).ids

        # Counted as `_chosen` does, whose progress bar has no length to ask for.
        counts = {
            name: len(spread_out(pairs, EXPLAIN_PER_SET)[: self.limit])
            for name, pairs in self.sets.items()
        }
        rows = explain_rows(self.of.model, outputs())
        return {"sentences": sum(counts.values()), "sets": counts, "rows": rows}


AGAINST = ("both", "cross", "gradient")
METHODS = ("spearman", "kendall")


def correlations(
    model: Transformer, src_ids: tuple[int, ...], tgt_ids: tuple[int, ...], seed: int
) -> dict[tuple[str, str], dict[str, np.ndarray]]:
    """Return for each of `AGAINST` and `METHODS` the correlations of one pair, averaged over rows.

    `heads` (L, H) and `layers` (L,); the others are single numbers; NaN if no row has a value.
    """
    weights, log_probs = read_pair(model, src_ids, tgt_ids)  # (L, H, T_tgt, T_src)
    gradient = gradient_times_input(model, src_ids, tgt_ids)
    measures = {"gradient": gradient}
    for where in ("both", "cross"):
        hidden = leave_one_out(model, src_ids, tgt_ids, hidden_from=where)
        measures[where] = log_probs[:, None] - hidden
    rng = np.random.default_rng(seed)
    rows = {
        "heads": weights,
        "layers": weights.mean(axis=1),
        "average": weights.mean(axis=(0, 1)),
        "permuted_heads": rng.permuted(weights, axis=-1),
        "permuted_average": rng.permuted(weights.mean(axis=(0, 1)), axis=-1),
        "gradient": gradient,
    }
    result: dict[tuple[str, str], dict[str, np.ndarray]] = {}
    for against in AGAINST:
        for method in METHODS:
            entry = {
                name: mean_correlations(rank_correlation(row, measures[against], method))
                for name, row in rows.items()
                # Gradients against gradients would be 1.
                if name != against
            }
            # One number: a permuted head has no identity left.
            entry["permuted_heads"] = np.nanmean(entry["permuted_heads"])
            result[against, method] = entry
    return result


def explain_rows(
    model: Transformer, pairs: Iterable[tuple[tuple[int, ...], tuple[int, ...]]]
) -> list[dict[str, Any]]:
    """Return correlations of many pairs of source and target ids: mean, std and n of each."""
    # The index seeds the permutations, so that a sentence gets the same ones in every run.
    by_pair = [correlations(model, src, tgt, seed) for seed, (src, tgt) in enumerate(pairs)]
    rows = []
    for against in AGAINST:
        for method in METHODS:
            entries = [pair[against, method] for pair in by_pair]
            row: dict[str, Any] = {"against": against, "method": method}
            row |= {name: _spread([entry[name] for entry in entries]) for name in entries[0]}
            rows.append({"gradient": None} | row)
    return rows


def _spread(values: Sequence[np.ndarray]) -> dict[str, Any]:
    """Return mean, standard deviation and number over the sentences that have a value."""
    stacked = np.moveaxis(np.array(values, dtype=np.float64), 0, -1)  # (..., sentences)
    mean = mean_correlations(stacked)
    std = np.sqrt(mean_correlations((stacked - mean[..., None]) ** 2))
    n = (~np.isnan(stacked)).sum(-1)
    return {"mean": numbers(mean), "std": numbers(std), "n": n.tolist()}
