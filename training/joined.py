"""Longer texts, made by joining captions: what a sentence's length does can then be measured.

Captions are short, and a model that never read a long text fails on one for that reason alone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from .corpus import Pair


def joined(pairs: Sequence[Pair], n: int, fewest: int, most: int, seed: int | str) -> list[Pair]:
    """`n` texts of `fewest` to `most` different pairs, one after another on either side."""
    rng = random.Random(seed)
    texts = []
    for _ in range(n):
        drawn = rng.sample(pairs, rng.randint(fewest, most))
        texts.append(Pair(" ".join(p.source for p in drawn), " ".join(p.target for p in drawn)))
    return texts


def joined_pairs(sets: dict[str, list[Pair]], spec: dict[str, Any]) -> list[Pair]:
    """The texts that a config asks for: ``{"of": folder, "pairs": n, "most": 4, "seed": 1}``."""
    return joined(sets[spec["of"]], spec["pairs"], 2, spec["most"], spec["seed"])
