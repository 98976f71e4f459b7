"""Which identities a view rests on."""

from __future__ import annotations

from collections.abc import Iterator

from model.check import CLAIMS, SUMS
from ui.pages import pages
from ui.reasons import BEHIND
from ui.state import Run
from ui.views import Page, View, offers

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
    "masks-pronoun": ("teacher-forcing", "changes"),
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
