"""A row of weights typed as numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from model import InputError
from words import Message

MOST_QUOTED = 40


def read_weights(text: str, labels: Sequence[str], allowed: Sequence[bool]) -> tuple[float, ...]:
    """Numbers typed by hand: one for each key, apart by blanks, commas or semicolons.

    Where no point occurs and blanks stand between the numbers, a comma within one is decimal.

    Raises
    ------
    InputError : a word is no number, there are too many or too few, or one is for a key at which
        the row may not look.
    """
    decimal = "." not in text and re.fullmatch(r"\s*\d+(,\d+)?([\s;]+\d+(,\d+)?)+\s*", text)
    words = re.split(r"[\s;]+" if decimal else r"[\s;,]+", text.strip(" \t\n;,"))
    weights = tuple(_number(word) for word in words if word)
    if len(weights) != len(labels):
        counts = {"found": len(weights), "expected": len(labels)}
        raise InputError(Message.of("masks-change-row-count", **counts))
    for weight, label, may in zip(weights, labels, allowed, strict=True):
        if weight and not may and math.isfinite(weight):
            raise InputError(Message.of("masks-change-row-unseen", token=label))
    return weights


def _number(word: str) -> float:
    try:
        return float(word.replace(",", "."))
    except ValueError:
        message = Message.of("masks-change-row-no-number", text=word[:MOST_QUOTED])
        raise InputError(message) from None
