"""BLEU and log p of all systems by the length of the text, from stored measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from core.lineage import MeasuredSystem
from ui.frame.choices import NAMES
from ui.frame.messages import say
from ui.kit.blocks import picture
from ui.kit.controls import several
from ui.kit.layout import note, settings
from viz.lineage import length_curves
from words.numbers import fixed

from .chosen import tell_ends
from .measurement import measured_lineage, name_of

TENTHS = partial(fixed, digits=1)
DIGITS = {"joined": 1, "captions": 1, "places": 2}
PARTS = tuple(DIGITS)
COLUMNS = ("system", "label", "at", "value", "low", "high", "texts")
FIRST = ("cho", "sutskever", "bahdanau", "luong-global-general", "convolutional", "transformer")
"""Systems drawn initially: one for each paper."""


def show_length(part: str) -> None:
    """Draw the curves of one of `PARTS` with their confidence bands."""
    measurement = measured_lineage()
    if measurement is None:
        return
    systems = measurement.systems
    with settings():
        chosen = _chosen_systems(systems)
    rows = curve_rows(chosen, part)
    if rows.empty:
        note("lineage-length-none", "visibility_off")
        return
    measure = say(f"lineage-length-measure-{part}")
    lines = rows[["label", "value"]].rename(columns={"label": "system"})
    # `from` is a keyword of Python, so the ends of the axis are passed as a dictionary.
    ends = {"from": round(float(rows["at"].min())), "to": round(float(rows["at"].max()))}
    form = partial(fixed, digits=DIGITS[part])
    tell_ends("lineage-length-found", lines, "value", form, part=part, **ends)
    seen = measurement.settings.joined.seen
    picture(
        "lineage-length",
        length_curves(
            rows,
            {name_of(system): name for name, system in systems.items()},
            along=say(f"lineage-length-along-{part}"),
            measure=measure,
            form=f".{DIGITS[part]}f",
            seen=seen_until(chosen, seen) if part == "joined" else None,
        ),
        numbers=rows,
        measure=measure,
        part=part,
        seen=seen,
    )


def _chosen_systems(systems: Mapping[str, MeasuredSystem]) -> tuple[MeasuredSystem, ...]:
    """Draw the systems as pills and return the chosen ones, initially one for each paper."""
    first = [name for name in FIRST if name in systems]
    names = several(
        "length_systems",
        list(systems),
        # Other measurements may hold none of these systems; then all are drawn.
        first or list(systems),
        form=NAMES,
        widget=partial(st.pills, selection_mode="multi"),
        format_func=lambda name: name_of(systems[name]),
    )
    return tuple(systems[name] for name in names)


def curve_rows(systems: Sequence[MeasuredSystem], part: str) -> pd.DataFrame:
    """Return one row a point of the curves of one of `PARTS`, with the columns `COLUMNS`."""
    rows = [
        {"system": system.name, "label": name_of(system), "at": point.at}
        | {name: getattr(point, name) for name in ("value", "low", "high", "texts")}
        for system in systems
        # Curves over positions belong to the system, those over lengths to `lengths`.
        for point in getattr(system if part == "places" else system.lengths, part)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def seen_until(systems: Sequence[MeasuredSystem], seen: int) -> float | None:
    """Return where to draw the border between lengths that training showed and longer ones.

    It lies midway between the two nearest points; None if no system has points on either side.
    `seen` is the largest number of joined captions in training.
    """
    for system in systems:
        within = [point.at for point in system.lengths.joined if point.group <= seen]
        beyond = [point.at for point in system.lengths.joined if point.group > seen]
        if within and beyond:
            return (max(within) + min(beyond)) / 2
    return None
