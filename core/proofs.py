"""How far two ways to the same number are apart: what is stored of it, and what was just found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from .measurements import Proofs

OTHER, OPEN, NOW = "other", "open", "now"
"""Whose a difference is: stored of other checkpoints or of the open one, or worked out here."""


def proof_table(
    stored: Mapping[str, Proofs],
    opened: str,
    now: Mapping[str, float | None],
    claims: Sequence[str],
) -> pd.DataFrame:
    """A row for each of `claims` and each checkpoint, the open one last: checkpoint, claim,
    difference (infinite where there is no number), when, hardware, of."""
    proofs = [(OTHER, name, own) for name, own in stored.items() if name != opened]
    proofs += [(OPEN, opened, stored[opened])] if opened in stored else []
    proofs.append((NOW, opened, Proofs(command="", when="", claims=dict(now))))
    rows = [
        (name, claim, own.claims[claim], own.when, own.hardware, of)
        for claim in claims
        for of, name, own in proofs
        if claim in own.claims
    ]
    columns = ["checkpoint", "claim", "difference", "when", "hardware", "of"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(difference=table["difference"].astype(float).fillna(math.inf))
