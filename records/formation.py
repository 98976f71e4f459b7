"""Heads forming: what a model looked at, and what it expected, at steps of its training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .attention import AttentionMap, AttentionSite


@dataclass(frozen=True, eq=False)
class Observation:
    """One sentence, teacher-forced at one step of a training."""

    weights: Mapping[str, np.ndarray]  # by site the float32 weights (L, H, T_q, T_k)
    log_probs: np.ndarray  # (T_tgt,), log p of each token of the target, in nats
    likeliest: np.ndarray  # (T_tgt,), the id that was likeliest in its place
    # (T_tgt,), by how much the source raises log p while every head that looks at another side is
    # made to look everywhere alike: against the same with another sentence's source. What is known
    # word by word, attention left out (Snell et al. 2021). None where there was no other source, or
    # nothing that looks at another side
    word_gain: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class FormedSentence:
    """One sentence over all recorded steps; S is their number."""

    source_tokens: tuple[str, ...]  # source_tokens, target_tokens: the pieces, ``</s>`` included
    target_tokens: tuple[str, ...]
    weights: Mapping[str, np.ndarray]  # by site float (S, L, H, T_q, T_k)
    log_probs: np.ndarray  # (S, T_tgt), log p of each token of the target, in nats
    # for each step the likeliest piece in each place; None where that was not recorded
    likeliest: tuple[tuple[str, ...], ...] | None = None
    # (S, T_tgt), as in `Observation`; None where that was not recorded
    word_gain: np.ndarray | None = None
    # (T_src,), how often each piece of the source stands in a source of the training, on average;
    # None where that was not recorded
    frequency: np.ndarray | None = None
    # for each place of the target the place of the source that holds the answer; -1 where there is
    # none, None where nothing is known
    alignment: tuple[int, ...] | None = None

    def tokens_of(self, side: str, start: str) -> tuple[str, ...]:
        """The names of a side's positions: of the target what is read, from `start` on."""
        return (start, *self.target_tokens[:-1]) if side == "target" else self.source_tokens


@dataclass(frozen=True, eq=False)
class Formation:
    """What was recorded of a training."""

    steps: np.ndarray  # (S,), the steps at which something was recorded, rising
    sites: tuple[AttentionSite, ...]  # where the model attends, as far as that was recorded
    sentences: tuple[FormedSentence, ...]
    start: str = "<s>"  # the piece that begins every target

    def maps(self, sentence: int, step: int) -> tuple[AttentionMap, ...]:
        """What every head saw of a sentence at the step of that place in `steps`."""
        found = self.sentences[sentence]
        return tuple(self._map(found, site, step) for site in self.sites)

    def _map(self, found: FormedSentence, site: AttentionSite, step: int) -> AttentionMap:
        queries, keys = (found.tokens_of(side, self.start) for side in (site.query, site.key))
        n = len(queries)
        return AttentionMap(
            site=site,
            weights=found.weights[site.name][step].astype(np.float32),
            query_tokens=queries,
            key_tokens=keys,
            output_tokens=found.target_tokens if site.query == "target" else None,
            mask=np.tri(n, dtype=bool) if site.causal else None,
        )


@dataclass(frozen=True)
class Metrics:
    """What a run wrote down on its way."""

    lines: tuple[Mapping[str, float], ...]  # for each line its numbers by name, "step" among them
    n_unread: int = 0  # lines that could not be read, such as one that was cut short

    def of(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """The steps at which a number was noted, and the number there."""
        pairs = [(line["step"], line[name]) for line in self.lines if name in line]
        steps, values = zip(*pairs, strict=True) if pairs else ((), ())
        return np.array(steps, dtype=int), np.array(values, dtype=float)

    @property
    def names(self) -> tuple[str, ...]:
        """Every number that was noted at some step."""
        return tuple(dict.fromkeys(name for line in self.lines for name in line if name != "step"))
