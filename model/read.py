"""Reading what is known already: what a decoder is given, and the maps of the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from records import AttentionMap, AttentionSite, Sides, Source

from .capture import Captured
from .masks import causal_mask

MayLook = Callable[[str, int, int], np.ndarray]
"""From a site's name and the numbers of queries and keys to where its heads may look, bool
(L, H, n_queries, n_keys)."""


def read_ids(config: Any, tgt_ids: Sequence[int]) -> tuple[int, ...]:
    """What a decoder reads while it is to produce `tgt_ids`: ``<s>``, then all but the last."""
    return (config.bos_id, *tgt_ids[:-1])


def sides_of(src: Source, read_tokens: tuple[str, ...] = ()) -> Sides:
    """The names of the positions on every side of a run."""
    return {**src.sides, "target": (read_tokens,)}


def maps_of(
    captured: Captured,
    sites: Sequence[AttentionSite],
    sides: Sides,
    produced: tuple[str, ...] | None = None,
    *,
    place: int = 0,
    may_look: MayLook | None = None,
) -> tuple[AttentionMap, ...]:
    """The maps of a run at every site that was heard, in the order of `sites`.

    Parameters
    ----------
    sides : names of the positions on each side (see `sides_of`)
    produced : what the rows of the target produce
    place : which sentence of the batch
    may_look : where an intervention lets the heads look; None for the model's own masks

    Raises
    ------
    ValueError : what was captured has not as many rows or columns as its sides have positions.
    """
    return tuple(
        _map(captured, site, item, sides, produced, place, may_look)
        for site in sites
        for item in range(captured.n_items(site.name))
    )


def _map(
    captured: Captured,
    site: AttentionSite,
    item: int,
    sides: Sides,
    produced: tuple[str, ...] | None,
    place: int,
    may_look: MayLook | None,
) -> AttentionMap:
    queries, keys = (
        side[item] if len(side) > 1 else side[0] for side in (sides[site.query], sides[site.key])
    )
    mask = causal_mask(len(queries)).numpy() if site.causal else None
    head_masks = None
    if may_look is not None:
        seen = may_look(site.name, len(queries), len(keys))
        mask = seen.any(axis=(0, 1))
        head_masks = None if (seen == mask).all() else seen
        mask = None if mask.all() else mask
    return AttentionMap(
        site=site,
        weights=captured.weights(site.name, item)[place],
        query_tokens=queries,
        key_tokens=keys,
        output_tokens=produced if site.query == "target" else None,
        scores=captured.scores(site.name, item)[place] if captured.has_scores(site.name) else None,
        mask=mask,
        head_masks=head_masks,
        item=item,
    )
