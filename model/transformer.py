"""The Transformer of Vaswani et al. 2017, written out for reading."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.attention import CROSS, DECODER, ENCODER, AttentionSite
from core.block import SubLayer

from .attention import MultiHeadAttention, attention_mask, causal_mask, key_padding_mask
from .block import FeedForward, PositionalEncoding, Residual
from .config import TransformerConfig
from .transformer_changes import ChangedTransformer

EncoderConfig = Any
"""A `TransformerConfig`, or the config of another family with an encoder and its entries."""


def encoder_site(config: EncoderConfig) -> AttentionSite:
    """Self-attention of the encoder."""
    return replace(
        ENCODER, n_layers=config.n_encoder_layers, n_heads=config.n_heads, has_values=True
    )


def transformer_sites(config: TransformerConfig) -> tuple[AttentionSite, ...]:
    """Self-attention of the encoder and of the decoder, and cross-attention between them."""
    decoder, cross = (
        replace(site, n_layers=config.n_decoder_layers, n_heads=config.n_heads, has_values=True)
        for site in (DECODER, CROSS)
    )
    return encoder_site(config), decoder, cross


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward, each with its residual connection."""

    def __init__(self, config: EncoderConfig, layer: int) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(
            config.d_model, config.n_heads, site=encoder_site(config), layer=layer
        )
        self.self_attention_residual = Residual(config, SubLayer("encoder", layer, "self"))
        self.feed_forward = FeedForward(config.d_model, config.d_ff)
        self.feed_forward_residual = Residual(config, SubLayer("encoder", layer, "feed_forward"))

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """x (B, T_src, d_model) -> the same shape; `mask` True = may look."""
        x = self.self_attention_residual(x, self.self_attention(x, x, x, mask))
        return self.feed_forward_residual(x, self.feed_forward(x))


@dataclass(frozen=True)
class LayerCache:
    """Keys and values one decoder layer has already worked out."""

    # (K, H, t, d_k) of the t tokens read so far, None before the first.
    keys: Tensor | None
    values: Tensor | None
    # (1, H, T_src, d_k) of the source, shared by all hypotheses; or one for each of K.
    memory_keys: Tensor
    memory_values: Tensor


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention over the memory, feed-forward."""

    def __init__(self, config: TransformerConfig, layer: int) -> None:
        super().__init__()
        _, decoder, cross = transformer_sites(config)
        self.self_attention = MultiHeadAttention(
            config.d_model, config.n_heads, site=decoder, layer=layer
        )
        self.self_attention_residual = Residual(config, SubLayer("decoder", layer, "self"))
        self.cross_attention = MultiHeadAttention(
            config.d_model, config.n_heads, site=cross, layer=layer
        )
        self.cross_attention_residual = Residual(config, SubLayer("decoder", layer, "cross"))
        self.feed_forward = FeedForward(config.d_model, config.d_ff)
        self.feed_forward_residual = Residual(config, SubLayer("decoder", layer, "feed_forward"))

    def forward(
        self, x: Tensor, memory: Tensor, self_mask: Tensor | None, memory_mask: Tensor | None
    ) -> Tensor:
        """x (B, T_tgt, d_model), memory (B, T_src, d_model) -> (B, T_tgt, d_model)."""
        x = self.self_attention_residual(x, self.self_attention(x, x, x, self_mask))
        x = self.cross_attention_residual(x, self.cross_attention(x, memory, memory, memory_mask))
        return self.feed_forward_residual(x, self.feed_forward(x))

    def step(self, x: Tensor, cache: LayerCache) -> tuple[Tensor, LayerCache]:
        """One new position per hypothesis, x (K, 1, d_model); equals the last row of `forward`."""
        attention = self.self_attention
        q = attention.split_heads(attention.query_proj(x))
        keys, values = attention.project_memory(x, x)
        if cache.keys is not None:
            keys = torch.cat((cache.keys, keys), dim=2)
            values = torch.cat((cache.values, values), dim=2)
        x = self.self_attention_residual(
            x, attention.merge_heads(attention.attend(q, keys, values))
        )

        attention = self.cross_attention
        q = attention.split_heads(attention.query_proj(x))
        shared = cache.memory_keys.shape[0] == 1
        attend = attention.attend_shared if shared else attention.attend
        context = attend(q, cache.memory_keys, cache.memory_values)
        x = self.cross_attention_residual(x, attention.merge_heads(context))

        x = self.feed_forward_residual(x, self.feed_forward(x))
        return x, LayerCache(keys, values, cache.memory_keys, cache.memory_values)


@dataclass(frozen=True)
class TransformerState:
    """Where a search stands: `length` tokens read, one cache per decoder layer."""

    length: int
    layers: tuple[LayerCache, ...]


class Encoder(nn.Module):
    """The encoder, and the embedding that its family shares with the output."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.positions = PositionalEncoding(config.max_len, config.d_model, config.position_base)
        self.dropout = nn.Dropout(config.dropout)
        self.encoder_layers = nn.ModuleList(
            EncoderLayer(config, layer) for layer in range(config.n_encoder_layers)
        )

    def reset_parameters(self) -> None:
        """Xavier for the projections; embeddings of variance 1 / d_model, so that scaling by
        sqrt(d_model) brings them to the size of the positions and the logits start near one."""
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1 and not name.startswith("embedding"):
                nn.init.xavier_uniform_(parameter)
            elif name.endswith("proj.bias"):
                nn.init.zeros_(parameter)
        nn.init.normal_(self.embedding.weight, std=self.config.d_model**-0.5)

    def embed(self, ids: Tensor, start: int = 0) -> Tensor:
        """ids (B, T) -> (B, T, d_model): scaled embeddings plus positions from `start` on."""
        x = self.embedding(ids) * math.sqrt(self.config.d_model)
        return self.dropout(self.positions(x, start))

    def logits(self, hidden: Tensor) -> Tensor:
        """hidden (..., d_model) -> (..., V), through the shared embedding (section 3.4)."""
        return F.linear(hidden, self.embedding.weight)

    def encode(
        self,
        src: Tensor,
        src_key_padding_mask: Tensor | None = None,
        *,
        may_look: Tensor | None = None,
    ) -> Tensor:
        """Read sources (B, T_src) into a memory (B, T_src, d_model). `src_key_padding_mask` (B,
        T_src) is True at padding; `may_look` (B, T_src, T_src) True where a query may look,
        everywhere by default."""
        mask = attention_mask(src_key_padding_mask)
        if may_look is not None:
            mask = may_look[:, None] if mask is None else mask & may_look[:, None]
        x = self.embed(src)
        for layer in self.encoder_layers:
            x = layer(x, mask)
        return x

    def source_padding(self, src: Tensor) -> Tensor | None:
        """The key padding mask of `src` (B, T_src), or None when nothing is padded."""
        padding = key_padding_mask(src, self.config.pad_id)
        return padding if bool(padding.any()) else None


