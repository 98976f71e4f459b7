"""Which identities a view rests on: of every view of the open model."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from model.check import CLAIMS, SUMS, claims_of
from ui.kit.blocks import ROW, table
from ui.pages import pages
from ui.reasons import BEHIND
from ui.state import Run
from ui.views import Page, View, offers
from ui.words import say

from .found import found_rows

_ROWS = ("rows",)
_OF_NEEDS = BEHIND | dict.fromkeys(
    ("any-attention", "several-heads", "self-attention", "source-attention"), _ROWS
)
_OF_VIEWS = {
    "attention-matrix": ("scores", "contributions"),
    "attention-ribbons": ("scores", "contributions"),
    "attention-together": ("rollout",),
    "masks-seen": (*_ROWS, "change-causal", "padding"),
    "masks-change": tuple(name for name in CLAIMS if name.startswith("change-")),
    "masks-explain": ("teacher-forcing", "changes"),
    "positions-encoding": ("relative-positions",),
    "positions-heads": ("order",),
    "worth-why": ("score-split",),
    "worth-gold": ("contributions",),
    "worth-share": ("source-share", "contributions"),
    "beam-tree": ("tree-attention",),
    "captions-gaze": (*_ROWS, "search", "teacher-forcing"),
    **dict.fromkeys(
        ("documents-read", "documents-agree", "documents-other"), ("documents", *_ROWS)
    ),
    **dict.fromkeys(("masked-guess", "masked-sides", "masked-it"), ("masked-words", *_ROWS)),
}
"""What views show beside what they need, by their names."""


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


def resting_on(page: Page, view: View) -> tuple[str, ...]:
    """The names of `model.check` that hold a view; none where it shows what is stored."""
    if not view.reads:
        return ()
    of_needs = (claim for need in view.needs for claim in _OF_NEEDS.get(need, (need,)))
    claims = dict.fromkeys((*of_needs, *_OF_VIEWS.get(f"{page.id}-{view.id}", ())))
    return tuple(claim for claim in claims if claim in CLAIMS or claim in SUMS)


def views_of(run: Run) -> Iterator[tuple[Page, View]]:
    """Those that the open model has, or would have if all held that it claims."""
    offered = offers(run.translator) | run.translator.withdrawn.keys()
    for page in pages():
        own = page.model is None or page.model(run.card.name) == run.card.name
        for view in page.views if own and page.id != "proofs" else ():
            if not view.lacks(offered):
                yield page, view
