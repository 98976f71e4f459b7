"""Dropout that draws from a pool of random numbers made once.

On a CPU a quarter of a training step went into random numbers for dropout. Here they are drawn
once, and every call takes its mask from a random place in the pool.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

POOL_SIZE = 1 << 25


class PooledDropout(nn.Module):
    """Like `nn.Dropout`, with masks cut from a shared pool (a Tensor of 0 and 1 / (1 - p)).

    The result has the pool's dtype: a bf16 pool keeps the residual stream in bf16, which saves the
    conversions that autocast would make around every linear layer.
    """

    def __init__(self, pool: Tensor) -> None:
        super().__init__()
        self.pool = pool

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            return x
        start = int(torch.randint(max(1, self.pool.numel() - x.numel()), ()))
        mask = self.pool[start : start + x.numel()]
        if mask.numel() < x.numel():
            mask = mask.repeat(-(-x.numel() // mask.numel()))[: x.numel()]
        return x.to(mask.dtype) * mask.view(x.shape)


def use_pooled_dropout(
    model: nn.Module,
    p: float,
    dtype: torch.dtype,
    *,
    seed: int = 0,
    device: torch.device | str = "cpu",
    pool_size: int = POOL_SIZE,
) -> None:
    """Replace every `nn.Dropout` in `model` by one that shares a single pool of masks."""
    generator = torch.Generator().manual_seed(seed)
    keep = torch.rand(pool_size, generator=generator) >= p
    pool = (keep.to(dtype) / (1.0 - p)).to(device)
    for module in list(model.modules()):
        for name, child in module.named_children():
            if isinstance(child, nn.Dropout):
                setattr(module, name, PooledDropout(pool))
