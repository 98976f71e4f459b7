"""One attention row as draggable bars; it always sums to one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ui.frame.messages import say

from .. import component, sent, template

# Of a weight; the address holds the row, so it must be short.
DECIMALS = 4

_mount = component("row")


@dataclass(frozen=True)
class GivenRow:
    """A row that the browser sent."""

    weights: tuple[float, ...] | None  # None for the row as computed
    number: int


def read_row(value: Any, identity: str, allowed: Sequence[bool]) -> GivenRow | None:
    """Return the browser's row; None if it is invalid or about another row."""
    value = sent(value, identity)
    weights = value.get("weights")
    if not value or weights is None:
        return GivenRow(None, value["number"]) if value else None
    if not isinstance(weights, list) or len(weights) != len(allowed):
        return None
    # True would count as 1 in Python.
    numbers = all(isinstance(w, int | float) and not isinstance(w, bool) for w in weights)
    # `may` is 0 or 1, so a masked weight can only be 0.
    if not numbers or not all(0 <= w <= may for w, may in zip(weights, allowed, strict=True)):
        return None
    return GivenRow(rounded(weights), value["number"]) if any(weights) else None


def rounded(weights: Sequence[float]) -> tuple[float, ...]:
    """Return the row with few decimals, summing to one; the largest weight takes the remainder."""
    total = math.fsum(weights)
    steps = [round(weight / total * 10**DECIMALS) for weight in weights]
    # Rounding leaves a few steps, which are least visible on the largest weight.
    steps[steps.index(max(steps))] += 10**DECIMALS - sum(steps)
    return tuple(step / 10**DECIMALS for step in steps)


def draggable_row(
    labels: Sequence[str],
    weights: Sequence[float],
    *,
    computed: Sequence[float],  # marked by a line on each bar
    allowed: Sequence[bool],
    key: str,
    identity: str,
    answered: int,
    colour: str,
    on_row: Callable[[], None],
) -> None:
    """Mount the component; `on_row` is called when the reader has changed the row."""
    _mount(
        key=key,
        data={
            "identity": identity,
            "labels": list(labels),
            "weights": [float(weight) for weight in weights],
            "computed": [float(weight) for weight in computed],
            "allowed": [bool(may) for may in allowed],
            "answered": answered,
            "colour": colour,
            "decimals": DECIMALS,
            "words": {
                "bars": say("row-bars"),
                "computed": say("row-as-computed"),
                "even": say("row-even"),
                "one": say("row-all-on-one"),
                "sum": template("row-sum", "sum"),
            },
        },
        on_row_change=on_row,
    )
