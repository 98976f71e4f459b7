"""Attention that falls off around a predicted position (Luong et al. 2015, section 3.2)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from model.attention import AttentionProbe
from model.family import Family
from records import AttentionSite

from .recurrent import TWO_VOCABULARIES, RecurrentConfig, RecurrentPair

WINDOW = 2
SITE = AttentionSite("cross", "target", "source", normalised=False, window=WINDOW)


class LocalPair(RecurrentPair):
    sites = (SITE,)

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__(config)
        self.query = nn.Linear(config.d_model, config.d_model, bias=False)
        self.centre = nn.Linear(config.d_model, 1, bias=False)
        self.probe = AttentionProbe(SITE, one_call="step")

    def look(self, hidden: Tensor, annotations: Tensor) -> Tensor:
        length = annotations.shape[1]
        scores = self.query(hidden)[:, None] @ annotations.transpose(1, 2)  # (B, 1, T_src)
        away = torch.arange(length) - length * self.centre(hidden).sigmoid()  # (B, T_src)
        near = away.abs() <= WINDOW
        # A Gaussian over the softmax: rows sum to less than one.
        weights = scores.masked_fill(~near[:, None], -torch.inf).softmax(dim=-1)
        weights = weights * (-2 * (away / WINDOW) ** 2).exp()[:, None]
        weights = self.probe(weights[:, None], scores[:, None], near[:, None, None])[:, 0]
        return (weights @ annotations)[:, 0]


FAMILY = Family(
    name="toy-local",
    config=RecurrentConfig,
    build=LocalPair,
    capabilities=frozenset({"search", "teacher-forcing", "scores"}),
    vocabularies=TWO_VOCABULARIES,
)
EXAMPLE = "The dog runs through the snow."


def config(vocab_size: int) -> RecurrentConfig:
    return RecurrentConfig(vocab_size, vocab_size)
