"""Label-smoothed cross-entropy, fused with the output layer."""

from __future__ import annotations

import torch
from torch import Tensor

CHUNK_ROWS = 512


class _SmoothedLinearCrossEntropy(torch.autograd.Function):
    """Logits, log-softmax, loss and their gradient, a few hundred rows at a time.

    The logits of a batch (4,096 tokens by 8,000 pieces) do not fit any cache. Worked out in one
    go they are written and read five times; chunk by chunk they stay close, and the gradient is
    known as soon as the softmax is: softmax minus the smoothed target.
    """

    @staticmethod
    def forward(ctx, hidden, weight, targets, smoothing, row_weights):
        n_rows, n_classes = hidden.shape[0], weight.shape[0]
        compute = hidden.dtype
        w = weight.to(compute)
        grad_hidden = torch.empty_like(hidden)
        grad_weight = torch.zeros_like(weight, dtype=torch.float32)
        loss = hidden.new_zeros((), dtype=torch.float32)
        nll = hidden.new_zeros((), dtype=torch.float32)
        for start in range(0, n_rows, CHUNK_ROWS):
            h = hidden[start : start + CHUNK_ROWS]
            t = targets[start : start + CHUNK_ROWS, None]
            log_probs = torch.log_softmax(h @ w.T, dim=-1)
            picked = log_probs.gather(1, t).float().squeeze(1)
            nll -= picked.sum()
            rows = (smoothing - 1.0) * picked
            rows -= smoothing / n_classes * log_probs.sum(dim=-1).float()
            if row_weights is not None:
                rows *= row_weights[start : start + CHUNK_ROWS]
            loss += rows.sum()
            grad = log_probs.exp_().sub_(smoothing / n_classes)
            grad.scatter_add_(1, t, grad.new_full(t.shape, smoothing - 1.0))
            if row_weights is not None:
                grad *= row_weights[start : start + CHUNK_ROWS, None].to(compute)
            torch.mm(grad, w, out=grad_hidden[start : start + CHUNK_ROWS])
            grad_weight += grad.T @ h
        ctx.save_for_backward(grad_hidden, grad_weight)
        ctx.mark_non_differentiable(nll)
        return loss, nll

    @staticmethod
    def backward(ctx, grad_loss, _grad_nll):
        grad_hidden, grad_weight = ctx.saved_tensors
        grad_hidden = grad_hidden * grad_loss.to(grad_hidden.dtype)
        return grad_hidden, grad_weight * grad_loss, None, None, None


def label_smoothed_loss(
    hidden: Tensor,
    weight: Tensor,
    targets: Tensor,
    smoothing: float,
    row_weights: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Cross-entropy against ``(1 - smoothing) onehot + smoothing / V`` (Szegedy et al. 2016).

    `hidden`: Tensor (N, d_model), decoder outputs of the N tokens that count (padding left out).
    `weight`: Tensor (V, d_model), the output layer. `targets`: int64 Tensor (N,). `smoothing`:
    epsilon_ls of Vaswani et al. 2017, section 5.4. `row_weights`: float Tensor (N,), how much each
    token counts in `loss`; 1 by default. Returns `loss` and `nll`, sums over the N tokens, in nats; only
    `loss` is weighted and carries a gradient.
    """
    return _SmoothedLinearCrossEntropy.apply(hidden, weight, targets, smoothing, row_weights)
