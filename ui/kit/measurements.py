"""Reading of stored measurements, with an explanation on the page if there is none."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.card import CheckpointCard
from core.storage import Kind, MeasuredFile, Stored, read_stored
from ui.frame.messages import plain, say
from ui.kit.layout import command_line

ICONS = {
    "found": "straighten",
    "missing": "terminal",
    "foreign": "difference",
    "damaged": "broken_image",
}


def stored_of(measurement: Kind, of: CheckpointCard | Path) -> Stored:
    """Return a measurement of a model, or of the app in a folder; if none, the page explains why.

    A view that can go on without it asks `CheckpointCard.measured` and may draw `stored_box`.
    """
    if isinstance(of, CheckpointCard):
        stored = of.measured(measurement)
    else:
        stored = read_stored(measurement, of)
    if stored.state != "found":
        stored_box(stored)
    return stored


def stored_box(stored: Stored) -> None:
    """Explain why a measurement is unavailable and how to create it.

    For a file that was found: it lacks the part that the view needs.
    """
    file = plain(f"{stored.name}/{stored.file_kind.file}")
    fault = plain(say(stored.fault), 250) if stored.fault is not None else ""
    show = st.info if stored.state in ("found", "missing") else st.warning
    show(
        say(f"stored-{stored.state}", file=file, fault=fault),
        icon=f":material/{ICONS[stored.state]}:",
    )
    if stored.state != "found":
        command_line(stored.command)


def tell_source(stored: Stored) -> None:
    """Draw command and hardware of a measurement, as far as they are known."""
    if stored.part is not None and (line := source_line(stored.part)):
        st.caption(line)


def source_line(measured: MeasuredFile) -> str:
    """Return command and hardware of a measurement as text; empty if neither is known."""
    command = measured.command
    hardware = plain(measured.hardware, 120)
    parts = [name for name, value in (("command", command), ("hardware", hardware)) if value]
    if not parts:
        return ""
    return say("-".join(("masks-made", *parts)), command=command, hardware=hardware)
