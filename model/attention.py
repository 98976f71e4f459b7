"""Scaled dot-product and multi-head attention, and probes (Vaswani et al. 2017, section 3.2).

Here alone "is padding" and "lies in the future" turn into "may look".
"""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor, nn

from core.attention import AttentionSite

OneCall = Literal["pass", "step", "item"]
"""What a call of a probe holds: all queries of a pass, one query of it, or one of several maps."""


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


def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Weigh `value` by how well each query matches each key (eq. 1): query (B, H, T_q, d_k), key
    and value (B, H, T_k, d_k), `mask`, broadcastable to (B, H, T_q, T_k), True where a query may
    look. Gives the context (B, H, T_q, d_k), the weights (B, H, T_q, T_k), rows of which sum to
    one, and the scores q.k / sqrt(d_k) before mask and softmax."""
    scores = attention_scores(query, key)
    weights = attention_weights(scores, mask)
    return weights @ value, weights, scores


def attention_scores(query: Tensor, key: Tensor) -> Tensor:
    """q.k / sqrt(d_k); shapes as in `scaled_dot_product_attention`."""
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])


def attention_weights(scores: Tensor, mask: Tensor | None) -> Tensor:
    """Softmax over the keys that may be looked at; shapes as in `scaled_dot_product_attention`."""
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1)


class AttentionProbe(nn.Module):
    """Passes weights through unchanged: the place where forward hooks listen or intervene. It owns
    no parameters, so checkpoints do not know of it. A hook receives ``(probe, (weights, scores,
    mask, values), weights)``, weights and scores of shape (B, H, T_q, T_k), the mask (True = may
    look) broadcastable to it or None, the values (B or 1, H, T_k, d_v) that are weighed left out
    where a family does not tell them, and may return other weights to be used instead.

    It stands at a `site` and a `layer`, counted from 0. `one_call` is "pass" where a call holds
    every query; "step" where a decoder that goes step by step calls it once a query (T_q = 1), and
    capture joins the steps; "item" where a call is one of several maps of the site, the words of
    one sentence of a document, say."""

    def __init__(self, site: AttentionSite, layer: int = 0, *, one_call: OneCall = "pass") -> None:
        super().__init__()
        self.site = site
        self.layer = layer
        self.one_call = one_call

    @property
    def kind(self) -> str:
        """The name of the site."""
        return self.site.name

    def forward(
        self,
        weights: Tensor,
        scores: Tensor | None,
        mask: Tensor | None,
        values: Tensor | None = None,
    ) -> Tensor:
        return weights

    def extra_repr(self) -> str:
        return f"kind={self.kind!r}, layer={self.layer}"


class MultiHeadAttention(nn.Module):
    """H attentions side by side, concatenated and projected (section 3.2.2). The weights are always
    worked out in the open and pass through `probe`, so a run with listeners computes bit for bit
    what a run without computes. torch's fused attention would save little at sentence length, and
    on a CPU the backward of its kernel took two thirds of a training step. `d_head` is the width of
    a head where it is not d_model / H."""

    def __init__(
        self, d_model: int, n_heads: int, *, site: AttentionSite, layer: int, d_head: int = 0
    ) -> None:
        super().__init__()
        if d_model % n_heads and not d_head:
            raise ValueError(f"d_model {d_model} is not a multiple of n_heads {n_heads}")
        self.n_heads = n_heads
        width = n_heads * d_head or d_model
        self.query_proj = nn.Linear(d_model, width)
        self.key_proj = nn.Linear(d_model, width)
        self.value_proj = nn.Linear(d_model, width)
        self.out_proj = nn.Linear(width, d_model)
        self.probe = AttentionProbe(site, layer)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        bias: Tensor | None = None,
    ) -> Tensor:
        """query (B, T_q, d_model), key and value (B, T_k, d_model) -> (B, T_q, d_model). `mask` is
        True where a query may look, broadcastable to (B, H, T_q, T_k), as is `bias`, which is added
        to the scores."""
        q = self.split_heads(self.query_proj(query))
        k, v = self.project_memory(key, value)
        return self.merge_heads(self.attend(q, k, v, mask, bias))

    def project_memory(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """What a decoder caches: keys and values, each (B, H, T_k, d_k)."""
        return self.split_heads(self.key_proj(key)), self.split_heads(self.value_proj(value))

    def attend(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        mask: Tensor | None = None,
        bias: Tensor | None = None,
    ) -> Tensor:
        """Attention in the open: (B, H, T_q, d_k) queries -> (B, H, T_q, d_k) context."""
        scores = attention_scores(q, k)
        if bias is not None:
            scores = scores + bias
        weights = self.probe(attention_weights(scores, mask), scores, mask, v)
        return weights @ v

    def attend_shared(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """K one-token queries over one shared memory: (K, H, 1, d_k), (1, H, T_k, d_k). The K
        hypotheses of a beam take the place of query positions, so the memory is not copied K times;
        the probe still sees one row for each hypothesis, (K, H, 1, T_k)."""
        scores = attention_scores(q.permute(2, 1, 0, 3), k)
        weights = self.probe(
            attention_weights(scores, None).permute(2, 1, 0, 3), scores.permute(2, 1, 0, 3), None, v
        )
        return (weights.permute(2, 1, 0, 3) @ v).permute(2, 1, 0, 3)

    def split_heads(self, x: Tensor) -> Tensor:
        """(B, T, d_model) -> (B, H, T, d_k)."""
        return x.view(x.shape[0], x.shape[1], self.n_heads, -1).transpose(1, 2)

    def merge_heads(self, context: Tensor) -> Tensor:
        """(B, H, T, d_k) -> (B, T, d_model), concatenated and projected by W_O."""
        return self.out_proj(context.transpose(1, 2).flatten(2))
