"""Greedy and beam search over any `Seq2SeqModel`, recorded as a tree."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import torch
from torch import Tensor

from core.records.hypotheses import length_penalty
from core.records.search import FORCED, BeamNode, BeamTree, Decoding, NodeStatus, Sampling
from words import Message

from .protocol import Seq2SeqModel

BEYOND_BEAM = Message("model-reason-beyond-beam")
OVERTAKEN = Message("model-reason-overtaken")
TOO_SHORT = Message("model-reason-too-short")
OUT_OF_LENGTH = Message("model-reason-out-of-length")
SEARCH_ENDED = Message("model-reason-search-ended")
STOPPED = Message("model-reason-stopped")
NO_CHILD_KEPT = Message("model-reason-no-child-kept")
NOTHING_FOLLOWS = Message("model-reason-nothing-follows")

BLOCK_SIZES = range(128, 31, -1)
"""Sizes that blocks of `top_candidates` may have, the preferred ones first."""
VECTOR = 16
"""Numbers that a processor takes the maximum of at once."""
Allowed = Callable[[tuple[int, ...]], Tensor | None]
"""Rule that maps the ids produced after the prefix to bool (V,), True for tokens that may follow.

None allows every token.
"""


def greedy_search(model: Seq2SeqModel[Any], src: Tensor, *, max_len: int) -> BeamTree:
    """Take the likeliest token at every step: a beam of one with alpha 0."""
    return beam_search(model, src, Decoding(beam_size=1, alpha=0.0, max_len=max_len))


def top_candidates(totals: Tensor, n: int) -> tuple[Tensor, Tensor]:
    """Return values and flat indices of the `n` largest entries of `totals`, largest first.

    The n largest lie in the n blocks with the largest maxima, so only those are sorted: several
    times faster than `topk` over beam times vocabulary.
    """
    flat = totals.flatten()
    size = flat.numel()
    block = _block_size(size)
    if not block or size < n * block:
        return flat.topk(n)
    # Blocks are columns, since maxima over rows are several times faster.
    blocks = flat.view(block, -1)
    # Were one of the n largest in another block, n blocks would have a larger maximum each.
    nearest = blocks.amax(dim=0).topk(n).indices
    values, positions = blocks.index_select(1, nearest).flatten().topk(n)
    # Numbers and not tensors: of so few, each operation on tensors takes longer than all of this.
    columns = nearest.tolist()
    indices = [i // n * blocks.shape[1] + columns[i % n] for i in positions.tolist()]
    return values, torch.tensor(indices, device=totals.device)


@cache
def _block_size(size: int) -> int:
    """Return the size of blocks of `size` numbers, 0 if no size of `BLOCK_SIZES` divides it.

    Preferred are sizes that leave whole vectors of blocks, whose maxima take half the time.
    """
    sizes = [block for block in BLOCK_SIZES if size % block == 0]
    return next((block for block in sizes if size // block % VECTOR == 0), max(sizes, default=0))


def check_source(src: Tensor) -> None:
    """Raise ValueError unless `src` is one source: ids (1, T_src), or features (1, T_src, ...)."""
    if src.dim() < 2 or src.shape[0] != 1:
        raise ValueError(f"src must be (1, T_src) or (1, T_src, ...), found {tuple(src.shape)}")


def check_prefix(prefix: Sequence[int], max_len: int, eos: int) -> tuple[int, ...]:
    """Return `prefix` as a tuple; raise ValueError if it is too long or ``</s>`` is not last."""
    prefix = tuple(prefix)
    if len(prefix) > max_len or eos in prefix[:-1]:
        raise ValueError(
            f"expected a prefix of at most {max_len} tokens with </s> nowhere but last; "
            f"found {prefix}"
        )
    return prefix


def check_prefix_id(token: int, n_classes: int) -> None:
    """Raise ValueError unless `token` of a prefix is one of `n_classes` ids."""
    if not 0 <= token < n_classes:
        raise ValueError(f"expected prefix ids of 0 to {n_classes - 1}, found {token}")


def length_limit(options: Decoding | Sampling) -> int:
    """Return `options.max_len`; raise ValueError if it is None."""
    if options.max_len is None:
        raise ValueError("expected a max_len, found None")
    return options.max_len


@torch.inference_mode()
def beam_search(
    model: Seq2SeqModel[Any],
    src: Tensor,
    decoding: Decoding,
    *,
    prefix: Sequence[int] = (),
    allowed: Allowed | None = None,
    stop: Callable[[], bool] | None = None,
    token_of: Callable[[int], str] = str,
    start: Any = None,
) -> BeamTree:
    """Grow the `beam_size` likeliest prefixes together, one token a step, and return the tree.

    The root is ``<s>``; log-probabilities are natural and summed. The length penalty,
    `length_penalty` with the exponent `alpha`, acts where `penalise` says:

    - "final": of the candidates of a step (every live prefix with every token), those that end in
      ``</s>`` and rank within the beam are finished; the best `beam_size` others live on. The
      penalty ranks finished hypotheses only; live ones are all of one length.
    - "pruning": a finished hypothesis keeps its place, so that fewer live ones remain, and defends
      it by its score against those of longer candidates. One that loses its place is pruned.

    The search ends when `beam_size` hypotheses have finished, when no live one can still beat the
    best finished one (its log-probability can only fall, and the penalty is largest at `max_len`),
    at `max_len` tokens, or when `stop` says so. Before `min_len` tokens ``</s>`` is dropped, and
    its probability is not shared out.

    Parameters
    ----------
    model : Seq2SeqModel
    src : ids of shape (1, T_src), ``</s>`` included
    decoding : Decoding
        The best `n_runners_up` pruned candidates of each step stay in the tree.
    prefix : ids that every hypothesis begins with
        Their nodes carry their real log-probability and rank, and `FORCED` as their reason.
        ``</s>`` may come last, whatever `min_len` says.
    allowed : Allowed, optional
        Rule for searches that must spell something.
    stop : callable, optional
        Polled before every step; True ends the search.
    token_of : callable from an id to its label
    start : state of ``model.start(src)``, if the caller has it; it stays as it is

    Raises
    ------
    ValueError
        If an argument is out of range.
    """
    check_source(src)
    beam = Beam(decoding, prefix, model.config, token_of)
    beam_size = decoding.beam_size
    max_len = beam.max_len
    state, prev, cum = _begun(model, src, beam, start)
    reason = None
    while beam.live and beam.step < max_len:
        if stop is not None and stop():
            reason = STOPPED
            break
        log_probs, state = model.step(state, prev)  # (K, V)
        totals = cum[:, None] + log_probs
        if allowed is not None:
            totals = _forbid(totals, beam, allowed)
        # Twice the beam: each live prefix has one ``</s>``, so at most `beam_size` of them can end.
        candidates = Candidates.best_of(totals, log_probs, 2 * beam_size + decoding.n_runners_up)
        ranks = beam.grow(candidates)
        if ranks is None:
            reason = NOTHING_FOLLOWS
            break
        # Without ranks no prefix lives on, however few have finished.
        if len(beam.finished) >= beam_size or not ranks:
            break
        if beam.is_decided(candidates.totals[ranks[0]]):
            break
        if beam.step < max_len:
            rows, prev, cum = candidates.kept(ranks, log_probs)
            # A greedy search keeps its only row, and its state need not be copied.
            if [candidates.rows[rank] for rank in ranks] != list(range(len(log_probs))):
                state = model.select(state, rows)
    return beam.tree(reason or (OUT_OF_LENGTH if beam.step == max_len else SEARCH_ENDED))


def _begun(
    model: Seq2SeqModel[Any], src: Tensor, beam: Beam, start: Any
) -> tuple[Any, Tensor, Tensor]:
    """Read the prefix of `beam`; return the state, the last token (1,) and the total (1,)."""
    if start is None:
        state = model.start(src)
    else:
        # A copy: a foreign model may write to its states, and the caller goes on using `start`.
        state = model.select(start, torch.zeros(1, dtype=torch.long, device=src.device))
    # One hypothesis to begin with; after the first step there are up to `beam_size`.
    prev = torch.full((1,), model.config.bos_id, dtype=torch.long, device=src.device)
    cum = torch.zeros(1, device=src.device)
    for token in beam.prefix:
        log_probs, state = model.step(state, prev)  # (1, V)
        beam.force(token, log_probs[0])
        prev = torch.full_like(prev, token)
        cum = cum + log_probs[:, token]
    return state, prev, cum


class _Candidate(NamedTuple):
    """One continuation of a live prefix."""

    row: int  # index of the prefix
    token: int
    log_prob: float  # log-probability of the token alone
    total: float  # log-probability of prefix and token


@dataclass(frozen=True)
class Candidates:
    """Likeliest continuations of all live prefixes together, likeliest first; each field has n.

    Numbers and not tensors, fetched in two calls: reading them one by one from tensors took longer
    than finding them.
    """

    rows: list[int]  # index of the prefix
    tokens: list[int]
    log_probs: list[float]  # log-probability of the token alone
    totals: list[float]  # log-probability of prefix and token

    @classmethod
    def best_of(cls, totals: Tensor, log_probs: Tensor, n: int) -> Candidates:
        """Return the `n` best of `totals` (K, V), or all if there are fewer."""
        n_classes = totals.shape[1]
        best, index = top_candidates(totals, min(n, totals.numel()))
        indices = index.tolist()
        alone, summed = torch.stack((log_probs.flatten()[index], best)).tolist()
        rows = [i // n_classes for i in indices]
        return cls(rows, [i % n_classes for i in indices], alone, summed)

    def kept(self, ranks: Sequence[int], like: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return rows, tokens and totals of the candidates `ranks`, each (len(ranks),).

        Totals have the precision of `like`, and all three stand on its device.
        """
        rows = torch.tensor([self.rows[rank] for rank in ranks], device=like.device)
        tokens = torch.tensor([self.tokens[rank] for rank in ranks], device=like.device)
        return rows, tokens, like.new_tensor([self.totals[rank] for rank in ranks])

    def __iter__(self) -> Iterator[_Candidate]:
        """Yield the candidates in order, without those that a rule forbids."""
        for values in zip(self.rows, self.tokens, self.log_probs, self.totals, strict=True):
            candidate = _Candidate(*values)
            # Forbidden ones have minus infinity, and come last because the totals are sorted.
            if candidate.total == -math.inf:
                return
            yield candidate


