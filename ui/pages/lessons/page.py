"""Lessons page: all lessons, and a worksheet for a class."""

from __future__ import annotations

from ui.pages.lessons.listing import show
from ui.shell.view import Page
from ui.shell.views import open_page

PAGE = Page(
    "lessons",
    body=lambda run, page: show(run),
    whole=True,
    of_run=False,
    reads=False,
    group="learn",
    order=1,
)

if __name__ == "__main__":
    open_page(PAGE)
