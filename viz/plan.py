"""Plan of a model: its parts with words and colours, drawn by ``ui/components/plan``."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from core.records.architecture import Box, Drawing, boxes_of
from core.records.attention import AttentionSite
from core.records.sublayers import STACKS

from .style import say
from .theme import palette_of


@dataclass(frozen=True, kw_only=True)
class PlanPart(Box):
    """Box with its words and colour; "" if it has none of its own."""

    name: str
    heads: str = ""
    colour: str = ""


@dataclass(frozen=True)
class Plan:
    """Parts of a model in their places."""

    parts: tuple[PlanPart, ...]
    frames: tuple[PlanPart, ...]  # around layers
    joins: tuple[int, ...]  # indices of the parts that read the output of the encoder
    lanes: tuple[str, ...]


def _named(box: Box, *, name: str, heads: str = "", colour: str = "") -> PlanPart:
    """Return a box with its words and colour."""
    return PlanPart(**vars(box), name=name, heads=heads, colour=colour)


def plan_of(
    drawing: Drawing, sites: Sequence[AttentionSite], capabilities: Collection[str] = ()
) -> Plan:
    """Lay out the parts of a family's drawing.

    In a masked language model the softmax is called a guess, elsewhere it gives the next token.
    """
    boxes, frames = boxes_of(drawing)
    site_of = {site.name: site for site in sites}

    def part_of(box: Box) -> PlanPart:
        guesses = box.part == "softmax" and "masked-words" in capabilities
        part = "guess" if guesses else box.part
        site = site_of.get(box.part)
        n_heads = site.n_heads if site else 0
        return _named(
            replace(box, part=part),
            name=say(f"architecture-{part}"),
            heads=say("architecture-heads", n=n_heads) if n_heads > 1 else "",
            colour=palette_of(site).accent if site else "",
        )

    def frame_of(box: Box) -> PlanPart:
        word = "layer" if box.stands_for == 1 else "layers"
        assert box.layer is not None  # only layers have a frame
        n = drawing.lanes[box.lane].n_layers
        return _named(box, name=say(f"architecture-{word}", i=box.layer + 1, n=n))

    # A model of one lane both reads and writes.
    lanes = STACKS if drawing.target else ("both",)
    return Plan(
        tuple(map(part_of, boxes)),
        tuple(map(frame_of, frames)),
        tuple(i for i, box in enumerate(boxes) if box.lane and box.part in drawing.joins),
        tuple(say(f"architecture-lane-{name}") for name in lanes),
    )
