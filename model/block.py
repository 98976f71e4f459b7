"""The parts of a Transformer block that are not attention, each knowing where it stands."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor, nn

from records import SubLayer

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
