"""Timeline from 2014 to 2019: novelty, changed equation and checkpoint of each paper."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import get_args

import pandas as pd
import streamlit as st

from core.card import Outline
from model.families.base import Family, Paper, Sources
from model.io.registry import families
from ui.frame.checkpoints import open_checkpoint, outlines
from ui.frame.messages import current_words, named, say
from ui.frame.run import Run
from ui.kit.blocks import picture
from ui.kit.clicks import click_count, clicked
from ui.kit.controls import button
from ui.kit.layout import caption, folded, paragraph, subtitle
from viz.lineage import PAPER, paper_line

from .chosen import CHOSEN, rivals

SOURCES = get_args(Sources)


def take_paper(run: Run) -> None:
    """Show or hide the system of the clicked dot, before the systems are chosen."""
    name = clicked("timeline", PAPER).get("name")
    chosen = st.session_state.get(CHOSEN)
    if chosen is not None and name in {outline.name for outline in rivals(run)}:
        others = [other for other in chosen if other != name]
        st.session_state[CHOSEN] = others if name in chosen else [*chosen, name]


def show_line(run: Run, chosen: Collection[Outline]) -> None:
    """Draw the papers on a line of years; a click shows or hides their system above."""
    marked = {outline.name for outline in chosen}
    # A model outside the lineage stands for the paper of its family.
    marked_families = {outline.architecture for outline in chosen if not outline.of_lineage}
    papers = papers_in_order()
    installed = checkpoints()
    comparable = {outline.name for outline in rivals(run)}
    source_labels = {sources: say(f"timeline-kind-{sources}") for sources in SOURCES}
    rows = pd.DataFrame(
        {
            "label": title_of(family),
            "at": paper.at,
            "told": str(int(paper.at)),
            "kind": source_labels[paper.sources],
            "system": installed[family.name] or family.name,
            "name": name if (name := installed[family.name]) in comparable else "",
            "marked": name in marked or family.name in marked_families,
        }
        for family, paper in papers
    )
    subtitle("timeline-title")
    picture(
        "timeline",
        paper_line(rows, tuple(source_labels.values()), click=click_count("timeline")),
        clicks=True,
        numbers=rows[["label", "at", "kind"]],
        n=len(papers),
        there=sum(map(bool, installed.values())),
        first=rows["told"].min(),
        last=rows["told"].max(),
    )


def show_papers(run: Run) -> None:
    """Draw a fold with a card for each paper."""
    fold = folded("papers", late=True)
    if fold.open:
        with fold:
            _papers(run)


def _papers(run: Run) -> None:
    """Draw a card for each paper: its novelty, the changed equation, and its system."""
    papers = papers_in_order()
    installed = checkpoints()
    for start in range(0, len(papers), 2):
        for column, (family, paper) in zip(st.columns(2), papers[start : start + 2], strict=False):
            with column:
                _paper(family, paper, installed[family.name], run.choices.checkpoint)


def checkpoints() -> dict[str, str | None]:
    """Return by family the installed checkpoint that shows its paper."""
    installed = list(filter(None, outlines().values()))
    return {family.name: checkpoint_for(family, installed) for family, _ in papers_in_order()}


def papers_in_order() -> list[tuple[Family, Paper]]:
    """Return the families with a paper, oldest first."""
    papers = [(family, family.paper) for family in families().values() if family.paper]
    return sorted(papers, key=lambda pair: pair[1].at)


def title_of(family: Family) -> str:
    return named(f"timeline-{family.name}", family.name)


def checkpoint_for(family: Family, installed: Sequence[Outline]) -> str | None:
    """Return the checkpoint that shows a paper, preferably one trained for the lineage."""
    shown_by = family.paper.shown_by if family.paper else ""

    def order(outline: Outline) -> tuple[bool, bool, str]:
        # False sorts first.
        return outline.name != shown_by, not outline.of_lineage, outline.name

    fitting = (outline for outline in installed if outline.architecture == family.name)
    first = min(fitting, key=order, default=None)
    return first.name if first else None


def _paper(family: Family, paper: Paper, checkpoint: str | None, opened: str) -> None:
    with st.container(border=True, key=f"timeline_{family.name}", gap="small"):
        title = title_of(family)
        st.markdown(f"## {int(paper.at)} · {title}")
        if current_words().has(f"timeline-{family.name}-new"):
            paragraph(f"timeline-{family.name}-new")
        st.markdown(f"${paper.equation}$")
        if checkpoint is None:
            caption("timeline-not-installed")
        elif checkpoint == opened:
            caption("timeline-opened")
        else:
            button(
                f"timeline_open_{family.name}",
                open_checkpoint,
                checkpoint,
                words="timeline-open",
                icon="open_in_new",
                values={"title": title},
            )
