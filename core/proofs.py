"""How far two ways to the same number are apart: what is stored of it, and what was just found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from .measurements import Proofs

OTHER, OPEN, NOW = "other", "open", "now"
"""Whose a difference is: stored of other checkpoints or of the open one, or worked out here."""


def proof_table(
    stored: Mapping[str, Proofs], opened: str, now: Proofs | None = None
) -> pd.DataFrame:
    """A row for each claim of each checkpoint, those of the open one last: checkpoint, claim,
    difference (infinite where there is no number), when, hardware, of."""
    found = [(name, proofs, OTHER) for name, proofs in stored.items() if name != opened]
    found += [(opened, stored[opened], OPEN)] if opened in stored else []
    found += [(opened, now, NOW)] if now else []
    rows = [
        (name, claim, math.inf if apart is None else apart, proofs.when, proofs.hardware, of)
        for name, proofs, of in found
        for claim, apart in proofs.claims.items()
    ]
    columns = ["checkpoint", "claim", "difference", "when", "hardware", "of"]
    return pd.DataFrame(rows, columns=columns)


def proof_facts(rows: pd.DataFrame, tolerance: float) -> dict[str, Any]:
    """For a sentence: how many claims there are and how many do not hold, the largest difference
    and the claim that has it."""
    worst = rows.loc[rows["difference"].idxmax()]
    false = rows.loc[rows["difference"] > tolerance, "claim"]
    return {
        "n": len(rows),
        "false": len(false),
        "difference": f"{worst['difference']:.1e}".replace("inf", "∞"),
        "claim": worst["claim"],
    }
