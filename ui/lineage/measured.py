"""What was measured of all systems."""

from __future__ import annotations

from model.checkpoint import checkpoints_folder
from records import MeasuredLineage, MeasuredSystem
from records.measurements import LINEAGE
from ui.stored import values_of
from ui.words import system_name


def measured_lineage() -> MeasuredLineage | None:
    """What lies under ``checkpoints/``; where that is nothing, or damaged, the page says so."""
    values = values_of(LINEAGE, checkpoints_folder())
    return MeasuredLineage.from_values(values) if values else None


def name_of(system: MeasuredSystem) -> str:
    return system_name(system.name, system.title)
