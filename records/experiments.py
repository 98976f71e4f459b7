"""What experiments on a model measured."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .attention import AttentionRecord
from .changes import Ablation
from .tokens import TokenSequence


@dataclass(frozen=True)
class PaddingEffect:
    """What `<pad>` tokens at the end of both sentences did to the attention."""

    n_source: int  # n_source, n_target: padding tokens added to either side
    n_target: int
    # largest weight that any real position put on a padded one; a sound mask leaves exactly 0
    largest_weight: float
    largest_change: float  # largest absolute difference of any weight between real positions


@dataclass(frozen=True)
class AttentionCost:
    """Dot-product and additive attention from vectors to weights, one head, one sentence."""

    n_queries: int  # n_queries, n_keys, d_k: T_q, T_k and the size of the vectors
    n_keys: int
    d_k: int
    # dot_product_bytes, additive_bytes: size of all tensors made on the way, counted from shapes
    dot_product_bytes: int
    additive_bytes: int
    dot_product_seconds: float  # dot_product_seconds, additive_seconds: measured wall-clock time
    additive_seconds: float


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
    """

    src: TokenSequence  # src, tgt: the sentence and the translation whose probability is followed
    tgt: TokenSequence
    how: Ablation  # the kind of ablation
    heads: tuple[tuple[str, int, int], ...]  # N places (kind, layer, head), from 0
    log_probs: np.ndarray  # float32 (N, T_tgt), natural, of the tokens of `tgt` without that head
    plain_log_probs: np.ndarray  # float32 (T_tgt,), with all heads
    outputs: tuple[TokenSequence, ...]  # N greedy translations without that head
    plain_output: TokenSequence  # the greedy translation with all heads
    position: int | None  # the row whose choice is followed, None when none is
    choices: tuple[str, ...]  # C tokens that could stand there, such as "▁es", "▁sie", "▁er"
    choice_probs: np.ndarray  # float32 (N, C), their probabilities without that head
    plain_choice_probs: np.ndarray  # float32 (C,), with all heads
    seconds: float  # wall-clock time

    @property
    def changes(self) -> np.ndarray:
        """(N,) change in log P of the whole of `tgt`; below 0 where the head helped it."""
        return self.log_probs.sum(1) - self.plain_log_probs.sum()


@dataclass(frozen=True)
class TracedLink:
    """One link: `query` looks at `key` in one head. `change` is that of the log-odds without it."""

    kind: str
    layer: int
    head: int
    query: int
    key: int
    weight: float
    change: float


