"""Sinusoidal positions (Vaswani et al. 2017, section 3.5)."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def sinusoidal_encoding(n_positions: int, d_model: int, base: float = 10_000.0) -> Tensor:
    """The table PE of section 3.5.

    ``PE[pos, 2i] = sin(pos / base^(2i / d_model))`` and ``PE[pos, 2i + 1]`` is its cosine.

    Returns
    -------
    float32 Tensor of shape (n_positions, d_model), worked out in float64

    Raises
    ------
    ValueError : d_model is odd.
    """
    if d_model % 2:
        raise ValueError(f"d_model must be even, found {d_model}")
    position = torch.arange(n_positions, dtype=torch.float64)[:, None]
    exponent = torch.arange(0, d_model, 2, dtype=torch.float64) / d_model
    angle = position / base**exponent  # (n_positions, d_model / 2)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1).float()


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
