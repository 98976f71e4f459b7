"""Protocol between search and models: all that a search may ask of a model."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from torch import Tensor

from core.records.attention import AttentionSite

DecoderState = TypeVar("DecoderState")
"""Data that a model needs to go on: a Transformer's cached keys and values, an RNN's hidden state.

States are values: `step` and `select` return new ones and leave the old ones usable.
"""


class Seq2SeqModel(Protocol[DecoderState]):
    """Sequence-to-sequence model that can be searched.

    `config` offers `bos_id`, `eos_id` and `max_len`. `sites` declare attention, in the order in
    which they are shown; a model without attention has none.
    """

    config: Any
    sites: tuple[AttentionSite, ...]

    def start(self, src: Tensor) -> DecoderState:
        """Read the source ids (1, T_src) and return the state before the first token."""

    def step(self, state: DecoderState, prev: Tensor) -> tuple[Tensor, DecoderState]:
        """Read one token per hypothesis, `prev` (K,), and return log-probabilities (K, V)."""

    def select(self, state: DecoderState, rows: Tensor) -> DecoderState:
        """Keep and reorder hypotheses; `rows` (K,) may repeat."""

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """Compute logits (B, T_tgt, V) of ids (B, T_src) and (B, T_tgt) by teacher forcing."""
