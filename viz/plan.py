"""The map of a model: what its parts are called, and the drawing of it for a poster.

On the page the browser draws the same parts (``ui/components/plan``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.architecture import Box, Drawing, boxes_of
from core.attention import AttentionSite
from core.block import STACKS

from .labels import text_width
from .look import say
from .sheet import element, line, sheet, wrapped
from .theme import ink, palette_of

_THICK, _TITLE, _RAIL, _AROUND = 66, 32, 18, 8  # pixels: a lane, above it, between, of a frame
_WIDEST = 110  # pixels of a box
_LARGEST, _READABLE, _SMALLEST = 12.0, 9.0, 6.0  # pixels of the words in a box
_FAINT = {"rx": "6", "stroke_opacity": "0.35"}
Area = tuple[float, float, float, float]
"""Left, top, width and height in pixels."""


@dataclass(frozen=True, kw_only=True)
class Part(Box):
    """A box with its words and colour; "" where it has none of its own."""

    name: str
    heads: str = ""
    colour: str = ""


@dataclass(frozen=True)
class Plan:
    """All parts of a model where they stand."""

    parts: tuple[Part, ...]
    frames: tuple[Part, ...]  # around layers
    joins: tuple[int, ...]  # the parts that the end of the source goes to
    lanes: tuple[str, ...]


def plan_of(
    drawing: Drawing, sites: Sequence[AttentionSite], capabilities: Collection[str] = ()
) -> Plan:
    """The parts of a family's drawing. A masked language model guesses, where others go on
    writing."""
    boxes, frames = boxes_of(drawing)
    known = {site.name: site for site in sites}

    def part_of(box: Box) -> Part:
        guesses = box.part == "softmax" and "masked-words" in capabilities
        part, site = "guess" if guesses else box.part, known.get(box.part)
        words = {"name": say(f"architecture-{part}")}
        if site:
            words["colour"] = palette_of(site).accent
            words["heads"] = say("architecture-heads", n=site.n_heads) if site.n_heads > 1 else ""
        return Part(**{**vars(box), "part": part}, **words)

    def frame_of(box: Box) -> Part:
        word = "layer" if box.stands_for == 1 else "layers"
        n = drawing.lanes[box.lane].n_layers
        return Part(**vars(box), name=say(f"architecture-{word}", i=box.layer + 1, n=n))

    lanes = STACKS if drawing.target else ("both",)
    return Plan(
        tuple(map(part_of, boxes)),
        tuple(map(frame_of, frames)),
        tuple(i for i, box in enumerate(boxes) if box.lane and box.part in drawing.joins),
        tuple(say(f"architecture-lane-{name}") for name in lanes),
    )


def plan_svg(plan: Plan, width: float) -> str:
    """The map from left to right, so many pixels wide, a lane below the other."""
    most = max(each.at + each.size for each in (*plan.parts, *plan.frames))
    unit, step = min(_WIDEST, (width - 2) / most), _THICK + _TITLE + _RAIL

    def area(box: Box, out: float = 0) -> Area:
        top = _TITLE + box.lane * step
        return 1 + box.at * unit, top - out, box.size * unit, _THICK + 2 * out

    drawn = [_arrows(plan, area)]
    for lane, name in enumerate(plan.lanes):
        drawn.append(line(name, 1, _TITLE + lane * step - 16, 14, font_weight="bold"))
    for frame in plan.frames:
        x, y, across, down = area(frame, _AROUND)
        drawn.append(_rect(x, y, across, down, fill="none", stroke=ink(), stroke_dasharray="4 3"))
        drawn.append(line(frame.name, x + across - 2, y - 4, 10, text_anchor="end", opacity="0.75"))
    drawn += [_part(part, *area(part)) for part in plan.parts]
    return sheet(width, len(plan.lanes) * step - _RAIL + _AROUND + 2, ["".join(drawn)])


def _rect(x: float, y: float, width: float, height: float, **look: str) -> str:
    return element("rect", x=x, y=y, width=width, height=height, **_FAINT, **look)


def _arrows(plan: Plan, area: Callable[[Box], Area]) -> str:
    """From box to box, and from the end of the source to what it goes to."""
    ways = []
    for part, after in pairwise(plan.parts):
        x, y, across, down = area(part)
        if part.lane == after.lane:
            ways.append(f"M{x + across:.1f} {y + down / 2:.1f}H{area(after)[0]:.1f}")
    x, y, across, down = area([part for part in plan.parts if part.lane == 0][-1])
    begun = f"M{x + across / 2:.1f} {y + down:.1f}v{_AROUND + 6}"
    for x, y, across, _ in (area(plan.parts[to]) for to in plan.joins):
        ways.append(f"{begun}H{x + across / 2:.1f}V{y:.1f}")
    return element("path", d="".join(ways), fill="none", stroke=ink(), opacity="0.4")


def _part(part: Part, x: float, y: float, width: float, height: float) -> str:
    """The box, its words across it or, where it is narrow, turned."""
    own, heads = part.colour or ink(), [part.heads] if part.heads else []
    size, rows = _fitted(part.name, width - 6, height - 6 - 13 * len(heads))
    turned = size < _READABLE and not heads
    if turned:
        size, rows = _fitted(part.name, height - 6, width - 6)
    drawn = [_rect(x, y, width, height, fill=own, fill_opacity="0.14", stroke=own)]
    for at, text in enumerate((*rows, *heads), start=1):
        off = (at - (len(rows) + len(heads) + 1) / 2) * size * 1.15 + size * 0.35
        middle = x + width / 2 + off * turned, y + height / 2 + off * (not turned)
        small = min(size, 10.0) if at > len(rows) else size
        drawn.append(line(text, *middle, small, turned=turned, text_anchor="middle"))
    return "".join(drawn)


def _fitted(name: str, width: float, height: float) -> tuple[float, list[str]]:
    """The words in lines that fit, as large as may be."""
    size = _LARGEST
    while True:
        rows = wrapped(name, width, size, after=" -")
        fits = max(text_width(row, size) for row in rows) <= width
        if size <= _SMALLEST or (fits and len(rows) * size * 1.15 <= height):
            return size, rows
        size -= 0.5
