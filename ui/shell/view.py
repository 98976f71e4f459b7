"""Declaration of a view: one tab of a page, and what a model must offer for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class View:
    """One tab of a page.

    Attributes
    ----------
    id : in the address and in the message files: its tab is ``view-<page>-<id>``, the line under it
        ``claim-<page>-<id>``.
    show : draws the view from the value that the page's body passes, by default a run.
    needs : names of capabilities that the view requires.
    reads : uses the sentence of the frame and the search; without it both controls are left out.
    brings : if the open model lacks a need, shown with the first model that meets them all.
    hides : shows the run without the words that the reader has hidden.
    recorded : needs attention weights only, so a recording suffices without its model.
    """

    id: str
    show: Callable[[Any], None]
    needs: tuple[str, ...] = ()
    reads: bool = True
    brings: bool = False
    hides: bool = False
    recorded: bool = False

    def lacks(self, offered: frozenset[str]) -> tuple[str, ...]:
        """Return the unmet needs; a view that is not `recorded` also needs a model."""
        needs = self.needs if self.recorded else ("model", *self.needs)
        return tuple(need for need in needs if need not in offered)
