"""Convolutional encoder-decoder with gated linear units (Gehring et al. 2017)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.records.architecture import Drawing, Lane
from core.records.attention import CROSS, AttentionSite
from core.records.step import Equation
from model.config import size_faults
from model.families.base import Family, Paper
from model.hooks.value_probes import ValueProbe
from model.nets.attention import AttentionProbe, attention_weights
from words import Message

from .stepwise import (
    WITH_ATTENTION,
    ChangedStepwise,
    Stepwise,
    StepwiseConfig,
    reading_order,
    wide,
)

HALF = math.sqrt(0.5)
"""Factor of a sum of two terms that keeps the variance of one (section 3.4)."""


@dataclass(frozen=True)
class ConvolutionalConfig(StepwiseConfig):
    """Sizes: `hidden_size` channels, and blocks that see `kernel` tokens each."""

    n_encoder_layers: int = 4
    n_decoder_layers: int = 3
    kernel: int = 3

    def faults(self) -> list[Message]:
        """Return everything that is wrong with these sizes, one sentence each."""
        sizes = ("n_encoder_layers", "n_decoder_layers", "kernel")
        return [*super().faults(), *size_faults(self, sizes)]


def site_of(config: ConvolutionalConfig) -> AttentionSite:
    """Return the site: every decoder layer attends by itself."""
    return replace(CROSS, n_layers=config.n_decoder_layers, has_values=True)


class GatedConvolution(nn.Module):
    """Convolution v(W [x_{i-k/2}; ...; x_{i+k/2}] + b), v the gated linear unit (section 3.2)."""

    def __init__(self, config: ConvolutionalConfig) -> None:
        super().__init__()
        self.kernel = config.kernel
        self.linear = nn.Linear(config.kernel * config.hidden_size, 2 * config.hidden_size)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Convolve x (B, T + kernel - 1, hidden), padded by the caller, to (B, T, hidden)."""
        n_outputs = x.shape[1] - self.kernel + 1
        x = self.dropout(x)
        # As a linear layer over shifted copies, so that a step of a search uses the same weights on
        # its last `kernel` inputs.
        windows = [x[:, first : first + n_outputs] for first in range(self.kernel)]
        value, gate = self.linear(torch.cat(windows, dim=-1)).chunk(2, dim=-1)
        return value * gate.sigmoid()


class ConvolutionalAttention(nn.Module):
    """Dot-product attention of one layer, scaled by sqrt(m) for m source tokens.

    d_i = W_d h_i + b_d + g_i, a_ij = softmax(d_i . z_j), c_i = sum_j a_ij (z_j + e_j) (eq. 1 and
    2).
    """

    def __init__(self, config: ConvolutionalConfig, layer: int) -> None:
        super().__init__()
        self.query = nn.Linear(config.hidden_size, config.d_model)
        self.output = nn.Linear(config.d_model, config.hidden_size)
        self.probe = AttentionProbe(site_of(config), layer)
        self.query_value = ValueProbe("query", one_call="queries")
        self.context_value = ValueProbe("context", one_call="queries")

    @property
    def out_proj(self) -> nn.Linear:
        """Projection of the context, by the name that `model.experiments.contributions` expects."""
        return self.output

    def forward(self, hidden: Tensor, embedded: Tensor, source: ReadSource) -> Tensor:
        """Attend with hidden (B, T, hidden) and embedded (B, T, d_model); return (B, T, hidden)."""
        query = self.query_value((self.query(hidden) + embedded) * HALF)
        scores = (query @ source.keys.transpose(1, 2))[:, None]  # (B, 1, T, T_src)
        weights = attention_weights(scores, source.may_look)
        # The probe receives values with the factor sqrt(m), so that weights times values give the
        # context.
        values = (source.annotations * source.lengths.sqrt())[:, None]
        weights = self.probe(weights, scores, source.may_look, values)
        context = self.context_value(weights[:, 0] @ source.annotations)
        return self.output(context * source.lengths.sqrt())


