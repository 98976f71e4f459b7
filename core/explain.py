"""How far measures of importance agree, over the tokens of a translation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from msgspec import field

from words import Message

from .stored import Correlation, Count, NotNegative, Part
from .tokens import TokenSequence, distinct_labels


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


def mean_correlations(per_token: np.ndarray) -> np.ndarray:
    """(L, H, T_tgt) rank correlations -> (L, H), averaged over the tokens that have one.

    NaN where no token has one.
    """
    known = ~np.isnan(per_token)
    counts = known.sum(axis=-1)
    totals = np.where(known, per_token, 0.0).sum(axis=-1, dtype=np.float64)
    return np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)


def measures_table(
    tokens: Sequence[str], weights: np.ndarray | None, drops: np.ndarray, gradient: np.ndarray
) -> pd.DataFrame:
    """One line a source token: place (from 0), token, attention, drop and gradient.

    `tokens`: T_src source tokens. `weights`: (T_src,) of one head's row, 0 to 1; None where there
    are none, nor a column of them. `drops`: (T_src,) how much log p falls when the token is hidden,
    natural; NaN where it cannot be. `gradient`: (T_src,) gradient times input. Raises ValueError:
    the lengths differ.
    """
    given = {"attention": weights, "drop": drops, "gradient": gradient}
    measures = {name: np.asarray(a, float) for name, a in given.items() if a is not None}
    lengths = {len(tokens), *map(len, measures.values())}
    if len(lengths) != 1:
        raise ValueError(f"tokens and measures differ in length: {sorted(lengths)}")
    positions = np.arange(len(tokens), dtype=np.int32)
    return pd.DataFrame({"place": positions, "token": distinct_labels(tokens), **measures})


@dataclass(frozen=True, eq=False)
class Comparison:
    """One head and one produced token of an explanation, held against the drops or the gradient."""

    found: Explanation
    against: str  # "drops" or "gradient"
    position: int  # of the produced token
    place: tuple[int, int]  # layer and head of cross-attention

    @property
    def per_token(self) -> np.ndarray:
        """Rank correlation of every head at every token, (L, H, T_tgt)."""
        explained = self.found
        return np.asarray(explained.to_drops if self.against == "drops" else explained.to_gradient)

    @property
    def means(self) -> np.ndarray:
        """Of every head the mean over the tokens, (L, H)."""
        return mean_correlations(self.per_token)

    def facts(self) -> dict[str, Any]:
        """The number of the head at the token, and its mean over the tokens."""
        here = float(self.per_token[self.place][self.position])
        facts = {"here": _written(here, "even")}
        facts["mean"] = _written(float(self.means[self.place]), "undefined")
        return {**facts, "head": self.place, "against": self.against, "n": len(self.found.tgt)}

    def rests(self) -> dict[str, int]:
        """How little the number rests on."""
        drops = self.found.drops[self.position]
        drops = drops[~np.isnan(drops)]
        return {"n": len(drops), "ties": len(drops) - len(np.unique(drops))}


def _written(number: float, nothing: str) -> Message:
    if np.isnan(number):
        return Message(f"masks-explain-{nothing}")
    return Message.of("masks-explain-signed", number=number)


# -- what was measured over sets, as it is stored ----------------------------------------------


class OverSentences(Part):
    mean: Correlation | None
    std: NotNegative | None
    n: Count


class OverHeads(Part):
    mean: list[list[Correlation | None]]
    std: list[list[NotNegative | None]]
    n: list[list[Count]]


class OverLayers(Part):
    mean: list[Correlation | None]
    std: list[NotNegative | None]
    n: list[Count]


class Explained(Part):
    against: Literal["both", "cross", "gradient"]
    method: Literal["spearman", "kendall"]
    gradient: OverSentences | None
    heads: OverHeads
    layers: OverLayers
    average: OverSentences
    permuted_heads: OverSentences
    permuted_average: OverSentences


class Explain(Part):
    sentences: Count = 0
    rows: list[Explained] = field(default_factory=list)
