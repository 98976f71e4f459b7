"""The parts of a Transformer block that are not attention, and the positions before the first."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.block import SubLayer
from core.positions import encoding_table

from .config import TransformerConfig


class FeedForward(nn.Module):
    """max(0, x W_1 + b_1) W_2 + b_2 at every position (eq. 2)."""

    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        self.inner = nn.Linear(d_model, d_ff)
        self.outer = nn.Linear(d_ff, d_model)

    def forward(self, x: Tensor) -> Tensor:
        return self.outer(F.relu(self.inner(x)))


class Residual(nn.Module):
    """LayerNorm(x + Dropout(Sublayer(x))): the connection around every sub-layer (section 3.1).
    Also the place where hooks listen to a sub-layer: one receives ``(residual, (x,
    sublayer_output), output)``, all of shape (B, T, d_model). A hook before it may take `x` away,
    one on `norm` the norm. A family whose norm comes before the sub-layer, `pre_norm` (Xiong et al.
    2020), calls this module all the same, which then is the sum alone."""

    pre_norm = False

    def __init__(self, config: TransformerConfig, place: SubLayer) -> None:
        super().__init__()
        self.place = place
        self.norm = nn.LayerNorm(config.d_model, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, sublayer_output: Tensor) -> Tensor:
        return self.norm(x + self.dropout(sublayer_output))


def sublayers_of(model: nn.Module) -> tuple[SubLayer, ...]:
    """Where its sub-layers stand, in that order."""
    return tuple(residual.place for residual in residuals_of(model))


def residuals_of(model: nn.Module) -> list[Residual]:
    """Every sub-layer's connection, in the order in which a sentence passes through them."""
    return [module for module in model.modules() if isinstance(module, Residual)]


def sinusoidal_encoding(n_positions: int, d_model: int, base: float = 10_000.0) -> Tensor:
    """The table PE of section 3.5 (see `encoding_table`): float32 (n_positions, d_model), worked
    out in float64; ValueError where d_model is odd."""
    return torch.as_tensor(encoding_table(n_positions, d_model, base), dtype=torch.float32)


class PositionalEncoding(nn.Module):
    """Adds the encoding of positions `start`, `start + 1`, ... to x (B, T, d_model)."""

    def __init__(self, max_len: int, d_model: int, base: float = 10_000.0) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model, base), persistent=False)

    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        end = start + x.shape[1]
        if end > self.table.shape[0]:
            raise ValueError(f"position {end - 1} is beyond the model's {self.table.shape[0]}")
        return x + self.table[start:end].to(x.dtype)