class Beam:
    """Tree of a search as it grows.

    `live` are the ids of prefixes that may still grow, `finished` the hypotheses that hold a place,
    and `step` is the length that both have reached. Raises ValueError if there is no `max_len` or
    the prefix does not fit.
    """

    def __init__(
        self,
        decoding: Decoding,
        prefix: Sequence[int],
        config: Any,
        token_of: Callable[[int], str],
    ) -> None:
        bos = config.bos_id
        self.decoding = decoding
        self.max_len = length_limit(decoding)
        self.eos = config.eos_id
        self.prefix = check_prefix(prefix, self.max_len, self.eos)
        self.token_of = token_of
        self.nodes = [BeamNode(0, None, 0, token_of(bos), bos, 0.0, 0.0, 0.0, 0, "kept")]
        self.live = [0]
        self.finished: list[BeamNode] = []
        self.step = 0
        # A table by length, because every candidate of every step asks for one.
        self._penalties = [
            length_penalty(n, decoding.alpha, decoding.penalty) for n in range(self.max_len + 1)
        ]

    def force(self, token: int, log_probs: Tensor) -> None:
        """Let only `token` follow, with its own rank among all `log_probs` (V,)."""
        check_prefix_id(token, len(log_probs))
        parent = self.nodes[-1]
        log_prob = float(log_probs[token])
        candidate = _Candidate(0, token, log_prob, parent.cum_log_prob + log_prob)
        # From 0; equally likely tokens share a rank.
        rank = int((log_probs > log_probs[token]).sum())
        ended = token == self.eos
        self.step += 1
        node = self._add(parent.id, candidate, rank, "finished" if ended else "kept", FORCED)
        self.live = [] if ended else [node.id]
        self.finished = [node] if ended else []

    def grow(self, candidates: Candidates) -> list[int] | None:
        """Take the next step and return the ranks of the candidates that live on.

        Returns None if nothing can follow at all.
        """
        self.step += 1
        self.finished.sort(key=lambda node: -node.score)
        ranks: list[int] = []
        living: list[BeamNode] = []
        ending: list[BeamNode] = []
        runners_up = 0
        for rank, candidate in enumerate(candidates):
            status, reason = self._fate(candidate, rank, len(living), len(ending))
            # Of the pruned candidates only the first few are kept, to be shown.
            if status == "pruned":
                if runners_up == self.decoding.n_runners_up:
                    if len(living) == self.decoding.beam_size:
                        # Behind a full beam, nothing lives on or ends.
                        break
                    continue
                runners_up += 1
            node = self._add(self.live[candidate.row], candidate, rank, status, reason)
            if status == "finished":
                ending.append(node)
            elif status == "kept":
                living.append(node)
                ranks.append(rank)
        if self.decoding.penalise == "pruning":
            self._overtake(self.decoding.beam_size - len(living) - len(ending))
        self.finished += ending
        if not living and not self.finished:
            return None
        # Pruned children do not count: a prefix with no others ends here.
        grown = {node.parent for node in (*living, *ending)}
        self._end([node_id for node_id in self.live if node_id not in grown], NO_CHILD_KEPT)
        self.live = [node.id for node in living]
        return ranks

    def _overtake(self, n_left: int) -> None:
        """Prune the finished hypotheses behind the best `n_left`, the places that are left."""
        for node in self.finished[n_left:]:
            self.nodes[node.id] = replace(node, status="pruned", reason=OVERTAKEN)
        self.finished = self.finished[:n_left]

    def is_decided(self, total: float) -> bool:
        """Return True if no prefix can beat a finished one; the likeliest has the sum `total`."""
        if not self.finished:
            return False
        # Log-probabilities are negative: the largest penalty gives the best score.
        best_possible = total / self._penalties[-1]
        return best_possible <= max(node.score for node in self.finished)

    def tree(self, reason: Message) -> BeamTree:
        """Return the search as a record; `reason` says why live prefixes were not grown."""
        self._end(self.live, reason)
        ends = self.finished or [self.nodes[node_id] for node_id in self.live]
        # Of equal scores the older node wins, so that results are reproducible.
        best = max(ends, key=lambda node: (node.score, -node.id))
        options = self.decoding
        return BeamTree(
            tuple(self.nodes), options.beam_size, options.alpha, self.max_len, best.id,
            options.penalty, options.penalise, options.min_len, self.prefix,
        )  # fmt: skip

    def produced(self, node_id: int) -> tuple[int, ...]:
        """Return the ids of a prefix without the forced ones."""
        ids = []
        node = self.nodes[node_id]
        while node.step > len(self.prefix):
            ids.append(node.token_id)
            assert node.parent is not None  # only the root has none, and it has step 0
            node = self.nodes[node.parent]
        return tuple(reversed(ids))

    def _fate(
        self, candidate: _Candidate, rank: int, n_living: int, n_ending: int
    ) -> tuple[NodeStatus, Message | None]:
        """Return the status of a candidate (see `beam_search`), and the reason if it is pruned."""
        options = self.decoding
        ends = candidate.token == self.eos
        if ends and self.step < options.min_len:
            return "pruned", TOO_SHORT
        if options.penalise == "pruning":
            score = candidate.total / self._penalties[self.step]
            ahead = sum(node.score >= score for node in self.finished) + n_living + n_ending
        else:
            # "final": an ending counts against all candidates of the step, a continuation against
            # continuations.
            ahead = rank if ends else n_living
        if ahead >= options.beam_size:
            return "pruned", BEYOND_BEAM
        return ("finished" if ends else "kept"), None

    def _end(self, node_ids: Sequence[int], reason: Message) -> None:
        """Set the reason of nodes that do not grow any further."""
        for node_id in node_ids:
            self.nodes[node_id] = replace(self.nodes[node_id], reason=reason)

    def _add(
        self,
        parent: int,
        candidate: _Candidate,
        rank: int,
        status: NodeStatus,
        reason: Message | None,
    ) -> BeamNode:
        """Append a node at the current step and return it."""
        node = BeamNode(
            len(self.nodes),
            parent,
            self.step,
            self.token_of(candidate.token),
            candidate.token,
            candidate.log_prob,
            candidate.total,
            candidate.total / self._penalties[self.step],
            rank,
            status,
            reason,
        )
        self.nodes.append(node)
        return node


def _forbid(totals: Tensor, beam: Beam, allowed: Allowed) -> Tensor:
    """Return `totals` (K, V) with minus infinity where `allowed` forbids a token."""
    totals = totals.clone()
    for row, node_id in enumerate(beam.live):
        mask = allowed(beam.produced(node_id))
        if mask is not None:
            totals[row].masked_fill_(~mask.to(totals.device), -math.inf)
    return totals
