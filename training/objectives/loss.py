"""Losses of a training: label-smoothed cross-entropy, and the guided head's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.hooks.capture import probes_of
from model.nets.attention import AttentionProbe

# 512 rows of 8,000 logits in bfloat16 are 8 MB, which stay in the cache.
CHUNK_ROWS = 512


class _SmoothedLinearCrossEntropy(torch.autograd.Function):
    """Logits, log-softmax, loss and their gradient, a few hundred rows at a time.

    The logits of a batch (4,096 tokens by 8,000 pieces) fit no cache. Computed in one go they are
    written and read five times; chunk by chunk they stay close, and the gradient is known as soon
    as the softmax is: softmax minus the smoothed target.
    """

    @staticmethod
    def forward(ctx, hidden, weight, bias, targets, smoothing, row_weights):
        n_rows = hidden.shape[0]
        n_classes = weight.shape[0]
        compute = hidden.dtype
        w = weight.to(compute)
        # The weights' gradient sums thousands of rows, hence float32 also under bfloat16.
        grad_hidden = torch.empty_like(hidden)
        grad_weight = torch.zeros_like(weight, dtype=torch.float32)
        grad_bias = None if bias is None else torch.zeros_like(bias, dtype=torch.float32)
        loss = hidden.new_zeros((), dtype=torch.float32)
        nll = hidden.new_zeros((), dtype=torch.float32)
        for start in range(0, n_rows, CHUNK_ROWS):
            h = hidden[start : start + CHUNK_ROWS]
            t = targets[start : start + CHUNK_ROWS, None]
            logits = h @ w.T if bias is None else torch.addmm(bias.to(compute), h, w.T)
            log_probs = torch.log_softmax(logits, dim=-1)
            picked = log_probs.gather(1, t).float().squeeze(1)
            nll -= picked.sum()
            # -(1 - s) log p(target) - s / V sum_v log p(v)
            rows = (smoothing - 1.0) * picked
            rows -= smoothing / n_classes * log_probs.sum(dim=-1).float()
            if row_weights is not None:
                rows *= row_weights[start : start + CHUNK_ROWS]
            loss += rows.sum()
            # In place: from log p to p - s / V, then minus (1 - s) at the target.
            grad = log_probs.exp_().sub_(smoothing / n_classes)
            grad.scatter_add_(1, t, grad.new_full(t.shape, smoothing - 1.0))
            if row_weights is not None:
                grad *= row_weights[start : start + CHUNK_ROWS, None].to(compute)
            torch.mm(grad, w, out=grad_hidden[start : start + CHUNK_ROWS])
            grad_weight += grad.T @ h
            if grad_bias is not None:
                grad_bias += grad.sum(dim=0)
        ctx.save_for_backward(grad_hidden, grad_weight, grad_bias)
        ctx.mark_non_differentiable(nll)
        return loss, nll

    @staticmethod
    def backward(ctx, grad_loss, _grad_nll):
        grad_hidden, *of_output = ctx.saved_tensors
        # The gradient was computed for a factor of 1; autograd brings the real one.
        grad_hidden = grad_hidden * grad_loss.to(grad_hidden.dtype)
        grad_weight, grad_bias = (None if grad is None else grad * grad_loss for grad in of_output)
        # One value for each argument of `forward`; targets and numbers have none.
        return grad_hidden, grad_weight, grad_bias, None, None, None


def label_smoothed_loss(
    hidden: Tensor,
    weight: Tensor,
    targets: Tensor,
    smoothing: float,
    row_weights: Tensor | None = None,
    *,
    bias: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Cross-entropy against ``(1 - smoothing) onehot + smoothing / V`` (Szegedy et al. 2016).

    Parameters
    ----------
    hidden : Tensor of shape (N, d_model), decoder outputs of the N tokens that count (no padding)
    weight : Tensor of shape (V, d_model), the output layer
    targets : int64 Tensor of shape (N,)
    smoothing : epsilon_ls of Vaswani et al. 2017, section 5.4
    row_weights : float Tensor of shape (N,), weight of each token in `loss`; 1 by default
    bias : Tensor of shape (V,), of the output layer if it has one

    Returns
    -------
    loss, nll : sums over the N tokens, in nats; only `loss` is weighted and carries a gradient
    """
    return _SmoothedLinearCrossEntropy.apply(hidden, weight, bias, targets, smoothing, row_weights)


def summed_losses(logits: Tensor, targets: Tensor, smoothing: float) -> tuple[Tensor, Tensor, int]:
    """Return `loss`, `nll` and N as `label_smoothed_loss`, from logits (N, classes) at hand."""
    # Autocast leaves bfloat16 logits, too coarse for a log-softmax.
    logits = logits.float()
    loss = F.cross_entropy(logits, targets, label_smoothing=smoothing, reduction="sum")
    nll = F.cross_entropy(logits.detach(), targets, reduction="sum")
    return loss, nll, len(targets)


@contextmanager
def listen_to_guided_head(
    model: nn.Module, guide: dict[str, Any] | None
) -> Iterator[list[torch.Tensor]]:
    """Collect the attention weights of one encoder layer, with their gradient, inside a `with`.

    Yields an empty list that the forward pass fills; it stays empty without a `guide`.
    """
    layer_weights: list[torch.Tensor] = []
    if not guide:
        yield layer_weights
        return

    def listen(
        _probe: AttentionProbe, _inputs: tuple[torch.Tensor, ...], weights: torch.Tensor
    ) -> None:
        layer_weights.append(weights)

    layers = {p.layer: p for p in probes_of(model) if p.site_id == "encoder"}
    handle = layers[guide["layer"]].register_forward_hook(listen)
    try:
        yield layer_weights
    finally:
        handle.remove()


def guided_attention_loss(
    weights: torch.Tensor, head: int, links: tuple[Any, ...]
) -> tuple[torch.Tensor, float]:
    """Cross-entropy of the rows of "it" against their antecedents, summed over sentences.

    `weights`: Tensor (B, H, T_src, T_src) of one encoder layer. `links`: (row, query pieces, key
    pieces) per sentence. Returns the sum of -log(weight on the antecedent, summed over its pieces,
    mean over "it") and the mean of that weight.
    """
    rows = torch.tensor([row for row, _, _ in links], device=weights.device)
    queries = torch.zeros(len(links), weights.shape[2], device=weights.device)
    keys = torch.zeros(len(links), weights.shape[3], device=weights.device)
    for i, (_, query_pieces, key_pieces) in enumerate(links):
        # Mean over the pieces of "it", sum over those of the antecedent.
        queries[i, list(query_pieces)] = 1.0 / len(query_pieces)
        keys[i, list(key_pieces)] = 1.0
    chosen = weights[rows, head].float()  # (links, T_q, T_k)
    masses = torch.einsum("nqk,nq,nk->n", chosen, queries, keys)
    # Clamped: an untrained head may give its antecedent no weight at all.
    return -masses.clamp_min(1e-6).log().sum(), float(masses.detach().mean())
