"""Hierarchical attention: documents judged by sentences, and these by words (Yang et al. 2016).

Two controls belong to it: uniform weights, and an encoder that mixes no words (Wiegreffe and Pinter
2019; the averaging encoder of Jain and Wallace 2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from core.records.architecture import Drawing, Lane
from core.records.attention import AttentionSite
from words import Message

from ..config import size_faults
from ..hooks.value_probes import ValueProbe
from ..nets.attention import AttentionProbe
from ..sources import DOCUMENT
from ..special_tokens import PAD, UNK
from .base import Family, Paper

WORDS = AttentionSite("words", "sentence", "words", has_values=True)
SENTENCES = AttentionSite("sentences", "document", "sentences", has_values=True)


@dataclass(frozen=True)
class HierarchicalConfig:
    """Sizes of a hierarchical attention network."""

    vocab_size: int
    classes: tuple[str, ...] = ("neg", "pos")  # ids of the classes
    d_model: int = 100  # width of a word's embedding
    hidden_size: int = 50  # of each direction of the encoders; their states have twice as many
    attention: Literal["learned", "uniform"] = "learned"  # "uniform": the same weight for all
    mixing: Literal["recurrent", "none"] = "recurrent"  # "none": a layer without neighbours
    dropout: float = 0.0
    max_len: int = 3000  # most tokens of a document
    pad_id: int = 0
    unk_id: int = 1

    def faults(self) -> list[Message]:
        """Return everything that is wrong with these sizes, one sentence each."""
        faults = size_faults(self, ("vocab_size", "d_model", "hidden_size", "max_len"))
        if len(set(self.classes)) < max(2, len(self.classes)):
            faults.append(Message.of("model-config-classes", found=", ".join(self.classes)))
        ids = {"pad_id": self.pad_id, "unk_id": self.unk_id}
        if self.pad_id == self.unk_id or not all(0 <= i < self.vocab_size for i in ids.values()):
            faults.append(Message.of("model-config-special", ids=str(ids)))
        return faults


class Level(nn.Module):
    """Encoder of a row of vectors, and attention over its states (eq. 5 to 10)."""

    def __init__(self, d_in: int, config: HierarchicalConfig, site: AttentionSite) -> None:
        super().__init__()
        d_state = 2 * config.hidden_size
        self.mixing = config.mixing
        self.encoder: nn.Module = (
            nn.GRU(d_in, config.hidden_size, batch_first=True, bidirectional=True)
            if config.mixing == "recurrent"
            else nn.Linear(d_in, d_state)
        )
        # The uniform control has no query vector, and all scores are 0.
        self.learns = config.attention == "learned"
        if self.learns:
            self.project = nn.Linear(d_state, d_state)
            self.question = nn.Parameter(torch.randn(d_state) * d_state**-0.5)
        # A level is called once a map: for the words of each sentence, and for all sentences.
        self.probe = AttentionProbe(site, one_call="item")
        self.context_value = ValueProbe("context")

    def states(self, x: Tensor, lengths: Sequence[int]) -> Tensor:
        """Encode x (N, T, d_in) into annotations h (N, T, 2 * hidden_size).

        States beyond the length of a row are padding and carry no meaning.
        """
        if self.mixing == "none":
            return self.encoder(x).tanh()
        # Packed, so that the backward direction begins at the end of each row.
        packed = pack_padded_sequence(
            x, torch.tensor(list(lengths)), batch_first=True, enforce_sorted=False
        )
        states, _ = pad_packed_sequence(
            self.encoder(packed)[0], batch_first=True, total_length=x.shape[1]
        )
        return states

    def scores(self, states: Tensor) -> Tensor:
        """Return u_it . u_w with u_it = tanh(W h_it + b): (N, T, d_state) -> (N, T)."""
        if not self.learns:
            return states.new_zeros(states.shape[:-1])
        return self.project(states).tanh() @ self.question

    def look(self, states: Tensor) -> Tensor:
        """Attend over the states of one row through the probe: (1, T, d_state) -> (1, d_state)."""
        scores = self.scores(states)[:, None, None]  # (1, 1, 1, T)
        weights = self.probe(scores.softmax(dim=-1), scores, None, states[:, None])
        return self.context_value((weights[:, 0] @ states)[:, 0])

    def summary(self, x: Tensor, lengths: Sequence[int]) -> Tensor:
        """Encode many rows at once, bypassing the probe: (N, T, d_in) -> (N, d_state)."""
        states = self.states(x, lengths)
        positions = torch.arange(x.shape[1], device=x.device)
        # True at words of the row, not at its padding.
        there = positions < torch.tensor(list(lengths), device=x.device)[:, None]
        weights = self.scores(states).masked_fill(~there, -torch.inf).softmax(dim=-1)
        return (weights[:, None] @ states)[:, 0]


class Hierarchical(nn.Module):
    """Classifier of documents: words make sentences and sentences the document, by attention."""

    sites = (WORDS, SENTENCES)

    def __init__(self, config: HierarchicalConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab_size, config.d_model, padding_idx=config.pad_id)
        # Small, so that a few updates outweigh the random start.
        nn.init.normal_(self.embedding.weight, std=0.1)
        self.words = Level(config.d_model, config, WORDS)
        self.sentences = Level(2 * config.hidden_size, config, SENTENCES)
        self.dropout = nn.Dropout(config.dropout)
        self.output = nn.Linear(2 * config.hidden_size, len(config.classes))

    def forward(self, document: tuple[Tensor, ...]) -> Tensor:
        """Classify one document, ids (1, T) of each sentence; return logits (1, classes)."""
        rows = [ids[0] for ids in document]
        lengths = [len(row) for row in rows]
        x = self.embedding(pad_sequence(rows, batch_first=True, padding_value=self.config.pad_id))
        states = self.words.states(x, lengths)
        vectors = [
            self.words.look(row[None, :length]) for row, length in zip(states, lengths, strict=True)
        ]
        return self.judge(torch.stack(vectors, dim=1))

    def judge(self, vectors: Tensor) -> Tensor:
        """Classify one document by its sentence vectors (1, S, d_state); return (1, classes)."""
        states = self.sentences.states(vectors, [vectors.shape[1]])
        return self.output(self.sentences.look(states))

    def sentence_vectors(self, ids: Tensor, lengths: Sequence[int]) -> Tensor:
        """Encode padded ids of any sentences (N, T) into (N, d_state)."""
        return self.words.summary(self.dropout(self.embedding(ids)), lengths)

    def judge_many(self, vectors: Tensor, counts: Sequence[int]) -> Tensor:
        """Classify documents by padded sentence vectors (B, S, d_state); return (B, classes)."""
        document = self.sentences.summary(self.dropout(vectors), counts)
        return self.output(self.dropout(document))


def _mixing(config: HierarchicalConfig) -> tuple[str, ...]:
    """Return the drawing's part for a recurrent encoder, if there is one."""
    return ("recurrence",) if config.mixing == "recurrent" else ()


FAMILY = Family(
    name="hierarchical-attention",
    config=HierarchicalConfig,
    build=Hierarchical,
    capabilities=frozenset({"scores", "documents"}),
    reads=DOCUMENT,
    vocabularies={"source": "vocab_size"},
    special_tokens={"pad_id": PAD, "unk_id": UNK},
    drawing=lambda config: Drawing(
        Lane(("embedding", *_mixing(config), "words", *_mixing(config), "sentences", "classes"))
    ),
    training="judging",
    paper=Paper(
        at=2016.45,
        sources="attention",
        attention="learned query",
        equation=r"\alpha_{it} = \frac{\exp(\mathbf{u}_{it}^\top \mathbf{u}_w)}"
        r"{\sum_t \exp(\mathbf{u}_{it}^\top \mathbf{u}_w)}",
    ),
)
