"""Why nothing is shown that was measured by changing what a checkpoint may see."""

from __future__ import annotations

from records import hiding_places
from records.measurements import INTERVENTIONS
from ui.kit.blocks import note
from ui.state import Run
from ui.stored import stored_box


def command_box(run: Run) -> None:
    """How to measure it, where it has not been measured, or why it cannot be."""
    if "both" in hiding_places(run.record.sites, run.capabilities):
        stored_box(run.translator.card.lies(INTERVENTIONS))
    else:
        note("masks-not-measurable", "straighten")
