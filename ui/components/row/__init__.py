"""One row of attention weights as bars that can be dragged; the row always sums to one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from ui.words import say

from .. import script, template

DECIMALS = 4

_HERE = Path(__file__).resolve().parent
_HTML = """
<div class="row">
  <div class="bars" role="group"></div>
  <div class="buttons">
    <button type="button" class="computed"></button>
    <button type="button" class="even"></button>
    <button type="button" class="one"></button>
    <span class="status" role="status"></span>
  </div>
</div>
"""

_mount = st.components.v2.component(
    "attention_lab_row",
    html=_HTML,
    css=(_HERE / "row.css").read_text(encoding="utf-8"),
    js=script(_HERE, "row"),
)


@dataclass(frozen=True)
class GivenRow:
    """What the person made of a row."""

    weights: tuple[float, ...] | None
    number: int


def read_row(value: Any, identity: str, allowed: Sequence[bool]) -> GivenRow | None:
    """The row that a browser sent; None when it makes no sense or is about another row."""
    if not isinstance(value, dict) or value.get("identity") != identity:
        return None
    number, weights = value.get("number"), value.get("weights")
    if not _is_number(number) or number != number // 1:
        return None
    if weights is None:
        return GivenRow(None, int(number))
    if not isinstance(weights, list) or len(weights) != len(allowed):
        return None
    if not all(_is_number(w) and 0 <= w <= 1 for w in weights):
        return None
    total = math.fsum(weights)
    if total <= 0 or any(w and not may for w, may in zip(weights, allowed, strict=True)):
        return None
    return GivenRow(rounded(weights), int(number))


def rounded(weights: Sequence[float]) -> tuple[float, ...]:
    """The same row with few decimals, summing to one: the largest weight takes the remainder."""
    total = math.fsum(weights)
    steps = [round(weight / total * 10**DECIMALS) for weight in weights]
    steps[steps.index(max(steps))] += 10**DECIMALS - sum(steps)
    return tuple(step / 10**DECIMALS for step in steps)


def _is_number(value: Any) -> bool:
    # JSON knows one kind of number; True is none.
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def draggable_row(
    labels: Sequence[str],
    weights: Sequence[float],
    *,
    computed: Sequence[float],
    allowed: Sequence[bool],
    key: str,
    identity: str,
    answered: int,
    colour: str,
    on_row: Callable[[], None],
) -> None:
    """Show the component; `on_row` is called when the person has made another row."""
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
