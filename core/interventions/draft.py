"""Intervention that a person is editing: its parts in words, its masks, and notes on its effect."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np

from words import Message, site_title

from ..records.attention import TRANSFORMER_SITES, AttentionSite
from .base import Change, ChangeError, Names
from .intervention import Intervention
from .kinds import AblatedHead, HiddenToken, LiftedMask, Positions

MOST_QUOTED = 40
"""Characters of a bad number quoted in an error."""


def split(
    change: Intervention, sites: Mapping[str, AttentionSite] = TRANSFORMER_SITES
) -> tuple[Intervention, Intervention, Intervention]:
    """Split an intervention into entries for any sentence, for this source, and for this target.

    The second part names positions of the source alone; the third holds every other entry that
    names positions.
    """
    general: list[Change] = []
    on_source: list[Change] = []
    on_target: list[Change] = []
    for entry in change:
        sides = entry.sides(sites)
        (on_target if sides - {"source"} else on_source if sides else general).append(entry)
    return Intervention(*general), Intervention(*on_source), Intervention(*on_target)


def open_slices(*indices: int | None) -> tuple[slice, ...]:
    """Return slices that select `indices` along the axes of an array; None selects a whole axis."""
    return tuple(slice(None) if i is None else slice(i, i + 1) for i in indices)


def forbidden_by(change: Intervention, site: AttentionSite, shape: Sequence[int]) -> np.ndarray:
    """Return the cells that the intervention masks, bool (L, H, T_q, T_k) of the given shape.

    True where attention is *forbidden*, the opposite of `AttentionMap.mask`.
    """
    forbidden = np.zeros(tuple(shape), bool)
    forbidden[..., [p for p in change.unseen_at(site) if p < shape[3]]] = True
    for cell in change.masked:
        if cell.site == site.name:
            forbidden[open_slices(cell.layer, cell.head, cell.query, cell.key)] = True
    return forbidden


def ablations_of(change: Intervention, site: AttentionSite) -> np.ndarray:
    """Return how each head of a site is ablated, (L, H) of "", "zero", "mean" or "uniform"."""
    ablations = np.full((site.n_layers, site.n_heads), "", dtype=object)
    # General entries first, so that an entry for one head overwrites one for its layer.
    for entry in sorted(change.ablated, key=lambda entry: -entry.n_open):
        if entry.site == site.name:
            ablations[open_slices(entry.layer, entry.head)] = entry.ablation
    return ablations


def shortest_ablations(site: str, off: np.ndarray) -> tuple[AblatedHead, ...]:
    """Return the fewest entries for an (L, H) array of `ablations_of`: by site, layer or head."""
    if off.size and off[0, 0] and (off == off[0, 0]).all():
        return (AblatedHead(site, ablation=off[0, 0]),)
    entries = []
    for layer, heads in enumerate(off):
        if heads[0] and (heads == heads[0]).all():
            entries.append(AblatedHead(site, layer, ablation=heads[0]))
        else:
            entries += [AblatedHead(site, layer, h, name) for h, name in enumerate(heads) if name]
    return tuple(entries)


def parts_of(change: Intervention, names: Names) -> list[tuple[Message, Intervention]]:
    """Return every part of an intervention with its description.

    A token hidden from several sites is one part.
    """
    hidden: dict[int, list[HiddenToken]] = {}
    for token in sorted(change.of(HiddenToken), key=lambda token: token.position):
        hidden.setdefault(token.position, []).append(token)
    hidings = [(HiddenToken.words_of_all(t, names), Intervention(*t)) for t in hidden.values()]
    others = [(c.words(names), Intervention(c)) for c in change if not isinstance(c, HiddenToken)]
    first = len(change.of(LiftedMask))
    return [*others[:first], *hidings, *others[first:]]


def notes_on(change: Intervention, sites: Sequence[AttentionSite], names: Names) -> list[Message]:
    """Return notes on consequences of an intervention that are easily missed."""
    notes = []
    off = {site.name: ablations_of(change, site) for site in sites}
    for site in sites:
        ablations = off[site.name]
        title = site_title(site.name, "attention")
        if (ablations == "uniform").all():
            notes.append(Message.of("model-change-note-uniform", site=title))
        elif (ablations != "").all() and not (ablations == "uniform").any():
            of = "cross" if not site.is_self else site.query
            notes.append(Message.of("model-change-note-off", site=title, of=of))
    for row in change.overridden:
        chosen = off[row.site][open_slices(row.layer, row.head)]
        if chosen.size and np.isin(chosen, ["zero", "mean"]).all():
            heads = names.heads(row.site, row.layer, row.head)
            notes.append(Message.of("model-change-note-row", heads=heads))
    for positions in change.of(Positions):
        if positions.mode == "absent":
            masked = positions.side == "target" and change.causal
            side = "masked" if masked else positions.side
            notes.append(Message.of("model-change-note-absent", side=side))
    return notes


def read_weights(text: str, labels: Sequence[str], allowed: Sequence[bool]) -> tuple[float, ...]:
    """Read numbers typed by hand, one for each key, separated by blanks, commas or semicolons.

    A comma is decimal if no point occurs and blanks or semicolons separate the numbers.

    Raises
    ------
    ChangeError : a word is no number, the count is not that of `labels`, or a key that is not
        `allowed` gets a weight.
    """
    # "0,5 0,5" has decimal commas, "0.5,0.5" separating ones; "1,2" alone counts as two numbers.
    decimal = "." not in text and re.fullmatch(r"\s*\d+(,\d+)?([\s;]+\d+(,\d+)?)+\s*", text)
    words = re.split(r"[\s;]+" if decimal else r"[\s;,]+", text.strip(" \t\n;,"))
    weights = []
    for word in filter(None, words):
        try:
            # Python reads "1_0" as 10; a blank in place of "_" makes it no number.
            weights.append(float(word.replace(",", ".").replace("_", " ")))
        except ValueError:
            message = Message.of("masks-change-row-no-number", text=word[:MOST_QUOTED])
            raise ChangeError(message) from None
    if len(weights) != len(labels):
        raise ChangeError(
            Message.of("masks-change-row-count", found=len(weights), expected=len(labels))
        )
    for weight, label, may in zip(weights, labels, allowed, strict=True):
        # Weights that are not finite are reported by `OverriddenRow`.
        if weight and not may and math.isfinite(weight):
            raise ChangeError(Message.of("masks-change-row-unseen", token=label))
    return tuple(weights)
