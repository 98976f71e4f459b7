"""Menus of heads: of one site by layer and head, of several sites, and of the sites.

layer, head = head_picker("seen", attention.n_layers, attention.n_heads)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.weights.measures import strongest_head
from ui.frame.choices import choose
from ui.frame.messages import head_name, say, site_name
from ui.kit.controls import Style, button, choice
from viz.labels import full_head_name

EVERY = -1
"""Entry of a menu that stands for all layers, or all heads."""


def head_picker(
    key: str,
    n_layers: int,
    n_heads: int,
    *,
    default: tuple[int, int] | None = None,
    of: object = None,
    every: bool = False,
) -> tuple[int, int]:
    """Draw menus of layer and head, counted from 1 on the page and from 0 here.

    A menu with one entry is left out, unless `every` is set. Heads that are chosen `of` something
    are not kept in the address.

    Parameters
    ----------
    key : prefix of the menus' keys, ``<key>_layer`` and ``<key>_head``.
    default, of : as in `choice`.
    every : also offer all layers and all heads, `EVERY` in the result.
    """
    if n_layers * n_heads == 1 and not every:
        # A layer-wise measure has one head too, and keeps the open one for later.
        choose({f"{key}_layer": 0, f"{key}_head": 0})
    first_layer, first_head = default or (None, None)
    layer = _index_menu(key, "layer", n_layers, default=first_layer, of=of, every=every)
    head = _index_menu(key, "head", n_heads, default=first_head, of=of, every=every)
    return layer, head


def _index_menu(
    key: str, name: str, count: int, *, default: int | None, of: object, every: bool
) -> int:
    """Draw a menu of `head_picker`, unless there is nothing to choose."""
    if count == 1 and not every:
        return 0
    return choice(
        f"{key}_{name}",
        range(EVERY if every else 0, count),
        words=name,
        style="select",
        address=of is None,
        default=default,
        of=of,
        text=_counted,
        spell=lambda index: str(index + 1),
        width=84,
    )


def full_head_menu(key: str, heads: Sequence[tuple[str, int, int]], **choice_kwargs: Any) -> Any:
    """Draw a menu of heads of several sites, "encoder-4-8" in the address."""
    names = {head: full_head_name(*head) for head in heads}
    ids = {head: f"{head[0]}-{head[1] + 1}-{head[2] + 1}" for head in heads}
    return choice(
        key,
        heads,
        style="select",
        text=names.__getitem__,
        spell=ids.__getitem__,
        # Older addresses hold the label instead of the id.
        old={names[head]: id for head, id in ids.items()},
        **choice_kwargs,
    )


def _counted(index: int) -> str:
    return say("every") if index == EVERY else str(index + 1)


def site_menu(
    key: str,
    sites: Sequence[str],
    *,
    style: Style = "select",
    address: bool = False,
    width: int | str = 120,
    **choice_kwargs: Any,
) -> str:
    """Draw a menu of sites, ``<key>_kind``, if there are several; arguments as in `choice`."""
    if len(sites) == 1:
        return sites[0]
    return choice(
        f"{key}_kind",
        sites,
        words="kind",
        style=style,
        address=address,
        width=width,
        text=lambda name: site_name(name, "short"),
        **choice_kwargs,
    )


def open_best(key: str, per_head: np.ndarray, opened: tuple[int, int]) -> None:
    """Draw a button to the head with the largest number, unless it is open.

    `key` is that of `head_picker`; the message ``<key>_best`` names the number.
    """
    best = strongest_head(per_head)
    if best != opened and per_head[best] > 0:
        button(
            f"{key}_best",
            choose,
            {f"{key}_layer": best[0], f"{key}_head": best[1]},
            icon="arrow_forward",
            values={"head": head_name(*best), "share": per_head[best]},
        )
