"""Transformer of Vaswani et al. 2017, written to be read; variants are settings of its config."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from core.records.architecture import Drawing, Lane
from core.records.attention import CROSS, DECODER, ENCODER, AttentionSite
from core.records.sublayers import SubLayer

from ..config import TransformerConfig
from ..hooks.snapshot import meets_hook
from ..hooks.transformer_effects import ChangedTransformer
from ..nets.attention import attention_mask, causal_mask, key_padding_mask
from ..nets.multi_head import MultiHeadAttention
from ..nets.products import linear
from ..nets.sublayers import (
    SSRU,
    FeedForward,
    LayerCache,
    OutputTransform,
    PositionalEncoding,
    RelativeBias,
    Residual,
    TransformerState,
    norm_of,
)
from .base import Family, Paper
from .plain_decoder import PlainDecoders

EncoderConfig = Any
"""A `TransformerConfig`, or the config of another family with the entries of an encoder."""


def encoder_site(config: EncoderConfig) -> AttentionSite:
    """Return the site of the encoder's self-attention."""
    return replace(
        ENCODER, n_layers=config.n_encoder_layers, n_heads=config.n_heads, has_values=True
    )


def transformer_sites(config: TransformerConfig) -> tuple[AttentionSite, ...]:
    """Return the sites of encoder and decoder self-attention and of cross-attention.

    A recurrent decoder has no self-attention.
    """
    decoder = (
        replace(site, n_layers=config.n_decoder_layers, n_heads=config.n_heads, has_values=True)
        for site in (DECODER, CROSS)
        if site is CROSS or config.decoder == "attention"
    )
    return encoder_site(config), *decoder


class EncoderLayer(nn.Module):
    """Self-attention and feed-forward sub-layers, each with its residual connection."""

    def __init__(self, config: EncoderConfig, layer: int) -> None:
        super().__init__()
        self.self_attention = _attention(config, encoder_site(config), layer)
        self.self_attention_residual = Residual(config, SubLayer("encoder", layer, "self"))
        self.feed_forward = _feed_forward(config)
        self.feed_forward_residual = Residual(config, SubLayer("encoder", layer, "feed_forward"))

    def forward(self, x: Tensor, mask: Tensor | None, bias: Tensor | None = None) -> Tensor:
        """Transform x (B, T_src, d_model).

        `mask` is True where a query may attend; `bias` (1, H, T_src, T_src) is added to the scores.
        """
        read = self.self_attention_residual.entering(x)
        x = self.self_attention_residual(x, self.self_attention(read, read, read, mask, bias))
        read = self.feed_forward_residual.entering(x)
        return self.feed_forward_residual(x, self.feed_forward(read))


def _attention(config: EncoderConfig, site: AttentionSite, layer: int) -> MultiHeadAttention:
    return MultiHeadAttention(
        config.d_model, config.n_heads, site=site, layer=layer, d_head=config.d_head
    )


def _feed_forward(config: EncoderConfig) -> FeedForward:
    return FeedForward(config.d_model, config.d_ff, config.activation, gated=config.gated)


