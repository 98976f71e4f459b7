"""The records that travel between the rooms of the house.

Only NumPy and frozen dataclasses live here, so that `model/` (which thinks in tensors), `viz/`
(which draws arrays) and `ui/` (which arranges pages) agree on shapes without knowing each other.
Arrays are float32, carry no batch axis, and attention is always ordered
``(layer, head, query, key)``.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

AttentionKind = Literal["encoder", "decoder", "cross"]
ATTENTION_KINDS: tuple[AttentionKind, ...] = ("encoder", "decoder", "cross")

NodeStatus = Literal["kept", "finished", "pruned"]
PenaltyKind = Literal["none", "length", "wu"]
PENALTIES: tuple[PenaltyKind, ...] = ("none", "length", "wu")
Penalise = Literal["final", "pruning"]
PENALISE: tuple[Penalise, ...] = ("final", "pruning")
Verdict = Literal["same", "search error", "model error", "length penalty", "void"]
VERDICTS: tuple[Verdict, ...] = ("same", "search error", "model error", "length penalty", "void")

Ablation = Literal["zero", "mean", "uniform"]
ABLATIONS: tuple[Ablation, ...] = ("zero", "mean", "uniform")
PositionMode = Literal["normal", "absent", "permuted", "shifted", "reversed"]
POSITION_MODES: tuple[PositionMode, ...] = (
    "normal", "absent", "permuted", "shifted", "reversed",
)  # fmt: skip

MAX_BEAM_SIZE = 50
MAX_ALPHA = 5.0
MAX_OUTPUT_LENGTH = 512
MAX_SAMPLES = 200
MAX_TEMPERATURE = 10.0
ROW_SUM_TOLERANCE = 1e-3


@dataclass(frozen=True)
class TokenSequence:
    """A text and the pieces the model reads or writes.

    Attributes
    ----------
    text : the text the pieces came from (or spell).
    ids : vocabulary ids, one per piece, special tokens included.
    tokens : the pieces as the vocabulary spells them (``▁`` marks a leading space).
    offsets : ``(start, end)`` of each piece in `text`, counted in characters; ``(0, 0)`` for
        special tokens.
    unknown : True where the vocabulary lacks the piece and the model sees ``<unk>`` instead.
    """

    text: str
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    offsets: tuple[tuple[int, int], ...]
    unknown: tuple[bool, ...] = ()

    def __post_init__(self) -> None:
        if not self.unknown:
            object.__setattr__(self, "unknown", (False,) * len(self.ids))
        lengths = {len(self.ids), len(self.tokens), len(self.offsets), len(self.unknown)}
        if len(lengths) != 1:
            raise ValueError(
                f"ids, tokens, offsets and unknown differ in length: {len(self.ids)}, "
                f"{len(self.tokens)}, {len(self.offsets)}, {len(self.unknown)}"
            )

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def special(self) -> tuple[bool, ...]:
        """True for tokens that stand for no text, such as ``<s>`` and ``</s>``."""
        return tuple(offset == (0, 0) for offset in self.offsets)

    def pieces_at(self, start: int, end: int) -> tuple[int, ...]:
        """Positions of the pieces that overlap the characters ``[start, end)`` of `text`."""
        return tuple(i for i, (a, b) in enumerate(self.offsets) if b > a and a < end and b > start)

    def pieces_of(self, word: str, occurrence: int = 0) -> tuple[int, ...]:
        """Positions of the pieces of the n-th whole-word occurrence of `word`, ignoring case.

        Empty when the word does not occur that often.
        """
        whole = rf"(?<![^\W_]){re.escape(word)}(?![^\W_])"
        matches = list(re.finditer(whole, self.text, re.IGNORECASE))
        return self.pieces_at(*matches[occurrence].span()) if occurrence < len(matches) else ()


@dataclass(frozen=True, eq=False)
class AttentionMap:
    """Every head of one kind of attention for one input.

    Attributes
    ----------
    kind : "encoder", "decoder" or "cross".
    weights : float32 array of shape (L, H, T_q, T_k) after the softmax; rows sum to one.
    query_tokens : the T_q tokens whose rows these are: the tokens *read* at each position.
    key_tokens : the T_k tokens that are looked at.
    output_tokens : the T_q tokens *produced* at each position; None for the encoder.
    scores : float32 array like `weights`: q.k / sqrt(d_k) before the mask, or None.
    mask : bool array of shape (T_q, T_k), True where a query may look, or None when every
        query may look at every key.
    head_masks : bool array like `weights` when an intervention masked cells of single heads, or
        None; then `mask` is True where any head may look.
    """

    kind: AttentionKind
    weights: np.ndarray
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    output_tokens: tuple[str, ...] | None = None
    scores: np.ndarray | None = None
    mask: np.ndarray | None = None
    head_masks: np.ndarray | None = None

    def __post_init__(self) -> None:
        if self.weights.ndim != 4:
            raise ValueError(
                f"{self.kind} weights must be (L, H, T_q, T_k), found {self.weights.shape}"
            )
        expected = (len(self.query_tokens), len(self.key_tokens))
        if self.weights.shape[2:] != expected:
            raise ValueError(
                f"{self.kind} weights are {self.weights.shape[2:]} but the tokens are {expected}"
            )
        if self.output_tokens is not None and len(self.output_tokens) != expected[0]:
            raise ValueError(
                f"{len(self.output_tokens)} output tokens for {expected[0]} query rows"
            )
        if self.mask is not None and self.mask.shape != expected:
            raise ValueError(f"mask is {self.mask.shape} but the tokens are {expected}")
        if self.head_masks is not None and self.head_masks.shape != self.weights.shape:
            raise ValueError(
                f"head_masks are {self.head_masks.shape} but the weights {self.weights.shape}"
            )

    @property
    def n_layers(self) -> int:
        return self.weights.shape[0]

    @property
    def n_heads(self) -> int:
        return self.weights.shape[1]

    def head(self, layer: int, head: int) -> np.ndarray:
        """The (T_q, T_k) weights of one head; layers and heads count from 0."""
        return self.weights[layer, head]

    def mask_of(self, layer: int, head: int) -> np.ndarray | None:
        """Where one head may look, (T_q, T_k), or None when everywhere."""
        return self.mask if self.head_masks is None else self.head_masks[layer, head]


@dataclass(frozen=True, eq=False)
class AttentionVectors:
    """What the heads of one kind of attention are worked out from, and what becomes of them.

    Attributes
    ----------
    kind : "encoder", "decoder" or "cross".
    queries : float32 array (L, H, T_q, d_k), after the projections of section 3.2.2.
    keys, values : float32 arrays (L, H, T_k, d_k).
    out_weight : float32 array (L, d_model, d_model), W_O as torch keeps it: output = W_O @ concat.
    out_bias : float32 array (L, d_model).
    """

    kind: AttentionKind
    queries: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    out_weight: np.ndarray
    out_bias: np.ndarray


@dataclass(frozen=True)
class PaddingEffect:
    """What `<pad>` tokens at the end of both sentences did to the attention.

    Attributes
    ----------
    n_source, n_target : padding tokens added to either side.
    largest_weight : largest weight that any real position put on a padded one; a sound mask
        leaves exactly 0.
    largest_change : largest absolute difference of any weight between real positions.
    """

    n_source: int
    n_target: int
    largest_weight: float
    largest_change: float


@dataclass(frozen=True)
class AttentionCost:
    """Dot-product and additive attention from vectors to weights, one head, one sentence.

    Attributes
    ----------
    n_queries, n_keys, d_k : T_q, T_k and the size of the vectors.
    dot_product_bytes, additive_bytes : size of all tensors made on the way, counted from shapes.
    dot_product_seconds, additive_seconds : measured wall-clock time.
    """

    n_queries: int
    n_keys: int
    d_k: int
    dot_product_bytes: int
    additive_bytes: int
    dot_product_seconds: float
    additive_seconds: float


@dataclass(frozen=True, eq=False)
class AttentionRecord:
    """All attention of one forward pass: source alone, or source and target."""

    src: TokenSequence
    tgt: TokenSequence | None
    maps: tuple[AttentionMap, ...]

    def of(self, kind: AttentionKind) -> AttentionMap:
        """The map of one kind.

        Raises
        ------
        KeyError : the run had no attention of that kind.
        """
        for attention in self.maps:
            if attention.kind == kind:
                return attention
        raise KeyError(f"no {kind!r} attention here; found {[m.kind for m in self.maps]}")

    @property
    def kinds(self) -> tuple[AttentionKind, ...]:
        return tuple(attention.kind for attention in self.maps)

    @property
    def encoder(self) -> AttentionMap:
        return self.of("encoder")

    @property
    def decoder(self) -> AttentionMap:
        return self.of("decoder")

    @property
    def cross(self) -> AttentionMap:
        return self.of("cross")


@dataclass(frozen=True)
class Decoding:
    """How to search. `beam_size` 1 is greedy search.

    Attributes
    ----------
    beam_size : live hypotheses per step, 1 to 50.
    alpha : exponent of the length penalty; 0 switches it off.
    max_len : most tokens to produce, ``</s>`` included; None lets the model choose from the
        length of the source.
    n_runners_up : pruned candidates per step to keep in the tree.
    penalty : "wu" divides the log-probability by ((5 + length) / 6) ** alpha (Wu et al. 2016,
        eq. 14), "length" by length ** alpha, "none" by nothing.
    penalise : where the penalty acts: "final" ranks finished hypotheses with it; with "pruning"
        finished hypotheses also keep a place in the beam, which they defend by their score.
    min_len : fewest tokens to produce, ``</s>`` included; 0 and 1 ask for nothing.
    """

    beam_size: int = 5
    alpha: float = 0.6
    max_len: int | None = None
    n_runners_up: int = 0
    penalty: PenaltyKind = "wu"
    penalise: Penalise = "final"
    min_len: int = 0

    def __post_init__(self) -> None:
        faults = []
        if not 1 <= self.beam_size <= MAX_BEAM_SIZE:
            faults.append(f"beam_size is {self.beam_size}, expected 1 to {MAX_BEAM_SIZE}")
        if not 0.0 <= self.alpha <= MAX_ALPHA:
            faults.append(f"alpha is {self.alpha}, expected 0 to {MAX_ALPHA:g}")
        if self.max_len is not None and not 1 <= self.max_len <= MAX_OUTPUT_LENGTH:
            faults.append(f"max_len is {self.max_len}, expected 1 to {MAX_OUTPUT_LENGTH} or None")
        if self.n_runners_up < 0:
            faults.append(f"n_runners_up is {self.n_runners_up}, expected 0 or more")
        if self.penalty not in PENALTIES:
            faults.append(f"penalty is {self.penalty!r}, expected one of {', '.join(PENALTIES)}")
        if self.penalise not in PENALISE:
            faults.append(f"penalise is {self.penalise!r}, expected one of {', '.join(PENALISE)}")
        faults += _length_faults(self.min_len, self.max_len)
        if faults:
            raise ValueError("; ".join(faults))


@dataclass(frozen=True)
class Sampling:
    """How to sample. Temperature 0 and `top_k` 1 both take the likeliest token at every step.

    Attributes
    ----------
    n_samples : translations to draw, 1 to 200.
    temperature : divides the log-probabilities before the draw, 0 to 10.
    top_k : draw among the k likeliest tokens only; 0 among all (Fan et al. 2018).
    top_p : draw among the fewest tokens that hold this much probability, above 0 to 1; 1 among
        all (Holtzman et al. 2020).
    seed : the same seed draws the same samples.
    max_len, min_len : as for `Decoding`.
    """

    n_samples: int = 5
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0
    max_len: int | None = None
    min_len: int = 0

    def __post_init__(self) -> None:
        faults = []
        if not 1 <= self.n_samples <= MAX_SAMPLES:
            faults.append(f"n_samples is {self.n_samples}, expected 1 to {MAX_SAMPLES}")
        if not 0.0 <= self.temperature <= MAX_TEMPERATURE:
            faults.append(f"temperature is {self.temperature}, expected 0 to {MAX_TEMPERATURE:g}")
        if self.top_k < 0:
            faults.append(f"top_k is {self.top_k}, expected 0 or more")
        if not 0.0 < self.top_p <= 1.0:
            faults.append(f"top_p is {self.top_p}, expected more than 0, at most 1")
        if not 0 <= self.seed < 2**63:
            faults.append(f"seed is {self.seed}, expected 0 to 2**63 - 1")
        if self.max_len is not None and not 1 <= self.max_len <= MAX_OUTPUT_LENGTH:
            faults.append(f"max_len is {self.max_len}, expected 1 to {MAX_OUTPUT_LENGTH} or None")
        faults += _length_faults(self.min_len, self.max_len)
        if faults:
            raise ValueError("; ".join(faults))


def _length_faults(min_len: int, max_len: int | None) -> list[str]:
    if not 0 <= min_len <= MAX_OUTPUT_LENGTH:
        return [f"min_len is {min_len}, expected 0 to {MAX_OUTPUT_LENGTH}"]
    if max_len is not None and 1 <= max_len < min_len:
        return [f"min_len is {min_len}, more than max_len, which is {max_len}"]
    return []


def _refuse(faults: Sequence[str]) -> None:
    if faults:
        raise ValueError("; ".join(faults))


@dataclass(frozen=True)
class MaskedCell:
    """A cell that a query may not look at; None stands for every layer, head, query or key.

    Layers, heads and positions count from 0. A query of "decoder" and "cross" is the position in
    what the decoder reads, ``<s>`` being 0; it produces the token of the same number.
    """

    kind: AttentionKind
    layer: int | None = None
    head: int | None = None
    query: int | None = None
    key: int | None = None

    def __post_init__(self) -> None:
        _refuse(_place_faults(self, "layer", "head", "query", "key"))


@dataclass(frozen=True)
class AblatedHead:
    """A head switched off; None stands for every layer or head.

    `how`: "zero" and "mean" put zeros, or the head's mean output over validation sentences, in
    the place of its output (its weights stay as they are); "uniform" gives the same weight to
    every key that may be looked at.
    """

    kind: AttentionKind
    layer: int | None = None
    head: int | None = None
    how: Ablation = "zero"

    def __post_init__(self) -> None:
        faults = _place_faults(self, "layer", "head")
        if self.how not in ABLATIONS:
            faults.append(f"how is {self.how!r}, expected one of {', '.join(ABLATIONS)}")
        _refuse(faults)


@dataclass(frozen=True)
class OverriddenRow:
    """A row of weights given by hand; None stands for every layer or head.

    `weights` are those of the keys from 0 on, no key beyond them gets any.
    """

    kind: AttentionKind
    layer: int | None
    head: int | None
    query: int
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        faults = _place_faults(self, "layer", "head", "query")
        if self.query is None:
            faults.append("query is None, expected a position")
        total = math.fsum(self.weights)
        if not self.weights or not all(math.isfinite(w) for w in self.weights):
            faults.append("the weights of a row must be finite numbers")
        elif min(self.weights) < 0:
            faults.append(f"the weights of a row hold {min(self.weights):g}, expected 0 or more")
        elif abs(total - 1) > ROW_SUM_TOLERANCE:
            faults.append(f"the weights of a row sum to {total:g}, expected 1")
        _refuse(faults)


@dataclass(frozen=True)
class Positions:
    """Which positional encoding each token of one side gets.

    Attributes
    ----------
    mode : "normal"; "absent": none is added; "permuted": shuffled by `seed`; "shifted": `offset`
        more than the true position; "reversed": the last one first.
    offset : of "shifted", 0 or more.
    seed : of "permuted".
    span : how many positions from 0 on are permuted or reversed; those beyond keep theirs. None
        means the whole source; the target, whose length a search does not know, needs a number.
    """

    mode: PositionMode = "normal"
    offset: int = 0
    seed: int = 0
    span: int | None = None

    def __post_init__(self) -> None:
        faults = []
        if self.mode not in POSITION_MODES:
            faults.append(f"mode is {self.mode!r}, expected one of {', '.join(POSITION_MODES)}")
        if self.offset < 0:
            faults.append(f"offset is {self.offset}, expected 0 or more")
        if self.seed < 0:
            faults.append(f"seed is {self.seed}, expected 0 or more")
        if self.span is not None and self.span < 1:
            faults.append(f"span is {self.span}, expected 1 or more")
        _refuse(faults)
        # What a mode does not use must not tell equal ones apart.
        if self.mode != "shifted":
            object.__setattr__(self, "offset", 0)
        if self.mode != "permuted":
            object.__setattr__(self, "seed", 0)
        if self.mode not in ("permuted", "reversed"):
            object.__setattr__(self, "span", None)

    def order(self, length: int) -> np.ndarray:
        """The position that each of `length` tokens gets: int array (length,); "absent" as normal.

        Raises
        ------
        ValueError : "permuted" or "reversed" for a length below `span`.
        """
        order = np.arange(length)
        if self.mode == "shifted":
            return order + self.offset
        if self.mode in ("permuted", "reversed"):
            span = length if self.span is None else self.span
            if span > length:
                raise ValueError(f"span is {span}, more than the {length} tokens")
            order[:span] = (
                np.random.default_rng(self.seed).permutation(span)
                if self.mode == "permuted"
                else order[:span][::-1].copy()
            )
        return order


@dataclass(frozen=True)
class Intervention:
    """What is changed in a run of the model; the same changes in any order are equal.

    Masks act before the softmax, which makes the row sum to one again; then uniform heads, then
    overridden rows, then zero and mean outputs. Of two entries for the same head or row the one
    with fewer None counts.

    Attributes
    ----------
    causal : False lets the decoder look at later positions.
    hidden_from_encoder, hidden_from_cross : source positions no query of that kind may look at,
        in any layer and head.
    masked : single cells, or rows and columns of them.
    ablated : heads switched off.
    overridden : rows given by hand.
    source_positions, target_positions : the positional encodings of either side.
    """

    causal: bool = True
    hidden_from_encoder: tuple[int, ...] = ()
    hidden_from_cross: tuple[int, ...] = ()
    masked: tuple[MaskedCell, ...] = ()
    ablated: tuple[AblatedHead, ...] = ()
    overridden: tuple[OverriddenRow, ...] = ()
    source_positions: Positions = Positions()
    target_positions: Positions = Positions()

    def __post_init__(self) -> None:
        faults = [
            f"{name} holds {position}, expected positions from 0 on"
            for name in ("hidden_from_encoder", "hidden_from_cross")
            for position in getattr(self, name)
            if position < 0
        ]
        target = self.target_positions
        if target.mode in ("permuted", "reversed") and target.span is None:
            faults.append(f"target_positions are {target.mode} and need a span")
        _refuse(faults)
        for name, place in (
            ("hidden_from_encoder", None),
            ("hidden_from_cross", None),
            ("masked", None),
            ("ablated", lambda a: (a.kind, a.layer, a.head)),
            ("overridden", lambda r: (r.kind, r.layer, r.head, r.query)),
        ):
            entries = {place(e) if place else e: e for e in getattr(self, name)}
            ordered = tuple(sorted(entries.values(), key=_sortable))
            object.__setattr__(self, name, ordered)

    def __bool__(self) -> bool:
        """False when nothing is changed."""
        return self != Intervention()

    def __or__(self, other: Intervention) -> Intervention:
        """Both sets of changes; where they contradict each other, `other` counts."""
        return Intervention(
            self.causal and other.causal,
            self.hidden_from_encoder + other.hidden_from_encoder,
            self.hidden_from_cross + other.hidden_from_cross,
            self.masked + other.masked,
            self.ablated + other.ablated,
            self.overridden + other.overridden,
            *(
                mine if theirs.mode == "normal" else theirs
                for mine, theirs in (
                    (self.source_positions, other.source_positions),
                    (self.target_positions, other.target_positions),
                )
            ),
        )


def hide(*positions: int, where: Literal["encoder", "cross", "both"] = "both") -> Intervention:
    """The intervention that hides source positions from the encoder, cross-attention or both."""
    return Intervention(
        hidden_from_encoder=positions if where != "cross" else (),
        hidden_from_cross=positions if where != "encoder" else (),
    )


def _sortable(entry: Any) -> Any:
    """Orders entries in which None stands beside numbers, None first."""
    if isinstance(entry, int):
        return entry
    return tuple((value is not None, value) for value in vars(entry).values())


def _place_faults(entry: Any, *names: str) -> list[str]:
    faults = []
    if entry.kind not in ATTENTION_KINDS:
        faults.append(f"kind is {entry.kind!r}, expected one of {', '.join(ATTENTION_KINDS)}")
    for name in names:
        value = getattr(entry, name)
        if value is not None and value < 0:
            faults.append(f"{name} is {value}, expected 0 or more")
    return faults


@dataclass(frozen=True)
class BeamNode:
    """One token of the search tree.

    Attributes
    ----------
    id, parent : position in ``BeamTree.nodes``; the root (``<s>``) has parent None.
    step : 0 for the root, then the number of tokens produced.
    log_prob : natural log-probability of this token given the path so far.
    cum_log_prob : sum of `log_prob` from the root.
    score : `cum_log_prob` divided by the length penalty for `step` tokens.
    rank : 0 for the best candidate of its step.
    status : "kept" (still growing), "finished" (``</s>``) or "pruned".
    reason : why a pruned node was dropped, why a kept leaf was not grown, or that the node was
        forced; "" otherwise.
    """

    id: int
    parent: int | None
    step: int
    token: str
    token_id: int
    log_prob: float
    cum_log_prob: float
    score: float
    rank: int
    status: NodeStatus
    reason: str = ""


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
    """The whole search: ``nodes[i].id == i``, parents before children.

    Attributes
    ----------
    nodes : the root (``<s>``) first.
    beam_size, alpha, penalty, penalise, min_len : the choices, as in `Decoding`.
    max_len : most tokens a path may have.
    best : id of the node that ends the best hypothesis.
    prefix : ids that were forced; their nodes have the ids 1 to ``len(prefix)``.
    method : "beam", or "sampling" for a tree of samples (then `beam_size` counts them).
    samples : of a tree of samples, the node that ends each, in the order they were drawn.
    """

    nodes: tuple[BeamNode, ...]
    beam_size: int
    alpha: float
    max_len: int
    best: int
    penalty: PenaltyKind = "wu"
    penalise: Penalise = "final"
    min_len: int = 0
    prefix: tuple[int, ...] = ()
    method: Literal["beam", "sampling"] = "beam"
    samples: tuple[int, ...] = ()

    def path(self, node_id: int) -> tuple[BeamNode, ...]:
        """The nodes from the root to `node_id`, both included."""
        path = []
        current: int | None = node_id
        while current is not None:
            node = self.nodes[current]
            path.append(node)
            current = node.parent
        return tuple(reversed(path))

    def children(self, node_id: int) -> tuple[BeamNode, ...]:
        return tuple(node for node in self.nodes if node.parent == node_id)

    def at_step(self, step: int) -> tuple[BeamNode, ...]:
        return tuple(node for node in self.nodes if node.step == step)

    def follow(self, ids: Sequence[int]) -> tuple[BeamNode, ...]:
        """The nodes that spell `ids` from the root on, root included, as far as the tree goes."""
        children = {(node.parent, node.token_id): node for node in self.nodes}
        found = [self.nodes[0]]
        for token_id in ids:
            child = children.get((found[-1].id, token_id))
            if child is None:
                break
            found.append(child)
        return tuple(found)

    def hypothesis(self, node_id: int) -> Hypothesis:
        """The path that ends in `node_id` as a hypothesis."""
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
        """Finished hypotheses, best score first.

        When the search reached `max_len` with nothing finished, the live ones of the last step.
        """
        ends = [node for node in self.nodes if node.status == "finished"]
        if not ends:
            last = max(node.step for node in self.nodes)
            ends = [n for n in self.nodes if n.step == last and n.status == "kept"]
        ends.sort(key=lambda node: (-node.score, node.id))
        return tuple(self.hypothesis(node.id) for node in ends)


@dataclass(frozen=True)
class Candidate:
    """A token that could come next; `log_prob` is natural, `rank` 0 for the likeliest."""

    token_id: int
    token: str
    log_prob: float
    rank: int


@dataclass(frozen=True)
class ExactSearch:
    """The best hypothesis there is, or the best found before a limit.

    Attributes
    ----------
    best : the best finished hypothesis; None when there is none, or none was found in time.
    proven : True when no other hypothesis of `min_len` to `max_len` tokens scores more.
    expansions : prefixes whose next-token distribution was worked out.
    seconds : wall-clock time.
    reason : why the search is not proven; "" otherwise.
    alpha, penalty, min_len, max_len : as in `BeamTree`.
    """

    best: Hypothesis | None
    proven: bool
    expansions: int
    seconds: float
    reason: str
    alpha: float
    penalty: PenaltyKind
    min_len: int
    max_len: int


@dataclass(frozen=True, eq=False)
class TreeAttention:
    """Attention behind every node of a tree: the rows that *produced* its token.

    Attributes
    ----------
    src : the source pieces, the columns of `cross`.
    cross : float32 array (n_nodes, L, H, T_src); rows sum to one.
    decoder : float32 array (n_nodes, L, H, max_step): self-attention over the tokens read so far,
        ``<s>`` first, 0 beyond ``lengths[node]``.
    lengths : int array (n_nodes,): tokens read to produce each node, which is its step.

    The root is produced by nothing: its rows are 0 and its length is 0.
    """

    src: TokenSequence
    cross: np.ndarray
    decoder: np.ndarray
    lengths: np.ndarray

    def self_attention(self, node_id: int) -> np.ndarray:
        """(L, H, step) weights on the tokens of the path before `node_id`, without padding."""
        return self.decoder[node_id, :, :, : self.lengths[node_id]]


@dataclass(frozen=True, eq=False)
class SearchVerdict:
    """Who is to blame when a search returns y_hat and the reference is y* (Stahlberg and Byrne
    2019).

    Attributes
    ----------
    src, reference, output : x, y* and y_hat.
    reference_log_probs, output_log_probs : float32 arrays (T,): natural log-probability of each
        token, both by teacher forcing; all of `reference_log_probs` is there when the verdict is
        void, though it then means little.
    reference_score, output_score : their sums over the length penalty.
    verdict : by score, so with normalisation. "search error": y* scores more, and the search
        lost it; "length penalty": y* is likelier, but the penalty ranks it lower; "model error":
        y* is neither; "same": the search found y*; "void": nothing can be said, see `void`.
    plain_verdict : by log-probability, so without normalisation. "search error": y* is likelier
        and the search lost it; "length penalty": it is likelier and finished, but was ranked lower.
    finished : y* is among the finished hypotheses of `tree`.
    fell_out_at : first step at which the beginning of y* is no kept or finished node, None when y*
        finished or was found.
    fell_out : why, in the words of the tree's reasons; "" when `fell_out_at` is None.
    unknown : characters of y* that the vocabulary lacks, each once.
    void : why the verdict is void; "" otherwise.
    tree : the search that found y_hat.
    """

    src: TokenSequence
    reference: TokenSequence
    output: TokenSequence
    reference_log_probs: np.ndarray
    output_log_probs: np.ndarray
    reference_score: float
    output_score: float
    verdict: Verdict
    plain_verdict: Verdict
    finished: bool
    fell_out_at: int | None
    fell_out: str
    unknown: tuple[str, ...]
    void: str
    tree: BeamTree

    @property
    def reference_log_prob(self) -> float:
        """log P(y* | x)."""
        return float(self.reference_log_probs.sum(dtype=np.float64))

    @property
    def output_log_prob(self) -> float:
        """log P(y_hat | x)."""
        return float(self.output_log_probs.sum(dtype=np.float64))


@dataclass(frozen=True, eq=False)
class Translation:
    """What one call of `Translator.translate` computed.

    Attributes
    ----------
    src : the source pieces as the model read them, ``</s>`` included.
    tgt : the produced pieces; `tgt.text` is the translation, ``</s>`` included when finished.
    log_probs : float32 array (T_tgt,), natural log-probability of each produced token.
    score : the sum of `log_probs` divided by the length penalty.
    attention : the attention of teacher-forcing `tgt`, every kind, layer and head.
    tree : the search that found it.
    seconds : wall-clock time of the whole call, search and attention.
    search_seconds : the part of it that was search.
    """

    src: TokenSequence
    tgt: TokenSequence
    log_probs: np.ndarray
    score: float
    attention: AttentionRecord
    tree: BeamTree
    seconds: float
    search_seconds: float

    @property
    def text(self) -> str:
        return self.tgt.text

    @property
    def finished(self) -> bool:
        """False when the search stopped at `max_len` before any hypothesis ended."""
        return self.tree.nodes[self.tree.best].status == "finished"


@dataclass(frozen=True)
class Decision:
    """A produced token and what might have stood in its place.

    `position` counts produced tokens from 0: the decoder row that produces it. `token` and `rival`
    spell the ids.
    """

    position: int
    token_id: int
    token: str
    rival_id: int
    rival: str


@dataclass(frozen=True, eq=False)
class KnockOut:
    """Every head switched off in turn, and what became of one translation.

    N heads, those of the encoder first, then decoder, then cross, layer by layer.

    Attributes
    ----------
    src, tgt : the sentence and the translation whose probability is followed.
    how : the kind of ablation.
    heads : N places (kind, layer, head), from 0.
    log_probs : float32 array (N, T_tgt), natural, of the tokens of `tgt` without that head.
    plain_log_probs : float32 array (T_tgt,), with all heads.
    outputs : N greedy translations without that head.
    plain_output : the greedy translation with all heads.
    position : the row whose choice is followed, None when none is.
    choices : C tokens that could stand there, such as "▁es", "▁sie", "▁er".
    choice_probs : float32 array (N, C), their probabilities without that head.
    plain_choice_probs : float32 array (C,), with all heads.
    seconds : wall-clock time.
    """

    src: TokenSequence
    tgt: TokenSequence
    how: Ablation
    heads: tuple[tuple[AttentionKind, int, int], ...]
    log_probs: np.ndarray
    plain_log_probs: np.ndarray
    outputs: tuple[TokenSequence, ...]
    plain_output: TokenSequence
    position: int | None
    choices: tuple[str, ...]
    choice_probs: np.ndarray
    plain_choice_probs: np.ndarray
    seconds: float

    @property
    def changes(self) -> np.ndarray:
        """(N,) change in log P of the whole of `tgt`; below 0 where the head helped it."""
        return self.log_probs.sum(1) - self.plain_log_probs.sum()


@dataclass(frozen=True)
class TracedLink:
    """One link: `query` looks at `key` in one head. `change` is that of the log-odds without it."""

    kind: AttentionKind
    layer: int
    head: int
    query: int
    key: int
    weight: float
    change: float


@dataclass(frozen=True, eq=False)
class Trace:
    """Every link and every head knocked out alone: what that does to one decision.

    Attributes
    ----------
    src, tgt : the sentence and the translation that is being written.
    decision : token and rival.
    log_odds : natural log of P(token) / P(rival) with nothing knocked out.
    changes : for each kind a float32 array (L, H, T_q, T_k): log-odds without that link minus
        `log_odds`, so below 0 where the link speaks for the token. NaN where there is no such
        link (masked, or the only one of its row), or the trace was stopped before it; exactly 0
        where the decision cannot depend on it.
    head_changes : for each kind a float32 array (L, H), the head's output put to zero.
    weights : for each kind the weights (L, H, T_q, T_k) with nothing knocked out.
    n_links : links there are.
    n_run : of these, knocked out in a run of their own; the decision cannot depend on the others.
    seconds : wall-clock time.
    """

    src: TokenSequence
    tgt: TokenSequence
    decision: Decision
    log_odds: float
    changes: dict[AttentionKind, np.ndarray]
    head_changes: dict[AttentionKind, np.ndarray]
    weights: dict[AttentionKind, np.ndarray]
    n_links: int
    n_run: int
    seconds: float

    def strongest(self, n: int) -> tuple[TracedLink, ...]:
        """The `n` links with the largest absolute change, largest first."""
        found = []
        for kind, changes in self.changes.items():
            flat = np.abs(np.nan_to_num(changes)).ravel()
            for place in np.argsort(-flat, kind="stable")[:n]:
                at = np.unravel_index(place, changes.shape)
                layer, head, query, key = map(int, at)
                weight, change = float(self.weights[kind][at]), float(changes[at])
                if change and not math.isnan(change):
                    found.append(TracedLink(kind, layer, head, query, key, weight, change))
        return tuple(sorted(found, key=lambda link: -abs(link.change))[:n])


@dataclass(frozen=True, eq=False)
class Explanation:
    """How well cross-attention tells which source tokens a produced token depends on.

    Attributes
    ----------
    src, tgt : the pair; row t of each array is about producing token t of `tgt`.
    hidden_from : where the source tokens were hidden: "cross", "encoder" or "both".
    method : "spearman" or "kendall", the rank correlation used.
    log_probs : float32 array (T_tgt,), natural, with nothing hidden.
    drops : float32 array (T_tgt, T_src): log p of token t minus the same with the source token
        hidden; above 0 where the token depends on it.
    gradient : float32 array (T_tgt, T_src): gradient of log p of token t with respect to the
        embedding of the source token, times that embedding, summed over d_model.
    to_drops, to_gradient : float32 arrays (L, H, T_tgt): rank correlation of a head's
        cross-attention row with that row of `drops`, or of `gradient`; NaN where either is even.
    gradient_to_drops : float32 array (T_tgt,).
    """

    src: TokenSequence
    tgt: TokenSequence
    hidden_from: Literal["cross", "encoder", "both"]
    method: Literal["spearman", "kendall"]
    log_probs: np.ndarray
    drops: np.ndarray
    gradient: np.ndarray
    to_drops: np.ndarray
    to_gradient: np.ndarray
    gradient_to_drops: np.ndarray


@dataclass(frozen=True, eq=False)
class PaddedRun:
    """One sentence of a batch that was padded to the same length.

    Attributes
    ----------
    n_padding, n_target_padding : ``<pad>`` tokens at the end of its source and of what its
        decoder read; 0 for the longer one and for a sentence alone.
    attention : of teacher-forcing the greedy translation of the sentence alone. Rows of padding
        are left out, its columns are there; a mask is there where something was masked.
    log_probs : float32 array (T_tgt,), natural, of the tokens of that translation.
    output : the greedy translation of the sentence in this batch.
    """

    n_padding: int
    n_target_padding: int
    attention: AttentionRecord
    log_probs: np.ndarray
    output: TokenSequence

    @property
    def log_prob(self) -> float:
        """log P of the whole translation that the sentence has alone."""
        return float(self.log_probs.sum(dtype=np.float64))

    def on_padding(self, kind: AttentionKind) -> np.ndarray:
        """(L, H, T_q) the weight that each row puts on padding."""
        attention = self.attention.of(kind)
        n_padding = self.n_target_padding if kind == "decoder" else self.n_padding
        return attention.weights[..., len(attention.key_tokens) - n_padding :].sum(-1)


@dataclass(frozen=True, eq=False)
class PaddedPair:
    """Two sentences read alone, and as a batch with and without the padding mask.

    Each is a pair in the order of the sentences.
    """

    alone: tuple[PaddedRun, PaddedRun]
    masked: tuple[PaddedRun, PaddedRun]
    unmasked: tuple[PaddedRun, PaddedRun]

    @property
    def shorter(self) -> int | None:
        """Which sentence was padded, 0 or 1; None when both have the same length."""
        padded = [item for item, run in enumerate(self.masked) if run.n_padding]
        return padded[0] if padded else None


@dataclass(frozen=True, eq=False)
class Reordered:
    """What the encoder makes of the same tokens in two orders.

    Attributes
    ----------
    src : the tokens in the first order.
    order : place i of the second order holds token ``order[i]`` of `src`.
    positions : whether positional encodings were added.
    vectors : float32 array (2, L + 1, T, d_model), first and second order; row t is about token t
        of `src` in both. Layer 0 is the embedding, layer L the encoder's output.
    attention : float32 array (2, L, H, T, T), each with the rows and columns of its own order.
    """

    src: TokenSequence
    order: tuple[int, ...]
    positions: bool
    vectors: np.ndarray
    attention: np.ndarray

    @property
    def distances(self) -> np.ndarray:
        """(L + 1, T) Euclidean distance between a token's two vectors."""
        first, second = self.vectors.astype(np.float64)
        return np.linalg.norm(first - second, axis=-1)

    @property
    def cosines(self) -> np.ndarray:
        """(L + 1, T) cosine of the angle between a token's two vectors."""
        first, second = self.vectors.astype(np.float64)
        lengths = np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
        return (first * second).sum(-1) / lengths


