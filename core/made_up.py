"""Is this made up? Signs of a translation that its source does not support, as people judged such.

What models have to say of a pair, whichever of the two texts they read, is held against the same
signs of pairs that people have judged (Guerreiro et al. 2023). A verdict is the share of faults
among the judged pairs whose sign is nearest, by the sign that tells these pairs best, and is never
more sure than that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
import numpy as np
import pandas as pd
from scipy.stats import binomtest

from .measurements import HeadRoles, MadeUp
from .stored import ShareInterval
from .text_language import LanguageCheck, other_language

JUDGED = ("de", "en")
"""The languages of source and translation of the judged pairs."""
SIGNS = ("log_p", "gain", "sharp", "share")
KINDS = ("unsupported", "detached", "strong", "repetition", "omission", "names")
"""Faults; the first is either of the two after it."""
GROUPS = ("sound", "faulty")
NEAREST = 200
_BINS = 30


@dataclass(frozen=True)
class Signs:
    """What a model has to say of a pair; None where it has nothing of the kind."""

    log_p: float  # mean natural log-probability of a piece that it was to write, given the other
    without: float  # the same, given nothing but ``</s>``
    sharp: float | None  # mean largest weight of the head that aligns, see `aligning_head`
    share: float | None  # mean share of what it read, by ALTI+ (`core.share`)

    @property
    def gain(self) -> float:
        """What the text that it read adds to the mean log-probability."""
        return self.log_p - self.without


def aligning_head(roles: HeadRoles | None) -> tuple[int, int] | None:
    """The cross-attention head measured to look most at the partner of the word that it reads."""
    candidate = roles and roles.sites.get("cross", {}).get("aligns-read")
    if not candidate:
        return None
    values = np.array(candidate.measured.value)
    layer, head = np.unravel_index(values.argmax(), values.shape)
    return int(layer), int(head)


def is_faulty(found: MadeUp, kind: str) -> np.ndarray:
    """Which of the judged pairs have a fault of that kind, bool (N,)."""
    return np.isin(np.arange(len(found.signs["log_p"])), found.faults[kind])


def is_sound(found: MadeUp) -> np.ndarray:
    """Which of the judged pairs have no fault of any kind, bool (N,)."""
    return ~np.any([is_faulty(found, kind) for kind in found.faults], axis=0)


def among_nearest(found: MadeUp, sign: str, value: float, kind: str) -> ShareInterval:
    """The share of a fault among the `NEAREST` judged pairs by one sign, with Wilson's interval:
    as many below the value as above, as far as there are."""
    order = np.argsort(found.signs[sign], kind="stable")
    at = int(np.searchsorted(np.array(found.signs[sign])[order], value))
    first = min(max(0, at - NEAREST // 2), max(0, len(order) - NEAREST))
    faulty = is_faulty(found, kind)[order[first : first + NEAREST]]
    bounds = binomtest(int(faulty.sum()), len(faulty)).proportion_ci(method="wilson")
    return ShareInterval(float(faulty.mean()), float(bounds.low), float(bounds.high))


def sign_table(judged: Mapping[str, tuple[MadeUp, Signs]], kind: str) -> pd.DataFrame:
    """One line a sign of each model, from what is known of the judged pairs and of this one: model,
    sign, value, auroc and the share of faults near it, both with bounds."""
    lines = []
    for model, (found, signs) in judged.items():
        for sign in found.signs:
            if (value := getattr(signs, sign)) is None:
                continue
            near, told = among_nearest(found, sign, value, kind), found.auroc[kind][sign]
            bounds = {"auroc": told.value, "auroc_low": told.low, "auroc_high": told.high}
            bounds |= {"near": near.value, "near_low": near.low, "near_high": near.high}
            lines.append({"model": model, "sign": sign, "value": value, **bounds})
    return pd.DataFrame(lines)


def sign_bins(found: MadeUp, sign: str, kind: str) -> pd.DataFrame:
    """How the judged pairs spread over a sign: value (the middle of a bin), share of its group,
    and group: faulty, or sound where nobody found any fault. The rarest 1 % lie in the outer bins.
    """
    values = np.array(found.signs[sign])
    low, high = np.quantile(values, (0.005, 0.995))
    edges = np.linspace(low, high, _BINS + 1)
    parts = []
    for group, chosen in zip(GROUPS, (is_sound(found), is_faulty(found, kind)), strict=True):
        counts = np.histogram(values[chosen].clip(edges[0], edges[-1]), edges)[0]
        shares = counts / max(1, counts.sum())
        middles = (edges[1:] + edges[:-1]) / 2
        parts.append(pd.DataFrame({"value": middles, "share": shares, "group": group}))
    return pd.concat(parts, ignore_index=True)


def not_in(check: LanguageCheck, language: str, text: str) -> str | None:
    """`core.text_language.other_language`, of a text that should be in any language that a check
    has a profile of; None where it has none."""
    first = [profile for profile in check.profiles if profile.code == language]
    if not first:
        return None
    if first[0] is not check.profiles[0]:  # how far a text may be off was measured of that one
        others = (profile for profile in check.profiles if profile.code != language)
        check = msgspec.structs.replace(check, profiles=(*first, *others), most_excess=math.inf)
    return other_language(check, text)
