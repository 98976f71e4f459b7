"""Declarations of a page and its views: tabs, and what a model must offer for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..frame.run import Run

BODY = "body"
"""Key of the fragment that holds the body of a page."""


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
    plotted : opens with a figure of Plotly, whose large script a browser fetches at once.
    """

    id: str
    show: Callable[[Any], None]
    needs: tuple[str, ...] = ()
    reads: bool = True
    brings: bool = False
    hides: bool = False
    recorded: bool = False
    plotted: bool = False

    def lacks(self, offered: frozenset[str]) -> tuple[str, ...]:
        """Return the unmet needs; a view that is not `recorded` also needs a model."""
        needs = self.needs if self.recorded else ("model", *self.needs)
        return tuple(need for need in needs if need not in offered)


@dataclass(frozen=True)
class Page:
    """A page: its views and its surroundings.

    Attributes
    ----------
    key : name of the switch between views in the address.
    group, order : group of the menu, and the order in it, lowest first.
    body : draws everything below the panel of input and output; by default switch, view and
        explanation.
    model : maps the open checkpoint to the page's own one, or to None if none is installed.
    reads : uses the sentence of the frame and the search.
    whole : a click redraws the whole page instead of its body.
    of_run : the page is about the run, which is shown above it.
    footer : the frame's model is described below; otherwise the body does that.
    doc : file in docs/ with measurements of these models.
    """

    id: str
    key: str = ""
    views: tuple[View, ...] = ()
    group: str = "others"
    order: int = 0
    body: Callable[[Run, OpenPage], None] | None = None
    model: Callable[[str], str | None] | None = None
    reads: bool = True
    whole: bool = False
    of_run: bool = True
    footer: bool = True
    doc: str = ""

    @property
    def sentence_room(self) -> str:
        """Place of the sentence, chosen so that the tabs stay in theirs on every view.

        "below" the tabs if only some of its views read a sentence, else "".
        """
        reading = {view.reads for view in self.views}
        return "below" if self.reads and reading == {True, False} else ""


@dataclass(frozen=True)
class OpenPage:
    """A page with the model and the view that it opens with: asked once a run, then handed on.

    Attributes
    ----------
    checkpoint : name of the model that the page shows.
    views : those that the model offers.
    view : the one that session or address name, else the first; None without views.
    """

    page: Page
    checkpoint: str
    views: tuple[View, ...]
    view: View | None

    @property
    def reads(self) -> bool:
        """True if the page reads the sentence of the frame and the search."""
        return self.page.reads and (self.view is None or self.view.reads)
