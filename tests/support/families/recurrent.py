"""Two recurrent networks joined by their hidden state alone (Cho et al. 2014): no attention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from model.families.base import Family
from words import Message

State = tuple[Tensor, Tensor]  # annotations (1 or B, T_src, d_model), hidden (B, d_model)


@dataclass(frozen=True)
class RecurrentConfig:
    src_vocab_size: int
    tgt_vocab_size: int
    d_model: int = 8
    cell: Literal["gru", "tanh"] = "gru"
    reverse_source: bool = False
    max_len: int = 40
    pad_id: int = 0
    unk_id: int = 1
    bos_id: int = 2
    eos_id: int = 3

    def faults(self) -> list[Message]:
        told = Message.of("model-config-least", entry="d_model", value=str(self.d_model), least=1)
        return [told] if self.d_model < 1 else []


class Decoder(nn.Module):
    """Reads a step at a time what it wrote and what it sees; heirs `read` and may `look`."""

    sites = ()

    def __init__(self, config, vocab_size: int, cell: str = "gru") -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(vocab_size, config.d_model)
        cells = {"gru": nn.GRUCell, "tanh": nn.RNNCell}
        self.cell = cells[cell](2 * config.d_model, config.d_model)
        self.output = nn.Linear(config.d_model, vocab_size)

    def look(self, hidden: Tensor, annotations: Tensor) -> Tensor:
        """What the decoder knows of the source: (B, d_model)."""
        return annotations[:, -1]

    def advance(self, state: State, prev: Tensor) -> tuple[Tensor, State]:
        annotations, hidden = state
        context = self.look(hidden, annotations.expand(len(prev), -1, -1))
        hidden = self.cell(torch.cat((self.embedding(prev), context), dim=-1), hidden)
        return self.output(hidden), (annotations, hidden)

    def start(self, src: Tensor) -> State:
        return self.read(src)

    def step(self, state: State, prev: Tensor) -> tuple[Tensor, State]:
        logits, state = self.advance(state, prev)
        return logits.log_softmax(dim=-1), state

    def select(self, state: State, rows: Tensor) -> State:
        return state[0], state[1][rows]

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        state, logits = self.read(src), []
        for prev in tgt.unbind(dim=1):
            step, state = self.advance(state, prev)
            logits.append(step)
        return torch.stack(logits, dim=1)


class RecurrentPair(Decoder):
    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__(config, config.tgt_vocab_size, config.cell)
        self.source_embedding = nn.Embedding(config.src_vocab_size, config.d_model)
        self.encoder = nn.GRU(config.d_model, config.d_model, batch_first=True)

    def read(self, src: Tensor) -> State:
        src = src.flip(1) if self.config.reverse_source else src
        annotations, last = self.encoder(self.source_embedding(src))
        return annotations, last[0]


TWO_VOCABULARIES = {"source": "src_vocab_size", "target": "tgt_vocab_size"}
FAMILY = Family(
    name="toy-recurrent",
    config=RecurrentConfig,
    build=RecurrentPair,
    capabilities=frozenset({"search", "teacher-forcing"}),
    vocabularies=TWO_VOCABULARIES,
    training="teacher-forcing",
)
EXAMPLE = "The dog runs."


def config(vocab_size: int) -> RecurrentConfig:
    return RecurrentConfig(vocab_size, vocab_size, cell="tanh", reverse_source=True)
