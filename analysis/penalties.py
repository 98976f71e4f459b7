"""How scores are made fair between short and long hypotheses."""

from __future__ import annotations

from records import PENALTIES, PenaltyKind


def length_penalty(length: int, alpha: float, kind: PenaltyKind = "wu") -> float:
    """What the log-probability of `length` tokens is divided by, to give its score.

    `length` counts produced tokens, ``</s>`` included. The kinds: "wu" is ((5 + length) / 6) **
    alpha (Wu et al. 2016, eq. 14), "length" is length ** alpha (so that alpha 1 gives the mean per
    token), "none" is 1. Alpha 0 gives 1 whatever the kind. Raises ValueError: there is no such
    kind.
    """
    return penalty_base(length, kind) ** alpha


def penalty_base(length: int, kind: PenaltyKind) -> float:
    """The number whose power alpha is the penalty.

    Raises ValueError: there is no such kind.
    """
    if kind == "wu":
        return (5.0 + length) / 6.0
    if kind == "length":
        return float(length)
    if kind == "none":
        return 1.0
    raise ValueError(f"no length penalty {kind!r}, expected one of {', '.join(PENALTIES)}")
