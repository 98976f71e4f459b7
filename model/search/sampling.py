"""Ancestral sampling: hypotheses drawn token by token."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from core.records.hypotheses import length_penalty
from core.records.search import FORCED, BeamNode, BeamTree, Sampling
from words import Message

from .beam import OUT_OF_LENGTH, STOPPED, check_prefix, check_prefix_id, check_source, length_limit
from .protocol import Seq2SeqModel


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
    # The limit of ever lower temperatures; a division by 0 would give NaN.
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
    model: Seq2SeqModel[Any],
    src: Tensor,
    sampling: Sampling,
    *,
    prefix: Sequence[int] = (),
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
    stop : callable, optional
        Polled before every step; True ends the samples where they are.
    token_of : callable from an id to its label

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    check_source(src)
    max_len = length_limit(sampling)
    prefix = check_prefix(prefix, max_len, model.config.eos_id)
    samples = _Samples(sampling, prefix, model.config, token_of)
    reason = OUT_OF_LENGTH
    state = model.start(src)
    prev = torch.full((1,), model.config.bos_id, dtype=torch.long, device=src.device)
    for step in range(1, max_len + 1):
        if stop is not None and stop():
            reason = STOPPED
            break
        log_probs, state = model.step(state, prev)  # (K, V)
        # Drawn on the CPU, so that a seed gives the same samples on every device.
        parents = samples.grow(log_probs.cpu())
        if not samples.live:
            break
        if step < max_len:
            state = model.select(state, torch.tensor(parents, device=src.device))
            prev = torch.tensor(samples.last_ids, device=src.device)
    return samples.tree(reason)


class _Samples:
    """Tree of samples as they grow.

    `live` are the ids of the unfinished nodes, each once; `ends` holds the node that each sample
    has reached, and `step` is the length of the unfinished ones.
    """

    def __init__(
        self,
        sampling: Sampling,
        prefix: tuple[int, ...],
        config: Any,
        token_of: Callable[[int], str],
    ) -> None:
        self.sampling = sampling
        self.prefix = prefix
        self.eos = config.eos_id
        self.token_of = token_of
        root = BeamNode(
            0, None, 0, token_of(config.bos_id), config.bos_id, 0.0, 0.0, 0.0, 0, "kept"
        )
        self.nodes = [root]
        self.ends = [0] * sampling.n_samples
        self.live = [0]
        self.step = 0
        self._generator = torch.Generator().manual_seed(sampling.seed)

    @property
    def last_ids(self) -> list[int]:
        """Last token of each live node."""
        return [self.nodes[node_id].token_id for node_id in self.live]

    def grow(self, log_probs: Tensor) -> list[int]:
        """Draw the next token of each unfinished sample.

        `log_probs` (K, V) has a row for each live node. Returns the rows of the parents of the
        nodes that are live afterwards.
        """
        self.step += 1
        row_of = {node_id: row for row, node_id in enumerate(self.live)}
        growing = [sample for sample, node_id in enumerate(self.ends) if node_id in row_of]
        rows = [row_of[self.ends[sample]] for sample in growing]
        probabilities = sampling_probabilities(self._allowed(log_probs), self.sampling)
        # A draw for each sample, not for each node: samples that share a node may part here.
        drawn = torch.multinomial(probabilities[rows], 1, generator=self._generator)
        tokens = drawn[:, 0].tolist()
        node_of = self._add(log_probs, rows, tokens)
        for sample, token in zip(growing, tokens, strict=True):
            self.ends[sample] = node_of[self.ends[sample], token]
        self.live = [node_id for (_, token), node_id in node_of.items() if token != self.eos]
        parents = (self.nodes[node_id].parent for node_id in self.live)
        return [row_of[parent] for parent in parents if parent is not None]

    def tree(self, reason: Message) -> BeamTree:
        """Return the samples as a record; `reason` says why live nodes were not grown."""
        for node_id in self.live:
            self.nodes[node_id] = replace(self.nodes[node_id], reason=reason)
        finished = [node for node in self.nodes if node.status == "finished"]
        # An unfinished sample is the best only if none has finished, as in a beam search.
        ends = finished or [self.nodes[node_id] for node_id in self.live]
        best = max(ends, key=lambda node: (node.score, -node.id))
        return BeamTree(
            tuple(self.nodes),
            self.sampling.n_samples,
            self.sampling.alpha,
            length_limit(self.sampling),
            best.id,
            self.sampling.penalty,
            min_len=self.sampling.min_len,
            prefix=self.prefix,
            method="sampling",
            samples=tuple(self.ends),
        )

    def _allowed(self, log_probs: Tensor) -> Tensor:
        """Return `log_probs` (K, V) with minus infinity for tokens that may not follow."""
        allowed = log_probs.clone()
        if self.step < self.sampling.min_len:
            allowed[:, self.eos] = -math.inf
        if self.step <= len(self.prefix):
            # This lifts the ban above: a prefix may end in ``</s>`` whatever `min_len` says.
            forced = self.prefix[self.step - 1]
            check_prefix_id(forced, log_probs.shape[1])
            allowed.fill_(-math.inf)[:, forced] = 0.0
        return allowed

    def _add(
        self, log_probs: Tensor, rows: Sequence[int], tokens: Sequence[int]
    ) -> dict[tuple[int, int], int]:
        """Add a node for each distinct draw, likeliest first; return ids by (parent, token).

        `rows` and `tokens` have an entry for each growing sample.
        """
        drawn = {}  # (parent, token) -> log-probability of the token, and of all so far
        for row, token in zip(rows, tokens, strict=True):
            parent = self.live[row]
            log_prob = float(log_probs[row, token])
            drawn[parent, token] = (log_prob, self.nodes[parent].cum_log_prob + log_prob)
        divisor = length_penalty(self.step, self.sampling.alpha, self.sampling.penalty)
        node_of = {}
        ordered = sorted(drawn.items(), key=lambda item: item[1][1], reverse=True)
        for rank, ((parent, token), (log_prob, total)) in enumerate(ordered):
            node = BeamNode(
                len(self.nodes),
                parent,
                self.step,
                self.token_of(token),
                token,
                log_prob,
                total,
                total / divisor,
                rank,
                "finished" if token == self.eos else "kept",
                FORCED if self.step <= len(self.prefix) else None,
            )
            self.nodes.append(node)
            node_of[parent, token] = node.id
        return node_of
