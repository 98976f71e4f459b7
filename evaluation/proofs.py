"""Compute the numbers of every picture in two ways and compare them (`model.verify.claims`).

Stored as ``proofs.json`` beside the weights, and measured anew by every run: the code may have
changed while the weights have not. No data is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from functools import partial
from typing import Any

from core.measurements import PROOFS
from model import load_model
from model.verify.claims import check, claims_of
from model.verify.reference import Claim

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
            yield ResultPart(("claims", name), partial(self._stored, {name: claim}))

    def _stored(self, claim: Mapping[str, Claim]) -> Any:
        return check(self.of, claim)[0].stored
