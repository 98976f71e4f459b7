"""The records that travel between the rooms of the house.

Only NumPy and frozen dataclasses live here, so that `model/` (which thinks in tensors), `viz/`
(which draws arrays) and `ui/` (which arranges pages) agree on shapes without knowing each other.
Arrays are float32, carry no batch axis, and attention is always ordered
``(layer, head, query, key)``.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

AttentionKind = Literal["encoder", "decoder", "cross"]
ATTENTION_KINDS: tuple[AttentionKind, ...] = ("encoder", "decoder", "cross")

NodeStatus = Literal["kept", "finished", "pruned"]

MAX_BEAM_SIZE = 50
MAX_ALPHA = 5.0
MAX_OUTPUT_LENGTH = 512


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
    """

    kind: AttentionKind
    weights: np.ndarray
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    output_tokens: tuple[str, ...] | None = None
    scores: np.ndarray | None = None
    mask: np.ndarray | None = None

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

    @property
    def n_layers(self) -> int:
        return self.weights.shape[0]

    @property
    def n_heads(self) -> int:
        return self.weights.shape[1]

    def head(self, layer: int, head: int) -> np.ndarray:
        """The (T_q, T_k) weights of one head; layers and heads count from 0."""
        return self.weights[layer, head]


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
    alpha : exponent of the length penalty ((5 + length) / 6) ** alpha of Wu et al. 2016
        (eq. 14); 0 switches it off.
    max_len : most tokens to produce, ``</s>`` included; None lets the model choose from the
        length of the source.
    n_runners_up : pruned candidates per step to keep in the tree.
    """

    beam_size: int = 5
    alpha: float = 0.6
    max_len: int | None = None
    n_runners_up: int = 0

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
        if faults:
            raise ValueError("; ".join(faults))


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
    reason : why a pruned node was dropped, or a kept leaf was not grown; "" otherwise.
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

    `ids` and `log_probs` leave the root out and include ``</s>`` when `finished`.
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
    """The whole search: ``nodes[i].id == i``, parents before children."""

    nodes: tuple[BeamNode, ...]
    beam_size: int
    alpha: float
    max_len: int
    best: int

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
class CheckpointCard:
    """What a checkpoint is, where it came from and what it scored.

    `scores` and `heads` are what ``python -m training evaluate`` measured; `heads` names the
    heads that link "it" to its antecedent. `guided` is the attention head that was *trained* to
    do so, None for a free model. `fingerprint` identifies the weights, config and tokenizer.
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


def fingerprint_of(*parts: bytes | dict[str, Any]) -> str:
    """Twelve hexadecimal digits that identify the given bytes and JSON-able dicts."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part if isinstance(part, bytes) else json.dumps(part, sort_keys=True).encode()
        digest.update(len(raw).to_bytes(8, "little"))
        digest.update(raw)
    return digest.hexdigest()[:12]
