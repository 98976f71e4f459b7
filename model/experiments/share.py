"""What each produced token is owed to, the source or what was written before it."""

from __future__ import annotations

from core.attention import AttentionRecord
from core.share import Shares, source_and_prefix

from ..reader import Reader
from . import experiment
from .contributions import contributions_of


@experiment("teacher-forcing", "vectors", "block", "change-causal")
def share_of(reader: Reader, record: AttentionRecord) -> Shares:
    """ALTI+ of a pair that was read, whose ids are read again as they stand. It follows what was
    written through self-attention, so a decoder must have some."""
    return source_and_prefix(contributions_of(reader, record))
