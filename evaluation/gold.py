"""Measure the alignment error rate of every head and map on gold alignments (Och & Ney 2003).

Stored as ``gold.json`` beside the weights: numbers only, since the pairs may not be passed on. A
set is measured whole and, as ``<set>-short``, on its pairs of at most `SHORT` words a side; each
map in both readings of its rows (`core.gold.READINGS`), with a 95 % interval (bootstrap over
pairs).

``weight``, ``length``
    For each head its weights, and the lengths of the vectors that they weigh.
``mean``, ``summed``, ``shares``
    For each layer the mean of its weights, the length of the sum over its heads (Kobayashi et al.
    2020), and the shares of its output (Ferrando et al. 2022).
``all``, ``diagonal``
    The mean of all weights; and a baseline without a map, the word at the same relative position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from core.bootstrap import draws, interval_of
from core.gold import (
    READINGS,
    GoldPair,
    diagonal,
    error_rate,
    linked_words,
    precision,
    recall,
    rows_of,
    tally,
    word_pieces,
    word_weights,
)
from core.gold_sets import gold_pairs, gold_sets
from core.measurements import GOLD
from core.records.attention import AttentionRecord
from model import InputError, Translator, load_translator
from model.experiments.contributions import contributions_of
from training.corpora.text_pairs import CorpusError
from training.files import OBJECTS, number

from .measurement import Measurement, ResultPart
from .templating import rendered

SHORT = 12
MapSite = tuple[str, int | None, int | None]
"""Name of a map, its layer and its head; None for a map of several layers or heads."""


class AlignmentMeasurement(Measurement):
    name = "align"
    file_kind = GOLD
    # One map a line: the second pattern takes a map's object with the error's object inside.
    on_a_line = (OBJECTS, r"\{[^{}]*\{[^{}]*\}[^{}]*\}")
    indent = 1

    @staticmethod
    def load(name: str) -> Translator:
        """Load a translator that looks from target to source.

        Raises CorpusError if the checkpoint has no such attention, or if no set is in its
        languages.
        """
        translator = load_translator(name)
        translator.need("teacher-forcing")
        looks = ("target", "source") in {(site.query, site.key) for site in translator.sites}
        if not (looks and gold_sets(translator.card.languages)):
            raise CorpusError(f"no gold alignments fit {name}, its languages or its attention")
        return translator

    def parts(self) -> Iterator[ResultPart]:
        # Both lengths of a set share one walk through its pairs, which takes most of the time.
        tallied = cache(self._tallied)
        for name in gold_sets(self.of.card.languages):
            for only_short in (False, True):
                of = f"{name}-short" if only_short else name
                yield ResultPart(("sets", of), partial(self._rates, tallied, name, only_short))

    def _tallied(self, name: str) -> list[tuple[bool, dict[tuple[MapSite, str], np.ndarray]]]:
        """Return for each pair if it is short, and its counts for every map and reading.

        Pairs that are longer than the model reads are left out.
        """
        pairs = pairs_in(self.data, name, self.of.card.languages)[: self.limit]
        counts = []
        for pair in tqdm(pairs, desc=name, unit="pair"):
            try:
                record = self.of.attend(pair.source, pair.target)
            except InputError:
                continue
            short = max(len(pair.source_words), len(pair.target_words)) <= SHORT
            counts.append((short, _tallies(pair, record, maps_of(self.of, record))))
        return counts

    def _rates(self, tallied: Any, name: str, only_short: bool) -> dict[str, Any]:
        tallies = [counts for short, counts in tallied(name) if short or not only_short]
        rows = np.array([[*counts.values()] for counts in tallies])  # (pairs, maps, 4)
        sums = rows.sum(axis=0)
        # The same resamples for all maps: their differences are then paired.
        drawn = error_rate(np.tensordot(draws(len(rows)), rows, axes=1))
        maps = []
        for at, ((site, reading), total) in enumerate(zip(tallies[0], sums, strict=True)):
            # Maps of several layers or heads are stored without a layer or a head.
            entry: dict[str, Any] = {
                key: value
                for key, value in zip(("map", "layer", "head"), site, strict=True)
                if value is not None
            }
            error = interval_of(error_rate(total), drawn[:, at]).to_values()
            entry["reading"] = reading
            entry["error"] = {key: number(value) for key, value in error.items()}
            # Precision of a map that links nothing is 0 / 0; JSON has no NaN, so it counts as 0.
            entry["precision"] = number(float(np.nan_to_num(precision(total))))
            entry["recall"] = number(float(np.nan_to_num(recall(total))))
            maps.append(entry)
        return {"pairs": len(tallies), "maps": maps}

    @classmethod
    def report(cls, result: Mapping[str, Any]) -> str:
        """Return for each set its best maps, and the maps that combine several heads."""
        return rendered(f"{cls.name}.txt.j2", between="\n", sets=result["sets"])


def pairs_in(data: Path, name: str, languages: tuple[str, str]) -> Sequence[GoldPair]:
    """Return the pairs of a set in the folder of data.

    Raises CorpusError if they cannot be read.
    """
    try:
        return gold_pairs(data, name, languages)
    except (OSError, ValueError) as error:
        raise CorpusError(f"{data / 'align' / name}: {error}") from error


def maps_of(translator: Translator, record: AttentionRecord) -> dict[MapSite, np.ndarray]:
    """Return every map of cross-attention (T_tgt, T_src) that is compared with gold."""
    site = record.between("target", "source") or ""
    # In float64, since weights are averaged and compared by argmax.
    weights = record.of(site).weights.astype(np.float64)
    maps: dict[MapSite, np.ndarray] = {("all", None, None): weights.mean(axis=(0, 1))}
    of_heads = {"weight": weights}
    of_layers = {"mean": weights.mean(axis=1)}
    # Lengths need value vectors, which not every family lets a probe see.
    if all(site.has_values for site in translator.sites):
        contributions = next(
            of_site for of_site in contributions_of(translator, record) if of_site.site_id == site
        )
        of_heads["length"] = contributions.norms
        of_layers["summed"] = contributions.summed_norms
        # The column behind the source is the residual stream's share, and aligns nothing.
        of_layers["shares"] = contributions.shares[..., : weights.shape[-1]]
    for name, layers in of_layers.items():
        maps |= {(name, layer, None): layers[layer] for layer in range(len(layers))}
    for name, heads in of_heads.items():
        maps |= {(name, *at): heads[at] for at in np.ndindex(*heads.shape[:2])}
    return maps


def _tallies(
    pair: GoldPair, record: AttentionRecord, maps: dict[MapSite, np.ndarray]
) -> dict[tuple[MapSite, str], np.ndarray]:
    """Return the counts of `core.gold.tally` for each map and reading."""
    columns = word_pieces(record.src, pair.source_words)
    words = word_pieces(record.tgt, pair.target_words)
    along = tally(diagonal(len(pair.target_words), len(pair.source_words)), pair)
    tallies: dict[tuple[MapSite, str], np.ndarray] = {}
    for reading in READINGS:
        by_words = word_weights(np.stack([*maps.values()]), rows_of(words, reading), columns)
        # One call for all maps: `tally` counts along the last axis.
        counts: Sequence[np.ndarray] = (*tally(linked_words(by_words), pair), along)
        sites = (*maps, ("diagonal", None, None))
        tallies |= {(site, reading): row for site, row in zip(sites, counts, strict=True)}
    return tallies
