"""Agreement of measures of importance, over the tokens of a translation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from msgspec import field

from words import Message

from .records.sources import TokenSequence
from .records.tokens import distinct_labels, is_word
from .storage import Correlation, Count, NotNegative, Part


@dataclass(frozen=True, eq=False)
class Explanation:
    """Importance of each source token for each produced token, beside the cross-attention.

    A model without such attention has drops and gradient alone.
    """

    # src, tgt: the pair; row t of each array is about producing token t of `tgt`
    src: TokenSequence
    tgt: TokenSequence
    hidden_from: str  # site the source tokens were hidden from, one of `hiding_places`
    method: Literal["spearman", "kendall"]  # rank correlation used
    log_probs: np.ndarray  # float32 (T_tgt,), natural, with nothing hidden
    # float32 (T_tgt, T_src): log p of token t minus the same with the source token hidden; above 0
    # where the token depends on it. NaN for ``</s>``, which is always read
    drops: np.ndarray
    # float32 (T_tgt, T_src): gradient of log p of token t with respect to the embedding of the
    # source token, times that embedding, summed over d_model
    gradient: np.ndarray
    # to_drops, to_gradient: float32 (L, H, T_tgt): rank correlation of a head's cross-attention row
    # with that row of `drops`, or of `gradient`; NaN where either is constant; None without such
    # attention
    to_drops: np.ndarray | None
    to_gradient: np.ndarray | None
    gradient_to_drops: np.ndarray  # float32 (T_tgt,)


def mean_correlations(per_token: np.ndarray) -> np.ndarray:
    """Average rank correlations (L, H, T_tgt) over the tokens that have one: (L, H).

    NaN if no token has one.
    """
    # `nanmean` would warn of every head without a correlation.
    present = ~np.isnan(per_token)
    counts = present.sum(axis=-1)
    totals = np.where(present, per_token, 0.0).sum(axis=-1, dtype=np.float64)
    return np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)


def needing_position(explanation: Explanation) -> int | None:
    """Return the position of the produced word that depends most on a word of the source, or None.

    A row of `drops` counts only if it produces a word and its largest drop is that of a word, so
    that punctuation is never chosen.
    """
    of_words = np.array([is_word(token) for token in explanation.src.tokens])
    # A token that cannot be hidden is never the largest.
    drops = np.nan_to_num(explanation.drops, nan=-np.inf)
    largest = drops.argmax(axis=1)
    candidates = [
        (float(drops[row, largest[row]]), row)
        for row, token in enumerate(explanation.tgt.tokens)
        if is_word(token) and of_words[largest[row]]
    ]
    drop, row = max(candidates, default=(0.0, 0))
    return row if drop > 0 else None


def measures_table(
    tokens: Sequence[str], weights: np.ndarray | None, drops: np.ndarray, gradient: np.ndarray
) -> pd.DataFrame:
    """Return one row a source token: place (from 0), token, attention, drop and gradient.

    Parameters
    ----------
    tokens : sequence of T_src str
    weights : ndarray of shape (T_src,) or None
        One head's row, 0 to 1; None leaves out the column.
    drops : ndarray of shape (T_src,)
        Drop of log p (natural) when the token is hidden; NaN where it cannot be.
    gradient : ndarray of shape (T_src,)
        Gradient times input.

    Raises
    ------
    ValueError : the lengths differ.
    """
    columns = {"attention": weights, "drop": drops, "gradient": gradient}
    measures = {name: np.asarray(a, float) for name, a in columns.items() if a is not None}
    lengths = {len(tokens), *map(len, measures.values())}
    if len(lengths) != 1:
        raise ValueError(f"tokens and measures differ in length: {sorted(lengths)}")
    positions = np.arange(len(tokens), dtype=np.int32)
    return pd.DataFrame({"place": positions, "token": distinct_labels(tokens), **measures})


@dataclass(frozen=True, eq=False)
class Comparison:
    """Head and produced token of an explanation, compared with the drops or the gradient."""

    explanation: Explanation
    against: str  # "drops" or "gradient"
    position: int  # position of the produced token
    head: tuple[int, int]  # layer and head of cross-attention

    @property
    def per_token(self) -> np.ndarray:
        """Rank correlation of every head at every token, (L, H, T_tgt)."""
        if self.against == "drops":
            return np.asarray(self.explanation.to_drops)
        return np.asarray(self.explanation.to_gradient)

    @property
    def means(self) -> np.ndarray:
        """Mean rank correlation of every head over the tokens, (L, H)."""
        return mean_correlations(self.per_token)

    def facts(self) -> dict[str, Any]:
        """Return the rank correlation of the head at the token, and its mean over the tokens."""
        return {
            "here": _written(float(self.per_token[self.head][self.position]), "even"),
            "mean": _written(float(self.means[self.head]), "undefined"),
            "head": self.head,
            "against": self.against,
            "n": len(self.explanation.tgt),
        }

    def rests(self) -> dict[str, int]:
        """Return the number of source tokens and of ties behind the correlation."""
        drops = self.explanation.drops[self.position]
        # Tokens that cannot be hidden have no rank.
        drops = drops[~np.isnan(drops)]
        return {"n": len(drops), "ties": len(drops) - len(np.unique(drops))}


def _written(number: float, nothing: str) -> Message:
    """Return a number with its sign, or the message of a missing one."""
    if np.isnan(number):
        return Message(f"masks-explain-{nothing}")
    return Message.of("masks-explain-signed", number=number)


# -- what was measured over sets, as it is stored ----------------------------------------------


class OverSentences(Part):
    """Mean, standard deviation and number of rank correlations over sentences."""

    mean: Correlation | None
    std: NotNegative | None
    n: Count


class OverHeads(Part):
    """Mean, standard deviation and number for each head, (L, H)."""

    mean: list[list[Correlation | None]]
    std: list[list[NotNegative | None]]
    n: list[list[Count]]


class OverLayers(Part):
    """Mean, standard deviation and number for each layer, with its heads averaged."""

    mean: list[Correlation | None]
    std: list[NotNegative | None]
    n: list[Count]


class Explained(Part):
    """Agreement with one measure: of single heads, layers, the average, and permuted weights."""

    against: Literal["both", "cross", "gradient"]
    method: Literal["spearman", "kendall"]
    gradient: OverSentences | None
    heads: OverHeads
    layers: OverLayers
    average: OverSentences
    permuted_heads: OverSentences
    permuted_average: OverSentences


class Explain(Part):
    """Agreement over a set of sentences, as it is stored."""

    sentences: Count = 0
    rows: list[Explained] = field(default_factory=list)