class EncoderBlock(nn.Module):
    """Convolution with a residual connection."""

    def __init__(self, config: ConvolutionalConfig) -> None:
        super().__init__()
        self.convolution = GatedConvolution(config)

    def forward(self, x: Tensor, padding: Tensor | None) -> Tensor:
        """Transform x (B, T, hidden); `padding` (B, T) is zero to the convolution."""
        if padding is not None:
            x = x.masked_fill(padding[..., None], 0.0)
        width = self.convolution.kernel - 1
        # The source is padded on both sides, the target only on the left, so that it sees no later
        # token.
        padded = F.pad(x, (0, 0, width // 2, width - width // 2))
        return (self.convolution(padded) + x) * HALF


class DecoderBlock(nn.Module):
    """Causal convolution and attention, each with a residual connection."""

    def __init__(self, config: ConvolutionalConfig, layer: int) -> None:
        super().__init__()
        self.convolution = GatedConvolution(config)
        self.attention = ConvolutionalAttention(config, layer)
        self.state_value = ValueProbe("state", one_call="queries")

    def forward(
        self, x: Tensor, before: Tensor, embedded: Tensor, source: ReadSource
    ) -> tuple[Tensor, Tensor]:
        """Transform the next T positions x (B, T, hidden), given the inputs `before` them.

        `before` is (1 or B, kernel - 1, hidden). Returns the outputs and the last inputs, which the
        following positions see.
        """
        seen = torch.cat((before.expand(len(x), -1, -1).to(x.dtype), x), dim=1)
        hidden = self.state_value((self.convolution(seen) + x) * HALF)
        hidden = (hidden + self.attention(hidden, embedded, source)) * HALF
        return hidden, seen[:, x.shape[1] :]


@dataclass(frozen=True)
class ReadSource:
    """Source as attention sees it; B may be 1 for several hypotheses."""

    keys: Tensor  # z_j (B, T_src, d_model)
    annotations: Tensor  # sqrt(0.5) (z_j + e_j) (B, T_src, d_model)
    lengths: Tensor  # m (B, 1, 1), number of tokens read
    may_look: Tensor | None  # (B, 1, 1, T_src), None when nothing is padding


@dataclass(frozen=True)
class ConvolutionalState:
    """State of the hypotheses, and the source as it was read."""

    before: tuple[Tensor, ...]  # last inputs of each layer (1 or B, kernel - 1, hidden)
    source: ReadSource
    length: int  # tokens read

    def select(self, rows: Tensor) -> ConvolutionalState:
        """Keep and reorder hypotheses by `rows`."""
        return replace(self, before=tuple(inputs[rows] for inputs in self.before))


class ChangedConvolutional(ChangedStepwise):
    """`ChangedStepwise` with attention in every layer and all steps of a target at once."""

    @staticmethod
    def head_size(model: Any) -> int:
        return model.config.d_model

    @staticmethod
    def activations(model: Any, n_src: int, n_tgt: int) -> int:
        config = model.config
        positions = n_src * config.n_encoder_layers + n_tgt * config.n_decoder_layers
        compared = n_src * n_tgt * config.n_decoder_layers
        return (config.kernel + 5) * config.hidden_size * positions + 3 * compared


class Convolutional(Stepwise):
    """Blocks of convolutions over either side, with learned positions.

    Unlike the paper's, the weights are not normalised (Salimans and Kingma 2016), and the encoder's
    gradients are not divided by the number of attentions.
    """

    changed_as = ChangedConvolutional
    config: ConvolutionalConfig
    equations = (
        Equation(
            "annotations-convolution",
            r"\sqrt{0.5}\, (\mathbf{z}_j^u + \mathbf{e}_j), \quad j = 1 \dots m",
            "sources",
            "annotations",
        ),
        Equation(
            "state-convolution",
            r"\mathbf{h}_i^L = \sqrt{0.5}\, \big(v(W^L [\mathbf{h}_{i-k+1}^{L-1}; \dots; "
            r"\mathbf{h}_i^{L-1}] + \mathbf{b}^L) + \mathbf{h}_i^{L-1}\big)",
            "vector",
            "state",
        ),
        Equation(
            "query-convolution",
            r"\mathbf{d}_i^L = \sqrt{0.5}\, (W_d^L \mathbf{h}_i^L + \mathbf{b}_d^L + \mathbf{g}_i)",
            "vector",
            "query",
        ),
        Equation(
            "score-convolution", r"e_{ij} = \mathbf{d}_i^L \cdot \mathbf{z}_j^u", "terms", "query"
        ),
        Equation("softmax", r"a_{ij} = \frac{\exp(e_{ij})}{\sum_{t} \exp(e_{it})}", "softmax"),
        Equation(
            "context",
            r"\mathbf{c}_i = \sum_j a_{ij} \sqrt{0.5}\, (\mathbf{z}_j^u + \mathbf{e}_j)",
            "context",
            "context",
        ),
        Equation(
            "output-convolution",
            r"p(y_{i+1} \mid y_{\le i}, x) = \mathrm{softmax}\big(W_o \sqrt{0.5}\, "
            r"(\mathbf{h}_i^L + \sqrt{m}\, W_c \mathbf{c}_i + \mathbf{b}_c) + \mathbf{b}_o\big)",
            "output",
        ),
    )

    def __init__(self, config: ConvolutionalConfig) -> None:
        super().__init__(config)
        width = config.d_model
        hidden = config.hidden_size
        self.sites = (site_of(config),)
        self.source_positions = nn.Embedding(config.max_len, width)
        self.target_positions = nn.Embedding(config.max_len, width)
        self.encoder_input = nn.Linear(width, hidden)
        self.encoder_layers = nn.ModuleList(
            EncoderBlock(config) for _ in range(config.n_encoder_layers)
        )
        self.encoder_output = nn.Linear(hidden, width)
        self.decoder_input = nn.Linear(width, hidden)
        self.decoder_layers = nn.ModuleList(
            DecoderBlock(config, layer) for layer in range(config.n_decoder_layers)
        )
        self.decoder_output = nn.Linear(hidden, width)
        self.keys_value = ValueProbe("keys", one_call="pass")
        self.annotations_value = ValueProbe("annotations", one_call="pass", parts=("around",))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw normal weights of variance 1 / n for n inputs (section 3.5).

        Before a gated linear unit the variance is 4 p / n, where dropout keeps a share p of the
        inputs; embeddings have a deviation of 0.1.
        """
        kept = 1 - self.config.dropout
        for module in self.modules():
            if isinstance(module, nn.Embedding):
                nn.init.normal_(module.weight, std=0.1)
            elif isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, std=module.in_features**-0.5)
                nn.init.zeros_(module.bias)
        for module in self.modules():
            if isinstance(module, GatedConvolution):
                std = math.sqrt(4 * kept / module.linear.in_features)
                nn.init.normal_(module.linear.weight, std=std)

    def placed(self, ids: Tensor, positions: nn.Embedding, first: int = 0) -> Tensor:
        """Embed ids (B, T) as (B, T, d_model), with the learned positions from `first` on."""
        indices = torch.arange(first, first + ids.shape[1], device=ids.device)
        return self.dropout(self.embedding(ids) + positions(indices))

    def start(self, src: Tensor, unread: Tensor | None = None) -> ConvolutionalState:
        """Read sources as `Stepwise.start` does; neighbours of an unread token become adjacent."""
        unread = padding = self.left_out(src, unread)
        if unread is not None:
            # Convolutions mix neighbours, so unread tokens are moved to the end and treated as
            # padding.
            order = reading_order(unread, reverse=False)
            src = src.gather(1, order)
            padding = unread.gather(1, order)
        embedded = self.placed(src, self.source_positions)
        x = self.encoder_input(embedded)
        for layer in self.encoder_layers:
            x = layer(x, padding)
        keys = self.encoder_output(x)
        annotations = (keys + embedded) * HALF
        lengths = src.new_full((len(src), 1, 1), src.shape[1])
        may_look = None
        if unread is not None:
            # Back to the places of the tokens, where attention and figures expect them.
            inverse = order.argsort(dim=1)
            keys, annotations = (x.gather(1, wide(inverse, x)) for x in (keys, annotations))
            lengths = (~unread).sum(dim=1)[:, None, None]
            may_look = ~unread[:, None, None]
        source = ReadSource(
            self.keys_value(keys), self.annotations_value(annotations), lengths, may_look
        )
        # Zeros stand before the first token, as padding does in the paper.
        nothing = keys.new_zeros(1, self.config.kernel - 1, self.config.hidden_size)
        return ConvolutionalState((nothing,) * self.config.n_decoder_layers, source, 0)

    def read(self, state: ConvolutionalState, tgt: Tensor) -> tuple[Tensor, ConvolutionalState]:
        """Read the next T tokens `tgt` (B, T); return outputs (B, T, d_model) and the new state."""
        embedded = self.placed(tgt, self.target_positions, state.length)
        x = self.decoder_input(embedded)
        before = []
        for layer, inputs in zip(self.decoder_layers, state.before, strict=True):
            x, last = layer(x, inputs, embedded, state.source)
            before.append(last)
        output = self.dropout(self.decoder_output(x))
        return output, ConvolutionalState(tuple(before), state.source, state.length + tgt.shape[1])

    def score_terms(self, values: Mapping[str, Tensor]) -> Tensor:
        """Return the terms of each score of a step, (T_src, d_model), from `values` by probe."""
        return values["keys"] * values["query"]

    def step(self, state: ConvolutionalState, prev: Tensor) -> tuple[Tensor, ConvolutionalState]:
        """Read one token a hypothesis, `prev` (K,); return log-probabilities (K, V) and state."""
        output, state = self.read(state, prev[:, None])
        return self.logits(output[:, 0]).log_softmax(dim=-1), state

    def decode_hidden(self, src: Tensor, tgt: Tensor, unread: Tensor | None = None) -> Tensor:
        """Return outputs (B, T_tgt, d_model) of all steps at once."""
        return self.read(self.start(src, unread), tgt)[0]


FAMILY = Family(
    name="convolutional",
    config=ConvolutionalConfig,
    build=Convolutional,
    capabilities=WITH_ATTENTION | {"learned-positions"},
    drawing=lambda config: Drawing(
        Lane(("positions",), ("convolution",), config.n_encoder_layers),
        Lane(
            ("positions",),
            ("convolution", "cross"),
            config.n_decoder_layers,
            ("softmax", "search"),
        ),
    ),
    training="shared-output",
    paper=Paper(
        at=2017.6,
        sources="self",
        attention="in every layer",
        equation=r"\mathbf{h}_i^l = v(W^l [\mathbf{h}_{i-k/2}^{l-1}; \dots; "
        r"\mathbf{h}_{i+k/2}^{l-1}] + \mathbf{b}^l) + \mathbf{h}_i^{l-1}, \quad "
        r"v([A; B]) = A \otimes \sigma(B)",
    ),
)
