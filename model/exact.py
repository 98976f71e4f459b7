"""Exact search: the best hypothesis there is, found by depth-first search with a bound."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.hypotheses import length_penalty
from core.search import ExactSearch, Hypothesis, PenaltyKind
from words import Message

from .search import check_lengths, check_source
from .seq2seq import DecoderState, Seq2SeqModel

OUT_OF_EXPANSIONS = Message("model-exact-out-of-expansions")
OUT_OF_TIME = Message("model-exact-out-of-time")
STOPPED = Message("model-exact-stopped")


@dataclass(frozen=True)
class _Path:
    """A prefix: its ids, the log-probability of each, and their sum."""

    ids: tuple[int, ...] = ()
    log_probs: tuple[float, ...] = ()
    cum: float = 0.0

    def grown(self, token: int, log_prob: float) -> _Path:
        return _Path((*self.ids, token), (*self.log_probs, log_prob), self.cum + log_prob)


@dataclass
class _Frame:
    """Prefixes of one length that have been read, and what may still follow them."""

    state: DecoderState
    paths: list[_Path]
    log_probs: Tensor  # (K, V), a row for each path
    order: Tensor  # (n,), continuations that may still win as row * V + token, likeliest first
    cursor: int = 0  # those before it have been tried

    def following(self, n: int) -> list[tuple[int, int, _Path]]:
        """The next `n` continuations: row, token and the path they make."""
        n_classes = self.log_probs.shape[1]
        index = self.order[self.cursor : self.cursor + n].tolist()
        places = [divmod(i, n_classes) for i in index]
        return [
            (row, token, self.paths[row].grown(token, float(self.log_probs[row, token])))
            for row, token in places
        ]


@torch.inference_mode()
def exact_search(
    model: Seq2SeqModel,
    src: Tensor,
    *,
    max_len: int,
    alpha: float = 0.0,
    penalty: PenaltyKind = "wu",
    min_len: int = 0,
    start: Sequence[int] | None = None,
    max_expansions: int | None = None,
    time_limit: float | None = None,
    stop: Callable[[], bool] | None = None,
    batch_size: int = 16,
    token_of: Callable[[int], str] = str,
) -> ExactSearch:
    """The hypothesis with the best score of all that end in ``</s>`` within `max_len` tokens, for a
    `src` (1, T_src); proven unless a limit or `stop`, asked before every batch, ended the search.

    Depth-first search that leaves a prefix as soon as nothing after it can win (Stahlberg and Byrne
    2019, algorithm 1): log-probabilities only fall as a prefix grows and no penalty is larger than
    that of `max_len`, so the prefix's log-probability divided by the latter is an upper bound for
    the score of whatever follows. The bound is tight for short outputs and small alpha; long ones
    need a limit, `max_expansions` in prefixes or `time_limit` in seconds.

    `start` holds the ids of a known hypothesis, ``</s>`` included, to beat from the beginning: the
    result of a beam search saves most of the work, and scoring it does not count as expansions.
    `batch_size` prefixes of one length are worked out together; 1 is the textbook's search.
    ValueError where an argument is out of range."""
    began = time.perf_counter()
    check_source(src)
    check_lengths(min_len, max_len, alpha)
    limits = [n for n in (max_expansions, time_limit) if n is not None]
    if batch_size < 1 or any(not limit >= 0 for limit in limits):
        raise ValueError(
            f"expected batch_size of 1 or more, max_expansions and time_limit of 0 or more; "
            f"found {batch_size}, {max_expansions}, {time_limit}"
        )
    bos, eos = model.config.bos_id, model.config.eos_id
    penalties = [length_penalty(n, alpha, penalty) for n in range(max_len + 1)]
    best: _Path | None = None
    best_score = -math.inf
    stack: list[_Frame] = []
    expansions = 0

    def interruption() -> Message | None:
        """Why the search has to end now, None when it has not."""
        if stop is not None and stop():
            return STOPPED
        if max_expansions is not None and expansions >= max_expansions:
            return OUT_OF_EXPANSIONS
        if time_limit is not None and time.perf_counter() - began >= time_limit:
            return OUT_OF_TIME
        return None

    def take(path: _Path) -> None:
        """Remember a finished hypothesis when it beats all others."""
        nonlocal best, best_score
        score = path.cum / penalties[len(path.ids)]
        if score > best_score:
            best, best_score = path, score

    def visit(state: DecoderState, log_probs: Tensor, paths: list[_Path]) -> None:
        """Let each of `paths` end, and put what may follow them on the stack."""
        length = len(paths[0].ids) + 1
        if length >= min_len:
            for path, log_prob in zip(paths, log_probs[:, eos].tolist(), strict=True):
                take(path.grown(eos, log_prob))
        if length == max_len:
            return
        cum = torch.tensor([path.cum for path in paths], dtype=torch.float64)
        totals = cum[:, None] + log_probs.double().cpu()
        totals[:, eos] = -math.inf
        flat = totals.flatten()
        index = (flat > best_score * penalties[max_len]).nonzero()[:, 0]
        order = index[flat[index].argsort(descending=True)].int()
        stack.append(_Frame(state, paths, log_probs.cpu(), order))

    state = model.start(src)
    root = torch.full((1,), bos, dtype=torch.long, device=src.device)
    if start is not None:
        take(_score(model, state, root, _checked(start, eos, min_len, max_len)))
    reason = interruption()
    if not reason:
        log_probs, state = model.step(state, root)  # (1, V)
        expansions = 1
        visit(state, log_probs, [_Path()])
    while stack and not reason:
        frame = stack[-1]
        width = batch_size
        if max_expansions is not None:
            width = max(1, min(width, max_expansions - expansions))
        bound = best_score * penalties[max_len]
        chosen = [each for each in frame.following(width) if each[2].cum > bound]
        if not chosen:
            stack.pop()
            continue
        reason = interruption()
        if reason:
            break
        frame.cursor += len(chosen)
        expansions += len(chosen)
        rows, tokens, paths = (list(each) for each in zip(*chosen, strict=True))
        state = model.select(frame.state, torch.tensor(rows, device=src.device))
        log_probs, state = model.step(state, torch.tensor(tokens, device=src.device))  # (n, V)
        visit(state, log_probs, paths)

    return ExactSearch(
        best=best
        and Hypothesis(
            node=-1,
            ids=best.ids,
            tokens=tuple(map(token_of, best.ids)),
            log_probs=best.log_probs,
            cum_log_prob=best.cum,
            score=best_score,
            finished=True,
        ),
        proven=not reason,
        expansions=expansions,
        seconds=time.perf_counter() - began,
        reason=reason,
        alpha=alpha,
        penalty=penalty,
        min_len=min_len,
        max_len=max_len,
    )


def _checked(start: Sequence[int], eos: int, min_len: int, max_len: int) -> tuple[int, ...]:
    ids = tuple(start)
    fits = max(1, min_len) <= len(ids) <= max_len
    if not fits or ids[-1] != eos or eos in ids[:-1]:
        raise ValueError(
            f"expected a start of {max(1, min_len)} to {max_len} tokens that ends in its only "
            f"</s>; found {ids}"
        )
    return ids


def _score(model: Seq2SeqModel, state: DecoderState, prev: Tensor, ids: tuple[int, ...]) -> _Path:
    path = _Path()
    for token in ids:
        log_probs, state = model.step(state, prev)
        path = path.grown(token, float(log_probs[0, token]))
        prev = torch.full_like(prev, token)
    return path
