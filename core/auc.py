"""Area under the ROC curve, with its 95 % interval."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.stats import rankdata

from .bootstrap import draws, interval_of
from .stored import Interval


def auc(values: Sequence[float], good: Sequence[bool], sets: Sequence[str] | None = None) -> float:
    """Share of pairs of a good and a bad one in which the good one has the higher value.

    The area under the ROC curve (Hanley and McNeil 1982), equal values counting half; NaN where
    no pair is. With `sets`, only pairs out of the same set count: what a value tells beyond which
    set a sentence is of.
    """
    every, flags = np.asarray(values, dtype=np.float64), np.asarray(good, dtype=bool)
    of = np.zeros(len(flags)) if sets is None else np.asarray(sets)
    ordered, pairs = 0.0, 0
    for name in np.unique(of):
        here = of == name
        n_good = int(flags[here].sum())
        ranks = rankdata(every[here])
        ordered += ranks[flags[here]].sum() - n_good * (n_good + 1) / 2
        pairs += n_good * int((~flags[here]).sum())
    return float(ordered / pairs) if pairs else math.nan


def auc_interval(
    values: Sequence[float], good: Sequence[bool], sets: Sequence[str] | None = None
) -> Interval:
    """`auc` and where 95 % of those of drawn sentences lie; draws without a pair are left out."""
    aucs = []
    for times in draws(len(values)):
        drawn = np.repeat(np.arange(len(values)), times).tolist()
        of = None if sets is None else [sets[i] for i in drawn]
        aucs.append(auc([values[i] for i in drawn], [good[i] for i in drawn], of))
    return interval_of(auc(values, good, sets), np.array(aucs)[~np.isnan(aucs)])
