"""Colours with a fixed meaning, for light and dark pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import altair as alt
import numpy as np

from core.records.attention import TRANSFORMER_SITES, AttentionSite

from .style import is_dark

SELECTION = "#f0454a"
# The same for words, which need more contrast; the browser chooses by the page's theme.
SELECTION_TEXT = "light-dark(#c8242b, #ff7a7d)"
# The page's own text colour, whichever theme it has by the time the chart is drawn.
INK = "currentColor"
# Ink of figures in files, the ground of the page and the colour of its buttons, on
# light and dark pages; `.streamlit/config.toml` gives Streamlit the same.
INKS = {False: "#14171c", True: "#e8eaed"}
GROUNDS = {False: "#ffffff", True: "#14171c"}
PRIMARY = {False: "#2862a3", True: "#7ba6d6"}
_HIT = "light-dark(#2e7d32, #81c784)"
_MISS = "light-dark(#c62828, #ef9a9a)"
TEXT_FONT = "Source Sans, Source Sans Pro, Noto Sans KR Lab, sans-serif"
GREY = "#8b9099"

# By role of the site: self-attention, causal self-attention, attention to another side;
# then those for sites of other families.
_STOPS = {
    "self": (
        ("#eff3f8", "#98b7d9", "#4f80b5", "#173f70"),
        ("#232a33", "#3d618a", "#7ba6d6", "#e3f0ff"),
    ),
    "causal": (
        ("#f8f3e3", "#f5de93", "#b78e1c", "#6b4a00"),
        ("#2c2922", "#7a642a", "#d9b94f", "#fff6d8"),
    ),
    "other": (
        ("#eaf4f2", "#8ccbc3", "#2f9087", "#0a4b46"),
        ("#212c2b", "#2f726b", "#63b8ad", "#defaf5"),
    ),
    "rose": (
        ("#f9eff1", "#e0aab4", "#b3566a", "#5f1528"),
        ("#33262a", "#7f4350", "#d08a99", "#ffe6ea"),
    ),
    "grey": (
        ("#f1f2f4", "#b5bac3", "#737b88", "#2c323c"),
        ("#282a2e", "#555b66", "#9aa2af", "#eef1f6"),
    ),
}

# Colours below and above 0, wherever signs differ.
NEGATIVE = "#9c6d9b"
POSITIVE = "#4e9c57"
# Weight beyond a mask, from none to all of a row.
BEYOND = {
    False: ("#f6f0f6", "#cdb0cd", NEGATIVE, "#4d2350"),
    True: ("#2b242c", "#6d4a6e", "#b98dba", "#f6e4f7"),
}
# Probability of a token.
SURE = {False: ("#f3f2f0", "#a9cfae", POSITIVE), True: ("#2a2b31", "#2f6a3b", POSITIVE)}
# Query and key, in pictures as in words (`:blue[…]`, `:orange[…]` in Markdown); no red, which marks
# what is selected.
QUERY = "#4f80b5"
KEY = "#d9822b"
# A pair that turns.
TURNED = {False: (NEGATIVE, POSITIVE), True: ("#c79bc6", "#74bd7d")}
FAINT = {False: "#dfe3ea", True: "#353c47"}
"""Lines of a grid in space, and under what stands above others."""
ASIDES = {False: "#f4f6f9", True: "#1e232a"}
"""Ground of panels beside the page."""

# Names in a row: the words of a choice, words that are hidden (phrases warm, single words cool),
# pairs of dimensions (Okabe and Ito's, which colour-blind readers can tell apart, then brown and
# grey), trainings, systems of the lineage.
CHOICES = (POSITIVE, NEGATIVE, "#d9822b", GREY)
HIDDEN = (POSITIVE, "#d9822b", NEGATIVE, "#a0694a", GREY)
PAIRS = ("#2f86c6", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8b6f4e", GREY)
RUNS = ("#4f80b5", "#b78e1c", "#2f9087", "#b3566a", "#8b6bb1", "#737b88")
# Of pairs of parts of a score in layer 1: the hue is that of the query's part, blue for content and
# orange for position, paler where the key's part is the other one.
SCORE_PAIRS = ("#2f6fb0", "#7fb0de", "#f0bf6a", "#d9822b")
# Of parts in later layers: content and position, then what sub-layers added.
SCORE_PARTS = (
    *("#2f6fb0", "#d9822b", "#009e73", "#8b6bb1", "#c9a400"),
    *("#56b4e9", "#8b6f4e", "#3f7f7f", "#a8b84b", GREY),
)
SEARCH_ERROR = "#d9822b"
"""Colour of a search error, whoever found it."""
OUTCOMES = (POSITIVE, SEARCH_ERROR, "#b89ab8", "#a3a9b1", "#cfd3d9")
"""Colours of references returned, missed by search, penalty or model, and without a verdict."""
ON_OUTCOME = "#14171c"
"""Ink on these, dark in both looks."""
SYSTEMS = {
    False: (
        *("#2a6fb0", "#b3580f", "#2f8a4f", "#a83c74"),
        *("#6a55b8", "#83700f", "#1f8288", "#5f6672"),
    ),
    True: (
        *("#6aa9e6", "#e89a55", "#6cc48b", "#e283b2"),
        *("#a795ee", "#cdb94c", "#5fc3c9", "#a9b0bc"),
    ),
}
# Beginnings of their ids, in the order of these colours; all other systems have the last.
_VARIANTS = (
    *("cho", "sutskever", "bahdanau", "transformer"),
    *("luong-global", "convolutional", "luong-local"),
)
# Each as far as possible from the others in CIELAB, taking the nearest of four views: ordinary,
# protan, deutan and tritan (Machado et al. 2009), the first eight farther than the rest. All stand
# out at 3:1 from white and from the dark page, and from the red of a selection.
HEADS: tuple[str, ...] = (
    *("#3377cc", "#889955", "#cc66aa", "#bb44ff", "#886622", "#cc0077", "#007744", "#8811ff"),
    *("#00aa33", "#6655dd", "#aa3399", "#aa8877", "#666677", "#9988cc", "#bb7722", "#bb5555"),
)
_DIVERGING = {
    False: ("#5f3a5f", NEGATIVE, "#f3f2f0", POSITIVE, "#1f5a29"),
    True: ("#dcb6db", NEGATIVE, "#2a2b31", POSITIVE, "#a5e3ae"),
}
_SIGNED = {
    False: ("#86508a", "#c9aecb", "#f5f4f2", "#a9cfae", "#3b8446"),
    True: ("#d3a3d6", "#7d577f", "#262b32", "#3f6f47", "#8ed598"),
}


# Altair's own type of a theme lists every property; a dictionary of some is what it takes.
@alt.theme.register("attention-lab", enable=True)  # type: ignore[arg-type]
def altair_theme() -> dict[str, Any]:
    """Return Altair's theme: words in the page's ink, because Streamlit's are too pale to read."""
    words = {"labelColor": INK, "titleColor": INK}
    # Streamlit's theme moves the first and last label of an axis away from their ticks.
    straight = {"labelFlush": False, "labelBound": False}
    title = {"color": INK, "subtitleColor": INK, "anchor": "start", "fontSize": 12}
    bare = {"view": {"stroke": None}, "title": title}
    return {"config": {**bare, "axis": words | straight, "legend": words, "header": words}}


