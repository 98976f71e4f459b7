"""Dropout that takes its masks from a pool of random numbers drawn once.

On a CPU a quarter of a training step went into random numbers for dropout. Here they are drawn
once, and every call cuts its mask from a random position of the pool.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

# 67 MB in bfloat16, shared by all layers.
POOL_SIZE = 1 << 25


class PooledDropout(nn.Module):
    """Drop-in for `nn.Dropout` with masks from a shared pool (a Tensor of 0 and 1 / (1 - p)).

    The result has the pool's dtype: a bf16 pool keeps the residual stream in bf16, which saves the
    conversions that autocast would make around every linear layer.
    """

    def __init__(self, pool: Tensor) -> None:
        super().__init__()
        # A plain attribute, no buffer: state dicts and checkpoints must not hold the pool.
        self.pool = pool

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            return x
        start = int(torch.randint(max(1, self.pool.numel() - x.numel()), ()))
        mask = self.pool[start : start + x.numel()]
        # Only a pool smaller than the activation has to repeat itself.
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
    # Scaled here once, as inverted dropout does, so that evaluation needs no factor.
    keep = torch.rand(pool_size, generator=generator) >= p
    pool = (keep.to(dtype) / (1.0 - p)).to(device)
    for module in list(model.modules()):
        for name, child in module.named_children():
            if isinstance(child, nn.Dropout):
                setattr(module, name, PooledDropout(pool))
