"""Multi-head attention with a probe for its weights (Vaswani et al. 2017, section 3.2.2)."""

from __future__ import annotations

from torch import Tensor, nn

from core.records.attention import AttentionSite

from .attention import AttentionProbe, attention_scores, attention_weights
from .products import Linear


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
