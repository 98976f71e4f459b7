"""Offers of a model to views, and reasons why a view does not fit.

A reason is a fact of the model, or a limit of this app. Facts come from `model.readers.absent`,
messages ``none-<fact>``. Others say what the app cannot do, ``need-<need>``, or that a check
refuted a claim of the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.interventions.intervention import hiding_places
from core.records.sources import TokenSequence
from model import Reader
from model.readers.reader import withdrawn_message
from model.readers.recordings import Recording

from .checkpoints import opened, outlines
from .messages import say
from .model_cache import once_a_model

BEHIND = {
    "leave-out": ("change-unread", "change-hide"),
    "position-table": ("positions", "learned-positions"),
}
"""Capabilities that a need of a run rests on."""


@dataclass(frozen=True)
class AbsenceReason:
    """A reason as text, and if it is a fact of the model."""

    text: str
    is_fact: bool


def why_not(reader: Reader, lacks: Sequence[str]) -> AbsenceReason:
    """Return the reason why the needs `lacks` are not met; only the facts, if there are any."""
    none = reader.has_none
    # Several needs may rest on one fact.
    if facts := dict.fromkeys(none[need] for need in lacks if need in none):
        return AbsenceReason(" ".join(say(f"none-{fact}") for fact in facts), is_fact=True)
    return AbsenceReason(" ".join(_limit(reader, need) for need in lacks), is_fact=False)


def _limit(reader: Reader, need: str) -> str:
    """Return why a need is not met by a model that may have the thing."""
    for claim in BEHIND.get(need, (need,)):
        if claim in reader.withdrawn:
            return say(withdrawn_message(claim, reader.withdrawn[claim]))
    return say(f"need-{need}")


def offers(reader: Reader) -> frozenset[str]:
    """Return what a view may need: capabilities of the model, and properties of its sites."""
    sites = reader.sites
    facts = {
        "model": not isinstance(reader, Recording),
        "text": _reads_text(reader),
        "any-attention": bool(sites),
        "self-attention": any(site.is_self for site in sites),
        "causal-attention": any(site.causal for site in sites),
        "source-attention": any((s.query, s.key) == ("target", "source") for s in sites),
        "leave-out": bool(hiding_places(sites, reader.capabilities)),
        "position-table": bool({"positions", "learned-positions"} & reader.capabilities),
        "lineage": _has_lineage(reader),
        "several-heads": sum(site.n_layers * site.n_heads for site in sites) > 1,
    }
    return reader.capabilities | {need for need, is_met in facts.items() if is_met}


@once_a_model
def _reads_text(reader: Reader) -> bool:
    """Return True if the kind of source that the model reads is a text."""
    return isinstance(reader.tokenize(reader.example), TokenSequence)


def _has_lineage(reader: Reader) -> bool:
    """Return True if a lineage system reads the same languages, or none is installed."""
    systems = [
        outline for outline in outlines().values() if outline is not None and outline.of_lineage
    ]
    # A model opened by path is compared with any lineage, since no other could be brought.
    if reader.card.at in opened() or not systems:
        return True
    return any(system.languages == tuple(reader.card.languages) for system in systems)
