"""Sub-layers of a Transformer block beside attention, positional encodings, and decoding caches."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.positions import SINES, encoding_table
from core.records.sublayers import SubLayer

from ..config import BlockConfig, PositionKind
from .products import Linear

ACTIVATIONS = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu-tanh": partial(F.gelu, approximate="tanh"),
    # 1.702 is the constant of Hendrycks and Gimpel 2016, section 2.
    "gelu-sigmoid": lambda x: x * torch.sigmoid(1.702 * x),
    "silu": F.silu,
}
"""Activations by their names in a config; Hendrycks and Gimpel 2016 for all kinds of GELU."""


class FeedForward(nn.Module):
    """Position-wise max(0, x W_1 + b_1) W_2 + b_2 (eq. 2), or with another of `ACTIVATIONS`.

    `gated` multiplies x W_1 + b_1 by the activation of a second such layer (Shazeer 2020).
    """

    def __init__(
        self, d_model: int, d_ff: int, activation: str = "relu", *, gated: bool = False
    ) -> None:
        super().__init__()
        self.activation = ACTIVATIONS[activation]
        self.inner = Linear(d_model, d_ff)
        self.gate = Linear(d_model, d_ff) if gated else None
        self.outer = Linear(d_ff, d_model)

    def forward(self, x: Tensor) -> Tensor:
        if self.gate is None:
            return self.outer(self.activation(self.inner(x)))
        return self.outer(self.activation(self.gate(x)) * self.inner(x))


def norm_of(config: BlockConfig) -> nn.Module:
    """Build the layer norm or root mean square norm over d_model that `config` asks for."""
    norm_class = nn.LayerNorm if config.norm_kind == "layer" else nn.RMSNorm
    return norm_class(config.d_model, eps=config.layer_norm_eps)


def bias_of(norm: Any) -> Tensor:
    """Return the bias of a norm (d_model,), zeros for a root mean square norm."""
    return torch.zeros_like(norm.weight) if isinstance(norm, nn.RMSNorm) else norm.bias


class OutputTransform(nn.Module):
    """Layer with the activation and a norm, between the last state and the output layer.

    The prediction head of BERT's released code; Devlin et al. 2019 do not describe it.
    """

    def __init__(self, config: BlockConfig) -> None:
        super().__init__()
        self.activation = ACTIVATIONS[config.activation]
        self.dense = Linear(config.d_model, config.d_model)
        self.norm = norm_of(config)

    def forward(self, hidden: Tensor) -> Tensor:
        return self.norm(self.activation(self.dense(hidden)))


class Residual(nn.Module):
    """Residual connection around a sub-layer, LayerNorm(x + Dropout(Sublayer(x))) (section 3.1).

    It is also the hook point of a sub-layer: a forward hook receives ``(residual, (x,
    sublayer_output), output)``, all of shape (B, T, d_model). A pre-hook may remove `x`; a hook on
    `norm` may remove the norm. With `pre_norm` (Xiong et al. 2020) the norm stands before the
    sub-layer: `entering` applies it, and `forward` is the sum alone.
    """

    def __init__(self, config: BlockConfig, sublayer: SubLayer) -> None:
        super().__init__()
        self.sublayer = sublayer
        self.pre_norm = config.norm == "before"
        self.norm = norm_of(config)
        self.dropout = nn.Dropout(config.dropout)

    def entering(self, x: Tensor) -> Tensor:
        """Return the input of the sub-layer, (B, T, d_model): `x`, or its norm with `pre_norm`."""
        return self.norm(x) if self.pre_norm else x

    def forward(self, x: Tensor, sublayer_output: Tensor) -> Tensor:
        total = x + self.dropout(sublayer_output)
        return total if self.pre_norm else self.norm(total)


def sublayers_of(model: nn.Module) -> tuple[SubLayer, ...]:
    """Return stack, layer and name of a model's sub-layers, in the order of `residuals_of`."""
    return tuple(residual.sublayer for residual in residuals_of(model))


def residuals_of(model: nn.Module) -> list[Residual]:
    """Return every residual connection, in the order in which a sentence passes through them."""
    # `modules` follows the order of registration, which the layers keep equal to that of `forward`.
    return [module for module in model.modules() if isinstance(module, Residual)]


def sinusoidal_encoding(
    n_positions: int,
    d_model: int,
    base: float = 10_000.0,
    layout: PositionKind = "sines",
    offset: int = 0,
) -> Tensor:
    """Return the table PE of section 3.5, float32 (n_positions, d_model), see `encoding_table`.

    Raises ValueError if `d_model` is odd.
    """
    # Computed in float64: in float32 the angles of late positions lose their last digits.
    table = encoding_table(n_positions, d_model, base, layout, offset)
    return torch.as_tensor(table, dtype=torch.float32)


