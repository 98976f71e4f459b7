"""Drawings and lines of text on one sheet, as SVG: the frames of an animation."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable

from core.tokens import visible

from .fonts import STACK, has_hangul
from .labels import text_width
from .recipes import cut
from .theme import ground, ink

XMLNS = "http://www.w3.org/2000/svg"
_SIZE = re.compile(r'<svg\b[^>]*?\bwidth="([\d.]+)"[^>]*?\bheight="([\d.]+)"')
_NAMES = re.compile(r'(\bid="|="url\(#)((?:clip|gradient_)\d+)')


def size_of(svg: str) -> tuple[float, float]:
    """Width and height of a drawing in pixels."""
    width, height = map(float, _SIZE.search(svg).groups())
    return width, height


def element(name: str, inside: str = "", **look: str | float) -> str:
    """An element of SVG; of its attributes numbers are pixels, ``_`` is for ``-``."""
    values = {key: of if isinstance(of, str) else f"{of:.1f}" for key, of in look.items()}
    given = " ".join(f'{key.replace("_", "-")}="{of}"' for key, of in values.items())
    return f"<{name} {given}>{inside}</{name}>"


def line(
    words: str,
    x: float,
    y: float,
    size: float,
    *,
    room: float = math.inf,
    turned: bool = False,
    **look: str,
) -> str:
    """One line of text from outside, its baseline at `y`, cut where it is wider than `room`.

    `turned`: it is read from below. `look`: attributes of SVG.
    """
    words = cut(visible(" ".join(words.split())), room, size)
    font = STACK if has_hangul(words) else "sans-serif"  # those for Hangul lack other letters
    look = {"font_family": font, "fill": ink(), **look}
    look |= {"transform": f"rotate(-90 {x:.1f} {y:.1f})"} if turned else {}
    return element("text", html.escape(words), x=x, y=y, font_size=size, **look)


def lines(
    texts: Iterable[str], x: float, y: float, size: float, step: float, **how: str | float
) -> str:
    """Lines below each other, the first `step` below `y`; `how`: as of a `line`."""
    below = enumerate(texts, start=1)
    return "".join(line(words, x, y + at * step, size, **how) for at, words in below)


def wrapped(
    words: str, room: float, size: float, most: float = math.inf, after: str = " "
) -> list[str]:
    """A text in lines of so many pixels, broken after one of the letters `after`; what is left is
    in the last of `most`."""
    rows: list[str] = []
    for piece in re.split(f"(?<=[{after}])", visible(" ".join(words.split()))):
        if rows and (len(rows) == most or text_width((rows[-1] + piece).rstrip(), size) <= room):
            rows[-1] += piece
        else:
            rows.append(piece)
    return [row.rstrip() for row in rows]


def placed(
    svg: str,
    x: float,
    y: float,
    width: float,
    height: float,
    window: tuple[float, float] | None = None,
) -> str:
    """A drawing, as large as fits, in the top left of a box of the sheet.

    `window`: the left edge and the width of what is shown of it, in its pixels.
    """
    across, down = size_of(svg)
    left, across = window or (0, across)
    inside = svg[svg.index(">") + 1 : svg.rindex("</svg>")]
    look = {"viewBox": f"{left:g} 0 {across:g} {down:g}", "preserveAspectRatio": "xMinYMin meet"}
    return element("svg", inside, x=x, y=y, width=width, height=height, **look)


def sheet(width: float, height: float, parts: Iterable[str], size: str = "") -> str:
    """All parts on the ground of the page; what they call their own keeps apart.

    `size`: attributes for the size of the whole, where it is not in pixels.
    """
    own = (_NAMES.sub(rf"\1p{at}-\2", part) for at, part in enumerate(parts))
    size = size or f'width="{width:g}" height="{height:g}"'
    return (
        f'<svg xmlns="{XMLNS}" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'{size} viewBox="0 0 {width:g} {height:g}">'
        f'<rect width="100%" height="100%" fill="{ground()}"/>{"".join(own)}</svg>'
    )
