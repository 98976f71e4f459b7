"""Exact search: depth-first search with a bound for the best hypothesis of all."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from core.records.hypotheses import length_penalty
from core.records.search import UNLIMITED, Budget, Decoding, ExactSearch, Hypothesis
from words import Message

from .beam import check_prefix_id, check_source, length_limit
from .protocol import Seq2SeqModel

OUT_OF_EXPANSIONS = Message("model-exact-out-of-expansions")
OUT_OF_TIME = Message("model-exact-out-of-time")
STOPPED = Message("model-exact-stopped")


@dataclass(frozen=True)
class _Path:
    """Prefix: its ids, the log-probability of each, and their sum."""

    ids: tuple[int, ...] = ()
    log_probs: tuple[float, ...] = ()
    cum: float = 0.0

    def grown(self, token: int, log_prob: float) -> _Path:
        """Return the path with one more token."""
        return _Path((*self.ids, token), (*self.log_probs, log_prob), self.cum + log_prob)


@dataclass
class _Frame:
    """Expanded prefixes of one length, and the continuations that are left to try."""

    state: Any  # of the model that is searched
    paths: list[_Path]
    log_probs: Tensor  # (K, V), a row for each path
    order: Tensor  # (n,), continuations that may still win as row * V + token, likeliest first
    cursor: int = 0  # continuations before it have been tried

    def following(self, n: int) -> list[tuple[int, int, _Path]]:
        """Return the next `n` continuations: row, token and the resulting path."""
        n_classes = self.log_probs.shape[1]
        index = self.order[self.cursor : self.cursor + n].tolist()
        # `order` indexes the flattened (K, V) table.
        continuations = [divmod(i, n_classes) for i in index]
        return [
            (row, token, self.paths[row].grown(token, float(self.log_probs[row, token])))
            for row, token in continuations
        ]


class _DepthFirstSearch:
    """Search in progress: the best hypothesis so far, the stack of prefixes, the budget."""

    def __init__(
        self,
        model: Seq2SeqModel[Any],
        decoding: Decoding,
        budget: Budget,
        stop: Callable[[], bool],
    ) -> None:
        self.model = model
        self.decoding = decoding
        self.max_len = length_limit(decoding)
        self.penalties = [
            length_penalty(n, decoding.alpha, decoding.penalty) for n in range(self.max_len + 1)
        ]
        self.max_expansions = math.inf if budget.expansions is None else budget.expansions
        self.time_limit = math.inf if budget.seconds is None else budget.seconds
        self.stop = stop
        self.began = time.perf_counter()
        self.best: _Path | None = None
        self.best_score = -math.inf
        self.expansions = 0
        self.stack: list[_Frame] = []

    @property
    def bound(self) -> float:
        """Log-probability that a prefix must exceed for any continuation to win."""
        # Scores are negative, so dividing by the largest penalty gives the best score a prefix
        # could still reach.
        return self.best_score * self.penalties[self.max_len]

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self.began

    def interrupted(self) -> Message | None:
        """Return the reason to end the search now, or None."""
        if self.stop():
            return STOPPED
        if self.expansions >= self.max_expansions:
            return OUT_OF_EXPANSIONS
        return OUT_OF_TIME if self.seconds >= self.time_limit else None

    def take(self, path: _Path) -> None:
        """Keep a finished hypothesis if it beats all others."""
        score = path.cum / self.penalties[len(path.ids)]
        if score > self.best_score:
            self.best = path
            self.best_score = score

    def expand(self, state: Any, prev: Tensor, paths: list[_Path]) -> None:
        """Read the last token of each of `paths` (K,), let each end, and push its continuations."""
        log_probs, state = self.model.step(state, prev)  # (K, V)
        self.expansions += len(paths)
        eos = self.model.config.eos_id
        length = len(paths[0].ids) + 1
        if length >= self.decoding.min_len:
            for path, log_prob in zip(paths, log_probs[:, eos].tolist(), strict=True):
                self.take(path.grown(eos, log_prob))
        if length == self.max_len:
            return
        # float64: sums over a sentence must not cross the bound by rounding.
        cum = torch.tensor([path.cum for path in paths], dtype=torch.float64)
        totals = cum[:, None] + log_probs.double().cpu()
        # Endings were taken above, or would be too short.
        totals[:, eos] = -math.inf
        flat = totals.flatten()
        index = (flat > self.bound).nonzero()[:, 0]
        order = index[flat[index].argsort(descending=True)].int()
        self.stack.append(_Frame(state, paths, log_probs.cpu(), order))

    def run(self, state: Any, root: Tensor, begun: _Path, batch_size: int) -> Message | None:
        """Search all continuations of `begun`; return the reason for an early end, or None."""
        if reason := self.interrupted():
            return reason
        self.expand(state, root, [begun])
        while self.stack:
            frame = self.stack[-1]
            # The last batch must not exceed the limit.
            width = int(max(1, min(batch_size, self.max_expansions - self.expansions)))
            # Continuations are sorted, so if the first does not pass the bound none does, and the
            # frame is done. The bound may have risen since the frame was pushed.
            following = [step for step in frame.following(width) if step[2].cum > self.bound]
            if not following:
                self.stack.pop()
                continue
            if reason := self.interrupted():
                return reason
            frame.cursor += len(following)
            rows, tokens, paths = zip(*following, strict=True)
            state = self.model.select(frame.state, torch.tensor(rows, device=root.device))
            self.expand(state, torch.tensor(tokens, device=root.device), list(paths))
        return None

    def record(self, reason: Message | None, token_of: Callable[[int], str]) -> ExactSearch:
        """Return the result; `reason` is why the search ended early, None if it did not."""
        best = None
        if self.best is not None:
            best = Hypothesis(
                node=-1,
                ids=self.best.ids,
                tokens=tuple(map(token_of, self.best.ids)),
                log_probs=self.best.log_probs,
                cum_log_prob=self.best.cum,
                score=self.best_score,
                finished=True,
            )
        return ExactSearch(
            best=best,
            proven=not reason,
            expansions=self.expansions,
            seconds=self.seconds,
            reason=reason,
            alpha=self.decoding.alpha,
            penalty=self.decoding.penalty,
            min_len=self.decoding.min_len,
            max_len=self.max_len,
        )


@torch.inference_mode()
def exact_search(
    model: Seq2SeqModel[Any],
    src: Tensor,
    decoding: Decoding,
    *,
    prefix: Sequence[int] = (),
    start: Sequence[int] | None = None,
    budget: Budget = UNLIMITED,
    stop: Callable[[], bool] | None = None,
    batch_size: int = 16,
    token_of: Callable[[int], str] = str,
) -> ExactSearch:
    """Find the hypothesis with the best score of all that end in ``</s>`` within `max_len` tokens.

    Depth-first search that leaves a prefix as soon as no continuation can win (Stahlberg and Byrne
    2019, algorithm 1). Log-probabilities only fall as a prefix grows, and no penalty is larger than
    that of `max_len`, so the prefix's log-probability divided by the latter bounds the score of
    every continuation. The bound is tight for short outputs and small alpha; long outputs need a
    limit.

    Parameters
    ----------
    model : Seq2SeqModel
    src : ids of shape (1, T_src)
    decoding : Decoding
        Penalty and lengths; `max_len` must be set.
    prefix : ids that every hypothesis begins with, fewer than `max_len` and without ``</s>``
    start : ids of a finished hypothesis to beat, from `prefix` to ``</s>``, optional
        The result of a beam search saves most of the work. Scoring it costs no expansions.
    budget : Budget
    stop : callable, optional
        Polled before every batch; True ends the search.
    batch_size : int
        Prefixes of one length expanded together; 1 is the textbook search.
    token_of : callable from an id to its label

    Returns
    -------
    ExactSearch
        `proven` unless the budget or `stop` ended the search.

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    check_source(src)
    if batch_size < 1:
        raise ValueError(f"expected a batch_size of 1 or more, found {batch_size}")
    eos = model.config.eos_id
    begins = _checked_prefix(prefix, eos, length_limit(decoding))
    search = _DepthFirstSearch(model, decoding, budget, stop or (lambda: False))
    state = model.start(src)
    root = torch.full((1,), model.config.bos_id, dtype=torch.long, device=src.device)
    if start is not None:
        ids = _checked_start(start, begins, eos, decoding)
        search.take(_read(model, state, root, ids)[2])
    begun = _read(model, state, root, begins)
    reason = search.run(*begun, batch_size)
    return search.record(reason, token_of)


