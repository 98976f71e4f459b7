"""How far two ways to the same number are apart: what is stored of it, and what was just found."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pandas as pd

from .measurements import Proofs

OTHER, OPEN, NOW = "other", "open", "now"
"""Whose a difference is: stored of other checkpoints or of the open one, or worked out here."""


def proof_table(
    stored: Mapping[str, Proofs], opened: str, now: Mapping[str, float | None]
) -> pd.DataFrame:
    """A row for each claim of each checkpoint, those of the open one last: checkpoint, claim,
    difference (infinite where there is no number), when, hardware, of."""
    found = [(name, proofs, OTHER) for name, proofs in stored.items() if name != opened]
    found += [(opened, stored[opened], OPEN)] if opened in stored else []
    found.append((opened, Proofs(command="", when="", claims=dict(now)), NOW))
    rows = [
        (name, claim, math.inf if apart is None else apart, proofs.when, proofs.hardware, of)
        for name, proofs, of in found
        for claim, apart in proofs.claims.items()
    ]
    columns = ["checkpoint", "claim", "difference", "when", "hardware", "of"]
    return pd.DataFrame(rows, columns=columns)
