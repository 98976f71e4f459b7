"""Scale of roots with sign, for numbers of which a few are far larger than the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from words.numbers import short

_MOST = 0.9  # share of the numbers that must have room
_ROOM = 0.3  # smallest share of a linear axis that is enough for them
_APART = 0.09  # smallest distance of two ticks, as a share of the axis
_DIGITS = (5, 2, 1)  # of ticks: round numbers
_POWERS = range(3, -5, -1)


def is_squeezed(values: pd.Series) -> bool:
    """Return True if a linear axis would put nearly all `values` on each other.

    That is where the narrowest range with nine tenths of them takes less than three tenths of the
    range of all. Missing numbers do not count.
    """
    ordered = np.sort(values.dropna().to_numpy())
    if len(ordered) < 2 or ordered[0] == ordered[-1]:
        return False
    n = int(np.ceil(_MOST * len(ordered)))
    narrowest = (ordered[n - 1 :] - ordered[: len(ordered) - n + 1]).min()
    return bool(narrowest < _ROOM * (ordered[-1] - ordered[0]))


def signed_root(values: Any) -> Any:
    """Return the roots of the sizes of `values`, each with the sign of its number."""
    return np.sign(values) * np.sqrt(np.abs(values))


def root_ticks(values: pd.Series) -> dict[str, Any]:
    """Return the ticks of an axis of Plotly over the roots of `values`: zero and round numbers.

    The farthest come first, so that a tick near zero gives way to a larger one.
    """
    roots = signed_root(values.dropna())
    apart = _APART * (roots.max() - roots.min())
    ticks = [0.0]
    for power in _POWERS:
        for digit in _DIGITS:
            for tick in (-digit * 10.0**power, digit * 10.0**power):
                at = signed_root(tick)
                inside = roots.min() - apart / 2 <= at <= roots.max() + apart / 2
                if inside and np.abs(signed_root(np.array(ticks)) - at).min() >= apart:
                    ticks.append(tick)
    ticks.sort()
    return {
        "tickmode": "array",
        "tickvals": signed_root(np.array(ticks)).tolist(),
        "ticktext": [short(tick) for tick in ticks],
    }
