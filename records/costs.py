"""What layers cost on a machine: measured times and memory."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from .stored import AtLeastOne, Count, Made, Positive

LAYERS = ("attention", "gru", "lstm", "convolution", "dilated", "restricted")
SCORES = ("dot", "additive")
MEASURES = ("forward", "both", "kept")


class LayerCost(NamedTuple):
    """One layer of width d on one sentence of n tokens."""

    kind: Literal[(*LAYERS, *SCORES)]  # type: ignore[valid-type]
    n: AtLeastOne
    d: AtLeastOne
    forward: Positive  # seconds of a forward pass, the median
    both: Positive  # seconds of a forward and a backward pass, the median
    kept: Count  # bytes that the forward pass keeps for the backward one, without input and weights


class Costs(Made, kw_only=True):
    """Measured costs, and of what."""

    rows: Annotated[tuple[LayerCost, ...], Meta(min_length=1)]
    width: AtLeastOne  # k of the convolutions
    window: AtLeastOne  # r of restricted attention
    when: str = ""
