"""Shares of source and prefix in each produced token."""

from __future__ import annotations

from core.records.attention import AttentionRecord
from core.source_share import Shares, source_and_prefix

from ..readers.experiment import experiment
from .contributions import contributions_of
from .protocol import LoadedModel


# "change-causal" stands for self-attention in the decoder, which only such models offer.
@experiment("teacher-forcing", "vectors", "block", "change-causal")
def share_of(reader: LoadedModel, record: AttentionRecord) -> Shares:
    """Return the ALTI+ shares of a recorded pair, whose ids are read again as they stand.

    Contributions of the prefix pass through self-attention, so the decoder must have some.
    """
    return source_and_prefix(contributions_of(reader, record))
