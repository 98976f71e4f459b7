"""Greedy and beam search over any `Seq2SeqModel`, kept as a tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from records import BeamNode, BeamTree

from .seq2seq import Seq2SeqModel

BEYOND_BEAM = "rank beyond the beam"
OUT_OF_LENGTH = "reached the maximum length"
SEARCH_ENDED = "search ended first"
NO_CHILD_KEPT = "no continuation stayed in the beam"


def length_penalty(length: int, alpha: float) -> float:
    """((5 + length) / 6) ** alpha (Wu et al. 2016, eq. 14); 1 for alpha 0.

    `length` counts produced tokens, ``</s>`` included. The score of a hypothesis is its summed
    log-probability divided by this.
    """
    return ((5.0 + length) / 6.0) ** alpha


def greedy_search(
    model: Seq2SeqModel, src: Tensor, *, max_len: int, token_of: Callable[[int], str] = str
) -> BeamTree:
    """Take the likeliest token at every step: a beam of one, with alpha 0."""
    return beam_search(model, src, beam_size=1, alpha=0.0, max_len=max_len, token_of=token_of)


def top_candidates(totals: Tensor, n: int, *, block: int = 64) -> tuple[Tensor, Tensor]:
    """Values and flat indices of the `n` largest entries of `totals`, largest first.

    The n largest lie in the n blocks with the largest maxima, so only those are sorted: several
    times faster than `topk` over beam times vocabulary.
    """
    flat = totals.flatten()
    if flat.numel() % block or flat.numel() < n * block:
        return flat.topk(n)
    blocks = flat.view(-1, block)
    nearest = blocks.amax(dim=1).topk(n).indices
    values, positions = blocks[nearest].flatten().topk(n)
    return values, nearest[positions // block] * block + positions % block


@torch.inference_mode()
def beam_search(
    model: Seq2SeqModel,
    src: Tensor,
    *,
    beam_size: int,
    alpha: float,
    max_len: int,
    n_runners_up: int = 0,
    token_of: Callable[[int], str] = str,
) -> BeamTree:
    """Grow the `beam_size` likeliest prefixes together, one token per step.

    Of the candidates of a step (every live prefix with every token), those that end in ``</s>``
    and rank within the beam are finished; the best `beam_size` others live on. The search ends
    when `beam_size` hypotheses have finished, when no live one can still beat the best finished
    one (its log-probability can only fall, and the penalty is largest at `max_len`), or at
    `max_len`. The penalty ranks finished hypotheses; live ones are all of one length.

    Parameters
    ----------
    src : ids (1, T_src), ``</s>`` included
    beam_size : live prefixes; more than there are candidates simply keeps them all
    alpha : exponent of `length_penalty`, 0 or more
    max_len : most tokens to produce, ``</s>`` included
    n_runners_up : candidates per step to keep in the tree although they were dropped
    token_of : spells an id, for the nodes

    Returns
    -------
    BeamTree whose root is ``<s>``; log-probabilities are natural and summed, never multiplied.

    Raises
    ------
    ValueError : an argument is out of range.
    """
    if src.dim() != 2 or src.shape[0] != 1:
        raise ValueError(f"src must be (1, T_src), found {tuple(src.shape)}")
    if beam_size < 1 or max_len < 1 or alpha < 0 or n_runners_up < 0:
        raise ValueError(
            f"expected beam_size and max_len of 1 or more, alpha and n_runners_up of 0 or more; "
            f"found {beam_size}, {max_len}, {alpha}, {n_runners_up}"
        )
    bos, eos = model.config.bos_id, model.config.eos_id
    penalties = [length_penalty(n, alpha) for n in range(max_len + 1)]
    nodes = [BeamNode(0, None, 0, token_of(bos), bos, 0.0, 0.0, 0.0, 0, "kept")]
    live = [0]
    finished: list[BeamNode] = []
    state = model.start(src)
    prev = torch.full((1,), bos, dtype=torch.long, device=src.device)
    cum = torch.zeros(1, device=src.device)

    for step in range(1, max_len + 1):
        log_probs, state = model.step(state, prev)  # (K, V)
        totals = cum[:, None] + log_probs
        n_classes = log_probs.shape[1]
        n_wanted = min(2 * beam_size + n_runners_up, totals.numel())
        top_totals, top_index = top_candidates(totals, n_wanted)
        rows = top_index.div(n_classes, rounding_mode="floor")
        tokens = top_index - rows * n_classes
        picked = log_probs[rows, tokens]

        next_live: list[int] = []
        next_rank: list[int] = []
        runners_up = 0
        candidates = zip(
            rows.tolist(), tokens.tolist(), picked.tolist(), top_totals.tolist(), strict=True
        )
        for rank, (row, token, log_prob, total) in enumerate(candidates):
            status, reason = "pruned", BEYOND_BEAM
            if token == eos:
                if rank < beam_size:
                    status, reason = "finished", ""
            elif len(next_live) < beam_size:
                status, reason = "kept", ""
            if status == "pruned":
                if runners_up == n_runners_up:
                    continue
                runners_up += 1
            node = BeamNode(
                len(nodes), live[row], step, token_of(token), token,
                log_prob, total, total / penalties[step], rank, status, reason,
            )  # fmt: skip
            nodes.append(node)
            if status == "finished":
                finished.append(node)
            elif status == "kept":
                next_live.append(node.id)
                next_rank.append(rank)

        grown = {nodes[i].parent for i in next_live} | {n.parent for n in finished}
        for node_id in live:
            if node_id not in grown:
                nodes[node_id] = replace(nodes[node_id], reason=NO_CHILD_KEPT)
        live = next_live
        if len(finished) >= beam_size or not live:
            break
        kept = torch.tensor(next_rank, device=src.device)
        prev, cum = tokens[kept], top_totals[kept]
        if finished:
            best_possible = float(cum[0]) / penalties[max_len]
            if best_possible <= max(node.score for node in finished):
                break
        if step < max_len:
            state = model.select(state, rows[kept])

    reason = OUT_OF_LENGTH if step == max_len else SEARCH_ENDED
    for node_id in live:
        nodes[node_id] = replace(nodes[node_id], reason=reason)
    ends = finished or [nodes[i] for i in live]
    best = max(ends, key=lambda node: (node.score, -node.id))
    return BeamTree(tuple(nodes), beam_size, alpha, max_len, best.id)
