"""Masked-words page: an encoder alone predicts words from both sides."""

from __future__ import annotations

from ui.pages.masked import guess, measured
from ui.pages.masked.guess import make_scene, masked_model
from ui.shell.view import Page, View
from ui.shell.views import open_page, own_model

PAGE = Page(
    "masked",
    "masked_look",
    (
        View("guess", guess.show),
        View("agreement", measured.show_agreement, reads=False),
    ),
    group="others",
    order=4,
    doc="masked.md",
    body=own_model(make_scene),
    model=masked_model,
    of_run=False,
    footer=False,
)

if __name__ == "__main__":
    open_page(PAGE)
