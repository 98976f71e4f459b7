"""What layers cost on a machine: measured times and memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LAYERS = ("attention", "gru", "lstm", "convolution", "dilated", "restricted")
SCORES = ("dot", "additive")
MEASURES = ("forward", "both", "kept")


@dataclass(frozen=True)
class LayerCost:
    """One layer of width d on one sentence of n tokens."""

    kind: str  # of `LAYERS` or `SCORES`
    n: int
    d: int
    # forward, both: seconds of a forward pass, of a forward and a backward pass; the median
    forward: float
    both: float
    # bytes that the forward pass keeps for the backward pass, beside input and parameters
    kept: int


@dataclass(frozen=True)
class Costs:
    """Measured costs, and of what."""

    rows: tuple[LayerCost, ...]
    width: int  # k of the convolutions
    window: int  # r of restricted attention
    command: str = ""  # command, hardware, when: how they were made; empty where that is not known
    hardware: str = ""
    when: str = ""

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Costs:
        """From what a sound file holds."""
        rows = tuple(LayerCost(*row) for row in values["rows"])
        texts = {name: values.get(name, "") for name in ("command", "hardware", "when")}
        return cls(rows, values["width"], values["window"], **texts)

    @property
    def places(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The lengths n and the widths d that were measured, rising."""
        return (
            tuple(sorted({row.n for row in self.rows})),
            tuple(sorted({row.d for row in self.rows})),
        )
