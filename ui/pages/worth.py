"""What an attention weight is worth: where it comes from, what it carries, what it explains."""

from __future__ import annotations

from ui.views import Page, View, open_page
from ui.worth import why

PAGE = Page(
    "worth",
    "worth_look",
    (View("why", why.show, needs=("teacher-forcing", "block", "scores", "positions")),),
    group="attention",
    place=3,
)

if __name__ == "__main__":
    open_page(PAGE)
