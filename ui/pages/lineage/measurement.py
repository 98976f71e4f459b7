"""Stored measurements of the lineage, and the names of its systems and steps."""

from __future__ import annotations

from core.lineage import MeasuredGain, MeasuredLineage, MeasuredSystem
from core.measurements import LINEAGE
from model.io.checkpoint import checkpoints_folder
from ui.frame.messages import called, system_name
from ui.kit.measurements import stored_of


def measured_lineage() -> MeasuredLineage | None:
    """Return the measurements under ``checkpoints/``; if there are none, the page explains why."""
    return stored_of(LINEAGE, checkpoints_folder()).part


def name_of(system: MeasuredSystem) -> str:
    return system_name(system.name, system.title)


def step_name(gain: MeasuredGain) -> str:
    return called(f"lineage-gain-{gain.id}", f"{gain.ours} / {gain.others}")
