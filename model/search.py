"""Greedy and beam search over any `Seq2SeqModel`, kept as a tree."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from analysis.penalties import length_penalty
from records import FORCED, PENALISE, BeamNode, BeamTree, Penalise, PenaltyKind
from words import Message

from .seq2seq import Seq2SeqModel

BEYOND_BEAM = Message("model-reason-beyond-beam")
OVERTAKEN = Message("model-reason-overtaken")
TOO_SHORT = Message("model-reason-too-short")
OUT_OF_LENGTH = Message("model-reason-out-of-length")
SEARCH_ENDED = Message("model-reason-search-ended")
STOPPED = Message("model-reason-stopped")
NO_CHILD_KEPT = Message("model-reason-no-child-kept")
NOTHING_FOLLOWS = Message("model-reason-nothing-follows")

Allowed = Callable[[tuple[int, ...]], Tensor | None]
"""What may follow the given ids, prefix left out: bool (V,), or None for anything."""


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


def check_source(src: Tensor) -> None:
    """Raise ValueError unless `src` is one source: ids (1, T_src), or features (1, T_src, ...)."""
    if src.dim() < 2 or src.shape[0] != 1:
        raise ValueError(f"src must be (1, T_src) or (1, T_src, ...), found {tuple(src.shape)}")


def check_lengths(min_len: int, max_len: int, alpha: float) -> None:
    """Raise ValueError unless 0 <= min_len <= max_len, max_len >= 1 and alpha >= 0."""
    if max_len < 1 or not 0 <= min_len <= max_len or not alpha >= 0:
        raise ValueError(
            f"expected max_len of 1 or more, min_len of 0 to max_len, alpha of 0 or more; "
            f"found {max_len}, {min_len}, {alpha}"
        )


@torch.inference_mode()
def beam_search(
    model: Seq2SeqModel,
    src: Tensor,
    *,
    beam_size: int,
    alpha: float,
    max_len: int,
    n_runners_up: int = 0,
    penalty: PenaltyKind = "wu",
    penalise: Penalise = "final",
    min_len: int = 0,
    prefix: Sequence[int] = (),
    allowed: Allowed | None = None,
    stop: Callable[[], bool] | None = None,
    token_of: Callable[[int], str] = str,
) -> BeamTree:
    """Grow the `beam_size` likeliest prefixes together, one token per step.

    The penalty acts where `penalise` says:

    - "final": of the candidates of a step (every live prefix with every token), those that end in
      ``</s>`` and rank within the beam are finished; the best `beam_size` others live on. The
      penalty ranks finished hypotheses only; live ones are all of one length.
    - "pruning": a finished hypothesis keeps its place, so that fewer live ones remain, and defends
      it by its score against those of longer candidates. One that loses its place is pruned.

    The search ends when `beam_size` hypotheses have finished, when no live one can still beat the
    best finished one (its log-probability can only fall, and the penalty is largest at `max_len`),
    or at `max_len`.

    Parameters
    ----------
    src : ids (1, T_src), ``</s>`` included
    beam_size : live prefixes; more than there are candidates simply keeps them all
    alpha : exponent of `length_penalty`, 0 or more
    max_len : most tokens to produce, ``</s>`` included
    n_runners_up : candidates per step to keep in the tree although they were dropped
    penalty : kind of `length_penalty`
    penalise : "final" or "pruning"
    min_len : fewest tokens to produce, ``</s>`` included; before that ``</s>`` is dropped, and the
        probability it had is not shared out
    prefix : ids that every hypothesis must begin with; the search grows from there. The nodes
        carry their real log-probability and rank, and `FORCED` as their reason. ``</s>`` may come
        last, whatever `min_len` says
    allowed : what may follow, for searches that must spell something
    stop : asked before every step; True ends the search with what there is
    token_of : spells an id, for the nodes

    Returns
    -------
    BeamTree whose root is ``<s>``; log-probabilities are natural and summed, never multiplied.

    Raises
    ------
    ValueError : an argument is out of range.
    """
    check_source(src)
    check_lengths(min_len, max_len, alpha)
    if beam_size < 1 or n_runners_up < 0:
        raise ValueError(
            f"expected beam_size of 1 or more, n_runners_up of 0 or more; "
            f"found {beam_size}, {n_runners_up}"
        )
    if penalise not in PENALISE:
        raise ValueError(f"penalise is {penalise!r}, expected one of {', '.join(PENALISE)}")
    bos, eos = model.config.bos_id, model.config.eos_id
    prefix = tuple(prefix)
    if len(prefix) > max_len or eos in prefix[:-1]:
        raise ValueError(
            f"expected a prefix of at most {max_len} tokens with </s> nowhere but last; "
            f"found {prefix}"
        )
    penalties = [length_penalty(n, alpha, penalty) for n in range(max_len + 1)]
    nodes = [BeamNode(0, None, 0, token_of(bos), bos, 0.0, 0.0, 0.0, 0, "kept")]
    state = model.start(src)
    prev = torch.full((1,), bos, dtype=torch.long, device=src.device)
    cum = torch.zeros(1, device=src.device)

    for token in prefix:
        log_probs, state = model.step(state, prev)  # (1, V)
        nodes.append(_forced(nodes[-1], token, log_probs[0], penalties, eos, token_of))
        prev = torch.full_like(prev, token)
        cum = cum + log_probs[:, token]

    step = len(prefix)
    ended = eos in prefix
    live = [] if ended else [step]
    finished = [nodes[step]] if ended else []  # those that still have their place
    reason = None
    while live and step < max_len:
        if stop is not None and stop():
            reason = STOPPED
            break
        step += 1
        log_probs, state = model.step(state, prev)  # (K, V)
        totals = cum[:, None] + log_probs
        if allowed is not None:
            totals = _forbid(totals, nodes, live, len(prefix), allowed)
        n_classes = log_probs.shape[1]
        n_wanted = min(2 * beam_size + n_runners_up, totals.numel())
        top_totals, top_index = top_candidates(totals, n_wanted)
        rows = top_index.div(n_classes, rounding_mode="floor")
        tokens = top_index - rows * n_classes
        picked = log_probs[rows, tokens]

        finished.sort(key=lambda node: -node.score)
        next_live: list[int] = []
        next_rank: list[int] = []
        ending: list[BeamNode] = []
        runners_up = 0
        candidates = zip(
            rows.tolist(), tokens.tolist(), picked.tolist(), top_totals.tolist(), strict=True
        )
        for rank, (row, token, log_prob, total) in enumerate(candidates):
            if total == -math.inf:
                break
            score = total / penalties[step]
            if penalise == "pruning":
                ahead = sum(node.score >= score for node in finished)
                has_place = ahead + len(next_live) + len(ending) < beam_size
            elif token == eos:
                has_place = rank < beam_size
            else:
                has_place = len(next_live) < beam_size
            status, why = "pruned", BEYOND_BEAM
            if token == eos and step < min_len:
                why = TOO_SHORT
            elif has_place:
                status, why = ("finished" if token == eos else "kept"), None
            if status == "pruned":
                if runners_up == n_runners_up:
                    continue
                runners_up += 1
            node = BeamNode(
                len(nodes), live[row], step, token_of(token), token,
                log_prob, total, score, rank, status, why,
            )  # fmt: skip
            nodes.append(node)
            if status == "finished":
                ending.append(node)
            elif status == "kept":
                next_live.append(node.id)
                next_rank.append(rank)

        if penalise == "pruning":
            n_places = beam_size - len(next_live) - len(ending)
            for node in finished[n_places:]:
                nodes[node.id] = replace(node, status="pruned", reason=OVERTAKEN)
            finished = finished[:n_places]
        finished += ending
        if not next_live and not finished:
            reason = NOTHING_FOLLOWS
            break
        grown = {nodes[i].parent for i in next_live} | {node.parent for node in ending}
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

    reason = reason or (OUT_OF_LENGTH if step == max_len else SEARCH_ENDED)
    for node_id in live:
        nodes[node_id] = replace(nodes[node_id], reason=reason)
    ends = finished or [nodes[i] for i in live]
    best = max(ends, key=lambda node: (node.score, -node.id))
    return BeamTree(
        tuple(nodes), beam_size, alpha, max_len, best.id, penalty, penalise, min_len, prefix
    )


def _forced(
    parent: BeamNode,
    token: int,
    log_probs: Tensor,
    penalties: list[float],
    eos: int,
    token_of: Callable[[int], str],
) -> BeamNode:
    """The only child of `parent`, with its own place among all `log_probs` (V,)."""
    if not 0 <= token < len(log_probs):
        raise ValueError(f"expected prefix ids of 0 to {len(log_probs) - 1}, found {token}")
    log_prob = float(log_probs[token])
    cum = parent.cum_log_prob + log_prob
    step = parent.step + 1
    rank = int((log_probs > log_probs[token]).sum())
    status = "finished" if token == eos else "kept"
    return BeamNode(
        parent.id + 1, parent.id, step, token_of(token), token,
        log_prob, cum, cum / penalties[step], rank, status, FORCED,
    )  # fmt: skip


def _forbid(
    totals: Tensor, nodes: list[BeamNode], live: list[int], n_forced: int, allowed: Allowed
) -> Tensor:
    """`totals` (K, V) with minus infinity where `allowed` says no to a live prefix."""
    totals = totals.clone()
    for row, node_id in enumerate(live):
        ids = []
        node = nodes[node_id]
        while node.step > n_forced:
            ids.append(node.token_id)
            node = nodes[node.parent]
        mask = allowed(tuple(reversed(ids)))
        if mask is not None:
            totals[row].masked_fill_(~mask.to(totals.device), -math.inf)
    return totals
