"""Effect of a batch on a sentence that is padded in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..records.attention import AttentionRecord
from ..records.sources import TokenSequence


@dataclass(frozen=True)
class PaddingEffect:
    """Effect on attention of `<pad>` tokens at the end of both sentences."""

    n_source: int  # padding tokens added to the source
    n_target: int  # and to the target
    # largest weight that any real position put on a padded one; a sound mask leaves exactly 0
    largest_weight: float
    largest_change: float  # largest absolute difference of any weight between real positions


@dataclass(frozen=True, eq=False)
class PaddedRun:
    """One sentence of a batch that was padded to the same length."""

    n_padding: int  # ``<pad>`` tokens at the end of its source; 0 for the longer sentence
    n_target_padding: int  # likewise at the end of what its decoder read
    # Attention while the batch is teacher-forced on the translation that greedy search writes for
    # the sentence alone. Its maps have columns for padding, but no rows.
    attention: AttentionRecord
    log_probs: np.ndarray  # float32 (T_tgt,), natural, of the tokens of that translation
    output: TokenSequence  # the greedy translation of the sentence in this batch

    @property
    def log_prob(self) -> float:
        """Sum of log P over the translation that the sentence has alone."""
        return float(self.log_probs.sum(dtype=np.float64))

    def on_padding(self, site: str) -> np.ndarray:
        """Return the weight that each row puts on padding, (L, H, T_q)."""
        attention = self.attention.of(site)
        n_padding = self.n_target_padding if attention.site.key == "target" else self.n_padding
        # Counted from the front, because -0 would select every column.
        return attention.weights[..., len(attention.key_tokens) - n_padding :].sum(-1)


@dataclass(frozen=True, eq=False)
class PaddedPair:
    """Runs of two sentences alone, and as a batch with and without the padding mask.

    Each is a pair in the order of the sentences.
    """

    alone: tuple[PaddedRun, PaddedRun]
    masked: tuple[PaddedRun, PaddedRun]
    unmasked: tuple[PaddedRun, PaddedRun]

    @property
    def shorter(self) -> int | None:
        """Index of the padded sentence, 0 or 1; None if both have the same length."""
        padded = [item for item, run in enumerate(self.masked) if run.n_padding]
        return padded[0] if padded else None


def change_of(alone: PaddedRun, padded: PaddedRun) -> float:
    """Return the largest change of a token's log p from the sentence alone to the batch."""
    return float(np.abs(padded.log_probs - alone.log_probs).max())


def largest_on_padding(padded: PaddedRun) -> float:
    """Return the largest weight of any row and head on the padding of the source."""
    sites = (site.name for site in padded.attention.sites if site.key == "source")
    return max(float(padded.on_padding(site).max()) for site in sites)
