"""Cut the Hangul fonts of the app out of Noto Sans CJK (SIL Open Font License 1.1).

    python scripts/subset_fonts.py /usr/share/fonts/opentype/noto

The folder holds ``NotoSansCJK-Regular.ttc`` and ``NotoSansCJK-Bold.ttc``, as Debian's package
``fonts-noto-cjk`` installs them. What is kept: the 2,350 syllables of KS X 1001, letters of Hangul
that stand alone, and ASCII. Needs ``fonttools[woff]``, which the app itself does not.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

FONTS = Path(__file__).resolve().parent.parent / "static" / "fonts"
FAMILY = "Noto Sans CJK KR"
NAME = "Noto Sans KR Lab"
"""Of its own, because it is a part of the font: another one may be installed in whole."""
COPYRIGHT, LICENCE = (0, 13), 14


def kept() -> set[int]:
    """The code points that stay."""
    syllables = (
        bytes([high, low]).decode("euc-kr")
        for high in range(0xB0, 0xC9)
        for low in range(0xA1, 0xFF)
    )
    return {*map(ord, syllables), *range(0x3131, 0x318F), *range(0x20, 0x7F)}


def korean_font(path: Path) -> TTFont:
    """The Korean one of the fonts in a collection."""
    fonts = TTCollection(path).fonts
    return next(font for font in fonts if font["name"].getDebugName(1).startswith(FAMILY))


def subset(font: TTFont, weight: str) -> TTFont:
    options = Options()
    options.layout_features = []
    options.hinting = False
    options.name_IDs = [*COPYRIGHT, LICENCE]
    options.notdef_outline = True
    options.drop_tables += ["vhea", "vmtx", "VORG", "BASE", "GSUB", "GPOS"]
    cutter = Subsetter(options)
    cutter.populate(unicodes=kept())
    cutter.subset(font)
    names = {1: NAME, 2: weight, 4: f"{NAME} {weight}", 6: f"NotoSansKRLab-{weight}"}
    for name_id, text in names.items():
        font["name"].setName(text, name_id, 3, 1, 0x409)
    font["CFF "].cff.fontNames = [names[6]]
    return font


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the collections lie")
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