class PositionalEncoding(nn.Module):
    """Add the encodings of positions `start`, `start + 1`, ... to x (B, T, d_model).

    The table holds sines computed in float64, learned vectors, or zeros where positions are
    relative.
    """

    def __init__(self, config: BlockConfig) -> None:
        super().__init__()
        size = (config.max_len, config.d_model)
        if config.positions == "learned":
            self.table = nn.Parameter(torch.zeros(size))
            return
        table = torch.zeros(size)
        if config.positions in SINES:
            table = sinusoidal_encoding(
                *size, config.position_base, config.positions, config.position_offset
            )
        # Not persistent: sines follow from the config, so checkpoints need not store them.
        self.register_buffer("table", table, persistent=False)

    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        end = start + x.shape[1]
        if end > self.table.shape[0]:
            raise ValueError(f"position {end - 1} is beyond the model's {self.table.shape[0]}")
        return x + self.table[start:end].to(x.dtype)


class RelativeBias(nn.Embedding):
    """Bias of the scores by the distance of key and query (Raffel et al. 2020, section 2.1).

    Distances fall into `relative_buckets`: half of them one distance each, the others
    logarithmically wider up to `relative_distance`. Both directions share the buckets unless
    `causal`, where all look back.
    """

    def __init__(self, config: BlockConfig, *, causal: bool) -> None:
        super().__init__(config.relative_buckets, config.n_heads)
        self.causal = causal
        self.distance = config.relative_distance

    def forward(self, n_queries: int, n_keys: int, start: int = 0) -> Tensor:
        """Return the bias (1, H, T_q, T_k) of queries from position `start` and keys from 0."""
        device = self.weight.device
        queries = torch.arange(start, start + n_queries, device=device)
        offsets = torch.arange(n_keys, device=device) - queries[:, None]
        return super().forward(self.buckets(offsets)).permute(2, 0, 1)[None]

    def buckets(self, offsets: Tensor) -> Tensor:
        """Return the bucket of each offset, key position minus query position."""
        n = self.num_embeddings
        first = torch.zeros_like(offsets)
        # Keys ahead of the query are masked; they share bucket 0 so that the index stays valid.
        if self.causal:
            distances = (-offsets).clamp(min=0)
        else:
            n //= 2
            first = (offsets > 0) * n
            distances = offsets.abs()
        exact = n // 2
        # Clamped because log(0) would be minus infinity; `torch.where` discards these entries
        # below.
        wider = (distances.clamp(min=1).float() / exact).log() / math.log(self.distance / exact)
        wide = (exact + (wider * (n - exact)).long()).clamp(max=n - 1)
        return first + torch.where(distances < exact, distances, wide)


class SSRU(nn.Module):
    """Simpler simple recurrent unit (Kim et al. 2019), in place of the decoder's self-attention.

    f = sigmoid(x W_f + b_f), the cell c = f c' + (1 - f) (x W), and the output relu(c).
    """

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.input_proj = nn.Linear(d_model, d_model, bias=False)
        self.forget_proj = nn.Linear(d_model, d_model)

    def forward(self, x: Tensor, cell: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Run over x (B, T, d_model) from `cell` (B, d_model), zeros if None.

        Returns the outputs (B, T, d_model) and the cell after the last position.
        """
        kept = self.forget_proj(x).sigmoid()
        added = (1 - kept) * self.input_proj(x)
        cell = torch.zeros_like(x[:, 0]) if cell is None else cell
        cells = []
        for keeps, adds in zip(kept.unbind(1), added.unbind(1), strict=True):
            cell = keeps * cell + adds
            cells.append(cell)
        return torch.stack(cells, dim=1).relu(), cell


@dataclass(frozen=True)
class LayerCache:
    """Keys and values that one decoder layer has computed already."""

    # (1, H, T_src, d_k) of the source, shared by all hypotheses, or one for each of K.
    memory_keys: Tensor
    memory_values: Tensor
    # (K, t, 2, H, d_k): keys and values of the t tokens read so far; None before the first. In one
    # tensor, so that a step copies once and reordering hypotheses copies once.
    past: Tensor | None = None
    cell: Tensor | None = None  # (K, d_model) of a recurrence instead of self-attention

    def extended(self, new: Tensor) -> LayerCache:
        """Return the cache with keys and values of another token, `new` (K, 1, 2, H, d_k)."""
        # `torch.cat` makes a new tensor: states are values and stay usable.
        past = new if self.past is None else torch.cat((self.past, new), dim=1)
        return replace(self, past=past)

    def select(self, rows: Tensor) -> LayerCache:
        """Return the cache of the hypotheses `rows`; the memory is shared and stays."""
        past = None if self.past is None else self.past.index_select(0, rows)
        cell = None if self.cell is None else self.cell.index_select(0, rows)
        return replace(self, past=past, cell=cell)

    @property
    def keys(self) -> Tensor:
        """Keys of self-attention, (K, H, t, d_k)."""
        assert self.past is not None
        return self.past[:, :, 0].transpose(1, 2)

    @property
    def values(self) -> Tensor:
        """Values of self-attention, (K, H, t, d_k)."""
        assert self.past is not None
        return self.past[:, :, 1].transpose(1, 2)


@dataclass(frozen=True)
class TransformerState:
    """State of a search: `length` tokens read, and one cache a decoder layer."""

    length: int
    layers: tuple[LayerCache, ...]
