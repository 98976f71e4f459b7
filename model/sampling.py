"""Ancestral sampling: hypotheses drawn token by token."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from core.hypotheses import length_penalty
from core.search import FORCED, BeamNode, BeamTree, PenaltyKind, Sampling

from .search import (
    OUT_OF_LENGTH,
    STOPPED,
    check_prefix,
    check_prefix_id,
    check_source,
    length_limit,
)
from .seq2seq import Seq2SeqModel


def sampling_probabilities(log_probs: Tensor, sampling: Sampling) -> Tensor:
    """Return the probabilities to draw from, (K, V), each row summing to one.

    `log_probs` (K, V) are natural, minus infinity for forbidden tokens. They are divided by the
    temperature (0 keeps the likeliest token alone), then cut to the `top_k` likeliest tokens (0
    keeps all), then to the fewest that hold `top_p` of what is left (1 keeps all; Holtzman et al.
    2020), then to those with at least `min_p` of the likeliest one's probability (0 keeps all;
    Nguyen et al. 2025).
    """
    temperature = sampling.temperature
    top_k = sampling.top_k
    top_p = sampling.top_p
    if temperature == 0:
        temperature = 1.0
        top_k = 1
    # Relative to the largest: its score stays 0 at the tiniest temperature, and no other becomes
    # plus infinity.
    scores = (log_probs - log_probs.amax(dim=-1, keepdim=True)).double() / temperature
    if 0 < top_k < scores.shape[-1]:
        values, indices = scores.topk(top_k, dim=-1)
        scores = torch.full_like(scores, -math.inf).scatter(-1, indices, values)
    probabilities = scores.softmax(dim=-1)
    if top_p < 1:
        ordered, indices = probabilities.sort(dim=-1, descending=True, stable=True)
        # Mass before each token: the token that crosses `top_p` is kept.
        before = ordered.cumsum(dim=-1) - ordered
        ordered = ordered.masked_fill(before >= top_p, 0.0)
        probabilities = torch.zeros_like(probabilities).scatter(-1, indices, ordered)
    least = sampling.min_p * probabilities.amax(dim=-1, keepdim=True)
    probabilities = probabilities.masked_fill(probabilities < least, 0.0)
    return probabilities / probabilities.sum(dim=-1, keepdim=True)


@torch.inference_mode()
def sample_search(
    model: Seq2SeqModel,
    src: Tensor,
    sampling: Sampling,
    *,
    prefix: Sequence[int] = (),
    alpha: float = 0.0,
    penalty: PenaltyKind = "wu",
    stop: Callable[[], bool] | None = None,
    token_of: Callable[[int], str] = str,
) -> BeamTree:
    """Draw `n_samples` hypotheses of at most `max_len` tokens, ``</s>`` included.

    Each token is drawn from `sampling_probabilities` (ancestral sampling) by a generator of this
    call alone. Samples that begin alike share nodes, and ``BeamTree.samples`` names the end of
    each, so equal samples are counted there. Every `log_prob` is the model's own, whatever the
    temperature; the rank of a node is its place among the nodes of its step.

    Parameters
    ----------
    model : Seq2SeqModel
    src : ids of shape (1, T_src)
    sampling : Sampling
    prefix : ids that every sample begins with, as in `beam_search`
    alpha, penalty
        Length penalty of `score` and `best`; drawing ignores it.
    stop : callable, optional
        Polled before every step; True ends the samples where they are.
    token_of : callable from an id to its label

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    check_source(src)
    if not alpha >= 0:
        raise ValueError(f"expected an alpha of 0 or more, found {alpha}")
    max_len = length_limit(sampling)
    n_samples = sampling.n_samples
    bos = model.config.bos_id
    eos = model.config.eos_id
    prefix = check_prefix(prefix, max_len, eos)
    generator = torch.Generator().manual_seed(sampling.seed)
    nodes = [BeamNode(0, None, 0, token_of(bos), bos, 0.0, 0.0, 0.0, 0, "kept")]
    ends = [0] * n_samples  # node that each sample has reached
    live = [0]  # unfinished nodes among them, each once
    reason = OUT_OF_LENGTH
    state = model.start(src)
    prev = torch.full((1,), bos, dtype=torch.long, device=src.device)

    for step in range(1, max_len + 1):
        if stop is not None and stop():
            reason = STOPPED
            break
        log_probs, state = model.step(state, prev)  # (K, V)
        # Drawn on the CPU, so that a seed gives the same samples on every device.
        log_probs = log_probs.cpu()
        row_of = {node_id: row for row, node_id in enumerate(live)}
        growing = [sample for sample, node_id in enumerate(ends) if node_id in row_of]
        rows = torch.tensor([row_of[ends[sample]] for sample in growing])
        may_follow = log_probs.clone()
        if step < sampling.min_len:
            may_follow[:, eos] = -math.inf
        if step <= len(prefix):
            check_prefix_id(prefix[step - 1], log_probs.shape[1])
            may_follow.fill_(-math.inf)[:, prefix[step - 1]] = 0.0
        probabilities = sampling_probabilities(may_follow, sampling)
        tokens = torch.multinomial(probabilities[rows], 1, generator=generator)[:, 0]

        drawn = {}  # (parent, token) -> log-probability of the token, and of all so far
        for row, token in zip(rows.tolist(), tokens.tolist(), strict=True):
            log_prob = float(log_probs[row, token])
            drawn[live[row], token] = (log_prob, nodes[live[row]].cum_log_prob + log_prob)
        divisor = length_penalty(step, alpha, penalty)
        node_of = {}
        ordered = sorted(drawn.items(), key=lambda item: item[1][1], reverse=True)
        for rank, ((parent, token), (log_prob, total)) in enumerate(ordered):
            status = "finished" if token == eos else "kept"
            node = BeamNode(
                len(nodes), parent, step, token_of(token), token,
                log_prob, total, total / divisor, rank, status,
                FORCED if step <= len(prefix) else None,
            )  # fmt: skip
            nodes.append(node)
            node_of[parent, token] = node.id
        for sample, token in zip(growing, tokens.tolist(), strict=True):
            ends[sample] = node_of[ends[sample], token]

        live = [node_id for (_, token), node_id in node_of.items() if token != eos]
        if not live:
            break
        if step < max_len:
            parents = [row_of[nodes[node_id].parent] for node_id in live]
            state = model.select(state, torch.tensor(parents, device=src.device))
            prev = torch.tensor([nodes[node_id].token_id for node_id in live], device=src.device)

    for node_id in live:
        nodes[node_id] = replace(nodes[node_id], reason=reason)
    finished = [node for node in nodes if node.status == "finished"]
    best = max(
        finished or [nodes[node_id] for node_id in live], key=lambda node: (node.score, -node.id)
    )
    return BeamTree(
        tuple(nodes), n_samples, alpha, max_len, best.id, penalty,
        min_len=sampling.min_len, prefix=prefix, method="sampling", samples=tuple(ends),
    )  # fmt: skip
