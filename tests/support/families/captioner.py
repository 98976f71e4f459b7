"""A picture told in words (Xu et al. 2015): the decoder looks at cells of a grid."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from core.records.attention import AttentionSite
from model.families.base import Family
from model.nets.attention import AttentionProbe
from model.sources import GRID
from words import Message

from .recurrent import Decoder, State


@dataclass(frozen=True)
class CaptionerConfig:
    vocab_size: int
    grid: tuple[int, ...] = (2, 3)
    d_model: int = 8
    max_len: int = 40
    pad_id: int = 0
    unk_id: int = 1
    bos_id: int = 2
    eos_id: int = 3

    def faults(self) -> list[Message]:
        return []


class Captioner(Decoder):
    def __init__(self, config: CaptionerConfig) -> None:
        super().__init__(config, config.vocab_size)
        rows, columns = config.grid
        site = AttentionSite("glimpse", "target", "source", grid=(rows, columns))
        self.sites = (site,)
        self.places = nn.Embedding(rows * columns, config.d_model)
        self.brightness = nn.Linear(1, config.d_model)
        # Its running mean and variance are buffers, its counter a whole number.
        self.norm = nn.BatchNorm1d(config.d_model)
        self.query = nn.Linear(config.d_model, config.d_model, bias=False)
        self.probe = AttentionProbe(site, one_call="step")

    def read(self, src: Tensor) -> State:
        cells = self.brightness(src) + self.places.weight  # (B, T_src, d_model)
        cells = self.norm(cells.transpose(1, 2)).transpose(1, 2)
        return cells, cells.mean(dim=1)

    def look(self, hidden: Tensor, annotations: Tensor) -> Tensor:
        scores = self.query(hidden)[:, None] @ annotations.transpose(1, 2)
        weights = self.probe(scores.softmax(dim=-1)[:, None], scores[:, None], None)[:, 0]
        return (weights @ annotations)[:, 0]


FAMILY = Family(
    name="toy-captioner",
    config=CaptionerConfig,
    build=Captioner,
    capabilities=frozenset({"search", "teacher-forcing", "scores"}),
    # A vector for each cell, as a network that reads pictures would give: here of one number.
    reads=replace(GRID, tensor=lambda grid: torch.tensor(grid.cells).view(1, -1, 1)),
    vocabularies={"target": "vocab_size"},
)
EXAMPLE = "0 9 0 / 9 9 9"


def config(vocab_size: int) -> CaptionerConfig:
    return CaptionerConfig(vocab_size)


def some_steps(model: Captioner) -> None:
    """What training leaves in the buffers."""
    with torch.no_grad():
        model.train().read(torch.rand(5, 6, 1))
    model.eval()
