"""Heads that follow position: whose maps survive other words, and whose the loss of positions."""

from __future__ import annotations

import numpy as np
import pandas as pd

from records import PositionHeads

from .measures import special_mass


def position_head_table(found: PositionHeads) -> pd.DataFrame:
    """One line a head, the one whose map survives other words best first.

    Columns: kind, layer, head (from 1), words (mean overlap with the maps of other words), spread
    (its standard deviation), positions (overlap with the map without positions), sharpness (mean
    largest weight of a row), special (mean weight of a row on special tokens), chance (of the
    kind). Heads of a kind without a row that leaves a choice are left out.
    """
    parts = []
    for kind in found.plain.kinds:
        words = found.other_words[kind]
        numbers = {
            "words": words.mean(axis=0),
            "spread": words.std(axis=0),
            "positions": found.without_positions[kind],
            "sharpness": found.sharpness[kind],
            "special": special_mass(found.plain.of(kind)),
        }
        places = pd.DataFrame(list(np.ndindex(words.shape[1:])), columns=["layer", "head"]) + 1
        places.insert(0, "kind", kind)
        flat = {name: each.ravel().astype(np.float64) for name, each in numbers.items()}
        parts.append(places.assign(**flat, chance=found.chance[kind]))
    lines = pd.concat(parts).dropna(subset=["words", "positions"])
    return lines.sort_values("words", ascending=False, kind="stable").reset_index(drop=True)


def head_dots(heads: pd.DataFrame, selected: tuple[str, int, int] | None) -> pd.DataFrame:
    """Lines of `position_head_table` as dots: layer and head from 0, selected; that one last."""
    dots = heads.assign(layer=heads["layer"] - 1, head=heads["head"] - 1)
    places = dots[["kind", "layer", "head"]].itertuples(index=False)
    dots["selected"] = [tuple(place) == selected for place in places]
    return dots.sort_values(["selected", "sharpness"], ascending=[True, False])


def chance_levels(heads: pd.DataFrame) -> pd.DataFrame:
    """A line a kind that has one: kind, chance."""
    levels = heads.dropna(subset=["chance"])
    return levels.groupby("kind", as_index=False)["chance"].first()
