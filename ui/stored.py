"""What lies in a file of measurements, and on the page why nothing of it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from core.stored import Kind, Stored, read_stored
from ui.kit.blocks import command_line
from ui.words import plain, say

ICONS = {
    "found": "straighten",
    "missing": "terminal",
    "foreign": "difference",
    "damaged": "broken_image",
}


def stored_of(kind: Kind, folder: Path, fingerprint: str | None = None) -> Stored:
    """What lies in a folder; where that is nothing, the page says why."""
    stored = read_stored(kind, folder, fingerprint)
    if stored.state != "found":
        stored_box(stored)
    return stored


def stored_box(stored: Stored) -> None:
    """Why nothing of a file is shown, with the command that makes it; of a file that is found, that
    it does not hold what is asked for."""
    file = plain(f"{stored.name}/{stored.kind.file}")
    values: dict[str, Any] = {"file": file}
    if stored.fault is not None:
        values["fault"] = plain(say(stored.fault.id, **dict(stored.fault.values)), 250)
    show = st.info if stored.state in ("found", "missing") else st.warning
    show(say(f"stored-{stored.state}", **values), icon=f":material/{ICONS[stored.state]}:")
    if stored.state != "found":
        command_line(stored.command)


def tell_source(measured: Mapping[str, Any]) -> None:
    """With what stored numbers were made, as far as that is known."""
    if line := source_line(measured):
        st.caption(line)


def source_line(measured: Mapping[str, Any]) -> str:
    """With what stored numbers were made; empty where that is not known."""
    command, hardware = measured.get("command"), measured.get("hardware")
    known = {"command": command} if command else {}
    known |= {"hardware": plain(hardware, 120)} if hardware else {}
    return say("-".join(("masks-made", *known)), **known) if known else ""
