"""Glossary page: terms of the field in both languages."""

from __future__ import annotations

from ui.frame.run import run_on_screen
from ui.pages.glossary.terms import show
from ui.shell.panels import checkpoint_footer
from ui.shell.view import Page

PAGE = Page("glossary", reads=False, group="learn", order=2)

if __name__ == "__main__":
    show()
    run = run_on_screen()
    if run is not None:
        checkpoint_footer(run.translator)
