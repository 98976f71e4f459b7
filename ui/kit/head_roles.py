"""Heads that a model's card names, their measured roles, and sentences that several pages say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.atlas import ATLAS, HeadCard, SiteAtlas
from core.card import CheckpointCard
from core.records.attention import AttentionMap, AttentionSite
from core.roles import HeadRole, roles_of
from core.storage import Interval
from model import Reader
from ui.frame.messages import say
from ui.frame.model_cache import once_a_model
from ui.frame.run import Run

OfSites = Mapping[str, Mapping[tuple[int, int], HeadRole]]
"""Measured roles by site and (layer, head); empty if nothing was measured."""


def roles_in(run: Run) -> OfSites:
    """Return the roles by site, without sites whose heads differ from the measured ones."""
    if run.card.roles is None:
        return {}
    measured = {site: roles_at(run.translator, site.name) for site in run.record.sites}
    return {
        site.name: roles
        for site, roles in measured.items()
        # A measurement of another number of heads cannot be matched to these.
        if len(roles) == site.n_layers * site.n_heads
    }


@once_a_model
def roles_at(reader: Reader, site: str) -> Mapping[tuple[int, int], HeadRole]:
    """Return the measured roles of a site by head; empty if nothing was measured."""
    measured = reader.card.roles
    return {} if measured is None else roles_of(measured, site)


@once_a_model
def atlas_sites(reader: Reader) -> Mapping[str, SiteAtlas]:
    """Return the stored atlas by site; empty if nothing was measured."""
    atlas = reader.card.measured(ATLAS).part
    return atlas.sites if atlas else {}


def relation_words(card: HeadCard) -> str:
    """Return the relation that a head follows more often than any fixed offset, or ""."""
    relation = card.relation
    if relation is None or relation.value <= relation.offset:
        return ""
    return say(
        "atlas-relation",
        name=relation.name,
        to="head" if relation.to_head else "dependent",
        value=relation.value,
        offset=relation.offset,
        n=relation.n,
    )


def off_words(ablation: str, off: Interval) -> str:
    """Return a sentence on the change when the head is ablated in the way `ablation`."""
    return say(
        "role-off",
        how=say(f"role-off-{ablation}"),
        # The 95 % interval excludes zero.
        matters=not off.low <= 0 <= off.high,
        change=off.value,
        low=off.low,
        high=off.high,
    )


def guided_heads(card: CheckpointCard, first: str) -> dict[str, tuple[int, int]]:
    """Return by site the head that was trained with guidance; `first` if the card names no site."""
    guided = card.guided or {}
    head = head_of(guided)
    return {} if head is None else {guided.get("kind", first): head}


def head_of(entry: Any) -> tuple[int, int] | None:
    """Return the layer and head of an entry of a card, or None if it is malformed."""
    match entry:
        case {"layer": int(layer), "head": int(head)} if layer >= 0 and head >= 0:
            return layer, head
    return None


def head_in(
    of: AttentionMap | AttentionSite, head: tuple[int, int] | None
) -> tuple[int, int] | None:
    """Return the head of a card if the map or site has it, else None."""
    inside = head and head[0] < of.n_layers and head[1] < of.n_heads
    return head if inside else None


def measured_head(card: CheckpointCard, attention: AttentionMap) -> tuple[int, int] | None:
    """Return the head that follows the antecedent by evaluation, if card and map have it."""
    return head_in(attention, head_of(card.heads.get(attention.site_id)))
