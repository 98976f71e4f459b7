"""Sinusoidal positions (Vaswani et al. 2017, section 3.5)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from analysis.positions import encoding_table


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
