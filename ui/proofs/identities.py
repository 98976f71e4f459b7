"""What equals what, and how far every checkpoint is from it."""

from __future__ import annotations

from core.proofs import NOW, OTHER
from model.check import TOLERANCE
from ui.kit.blocks import picture, table
from ui.state import Run
from ui.words import say
from viz.proofs import proof_dots

from .found import found_rows, tell_missing
from .resting import resting_on, views_of


def show(run: Run) -> None:
    rows, _ = found_rows(run)
    if len(rows):
        numbers = rows.assign(claim=rows["claim"].map(lambda claim: say(f"check-{claim}")))
        dots = proof_dots(rows, TOLERANCE)
        checkpoints, claims = (rows[name].nunique() for name in ("checkpoint", "claim"))
        told = {"n": claims, "checkpoints": checkpoints, "most": f"{TOLERANCE:g}"}
        picture("proofs-dots", dots, numbers=numbers, **told)
    tell_missing(run)
    if not len(rows):
        return
    views: dict[str, list[str]] = {}
    for page, view in views_of(run):
        for claim in resting_on(page, view):
            views.setdefault(claim, []).append(say(f"view-{page.id}-{view.id}"))
    now = rows[rows["of"] == NOW].set_index("claim")["difference"]
    lines = rows.drop_duplicates(["checkpoint", "claim"])
    own = lines["checkpoint"] == run.card.name
    lines = lines.assign(
        identity=[say(f"check-{claim}") for claim in lines["claim"]],
        views=[", ".join(views.get(claim, ())) for claim in lines["claim"]],
        now=lines["claim"].map(now).where(own),
    ).sort_values("of", key=lambda of: of == OTHER, kind="stable")
    order = ["checkpoint", "identity", "views", "difference", "now", "when", "hardware"]
    order = [name for name in order if name != "now" or len(now)]
    formats = dict.fromkeys(("difference", "now"), "%.1e")
    widths = {"identity": 330, "views": 160}
    table("proofs-table", lines[order], words="proofs-column", formats=formats, widths=widths)
