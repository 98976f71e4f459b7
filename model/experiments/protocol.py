"""Protocols between experiments and models: all that an experiment may use of a loaded one.

An experiment asks for capabilities, never for a class, so it runs on every model that offers them,
those of other projects included. In this project a `Reader` of `model.readers` is a `LoadedModel`,
a `Translator` a `LoadedTranslator`, and a model of `model.families.transformer` a `StackedModel`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from torch import Tensor, nn

from core.card import CheckpointCard
from core.interventions.intervention import Intervention
from core.records.attention import AttentionRecord, AttentionSite
from core.records.sources import Source, TokenSequence

from ..hooks.activations import Activation, HookPoint
from ..hooks.effects import HeadMeans
from ..nets.multi_head import MultiHeadAttention
from ..nets.sublayers import Residual
from ..tokenizer import TextTokenizer


class LoadedModel(Protocol):
    """Loaded model that reads a source."""

    model: Any
    """Network; what it has beside `forward` and `config` is promised by its capabilities."""
    sites: tuple[AttentionSite, ...]
    card: CheckpointCard
    family: Any

    @property
    def capabilities(self) -> frozenset[str]: ...

    @property
    def max_source_len(self) -> int:
        """Longest source in tokens, ``</s>`` included."""

    def need(self, *capabilities: str) -> None:
        """Raise ModelError naming the first of `capabilities` that the model lacks."""

    def tokenize(self, text: str) -> Source:
        """Parse `text` into a source of any length."""

    def source_of(self, text: str, what: str) -> Any:
        """Parse `text`, called `what` in messages; raises InputError if it does not fit."""

    def refuse_long(self, src: Source, what: str) -> None:
        """Raise InputError if `src` is longer than the model takes."""

    def input_of(self, src: Source) -> Any:
        """Return the arguments that make `model` read `src`."""

    def attention_over(self, texts: Sequence[str]) -> AttentionRecord:
        """Return the attention over a stored text: a source, and a target if the model writes."""

    def replay(
        self, record: AttentionRecord, change: Any, points: Mapping[str, HookPoint]
    ) -> dict[str, Activation]:
        """Run the model as for `record` under `change`, and return the activations of `points`."""


class LoadedTranslator(LoadedModel, Protocol):
    """Loaded model that writes text."""

    @property
    def tokenizer(self) -> TextTokenizer:
        """Vocabulary of the output."""

    @property
    def vocab_size(self) -> int:
        """Number of tokens to choose from at each step."""

    @property
    def means(self) -> HeadMeans | None:
        """Mean outputs of heads, for mean ablation; None if they are not stored with the model."""

    def target_of(self, text: str, what: str) -> TokenSequence:
        """Tokenise `text`, called `what` in messages, as the model would write it."""

    def running(
        self, intervention: Intervention | None, n_src: int, n_tgt: int
    ) -> AbstractContextManager[Any]:
        """Yield the model, or the model under `intervention` inside the ``with``."""


class StackedModel(Protocol):
    """Encoder-decoder of stacked layers: the parts behind "order", "padding" and "block"."""

    config: Any
    sites: tuple[AttentionSite, ...]
    embedding: nn.Embedding
    encoder_layers: nn.ModuleList
    decoder_layers: nn.ModuleList  # each a `StackedDecoderLayer`

    def encode(self, src: Tensor, padding: Tensor | None = None, /) -> Tensor:
        """Return the states (B, T_src, d_model) of ids (B, T_src); `padding` is True at padding."""

    def decode_hidden(
        self, tgt: Tensor, memory: Tensor, padding: Tensor | None = None, /
    ) -> Tensor:
        """Return the states (B, T_tgt, d_model) before the output layer."""

    def decode(self, tgt: Tensor, memory: Tensor, padding: Tensor | None = None, /) -> Tensor:
        """Return the logits (B, T_tgt, V)."""

    def logits(self, hidden: Tensor) -> Tensor:
        """Return the logits of states."""

    def source_padding(self, src: Tensor) -> Tensor | None:
        """Return True at the padding of ids (B, T_src); None if there is none."""

    def embed_target(self, ids: Tensor, start: int = 0) -> Tensor:
        """Return the input of the first decoder layer, `start` being the position of the first."""

    def decoder_bias(self, n_queries: int, n_keys: int, start: int = 0) -> Tensor | None:
        """Return the bias of relative positions (1, H, n_queries, n_keys), if there are any."""

    def start(self, src: Tensor) -> Any:
        """Begin a search; ``layers`` of the state hold keys and values of the source."""


class StackedDecoderLayer(Protocol):
    """Decoder layer of a `StackedModel`, with self-attention or a recurrence in its place."""

    self_attention: MultiHeadAttention | None
    self_attention_residual: Residual  # only beside self-attention
    cross_attention: MultiHeadAttention
    cross_attention_residual: Residual

    def recur(self, x: Tensor, cell: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the states after the recurrence, and its cell after the last of them."""

    def feed(self, x: Tensor) -> Tensor:
        """Return the states after the feed-forward sub-layer."""
