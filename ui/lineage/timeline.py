"""Timeline from 2014 to 2019: novelty, changed equation and checkpoint of each paper."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import get_args

import pandas as pd
import streamlit as st

from core.card import Outline
from model.family import Family, Paper, Sources
from model.registry import families
from ui.kit.blocks import picture
from ui.kit.controls import button, click_count, clicked
from ui.kit.layout import caption, paragraph, subtitle
from ui.state import Run, open_checkpoint, outlines
from ui.words import current_words, named, say
from viz.lineage import PAPER, paper_line

from .chosen import CHOSEN, rivals

KINDS = get_args(Sources)


def take_paper(run: Run) -> None:
    """Show or hide the system of the clicked dot, before the systems are chosen."""
    name = clicked("timeline", PAPER).get("name")
    chosen = st.session_state.get(CHOSEN)
    if chosen is not None and name in {each.name for each in rivals(run)}:
        others = [each for each in chosen if each != name]
        st.session_state[CHOSEN] = others if name in chosen else [*chosen, name]


def show_line(run: Run, shown: Collection[str]) -> None:
    """Draw the papers on a line of years; a click shows or hides their system above."""
    told = papers_in_order()
    there = checkpoints()
    able = {each.name for each in rivals(run)}
    kinds = {kind: say(f"timeline-kind-{kind}") for kind in KINDS}
    papers = pd.DataFrame(
        {
            "label": title_of(family),
            "at": paper.at,
            "told": str(int(paper.at)),
            "kind": kinds[paper.sources],
            "name": name if (name := there[family.name]) in able else "",
            "marked": name in shown,
        }
        for family, paper in told
    )
    years = {"first": papers["told"].min(), "last": papers["told"].max()}
    sizes = {"n": len(told), "there": sum(map(bool, there.values()))}
    subtitle("timeline-title")
    picture(
        "timeline",
        paper_line(papers, tuple(kinds.values()), click=click_count("timeline")),
        clicks=True,
        numbers=papers[["label", "at", "kind"]],
        **sizes,
        **years,
    )


def show_papers(run: Run) -> None:
    """Draw a card for each paper: its novelty, the changed equation, and its system."""
    told = papers_in_order()
    there = checkpoints()
    subtitle("timeline-papers")
    for start in range(0, len(told), 2):
        for column, (family, paper) in zip(st.columns(2), told[start : start + 2], strict=False):
            with column:
                _paper(family, paper, there[family.name], run.choices.checkpoint)


def checkpoints() -> dict[str, str | None]:
    """Return by family the installed checkpoint that shows its paper."""
    installed = list(filter(None, outlines().values()))
    return {family.name: checkpoint_for(family, installed) for family, _ in papers_in_order()}


def papers_in_order() -> list[tuple[Family, Paper]]:
    """Return the families with a paper, oldest first."""
    told = [(family, family.paper) for family in families().values() if family.paper]
    return sorted(told, key=lambda pair: pair[1].at)


def title_of(family: Family) -> str:
    return named(f"timeline-{family.name}", family.name)


def checkpoint_for(family: Family, installed: Sequence[Outline]) -> str | None:
    """Return the checkpoint that shows a paper, preferably one trained for the lineage."""
    shown_by = family.paper.shown_by if family.paper else ""

    def order(each: Outline) -> tuple[bool, bool, str]:
        # False sorts first.
        return each.name != shown_by, not each.of_lineage, each.name

    fitting = (each for each in installed if each.architecture == family.name)
    found = min(fitting, key=order, default=None)
    return found.name if found else None


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
            how = {"words": "timeline-open", "icon": "open_in_new", "values": {"title": title}}
            button(f"timeline_open_{family.name}", open_checkpoint, checkpoint, **how)
