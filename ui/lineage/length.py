"""What the length of a text does to each system, as it was measured."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from records import MeasuredLineage, MeasuredSystem
from ui.address import NAMES
from ui.kit.blocks import picture
from ui.kit.controls import choice, several
from ui.kit.layout import controls, settings
from ui.state import Run
from ui.words import say
from viz.lineage import length_curves

from .chosen import tell_ends
from .measured import measured_lineage, name_of

DIGITS = {"joined": 1, "captions": 1, "places": 2}
PARTS = tuple(DIGITS)
COLUMNS = ("system", "label", "at", "value", "low", "high", "texts")
FIRST = ("cho", "sutskever", "bahdanau", "luong-global-general", "transformer")
"""Systems that are drawn at first: one a paper."""


def show(run: Run) -> None:
    found = measured_lineage()
    if found is None:
        return
    with controls():
        part = choice(
            "length_part", PARTS, words="lineage-length", style="select", title=False, width=225
        )
    chosen = systems_menu(found)
    rows = curve_rows(chosen, part)
    if rows.empty:
        st.info(say("lineage-length-none"), icon=":material/visibility_off:")
        return
    ends = {"from": rows["at"].min(), "to": rows["at"].max()}
    ends = {name: round(float(at)) for name, at in ends.items()}
    measure = say(f"lineage-length-measure-{part}")
    lines = rows[["label", "value"]].rename(columns={"label": "system"})
    tell_ends("lineage-length-found", lines, "value", DIGITS[part], part=part, **ends)
    picture(
        "lineage-length",
        length_curves(
            rows,
            [name_of(each) for each in found.systems.values()],
            along=say(f"lineage-length-along-{part}"),
            measure=measure,
            form=f".{DIGITS[part]}f",
            seen=seen_until(chosen, found.seen) if part == "joined" else None,
        ),
        key="lineage_length",
        numbers=lambda: rows,
        measure=measure,
        part=part,
        seen=found.seen,
    )


def systems_menu(found: MeasuredLineage) -> tuple[MeasuredSystem, ...]:
    """The systems that are switched on."""
    systems = found.systems
    with settings():
        names = several(
            "length_systems",
            list(systems),
            [name for name in FIRST if name in systems] or list(systems),
            words="lineage-length-systems",
            form=NAMES,
            widget=partial(st.pills, selection_mode="multi"),
            format_func=lambda name: name_of(systems[name]),
        )
    return tuple(systems[name] for name in names)


def curve_rows(systems: Sequence[MeasuredSystem], part: str) -> pd.DataFrame:
    """The points of all curves, as `viz.lineage.length_curves` takes them."""
    rows = [
        (system.name, name_of(system), point.at, each.value, each.low, each.high, point.texts)
        for system in systems
        for point in getattr(system, part)
        for each in (point.measured,)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def seen_until(systems: Sequence[MeasuredSystem], seen: int) -> float | None:
    """The length half way between the texts that training saw and those that it did not."""
    for system in systems:
        within = [point.at for point in system.joined if point.group <= seen]
        beyond = [point.at for point in system.joined if point.group > seen]
        if within and beyond:
            return (max(within) + min(beyond)) / 2
    return None
