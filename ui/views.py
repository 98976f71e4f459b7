"""Views, what they need of a model, and the one driver of all pages.

    PAGE = Page("masks", "mask_look", (View("seen", seen.show, needs=("causal-attention",)), ...))
    open_page(PAGE)

A need is a capability that a family of models declares, or one of what `offers` finds at the sites
of the run. Why it is not met, `ui.reasons` says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from records import TokenSequence, hiding_places

from . import address
from .choice import choice
from .guard import fragment, guarded
from .panels import checkpoint_footer, run_panel
from .reasons import Reason, why_not
from .state import Run
from .waiting import page_turn
from .words import page_text, say

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
    reads : on a page with a model of its own (`own_model`), it shows what that makes of a text.
    """

    id: str
    show: Callable[[Any], None]
    needs: tuple[str, ...] = ()
    reads: bool = True

    def lacks(self, offered: frozenset[str]) -> tuple[str, ...]:
        """The needs that are not met."""
        return tuple(need for need in self.needs if need not in offered)


def explained(run: Run, page: Page) -> None:
    """The switch, the chosen view and what there is to say about it."""
    view = view_switch(run, page)
    name_unfit(run, page)
    if view is not None:
        view.show(run)
        st.markdown(page_text(f"{page.id}_{view.id}"))


def own_model(make_scene: Callable[[Run, View], Any]) -> Callable[[Run, Page], None]:
    """The body of a page with a model of its own, whose views show what that makes of a text.

    Parameters
    ----------
    make_scene : draws the choices that a view has and returns what the view takes, with the model
        as ``reader``; None where nothing can be read. Views that read nothing take the run.
    """

    def body(run: Run, page: Page) -> None:
        views = {view.id: view for view in page.views}
        words = f"view-{page.id}"
        view = views[choice(page.key, tuple(views), words=words, title=False, wrap=True)]
        scene = make_scene(run, view) if view.reads else run
        if scene is not None:
            view.show(scene)
        st.markdown(page_text(f"{page.id}_{view.id}"))
        reader = run.translator if scene in (None, run) else scene.reader
        checkpoint_footer(reader.card)

    return body


@dataclass(frozen=True)
class Page:
    """A page: its views, and what is around them.

    Attributes
    ----------
    key : the name of the switch between the views in the address.
    body : draws everything below what was read and written.
    whole : a click draws the whole page anew, not the body alone.
    of_run : it is about the run on screen, which is told above.
    footer : the model on screen is told below; else the body tells its own.
    own_tokens : the body shows the tokens of a run that reads a text; they are not listed above.
    """

    id: str
    key: str
    views: tuple[View, ...]
    body: Callable[[Run, Page], None] = explained
    whole: bool = False
    own_tokens: bool = False
    of_run: bool = True
    footer: bool = True


def open_page(page: Page) -> None:
    """Draw a page for the run on screen, if there is one."""
    run = st.session_state.get("run")
    if run is None:
        return
    shown = page.own_tokens and isinstance(run.record.src, TokenSequence) and run.record.sites
    with st.container(gap="small"):
        if page.of_run:
            with guarded("panel"):
                run_panel(run, chips=not shown)
        (_draw if page.whole else fragment(_draw, key=BODY))(run, page)
    if page.footer:
        with guarded("footer"):
            checkpoint_footer(run.translator.card)


def _draw(run: Run, page: Page) -> None:
    with page_turn(whole=False):
        address.begin()
        with guarded(BODY):
            page.body(run, page)
        address.tidy()


def view_switch(run: Run, page: Page) -> View | None:
    """The view that is chosen among those that fit the model; None if none does, which is said."""
    offered = offers(run)
    fitting = {view.id: view for view in page.views if not view.lacks(offered)}
    if not fitting:
        st.info(say("view-none"), icon=":material/visibility_off:")
        return None
    return fitting[
        choice(page.key, tuple(fitting), words=f"view-{page.id}", title=False, wrap=True)
    ]


def name_unfit(run: Run, page: Page) -> None:
    """Which views do not fit the model, and why; one line for each reason."""
    offered = offers(run)
    by_reason: dict[Reason, list[str]] = {}
    for view in page.views:
        if lacks := view.lacks(offered):
            name = say(f"view-{page.id}-{view.id}")
            by_reason.setdefault(why_not(run, lacks), []).append(name)
    for reason, names in by_reason.items():
        words = "view-unfit" if reason.is_fact else "view-unshown"
        st.caption(say(words, views=", ".join(names), why=reason.said))


def offers(run: Run) -> frozenset[str]:
    """What this run has to show: the capabilities of its model, and what its sites are like."""
    sites = run.record.sites
    found = {
        "text": isinstance(run.record.src, TokenSequence),
        "any-attention": bool(sites),
        "self-attention": any(site.is_self for site in sites),
        "causal-attention": any(site.causal for site in sites),
        "leave-out": bool(hiding_places(sites, run.capabilities)),
        "several-heads": sum(site.n_layers * site.n_heads for site in sites) > 1,
    }
    return run.capabilities | {need for need, there in found.items() if there}
