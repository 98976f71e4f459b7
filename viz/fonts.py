"""Fonts for Hangul in files, for machines that have none.

They are the files that the browser fetches, too; ``scripts/subset_fonts.py`` makes them.
"""

from __future__ import annotations

import base64
import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "static" / "fonts"
FAMILY = "Noto Sans KR Lab"
STACK = f"{FAMILY}, sans-serif"
# Compatibility letters (ㄱ to ㆎ) and all syllables.
_HANGUL = re.compile(r"[\u3131-\u318e\uac00-\ud7a3]")


def has_hangul(text: str) -> bool:
    """Return True if a text needs the fonts.

    >>> has_hangul("층 3"), has_hangul("layer 3")
    (True, False)
    """
    return _HANGUL.search(text) is not None


def register_fonts() -> None:
    """Register the fonts with the converter of pictures; repeated calls are harmless."""
    import vl_convert

    vl_convert.register_font_directory(str(FOLDER))


@cache
def font_faces() -> str:
    """Return the fonts as CSS that embeds them, without external files."""
    faces = []
    for weight, name in (("normal", "Regular"), ("bold", "Bold")):
        raw = (FOLDER / f"NotoSansKRLab-{name}.woff2").read_bytes()
        source = "data:font/woff2;base64," + base64.b64encode(raw).decode("ascii")
        faces.append(
            f"@font-face {{ font-family: '{FAMILY}'; font-weight: {weight}; "
            f"src: url({source}) format('woff2'); }}"
        )
    return "\n".join(faces)
