"""What was measured by changing what a checkpoint may see, as far as it is sound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from records import hiding_places
from ui.blocks import command_line
from ui.state import Run
from ui.words import plain, say

COMMAND = "python -m training intervene --checkpoint {} --data DIR --write"


def source_line(measured: Mapping[str, Any]) -> str:
    """With what stored numbers were made; empty where that is not known."""
    command, hardware = measured.get("command"), measured.get("hardware")
    known = {}
    if isinstance(command, str) and "`" not in command:
        known["command"] = command
    if isinstance(hardware, str):
        known["hardware"] = plain(hardware, 120)
    return say("-".join(("masks-made", *known)), **known) if known else ""


def command_box(run: Run) -> None:
    """How to measure it, where it has not been measured, or why it cannot be."""
    card = run.translator.card
    if "both" not in hiding_places(run.record.sites, run.capabilities):
        st.info(say("masks-not-measurable"), icon=":material/straighten:")
        return
    st.info(say("masks-not-measured", checkpoint=plain(card.name)), icon=":material/terminal:")
    command_line(COMMAND.format(card.name))


def is_share(value: Any) -> bool:
    """A number from 0 to 1."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def is_count(value: Any) -> bool:
    return type(value) is int and value >= 0
