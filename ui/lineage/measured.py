"""What was measured of all systems, where it is there and sound."""

from __future__ import annotations

import json

import streamlit as st

from model.checkpoint import checkpoints_folder
from records import Measured, MeasuredLineage, MeasuredSystem
from ui.blocks import command_line
from ui.words import plain, say, system_name
from words.numbers import fixed

FILE = "lineage.json"
COMMAND = "python -m training lineage --runs runs/lineage --data data --write"


def measured_lineage() -> MeasuredLineage | None:
    """What lies under ``checkpoints/``; where that is nothing, or damaged, the page says so."""
    path = checkpoints_folder() / FILE
    try:
        found = MeasuredLineage.from_values(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        st.info(say("lineage-unmeasured"), icon=":material/terminal:")
    except (OSError, ValueError) as error:
        st.warning(
            say("lineage-damaged", file=f"checkpoints/{FILE}", error=plain(str(error), 200)),
            icon=":material/error:",
        )
    else:
        if found.systems:
            return found
        st.info(say("lineage-unmeasured"), icon=":material/terminal:")
    command_line(COMMAND)
    return None


def name_of(system: MeasuredSystem) -> str:
    return system_name(system.name, system.title)


def with_interval(measured: Measured, digits: int = 1, *, scale: float = 1.0) -> str:
    """A number and its interval: "39.7 (38.2 to 41.1)"."""
    value, low, high = (
        fixed(scale * each, digits) for each in (measured.value, measured.low, measured.high)
    )
    return say("lineage-interval", value=value, low=low, high=high)
