"""Models for tests of searches, and scores of every sequence of a tiny vocabulary."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace

import torch

SRC = torch.tensor([[5, 4, 3]])
BOS, EOS = 2, 3
PENALTY = {
    "none": lambda n, alpha: 1.0,
    "length": lambda n, alpha: n**alpha,
    "wu": lambda n, alpha: ((5 + n) / 6) ** alpha,
}


@dataclass(frozen=True)
class TableModel:
    """The least a search needs: log-probabilities drawn, or looked up, for each prefix.

    A prefix that is not in the table is sure to end. `late` makes the end unlikely at first and
    likely later.
    """

    vocab_size: int = 6
    seed: int = 0
    table: dict | None = None
    late: bool = False
    config = SimpleNamespace(bos_id=BOS, eos_id=EOS, max_len=64)

    def log_probs(self, prefix):
        if self.table is not None:
            probabilities = dict.fromkeys(range(self.vocab_size), 1e-9)
            probabilities |= self.table.get(prefix[1:], {EOS: 1.0})
            return torch.tensor([math.log(probabilities[i]) for i in range(self.vocab_size)])
        seed = hash((self.seed, *prefix)) % 2**32
        logits = 1.5 * torch.randn(self.vocab_size, generator=torch.Generator().manual_seed(seed))
        if self.late:
            logits[EOS] += 2 * len(prefix) - 5
        return logits.log_softmax(dim=-1)

    def start(self, src):
        return ((),)

    def step(self, state, prev):
        state = tuple((*p, t) for p, t in zip(state, prev.tolist(), strict=True))
        return torch.stack([self.log_probs(prefix) for prefix in state]), state

    def select(self, state, rows):
        return tuple(state[row] for row in rows.tolist())


def teacher_forced(model: torch.nn.Module, ids) -> list[float]:
    """Log-probability of each token of `ids`, without caches."""
    with torch.inference_mode():
        log_probs = model(SRC, torch.tensor([[BOS, *ids[:-1]]]))[0].log_softmax(dim=-1)
    return [float(log_probs[t, token]) for t, token in enumerate(ids)]


def total(model: TableModel, ids) -> float:
    """Log-probability of `ids` by the table, one prefix after another."""
    return sum(float(model.log_probs((BOS, *ids[:t]))[token]) for t, token in enumerate(ids))


def every_sequence(vocab_size: int, max_len: int) -> Iterator[tuple[int, ...]]:
    """Everything that ends in `</s>` within `max_len` tokens."""
    words = [token for token in range(vocab_size) if token != EOS]
    for length in range(max_len):
        for prefix in itertools.product(words, repeat=length):
            yield (*prefix, EOS)


def best_of(scored, penalty="none", alpha=0.0, begin=(), min_len=0):
    """The best of sequences with their log-probabilities under a penalty, and its score."""
    scores = {
        ids: log_prob / PENALTY[penalty](len(ids), alpha)
        for ids, log_prob in scored.items()
        if ids[: len(begin)] == begin and len(ids) >= min_len
    }
    return max(scores.items(), key=lambda item: item[1])
