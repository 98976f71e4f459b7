"""What equals what, and how far every checkpoint is from it."""

from __future__ import annotations

from core.measurements import PROOFS
from core.proofs import NOW, OTHER
from model.check import TOLERANCE
from model.checkpoint import checkpoint_path
from ui.kit.blocks import picture, table
from ui.state import Run
from ui.stored import values_of
from ui.words import say
from viz.proofs import proof_dots

from .found import found_rows
from .resting import resting_on, views_of


def show(run: Run) -> None:
    rows, _ = found_rows(run)
    if len(rows):
        told = {"n": rows["claim"].nunique(), "checkpoints": rows["checkpoint"].nunique()}
        picture(
            "proofs-dots",
            proof_dots(rows, TOLERANCE),
            numbers=rows.assign(claim=[say(f"check-{claim}") for claim in rows["claim"]]),
            most=f"{TOLERANCE:g}",
            **told,
        )
    values_of(PROOFS, checkpoint_path(run.choices.checkpoint), run.card.fingerprint)
    views: dict[str, list[str]] = {}
    for page, view in views_of(run):
        for claim in resting_on(page, view):
            views.setdefault(claim, []).append(say(f"view-{page.id}-{view.id}"))
    now = rows[rows["of"] == NOW].set_index("claim")["difference"]
    lines = rows.drop_duplicates(["checkpoint", "claim"])
    lines = lines.sort_values("of", key=lambda of: of == OTHER, kind="stable").assign(
        identity=lambda lines: [say(f"check-{claim}") for claim in lines["claim"]],
        views=lambda lines: [", ".join(views.get(claim, ())) for claim in lines["claim"]],
        now=lambda lines: lines["claim"].map(now).where(lines["of"] != OTHER),
    )
    order = ["checkpoint", "identity", "views", "difference", "now", "when", "hardware"]
    table(
        "proofs-table",
        lines[[name for name in order if name != "now" or len(now)]],
        words="proofs-column",
        formats=dict.fromkeys(("difference", "now"), "%.1e"),
        widths={"identity": 330, "views": 160},
    )
