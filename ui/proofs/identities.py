"""What equals what, and how far every checkpoint is from it."""

from __future__ import annotations

from core.proofs import NOW, OTHER
from model.check import TOLERANCE
from ui.kit.blocks import picture, table
from ui.state import Run
from ui.words import say
from viz.proofs import proof_dots

from .found import found_rows
from .resting import resting_on, views_of


def show(run: Run) -> None:
    rows, _ = found_rows(run)
    rows = rows.assign(identity=[say(f"check-{claim}") for claim in rows["claim"]])
    if len(rows):
        told = {"n": rows["claim"].nunique(), "checkpoints": rows["checkpoint"].nunique()}
        picture(
            "proofs-dots",
            proof_dots(rows, TOLERANCE),
            numbers=rows.drop(columns="identity").assign(claim=rows["identity"]),
            most=f"{TOLERANCE:g}",
            **told,
        )
    views: dict[str, list[str]] = {}
    for page, view in views_of(run):
        for claim in resting_on(page, view):
            views.setdefault(claim, []).append(say(f"view-{page.id}-{view.id}"))
    now = rows[rows["of"] == NOW].set_index("claim")["difference"]
    rows = rows.assign(
        views=[", ".join(views.get(claim, ())) for claim in rows["claim"]],
        now=rows["claim"].map(now).where(rows["of"] != OTHER),
    )
    rows = rows.drop_duplicates(["checkpoint", "claim"])
    rows = rows.sort_values("of", key=lambda of: of == OTHER, kind="stable")
    columns = ["checkpoint", "identity", "views", "difference", "now", "when", "hardware"]
    table(
        "proofs-table",
        rows[[column for column in columns if column != "now" or len(now)]],
        words="proofs-column",
        formats=dict.fromkeys(("difference", "now"), "%.1e"),
        widths={"identity": 330, "views": 160},
    )