def system_colour(name: str) -> str:
    """Return the colour of a system of the lineage, the same in every figure.

    `name`: id of a variant, with or without the "lineage-" of its checkpoint, or of its family.
    """
    variant = name.removeprefix("lineage-")
    starts = (at for at, start in enumerate(_VARIANTS) if variant.startswith(start))
    return SYSTEMS[is_dark()][next(starts, -1)]


@dataclass(frozen=True)
class Palette:
    """Colours of one site on one kind of page."""

    ramp: tuple[str, ...]  # colours for weights 0 to 1, of a single hue, evenly spaced
    accent: str  # the site's own colour for bars


Site: TypeAlias = AttentionSite | str
"""Site, or one known by its name alone."""


def palette_of(site: Site) -> Palette:
    """Return the colours of a site, or of one known by its name alone.

    Self-attention is blue, causal self-attention sand, attention to another side teal. An unknown
    name gets rose or grey, always the same.
    """
    declared = TRANSFORMER_SITES.get(site) if isinstance(site, str) else site
    if declared is None:
        # Not `hash`, which differs from process to process.
        role = ("rose", "grey")[sum(map(ord, str(site))) % 2]
    else:
        role = ("causal" if declared.causal else "self") if declared.is_self else "other"
    ramp = _STOPS[role][is_dark()]
    return Palette(ramp=ramp, accent=ramp[2])


