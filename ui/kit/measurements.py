"""Reading of stored measurements, with an explanation on the page if there is none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from core.storage import Kind, Stored, read_stored
from ui.frame.messages import plain, say
from ui.kit.blocks import command_line

ICONS = {
    "found": "straighten",
    "missing": "terminal",
    "foreign": "difference",
    "damaged": "broken_image",
}


def stored_of(measurement: Kind, folder: Path, fingerprint: str | None = None) -> Stored:
    """Read a measurement from `folder`; if there is none, the page explains why."""
    stored = read_stored(measurement, folder, fingerprint)
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


def tell_source(measured: Mapping[str, Any]) -> None:
    """Draw command and hardware of a measurement, as far as they are known."""
    if line := source_line(measured):
        st.caption(line)


def source_line(measured: Mapping[str, Any]) -> str:
    """Return command and hardware of a measurement as text; empty if neither is known."""
    command = measured.get("command") or ""
    hardware = plain(measured.get("hardware") or "", 120)
    parts = [name for name, value in (("command", command), ("hardware", hardware)) if value]
    if not parts:
        return ""
    return say("-".join(("masks-made", *parts)), command=command, hardware=hardware)
