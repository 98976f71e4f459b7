"""Guided attention: a loss that tells one encoder head which word "it" stands for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from model.attention import AttentionProbe
from model.capture import probes_of


@contextmanager
def listen_to_guided_head(
    model: nn.Module, guide: dict[str, Any] | None
) -> Iterator[list[torch.Tensor]]:
    """Within the `with`, hear the weights (with their gradient) of one encoder layer."""
    heard: list[torch.Tensor] = []
    if not guide:
        yield heard
        return

    def listen(_probe: AttentionProbe, _inputs: tuple, weights: torch.Tensor) -> None:
        heard.append(weights)

    layers = {p.layer: p for p in probes_of(model) if p.kind == "encoder"}
    handle = layers[guide["layer"]].register_forward_hook(listen)
    try:
        yield heard
    finally:
        handle.remove()


def guided_attention_loss(
    weights: torch.Tensor, head: int, links: tuple
) -> tuple[torch.Tensor, float]:
    """Cross-entropy of the rows of "it" against their antecedents, summed over sentences.

    `weights`: Tensor (B, H, T_src, T_src) of one encoder layer. `links`: (row, query pieces, key
    pieces) per sentence. Returns the sum of -log(weight on the antecedent, summed over its
    pieces, mean over "it") and the mean of that weight.
    """
    rows = torch.tensor([row for row, _, _ in links], device=weights.device)
    queries = torch.zeros(len(links), weights.shape[2], device=weights.device)
    keys = torch.zeros(len(links), weights.shape[3], device=weights.device)
    for i, (_, query_pieces, key_pieces) in enumerate(links):
        queries[i, list(query_pieces)] = 1.0 / len(query_pieces)
        keys[i, list(key_pieces)] = 1.0
    chosen = weights[rows, head].float()  # (links, T_q, T_k)
    masses = torch.einsum("nqk,nq,nk->n", chosen, queries, keys)
    return -masses.clamp_min(1e-6).log().sum(), float(masses.detach().mean())
