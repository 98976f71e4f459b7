"""Scaled dot-product and multi-head attention with probes (Vaswani et al. 2017, section 3.2).

Padding and causality become "may attend" in this module and nowhere else.
"""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor, nn

from core.records.attention import AttentionSite

from .products import Linear

OneCall = Literal["pass", "step", "item"]
"""Content of one call of a probe: all queries of a pass, one query, or one of several maps."""


def causal_mask(length: int, *, device: torch.device | str | None = None) -> Tensor:
    """Return a bool Tensor (T, T), True where query i may attend to key j: j <= i."""
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()


def key_padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    """Return a bool Tensor (B, T) like `ids`, True where a key is padding."""
    return ids == pad_id


def attention_mask(padding: Tensor | None, causal: Tensor | None = None) -> Tensor | None:
    """Join a padding mask and a causal mask into one that is True where a query may attend.

    Parameters
    ----------
    padding : bool Tensor of shape (B, T_k), optional
        True at padding, the opposite of the result.
    causal : bool Tensor of shape (T_q, T_k), optional
        True where a query may attend.

    Returns
    -------
    bool Tensor of shape (B or 1, 1, T_q or 1, T_k), or None if everything is allowed
    """
    allowed = None if padding is None else ~padding[:, None, None, :]
    if causal is None:
        return allowed
    # Axes of batch and heads.
    causal = causal[None, None]
    return causal if allowed is None else allowed & causal