class DecoderLayer(nn.Module):
    """Masked self-attention or a recurrence, cross-attention to the memory, and feed-forward."""

    def __init__(self, config: TransformerConfig, layer: int) -> None:
        super().__init__()
        *decoder, cross = transformer_sites(config)[1:]
        self.self_attention: MultiHeadAttention | None = None
        self.recurrence: SSRU | None = None
        if decoder:
            self.self_attention = _attention(config, decoder[0], layer)
            self.self_attention_residual = Residual(config, SubLayer("decoder", layer, "self"))
        else:
            self.recurrence = SSRU(config.d_model)
            self.recurrence_residual = Residual(config, SubLayer("decoder", layer, "recurrence"))
        self.cross_attention = _attention(config, cross, layer)
        self.cross_attention_residual = Residual(config, SubLayer("decoder", layer, "cross"))
        self.feed_forward = _feed_forward(config)
        self.feed_forward_residual = Residual(config, SubLayer("decoder", layer, "feed_forward"))

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        self_mask: Tensor | None,
        memory_mask: Tensor | None,
        bias: Tensor | None = None,
    ) -> Tensor:
        """Transform x (B, T_tgt, d_model) with the memory (B, T_src, d_model).

        Masks are True where a query may attend; `bias` (1, H, T_tgt, T_tgt) is added to the scores
        of self-attention.
        """
        x = self.attend_target(x, self_mask, bias)
        read = self.cross_attention_residual.entering(x)
        # The final norm of a pre-norm encoder has normalised the memory already.
        output = self.cross_attention(read, memory, memory, memory_mask)
        return self.feed(self.cross_attention_residual(x, output))

    def attend_target(self, x: Tensor, mask: Tensor | None, bias: Tensor | None) -> Tensor:
        """Run the first sub-layer over all positions, x (B, T_tgt, d_model)."""
        if self.recurrence is not None:
            return self.recur(x)[0]
        read = self.self_attention_residual.entering(x)
        return self.self_attention_residual(x, self.self_attention(read, read, read, mask, bias))

    def read(
        self, x: Tensor, cache: LayerCache, mask: Tensor | None, bias: Tensor | None = None
    ) -> Tensor:
        """Return the result of `forward` from the memory's cached keys and values."""
        x = self.attend_target(x, mask, bias)
        attention = self.cross_attention
        q = attention.split_heads(attention.query_proj(self.cross_attention_residual.entering(x)))
        context = attention.attend(q, cache.memory_keys, cache.memory_values)
        return self.feed(self.cross_attention_residual(x, attention.merge_heads(context)))

    def recur(self, x: Tensor, cell: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Run the first sub-layer of a recurrent decoder, with the arguments of `SSRU.forward`."""
        output, cell = self.recurrence(self.recurrence_residual.entering(x), cell)
        return self.recurrence_residual(x, output), cell

    def feed(self, x: Tensor) -> Tensor:
        """Run the last sub-layer on x (..., d_model)."""
        read = self.feed_forward_residual.entering(x)
        return self.feed_forward_residual(x, self.feed_forward(read))

    def step(
        self, x: Tensor, cache: LayerCache, bias: Tensor | None = None
    ) -> tuple[Tensor, LayerCache]:
        """Transform one new position a hypothesis, x (K, 1, d_model), as `forward` would."""
        if self.recurrence is not None:
            x, cell = self.recur(x, cache.cell)
            cache = replace(cache, cell=cell)
        else:
            attention = self.self_attention
            read = self.self_attention_residual.entering(x)
            q = attention.split_heads(attention.query_proj(read))
            keys, values = attention.project_memory(read, read)
            cache = cache.extended(torch.stack((keys, values), dim=1).permute(0, 3, 1, 2, 4))
            # No mask: the cache ends at this position.
            context = attention.attend(q, cache.keys, cache.values, None, bias)
            x = self.self_attention_residual(x, attention.merge_heads(context))

        attention = self.cross_attention
        read = self.cross_attention_residual.entering(x)
        q = attention.split_heads(attention.query_proj(read))
        # Several interventions give each hypothesis a memory of its own.
        shared = cache.memory_keys.shape[0] == 1
        attend = attention.attend_shared if shared else attention.attend
        context = attend(q, cache.memory_keys, cache.memory_values)
        x = self.cross_attention_residual(x, attention.merge_heads(context))
        return self.feed(x), cache


class Encoder(nn.Module):
    """Encoder, and the embedding that its family shares with the output."""

    def __init__(self, config: EncoderConfig) -> None:
        super().__init__()
        self.config = config
        # Section 3.4: embeddings are multiplied by sqrt(d_model).
        self.scale = math.sqrt(config.d_model) if config.scale_embedding else 1.0
        self.embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.positions = PositionalEncoding(config)
        self.embedding_norm = norm_of(config) if config.embedding_norm else None
        self.dropout = nn.Dropout(config.dropout)
        relative = config.positions == "relative"
        self.encoder_relative = RelativeBias(config, causal=False) if relative else None
        self.encoder_layers = nn.ModuleList(
            EncoderLayer(config, layer) for layer in range(config.n_encoder_layers)
        )
        self.encoder_norm = norm_of(config) if config.final_norm else None

    def reset_parameters(self) -> None:
        """Draw weights: Xavier for projections, variance 1 / d_model for embeddings.

        Scaling by sqrt(d_model) then brings embeddings to the size of the positions, and logits
        start near one.
        """
        for name, parameter in self.named_parameters():
            if name in ("embedding.weight", "source_embedding.weight"):
                continue
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
            # Norms keep gains of 1, feed-forward biases torch's own start.
            elif name.endswith("proj.bias"):
                nn.init.zeros_(parameter)
        # Once if both sides share it, or the second draw would replace the first.
        for embedding in dict.fromkeys((self.embedding, self.embedding_of("source"))):
            nn.init.normal_(embedding.weight, std=self.config.d_model**-0.5)

    def embedding_of(self, side: str) -> nn.Embedding:
        """Return the embedding of "source" or "target"."""
        return self.embedding

    def embed(self, ids: Tensor, start: int = 0) -> Tensor:
        """Embed sources (B, T) as (B, T, d_model), scaled, with positions from `start`."""
        return self._embedded("source", self.positions, self.embedding_norm, ids, start)

    def _embedded(
        self, side: str, positions: nn.Module, norm: nn.Module | None, ids: Tensor, start: int
    ) -> Tensor:
        """Embed ids of `side`, add positions, then apply norm and dropout."""
        x = positions(self.embedding_of(side)(ids) * self.scale, start)
        return self.dropout(x if norm is None else norm(x))

    def encode(
        self,
        src: Tensor,
        src_key_padding_mask: Tensor | None = None,
        *,
        may_look: Tensor | None = None,
    ) -> Tensor:
        """Read sources (B, T_src) into a memory (B, T_src, d_model).

        `src_key_padding_mask` (B, T_src) is True at padding; `may_look` (B, T_src, T_src) is True
        where a query may attend, everywhere by default.
        """
        mask = attention_mask(src_key_padding_mask)
        if may_look is not None:
            mask = may_look[:, None] if mask is None else mask & may_look[:, None]
        x = self.embed(src)
        bias = self.encoder_bias(src.shape[1])
        for layer in self.encoder_layers:
            x = layer(x, mask, bias)
        return x if self.encoder_norm is None else self.encoder_norm(x)

    def encoder_bias(self, length: int) -> Tensor | None:
        """Return the relative bias of every layer's scores, (1, H, T_src, T_src), or None."""
        return None if self.encoder_relative is None else self.encoder_relative(length, length)

    def source_padding(self, src: Tensor) -> Tensor | None:
        """Return the key padding mask of `src` (B, T_src), or None if nothing is padded."""
        padding = key_padding_mask(src, self.config.pad_id)
        return padding if bool(padding.any()) else None


class Transformer(Encoder):
    """Encoder-decoder, by default with one embedding for source, target and output."""

    # Class that runs this model under interventions (`model.hooks.interventions.Intervened`).
    changed_as = ChangedTransformer
    config: TransformerConfig

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config)
        self.sites = transformer_sites(config)
        self.source_embedding: nn.Embedding | None = None
        if not config.shared_embedding:
            self.source_embedding = nn.Embedding(config.source_vocab_size, config.d_model)
        # One module serves both sides unless positions are learned, so a hook on it hears both.
        self.target_positions = (
            PositionalEncoding(config) if config.positions == "learned" else self.positions
        )
        self.target_embedding_norm = norm_of(config) if config.embedding_norm else None
        self.decoder_relative: RelativeBias | None = None
        if config.positions == "relative" and config.decoder == "attention":
            self.decoder_relative = RelativeBias(config, causal=True)
        self.decoder_layers = nn.ModuleList(
            DecoderLayer(config, layer) for layer in range(config.n_decoder_layers)
        )
        self.decoder_norm = norm_of(config) if config.final_norm else None
        self.output_transform = OutputTransform(config) if config.output_transform else None
        self.output: nn.Linear | None = None
        if not config.tied_output:
            self.output = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.output_bias: nn.Parameter | None = None
        if config.output_bias:
            self.output_bias = nn.Parameter(torch.zeros(config.vocab_size))
        # Takes the decoder out of its modules at the first search.
        self.plain = PlainDecoders()
        self.reset_parameters()

    def embedding_of(self, side: str) -> nn.Embedding:
        """Return the embedding of "source" or "target", the same table if they share it."""
        return (self.source_embedding if side == "source" else None) or self.embedding

    @property
    def source_positions(self) -> PositionalEncoding:
        """Positions of the source; `target_positions` differ only if they are learned."""
        return self.positions

    def embed_target(self, ids: Tensor, start: int = 0) -> Tensor:
        """Embed targets (B, T), as `embed` does sources."""
        norm = self.target_embedding_norm
        return self._embedded("target", self.target_positions, norm, ids, start)

    @property
    def output_weight(self) -> Tensor:
        """Weight of the output layer, (V, d_model)."""
        return (self.output or self.embedding).weight

    def logits(self, hidden: Tensor) -> Tensor:
        """Project hidden (..., d_model) to logits (..., V), by default through the embedding.

        See section 3.4.
        """
        return linear(self.transformed(hidden), self.output_weight, self.output_bias)

    def transformed(self, hidden: Tensor) -> Tensor:
        """Return what the output layer reads: `hidden` itself unless the config has a transform."""
        return hidden if self.output_transform is None else self.output_transform(hidden)

    def decode_hidden(
        self,
        tgt: Tensor,
        memory: Tensor,
        src_key_padding_mask: Tensor | None = None,
        *,
        causal: bool = True,
    ) -> Tensor:
        """Return the last decoder layer's output (B, T_tgt, d_model), before the output layer.

        Padding stands at the end of `tgt`, so the causal mask hides it from every real position;
        rows of padding carry no meaning.
        """
        length = tgt.shape[1]
        self_mask = attention_mask(None, causal_mask(length, device=tgt.device) if causal else None)
        memory_mask = attention_mask(src_key_padding_mask)
        x = self.embed_target(tgt)
        bias = self.decoder_bias(length, length)
        for layer in self.decoder_layers:
            x = layer(x, memory, self_mask, memory_mask, bias)
        return x if self.decoder_norm is None else self.decoder_norm(x)

    def decoder_bias(self, n_queries: int, n_keys: int, start: int = 0) -> Tensor | None:
        """Return the relative bias of self-attention, (1, H, T_q, T_k), from query `start` on."""
        relative = self.decoder_relative
        return None if relative is None else relative(n_queries, n_keys, start)

    def decode(
        self,
        tgt: Tensor,
        memory: Tensor,
        src_key_padding_mask: Tensor | None = None,
        *,
        causal: bool = True,
    ) -> Tensor:
        """Teacher-force ids (B, T_tgt) that begin with ``<s>``; return logits (B, T_tgt, V)."""
        return self.logits(self.decode_hidden(tgt, memory, src_key_padding_mask, causal=causal))

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """Compute logits (B, T_tgt, V) of ids (B, T_src), (B, T_tgt), padded at the end."""
        padding = self.source_padding(src)
        return self.decode(tgt, self.encode(src, padding), padding)

    def start(self, src: Tensor) -> TransformerState:
        """Encode one source (1, T_src) and cache the keys and values of cross-attention."""
        # Keys and values of the source are the same at every step.
        memory = self.encode(src)
        caches = []
        for layer in self.decoder_layers:
            keys, values = layer.cross_attention.project_memory(memory, memory)
            caches.append(LayerCache(keys, values))
        return TransformerState(0, tuple(caches))

    def step(self, state: TransformerState, prev: Tensor) -> tuple[Tensor, TransformerState]:
        """Read one token a hypothesis, `prev` (K,); return log-probabilities (K, V) and state."""
        # Not beyond the table of positions: there the ordinary step raises its error.
        plain = self.plain.of(self) if state.length < self.config.max_len else None
        if plain is not None:
            return plain.step(state, prev)
        x = self.embed_target(prev[:, None], state.length)
        # One query at position `length`, keys 0 to `length`.
        bias = self.decoder_bias(1, state.length + 1, state.length)
        caches = []
        for layer, cache in zip(self.decoder_layers, state.layers, strict=True):
            x, cache = layer.step(x, cache, bias)
            caches.append(cache)
        x = x[:, 0] if self.decoder_norm is None else self.decoder_norm(x[:, 0])
        log_probs = self.logits(x).log_softmax(dim=-1)
        return log_probs, TransformerState(state.length + 1, tuple(caches))

    def can_reread(self) -> bool:
        """Return True if `reread` may replace `forward` for what is captured now, in this thread.

        As for plain steps, no hook of this thread may listen: it would miss the modules that do not
        run.
        """
        return self.plain.of(self) is not None and not meets_hook(self)

    def reread(self, state: TransformerState, tgt: Tensor) -> None:
        """Read ids (1, T_tgt) again from the state of `start`, for listeners on the decoder.

        Its layers see what they see in `forward`, to the last bit. Neither the encoder nor the
        output layer runs.
        """
        length = tgt.shape[1]
        mask = attention_mask(None, causal_mask(length, device=tgt.device))
        bias = self.decoder_bias(length, length)
        x = self.embed_target(tgt)
        for layer, cache in zip(self.decoder_layers, state.layers, strict=True):
            x = layer.read(x, cache, mask, bias)

    def select(self, state: TransformerState, rows: Tensor) -> TransformerState:
        """Keep and reorder hypotheses by `rows` (K,); the memory is shared and stays."""
        caches = tuple(cache.select(rows) for cache in state.layers)
        return TransformerState(state.length, caches)


