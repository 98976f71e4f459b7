"""What layers cost on a machine: measured times and memory."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LAYERS = ("attention", "gru", "lstm", "convolution", "dilated", "restricted")
SCORES = ("dot", "additive")
MEASURES = ("forward", "both", "kept")


@dataclass(frozen=True)
class LayerCost:
    """One layer of width d on one sentence of n tokens.

    Attributes
    ----------
    kind : of `LAYERS` or `SCORES`.
    forward, both : seconds of a forward pass, of a forward and a backward pass; the median.
    kept : bytes that the forward pass keeps for the backward pass, beside input and parameters.
    """

    kind: str
    n: int
    d: int
    forward: float
    both: float
    kept: int


@dataclass(frozen=True)
class Costs:
    """Measured costs, and of what.

    Attributes
    ----------
    command, hardware, when : how they were made; empty where that is not known.
    width : k of the convolutions; `window`: r of restricted attention.
    """

    rows: tuple[LayerCost, ...]
    width: int
    window: int
    command: str = ""
    hardware: str = ""
    when: str = ""

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Costs:
        """From what a file holds.

        Raises
        ------
        ValueError : it is no such file, or numbers in it make no sense.
        """
        try:
            width, window = values["width"], values["window"]
            rows = tuple(LayerCost(*row) for row in values["rows"])
            texts = {name: str(values.get(name, "")) for name in ("command", "hardware", "when")}
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"not a table of costs: {error!r}") from error
        for row in rows:
            whole = all(type(each) is int for each in (row.n, row.d, row.kept))
            times = all(
                isinstance(each, int | float) and math.isfinite(each) and each > 0
                for each in (row.forward, row.both)
            )
            known = row.kind in LAYERS or row.kind in SCORES
            if not (known and whole and times and row.n > 0 and row.d > 0 and row.kept >= 0):
                raise ValueError(f"a row that makes no sense: {row}")
        if not all(type(each) is int and each > 0 for each in (width, window)) or not rows:
            raise ValueError("no rows, or no width and window")
        return cls(rows, width, window, **texts)

    @property
    def places(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The lengths n and the widths d that were measured, rising."""
        return (
            tuple(sorted({row.n for row in self.rows})),
            tuple(sorted({row.d for row in self.rows})),
        )
