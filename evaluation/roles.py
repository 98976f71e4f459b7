"""Measure the role of every attention head, against controls, and the cost of ablating it.

Stored as ``roles.json`` beside the weights. Layers and heads count from 0, and every number has a
95 % interval (bootstrap over sentences).

``sites``
    By site and candidate role (`core.roles.row_values`): its mean over ``n`` rows of validation
    sentences, teacher-forced with their references, and the ``controls`` that it has to beat
    (`core.roles.control_values`). ``offset`` is the value of a head at the best fixed offset;
    ``other``, for ``noun``, the weight on the noun that is not meant. ``noun`` is measured on
    held-out pairs: from the pieces of "it" in the encoder, and from the row that writes the pronoun
    in cross-attention. ``aligns`` is measured on words with a known translation, from the rows that
    write it, ``aligns-read`` from the rows that have just read it: on the same pairs, or on nouns
    with one meaning (`evaluation.word_list`). ``links`` counts the sentences of either.
``off``
    By ablation the mean change of log p per token without the head, over ``off_sentences``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from core.bootstrap import ratios
from core.interventions.intervention import Intervention
from core.interventions.kinds import AblatedHead
from core.measurements import ROLES
from core.records.attention import AttentionMap, AttentionRecord
from core.roles import (
    HeadRoles,
    candidates_of,
    control_values,
    end_offsets,
    offset_hits,
    roles_of,
    row_values,
)
from core.weights.measures import pair_weights
from model import MaskedReader, load_model
from model.experiments.ablation import heads_of
from model.families.transformer import Transformer
from model.readers.reader import Reader
from training.corpora.coreference import generate_held_out
from training.corpora.pairs import spread_out
from training.corpora.text_pairs import CoreferencePair, CorpusError, TextPair
from training.corpora.word_list import word_list
from training.files import LISTS, numbers

from .ablation_steps import log_probs_under
from .antecedent_heads import noun_weights, pronoun_rows
from .attention_links import WordLink, linked, word_links
from .everyday import noun_links
from .interventions import head_means
from .measured_sets import HELD_OUT_PAIRS, HELD_OUT_SEED, measured_sets, validation_of
from .measurement import Measurement, ResultPart
from .templating import rendered

SENTENCES = 400
OFF_SENTENCES = 200
MOST_TOKENS = 60  # of either side; longer pairs are left out


class _Sums:
    """Sums of a number of each head over the rows of each text, and the numbers of rows."""

    def __init__(self) -> None:
        self.counts: list[int] = []
        self.sums: dict[str, list[np.ndarray]] = defaultdict(list)  # (L, H), of the controls, too
        self.hits: list[np.ndarray] = []  # by offset

    def add(
        self,
        values: np.ndarray,
        hits: np.ndarray | None = None,
        controls: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        """Add the rows (L, H, R) of one text, and those of controls by their names."""
        # A mean over no rows would be NaN and spoil all others.
        if not values.shape[-1]:
            return
        self.counts.append(values.shape[-1])
        for name, rows in {"measured": values, **(controls or {})}.items():
            self.sums[name].append(rows.sum(axis=-1))
        if hits is not None:
            self.hits.append(hits)

    def add_links(
        self,
        attention: AttentionMap,
        links: Sequence[Any],
        controls: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        """Add the links of one text, each from rows to columns."""
        if links:
            values = np.stack([pair_weights(attention, *link) for link in links], axis=-1)
            hits = np.sum([offset_hits(*link) / len(link[0]) for link in links], axis=0)
            self.add(values.astype(np.float64), hits, controls)

    def values(self) -> dict[str, Any]:
        sums = {name: np.array(by_text) for name, by_text in self.sums.items()}
        if self.hits:
            # The best offset is chosen on the same sentences: a control in its own favour.
            at = np.array(self.hits)[:, np.sum(self.hits, axis=0).argmax()]
            sums["offset"] = np.broadcast_to(at[:, None, None], sums["measured"].shape)
        counts = np.array(self.counts)
        controls = {name: bounds(by_text, counts) for name, by_text in sums.items()}
        measured = controls.pop("measured")
        return {"n": sum(self.counts), "measured": measured, "controls": controls}


def bounds(sums: np.ndarray, counts: np.ndarray) -> dict[str, Any]:
    """Return means of all heads with their intervals, from sums (n, L, H) over `counts` (n,)."""
    return dict(zip(("value", "low", "high"), numbers(ratios(sums, counts)), strict=True))


class RolesMeasurement(Measurement):
    name = "roles"
    file_kind = ROLES
    on_a_line = (LISTS,)

    @staticmethod
    def load(name: str) -> Reader:
        """Load a reader of sentences.

        Raises ModelError if the checkpoint reads no sentences or has no attention.
        """
        reader = load_model(name)
        if not isinstance(reader, MaskedReader):
            reader.need("teacher-forcing")
        return reader

    def frame(self) -> dict[str, Any]:
        return {
            **self.provenance(),
            "sets": {name: len(pairs) for name, pairs in self._sets.items()},
            "sentences": len(self._sentences),
            "links": len(self._links),
            "off_sentences": len(spread_out(self._sentences, OFF_SENTENCES)) * self._ablates,
        }

    def parts(self) -> Iterator[ResultPart]:
        yield ResultPart(("sites",), self._sites)
        means = isinstance(self.of.model, Transformer)  # `head_means` hooks its heads alone
        # No ablation, zeros alone, or both: the slice is empty where nothing can be ablated.
        for ablation in ("zero", "mean")[: self._ablates * (1 + means)]:
            yield ResultPart(("off", ablation), partial(self._off, ablation))

    @property
    def _ablates(self) -> bool:
        """True if heads of this model can be ablated."""
        return "change-ablate" in self.of.capabilities

    def _read(self, pair: TextPair | CoreferencePair) -> AttentionRecord:
        if isinstance(self.of, MaskedReader):
            return self.of.read(pair.source).attention
        return self.of.attend(pair.source, pair.target)

    def _ids(self, pair: TextPair) -> tuple[Sequence[int], Sequence[int]]:
        tokenizers = self.of.tokenizers
        encode = (tokenizers.get("target") or tokenizers["source"]).encode
        return encode(pair.source).ids, encode(pair.target).ids

    @cached_property
    def _every(self) -> dict[str, list[TextPair]]:
        """Validation pairs by set, without the longest ones."""
        # Sets of the checkpoint's own training; else those named for its languages.
        sets = validation_of(self.data, {"sets": (), **self.sources}, None)
        sets = sets or measured_sets(self.of.card.languages).read(self.data)
        return {
            name: [pair for pair in pairs if max(map(len, self._ids(pair))) <= MOST_TOKENS]
            for name, pairs in sets.items()
        }

    @cached_property
    def _sets(self) -> dict[str, list[TextPair]]:
        """At most `SENTENCES` pairs, taken evenly from all sets."""
        n = SENTENCES // max(1, len(self._every))
        return {name: spread_out(of, n)[: self.limit] for name, of in self._every.items()}

    @cached_property
    def _sentences(self) -> list[TextPair]:
        sentences = [*chain(*self._sets.values())]
        if not sentences:
            raise CorpusError(f"{self.data} holds no sentences of {', '.join(self._sets)}")
        return sentences

    @cached_property
    def _links(self) -> Sequence[CoreferencePair | TextPair]:
        """Sentences with known links between words.

        Held-out ones with "it" for models from English to German, or of English alone; reversed for
        models from German to English; else validation pairs with nouns of a word list.
        """
        languages = tuple(self.of.card.languages)
        if languages in (("en", "de"), ("en", "en"), ("de", "en")):
            n_pairs = HELD_OUT_PAIRS // 2 if self.limit is None else self.limit
            generated = generate_held_out(n_pairs, seed=HELD_OUT_SEED)
            if languages == ("de", "en"):
                return [TextPair(pair.target, pair.source, pair) for pair in generated]
            return generated
        if (words := word_list(languages)) is None:
            return []
        with_links = [pair for pair in chain(*self._every.values()) if noun_links(pair, words)]
        return spread_out(with_links, SENTENCES)[: self.limit]

    def _sites(self) -> dict[str, Any]:
        sums: dict[str, dict[str, _Sums]] = defaultdict(lambda: defaultdict(_Sums))
        for seed, pair in enumerate(tqdm(self._sentences, desc="roles", unit="sentence")):
            for attention in self._read(pair).maps:
                for role in candidates_of(attention):
                    # Controls are random: seeded by the sentence, the same in every run.
                    hits = end_offsets(attention) if role == "end" else None
                    controls = control_values(attention, role, seed)
                    sums[attention.site_id][role].add(row_values(attention, role), hits, controls)
        for pair in tqdm(self._links, desc="links", unit="sentence"):
            self._add_links(sums, pair)
        return {
            site: {role: of_role.values() for role, of_role in roles.items()}
            for site, roles in sums.items()
        }

    def _add_links(self, sums: Mapping[str, Mapping[str, _Sums]], pair: Any) -> None:
        record = self._read(pair)
        if isinstance(pair, CoreferencePair):
            rows = pronoun_rows(record, pair)
            noun = record.src.pieces_at(*pair.antecedent)
            for site in rows.keys() & set(record.site_ids):
                _, other = noun_weights(record, pair, site)
                sums[site]["noun"].add_links(
                    record.of(site), [(rows[site], noun)], {"other": other[..., None]}
                )
        if "cross" not in record.site_ids:
            return
        pieces = linked(pair.source, pair.target, self._word_links(pair), self.of.tokenizer)
        written = [
            (rows, [piece for word in right for piece in pieces.words[word]])
            for rows, right in pieces.links
        ]
        n_rows = len(record.tgt)
        # One row later the decoder has the word as its input; the last row reads nothing more.
        read = [([row + 1 for row in rows if row + 1 < n_rows], at) for rows, at in written]
        for role, links in (("aligns", written), ("aligns-read", read)):
            sums["cross"][role].add_links(record.cross, [link for link in links if all(link)])

    def _word_links(self, pair: CoreferencePair | TextPair) -> Sequence[WordLink]:
        """Return the links between words of a pair of `_links`."""
        if isinstance(pair, CoreferencePair):
            return word_links(pair)
        if pair.link is not None:
            # Translated from German, the links run the other way.
            return [
                replace(link, source=link.target, target=link.source)
                for link in word_links(pair.link)
            ]
        words = word_list(self.of.card.languages)
        return noun_links(pair, words) if words else ()

    def _off(self, ablation: str) -> dict[str, Any]:
        """Return by site the mean change of log p per token without each head."""
        model = self.of.model
        sites = self.of.sites
        means = None
        ids = [self._ids(pair) for pair in spread_out(self._sentences, OFF_SENTENCES)]
        if ablation == "mean":
            stored = head_means(model, ids)
            means = {site.name: torch.tensor(stored[site.name]) for site in sites}
        offs = [Intervention(AblatedHead(*at, ablation)) for at in heads_of(sites)]
        changes = []  # one row a sentence, one column a head
        for src, tgt in tqdm(ids, desc=f"head ablation, {ablation}", unit="sentence"):
            log_probs = log_probs_under(model, src, tgt, [Intervention(), *offs], means)
            sums = log_probs.double().sum(dim=-1).numpy()
            changes.append(sums[1:] - sums[0])
        counts = np.array([len(tgt) for _, tgt in ids])
        # Heads of all sites stand in one row: cut it where the sites end.
        ends = np.cumsum([site.n_layers * site.n_heads for site in sites])
        of_sites = np.split(np.array(changes), ends[:-1], axis=1)
        return {
            site.name: bounds(of_site.reshape(-1, site.n_layers, site.n_heads), counts)
            for site, of_site in zip(sites, of_sites, strict=True)
        }

    @classmethod
    def report(cls, result: Mapping[str, Any]) -> str:
        """Return one line for each head."""
        measured = HeadRoles.from_values(result)
        of = {site: roles_of(measured, site) for site in measured.sites}
        return rendered(f"{cls.name}.txt.j2", between="\n", result=result, of=of)
