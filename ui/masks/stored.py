"""What was measured by changing what a checkpoint may see, as far as it is sound."""

from __future__ import annotations

from typing import Any

import streamlit as st

from records import CheckpointCard
from ui.words import plain

COMMAND = "python -m training intervene --checkpoint {} --data DIR --write"


def source_line(card: CheckpointCard) -> str:
    """With what the stored numbers were made."""
    made, hardware = card.interventions.get("command"), card.interventions.get("hardware")
    parts = [f"made by `{made}`" if isinstance(made, str) and "`" not in made else ""]
    parts += [f"on {plain(hardware, 120)}" if isinstance(hardware, str) else ""]
    text = " ".join(part for part in parts if part)
    return text[:1].upper() + text[1:] + "." if text else ""


def command_box(card: CheckpointCard) -> None:
    """How to measure it, where it has not been measured."""
    st.info(
        f"This has not been measured for checkpoint {plain(card.name)} yet. The command below "
        "does it once and stores it with the checkpoint.",
        icon=":material/terminal:",
    )
    st.code(COMMAND.format(card.name), "bash")


def is_share(value: Any) -> bool:
    """A number from 0 to 1."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def is_count(value: Any) -> bool:
    return type(value) is int and value >= 0
