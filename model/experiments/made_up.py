"""What a model has to say of any pair of texts: how likely one is given the other, and what it
looks at."""

from __future__ import annotations

from core.made_up import Signs, aligning_head

from ..translator import Translator
from . import experiment
from .explain import site_across
from .share import share_of


@experiment("teacher-forcing")
def signs_of(
    reader: Translator,
    read: str,
    written: str,
    names: tuple[str, str] = ("sentence", "translation"),
) -> Signs:
    """Teacher-force `written` after `read`, and after an empty text. `names` are what the texts are
    called where one is refused."""
    src, tgt = reader.source_of(read, names[0]), reader.target_of(written, names[1])
    record, log_probs = reader.read_again(src, tgt)
    _, alone = reader.read_again(reader.tokenize(""), tgt)
    site, place = site_across(reader.model), aligning_head(reader.card.roles)
    sharp = share = None
    if site is not None and place is not None:
        sharp = float(record.of(site.name).head(*place).max(axis=-1).mean())
    if {"vectors", "block", "change-causal"} <= reader.capabilities:
        share = float(share_of(reader, record).of_source.mean())
    return Signs(float(log_probs.mean()), float(alone.mean()), sharp, share)
