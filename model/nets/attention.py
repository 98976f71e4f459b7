"""Scaled dot-product attention with probes (Vaswani et al. 2017, section 3.2.1), and its masks.

Padding and causality become "may attend" in this module and nowhere else.
"""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor, nn

from core.records.attention import AttentionSite

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
