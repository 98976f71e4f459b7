"""What a batch does to a sentence that was padded in it."""

from __future__ import annotations

import numpy as np

from records import PaddedRun


def change_of(alone: PaddedRun, padded: PaddedRun) -> float:
    """The largest change of a token's log p from the sentence alone to the sentence in a batch."""
    return float(np.abs(padded.log_probs - alone.log_probs).max())


def largest_on_padding(padded: PaddedRun) -> float:
    """The largest weight of any row and head that looks at the padded source."""
    sites = (site.name for site in padded.attention.sites if site.key == "source")
    return max(float(padded.on_padding(site).max()) for site in sites)
