"""Scenes with known truth: things on a grid, and their pictures."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from words import Message

from .sources import GridSource

SHAPES = ("circle", "square", "triangle", "diamond", "cross", "star", "ring", "frame")
COLOURS = ("red", "blue", "green", "yellow", "purple", "orange")
SIZES = ("small", "large")
PATTERNS = ("plain", "striped", "dotted")
HOLLOW = ("ring", "frame")
"""Shapes that hold a small thing when they are large; they have no pattern."""
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
"""Pairs of colour and shape that no training scene contains."""
PLACES = 4
"""Number of rows and of columns of places."""
PIXELS = 112
"""Height and width of a picture."""
PLACE = PIXELS // PLACES
"""Height and width of a place, in pixels."""
SPANS = {"small": 14, "large": 26}
"""Height and width of a thing, in pixels."""
GRID = (14, 14)
"""Rows and columns of the cells that a model attends to."""
CELL = PIXELS // GRID[0]
"""Height and width of a cell, in pixels."""
MOST_THINGS = 8
TRAINED_THINGS = (2, 5)
"""Fewest and most things of a training scene."""
Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels; right and bottom are exclusive."""


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
        """Pixels that the thing covers, in the middle of its place."""
        span = SPANS[self.size]
        top, left = (PLACE * at + (PLACE - span) // 2 for at in self.place)
        return left, top, left + span, top + span

    @property
    def held_out(self) -> bool:
        """True if no training contains this shape in this colour."""
        return (self.colour, self.shape) in HELD_OUT

    @property
    def holds(self) -> bool:
        """True if a small thing may stand inside it."""
        return self.shape in HOLLOW and self.size == "large"

    def __str__(self) -> str:
        pattern = () if self.pattern == "plain" else (self.pattern,)
        words = (self.size, *pattern, self.colour, self.shape)
        return f"{' '.join(words)} at {self.row + 1} {self.column + 1}"


@dataclass(frozen=True)
class Scene:
    """Things and their places; `covered` places are painted over.

    Things stand in the order in which captions name them: row by row, and a thing inside another
    before that one.
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
        """Return the things at a place, the inner one first."""
        return tuple(thing for thing in self.things if thing.place == (row, column))

    @property
    def usual(self) -> bool:
        """True if the scene could be one of a training: as many things, and nothing covered."""
        least, most = TRAINED_THINGS
        return least <= len(self.things) <= most and not self.covered


@dataclass(frozen=True)
class SceneSource(GridSource):
    """Scene as a model reads it: cells of a picture, and the scene drawn."""

    scene: Scene = field(default_factory=lambda: Scene(()))


@dataclass(frozen=True)
class CaptionWord:
    """Word of a caption."""

    text: str  # as spelt, without the space before it
    start: int  # start, end: character offsets in the caption
    end: int
    part: str = "other"  # "noun", "colour", "size", "pattern", or "other"
    thing: int | None = None  # index of the thing it names, or None


@dataclass(frozen=True)
class Caption:
    """Sentence about a scene."""

    words: tuple[CaptionWord, ...]  # in their order
    # relation of the first two things: "left", "above", "inside", "bigger", "smaller", or "and"
    # for none
    relation: str = "and"
    text: str = ""

    def __iter__(self) -> Iterator[CaptionWord]:
        return iter(self.words)


RGB = {
    "red": (214, 39, 40),
    "blue": (31, 98, 214),
    "green": (40, 150, 62),
    "yellow": (232, 200, 20),
    "purple": (136, 68, 190),
    "orange": (245, 130, 20),
}
PAPER = (246, 246, 242)
"""Background colour."""
COVER = (150, 150, 150)
"""Colour of covered places."""
LUMINANCE = (0.299, 0.587, 0.114)
"""Weights of red, green and blue in brightness (ITU-R BT.601)."""
_MOST_QUOTED = 60  # characters of a person's input that an error quotes
_FINE = 4  # samples of a pixel in each direction, against jagged edges
_STROKE = 3.0  # pixels of the line of a hollow shape
_PERIODS = {"small": 4, "large": 6}  # pixels from stripe to stripe, and from dot to dot


class SceneError(ValueError):
    """Text that describes no scene; `message` gives the reason, `hint` what to write."""

    def __init__(self, message: Message, hint: Message) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


# -- from text ------------------------------------------------------------------------------


def read_scene(text: str) -> Scene:
    """Read a scene such as ``large red striped circle at 1 2; small blue star at 3 4; cover 2 2``.

    Size and pattern may be left out, and words may stand in any order before "at".

    Raises
    ------
    SceneError : the text is empty, names too many things, or a part cannot be read.
    """
    things: list[Thing] = []
    covered: list[tuple[int, int]] = []
    for part in text.replace("\n", ";").split(";"):
        words = part.lower().replace(",", " ").split()
        if words and words[0] == "cover":
            covered.append(_cell(words[1:], part))
        elif words:
            things.append(_thing(words, part))
    if not things:
        raise _error("empty")
    if len(things) > MOST_THINGS:
        raise _error("many", n=len(things), most=MOST_THINGS)
    scene = Scene(tuple(things), tuple(covered))
    crowded = crowded_place(scene)
    if crowded is not None:
        raise _error("crowded", row=crowded[0] + 1, column=crowded[1] + 1)
    return scene


def crowded_place(scene: Scene) -> tuple[int, int] | None:
    """Return the first place whose things do not fit, or None.

    More than one thing fits only if a small one stands inside a large hollow one.
    """
    for thing in scene.things:
        here = scene.at(*thing.place)
        inside = len(here) == 2 and here[0].size == "small" and here[1].holds
        if len(here) > 1 and not inside:
            return thing.place
    return None


def _error(id: str, **values: str | int) -> SceneError:
    return SceneError(Message.of(f"scene-{id}", **values), Message("scene-hint"))


def _quoted(part: str) -> str:
    """Shorten a person's input to quote it in a sentence."""
    part = part.strip()
    return part if len(part) <= _MOST_QUOTED else f"{part[: _MOST_QUOTED - 1]}…"


def _thing(words: list[str], part: str) -> Thing:
    """Read one thing from its words."""
    if "at" not in words:
        raise _error("placeless", part=_quoted(part))
    at = words.index("at")
    values: dict[str, str] = {}
    vocabulary = {"shape": SHAPES, "colour": COLOURS, "size": SIZES, "pattern": PATTERNS}
    for word in words[:at]:
        name = next((name for name, values_of in vocabulary.items() if word in values_of), None)
        if name is None and word in ("a", "an", "the"):
            continue
        if name is None:
            every = ", ".join((*SIZES, *PATTERNS, *COLOURS, *SHAPES))
            raise _error("word", word=_quoted(word), known=every)
        if name in values:
            raise _error("twice", first=values[name], second=word)
        values[name] = word
    for name in ("shape", "colour"):
        if name not in values:
            raise _error(f"no-{name}", part=_quoted(part), known=", ".join(vocabulary[name]))
    if values["shape"] in HOLLOW:
        values.pop("pattern", None)
    row, column = _cell(words[at + 1 :], part)
    return Thing(**values, row=row, column=column)


def _cell(words: Sequence[str], part: str) -> tuple[int, int]:
    """Read row and column, counted from 1; returns them from 0."""
    sound = len(words) == 2 and all(w.isascii() and w.isdigit() and len(w) < 4 for w in words)
    indices = tuple(int(word) - 1 for word in words) if sound else ()
    if not indices or not all(0 <= index < PLACES for index in indices):
        raise _error("place", part=_quoted(part), most=PLACES)
    return indices[0], indices[1]


# -- by chance ------------------------------------------------------------------------------


def random_scene(rng: random.Random, *, held_out: bool = False) -> Scene:
    """Draw a scene as in a training; with `held_out` one thing is of no training."""
    least, most = TRAINED_THINGS
    n = rng.randint(least, most)
    cells = [divmod(cell, PLACES) for cell in rng.sample(range(PLACES**2), n)]
    things = [_random_thing(rng, cell) for cell in cells]
    holders = [thing for thing in things[:-1] if thing.holds]
    # Few things are hollow and large; without this, "inside" would be too rare to learn.
    if holders and rng.random() < 0.7:
        row, column = rng.choice(holders).place
        things[-1] = replace(things[-1], size="small", row=row, column=column)
    if held_out:
        colour, shape = rng.choice(sorted(HELD_OUT))
        pattern = "plain" if shape in HOLLOW else things[0].pattern
        things[0] = replace(things[0], shape=shape, colour=colour, pattern=pattern)
        if not things[0].holds and len([t for t in things if t.place == things[0].place]) > 1:
            return random_scene(rng, held_out=True)
    return Scene(tuple(things))


def _random_thing(rng: random.Random, cell: tuple[int, int]) -> Thing:
    """Draw a thing that training may contain."""
    while True:
        shape = rng.choice(SHAPES)
        colour = rng.choice(COLOURS)
        if (colour, shape) not in HELD_OUT:
            break
    size = rng.choice(SIZES)
    pattern = "plain" if shape in HOLLOW else rng.choice(("plain", *PATTERNS))
    return Thing(shape, colour, size, pattern, *cell)


# -- numbers, as a training keeps them --------------------------------------------------------


def scene_numbers(scene: Scene) -> list[int]:
    """Return five integers a thing, the inverse of `scene_of_numbers`; nothing may be covered."""
    return [
        number
        for thing in scene.things
        for number in (
            SHAPES.index(thing.shape),
            COLOURS.index(thing.colour),
            SIZES.index(thing.size),
            PATTERNS.index(thing.pattern),
            thing.row * PLACES + thing.column,
        )
    ]


def scene_of_numbers(numbers: Sequence[int]) -> Scene:
    """Return the scene of `scene_numbers`."""
    rows = [numbers[i : i + 5] for i in range(0, len(numbers), 5)]
    return Scene(
        tuple(
            Thing(SHAPES[a], COLOURS[b], SIZES[c], PATTERNS[d], *divmod(e, PLACES))
            for a, b, c, d, e in rows
        )
    )


# -- pictures -------------------------------------------------------------------------------


def picture(scene: Scene) -> np.ndarray:
    """Draw a scene as a model sees it: uint8 array (112, 112, 3), red, green and blue."""
    pixels = np.full((PIXELS, PIXELS, 3), PAPER, dtype=np.uint8)
    # Reversed, so that an outer thing is painted before the one inside it.
    for thing in reversed(scene.things):
        left, top, right, bottom = thing.box
        cover, ink = _stamp(thing.shape, thing.size, thing.pattern, thing.colour)
        under = pixels[top:bottom, left:right]
        pixels[top:bottom, left:right] = np.rint(under + cover * (ink - under))
    for row, column in scene.covered:
        pixels[row * PLACE : (row + 1) * PLACE, column * PLACE : (column + 1) * PLACE] = COVER
    return pixels


def scene_source(text: str) -> SceneSource:
    """Return a text as the source of a model: the mean brightness of every cell, and the scene.

    Raises
    ------
    SceneError : as for `read_scene`.
    """
    scene = read_scene(text)
    rows, columns = GRID
    grey = picture(scene) @ np.array(LUMINANCE) / 255
    cells = grey.reshape(rows, CELL, columns, CELL).mean(axis=(1, 3))
    return SceneSource(text, GRID, tuple(round(float(x), 4) for x in cells.ravel()), scene)


@cache
def _stamp(shape: str, size: str, pattern: str, colour: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the coverage of each pixel by a thing (n, n, 1), and its colour there (n, n, 3)."""
    n = SPANS[size]
    centres = (np.arange(n * _FINE) + 0.5) / _FINE
    y, x = np.meshgrid(centres, centres, indexing="ij")
    inside = _INSIDE[shape](x - n / 2, y - n / 2, n / 2)
    cover = inside.reshape(n, _FINE, n, _FINE).mean(axis=(1, 3))[..., None]
    rgb = np.array(RGB[colour], dtype=float)
    pale = 255 - 0.3 * (255 - rgb)
    ink = np.where(_light(pattern, n, _PERIODS[size])[..., None], pale, rgb)
    return cover, ink


def _light(pattern: str, n: int, period: int) -> np.ndarray:
    """Return True for the pixels of a pattern that are pale."""
    y, x = np.mgrid[:n, :n] - (n - period) // 2
    if pattern == "striped":
        return y % period >= period // 2
    if pattern == "dotted":
        return (y % period >= period // 2) & (x % period >= period // 2)
    return np.zeros((n, n), dtype=bool)


def _star(x: np.ndarray, y: np.ndarray, r: float) -> np.ndarray:
    """Return True inside a five-pointed star: inside of at least four of its five lines."""
    angles = np.pi * (0.5 + 2 * np.arange(5) / 5)
    lines = [x * np.cos(a) - y * np.sin(a) >= -0.31 * r for a in angles + np.pi / 5]
    return (np.sum(lines, axis=0) >= 4) & (x**2 + y**2 <= r**2)


_INSIDE: dict[str, Callable[[np.ndarray, np.ndarray, float], np.ndarray]] = {
    "circle": lambda x, y, r: x**2 + y**2 <= r**2,
    "square": lambda x, y, r: np.ones_like(x, dtype=bool),
    "triangle": lambda x, y, r: 2 * np.abs(x) <= y + r,
    "diamond": lambda x, y, r: np.abs(x) + np.abs(y) <= r,
    "cross": lambda x, y, r: np.minimum(np.abs(x), np.abs(y)) <= 0.3 * r,
    "star": _star,
    "ring": lambda x, y, r: (x**2 + y**2 <= r**2) & (x**2 + y**2 >= (r - _STROKE) ** 2),
    "frame": lambda x, y, r: np.maximum(np.abs(x), np.abs(y)) >= r - _STROKE,
}


def cells_of(box: Box) -> np.ndarray:
    """Return True for the cells that a box touches, bool (196,), row by row."""
    left, top, right, bottom = box
    touched = np.zeros(GRID, dtype=bool)
    # -(-n // CELL) rounds up.
    touched[top // CELL : -(-bottom // CELL), left // CELL : -(-right // CELL)] = True
    return touched.ravel()


def middle_of(box: Box) -> int:
    """Return the cell at the middle of a box, of 196, row by row."""
    left, top, right, bottom = box
    return (top + bottom) // 2 // CELL * GRID[1] + (left + right) // 2 // CELL
