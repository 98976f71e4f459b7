"""The measured costs that come with the app."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import streamlit as st

from records import Costs
from ui.blocks import command_line
from ui.masks.stored import source_line
from ui.words import say

FILE = Path(__file__).with_name("layers.json")
COMMAND = "python -m benchmarks.layers --write"


def stored_costs() -> Costs | None:
    """The measured costs; where there are none to be read the page says so and None comes back."""
    try:
        return _read(FILE, FILE.stat().st_mtime_ns)
    except FileNotFoundError:
        st.info(say("cost-not-measured"), icon=":material/terminal:")
    except (OSError, ValueError):
        st.warning(say("cost-damaged", file=FILE.name), icon=":material/broken_image:")
    command_line(COMMAND)
    return None


@lru_cache(maxsize=2)
def _read(file: Path, stamp: int) -> Costs:
    return Costs.from_values(json.loads(file.read_text(encoding="utf-8")))


def made_by(costs: Costs) -> str:
    """With what and when they were made."""
    made = {"command": costs.command, "hardware": costs.hardware}
    told = source_line({name: value for name, value in made.items() if value})
    return " ".join(filter(None, (told, costs.when and say("cost-when", date=costs.when))))
