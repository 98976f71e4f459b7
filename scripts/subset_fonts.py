"""Cut the Hangul fonts of the app out of Noto Sans CJK (SIL Open Font License 1.1).

    python scripts/subset_fonts.py /usr/share/fonts/opentype/noto

The folder holds ``NotoSansCJK-Regular.ttc`` and ``NotoSansCJK-Bold.ttc``, as installed by Debian's
package ``fonts-noto-cjk``. Kept are the 2,350 syllables of KS X 1001, single letters of Hangul, and
ASCII. Needs ``fonttools[woff]``, which the app itself does not.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

FONTS = Path(__file__).resolve().parent.parent / "static" / "fonts"
FAMILY = "Noto Sans CJK KR"
NAME = "Noto Sans KR Lab"
"""A name of its own, since this is a part of a font that may be installed in whole."""
# Name records of copyright, licence and its address, which the licence wants kept.
COPYRIGHT = (0, 13)
LICENCE = 14


def kept() -> set[int]:
    """Return the code points that stay."""
    syllables = (
        # EUC-KR holds the syllables of KS X 1001 in rows 0xB0 to 0xC8.
        bytes([high, low]).decode("euc-kr")
        for high in range(0xB0, 0xC9)
        for low in range(0xA1, 0xFF)
    )
    return {*map(ord, syllables), *range(0x3131, 0x318F), *range(0x20, 0x7F)}


def korean_font(path: Path) -> TTFont:
    """Return the Korean font of a collection."""
    fonts = TTCollection(path).fonts
    return next(font for font in fonts if font["name"].getDebugName(1).startswith(FAMILY))


def subset(font: TTFont, weight: str) -> TTFont:
    """Return the part of a font that the app needs, under its own name."""
    options = Options()
    options.layout_features = []
    options.hinting = False
    options.name_IDs = [*COPYRIGHT, LICENCE]
    options.notdef_outline = True
    # The app sets text horizontally, and syllables need neither alternates nor kerning.
    options.drop_tables += ["vhea", "vmtx", "VORG", "BASE", "GSUB", "GPOS"]
    cutter = Subsetter(options)
    cutter.populate(unicodes=kept())
    cutter.subset(font)
    names = {1: NAME, 2: weight, 4: f"{NAME} {weight}", 6: f"NotoSansKRLab-{weight}"}
    for name_id, text in names.items():
        # Platform 3 (Windows), encoding 1 (Unicode), American English.
        font["name"].setName(text, name_id, 3, 1, 0x409)
    font["CFF "].cff.fontNames = [names[6]]
    return font


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of the font collections")
    folder = parser.parse_args().folder
    FONTS.mkdir(parents=True, exist_ok=True)
    for weight in ("Regular", "Bold"):
        font = subset(korean_font(folder / f"NotoSansCJK-{weight}.ttc"), weight)
        for flavour, ending in ((None, "otf"), ("woff2", "woff2")):
            font.flavor = flavour
            path = FONTS / f"NotoSansKRLab-{weight}.{ending}"
            font.save(path)
            print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main()
