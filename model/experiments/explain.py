"""Attention as an explanation: compared with leaving tokens out and with gradients.

Attention weights are compared with two other measures of importance, as Jain and Wallace (2019,
"Attention is not Explanation") do: the effect of leaving a token out (Li et al. 2016), and the
gradient of the output times the input.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
import torch
from torch import Tensor, nn

from core.explain import Explanation
from core.interventions.intervention import UNREAD, Intervention, hide, hiding_places
from core.records.sources import TokenSequence
from words import Message

from ..errors import InputError
from ..families.base import site_across
from ..hooks.capture import ForwardHook, capture_attention, listening
from ..hooks.interventions import intervening
from ..readers.experiment import experiment
from ..teacher_forcing import (
    MOST_LOGITS,
    differentiable,
    in_batches,
    read_ids,
    tensor_of,
    token_log_probs,
)
from .protocol import LoadedTranslator

Method = Literal["spearman", "kendall"]

# Most elements of a batch's largest tensor; bounds the memory for long sentences.
_MOST_ACTIVATIONS = 2**21
_MOST_PAIRS = 2**22


@experiment("teacher-forcing", "changes", slow=True)
def explain(
    reader: LoadedTranslator,
    src: TokenSequence,
    tgt: TokenSequence,
    *,
    hidden_from: str | None = None,
    method: Method = "spearman",
) -> Explanation:
    """Correlate every cross-attention row of a pair with leave-one-out drops and with gradients.

    `hidden_from` is one of `hiding_places`, by default the most thorough that there is. Raises
    InputError if the source is a single token, so that nothing can be hidden, and ValueError if
    there is no such `hidden_from` or `method`.
    """
    model = reader.model
    hidden_from = hidden_from or hidden_best(reader)
    reader.need(*hide(0, where=hidden_from).needs)
    weights, log_probs = read_pair(model, src.ids, tgt.ids)
    drops = log_probs[:, None] - leave_one_out(model, src.ids, tgt.ids, hidden_from=hidden_from)
    gradient = gradient_times_input(model, src.ids, tgt.ids)
    # Tokens without a drop, such as an unread ``</s>``, cannot be ranked.
    left_out = ~np.isnan(drops).any(axis=0)

    def with_drops(measure: np.ndarray) -> np.ndarray:
        return rank_correlation(measure[..., left_out], drops[:, left_out], method)

    return Explanation(
        src=src,
        tgt=tgt,
        hidden_from=hidden_from,
        method=method,
        log_probs=log_probs,
        drops=drops,
        gradient=gradient,
        to_drops=None if weights is None else with_drops(weights),
        to_gradient=None if weights is None else rank_correlation(weights, gradient, method),
        gradient_to_drops=with_drops(gradient),
    )


def hidden_best(reader: LoadedTranslator) -> str:
    """Return the most thorough way of hiding a source token from this model."""
    # `hiding_places` lists the most thorough way first.
    return next(iter(hiding_places(reader.sites, reader.capabilities)), "both")


@torch.inference_mode()
def read_pair(
    model: Any, src_ids: tuple[int, ...], tgt_ids: tuple[int, ...]
) -> tuple[np.ndarray | None, np.ndarray]:
    """Teacher-force a pair; return cross-attention weights and log-probabilities, both float32.

    The weights are (L, H, T_tgt, T_src), None without cross-attention; the natural
    log-probabilities of the target's tokens are (T_tgt,).
    """
    src, read, _ = _tensors(model, src_ids, tgt_ids)
    with capture_attention(model) as captured:
        logits = model(src, read)[0]
    site = site_across(model)
    weights = None if site is None else captured.weights(site.name)[0]
    return weights, token_log_probs(logits, tgt_ids).cpu().numpy()


@torch.inference_mode()
def leave_one_out(
    model: Any, src_ids: tuple[int, ...], tgt_ids: tuple[int, ...], *, hidden_from: str = "both"
) -> np.ndarray:
    """Return the log-probability of every target token with each source token hidden in turn.

    The result is float32 (T_tgt, T_src), token t with source token s hidden. It is NaN in the
    column of ``</s>`` if tokens are left unread, since ``</s>`` is always read. Raises InputError
    if the source is one token, or one word to be left unread; ValueError if there is no such
    `hidden_from`.
    """
    choices = ("both", UNREAD, *(site.name for site in model.sites if site.key == "source"))
    if hidden_from not in choices:
        raise ValueError(f"hidden_from is {hidden_from!r}, expected one of {', '.join(choices)}")
    n_src = len(src_ids)
    n_tgt = len(tgt_ids)
    n_hidden = n_src - 1 if hidden_from == UNREAD else n_src
    if n_hidden < 2:
        what = "word" if hidden_from == UNREAD else "token"
        raise InputError(
            Message(f"model-explain-one-{what}"), hint=Message("model-explain-one-token-hint")
        )
    src, read, _ = _tensors(model, src_ids, tgt_ids)
    rows = []
    for items in in_batches(n_hidden, n_tgt * model.config.vocab_size, MOST_LOGITS):
        hidden = [hide(position, where=hidden_from) for position in items]
        with intervening(model, hidden, n_src=n_src, n_tgt=n_tgt) as changed:
            rows.append(token_log_probs(changed(src, read), tgt_ids))
    log_probs = torch.cat(rows).T.cpu().numpy()
    return np.pad(log_probs, ((0, 0), (0, n_src - n_hidden)), constant_values=np.nan)


@experiment("teacher-forcing", "changes")
def drops_without(reader: LoadedTranslator, src: TokenSequence, tgt: TokenSequence) -> np.ndarray:
    """Return the drop in log p of each produced token without each source token.

    The result is float32 (T_tgt, T_src), NaN in the column of ``</s>`` if that must be read. A
    recurrent network skips the token; in a Transformer nothing attends to it. Raises InputError if
    nothing would be left of the source.
    """
    model = reader.model
    hidden_from = hidden_best(reader)
    reader.need(*hide(0, where=hidden_from).needs)
    without = leave_one_out(model, src.ids, tgt.ids, hidden_from=hidden_from)
    _, log_probs = read_pair(model, src.ids, tgt.ids)
    return log_probs[:, None] - without


def gradient_times_input(
    model: Any, src_ids: tuple[int, ...], tgt_ids: tuple[int, ...]
) -> np.ndarray:
    """Return the gradient of log p of each produced token times each source embedding.

    The result is float32 (T_tgt, T_src): the gradient with respect to a source token's embedding,
    before positions are added, times that embedding, summed over d_model. The factor sqrt(d_model)
    between the two cancels. Parameters get no gradient, and the model is unchanged.
    """
    n_src = len(src_ids)
    n_tgt = len(tgt_ids)
    size = model.changed_as.activations(model, n_src, n_tgt)
    embedding = model.embedding_of("source") if hasattr(model, "embedding_of") else model.embedding
    rows = []
    # One batch item for each produced token, so that one backward pass gives all their gradients.
    with differentiable():
        src, read, wanted = _tensors(model, src_ids, tgt_ids)
        for items in in_batches(n_tgt, size, _MOST_ACTIVATIONS):
            leaves: list[Tensor] = []
            as_it_is = [Intervention()] * len(items)
            with (
                listening({embedding: _beginning_at(leaves)}),
                intervening(model, as_it_is, n_src=n_src, n_tgt=n_tgt) as plain,
            ):
                hidden = plain.hidden(src, read)
            produced = torch.tensor(items, device=src.device)
            log_probs = model.logits(
                hidden[torch.arange(len(items), device=src.device), produced]
            ).log_softmax(dim=-1)  # (B, V)
            # Items do not interact, so the gradient of the sum is each item's own.
            total = log_probs.gather(-1, wanted[produced, None]).sum()
            (embedded,) = leaves
            (gradient,) = torch.autograd.grad(total, embedded)
            rows.append((gradient * embedded).sum(-1).detach())
    return torch.cat(rows).float().cpu().numpy()


def _beginning_at(leaves: list[Tensor]) -> ForwardHook:
    """Return a hook that makes the first output of an embedding a leaf, and adds it to `leaves`."""

    def begin(_module: nn.Module, _inputs: tuple[Tensor, ...], output: Tensor) -> Tensor | None:
        if leaves:  # a shared embedding reads the target next
            return None
        leaves.append(output.detach().clone().requires_grad_())
        return leaves[0]

    return begin


def rank_correlation(a: np.ndarray, b: np.ndarray, method: Method = "spearman") -> np.ndarray:
    """Return the rank correlation along the last axis, float32 from -1 to 1.

    NaN where either side is constant. `a` and `b` broadcast to (..., n). Both methods follow from
    the signs s_ij of all differences x_i - x_j. Spearman's rho is Pearson's correlation of the
    ranks, ties averaged; sum_j s_ij is twice such a rank up to a constant. Kendall's tau-b (Kendall
    1945) is the cosine of the two matrices of signs, which is (concordant - discordant) / sqrt((n_0
    - n_1)(n_0 - n_2)). Raises ValueError if there is no such `method`.
    """
    if method not in get_args(Method):
        raise ValueError(f"method is {method!r}, expected spearman or kendall")
    a, b = np.broadcast_arrays(a, b)
    shape = a.shape[:-1]
    n = a.shape[-1]
    a = a.reshape(-1, n)
    b = b.reshape(-1, n)
    correlations = np.full(len(a), np.nan, dtype=np.float32)
    for rows in in_batches(len(a), n * n, _MOST_PAIRS):
        x, y = (_compared(side[rows], method) for side in (a, b))
        both = np.einsum("ij,ij->i", x, y)
        sizes = np.einsum("ij,ij->i", x, x) * np.einsum("ij,ij->i", y, y)
        uneven = sizes > 0
        at = np.asarray(rows)[uneven]
        correlations[at] = both[uneven] / np.sqrt(sizes[uneven])
    return correlations.reshape(shape)


def _compared(rows: np.ndarray, method: Method) -> np.ndarray:
    """Return the vectors whose cosine is the correlation; whole numbers, so that ties are exact."""
    x = rows[:, :, None]
    y = rows[:, None, :]
    signs = (x > y).astype(np.float64) - (x < y)  # (N, n, n)
    return signs.sum(-1) if method == "spearman" else signs.reshape(len(rows), -1)


def _tensors(
    model: Any, src_ids: tuple[int, ...], tgt_ids: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the source (1, T_src), the decoder input (1, T_tgt) and the produced ids (T_tgt,)."""
    read = read_ids(model.config, tgt_ids)
    return tensor_of(model, src_ids), tensor_of(model, read), tensor_of(model, tgt_ids)[0]
