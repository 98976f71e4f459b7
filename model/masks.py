"""The one place that turns "is padding" and "lies in the future" into "may look"."""

from __future__ import annotations

import torch
from torch import Tensor


def causal_mask(length: int, *, device: torch.device | str | None = None) -> Tensor:
    """Bool Tensor (T, T), True where query position i may look at key position j: j <= i."""
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()


def key_padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    """Bool Tensor (B, T) like `ids`, True where a key is padding."""
    return ids == pad_id


def attention_mask(padding: Tensor | None, causal: Tensor | None = None) -> Tensor | None:
    """Join a key padding mask (B, T_k), True = is padding, and a causal mask (T_q, T_k), True = may
    look, into "may look", (B or 1, 1, T_q or 1, T_k); None when every look is allowed."""
    allowed = None if padding is None else ~padding[:, None, None, :]
    if causal is None:
        return allowed
    causal = causal[None, None]
    return causal if allowed is None else allowed & causal
