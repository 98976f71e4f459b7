"""What any stack of self-attention shows beside its weights, whether it writes a text or not."""

from __future__ import annotations

import numpy as np

from core.attention import AttentionRecord, AttentionVectors
from core.positions import PositionTable
from core.tokens import TokenSequence

from ..reader import Reader
from ..vectors import vectors_of
from . import order as orders


class Encoding(Reader):
    """What its family does not offer is refused with a `ModelError`."""

    def position_table(self) -> PositionTable:
        """The positions that the model adds to its embeddings: its own buffer, read-only."""
        self._need("positions")
        return orders.position_table(self._model)

    def embeddings(self, src: TokenSequence) -> np.ndarray:
        """Embeddings of `src` times sqrt(d_model), before positions: float32 (T, d_model)."""
        self._need("positions")
        return orders.embeddings(self._model, src)

    def vectors(self, record: AttentionRecord) -> tuple[AttentionVectors, ...]:
        """Queries, keys and values of every layer and head behind `record`, one entry a site. A
        record without a target has only the encoder's."""
        self._need("vectors")
        return vectors_of(self._model, record)
