"""What a change of the model's run moved: weight, and the tokens it made less likely."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from records import AttentionMap, AttentionRecord

from .pairs import moved

HeadPlace = tuple[str, int, int]
"""A site's name, a layer and a head."""


def moved_mass(before: AttentionMap, after: AttentionMap) -> np.ndarray:
    """How much of a row's weight moved in each head of a site, mean over rows, (L, H), 0 to 1.

    Both maps are of the same tokens.
    """
    return moved(after.weights - before.weights)


def most_moved_head(
    before: AttentionRecord, after: AttentionRecord, site: str | None = None
) -> tuple[HeadPlace, float]:
    """The head in which most weight moved, of one site or of all, and how much.

    Where nothing moved it is the first head of the last site.
    """
    best: tuple[HeadPlace, float] | None = None
    for attention in reversed(before.maps):
        if site not in (None, attention.kind):
            continue
        per_head = moved_mass(attention, after.of(attention.kind))
        layer, head = np.unravel_index(int(per_head.argmax()), per_head.shape)
        amount = float(per_head[layer, head])
        if best is None or amount > best[1]:
            best = (attention.kind, int(layer), int(head)), amount
    if best is None:
        raise ValueError(f"no attention at {site!r}")
    return best


def telling_position(
    ids: Sequence[int], other_ids: Sequence[int], change: np.ndarray
) -> tuple[int, str]:
    """Where to look in an output after a change.

    Parameters
    ----------
    ids, other_ids : the output without the change and with it.
    change : (T_tgt,) how the log-probability of each token of the first changed.

    Returns
    -------
    the first position where the two part, and "difference"; where the second only goes on, the
    position that lost most, and "drop".
    """
    for place, token_id in enumerate(ids):
        if place >= len(other_ids) or other_ids[place] != token_id:
            return place, "difference"
    return int(np.argmin(change)), "drop"