def neutral_palette() -> Palette:
    """Return greys, for numbers of several heads beside those of single heads in their colour."""
    ramp = _STOPS["grey"][is_dark()]
    return Palette(ramp=ramp, accent=ramp[2])


def ink() -> str:
    """Return the colour of words, as a hexadecimal code."""
    return INKS[is_dark()]


def ground() -> str:
    """Return the colour of the page under a figure."""
    return GROUNDS[is_dark()]


def css_colours() -> str:
    """Return the colours of the page and of its components, as variables of CSS."""
    colours = {"mark": SELECTION, "mark-text": SELECTION_TEXT, "hit": _HIT, "miss": _MISS}
    both_themes = {"primary": PRIMARY, "ground": GROUNDS, "line": FAINT, "aside": ASIDES}
    for name, both in both_themes.items():
        colours[name] = f"light-dark({both[False]}, {both[True]})"
    return f":root, :host {{ {' '.join(f'--{name}: {c};' for name, c in colours.items())} }}\n"


def diverging_ramp() -> tuple[str, ...]:
    """Return five evenly spaced colours from purple, below 0, over the page's ground to green."""
    return _DIVERGING[is_dark()]


def signed_ramp() -> tuple[str, ...]:
    """Return a paler `diverging_ramp`, so that a number in a cell can be read."""
    return _SIGNED[is_dark()]


def of_theme(text: str, *, dark: bool) -> str:
    """Replace ``light-dark(...)`` in a text by its colour for one kind of page.

    >>> of_theme("light-dark(#c8242b, #ff7a7d)", dark=True)
    '#ff7a7d'
    """
    return re.sub(r"light-dark\((#\w+), (#\w+)\)", r"\2" if dark else r"\1", text)


def colours_on(ramp: Sequence[str], shares: np.ndarray) -> np.ndarray:
    """Return red, green and blue (..., 3), 0 to 255, of a ramp at each position from 0 to 1."""
    at = np.clip(shares, 0, 1) * (len(ramp) - 1)
    stops = range(len(ramp))
    channels = zip(*map(rgb_of, ramp), strict=True)
    return np.stack([np.interp(at, stops, channel) for channel in channels], axis=-1)


def luminance_of(rgb: np.ndarray) -> np.ndarray:
    """Return the relative luminance of WCAG 2, 0 to 1; `rgb` is (..., 3) from 0 to 255."""
    part = rgb / 255
    # The transfer function of sRGB (IEC 61966-2-1); the weights below are those of ITU-R BT.709.
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def ink_on(ramp: Sequence[str], shares: np.ndarray) -> list[str]:
    """Return black or white, whichever has more contrast on a ramp at each position from 0 to 1.

    One of pure black and pure white always has a contrast above 4.5:1.
    """
    # Both contrasts are equal at (L + 0.05)² = 1.05 · 0.05.
    bright = luminance_of(colours_on(ramp, shares)) > 0.179
    return ["#000000" if light else "#ffffff" for light in bright]


def rgb_of(colour: str) -> tuple[int, ...]:
    """Convert ``#rrggbb`` to three numbers from 0 to 255."""
    return tuple(bytes.fromhex(colour[1:]))
