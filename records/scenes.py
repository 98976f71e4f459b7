"""Scenes whose truth is known: things on a grid of places, and what a caption says of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .sources import GridSource

SHAPES = ("circle", "square", "triangle", "diamond", "cross", "star", "ring", "frame")
COLOURS = ("red", "blue", "green", "yellow", "purple", "orange")
SIZES = ("small", "large")
PATTERNS = ("plain", "striped", "dotted")
HOLLOW = ("ring", "frame")
"""Shapes that something small fits into when they are large; they have no pattern."""
HELD_OUT = frozenset(
    {
        ("red", "triangle"),
        ("blue", "star"),
        ("green", "cross"),
        ("yellow", "ring"),
        ("purple", "square"),
        ("orange", "diamond"),
    }
)
"""Colours with shapes that no scene of a training holds."""

PLACES = 4
"""Rows and columns of places."""
PIXELS = 112
"""Height and width of a picture."""
PLACE = PIXELS // PLACES
SPANS = {"small": 14, "large": 26}
"""Height and width of a thing, in pixels."""
GRID = (14, 14)
"""Rows and columns of the cells that a model looks at."""
CELL = PIXELS // GRID[0]
MOST_THINGS = 8
TRAINED_THINGS = (2, 5)
"""Fewest and most things of a scene of a training."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels, right and bottom not in it."""


@dataclass(frozen=True)
class Thing:
    """One thing of a scene; `row` and `column` of its place count from 0."""

    shape: str
    colour: str
    size: str = "large"
    pattern: str = "plain"
    row: int = 0
    column: int = 0

    @property
    def place(self) -> tuple[int, int]:
        return self.row, self.column

    @property
    def box(self) -> Box:
        span = SPANS[self.size]
        top, left = (PLACE * at + (PLACE - span) // 2 for at in self.place)
        return left, top, left + span, top + span

    @property
    def held_out(self) -> bool:
        """No training holds a thing of this shape in this colour."""
        return (self.colour, self.shape) in HELD_OUT

    @property
    def holds(self) -> bool:
        """A small thing may stand inside it."""
        return self.shape in HOLLOW and self.size == "large"

    def __str__(self) -> str:
        pattern = () if self.pattern == "plain" else (self.pattern,)
        words = (self.size, *pattern, self.colour, self.shape)
        return f"{' '.join(words)} at {self.row + 1} {self.column + 1}"


@dataclass(frozen=True)
class Scene:
    """Things and their places; `covered` are places that are painted over.

    Things stand in the order in which captions name them: row by row, and what is inside another
    thing before that.
    """

    things: tuple[Thing, ...]
    covered: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        order = sorted(self.things, key=lambda thing: (*thing.place, thing.size != "small"))
        object.__setattr__(self, "things", tuple(order))
        object.__setattr__(self, "covered", tuple(sorted(set(self.covered))))

    def __str__(self) -> str:
        covered = (f"cover {row + 1} {column + 1}" for row, column in self.covered)
        return "; ".join([*map(str, self.things), *covered])

    def at(self, row: int, column: int) -> tuple[Thing, ...]:
        """What stands at a place, what is inside first."""
        return tuple(thing for thing in self.things if thing.place == (row, column))

    @property
    def usual(self) -> bool:
        """As many things as scenes of a training have, and nothing covered."""
        least, most = TRAINED_THINGS
        return least <= len(self.things) <= most and not self.covered


@dataclass(frozen=True)
class SceneSource(GridSource):
    """A scene as a model reads it: cells of a picture, and what was drawn."""

    scene: Scene = field(default_factory=lambda: Scene(()))


@dataclass(frozen=True)
class CaptionWord:
    """A word of a caption."""

    text: str  # as it is spelt, without the space before it
    start: int  # start, end: its characters in the caption
    end: int
    kind: str = "other"  # "noun", "colour", "size", "pattern", or "other"
    thing: int | None = None  # number of the thing it speaks of; None where of none


@dataclass(frozen=True)
class Caption:
    """A sentence on a scene."""

    words: tuple[CaptionWord, ...]  # in their order
    # what it says of the first two things: "left", "above", "inside", "bigger", "smaller", or "and"
    # where nothing
    relation: str = "and"
    text: str = ""

    def __iter__(self) -> Iterator[CaptionWord]:
        return iter(self.words)
