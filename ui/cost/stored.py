"""The measured costs that come with the app."""

from __future__ import annotations

from pathlib import Path

from records import Costs
from records.measurements import COSTS
from ui.stored import source_line, values_of
from ui.words import say

FOLDER = Path(__file__).parent


def stored_costs() -> Costs | None:
    """The measured costs; where there are none to be read the page says so and None comes back."""
    values = values_of(COSTS, FOLDER)
    return Costs.from_values(values) if values else None


def made_by(costs: Costs) -> str:
    """With what and when they were made."""
    told = source_line({"command": costs.command, "hardware": costs.hardware})
    return " ".join(filter(None, (told, costs.when and say("cost-when", date=costs.when))))
