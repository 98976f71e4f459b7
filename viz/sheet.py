"""Drawings and lines of text on one sheet, as SVG: the frames of an animation, a poster."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from core.tokens import visible

from .fonts import STACK, has_hangul
from .labels import text_width
from .recipes import cut
from .theme import ground, ink

_SIZE = re.compile(r'<svg\b[^>]*?\bwidth="([\d.]+)"[^>]*?\bheight="([\d.]+)"')
Window = tuple[float, float]
"""The left edge and the width of a part of a drawing, in its pixels."""
_CORNER = 'preserveAspectRatio="xMinYMin meet"'
_NAMES = re.compile(r'(\bid="|="url\(#)((?:clip|gradient_)\d+)')


def size_of(svg: str) -> tuple[float, float]:
    """Width and height of a drawing in pixels."""
    width, height = _SIZE.search(svg).groups()
    return float(width), float(height)


def line(
    words: str,
    x: float,
    y: float,
    size: float = 13,
    *,
    room: float | None = None,
    turned: bool = False,
    **look: str,
) -> str:
    """One line of text from outside, its baseline at `y`, cut where it is wider than `room`.

    `turned`: it is read from below. `look`: attributes of SVG, ``_`` for ``-``.
    """
    words = visible(" ".join(words.split()))
    words = words if room is None else cut(words, room, size)
    turn = {"transform": f"rotate(-90 {x:.1f} {y:.1f})"} if turned else {}
    font = STACK if has_hangul(words) else "sans-serif"  # those for Hangul lack other letters
    given = {"x": f"{x:.1f}", "y": f"{y:.1f}", "font-size": f"{size:g}", "font-family": font}
    given |= {"fill": ink(), **turn}
    given |= {name.replace("_", "-"): value for name, value in look.items()}
    written = " ".join(f'{name}="{value}"' for name, value in given.items())
    return f"<text {written}>{html.escape(words)}</text>"


def wrapped(words: str, room: float, size: float, most: int) -> list[str]:
    """A text in lines of at most so many pixels, the last of `most` lines cut."""
    lines: list[str] = []
    for word in visible(" ".join(words.split())).split(" "):
        if lines and (len(lines) == most or text_width(f"{lines[-1]} {word}", size) <= room):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [cut(each, room, size) for each in lines]


def placed(
    svg: str, x: float, y: float, width: float, height: float, window: Window | None = None
) -> str:
    """A drawing, or a `window` of it, in the top left of a box of the sheet, as large as fits."""
    across, down = size_of(svg)
    left, across = window or (0, across)
    inside = svg[svg.index(">", svg.index("<svg")) + 1 :]
    box = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<svg {box} viewBox="{left:g} 0 {across:g} {down:g}" {_CORNER}>{inside}'


def sheet(width: float, height: float, parts: Iterable[str], size: str = "") -> str:
    """All parts on the ground of the page; what they call their own keeps apart.

    `size`: attributes for the size of the whole, where it is not in pixels.
    """
    own = (_NAMES.sub(rf"\1p{at}-\2", part) for at, part in enumerate(parts))
    size = size or f'width="{width:g}" height="{height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'{size} viewBox="0 0 {width:g} {height:g}">'
        f'<rect width="100%" height="100%" fill="{ground()}"/>{"".join(own)}</svg>'
    )
