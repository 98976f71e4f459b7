"""Masked language model: an encoder that reads both sides of a word (Devlin et al. 2019).

As in that paper, a share of the pieces is masked and the model predicts them. Its second task,
next-sentence prediction, is left out: this model reads single sentences, and training without that
task is no worse (Liu et al. 2019, section 4.2). Unlike the paper's model it adds sines for the
positions and nothing for segments, and its layers are those of this project's Transformer, with
ReLU.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.records.architecture import ENCODER_LAYER, Drawing, Lane
from words import Message

from ..config import BlockConfig, size_faults, special_faults, stack_faults
from ..nets.attention import causal_mask
from ..special_tokens import CLS, MASK, PAD, SEP, UNK
from .base import Family, Paper
from .transformer import Encoder, encoder_site

SPECIAL = {"pad_id": PAD, "unk_id": UNK, "cls_id": CLS, "sep_id": SEP, "mask_id": MASK}
"""Special tokens by the entry of the config that holds their id."""


@dataclass(frozen=True)
class MaskedConfig(BlockConfig):
    """Sizes and special ids of an encoder for masked words, named as in `TransformerConfig`.

    `max_len` is the longest text in tokens, ``[CLS]`` and ``[SEP]`` included.
    """

    vocab_size: int
    d_model: int = 256
    n_heads: int = 8
    n_encoder_layers: int = 4
    d_ff: int = 1024
    dropout: float = 0.1
    max_len: int = 128
    position_base: float = 10_000.0
    layer_norm_eps: float = 1e-5
    pad_id: int = 0
    unk_id: int = 1
    cls_id: int = 2
    sep_id: int = 3
    mask_id: int = 4

    def faults(self) -> list[Message]:
        """Return everything that is wrong with these sizes, one sentence each."""
        sizes = ("vocab_size", "d_model", "n_heads", "n_encoder_layers", "d_ff", "max_len")
        return size_faults(self, sizes) + stack_faults(self) + special_faults(self, SPECIAL)

    @property
    def d_k(self) -> int:
        """Width of one head."""
        return self.d_head or self.d_model // self.n_heads


class MaskedLanguageModel(Encoder):
    """Encoder that predicts the token at each position from all the others."""

    config: MaskedConfig

    def __init__(self, config: MaskedConfig) -> None:
        super().__init__(config)
        self.sites = (encoder_site(config),)
        self.transform = nn.Linear(config.d_model, config.d_model)
        self.transform_norm = nn.LayerNorm(config.d_model, eps=config.layer_norm_eps)
        self.output_bias = nn.Parameter(torch.zeros(config.vocab_size))
        self.reset_parameters()

    def logits(self, hidden: Tensor) -> Tensor:
        """Project hidden (..., d_model) to logits (..., V): GELU layer, norm, embedding."""
        # The prediction head of BERT's released code; the paper does not describe it.
        hidden = self.transform_norm(F.gelu(self.transform(hidden)))
        return F.linear(hidden, self.embedding.weight, self.output_bias)

    def forward(self, src: Tensor, *, left_only: bool = False) -> Tensor:
        """Compute logits (B, T, V) of ids (B, T), padded at the end with `pad_id`.

        `left_only` lets a position attend only to itself and earlier ones, as in a decoder.
        """
        return self.logits(self.hidden(src, left_only=left_only))

    def hidden(self, src: Tensor, *, left_only: bool = False) -> Tensor:
        """Return the last layer's states (B, T, d_model)."""
        may_look = None
        if left_only:
            # A control: the weights were trained with both sides visible.
            may_look = causal_mask(src.shape[1], device=src.device).expand(len(src), -1, -1)
        return self.encode(src, self.source_padding(src), may_look=may_look)


FAMILY = Family(
    name="masked-language-model",
    config=MaskedConfig,
    build=MaskedLanguageModel,
    capabilities=frozenset({"scores", "vectors", "positions", "rollout", "masked-words"}),
    vocabularies={"source": "vocab_size"},
    special_tokens=SPECIAL,
    drawing=lambda config: Drawing(
        Lane(
            ("positions",),
            ENCODER_LAYER,
            config.n_encoder_layers,
            ("softmax",),
        )
    ),
    training="masked-words",
    paper=Paper(
        at=2019.4,
        sources="self",
        attention="self",
        equation=r"p(x_i \mid x_1 \dots x_{i-1}, \texttt{[MASK]}, x_{i+1} \dots x_N)",
    ),
)
