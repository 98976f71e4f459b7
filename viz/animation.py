"""A figure at several times as one animated picture that needs no program of ours."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import vl_convert
from PIL import Image

from core.files import UNSIGNED, Signature, signature_line
from core.tables import spread_places

from .export import drawing, export_spec
from .figure import Figure, with_dial
from .labels import text_width
from .look import say
from .sheet import lines, placed, sheet, size_of, wrapped
from .theme import ground, rgb_of

MOST_FRAMES = 24
MOST_BYTES = 3_000_000
_PIXELS = 450_000  # of a frame, at most twice those on screen; a larger one takes long to draw
_TITLE, _LINE, _MARGIN, _WIDEST = 15, 22, 8, 940  # pixels
_WHOLE, _LEAST, _MOST, _LAST = 8_000, 200, 900, 2_500  # ms: in all, of a frame, of the last


@dataclass(frozen=True, eq=False)
class Animation:
    """A figure at several times, in their order; it is drawn when it is asked for."""

    titles: Sequence[str]  # what stands above it at each time
    at: Callable[[int], Figure]  # the figure at one of them
    # the pixel from the left that is looked at, where the figure is too wide to be seen whole
    places: Sequence[float] | None = None

    @classmethod
    def of_dial(
        cls, figure: Figure, signal: str, titles: Sequence[str], first: int = 0, **how: Any
    ) -> Animation:
        """What a dial (`viz.recipes.dial`) shows from `first` on, one time for each title."""
        return cls(titles, lambda place: with_dial(figure, signal, first + place), **how)


def animated_gif(animation: Animation, signature: Signature = UNSIGNED) -> bytes:
    """Every time as a frame under its title, over and over; of more than `MOST_FRAMES` times so
    many, evenly spaced, which each title says. The signature is the comment of the file."""
    titles, n = animation.titles, len(animation.titles)
    places = spread_places(n, MOST_FRAMES).tolist()
    if len(places) < n:
        titles = [say("figures-frames", shown=len(places), n=n, title=each) for each in titles]
    svgs = _frames(
        [drawing(export_spec(animation.at(place))) for place in places],
        [titles[place] for place in places],
        [animation.places[place] if animation.places else 0 for place in places],
    )
    scale = min(2.0, (_PIXELS / math.prod(size_of(svgs[0]))) ** 0.5)
    for smaller in (1, 0.7, 0.5):
        gif = _gif([vl_convert.svg_to_png(svg, scale * smaller) for svg in svgs], signature)
        if len(gif) <= MOST_BYTES:
            break
    return gif


def _frames(drawn: Sequence[str], titles: Sequence[str], looked_at: Sequence[float]) -> list[str]:
    """Sheets of one size, each drawing at the same place below its title."""
    sizes = [size_of(svg) for svg in drawn]
    widest, down = map(max, zip(*sizes, strict=True))
    across = min(widest, _WIDEST)
    width = max(across, min(_WIDEST, max(text_width(title, _TITLE) for title in titles)))
    heads, scale = [wrapped(title, width, _TITLE, 2) for title in titles], width / across
    top, sheets = _LINE * max(map(len, heads)) + _MARGIN, []
    bold = {"room": width, "font_weight": "bold"}
    for head, svg, (own, high), at in zip(heads, drawn, sizes, looked_at, strict=True):
        window = (min(max(0, at - 2 * across / 3), own - across), across) if own > across else None
        size = min(own, across) * scale, high * scale
        title = lines(head, _MARGIN, -1, _TITLE, _LINE, **bold)
        parts = title, placed(svg, _MARGIN, top, *size, window)
        sheets.append(sheet(width + 2 * _MARGIN, down * scale + top + _MARGIN, parts))
    return sheets


def _gif(pngs: Sequence[bytes], signature: Signature) -> bytes:
    images = [Image.open(io.BytesIO(png)).convert("RGB") for png in pngs]
    some = np.linspace(0, len(images) - 1, 5).astype(int)
    together = Image.fromarray(np.concatenate([np.asarray(images[place]) for place in some]))
    palette = together.quantize(255, Image.Quantize.MAXCOVERAGE, kmeans=1)
    colours = np.array(palette.getpalette()).reshape(-1, 3)
    own = rgb_of(ground())  # has to be exact, for the rest of a page lies beside it
    colours[np.square(colours - own).sum(axis=1).argmin()] = own
    palette.putpalette(colours.astype(np.uint8).tobytes())
    first, *others = (image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images)
    each = int(np.clip(_WHOLE / len(images), _LEAST, _MOST))
    out = io.BytesIO()
    first.save(
        out,
        "GIF",
        save_all=True,
        append_images=others,
        duration=[*[each] * len(others), _LAST],
        loop=0,
        comment=signature_line(signature).encode(),
    )
    return out.getvalue()
