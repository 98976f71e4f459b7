"""What every view of the open model rests on."""

from __future__ import annotations

import pandas as pd

from core.measurements import PROOFS
from model.check import claims_of
from model.checkpoint import checkpoint_path
from ui.kit.blocks import ROW, table
from ui.state import Run
from ui.stored import values_of
from ui.words import say

from .found import found_rows
from .resting import resting_on, views_of


def show(run: Run) -> None:
    _, own = found_rows(run)
    apart = own.set_index("claim")["difference"]
    known, lines = claims_of(run.translator), []
    for page, view in views_of(run):
        id = f"{page.id}-{view.id}"
        claims = [claim for claim in resting_on(page, view) if claim in known]
        told = [(say(f"check-{claim}"), apart.get(claim)) for claim in claims]
        for identity, difference in told or [(say("proofs-none", view=id), None)]:
            lines.append((say(f"page-{page.id}"), say(f"view-{id}"), difference, identity))
    frame = pd.DataFrame(lines, columns=["page", "view", "difference", "identity"])
    widths = {"page": 180, "view": 170, "difference": 120, "identity": 460}
    how = {"formats": {"difference": "%.1e"}, "widths": widths, "height": 14 * ROW}
    table("proofs-views", frame, words="proofs-column", **how)
    values_of(PROOFS, checkpoint_path(run.choices.checkpoint), run.card.fingerprint)
