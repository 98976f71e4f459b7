"""Views with their needs, and the one driver of all pages.

    PAGE = Page("masks", "mask_look", (View("seen", seen.show, needs=("causal-attention",)), ...))
    open_page(PAGE)

A need is a capability that a model family declares, or one that `offers` derives from the sites of
the model (`ui.frame.reasons`, which also explains unmet needs). If a model has no view of a page,
the page shows another model and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from model import ModelError

from ..frame import choices
from ..frame.admission import page_turn
from ..frame.checkpoints import by_preference
from ..frame.choices import peek_choice
from ..frame.messages import plain, say
from ..frame.problems import telling
from ..frame.reasons import offers, why_not
from ..frame.run import RECORDING, RUN, SHOWN, Run
from ..frame.state import get_translator
from ..kit.checkpoint_labels import checkpoint_labels
from ..kit.guard import fragment, guarded
from ..kit.hidden_words import without_hidden
from ..kit.layout import folded, note, screen
from .panels import checkpoint_footer, run_numbers, run_panel
from .switch import draw_switch, fitting, how_to_read, name_unfit, view_switch
from .view import BODY, OpenPage, Page, View

OPEN = "open_page"
"""Session key: the `OpenPage` of the last whole run."""


def explained(run: Run, here: OpenPage) -> None:
    """Draw the switch, the chosen view and its explanation."""
    view = view_switch(run, here)
    name_unfit(run, here.page)
    if view is not None:
        with telling():
            view.show(run)
        how_to_read(here.page, view)


def own_model(make_scene: Callable[[Run, View], Any]) -> Callable[[Run, OpenPage], None]:
    """Return the body of a page that has a model of its own for a text.

    Parameters
    ----------
    make_scene : draws the choices of a view and returns its argument, which has the model as
        ``reader``; the run if no text is read; None if nothing can be read.
    """

    def body(run: Run, here: OpenPage) -> None:
        view = draw_switch(run, here.page, here.page.views)
        scene = None
        with telling():
            scene = make_scene(run, view)
            if scene is not None:
                view.show(scene)
        how_to_read(here.page, view)
        # A page with a model of its own tells the frame which one.
        reader = run.translator if scene in (None, run) else scene.reader
        before = st.session_state.get(SHOWN, reader)
        st.session_state[SHOWN] = reader
        if before.card.at != reader.card.at:  # the frame still describes the other model
            st.rerun()
        checkpoint_footer(reader)

    return body


def page_on(page: Page, opened: str) -> OpenPage:
    """Open `page` while the checkpoint `opened` is open; tell the reader if it shows another."""
    requested = _requested_view(page)
    checkpoint = _page_checkpoint(page, requested, opened)
    try:
        views = fitting(page, get_translator(checkpoint))
    except ModelError:  # the caller reports this error
        views = page.views
    return _opened(page, checkpoint, views, requested)


def _opened(page: Page, checkpoint: str, views: tuple[View, ...], wanted: View | None) -> OpenPage:
    """Return `page` at the `wanted` view, or at the first if that is not among `views`."""
    view = wanted if wanted in views else next(iter(views), None)
    return OpenPage(page, checkpoint, views, view)


def hand_over(here: OpenPage, run: Run | None) -> OpenPage:
    """Keep page and run for the page's script and its fragments, which do not run the frame.

    Returns `here` as it fits the run: that may be the last one that worked, of another model.
    """
    if run is not None and run.choices.checkpoint != here.checkpoint:
        views = fitting(here.page, run.translator)
        here = _opened(here.page, run.choices.checkpoint, views, here.view)
    st.session_state[RUN] = run
    st.session_state[OPEN] = here
    return here


def open_page(page: Page) -> None:
    """Draw a page for the current run, if there is one."""
    run = st.session_state.get(RUN)
    if run is None:
        return
    # The script's own PAGE may be newer than the one that the frame imported.
    here = replace(st.session_state[OPEN], page=page)
    if here.view is not None and here.view.hides:
        st.session_state[RUN] = run = without_hidden(run)
    shows_run = page.of_run and run.choices.reads
    if shows_run:
        with guarded("panel"):
            run_panel(run)
    # As a fragment, the body is redrawn by a click without the frame.
    (_draw if page.whole else fragment(_draw, key=BODY))(run, here)
    # Fragments, because their folds are drawn when they open.
    if shows_run:
        fragment(_numbers)(run)
    if page.footer:
        fragment(_footer)(run)


def _numbers(run: Run) -> None:
    fold = folded("numbers", late=True)
    if fold.open:
        with fold:
            run_numbers(run)


def _footer(run: Run) -> None:
    checkpoint_footer(run.translator)


def _draw(run: Run, here: OpenPage) -> None:
    with page_turn(whole=False):
        choices.enter_body()
        with screen(), guarded(BODY):
            (here.page.body or explained)(run, here)
        choices.leave_body()


def _page_checkpoint(page: Page, requested: View | None, opened: str) -> str:
    """Return the checkpoint that `page` shows while the checkpoint `opened` is open.

    That is the open one if a view fits it, else the page's own, or the first that has a view; the
    page then says so. If the `requested` view brings a model, the first that fits that view.
    """
    if page.model is not None:
        return page.model(opened) or opened
    try:
        lacks = _lacking(page, requested, opened)
    except ModelError:  # the caller reports this error
        return opened
    if not lacks:
        return opened
    # Lazily: each name that is tried loads a model.
    others = (name for name in by_preference() if name != opened and _fits(page, requested, name))
    other = next(others, None)
    if other is None:
        return opened
    if page.reads:
        _tell_other_model(page, requested, opened, other, lacks)
    return other


def _tell_other_model(
    page: Page, requested: View | None, opened: str, other: str, lacks: tuple[str, ...]
) -> None:
    """Say that `page` is shown with another checkpoint, and what the open one lacks."""
    labels = checkpoint_labels()
    opened_label = plain(labels.get(opened, opened))
    other_label = plain(labels.get(other, other))
    why = why_not(get_translator(opened), lacks).text
    if requested is not None and requested.brings:
        title = say(f"view-{page.id}-{requested.id}")
        text = say("view-brought", view=title, open=opened_label, other=other_label)
        st.caption(text, help=why)
    else:
        note("view-shown-with", "swap_horiz", open=opened_label, other=other_label, why=why)


def _lacking(page: Page, requested: View | None, name: str) -> tuple[str, ...]:
    """Return needs of the page that a checkpoint lacks; empty if some view fits.

    If the `requested` view brings its own model, its needs count. A recording fits a page with a
    `recorded` view, even before a file is loaded.
    """
    if name == RECORDING:
        return () if any(view.recorded for view in page.views) else ("model",)
    offered = offers(get_translator(name))
    if requested is not None and requested.brings:
        return requested.lacks(offered)
    lacks = [view.lacks(offered) for view in page.views]
    # The first view is the one that a reader of the page expects, so its needs are named.
    return lacks[0] if lacks and all(lacks) else ()


def _requested_view(page: Page) -> View | None:
    """Return the view that session or address name, even if the open model lacks it."""
    by_id = {view.id: view for view in page.views}
    if not by_id:
        return None
    return by_id[peek_choice(page.key, tuple(by_id), page.views[0].id)]


def _fits(page: Page, requested: View | None, name: str) -> bool:
    try:
        return not _lacking(page, requested, name)
    except ModelError:
        return False
