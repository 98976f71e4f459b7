"""Colours with a fixed meaning, for light and dark pages."""

from __future__ import annotations

from dataclasses import dataclass

from records import AttentionKind

SELECTION = "#f0454a"
# The page's own text colour, whichever theme it has by the time the chart is drawn.
INK = "currentColor"

_STOPS: dict[tuple[AttentionKind, bool], tuple[str, ...]] = {
    ("encoder", False): ("#eff3f8", "#98b7d9", "#4f80b5", "#173f70"),
    ("encoder", True): ("#232a33", "#3d618a", "#7ba6d6", "#e3f0ff"),
    ("decoder", False): ("#f8f3e3", "#f5de93", "#c79a1e", "#6b4a00"),
    ("decoder", True): ("#2c2922", "#7a642a", "#d9b94f", "#fff6d8"),
    ("cross", False): ("#eaf4f2", "#8ccbc3", "#2f9087", "#0a4b46"),
    ("cross", True): ("#212c2b", "#2f726b", "#63b8ad", "#defaf5"),
}


@dataclass(frozen=True)
class Palette:
    """The colours of one kind of attention on one kind of page.

    Attributes
    ----------
    ramp : colours for the weights 0 to 1, single hue, evenly spaced.
    accent : the kind's own colour for bars.
    """

    ramp: tuple[str, ...]
    accent: str


def palette_of(kind: AttentionKind, *, dark: bool = False) -> Palette:
    ramp = _STOPS[kind, dark]
    return Palette(ramp=ramp, accent=ramp[2])


def rgb_of(colour: str) -> tuple[int, int, int]:
    """``#rrggbb`` as three numbers from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
