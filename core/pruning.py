"""What is left of a model as its heads are removed, and which measure breaks first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from words import Message

from .measurements import PrunedSite

MEASURES = ("bleu", "pronoun", "aer")
KEPT = 0.9
"""Of what a measure was with all heads: below it, it is broken."""


def pruning_table(site: PrunedSite) -> pd.DataFrame:
    """One line a measure, order ("ranked" or "random") and number of heads: measure, order, left,
    value, low and high. Random orders are one line: their mean, and the least and largest."""
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
    return pd.concat(lines, ignore_index=True).dropna(ignore_index=True)


def pruning_facts(site: PrunedSite) -> dict[str, Any]:
    """For a sentence: which measure breaks first in the order of importance, with how many heads
    removed. An error rate counts as what is right, 1 - AER."""
    found = {}
    for name in MEASURES:
        curve = np.array(getattr(site.ranked, name), float)
        right = 1 - curve if name == "aer" else curve
        below = np.flatnonzero(right < KEPT * right[:1])
        if len(below):
            found[name] = site.removed[below[0]]
    if not found:
        return {"first": "none", "removed": 0, "name": "", "n": len(site.order), "kept": KEPT}
    first = min(found, key=found.__getitem__)
    title = Message(f"pruning-{first}")
    return {
        "first": first,
        "removed": found[first],
        "name": title,
        "n": len(site.order),
        "kept": KEPT,
    }
