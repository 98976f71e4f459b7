"""What a batch does to a sentence that was padded in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .attention import AttentionRecord
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

    def on_padding(self, site: str) -> np.ndarray:
        """(L, H, T_q) the weight that each row puts on padding."""
        attention = self.attention.of(site)
        n_padding = self.n_target_padding if attention.site.key == "target" else self.n_padding
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


def change_of(alone: PaddedRun, padded: PaddedRun) -> float:
    """The largest change of a token's log p from the sentence alone to the sentence in a batch."""
    return float(np.abs(padded.log_probs - alone.log_probs).max())


def largest_on_padding(padded: PaddedRun) -> float:
    """The largest weight of any row and head that looks at the padded source."""
    sites = (site.name for site in padded.attention.sites if site.key == "source")
    return max(float(padded.on_padding(site).max()) for site in sites)
