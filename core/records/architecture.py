"""Layout of the figure of an architecture: the parts a token passes on its way, lane by lane.

A family declares its parts (`Drawing`); `boxes_of` places them.
"""

from __future__ import annotations

from dataclasses import dataclass

WIDTHS = {"norm": 0.42, "only-norm": 0.42}
"""Widths of the boxes that are narrower than 1."""
GAP = 0.22  # between two boxes
LAYER_GAP = 0.42  # around a layer
ENCODER_LAYER = ("encoder", "norm", "feed-forward", "norm")
"""Parts of a post-norm Transformer encoder layer."""
MOST = 30.0
"""Longest lane in which every layer is drawn; in a longer one a single layer stands for all."""


@dataclass(frozen=True)
class Lane:
    """Parts of one side by name: before the layers, in each layer, and after them.

    A part that attends has the name of its attention site.
    """

    begin: tuple[str, ...]
    layer: tuple[str, ...] = ()
    n_layers: int = 1
    end: tuple[str, ...] = ()


@dataclass(frozen=True)
class Drawing:
    """Lanes of the encoder and, if there is one, of the decoder.

    The output of the `source` lane feeds every part named in `joins`.
    """

    source: Lane
    target: Lane | None = None
    joins: tuple[str, ...] = ("cross",)

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """One lane or two, the source first."""
        return (self.source, self.target) if self.target else (self.source,)


@dataclass(frozen=True)
class Box:
    """Part, or frame around a layer; positions in box widths from the start of its lane."""

    part: str
    lane: int  # of the source 0, of the target 1
    layer: int | None  # from 0; None outside of the layers
    at: float
    size: float
    stands_for: int = 1  # layers


def boxes_of(drawing: Drawing) -> tuple[tuple[Box, ...], tuple[Box, ...]]:
    """Return the boxes of all parts, and the frames around layers of lanes that have several."""
    boxes: list[Box] = []
    frames: list[Box] = []
    for number, lane in enumerate(drawing.lanes):
        every = (*lane.begin, *lane.layer * lane.n_layers, *lane.end)
        length = sum(WIDTHS.get(part, 1.0) + GAP for part in every) + lane.n_layers * LAYER_GAP
        # A long stack would shrink every box below a readable size.
        n_drawn = lane.n_layers if length <= MOST else 1
        layers = [(layer, lane.layer) for layer in range(n_drawn) if lane.layer]
        at = 0.0
        for layer, parts in ((None, lane.begin), *layers, (None, lane.end)):
            around = LAYER_GAP / 2 if layer is not None and lane.n_layers > 1 else 0.0
            # The first frame needs room before it; later ones stand in the gap that the last one
            # left.
            begun = at = at + around * (layer == 0)
            at += around
            for part in parts:
                size = WIDTHS.get(part, 1.0)
                boxes.append(Box(part, number, layer, at, size))
                at += size + GAP
            if around:
                size = at + around - GAP - begun
                stands_for = lane.n_layers // n_drawn
                frames.append(Box("layer", number, layer, begun, size, stands_for))
                at += 2 * around
    return tuple(boxes), tuple(frames)