@dataclass(frozen=True, eq=False)
class Equivariance:
    """How far encode(P x) is from P encode(x) for permutations P of all tokens, ``</s>`` included.

    Attributes
    ----------
    positions : whether positional encodings were added.
    bits : 32 or 64, the floating-point numbers that were worked in.
    orders : N permutations.
    differences : float64 array (N,): the largest absolute difference over all tokens and numbers.
    largest_value : the largest absolute number of encode(x), to judge them by.
    """

    positions: bool
    bits: int
    orders: tuple[tuple[int, ...], ...]
    differences: np.ndarray
    largest_value: float


@dataclass(frozen=True, eq=False)
class PositionHeads:
    """Which heads look at places and which at words.

    Overlap is 1 minus the total variation distance of two rows, mean over the rows that leave a
    choice: 1 where two maps are equal, 0 where they have nothing in common.

    Attributes
    ----------
    plain : the attention of the pair itself.
    others : N pairs of the same lengths with other words in the same places.
    shown : the attention of the first few of them.
    absent : the attention of the pair without positional encodings on either side.
    other_words : for each kind a float32 array (N, L, H), overlap of `plain` with each of `others`.
    without_positions : for each kind a float32 array (L, H), overlap of `plain` with `absent`.
    sharpness : for each kind a float32 array (L, H), the largest weight of a row, mean over rows.
    chance : for each kind the mean overlap of the maps of two different heads of `plain`.
    seconds : wall-clock time.
    """

    plain: AttentionRecord
    others: tuple[tuple[TokenSequence, TokenSequence], ...]
    shown: tuple[AttentionRecord, ...]
    absent: AttentionRecord
    other_words: dict[AttentionKind, np.ndarray]
    without_positions: dict[AttentionKind, np.ndarray]
    sharpness: dict[AttentionKind, np.ndarray]
    chance: dict[AttentionKind, float]
    seconds: float