@dataclass(frozen=True, eq=False)
class Trace:
    """Every link and every head knocked out alone: what that does to one decision."""

    src: TokenSequence  # src, tgt: the sentence and the translation that is being written
    tgt: TokenSequence
    decision: Decision  # token and rival
    log_odds: float  # natural log of P(token) / P(rival) with nothing knocked out
    # for each kind a float32 (L, H, T_q, T_k): log-odds without that link minus `log_odds`, so
    # below 0 where the link speaks for the token. NaN where there is no such link (masked, or the
    # only one of its row), or the trace was stopped before it; exactly 0 where the decision cannot
    # depend on it
    changes: dict[str, np.ndarray]
    # for each kind a float32 (L, H), the head's output put to zero
    head_changes: dict[str, np.ndarray]
    # for each kind the weights (L, H, T_q, T_k) with nothing knocked out
    weights: dict[str, np.ndarray]
    n_links: int  # links there are
    # of these, knocked out in a run of their own; the decision cannot depend on the others
    n_run: int
    seconds: float  # wall-clock time

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

    Of a model without such attention the drops and the gradient alone are there.
    """

    # src, tgt: the pair; row t of each array is about producing token t of `tgt`
    src: TokenSequence
    tgt: TokenSequence
    hidden_from: str  # where the source tokens were hidden, one of `hiding_places`
    method: Literal["spearman", "kendall"]  # "spearman" or "kendall", the rank correlation used
    log_probs: np.ndarray  # float32 (T_tgt,), natural, with nothing hidden
    # float32 (T_tgt, T_src): log p of token t minus the same with the source token hidden; above 0
    # where the token depends on it. NaN where it cannot be: ``</s>`` is always read
    drops: np.ndarray
    # float32 (T_tgt, T_src): gradient of log p of token t with respect to the embedding of the
    # source token, times that embedding, summed over d_model
    gradient: np.ndarray
    # to_drops, to_gradient: float32 (L, H, T_tgt): rank correlation of a head's cross-attention row
    # with that row of `drops`, or of `gradient`; NaN where either is even; None without such
    # attention
    to_drops: np.ndarray | None
    to_gradient: np.ndarray | None
    gradient_to_drops: np.ndarray  # float32 (T_tgt,)


@dataclass(frozen=True, eq=False)
class PaddedRun:
    """One sentence of a batch that was padded to the same length."""

    # n_padding, n_target_padding: ``<pad>`` tokens at the end of its source and of what its decoder
    # read; 0 for the longer one and for a sentence alone
    n_padding: int
    n_target_padding: int
    # of teacher-forcing the greedy translation of the sentence alone. Rows of padding are left out,
    # its columns are there; a mask is there where something was masked
    attention: AttentionRecord
    log_probs: np.ndarray  # float32 (T_tgt,), natural, of the tokens of that translation
    output: TokenSequence  # the greedy translation of the sentence in this batch

    @property
    def log_prob(self) -> float:
        """log P of the whole translation that the sentence has alone."""
        return float(self.log_probs.sum(dtype=np.float64))

    def on_padding(self, kind: str) -> np.ndarray:
        """(L, H, T_q) the weight that each row puts on padding."""
        attention = self.attention.of(kind)
        on_target = attention.site.key == "target"
        n_padding = self.n_target_padding if on_target else self.n_padding
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
    """What the encoder makes of the same tokens in two orders."""

    src: TokenSequence  # the tokens in the first order
    order: tuple[int, ...]  # place i of the second order holds token ``order[i]`` of `src`
    positions: bool  # whether positional encodings were added
    # float32 (2, L + 1, T, d_model), first and second order; row t is about token t of `src` in
    # both. Layer 0 is the embedding, layer L the encoder's output
    vectors: np.ndarray
    # float32 (2, L, H, T, T), each with the rows and columns of its own order
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
    """How far encode(P x) is from P encode(x), P permuting all tokens, ``</s>`` included."""

    positions: bool  # whether positional encodings were added
    bits: int  # 32 or 64, the floating-point numbers that were worked in
    orders: tuple[tuple[int, ...], ...]  # N permutations
    # float64 (N,): the largest absolute difference over all tokens and numbers
    differences: np.ndarray
    largest_value: float  # the largest absolute number of encode(x), to judge them by


@dataclass(frozen=True, eq=False)
class PositionHeads:
    """Which heads look at places and which at words.

    Overlap is 1 minus the total variation distance of two rows, mean over the rows that leave a
    choice: 1 where two maps are equal, 0 where they have nothing in common.
    """

    plain: AttentionRecord  # the attention of the pair itself
    # N pairs of the same lengths with other words in the same places
    others: tuple[tuple[TokenSequence, TokenSequence], ...]
    shown: tuple[AttentionRecord, ...]  # the attention of the first few of them
    absent: AttentionRecord  # the attention of the pair without positional encodings on either side
    # for each kind a float32 (N, L, H), overlap of `plain` with each of `others`
    other_words: dict[str, np.ndarray]
    # for each kind a float32 (L, H), overlap of `plain` with `absent`
    without_positions: dict[str, np.ndarray]
    # for each kind a float32 (L, H), the largest weight of a row, mean over rows
    sharpness: dict[str, np.ndarray]
    # for each kind the mean overlap of the maps of two different heads of `plain`
    chance: dict[str, float]
    seconds: float  # wall-clock time


@dataclass(frozen=True, eq=False)
class PositionTable:
    """What a model adds to its scaled embeddings, position by position."""

    values: np.ndarray  # float32 (n_positions, d_model), read-only
    base: float  # wavelengths run from 2 pi towards base times 2 pi positions
    embedding_scale: float  # what embeddings are multiplied by before `values` are added
