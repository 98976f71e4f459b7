"""Comparison of the results of a corpus."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from model.corpus.protocol import Values

ROUNDED = 1.5e-4
"""Numbers of a row are rounded to 1e-4, and each loaded model chooses its forms of a product."""


def assert_same_rows(rows: Iterable[Values], others: Iterable[Values]) -> None:
    """The same rows in the same order; numbers may differ in the last digit."""
    for row, other in zip(rows, others, strict=True):
        assert row.keys() == other.keys()
        for column, value in row.items():
            is_number = column in ("log_prob", "score", "end_share", "probabilities")
            expected = pytest.approx(other[column], abs=ROUNDED) if is_number else other[column]
            assert value == expected, (row["line"], column)