def _checked_prefix(prefix: Sequence[int], eos: int, max_len: int) -> tuple[int, ...]:
    """Return `prefix` as a tuple; raise ValueError if it has ended or leaves no room."""
    ids = tuple(prefix)
    # Unlike a beam, this search must write at least the end itself.
    if len(ids) >= max_len or eos in ids:
        raise ValueError(
            f"expected a prefix of fewer than {max_len} tokens without </s>; found {ids}"
        )
    return ids


def _checked_start(
    start: Sequence[int], prefix: tuple[int, ...], eos: int, decoding: Decoding
) -> tuple[int, ...]:
    """Return `start` as a tuple; raise ValueError unless it is a valid finished hypothesis."""
    ids = tuple(start)
    shortest = max(1, decoding.min_len)
    longest = length_limit(decoding)
    if not shortest <= len(ids) <= longest or ids[-1] != eos or eos in ids[:-1]:
        raise ValueError(
            f"expected a start of {shortest} to {longest} tokens that ends in its only </s>; "
            f"found {ids}"
        )
    if ids[: len(prefix)] != prefix:
        raise ValueError(f"expected a start that begins with {prefix}; found {ids}")
    return ids


def _read(
    model: Seq2SeqModel[Any], state: Any, prev: Tensor, ids: tuple[int, ...]
) -> tuple[Any, Tensor, _Path]:
    """Read `ids` one by one; return the state before the last, the last token, and the path."""
    path = _Path()
    for token in ids:
        log_probs, state = model.step(state, prev)
        check_prefix_id(token, log_probs.shape[1])
        path = path.grown(token, float(log_probs[0, token]))
        prev = torch.full_like(prev, token)
    return state, prev, path
