"""Pruning of heads: scores of a model as heads are removed, and the measure that breaks first."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pandas as pd
from msgspec import Meta, field

from .storage import AtLeastOne, Count, MeasuredFile, Part, Percent, Share

MEASURES = ("bleu", "pronoun", "aer")
KEPT = 0.9
"""Share of its value with all heads below which a measure counts as broken."""


class Pruned(Part):
    """Scores of a model by how many heads of a site are removed; [] if not measured."""

    bleu: Annotated[list[Percent], Meta(min_length=1)]
    pronoun: list[Share] = field(default_factory=list)
    aer: list[Share | None] = field(default_factory=list)


class PrunedSite(Part):
    """Pruning of one site, in order of importance and in random orders."""

    removed: list[Count]  # numbers of removed heads, one for each point of a curve
    order: list[tuple[Count, Count]]  # layer and head, the least important first
    ranked: Pruned
    random: list[Pruned]

    def __post_init__(self) -> None:
        curves = [
            curve
            for run in (self.ranked, *self.random)
            for curve in (run.bleu, run.pronoun, run.aer)
        ]
        if {len(curve) for curve in curves} - {0} != {len(self.removed)}:
            raise ValueError(f"Expected {len(self.removed)} entries per curve")


class Pruning(MeasuredFile, kw_only=True):
    """Content of ``pruning.json``."""

    sentences: dict[str, AtLeastOne]
    sites: Annotated[dict[str, PrunedSite], Meta(min_length=1)]


def pruning_table(site: PrunedSite) -> pd.DataFrame:
    """Return one row a measure, order ("ranked" or "random") and number of heads.

    Columns measure, order, left, value, low and high. Random orders are one line: their mean, and
    the least and largest.
    """
    left = len(site.order) - np.array(site.removed)
    lines = []
    for name in MEASURES:
        for order, runs in (("ranked", [site.ranked]), ("random", site.random)):
            curves = [getattr(run, name) for run in runs]
            if not all(curves) or not curves:
                continue
            values = np.array(curves, float)
            ends = {"low": values.min(0), "high": values.max(0), "value": values.mean(0)}
            lines.append(pd.DataFrame({"measure": name, "order": order, "left": left, **ends}))
    # A measure may lack single points of a curve.
    return pd.concat(lines, ignore_index=True).dropna(ignore_index=True)


def pruning_facts(site: PrunedSite) -> dict[str, Any]:
    """Return the measure that breaks `first` in the order of importance, with `removed` and `n`.

    `first` is "none" if none breaks; `removed` heads are gone by then, of `n`. An error rate counts
    as 1 - AER.
    """
    removed = {}
    for name in MEASURES:
        curve = np.array(getattr(site.ranked, name), float)
        # Of an error rate the complement, so that more is better in every measure.
        right = 1 - curve if name == "aer" else curve
        below = np.flatnonzero(right < KEPT * right[:1])
        if len(below):
            removed[name] = site.removed[below[0]]
    if not removed:
        return {"first": "none", "removed": 0, "n": len(site.order)}
    first = min(removed, key=removed.__getitem__)
    return {"first": first, "removed": removed[first], "n": len(site.order)}
