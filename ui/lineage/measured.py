"""What was measured of all systems, where it is there and sound."""

from __future__ import annotations

import json

import streamlit as st

from model.checkpoint import checkpoints_folder
from records import MeasuredLineage, MeasuredSystem
from ui.blocks import command_line
from ui.words import plain, say, system_name

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
