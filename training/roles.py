"""What every attention head does, held against controls, and what switching it off costs.

Stored as ``roles.json`` beside the weights. Layers and heads count from 0, and every number has a
95 % interval (bootstrap over sentences).

``sites``
    By site and candidate role (`core.roles.row_values`) its mean over ``n`` rows of validation
    sentences, teacher-forced with their references, and the ``controls`` that it has to beat
    (`core.roles.control_values`). ``offset`` is what a head at the best fixed offset would give;
    ``other``, of ``noun``, the weight on the noun that is not meant. ``noun`` is of held-out pairs
    of sentences, the pieces of "it" in the encoder and the row that writes the pronoun in
    cross-attention. ``aligns`` is of words whose translation is known, from the rows that write it,
    ``aligns-read`` from the rows that have just read it: of the same pairs, or of nouns with one
    meaning (`training.word_list`). ``links`` counts the sentences of either.
``off``
    By ablation the mean change of log p a token without the head, over ``off_sentences``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from core.attention import AttentionMap
from core.bootstrap import ratios
from core.changes import AblatedHead
from core.intervention import Intervention
from core.measurements import ROLES, HeadRoles
from core.roles import (
    candidates_of,
    control_values,
    end_offsets,
    offset_hits,
    roles_of,
    row_values,
)
from model import MaskedReader, ModelError, Translator
from model.checkpoint import LoadedCheckpoint, load_checkpoint
from model.experiments.knockout import heads_of
from model.intervene import intervening
from model.read import read_ids, tensor_of, token_log_probs
from model.transformer import Transformer
from words import Message

from .coreference import CoreferencePair, generate_held_out
from .corpus import CorpusError, Pair, own_sets, read_pairs, spread_out
from .evaluate import HELD_OUT_PAIRS, HELD_OUT_SEED, measured_sets
from .intervene import head_means
from .measuring import Measurement, Part
from .pointing import linked, word_links
from .rendered import rendered
from .storing import LISTS, numbers
from .word_list import noun_links, word_list

SENTENCES, OFF_SENTENCES = 400, 200
MOST_TOKENS = 60  # of either side; longer pairs are left out


class _Sums:
    """Of every text the sum of a number of each head over its rows, and how many these are."""

    def __init__(self) -> None:
        self.measured: list[np.ndarray] = []  # (L, H)
        self.controls: dict[str, list[np.ndarray]] = defaultdict(list)  # the same
        self.hits: list[np.ndarray] = []  # by offset
        self.counts: list[int] = []

    def add(
        self, values: np.ndarray, controls: Mapping[str, np.ndarray], hits: np.ndarray | None
    ) -> None:
        """Rows (L, H, R) of one text."""
        if not values.shape[-1]:
            return
        self.measured.append(values.sum(axis=-1))
        self.counts.append(values.shape[-1])
        for name, each in controls.items():
            self.controls[name].append(each.sum(axis=-1))
        if hits is not None:
            self.hits.append(hits)

    def told(self) -> dict[str, Any]:
        controls = {name: np.array(each) for name, each in self.controls.items()}
        if self.hits:
            at = np.array(self.hits)[:, np.sum(self.hits, axis=0).argmax()]
            controls["offset"] = at[:, None, None] * np.ones_like(self.measured[0])
        counts = np.array(self.counts)
        return {
            "n": int(counts.sum()),
            "measured": bounds(np.array(self.measured), counts),
            "controls": {name: bounds(each, counts) for name, each in controls.items()},
        }


def bounds(sums: np.ndarray, counts: np.ndarray) -> dict[str, Any]:
    """Means of every head with their intervals, from sums (n, L, H) over `counts` (n,)."""
    return dict(zip(("value", "low", "high"), numbers(ratios(sums, counts)), strict=True))


class Roles(Measurement):
    name = "roles"
    kind = ROLES
    on_a_line = (LISTS,)

    @staticmethod
    def load(name: str) -> LoadedCheckpoint:
        """Raises ModelError where the checkpoint reads no sentences or has no attention."""
        loaded = load_checkpoint(name)
        if not {"teacher-forcing", "masked-words"} & loaded.family.capabilities:
            names = {"name": loaded.card.name, "architecture": loaded.family.name}
            raise ModelError(
                Message.of("model-lacks", capability="teacher-forcing", **names),
                hint=Message("model-lacks-hint"),
            )
        return loaded

    def frame(self) -> dict[str, Any]:
        return {
            **self.made(),
            "sets": {name: len(pairs) for name, pairs in self._sets.items()},
            "sentences": len(self._sentences),
            "links": len(self._links),
            "off_sentences": len(spread_out(self._sentences, OFF_SENTENCES)) * self._ablates,
        }

    def parts(self) -> Iterator[Part]:
        yield Part(("sites",), self._sites)
        means = isinstance(self.of.model, Transformer)  # `head_means` are of its heads alone
        for how in ("zero", "mean")[: self._ablates * (1 + means)]:
            yield Part(("off", how), partial(self._off, how))

    @property
    def _masked(self) -> bool:
        return "masked-words" in self.of.family.capabilities

    @property
    def _ablates(self) -> bool:
        return "change-ablate" in self.of.family.capabilities

    @cached_property
    def _reader(self) -> Any:
        return MaskedReader(self.of) if self._masked else Translator(self.of)

    def _read(self, pair: Pair | CoreferencePair) -> Any:
        if self._masked:
            return self._reader.read(pair.source).attention
        return self._reader.attend(pair.source, pair.target)

    @cached_property
    def _files(self) -> list[Path]:
        untagged = {"sets": [e for e in self.sources.get("sets", ()) if not e.get("tag")]}
        files = [f"{folder}/val.tsv.gz" for folder in own_sets(untagged)]
        files = files or [*measured_sets(self.of.card.languages).files.values()]
        return [self.data / file for file in files]

    @cached_property
    def _every(self) -> dict[str, list[Pair]]:
        """The pairs of every set that are not too long."""
        encode = self.of.tokenizer.encode
        return {
            file.parent.name: [
                pair
                for pair in read_pairs(file)
                if max(len(encode(text)) for text in (pair.source, pair.target)) <= MOST_TOKENS
            ]
            for file in self._files
        }

    @cached_property
    def _sets(self) -> dict[str, list[Pair]]:
        per_set = SENTENCES // max(1, len(self._every))
        return {
            name: spread_out(pairs, per_set)[: self.limit] for name, pairs in self._every.items()
        }

    @cached_property
    def _sentences(self) -> list[Pair]:
        found = [pair for pairs in self._sets.values() for pair in pairs]
        if not found:
            raise CorpusError(f"{self.data} holds no sentences of {', '.join(self._sets)}")
        return found

    @cached_property
    def _pairs(self) -> list[CoreferencePair]:
        """Held-out sentences with "it", of models from English to German, or that write nothing."""
        if tuple(self.of.card.languages) not in (("en", "de"), ("en", "en")):
            return []
        n_pairs = HELD_OUT_PAIRS // 2 if self.limit is None else self.limit
        return generate_held_out(n_pairs, seed=HELD_OUT_SEED)

    @cached_property
    def _links(self) -> Sequence[CoreferencePair | Pair]:
        """Sentences of which it is known what refers to what, or which words belong together."""
        words = word_list(self.of.card.languages)
        if self._pairs or words is None:
            return self._pairs
        every = [pair for pairs in self._every.values() for pair in pairs]
        return spread_out([p for p in every if noun_links(p, words)], SENTENCES)[: self.limit]

    def _sites(self) -> dict[str, Any]:
        found: dict[str, dict[str, _Sums]] = defaultdict(lambda: defaultdict(_Sums))
        for seed, pair in enumerate(tqdm(self._sentences, desc="roles", unit="sentence")):
            for each in self._read(pair).maps:
                for role in candidates_of(each):
                    hits = end_offsets(each) if role == "end" else None
                    values, controls = row_values(each, role), control_values(each, role, seed)
                    found[each.kind][role].add(values, controls, hits)
        for pair in tqdm(self._links, desc="links", unit="sentence"):
            self._add_links(found, pair)
        return {
            kind: {role: sums.told() for role, sums in roles.items()}
            for kind, roles in found.items()
        }

    def _add_links(self, found: Any, pair: Any) -> None:
        record = self._read(pair)
        if isinstance(pair, CoreferencePair):
            it = record.src.pieces_at(*pair.pronoun)
            noun, other = (record.src.pieces_at(*s) for s in (pair.antecedent, pair.distractor))
            rows = {"encoder": it}
            if record.tgt is not None:
                rows["cross"] = record.tgt.pieces_at(*pair.target_pronoun)[:1]
            for kind in rows.keys() & set(record.kinds):
                _add(found[kind]["noun"], record.of(kind), "noun", [(rows[kind], noun)], other)
        if "cross" not in record.kinds:
            return
        words = word_list(self.of.card.languages)
        links = word_links(pair) if isinstance(pair, CoreferencePair) else noun_links(pair, words)
        known = linked(pair.source, pair.target, links, self.of.tokenizer)
        written = [
            (rows, [piece for word in right for piece in known.words[word]])
            for rows, right in known.links
        ]
        n_rows = len(record.tgt)
        read = [([row + 1 for row in rows if row + 1 < n_rows], at) for rows, at in written]
        for role, each in (("aligns", written), ("aligns-read", read)):
            _add(found["cross"][role], record.cross, role, [link for link in each if all(link)])

    def _off(self, how: str) -> dict[str, Any]:
        """By site the mean change of log p a token without each head."""
        model, encode = self.of.model, self.of.tokenizer.encode
        chosen = spread_out(self._sentences, OFF_SENTENCES)
        ids = [(encode(pair.source).ids, encode(pair.target).ids) for pair in chosen]
        means = None
        if how == "mean":
            told = head_means(model, ids)
            means = {site.name: torch.tensor(told[site.name]) for site in model.sites}
        heads = heads_of(model.sites)
        offs = [Intervention(), *(Intervention(AblatedHead(*at, how)) for at in heads)]
        sums = []
        for pair in tqdm(ids, desc=f"head ablation, {how}", unit="sentence"):
            log_probs = _log_probs(model, *pair, offs, means)
            sums.append(log_probs[1:] - log_probs[0])
        counts = np.array([len(tgt) for _, tgt in ids])
        of_site = {
            site.name: [at for at, place in enumerate(heads) if place[0] == site.name]
            for site in model.sites
        }
        return {
            site.name: bounds(
                np.array(sums)[:, of_site[site.name]].reshape(-1, site.n_layers, site.n_heads),
                counts,
            )
            for site in model.sites
        }

    @classmethod
    def report(cls, result: Mapping[str, Any]) -> str:
        """A line a head."""
        measured = HeadRoles.from_values(result)
        found = {kind: roles_of(measured, kind) for kind in measured.sites}
        return rendered(f"{cls.name}.txt.j2", between="\n", result=result, found=found)


def _add(
    sums: _Sums,
    attention: AttentionMap,
    role: str,
    links: Sequence[tuple[Sequence[int], Sequence[int]]],
    other: Sequence[int] = (),
) -> None:
    """The links of one text, each from rows to columns, and from the rows to the `other` word."""
    if not links:
        return
    values = np.concatenate([row_values(attention, role, *link) for link in links], axis=-1)
    controls = {}
    if other:
        controls["other"] = row_values(attention, role, links[0][0], other)
    sums.add(values, controls, np.sum([offset_hits(*link) for link in links], axis=0))


@torch.inference_mode()
def _log_probs(
    model: Any,
    src: Sequence[int],
    tgt: Sequence[int],
    offs: Sequence[Intervention],
    means: Mapping[str, torch.Tensor] | None,
) -> np.ndarray:
    """log P of a target under each of `offs`."""
    source, read = tensor_of(model, src), tensor_of(model, read_ids(model.config, tgt))
    with intervening(model, offs, n_src=len(src), n_tgt=len(tgt), means=means) as changed:
        n = len(offs)
        logits = changed(source.expand(n, -1), read.expand(n, -1))
        return token_log_probs(logits, tgt).double().sum(dim=-1).numpy()
