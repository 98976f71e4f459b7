"""Compute the numbers of every picture in two ways and compare them (`model.verify.claims`).

Stored as ``proofs.json`` beside the weights, and measured anew by every run: the code may have
changed while the weights have not. No data is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from core.measurements import PROOFS
from model import load_model
from model.verify.claims import check, claims_of

from .measurement import Measurement, ResultPart


class ProofsMeasurement(Measurement):
    """Differences of all claims that a checkpoint makes."""

    name = "proofs"
    file_kind = PROOFS
    goes_on = False
    load = staticmethod(load_model)

    def frame(self) -> dict[str, Any]:
        return {**self.provenance(), "when": date.today().isoformat()}

    def parts(self) -> Iterator[ResultPart]:
        for name, claim in claims_of(self.of).items():
            # The default binds this claim; the lambda runs when the loop has gone on.
            yield ResultPart(
                ("claims", name), lambda held={name: claim}: check(self.of, held)[0].stored
            )
