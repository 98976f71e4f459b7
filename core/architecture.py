"""The figure of an architecture: what a token meets on its way through a model, lane by lane.

A family says what its models are made of (`Drawing`); `boxes_of` says where each part stands.
"""

from __future__ import annotations

from dataclasses import dataclass

WIDTHS = {"norm": 0.42, "only-norm": 0.42}
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
    """A part, or the frame around a layer, in widths of a box from the beginning of its lane."""

    part: str
    lane: int  # of the source 0, of the target 1
    layer: int | None  # from 0; None outside of the layers
    at: float
    size: float
    stands_for: int = 1  # layers


def boxes_of(drawing: Drawing) -> tuple[tuple[Box, ...], tuple[Box, ...]]:
    """Every part where it stands, and the frames around layers where a lane has several."""
    boxes: list[Box] = []
    frames: list[Box] = []
    for number, lane in enumerate(drawing.lanes):
        every = (*lane.begin, *lane.layer * lane.n_layers, *lane.end)
        length = sum(WIDTHS.get(part, 1.0) + GAP for part in every) + lane.n_layers * LAYER_GAP
        shown = lane.n_layers if length <= MOST else 1
        layers = [(layer, lane.layer) for layer in range(shown) if lane.layer]
        at = 0.0
        for layer, parts in ((None, lane.begin), *layers, (None, lane.end)):
            around = LAYER_GAP / 2 if layer is not None and lane.n_layers > 1 else 0.0
            begun = at = at + around * (layer == 0)
            at += around
            for part in parts:
                size = WIDTHS.get(part, 1.0)
                boxes.append(Box(part, number, layer, at, size))
                at += size + GAP
            if around:
                size, stands_for = at + around - GAP - begun, lane.n_layers // shown
                frames.append(Box("layer", number, layer, begun, size, stands_for))
                at += 2 * around
    return tuple(boxes), tuple(frames)
