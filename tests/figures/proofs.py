"""Samples of the figure of identities."""

from __future__ import annotations

from core.measurements import Proofs
from core.proofs import proof_table
from viz.proofs import proof_dots


def _dots(tokens):
    first = {"rows": 0.0, "trace": 2e-6}
    every = {token: Proofs(command="", when="2026-01-01", claims=first) for token in tokens}
    now = {"rows": 3e5, "trace": None}
    return proof_dots(proof_table(every, tokens[0], now, tuple(first)), 1e-3)


FIGURES = {"proof_dots": _dots}