@dataclass(frozen=True, eq=False)
class PositionTable:
    """What a model adds to its scaled embeddings, position by position.

    Attributes
    ----------
    values : float32 array (n_positions, d_model), read-only.
    base : wavelengths run from 2 pi towards base times 2 pi positions.
    embedding_scale : what embeddings are multiplied by before `values` are added.
    """

    values: np.ndarray
    base: float
    embedding_scale: float


@dataclass(frozen=True)
class CheckpointCard:
    """What a checkpoint is, where it came from and what it scored.

    `scores` and `heads` are what ``python -m training evaluate`` measured; `heads` names the
    heads that link "it" to its antecedent. `guided` is the attention head that was *trained* to
    do so, None for a free model. `searches` is what ``python -m training sweep`` measured of the
    search, see `training.sweep`; `interventions` what ``python -m training intervene`` measured by
    changing what the model may see, see `training.intervene`. `fingerprint` identifies the weights,
    config and tokenizer.
    """

    name: str
    architecture: str
    languages: tuple[str, str]
    n_params: int
    config: dict[str, Any]
    fingerprint: str
    title: str = ""
    description: str = ""
    licence: str = ""
    scores: dict[str, Any] = field(default_factory=dict)
    heads: dict[str, Any] = field(default_factory=dict)
    guided: dict[str, Any] | None = None
    training: dict[str, Any] = field(default_factory=dict)
    searches: dict[str, Any] = field(default_factory=dict)
    interventions: dict[str, Any] = field(default_factory=dict)


def fingerprint_of(*parts: bytes | dict[str, Any]) -> str:
    """Twelve hexadecimal digits that identify the given bytes and JSON-able dicts."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part if isinstance(part, bytes) else json.dumps(part, sort_keys=True).encode()
        digest.update(len(raw).to_bytes(8, "little"))
        digest.update(raw)
    return digest.hexdigest()[:12]
