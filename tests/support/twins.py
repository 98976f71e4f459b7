"""The weights of our layers in torch's own."""

from __future__ import annotations

import torch
from torch import nn


@torch.no_grad()
def copy_attention(theirs: nn.MultiheadAttention, ours: nn.Module) -> None:
    parts = ours.query_proj, ours.key_proj, ours.value_proj
    theirs.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
    theirs.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
    theirs.out_proj.load_state_dict(ours.out_proj.state_dict())


def copy_layer(theirs: nn.Module, ours: nn.Module) -> None:
    """A layer of an encoder, or of a decoder, which looks across too."""
    copy_attention(theirs.self_attn, ours.self_attention)
    norms = [ours.self_attention_residual, ours.feed_forward_residual]
    if hasattr(ours, "cross_attention"):
        copy_attention(theirs.multihead_attn, ours.cross_attention)
        norms.insert(1, ours.cross_attention_residual)
    theirs.linear1.load_state_dict(ours.feed_forward.inner.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.outer.state_dict())
    for number, residual in enumerate(norms, start=1):
        getattr(theirs, f"norm{number}").load_state_dict(residual.norm.state_dict())
