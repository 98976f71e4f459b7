"""Whether the pictures are true: what each rests on, and how far that was found to be off."""

from __future__ import annotations

from ui.proofs import identities, resting
from ui.views import Page, View, open_page

PAGE = Page(
    "proofs",
    "proofs_look",
    (View("identities", identities.show), View("views", resting.show)),
    group="others",
    place=5,
    of_run=False,
    reads=False,
)

if __name__ == "__main__":
    open_page(PAGE)
