"""The figure of an architecture: what a token meets on its way through a model, lane by lane.

A family says what its models are made of (`Drawing`); `boxes_of` says where each part stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

WIDTHS = {"norm": 0.42}
"""Of a box, where it is not 1."""
GAP, LAYER_GAP = 0.22, 0.42  # between two boxes, and around a layer
ENCODER_LAYER = ("encoder", "norm", "feed-forward", "norm")
"""Of a Transformer whose norms come after the sums."""
MOST = 30.0
"""Of a lane that draws every layer; in a longer one a layer stands once, for all."""


@dataclass(frozen=True)
class Lane:
    """The parts of one side, by name: of a layer, and of what comes before and after the layers.

    A part that attends has the name of its site of attention.
    """

    begin: tuple[str, ...]
    layer: tuple[str, ...] = ()
    n_layers: int = 1
    end: tuple[str, ...] = ()


@dataclass(frozen=True)
class Drawing:
    """What reads the source, and what writes the target where something does.

    What the source ends as goes to every part of `joins`.
    """

    source: Lane
    target: Lane | None = None
    joins: tuple[str, ...] = ("cross",)

    @property
    def lanes(self) -> tuple[Lane, ...]:
        return (self.source, self.target) if self.target else (self.source,)


@dataclass(frozen=True)
class Box:
    """A part at its place, in widths of a box from the beginning of its lane."""

    part: str
    lane: int  # of the source 0, of the target 1
    layer: int | None  # from 0; None outside of the layers
    at: float
    size: float


@dataclass(frozen=True)
class Frame:
    """What is around a layer; `stands_for` that many."""

    lane: int
    layer: int
    at: float
    size: float
    stands_for: int = 1


def boxes_of(drawing: Drawing) -> tuple[tuple[Box, ...], tuple[Frame, ...]]:
    """Every part where it stands, and the frames around layers where a lane has several."""
    boxes: list[Box] = []
    frames: list[Frame] = []
    for number, lane in enumerate(drawing.lanes):
        shown = lane.n_layers if _length(lane, lane.n_layers) <= MOST else 1
        at = 0.0
        for layer, parts in _groups(lane, shown):
            framed = layer is not None and lane.n_layers > 1
            at += LAYER_GAP / 2 if framed and layer == 0 else 0.0
            begun = at
            at += LAYER_GAP / 2 if framed else 0.0
            for part in parts:
                size = WIDTHS.get(part, 1.0)
                boxes.append(Box(part, number, layer, at, size))
                at += size + GAP
            if layer is not None and framed:
                at += LAYER_GAP / 2
                stands_for = lane.n_layers if shown == 1 else 1
                frames.append(Frame(number, layer, begun, at - GAP - begun, stands_for))
                at += LAYER_GAP / 2
    return tuple(boxes), tuple(frames)


def _groups(lane: Lane, n_layers: int) -> Iterator[tuple[int | None, tuple[str, ...]]]:
    yield None, lane.begin
    for layer in range(n_layers if lane.layer else 0):
        yield layer, lane.layer
    yield None, lane.end


def _length(lane: Lane, n_layers: int) -> float:
    sizes = (WIDTHS.get(part, 1.0) + GAP for _, parts in _groups(lane, n_layers) for part in parts)
    return sum(sizes) + n_layers * LAYER_GAP
