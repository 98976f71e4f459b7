"""Every head of a run and the open one, drawn in the browser: choosing there asks nobody.

All maps travel once. What the reader has chosen is heard by Python afterwards as a `Chosen`;
`tell_heads` says what is open when something else than the component decided it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from .. import script, sound_places, style, whole

_HERE = Path(__file__).resolve().parent

_mount = st.components.v2.component(
    "attention_lab_heads",
    html=(_HERE / "heads.html").read_text(encoding="utf-8"),
    css=style(_HERE, "heads"),
    js=script(_HERE, "heads"),
)
_tell = st.components.v2.component(
    "attention_lab_heads_told",
    html="<span></span>",
    js=(_HERE / "told.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True)
class Places:
    """The open head of one site and what is chosen there, as positions on screen."""

    layer: int
    head: int
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()


@dataclass(frozen=True)
class Chosen:
    """What the reader has open."""

    kind: str
    badge: str
    places: Mapping[str, Places]
    number: int = 0


@dataclass(frozen=True)
class Sizes:
    """How far the counts of one site go on screen."""

    layers: int
    heads: int
    rows: int
    columns: int


def read_chosen(
    value: Any, identity: str, sizes: Mapping[str, Sizes], badges: Sequence[str]
) -> Chosen | None:
    """What a browser sent; None when it makes no sense or is about another sentence."""
    if not isinstance(value, dict) or value.get("identity") != identity:
        return None
    kind, badge, foci = (value.get(name) for name in ("kind", "badge", "foci"))
    number = whole(value.get("number"))
    named = isinstance(kind, str) and kind in sizes and badge in badges
    if not named or number is None or not isinstance(foci, dict):
        return None
    places = {name: _places(foci.get(name), size) for name, size in sizes.items()}
    if None in places.values():
        return None
    return Chosen(kind, badge, places, number)


def _places(value: Any, size: Sizes) -> Places | None:
    if not isinstance(value, dict):
        return None
    layer, head = _below(value.get("layer"), size.layers), _below(value.get("head"), size.heads)
    rows, columns = (
        sound_places(value.get(name), count)
        for name, count in (("rows", size.rows), ("columns", size.columns))
    )
    if layer is None or head is None or rows is None or columns is None:
        return None
    return Places(layer, head, rows, columns)


def _below(value: Any, count: int) -> int | None:
    found = sound_places([value], count)
    return found[0] if found else None


def show_heads(data: Mapping[str, Any], *, key: str, on_choice: Callable[[], None]) -> None:
    """Show the component; `on_choice` is called when the reader has chosen something else.

    The choice is found in the session as ``st.session_state[key]["choice"]``; `read_chosen` reads
    it. `data` is what ``heads.js`` draws (`ui.attention.drawing` makes it).
    """
    _mount(key=key, data={**data, "key": key}, on_choice_change=on_choice)


def tell_heads(
    chosen: Chosen, *, of: str, identity: str, scores: Mapping[str, Any] | None = None
) -> None:
    """Say what is open to the component of the key `of`."""
    _tell(
        key=f"{of}_told",
        data={
            "of": of,
            "identity": identity,
            "answered": chosen.number,
            "kind": chosen.kind,
            "badge": chosen.badge,
            "foci": {name: asdict(places) for name, places in chosen.places.items()},
            "scores": scores,
        },
        height=1,
    )
