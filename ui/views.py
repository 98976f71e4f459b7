"""Views, what they need of a model, and the one driver of all pages.

    PAGE = Page("masks", "mask_look", (View("seen", seen.show, needs=("causal-attention",)), ...))
    open_page(PAGE)

A need is a capability that a family of models declares, or one of what `offers` finds at the sites
of the model. Why it is not met, `ui.reasons` says. Where a model has no view of a page, the page
shows another one and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.intervention import hiding_places
from core.tokens import TokenSequence
from model import ModelError, Reader
from model.recording import Recording

from . import address
from .controls import checkpoint_labels
from .guard import fragment, guarded
from .hidden import without_hidden
from .kit.controls import asked, choice
from .kit.layout import caption, controls, folded, note, paragraph, screen
from .panels import checkpoint_footer, run_numbers, run_panel
from .reasons import Reason, why_not
from .state import (
    READS,
    RECORDING,
    SHOWN,
    Run,
    by_preference,
    get_translator,
    opened,
    outlines,
    telling,
)
from .waiting import page_turn
from .words import current_words, plain, say

BODY = "body"
"""The key of the fragment that holds the body of a page."""


@dataclass(frozen=True)
class View:
    """One tab of a page.

    Attributes
    ----------
    id : in the address and in the message files, ``view-<page>-<id>``.
    show : draws it; takes what the page's body gives its views, a run where it gives nothing else.
    needs : what it cannot do without.
    reads : it shows what a model makes of the sentence above, and how it searched; else there is
        no box for one, and no search to set.
    brings : where the open model lacks what it needs, it is shown with the first that has it.
    hides : it shows the run without the words that the reader has hidden.
    recorded : it shows weights alone, so that a recording has it without its model.
    """

    id: str
    show: Callable[[Any], None]
    needs: tuple[str, ...] = ()
    reads: bool = True
    brings: bool = False
    hides: bool = False
    recorded: bool = False

    def lacks(self, offered: frozenset[str]) -> tuple[str, ...]:
        """The needs that are not met; but for what is `recorded`, a model is one of them."""
        needs = self.needs if self.recorded else ("model", *self.needs)
        return tuple(need for need in needs if need not in offered)


def explained(run: Run, page: Page) -> None:
    """The switch, the chosen view and what there is to say about it."""
    view = view_switch(run, page)
    name_unfit(run, page)
    if view is not None:
        with telling():
            view.show(run)
        how_to_read(page, view)


def how_to_read(page: Page, view: View) -> None:
    """The explanation of a view, folded below it: of few words in the message
    ``view-<page>-<view>-reading``, else in ``words/<language>/<page>_<view>.md``. Where its numbers
    are no weights of a sum, ``view-<page>-<view>-no-norms`` says why no norm takes their place."""
    id = f"view-{page.id}-{view.id}-reading"
    with folded("reading"):
        paragraph(id if current_words().has(id) else f"{page.id}_{view.id}")
    if current_words().has(why := f"view-{page.id}-{view.id}-no-norms"):
        caption("view-unfit", views=say("attention-measure-length"), why=say(why))
    if page.doc:
        caption("page-doc", file=page.doc)


def own_model(make_scene: Callable[[Run, View], Any]) -> Callable[[Run, Page], None]:
    """The body of a page with a model of its own, whose views show what that makes of a text.

    Parameters
    ----------
    make_scene : draws the choices that a view has and returns what the view takes, with the model
        as ``reader``, or the run where no text is read; None where nothing can be read.
    """

    def body(run: Run, page: Page) -> None:
        view = _switch(page, page.views)
        scene = None
        with telling():
            scene = make_scene(run, view)
            if scene is not None:
                view.show(scene)
        how_to_read(page, view)
        reader = run.translator if scene in (None, run) else scene.reader
        before = st.session_state.get(SHOWN, reader)
        st.session_state[SHOWN] = reader
        if before.card.at != reader.card.at:  # the frame still tells of the other
            st.rerun()
        checkpoint_footer(reader)

    return body


@dataclass(frozen=True)
class Page:
    """A page: its views, and what is around them.

    Attributes
    ----------
    key : the name of the switch between the views in the address.
    group : of the menu, with the place in it; the lower come first.
    body : draws everything below what was read and written.
    model : from the open checkpoint to the one that a page with a model of its own shows; None
        where none is installed.
    reads : it shows what a model makes of the sentence above, and how it searched.
    whole : a click draws the whole page anew, not the body alone.
    of_run : it is about the run on screen, which is told above.
    footer : the model on screen is told below; else the body tells its own.
    doc : name of the file in docs/ that holds what was measured of these models.
    """

    id: str
    key: str = ""
    views: tuple[View, ...] = ()
    group: str = "others"
    place: int = 0
    body: Callable[[Run, Page], None] = explained
    model: Callable[[str], str | None] | None = None
    reads: bool = True
    whole: bool = False
    of_run: bool = True
    footer: bool = True
    doc: str = ""


def open_page(page: Page) -> None:
    """Draw a page for the run on screen, if there is one."""
    run = st.session_state.get("run")
    if run is None:
        return
    view = _view_asked(page, run.choices.checkpoint)
    if view is not None and view.hides:
        st.session_state["run"] = run = without_hidden(run)
    told = page.of_run and st.session_state[READS]
    if told:
        with guarded("panel"):
            run_panel(run)
    (_draw if page.whole else fragment(_draw, key=BODY))(run, page)
    if told:
        with guarded("numbers"), folded("numbers"):
            run_numbers(run)
    if page.footer:
        with guarded("footer"):
            checkpoint_footer(run.translator)


def _draw(run: Run, page: Page) -> None:
    with page_turn(whole=False):
        address.begin()
        with screen(), guarded(BODY):
            page.body(run, page)
        address.tidy()


def shown_by(page: Page) -> Callable[[str], str]:
    """From the open checkpoint to the one that a page shows.

    That is the open one, where a view fits it; else the page's own, or the first that has a view,
    which is said. A view that brings its model is shown with the first that fits it.
    """

    def shown(opened: str) -> str:
        if page.model is not None:
            return page.model(opened) or opened
        try:
            lacking = _lacking(page, opened)
        except ModelError:  # told by who runs it
            return opened
        others = (name for name in by_preference() if name != opened and _fits(page, name))
        found = next(others, None) if lacking else None
        if found is None or not page.reads:
            return found or opened
        labels = checkpoint_labels()
        mine, other = (plain(labels.get(name, name)) for name in (opened, found))
        why = why_not(get_translator(opened), lacking).said
        wanted = _asked(page)
        if wanted.brings:
            view = say(f"view-{page.id}-{wanted.id}")
            st.caption(say("view-brought", view=view, open=mine, other=other), help=why)
            return found
        note("view-shown-with", "swap_horiz", open=mine, other=other, why=why)
        return found

    return shown


def reading(page: Page) -> Callable[[str], bool]:
    """From the checkpoint that a page shows to whether its view reads the sentence above."""

    def reads(name: str) -> bool:
        view = _view_asked(page, name)
        st.session_state[READS] = page.reads and (view is None or view.reads)
        return st.session_state[READS]

    return reads


def _view_asked(page: Page, name: str) -> View | None:
    """The view that session or address ask for, before the switch is drawn."""
    try:
        views = fitting(page, get_translator(name))
    except ModelError:  # told by who runs it
        views = page.views
    by_id = {view.id: view for view in views}
    return by_id[asked(page.key, tuple(by_id), views[0].id)] if views else None


def _lacking(page: Page, name: str) -> tuple[str, ...]:
    """What the first view of a page needs and a checkpoint lacks; nothing where some view fits.

    Of one that brings its model, and is asked for, what that view needs. A recording fits where a
    view is `recorded`, before there is one.
    """
    if name == RECORDING:
        return () if any(view.recorded for view in page.views) else ("model",)
    offered = offers(get_translator(name))
    if page.views and (wanted := _asked(page)).brings:
        return wanted.lacks(offered)
    lacks = [view.lacks(offered) for view in page.views]
    return lacks[0] if lacks and all(lacks) else ()


def _asked(page: Page) -> View:
    """The view that session or address ask for, whether the open model has it or not."""
    by_id = {view.id: view for view in page.views}
    return by_id[asked(page.key, tuple(by_id), page.views[0].id)]


def _is_brought(view: View) -> bool:
    """Whether it brings a model, and one is installed."""
    if not view.brings:
        return False
    for name in by_preference():
        try:
            if not view.lacks(offers(get_translator(name))):
                return True
        except ModelError:
            continue
    return False


def _fits(page: Page, name: str) -> bool:
    try:
        return not _lacking(page, name)
    except ModelError:
        return False


def view_switch(run: Run, page: Page) -> View | None:
    """The view that is chosen among those that fit the model; None if none does, which is said."""
    views = fitting(page, run.translator)
    if not views:
        note("view-none", "visibility_off")
        return None
    return _switch(page, views)


def fitting(page: Page, reader: Reader) -> tuple[View, ...]:
    """The views of a page that fit a model, and those that bring another."""
    offered = offers(reader)
    return tuple(view for view in page.views if not view.lacks(offered) or _is_brought(view))


def _switch(page: Page, views: tuple[View, ...]) -> View:
    """The chosen one of these views; the frame is drawn anew where it was for another kind."""
    by_id = {view.id: view for view in views}
    words, first = f"view-{page.id}", views[0].id
    if len(page.views) == 1:
        st.session_state[page.key] = first
        address.write(page.key, None, address.TEXT)
        return by_id[first]
    with controls():
        id = choice(page.key, tuple(by_id), words=words, default=first, title=False, wrap=True)
    if (page.reads and by_id[id].reads) != st.session_state[READS]:
        st.rerun()
    return by_id[id]


def name_unfit(run: Run, page: Page) -> None:
    """Which views do not fit the model, and why; one line for each reason."""
    offered = offers(run.translator)
    by_reason: dict[Reason, list[str]] = {}
    for view in page.views:
        if (lacks := view.lacks(offered)) and not _is_brought(view):
            name = say(f"view-{page.id}-{view.id}")
            by_reason.setdefault(why_not(run.translator, lacks), []).append(name)
    for reason, names in by_reason.items():
        words = "view-unfit" if reason.is_fact else "view-unshown"
        caption(words, views=", ".join(names), why=reason.said)


def offers(reader: Reader) -> frozenset[str]:
    """What a model has to show: its capabilities, and what its sites are like."""
    sites = reader.sites
    found = {
        "model": not isinstance(reader, Recording),
        "text": isinstance(reader.tokenize(reader.example), TokenSequence),
        "any-attention": bool(sites),
        "self-attention": any(site.is_self for site in sites),
        "causal-attention": any(site.causal for site in sites),
        "source-attention": any((s.query, s.key) == ("target", "source") for s in sites),
        "leave-out": bool(hiding_places(sites, reader.capabilities)),
        "position-table": bool({"positions", "learned-positions"} & reader.capabilities),
        "lineage": _has_lineage(reader),
        "several-heads": sum(site.n_layers * site.n_heads for site in sites) > 1,
    }
    return reader.capabilities | {need for need, there in found.items() if there}


def _has_lineage(reader: Reader) -> bool:
    """True where a system of the lineage reads the same languages, or none could be brought."""
    installed = [each for each in outlines().values() if each is not None and each.of_lineage]
    own = reader.card.at in opened() or not installed
    return own or any(each.languages == tuple(reader.card.languages) for each in installed)
