"""Texts compared by the numbers in them, which another processor rounds otherwise."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

MINUS = "−"
NUMBER = re.compile(
    r"(?<![\w.,~−-])"  # within a name, an address or a date
    r"(?P<number>[+−-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+−-]?\d+)?)(?P<percent>\s?%)?"
    r"(?![\w~-]|[.,]\d)"
)
REL_TOL = 1e-3
ABS_TOL = 1e-4


def texts_alike(now: str, then: str, rel_tol: float = REL_TOL, abs_tol: float = ABS_TOL) -> bool:
    """Return True if two texts are the same but for numbers that are close.

    A number with a decimal point, an exponent, thousands or a percent sign was rounded when it was
    written: it may differ by the tolerances and by one in its last digit. Any other is a count and
    has to be the same.
    """
    if now == then:
        return True
    if NUMBER.sub("#", now) != NUMBER.sub("#", then):
        return False
    pairs = zip(NUMBER.finditer(now), NUMBER.finditer(then), strict=True)
    return all(_numbers_alike(*pair, rel_tol, abs_tol) for pair in pairs)


def holds(text: str, part: str, rel_tol: float = REL_TOL, abs_tol: float = ABS_TOL) -> bool:
    """Return True if `part` stands in `text`, or does with numbers that `texts_alike` accepts."""
    words = (re.escape(words) for words in NUMBER.sub("\0", part).split("\0"))
    pattern = rf"{NUMBER.pattern}".replace("?P<number>", "").replace("?P<percent>", "")
    found = re.finditer(pattern.join(words), text)
    return any(texts_alike(match[0], part, rel_tol, abs_tol) for match in found)


def lines_unlike(now: str, then: str) -> Iterator[str]:
    """The lines of two texts that differ by more than rounding."""
    first, second = now.splitlines(), then.splitlines()
    if len(first) != len(second):
        yield f"{len(first)} lines, were {len(second)}"
    for line, old in zip(first, second, strict=False):
        if not texts_alike(line, old):
            yield f"{line!r}, was {old!r}"


def _numbers_alike(now: re.Match, then: re.Match, rel_tol: float, abs_tol: float) -> bool:
    if bool(now["percent"]) != bool(then["percent"]):
        return False
    if now["number"] == then["number"]:
        return True
    if not (_is_rounded(now) or _is_rounded(then)):
        return False
    first, first_unit = _value_and_unit(now["number"])
    second, second_unit = _value_and_unit(then["number"])
    room = abs_tol + rel_tol * max(abs(first), abs(second))
    last_digit = min(first_unit, second_unit) * (1 + 1e-9)
    return math.isclose(first, second, rel_tol=0, abs_tol=max(room, last_digit))


def _is_rounded(found: re.Match) -> bool:
    return found["percent"] is not None or any(mark in found["number"] for mark in ".,e")


def _value_and_unit(text: str) -> tuple[float, float]:
    """The value of a written number, and what one in its last digit is worth."""
    plain = text.replace(MINUS, "-").replace(",", "")
    mantissa, _, exponent = plain.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return float(plain), 10.0 ** (int(exponent or 0) - decimals)
