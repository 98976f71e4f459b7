"""Two columns or rows of tokens with the links of attention heads between them.

Hovering is handled in the browser; a click arrives in Python as a `RibbonChoice`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.records.attention import AttentionMap
from core.weights.links import Links, Side
from ui.frame.messages import say
from viz.ribbons import head_colour

from .. import component, sent, sound_places, steps_of, template

_mount = component("ribbons")


@dataclass(frozen=True)
class RibbonChoice:
    """Chosen tokens and heads."""

    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    side: Side = "query"  # whose links are drawn if tokens of both are locked
    heads: tuple[int, ...] = (0,)  # heads that are on, ascending; may be empty
    number: int = 0


def read_choice(
    value: Any, identity: str, n_heads: int, n_queries: int, n_keys: int
) -> RibbonChoice | None:
    """Return the browser's choice; None if it is invalid or about another picture."""
    value = sent(value, identity)
    rows = sound_places(value.get("rows"), n_queries)
    columns = sound_places(value.get("columns"), n_keys)
    heads = sound_places(value.get("heads"), n_heads)
    side = value.get("side")
    if rows is None or columns is None or heads is None or side not in ("query", "key"):
        return None
    return RibbonChoice(rows, columns, side, heads, value["number"])


def ribbons(
    attention: AttentionMap,
    links: Links,
    choice: RibbonChoice,
    *,
    key: str,
    identity: str,
    query_labels: Sequence[str],
    key_labels: Sequence[str],
    open_head: int,  # stays on when "all heads" is switched off
    roles: Sequence[str] = (),  # a word for each head, empty without a role
    horizontal: bool = False,  # two rows, queries below and keys above
    on_choice: Callable[[], None],
) -> None:
    """Mount the component; `on_choice` is called when the reader has chosen something else."""
    _mount(
        key=key,
        data={
            "identity": identity,
            "labels": {"query": list(query_labels), "key": list(key_labels)},
            "colours": [head_colour(head) for head in range(attention.n_heads)],
            "weights": steps_of(attention.weights[links.layer], attention.mask),
            "links": places_of(links, attention.weights.shape[2:]),
            "open": open_head,
            "roles": list(roles),
            "horizontal": horizontal,
            "answered": choice.number,
            "choice": {
                "rows": choice.rows,
                "columns": choice.columns,
                "side": choice.side,
                "heads": choice.heads,
            },
            "words": _words(horizontal=horizontal),
        },
        on_choice_change=on_choice,
    )


def _words(*, horizontal: bool) -> dict[str, Any]:
    turned = "-up" if horizontal else ""
    return {
        "heads": say("ribbons-heads"),
        "chip": template("ribbons-chip", "head"),
        "chip_hint": say("ribbons-chip-hint"),
        "every": say("ribbons-every"),
        "every_hint": say("ribbons-every-hint"),
        "none": say("ribbons-none"),
        "some": template("ribbons-some", "most", "all"),
        "point": say("ribbons-point"),
        "quoted": template("quoted", "text"),
        "end": template("ribbons-end", "token", "weight"),
        "end_of": template("ribbons-end-of", "token", "weight", "head"),
        "more": template("ribbons-more", "list"),
        "nothing": say("ribbons-nothing"),
        "several": say("ribbons-several"),
        "several_hint": say("ribbons-several-hint"),
        "clear": say("ribbons-clear"),
        "mean": say("figures-ribbons-mean"),
        "sum": say("figures-ribbons-sum"),
        "end_several": template("ribbons-end-several", "token", "weight", "sum"),
        "end_several_of": template("ribbons-end-several-of", "token", "weight", "sum", "head"),
        "several_told": template(
            "ribbons-attends-several", "who", "list", "part", "n", "mean", "sum"
        ),
        "query": {
            "side": say("ribbons-queries"),
            "title": say(f"figures-ribbons-query{turned}"),
            "token": template("ribbons-query", "place", "token"),
            "told": template("ribbons-attends", "who", "list", "part"),
        },
        "key": {
            "side": say("ribbons-keys"),
            "title": say(f"figures-ribbons-key{turned}"),
            "token": template("ribbons-key", "place", "token"),
            "told": template("ribbons-attended", "who", "list", "part"),
        },
    }


def places_of(links: Links, size: tuple[int, int]) -> np.ndarray:
    """Return the flat indices of the links in weights (H, T_q, T_k), as 32-bit integers."""
    n_queries, n_keys = size
    # int64, because the product would overflow the smaller type of the indices.
    places = (links.head.astype(np.int64) * n_queries + links.query) * n_keys + links.key
    return places.astype("<u4")