def drawing_of(config: TransformerConfig) -> Drawing:
    """Return the figure of the architecture, with norms where the config puts them."""
    before = config.norm == "before"
    mixer = "decoder" if config.decoder == "attention" else "ssru"

    def layer(*sublayers: str) -> tuple[str, ...]:
        pairs = (("only-norm", part) if before else (part, "norm") for part in sublayers)
        return tuple(part for pair in pairs for part in pair)

    first = ("embedding",) if config.positions == "relative" else ("positions",)
    last = ("only-norm",) if config.final_norm else ()
    return Drawing(
        Lane(first, layer("encoder", "feed-forward"), config.n_encoder_layers, last),
        Lane(
            first,
            layer(mixer, "cross", "feed-forward"),
            config.n_decoder_layers,
            (*last, "softmax", "search"),
        ),
    )


def excluded(config: TransformerConfig) -> frozenset[str]:
    """Return the capabilities that a config leaves the model without."""
    offers = {
        "learned-positions": config.positions == "learned",
        "relative-positions": config.positions == "relative",
        "change-causal": config.decoder == "attention",
    }
    return frozenset(name for name, offered in offers.items() if not offered)


FAMILY = Family(
    name="transformer",
    config=TransformerConfig,
    build=Transformer,
    # No "change-unread": hiding a token everywhere is the same for attention. No "values": the
    # arithmetic of the heads is shown from their vectors.
    capabilities=frozenset(
        {
            *("search", "teacher-forcing", "scores", "vectors", "positions", "rollout"),
            *("order", "padding", "block", "tree-attention", "changes"),
            *("change-hide", "change-mask", "change-ablate", "change-row", "change-positions"),
            *("change-causal", "change-residual", "change-norm"),
            *("learned-positions", "relative-positions"),
        }
    ),
    excludes=excluded,
    vocabularies={"source": "source_vocab_size", "target": "vocab_size"},
    drawing=drawing_of,
    training="encoder-decoder",
    paper=Paper(
        at=2017.95,
        sources="self",
        attention="self",
        equation=r"\mathrm{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
    ),
)
