"""The map of a model: what its parts are called, and the drawing of it for a poster.

On the page the browser draws the same parts (``ui/components/plan``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.architecture import Box, Drawing, Frame, boxes_of
from core.attention import AttentionSite
from core.block import STACKS

from .labels import text_width
from .look import say
from .sheet import line, sheet
from .theme import ink, palette_of

_THICK, _TITLE, _RAIL, _AROUND = 66, 32, 18, 8  # pixels: a lane, above it, between, of a frame
_WIDEST = 110  # pixels of a box
_LARGEST, _READABLE, _SMALLEST = 12.0, 9.0, 6.0  # pixels of the words in a box


@dataclass(frozen=True)
class Part:
    """A box with its words and colour; "" where it has none of its own."""

    box: Box
    part: str
    name: str
    heads: str
    colour: str


@dataclass(frozen=True)
class Plan:
    """All parts of a model where they stand."""

    parts: tuple[Part, ...]
    frames: tuple[tuple[Frame, str], ...]  # around layers, each with its name
    joins: tuple[int, ...]  # the parts that the end of the source goes to
    lanes: tuple[str, ...]

    @property
    def boxes(self) -> tuple[Box, ...]:
        return tuple(part.box for part in self.parts)


def plan_of(
    drawing: Drawing, sites: Sequence[AttentionSite], capabilities: Collection[str] = ()
) -> Plan:
    """The parts of a family's drawing. A masked language model guesses, where others go on
    writing."""
    boxes, frames = boxes_of(drawing)
    known, guesses = {site.name: site for site in sites}, "masked-words" in capabilities
    parts = []
    for box in boxes:
        part = "guess" if guesses and box.part == "softmax" else box.part
        site = known.get(part)
        heads = say("architecture-heads", n=site.n_heads) if site and site.n_heads > 1 else ""
        colour = palette_of(site).accent if site else ""
        parts.append(Part(box, part, say(f"architecture-{part}"), heads, colour))
    joins = (i for i, box in enumerate(boxes) if box.lane and box.part in drawing.joins)
    lanes = STACKS if drawing.target else ("both",)
    return Plan(
        tuple(parts),
        tuple((frame, _layers(frame, drawing)) for frame in frames),
        tuple(joins),
        tuple(say(f"architecture-lane-{name}") for name in lanes),
    )


def _layers(frame: Frame, drawing: Drawing) -> str:
    n = drawing.lanes[frame.lane].n_layers
    if frame.stands_for > 1:
        return say("architecture-layers", n=n)
    return say("architecture-layer", i=frame.layer + 1, n=n)


# -- drawn as SVG ----------------------------------------------------------------------------


def plan_svg(plan: Plan, width: float) -> str:
    """The map from left to right, so many pixels wide, a lane below the other."""
    most = max(each.at + each.size for each in (*plan.boxes, *(frame for frame, _ in plan.frames)))
    unit, step = min(_WIDEST, (width - 2) / most), _THICK + _TITLE + _RAIL

    def area(at: float, size: float, lane: int, out: float = 0) -> tuple[float, ...]:
        top = _TITLE + lane * step
        return 1 + at * unit, top - out, size * unit, _THICK + 2 * out

    drawn = [_arrows(plan, area)]
    for lane, name in enumerate(plan.lanes):
        drawn.append(line(name, 1, _TITLE + lane * step - 16, 14, font_weight="bold"))
    for frame, name in plan.frames:
        x, y, across, down = area(frame.at, frame.size, frame.lane, _AROUND)
        drawn.append(_rect(x, y, across, down, fill="none", stroke_dasharray="4 3", **_FAINT))
        drawn.append(line(name, x + across - 2, y - 4, 10, text_anchor="end", opacity="0.75"))
    for part in plan.parts:
        drawn.append(_part(part, *area(part.box.at, part.box.size, part.box.lane)))
    return sheet(width, len(plan.lanes) * step - _RAIL + _AROUND + 2, ["".join(drawn)])


_FAINT = {"stroke_opacity": "0.35"}


def _rect(x: float, y: float, width: float, height: float, **look: str) -> str:
    look = {"rx": "6", "stroke": ink(), **look}
    written = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in look.items())
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f"<rect {place} {written}/>"


def _arrows(plan: Plan, area) -> str:
    """From box to box, and from the end of the source to what it goes to."""
    places = [area(box.at, box.size, box.lane) for box in plan.boxes]
    ways = [
        f"M{x + across:.1f} {y + down / 2:.1f}H{places[i + 1][0]:.1f}"
        for i, (x, y, across, down) in enumerate(places[:-1])
        if plan.boxes[i + 1].lane == plan.boxes[i].lane
    ]
    last = max(i for i, box in enumerate(plan.boxes) if box.lane == 0)
    x, y, across, down = places[last]
    begun = f"M{x + across / 2:.1f} {y + down:.1f}V{y + down + _AROUND + 6:.1f}"
    for x, y, across, _ in (places[to] for to in plan.joins):
        ways.append(f"{begun}H{x + across / 2:.1f}V{y:.1f}")
    return f'<path d="{"".join(ways)}" fill="none" stroke="{ink()}" opacity="0.4"/>'


def _part(part: Part, x: float, y: float, width: float, height: float) -> str:
    """The box, its words across it or, where it is narrow, turned."""
    own = part.colour or ink()
    box = _rect(x, y, width, height, fill=own, fill_opacity="0.14", stroke=own, **_FAINT)
    words = [part.heads] if part.heads else []
    size, lines = _fitted(part.name, width - 6, height - 6 - 13 * len(words))
    turned = size < _READABLE and not words
    if turned:
        size, lines = _fitted(part.name, height - 6, width - 6)
    middle, first = (x + width / 2, y + height / 2), -(len(lines) - 1) / 2
    written = []
    for at, text in enumerate((*lines, *words)):
        off = (first + at - len(words) / 2) * size * 1.15 + size * 0.35
        where = (middle[0] + off, middle[1]) if turned else (middle[0], middle[1] + off)
        small = min(size, 10.0) if at >= len(lines) else size
        written.append(line(text, *where, small, turned=turned, text_anchor="middle"))
    return box + "".join(written)


def _fitted(name: str, width: float, height: float) -> tuple[float, list[str]]:
    """The words in lines that fit, as large as may be."""
    size = _LARGEST
    while True:
        lines: list[str] = []
        for word in re.findall(r"[^\s-]+-?", name):
            joined = f"{lines[-1]}{'' if lines[-1].endswith('-') else ' '}{word}" if lines else word
            if lines and text_width(joined, size) <= width:
                lines[-1] = joined
            else:
                lines.append(word)
        fits = max(text_width(each, size) for each in lines) <= width
        if size <= _SMALLEST or (fits and len(lines) * size * 1.15 <= height):
            return size, lines
        size -= 0.5
