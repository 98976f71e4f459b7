"""What the length of a text does to each system, as it was measured."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from records import CurvePoint, MeasuredLineage, MeasuredSystem
from ui import address
from ui.blocks import figure_block
from ui.choice import choice
from ui.state import Run
from ui.words import say
from viz.lineage import length_curves

from .measured import measured_lineage, name_of

PARTS = ("joined", "captions", "places")
FORMS = {"joined": ".1f", "captions": ".1f", "places": ".2f"}
KEY = "length_systems"
COLUMNS = ("system", "label", "at", "value", "low", "high", "texts")
FIRST = ("cho", "sutskever", "bahdanau", "luong-global-general", "transformer")
"""Systems that are drawn at first: one a paper."""


def show(run: Run) -> None:
    found = measured_lineage()
    if found is None:
        return
    part = choice("length_part", PARTS, words="lineage-length", title=False, wrap=True)
    chosen = systems_menu(found)
    rows = curve_rows(chosen, part)
    if rows.empty:
        st.info(say("lineage-length-none"), icon=":material/visibility_off:")
        return
    figure_block(
        length_curves(
            rows,
            [name_of(each) for each in found.systems.values()],
            along=say(f"lineage-length-along-{part}"),
            measure=say(f"lineage-length-measure-{part}"),
            form=FORMS[part],
            seen=seen_until(chosen, found.seen) if part == "joined" else None,
        ),
        key="lineage_length",
        alt=say("lineage-length-alt", measure=say(f"lineage-length-measure-{part}")),
        name=say("lineage-length-file", part=part),
        numbers=lambda: rows,
    )
    st.caption(say(f"lineage-length-about-{part}", seen=found.seen))


def systems_menu(found: MeasuredLineage) -> tuple[MeasuredSystem, ...]:
    """The systems that are switched on."""
    first = [name for name in FIRST if name in found.systems] or list(found.systems)
    if KEY not in st.session_state or address.by_history():
        st.session_state[KEY] = list(address.read(KEY) or first)
    st.session_state[KEY] = [name for name in st.session_state[KEY] if name in found.systems]
    chosen = st.pills(
        say("lineage-length-systems"),
        list(found.systems),
        selection_mode="multi",
        key=KEY,
        format_func=lambda name: name_of(found.systems[name]),
        persist_state="session",
    )
    kept = [name for name in found.systems if name in chosen]
    address.drawn(KEY)
    address.write(KEY, None if kept == first else tuple(kept))
    return tuple(found.systems[name] for name in kept)


def curve_rows(systems: Sequence[MeasuredSystem], part: str) -> pd.DataFrame:
    """The points of all curves, as `viz.lineage.length_curves` takes them."""
    rows = [
        (system.name, name_of(system), point.at, each.value, each.low, each.high, point.texts)
        for system in systems
        for point in curve_of(system, part)
        for each in (point.measured,)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def curve_of(system: MeasuredSystem, part: str) -> tuple[CurvePoint, ...]:
    return {"joined": system.joined, "captions": system.captions, "places": system.places}[part]


def seen_until(systems: Sequence[MeasuredSystem], seen: int) -> float | None:
    """The length half way between the texts that training saw and those that it did not."""
    for system in systems:
        within = [point.at for point in system.joined if point.group <= seen]
        beyond = [point.at for point in system.joined if point.group > seen]
        if within and beyond:
            return (max(within) + min(beyond)) / 2
    return None
