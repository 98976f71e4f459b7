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
    heads: tuple[tuple[str, int, int], ...]
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

    kind: str
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
    changes: dict[str, np.ndarray]
    head_changes: dict[str, np.ndarray]
    weights: dict[str, np.ndarray]
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

    Of a model without such attention the drops and the gradient alone are there.

    Attributes
    ----------
    src, tgt : the pair; row t of each array is about producing token t of `tgt`.
    hidden_from : where the source tokens were hidden, one of `hiding_places`.
    method : "spearman" or "kendall", the rank correlation used.
    log_probs : float32 array (T_tgt,), natural, with nothing hidden.
    drops : float32 array (T_tgt, T_src): log p of token t minus the same with the source token
        hidden; above 0 where the token depends on it. NaN where it cannot be: ``</s>`` is
        always read.
    gradient : float32 array (T_tgt, T_src): gradient of log p of token t with respect to the
        embedding of the source token, times that embedding, summed over d_model.
    to_drops, to_gradient : float32 arrays (L, H, T_tgt): rank correlation of a head's
        cross-attention row with that row of `drops`, or of `gradient`; NaN where either is even;
        None without such attention.
    gradient_to_drops : float32 array (T_tgt,).
    """

    src: TokenSequence
    tgt: TokenSequence
    hidden_from: str
    method: Literal["spearman", "kendall"]
    log_probs: np.ndarray
    drops: np.ndarray
    gradient: np.ndarray
    to_drops: np.ndarray | None
    to_gradient: np.ndarray | None
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
    other_words: dict[str, np.ndarray]
    without_positions: dict[str, np.ndarray]
    sharpness: dict[str, np.ndarray]
    chance: dict[str, float]
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