class Transformer(Encoder):
    """Encoder-decoder with one embedding for source, target and output, scaled by sqrt(d_model)."""

    changed_as = ChangedTransformer
    config: TransformerConfig

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config)
        self.sites = transformer_sites(config)
        self.decoder_layers = nn.ModuleList(
            DecoderLayer(config, layer) for layer in range(config.n_decoder_layers)
        )
        self.reset_parameters()

    def decode_hidden(
        self,
        tgt: Tensor,
        memory: Tensor,
        src_key_padding_mask: Tensor | None = None,
        *,
        causal: bool = True,
    ) -> Tensor:
        """The last decoder layer's output (B, T_tgt, d_model), before the output layer. Padding
        sits at the end of `tgt`, so the causal mask already hides it from every real position; the
        rows of padding itself mean nothing."""
        length = tgt.shape[1]
        self_mask = attention_mask(None, causal_mask(length, device=tgt.device) if causal else None)
        memory_mask = attention_mask(src_key_padding_mask)
        x = self.embed(tgt)
        for layer in self.decoder_layers:
            x = layer(x, memory, self_mask, memory_mask)
        return x

    def decode(
        self,
        tgt: Tensor,
        memory: Tensor,
        src_key_padding_mask: Tensor | None = None,
        *,
        causal: bool = True,
    ) -> Tensor:
        """Teacher forcing: ids (B, T_tgt) that start with ``<s>`` -> logits (B, T_tgt, V)."""
        return self.logits(self.decode_hidden(tgt, memory, src_key_padding_mask, causal=causal))

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """ids (B, T_src), (B, T_tgt), padded with `pad_id` at the end -> logits (B, T_tgt, V)."""
        padding = self.source_padding(src)
        return self.decode(tgt, self.encode(src, padding), padding)

    def start(self, src: Tensor) -> TransformerState:
        """Encode one source (1, T_src) and cache the keys and values cross-attention will need."""
        memory = self.encode(src)
        caches = []
        for layer in self.decoder_layers:
            keys, values = layer.cross_attention.project_memory(memory, memory)
            caches.append(LayerCache(None, None, keys, values))
        return TransformerState(0, tuple(caches))

    def step(self, state: TransformerState, prev: Tensor) -> tuple[Tensor, TransformerState]:
        """Read one token per hypothesis, `prev` (K,) -> log-probabilities (K, V), new state."""
        x = self.embed(prev[:, None], state.length)
        caches = []
        for layer, cache in zip(self.decoder_layers, state.layers, strict=True):
            x, cache = layer.step(x, cache)
            caches.append(cache)
        log_probs = self.logits(x[:, 0]).log_softmax(dim=-1)
        return log_probs, TransformerState(state.length + 1, tuple(caches))

    def select(self, state: TransformerState, rows: Tensor) -> TransformerState:
        """Keep and reorder hypotheses by `rows` (K,); the memory is shared and stays."""
        caches = tuple(
            LayerCache(
                None if cache.keys is None else cache.keys[rows],
                None if cache.values is None else cache.values[rows],
                cache.memory_keys,
                cache.memory_values,
            )
            for cache in state.layers
        )
        return TransformerState(state.length, caches)
