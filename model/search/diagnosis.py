"""Diagnosis of a search that did not return the reference: search error or model error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.records.hypotheses import length_penalty
from core.records.search import FORCED, BeamTree, SearchVerdict, Verdict
from core.records.sources import TokenSequence
from words import Message

from .beam import BEYOND_BEAM, OUT_OF_LENGTH, SEARCH_ENDED, STOPPED, TOO_SHORT
from .prefix import unknown_pieces

ROUNDING = 1e-4
"""Largest difference of cached and uncached float32 arithmetic over a sentence, in nats."""

# Reasons of live hypotheses that the search left unfinished.
_NOT_GROWN = (OUT_OF_LENGTH, SEARCH_ENDED, STOPPED)


def falling_out(tree: BeamTree, ids: Sequence[int]) -> tuple[int | None, Message | None]:
    """Return the first step at which a prefix of `ids` is not kept or finished, and the reason.

    `ids` end in ``</s>``. Returns (None, None) if they are among the finished hypotheses; one that
    was overtaken after finishing fell out at its last token.
    """
    path = tree.follow(ids)
    for node in path:
        if node.status == "pruned":
            return node.step, node.reason
    last = path[-1]
    step = last.step + 1
    if last.step == len(ids):
        return None, None
    if step <= len(tree.prefix):
        return step, FORCED
    # It was alive to the end: the search stopped before it.
    if last.reason in _NOT_GROWN:
        return step, last.reason
    if step == len(ids) and step < tree.min_len:
        return step, TOO_SHORT
    return step, BEYOND_BEAM


class Scored(NamedTuple):
    """Log-probability of a hypothesis, and its score, which normalises the length."""

    log_prob: float
    score: float


def judge(reference: Scored, output: Scored, *, finished: bool) -> tuple[Verdict, Verdict]:
    """Return the verdicts with and without length normalisation; the reference is not the output.

    `finished` means that the reference is among the finished hypotheses. With normalisation: a
    reference with a better score was lost by the search; one that is likelier but scores worse lost
    to the length penalty; otherwise it is a model error. Without, by log-probability alone: a
    likelier reference was lost by the search, unless it finished and only the penalty ranked it
    lower. Differences within `ROUNDING` count as none.
    """
    likelier = reference.log_prob > output.log_prob + ROUNDING
    better = reference.score > output.score + ROUNDING
    plain: Verdict = "model error"
    if likelier:
        plain = "length penalty" if finished else "search error"
    if better and not finished:
        return "search error", plain
    return ("length penalty" if likelier else "model error"), plain


def search_verdict(
    tree: BeamTree,
    reference: TokenSequence,
    output: TokenSequence,
    reference_log_probs: np.ndarray,
    output_log_probs: np.ndarray,
    *,
    same: bool,
) -> SearchVerdict:
    """Explain the relation between `tree`, its output and a reference that it did not return.

    The sequences end in ``</s>``; their log-probabilities, float32 (T,), come from teacher forcing.
    `same` is True if reference and output spell the same text.
    """
    scored_reference = _scored(tree, reference_log_probs)
    scored_output = _scored(tree, output_log_probs)
    unknown = unknown_pieces(reference)
    void = _no_verdict(tree, unknown)
    fell_out_at, fell_out = (None, None) if unknown else falling_out(tree, reference.ids)
    finished = not unknown and fell_out_at is None
    verdict, plain_verdict = judge(scored_reference, scored_output, finished=finished)
    if void or same:
        verdict = plain_verdict = "void" if void else "same"
    return SearchVerdict(
        reference=reference,
        output=output,
        reference_log_probs=reference_log_probs,
        output_log_probs=output_log_probs,
        reference_score=scored_reference.score,
        output_score=scored_output.score,
        verdict=verdict,
        plain_verdict=plain_verdict,
        finished=finished,
        fell_out_at=fell_out_at,
        fell_out=fell_out,
        unknown=unknown,
        void=void,
        tree=tree,
    )


def _scored(tree: BeamTree, log_probs: np.ndarray) -> Scored:
    """Score a hypothesis from the log-probabilities (T,) of its tokens, as `tree` penalises length.

    Those of the tree's own nodes would not do: cached arithmetic would favour its output.
    """
    log_prob = float(log_probs.sum(dtype=np.float64))
    return Scored(log_prob, log_prob / length_penalty(len(log_probs), tree.alpha, tree.penalty))


def _no_verdict(tree: BeamTree, unknown: Sequence[str]) -> Message | None:
    """Return the reason for which a search allows no verdict on a reference, or None.

    `unknown` are the pieces of the reference that the vocabulary cannot spell.
    """
    if unknown:
        return Message.of("model-void-unknown", characters=" ".join(unknown))
    if tree.nodes[tree.best].status != "finished":
        return Message.of("model-void-unfinished", n=tree.max_len)
    return None
