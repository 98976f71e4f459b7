"""Two ways to the numbers of every picture, held against each other (`model.check`).

Stored as ``proofs.json`` beside the weights, and measured anew by every run: the code may have
changed where the weights have not. No data is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from core.measurements import PROOFS
from model import load_reader
from model.check import check, claims_of

from .measuring import Measurement, Part


class Proofs(Measurement):
    name = "proofs"
    kind = PROOFS
    goes_on = False
    load = staticmethod(load_reader)

    def frame(self) -> dict[str, Any]:
        return {**self.made(), "when": date.today().isoformat()}

    def parts(self) -> Iterator[Part]:
        for name, claim in claims_of(self.of).items():
            yield Part(("claims", name), lambda held={name: claim}: check(self.of, held)[0].stored)
