"""Options of a search, and its results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from words import Message

from ..storage import AtLeastOne, Count, LogProb, MeasuredFile, NotNegative, Part, Percent, Share
from .sources import TokenSequence

NodeStatus = Literal["kept", "finished", "pruned"]
PenaltyKind = Literal["none", "length", "wu"]
PENALTIES: tuple[PenaltyKind, ...] = get_args(PenaltyKind)
Penalise = Literal["final", "pruning"]
PENALISE: tuple[Penalise, ...] = get_args(Penalise)
Verdict = Literal["same", "search error", "model error", "length penalty", "void"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
MAX_BEAM_SIZE = 50
MAX_ALPHA = 5.0
MAX_OUTPUT_LENGTH = 512
MAX_SAMPLES = 200
MAX_TEMPERATURE = 10.0
FORCED = Message("model-reason-forced")
"""Reason of a node that the reader, not the search, chose."""


@dataclass(frozen=True)
class Decoding:
    """Options of beam search; `beam_size` 1 is greedy search."""

    beam_size: int = 5  # live hypotheses per step, 1 to 50
    alpha: float = 0.6  # exponent of the length penalty; 0 switches it off
    # most tokens to produce, ``</s>`` included; None lets the model choose from the length of the
    # source
    max_len: int | None = None
    n_runners_up: int = 0  # pruned candidates per step to keep in the tree
    # "wu" divides the log-probability by ((5 + length) / 6) ** alpha (Wu et al. 2016, eq. 14),
    # "length" by length ** alpha, "none" by nothing
    penalty: PenaltyKind = "wu"
    # where the penalty acts: "final" ranks finished hypotheses with it; with "pruning" finished
    # hypotheses also keep a place in the beam, which they defend by their score
    penalise: Penalise = "final"
    min_len: int = 0  # minimum tokens to produce, ``</s>`` included; 0 and 1 have no effect

    def __post_init__(self) -> None:
        _refuse(
            self,
            beam_size=(1 <= self.beam_size <= MAX_BEAM_SIZE, f"1 to {MAX_BEAM_SIZE}"),
            alpha=(0.0 <= self.alpha <= MAX_ALPHA, f"0 to {MAX_ALPHA:g}"),
            n_runners_up=(self.n_runners_up >= 0, "0 or more"),
            penalty=(self.penalty in PENALTIES, f"one of {', '.join(PENALTIES)}"),
            penalise=(self.penalise in PENALISE, f"one of {', '.join(PENALISE)}"),
        )


@dataclass(frozen=True)
class Sampling:
    """Options of sampling; temperature 0 and `top_k` 1 both take the likeliest token."""

    n_samples: int = 5  # translations to draw, 1 to 200
    temperature: float = 1.0  # divides the log-probabilities before the draw, 0 to 10
    top_k: int = 0  # draw among the k likeliest tokens only; 0 among all (Fan et al. 2018)
    # draw among the fewest tokens that hold this much probability, above 0 to 1; 1 among all
    # (Holtzman et al. 2020)
    top_p: float = 1.0
    # draw among the tokens with at least this much of the likeliest one's probability, 0 to 1; 0
    # among all (Nguyen et al. 2025)
    min_p: float = 0.0
    seed: int = 0  # the same seed draws the same samples
    max_len: int | None = None  # max_len, min_len: as for `Decoding`
    min_len: int = 0
    # length penalty, as for `Decoding`: it scores the samples, drawing ignores it
    alpha: float = 0.0
    penalty: PenaltyKind = "wu"

    def __post_init__(self) -> None:
        _refuse(
            self,
            n_samples=(1 <= self.n_samples <= MAX_SAMPLES, f"1 to {MAX_SAMPLES}"),
            temperature=(0.0 <= self.temperature <= MAX_TEMPERATURE, f"0 to {MAX_TEMPERATURE:g}"),
            top_k=(self.top_k >= 0, "0 or more"),
            top_p=(0.0 < self.top_p <= 1.0, "more than 0, at most 1"),
            min_p=(0.0 <= self.min_p <= 1.0, "0 to 1"),
            seed=(0 <= self.seed < 2**63, "0 to 2**63 - 1"),
            alpha=(0.0 <= self.alpha <= MAX_ALPHA, f"0 to {MAX_ALPHA:g}"),
            penalty=(self.penalty in PENALTIES, f"one of {', '.join(PENALTIES)}"),
        )


@dataclass(frozen=True)
class Budget:
    """Most work of an exact search, which ends without a proof when it is used up."""

    expansions: int | None = None  # prefixes to expand; None for any number
    seconds: float | None = None  # None for any time

    def __post_init__(self) -> None:
        faults = _out_of_range(
            self,
            expansions=(self.expansions is None or self.expansions >= 0, "0 or more, or None"),
            seconds=(self.seconds is None or self.seconds >= 0, "0 or more, or None"),
        )
        if faults:
            raise ValueError("; ".join(faults))


def _refuse(options: Decoding | Sampling, **expected: tuple[bool, str]) -> None:
    """Raise a ValueError that names every option out of range, the lengths among them."""
    least = options.min_len
    most = options.max_len
    sound = most is None or 1 <= most <= MAX_OUTPUT_LENGTH
    expected["max_len"] = sound, f"1 to {MAX_OUTPUT_LENGTH} or None"
    expected["min_len"] = 0 <= least <= MAX_OUTPUT_LENGTH, f"0 to {MAX_OUTPUT_LENGTH}"
    faults = _out_of_range(options, **expected)
    if most is not None and 1 <= most < least <= MAX_OUTPUT_LENGTH:
        faults.append(f"min_len is {least}, more than max_len, which is {most}")
    if faults:
        raise ValueError("; ".join(faults))


def _out_of_range(options: object, **expected: tuple[bool, str]) -> list[str]:
    """Return a sentence for each option that is not sound, with the values expected."""
    return [
        f"{name} is {getattr(options, name)!r}, expected {what}"
        for name, (sound, what) in expected.items()
        if not sound
    ]


UNLIMITED = Budget()


@dataclass(frozen=True)
class BeamNode:
    """One token of the search tree."""

    id: int  # id, parent: position in ``BeamTree.nodes``; the root (``<s>``) has parent None
    parent: int | None
    step: int  # 0 for the root, then the number of tokens produced
    token: str
    token_id: int
    log_prob: float  # natural log-probability of this token given the path so far
    cum_log_prob: float  # sum of `log_prob` from the root
    score: float  # `cum_log_prob` divided by the length penalty for `step` tokens
    rank: int  # 0 for the best candidate of its step
    status: NodeStatus  # "kept" (still growing), "finished" (``</s>``) or "pruned"
    # why a pruned node was dropped, why a kept leaf was not grown, or that the node was forced;
    # None otherwise
    reason: Message | None = None


@dataclass(frozen=True)
class Hypothesis:
    """One path from the root of a beam tree, best first in `BeamTree.hypotheses`.

    `ids` and `log_probs` leave the root out and include ``</s>`` when `finished`. `node` is -1
    for a hypothesis that comes from no tree.
    """

    node: int
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    log_probs: tuple[float, ...]
    cum_log_prob: float
    score: float
    finished: bool


@dataclass(frozen=True)
class BeamTree:
    """Whole search: ``nodes[i].id == i``, parents before children."""

    nodes: tuple[BeamNode, ...]  # the root (``<s>``) first
    beam_size: int  # beam_size, alpha, penalty, penalise, min_len: the choices, as in `Decoding`
    alpha: float
    max_len: int  # maximum tokens of a path
    best: int  # id of the node that ends the best hypothesis
    penalty: PenaltyKind = "wu"
    penalise: Penalise = "final"
    min_len: int = 0
    # ids that were forced; their nodes have the ids 1 to ``len(prefix)``
    prefix: tuple[int, ...] = ()
    # "beam", or "sampling" for a tree of samples (then `beam_size` counts them)
    method: Literal["beam", "sampling"] = "beam"
    # of a tree of samples, the node that ends each, in the order they were drawn
    samples: tuple[int, ...] = ()

    def path(self, node_id: int) -> tuple[BeamNode, ...]:
        """Return the nodes from the root to `node_id`, both included."""
        path = []
        current: int | None = node_id
        while current is not None:
            node = self.nodes[current]
            path.append(node)
            current = node.parent
        return tuple(reversed(path))

    def children(self, node_id: int) -> tuple[BeamNode, ...]:
        """Return the nodes that continue `node_id`."""
        return tuple(node for node in self.nodes if node.parent == node_id)

    def at_step(self, step: int) -> tuple[BeamNode, ...]:
        """Return the nodes of one step."""
        return tuple(node for node in self.nodes if node.step == step)

    def follow(self, ids: Sequence[int]) -> tuple[BeamNode, ...]:
        """Return the nodes that spell `ids` from the root on, as far as the tree goes.

        The root is included.
        """
        children = {(node.parent, node.token_id): node for node in self.nodes}
        path = [self.nodes[0]]
        for token_id in ids:
            child = children.get((path[-1].id, token_id))
            if child is None:
                break
            path.append(child)
        return tuple(path)

    def hypothesis(self, node_id: int) -> Hypothesis:
        """Return the path that ends in `node_id` as a hypothesis."""
        path = self.path(node_id)[1:]
        node = self.nodes[node_id]
        return Hypothesis(
            node=node_id,
            ids=tuple(n.token_id for n in path),
            tokens=tuple(n.token for n in path),
            log_probs=tuple(n.log_prob for n in path),
            cum_log_prob=node.cum_log_prob,
            score=node.score,
            finished=node.status == "finished",
        )

    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """Return the finished hypotheses, best score first.

        If the search reached `max_len` with nothing finished, return the live ones of the last
        step.
        """
        ends = [node for node in self.nodes if node.status == "finished"]
        if not ends:
            last = max(node.step for node in self.nodes)
            ends = [n for n in self.nodes if n.step == last and n.status == "kept"]
        # Ties go to the node found first.
        ends.sort(key=lambda node: (-node.score, node.id))
        return tuple(self.hypothesis(node.id) for node in ends)


@dataclass(frozen=True)
class Candidate:
    """Possible next token; `log_prob` is natural, `rank` 0 for the likeliest."""

    token_id: int
    token: str
    log_prob: float
    rank: int


def candidates_of(
    log_probs: np.ndarray,
    token_of: Callable[[int], str],
    count: int = 0,
    also: Collection[int] = (),
) -> tuple[Candidate, ...]:
    """Return the `count` likeliest of log-probabilities (V,), and the ids `also`.

    The likeliest comes first.
    """
    # Stable: ties go to the smaller id.
    order = np.argsort(-log_probs, kind="stable")
    wanted = np.isin(order, list(also))
    wanted[:count] = True
    return tuple(
        Candidate(int(order[rank]), token_of(order[rank]), float(log_probs[order[rank]]), int(rank))
        for rank in wanted.nonzero()[0]
    )


@dataclass(frozen=True)
class ExactSearch:
    """Best hypothesis of all, or the best found before a limit."""

    # best finished hypothesis; None if there is none, or none was found in time
    best: Hypothesis | None
    proven: bool  # True when no other hypothesis of `min_len` to `max_len` tokens scores more
    expansions: int  # prefixes whose next-token distribution was computed
    seconds: float  # wall-clock time
    reason: Message | None  # why the search is not proven; None otherwise
    alpha: float  # alpha, penalty, min_len, max_len: as in `BeamTree`
    penalty: PenaltyKind
    min_len: int
    max_len: int


@dataclass(frozen=True, eq=False)
class TreeAttention:
    """Attention behind every node of a tree: the rows that *produced* its token.

    No row produces the root: its rows are 0 and its length is 0.
    """

    src: TokenSequence  # the source pieces, the columns of `cross`
    # float32 (n_nodes, L, H, T_src), attention to the source; None if the model has
    # none
    cross: np.ndarray | None
    # float32 (n_nodes, L, H, max_step): self-attention over the tokens read so far, ``<s>`` first,
    # 0 beyond ``lengths[node]``; None where the model has none
    decoder: np.ndarray | None
    lengths: np.ndarray  # int (n_nodes,): tokens read to produce each node, which is its step

    def self_attention(self, node_id: int) -> np.ndarray:
        """Return the weights on the tokens of the path before `node_id`, (L, H, step).

        Raises
        ------
        ValueError : the model has no self-attention of the target.
        """
        if self.decoder is None:
            raise ValueError("there is no self-attention of the target to show")
        return self.decoder[node_id, :, :, : self.lengths[node_id]]


@dataclass(frozen=True, eq=False)
class SearchVerdict:
    """Diagnosis of a search that returns y_hat for the reference y* (Stahlberg and Byrne 2019)."""

    reference: TokenSequence  # reference, output: y* and y_hat
    output: TokenSequence
    # reference_log_probs, output_log_probs: float32 (T,): natural log-probability of each token,
    # both by teacher forcing; `reference_log_probs` is complete even if the verdict is void,
    # though it then means little
    reference_log_probs: np.ndarray
    output_log_probs: np.ndarray
    reference_score: float  # reference_score, output_score: their sums over the length penalty
    output_score: float
    # by score, so with normalisation. "search error": y* scores more, and the search lost it;
    # "length penalty": y* is likelier, but the penalty ranks it lower; "model error": y* is
    # neither; "same": the search found y*; "void": no verdict, see `void`
    verdict: Verdict
    # by log-probability, so without normalisation. "search error": y* is likelier and the search
    # lost it; "length penalty": it is likelier and finished, but was ranked lower
    plain_verdict: Verdict
    finished: bool  # y* is among the finished hypotheses of `tree`
    # first step at which the beginning of y* is no kept or finished node, None when y* finished or
    # was found
    fell_out_at: int | None
    fell_out: Message | None  # why, one of the tree's reasons; None when `fell_out_at` is
    unknown: tuple[str, ...]  # characters of y* that the vocabulary lacks, each once
    void: Message | None  # why the verdict is void; None otherwise
    tree: BeamTree  # the search that found y_hat

    @property
    def reference_log_prob(self) -> float:
        """Log-probability of the reference, log P(y* | x)."""
        return float(self.reference_log_probs.sum(dtype=np.float64))

    @property
    def output_log_prob(self) -> float:
        """Log-probability of the output, log P(y_hat | x)."""
        return float(self.output_log_probs.sum(dtype=np.float64))


# -- what was measured over sets, as it is stored ----------------------------------------------


class Width(Part):
    """Scores of one beam size over a set."""

    beam_size: AtLeastOne
    bleu: Percent
    mean_log_prob: LogProb
    length_ratio: NotNegative
    seconds: NotNegative
    unfinished: Count
    sentences: AtLeastOne


class Verdicts(Part, rename=lambda name: name.replace("_", " ")):
    """Shares of verdicts; keys in the file have blanks for underscores."""

    same: Share
    search_error: Share
    model_error: Share
    length_penalty: Share
    void: Share


class VerdictTally(Part):
    """Verdicts of one beam size over a set, with and without length normalisation."""

    set: str
    beam_size: AtLeastOne
    sentences: AtLeastOne
    normalised: Verdicts
    plain: Verdicts


class Proven(Part):
    """Outputs of one beam size compared with proven optima."""

    beam_size: AtLeastOne
    not_best: Count
    best: Count
    undecided: Count


class Exact(Part):
    """Exact search over a set."""

    set: str
    alpha: NotNegative
    sentences: AtLeastOne
    proven: Count
    widths: list[Proven]


class Errors(Part):
    """Search errors over sets."""

    tally: list[VerdictTally]
    exact: list[Exact]


class Search(MeasuredFile, kw_only=True):
    """Content of ``search.json``."""

    sweep: list[Width]
    errors: Errors