def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Weight `value` by how well each query matches each key (Vaswani et al. 2017, eq. 1).

    Parameters
    ----------
    query : Tensor of shape (B, H, T_q, d_k)
    key, value : Tensor of shape (B, H, T_k, d_k)
    mask : bool Tensor broadcastable to (B, H, T_q, T_k), optional
        True where a query may attend.

    Returns
    -------
    context : Tensor of shape (B, H, T_q, d_k)
    weights : Tensor of shape (B, H, T_q, T_k); each row sums to one
    scores : Tensor of shape (B, H, T_q, T_k), q.k / sqrt(d_k) before mask and softmax
    """
    scores = attention_scores(query, key)
    weights = attention_weights(scores, mask)
    return weights @ value, weights, scores


def attention_scores(query: Tensor, key: Tensor) -> Tensor:
    """Return q.k / sqrt(d_k); shapes as in `scaled_dot_product_attention`."""
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])


def attention_weights(scores: Tensor, mask: Tensor | None) -> Tensor:
    """Return the softmax over the keys that `mask` allows; a row without any key becomes NaN."""
    if mask is not None:
        # Minus infinity, not a large number: a masked weight is exactly 0, which checks rely on.
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1)


def reweighted(
    site: AttentionSite,
    weights: Tensor,
    before: tuple[Tensor, Tensor | None],
    after: tuple[Tensor, Tensor | None],
) -> Tensor:
    """Return the weights of other scores or another mask, each a pair (scores, mask).

    `weights` are those of `before`. A factor on the softmax, such as the Gaussian of local
    attention, is kept.
    """
    anew = attention_weights(*after)
    if site.normalised:
        return anew
    softmax = attention_weights(*before)
    # The factor is recovered by division, since hooks see only its product.
    return anew * torch.where(softmax > 0, weights / softmax, 0.0)


class AttentionProbe(nn.Module):
    """Identity module for attention weights: the point where forward hooks listen or intervene.

    It has no parameters, so checkpoints do not contain it. A hook receives ``(probe, (weights,
    scores, mask, values), weights)`` and may return other weights to be used instead. Weights and
    scores have the shape (B, H, T_q, T_k); the mask, True where a query may attend, is
    broadcastable to it or None; the values (B or 1, H, T_k, d_v) are absent where a family does not
    pass them.

    Parameters
    ----------
    site : AttentionSite
    layer : int, from 0
    one_call : OneCall
        "pass" if a call holds every query; "step" if a stepwise decoder calls once a query
        (T_q = 1), and capture joins the steps; "item" if a call is one of several maps of the
        site, such as the words of one sentence of a document.
    """

    def __init__(self, site: AttentionSite, layer: int = 0, *, one_call: OneCall = "pass") -> None:
        super().__init__()
        self.site = site
        self.layer = layer
        self.one_call = one_call

    @property
    def site_id(self) -> str:
        """Name of the site."""
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
        return f"site={self.site_id!r}, layer={self.layer}"


class MultiHeadAttention(nn.Module):
    """H attentions side by side, concatenated and projected (section 3.2.2).

    The weights are always computed explicitly and pass through `probe`, so a pass with listeners
    equals one without, bit for bit; a step of a search may run outside of this module
    (`model.families.plain_decoder`). torch's fused attention would save little in a whole pass over
    a sentence, and on a CPU the backward pass of its kernel took two thirds of a training step.
    `d_head` is the width of a head if it is not d_model / H.
    """

    def __init__(
        self, d_model: int, n_heads: int, *, site: AttentionSite, layer: int, d_head: int = 0
    ) -> None:
        super().__init__()
        # Without `d_head` the heads share d_model evenly.
        if d_model % n_heads and not d_head:
            raise ValueError(f"d_model {d_model} is not a multiple of n_heads {n_heads}")
        self.n_heads = n_heads
        width = n_heads * d_head or d_model
        self.query_proj = Linear(d_model, width)
        self.key_proj = Linear(d_model, width)
        self.value_proj = Linear(d_model, width)
        self.out_proj = Linear(width, d_model)
        self.probe = AttentionProbe(site, layer)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        bias: Tensor | None = None,
    ) -> Tensor:
        """Attend from `query` (B, T_q, d_model) to `key` and `value` (B, T_k, d_model).

        `mask` is True where a query may attend; `bias` is added to the scores. Both are
        broadcastable to (B, H, T_q, T_k). Returns (B, T_q, d_model).
        """
        q = self.split_heads(self.query_proj(query))
        k, v = self.project_memory(key, value)
        return self.merge_heads(self.attend(q, k, v, mask, bias))

    def project_memory(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """Return the keys and values that a decoder caches, each (B, H, T_k, d_k)."""
        return self.split_heads(self.key_proj(key)), self.split_heads(self.value_proj(value))

    def attend(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        mask: Tensor | None = None,
        bias: Tensor | None = None,
    ) -> Tensor:
        """Attend with the queries `q` (B, H, T_q, d_k) and return the context (B, H, T_q, d_k)."""
        scores = attention_scores(q, k)
        # Before the probe: captured scores include the bias.
        if bias is not None:
            scores = scores + bias
        # After mask and softmax and before the values are mixed, so that a hook may read or replace
        # weights.
        weights = self.probe(attention_weights(scores, mask), scores, mask, v)
        return weights @ v

    def attend_shared(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """Attend with K one-token queries (K, H, 1, d_k) to one shared memory (1, H, T_k, d_k).

        The K hypotheses of a beam take the place of query positions, so the memory is not copied K
        times. The probe still sees one row for each hypothesis, (K, H, 1, T_k).
        """
        # (K, H, 1, d_k) to (1, H, K, d_k) and back.
        scores = attention_scores(q.permute(2, 1, 0, 3), k)
        weights = self.probe(
            attention_weights(scores, None).permute(2, 1, 0, 3), scores.permute(2, 1, 0, 3), None, v
        )
        return (weights.permute(2, 1, 0, 3) @ v).permute(2, 1, 0, 3)

    def split_heads(self, x: Tensor) -> Tensor:
        """Reshape (B, T, d_model) to (B, H, T, d_k)."""
        # Head h owns the columns h d_k to (h + 1) d_k; checkpoints and converted formats rely on
        # that order.
        return x.view(x.shape[0], x.shape[1], self.n_heads, -1).transpose(1, 2)

    def merge_heads(self, context: Tensor) -> Tensor:
        """Concatenate heads (B, H, T, d_k) and project them by W_O to (B, T, d_model)."""
        return self.out_proj(context.transpose(1, 2).flatten(2))
