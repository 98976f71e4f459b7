"""Heads removed one by one: which of translation, pronouns and alignment breaks first."""

from __future__ import annotations

from core.measurements import PRUNING
from core.pruning import pruning_facts, pruning_table
from ui.kit.blocks import picture
from ui.kit.controls import choice
from ui.kit.layout import controls, finding
from ui.state import Run
from ui.stored import stored_box, tell_source
from ui.words import site_name, stated
from viz.pruning import pruning_lines


def show(run: Run) -> None:
    """The curves of one site, as they were measured of this checkpoint."""
    stored = run.card.lies(PRUNING)
    if stored.state != "found":
        stored_box(stored)
        return
    measured = stored.part
    with controls():
        site = choice(
            "pruning_site", tuple(measured.sites), words="kind", title=False, text=site_short
        )
    of = measured.sites[site]
    rows = pruning_table(of)
    finding(stated("pruning-found", **pruning_facts(of)))
    told = {"site": site_name(site, "attention"), "n": max(measured.sentences.values())}
    picture("pruning", pruning_lines(rows, site), numbers=rows, seeds=len(of.random), **told)
    tell_source(stored.values)


def site_short(site: str) -> str:
    return site_name(site, "short")
