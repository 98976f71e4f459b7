"""A document judged by its sentences, and those by their words (Yang et al. 2016)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.attention import AttentionSite
from model.attention import AttentionProbe
from model.family import Family
from model.sources import DOCUMENT
from words import Message

WORDS = AttentionSite("words", "sentence", "words")
SENTENCES = AttentionSite("sentences", "document", "sentences")


@dataclass(frozen=True)
class HierarchicalConfig:
    vocab_size: int
    classes: tuple[str, ...] = ("bad", "good")
    d_model: int = 8
    max_len: int = 60
    pad_id: int = 0
    unk_id: int = 1
    eos_id: int = 3

    def faults(self) -> list[Message]:
        return []


class Level(nn.Module):
    """A GRU, and how much each of its states matters to a learned question."""

    def __init__(self, d_model: int, site: AttentionSite) -> None:
        super().__init__()
        self.encoder = nn.GRU(d_model, d_model, batch_first=True)
        self.project = nn.Linear(d_model, d_model)
        self.question = nn.Parameter(torch.randn(d_model))
        # A level is called once a map: the words of one sentence, or all sentences.
        self.probe = AttentionProbe(site, one_call="item")

    def forward(self, x: Tensor) -> Tensor:
        """x (1, T, d_model) -> (1, d_model)."""
        states, _ = self.encoder(x)
        scores = (self.project(states).tanh() @ self.question)[:, None, None]  # (1, 1, 1, T)
        weights = self.probe(scores.softmax(dim=-1), scores, None)
        return (weights[:, 0] @ states)[:, 0]


class Hierarchical(nn.Module):
    sites = (WORDS, SENTENCES)

    def __init__(self, config: HierarchicalConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.words = Level(config.d_model, WORDS)
        self.sentences = Level(config.d_model, SENTENCES)
        self.output = nn.Linear(config.d_model, len(config.classes))

    def forward(self, document: tuple[Tensor, ...]) -> Tensor:
        """Ids (1, T) of each sentence -> logits (1, number of classes)."""
        sentences = torch.stack([self.words(self.embedding(ids)) for ids in document], dim=1)
        return self.output(self.sentences(sentences))


FAMILY = Family(
    name="toy-hierarchical",
    config=HierarchicalConfig,
    build=Hierarchical,
    capabilities=frozenset({"scores"}),
    reads=DOCUMENT,
    vocabularies={"source": "vocab_size"},
    special_tokens={"pad_id": "<pad>", "unk_id": "<unk>", "eos_id": "</s>"},
)
EXAMPLE = "The dog runs. It is tired! Why?"


def config(vocab_size: int) -> HierarchicalConfig:
    return HierarchicalConfig(vocab_size)
