"""Results of one run of a model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .attention import AttentionRecord
from .search import BeamTree
from .sources import Source, TokenSequence


@dataclass(frozen=True, eq=False)
class Reading:
    """Result of `Reader.read`, for a model that writes no text."""

    src: Source  # the source as the model read it
    attention: AttentionRecord  # weights of all heads in this pass
    seconds: float  # wall-clock time of the call
    # never set; `Translation` has it, so pages can test one field for either result
    tgt: None = None

    @property
    def text(self) -> str:
        return self.src.text


@dataclass(frozen=True, eq=False)
class Translation:
    """Result of `Translator.translate`."""

    src: Source  # the source as the model read it; for a text its pieces, ``</s>`` included
    # the produced pieces, ``</s>`` included if the search finished; `tgt.text` is the translation
    tgt: TokenSequence
    log_probs: np.ndarray  # float32 (T_tgt,), natural log-probability of each produced token
    score: float  # the sum of `log_probs` divided by the length penalty
    attention: AttentionRecord  # weights of all heads while `tgt` is teacher-forced
    tree: BeamTree  # the search, whose best path is `tgt`
    seconds: float  # wall-clock time of the whole call, search and attention
    search_seconds: float  # part of `seconds` spent in the search

    @property
    def text(self) -> str:
        return self.tgt.text

    @property
    def finished(self) -> bool:
        """False if the search stopped at `max_len` before any hypothesis ended."""
        return self.tree.nodes[self.tree.best].status == "finished"
