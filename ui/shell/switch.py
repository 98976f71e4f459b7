"""Switch between the views of a page that fit the model, and the words around the chosen one."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from model import ModelError, Reader

from ..frame.checkpoints import by_preference
from ..frame.choices import OPTION, choose, keep
from ..frame.messages import current_words, say
from ..frame.reasons import AbsenceReason, offers, why_not
from ..frame.run import Run
from ..frame.state import get_translator
from ..kit.controls import choice
from ..kit.hidden_words import is_shown
from ..kit.layout import caption, claim, controls, folded, note, paragraph
from .view import OpenPage, Page, View

DOCS = Path(__file__).parents[2] / "docs"


def how_to_read(page: Page, view: View) -> None:
    """Draw the folded explanation of a view below it.

    A short text is the message ``view-<page>-<view>-reading``, a longer one the file
    ``words/<language>/<page>_<view>.md``. If norms cannot replace the numbers of the view, the
    message ``view-<page>-<view>-no-norms`` says why.
    """
    id = f"view-{page.id}-{view.id}-reading"
    with folded("reading"):
        paragraph(id if current_words().has(id) else f"{page.id}_{view.id}")
    if current_words().has(why := f"view-{page.id}-{view.id}-no-norms"):
        caption("view-unfit", views=say("attention-measure-length"), why=say(why))
    if page.doc:
        _document(page.doc)


def _document(name: str) -> None:
    """Draw a link to a file of ``docs/``, which the browser saves."""
    st.download_button(
        say("page-doc", file=name),
        data=(DOCS / name).read_bytes,
        file_name=name,
        mime="text/markdown",
        key="page_doc",
        type="tertiary",
        icon=":material/description:",
        on_click="ignore",
    )


def _is_brought(view: View) -> bool:
    """Return True if the view brings a model and a fitting one is installed."""
    if not view.brings:
        return False
    for name in by_preference():
        try:
            if not view.lacks(offers(get_translator(name))):
                return True
        except ModelError:
            continue
    return False


def view_switch(run: Run, here: OpenPage) -> View | None:
    """Return the chosen view among those that fit the model; None, with a note, if none does."""
    if not here.views:
        note("view-none", "visibility_off")
        return None
    return draw_switch(run, here.page, here.views)


def fitting(page: Page, reader: Reader) -> tuple[View, ...]:
    """Return the views that fit a model, and those that bring another."""
    offered = offers(reader)
    return tuple(view for view in page.views if not view.lacks(offered) or _is_brought(view))


def draw_switch(run: Run, page: Page, views: tuple[View, ...]) -> View:
    """Draw switch and claim, and return the chosen view.

    Rerun if the frame was drawn for another kind of view.
    """
    by_id = {view.id: view for view in views}
    first = views[0].id
    # A page with one view has no switch, and its key stays out of the address.
    if len(page.views) == 1:
        choose({page.key: first})
        keep(page.key, OPTION, first, first)
        _claim(page, first)
        return by_id[first]
    with controls():
        id = choice(
            page.key,
            tuple(by_id),
            words=f"view-{page.id}",
            default=first,
            title=False,
            wrap=True,
        )
    view = by_id[id]
    # Sentence box and run were drawn for the last view, which may read or hide words unlike this.
    if (page.reads and view.reads) != run.choices.reads or not is_shown(run, hides=view.hides):
        st.rerun()
    unread = page.views[0].reads and not view.reads
    _claim(page, id, *(["sentence-unread"] if unread else []))
    return view


def _claim(page: Page, view: str, *more: str) -> None:
    """Draw the claim of a view, and behind it ``legend-<page>-<view>`` if there is one."""
    legend = f"legend-{page.id}-{view}"
    claim(f"claim-{page.id}-{view}", *([legend] if current_words().has(legend) else []), *more)


def name_unfit(run: Run, page: Page) -> None:
    """Name the views that do not fit the model, one line for each reason."""
    offered = offers(run.translator)
    by_reason: dict[AbsenceReason, list[str]] = {}
    for view in page.views:
        if (lacks := view.lacks(offered)) and not _is_brought(view):
            name = say(f"view-{page.id}-{view.id}")
            # Views that lack the same share one line.
            by_reason.setdefault(why_not(run.translator, lacks), []).append(name)
    for reason, names in by_reason.items():
        words = "view-unfit" if reason.is_fact else "view-unshown"
        caption(words, views=", ".join(names), why=reason.text)
