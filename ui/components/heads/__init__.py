"""Every head of a run and the open one, drawn in the browser: choosing there asks nobody.

All maps travel once. What the reader has chosen is heard by Python afterwards as a `Chosen`;
`tell_heads` says what is open when something else than the component decided it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .. import Packed, component, place_below, sent, sound_places

MOST_HIDDEN = 10**4

_mount = component("heads")
_tell = component("heads_told")
ALL = "all"
"""Heads of any role."""


@dataclass(frozen=True)
class Places:
    """The open head of one site and what is chosen there, as positions on screen."""

    layer: int
    head: int
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()


@dataclass(frozen=True)
class Chosen:
    kind: str  # the site
    badge: str  # the number under each head
    places: Mapping[str, Places]  # of every site
    number: int = 0
    role: str = ALL  # whose heads alone are bright
    hidden: tuple[int, ...] | None = None  # positions of the source, some of which it may lack


@dataclass(frozen=True)
class Sizes:
    """How far the counts of one site go on screen."""

    layers: int
    heads: int
    rows: int
    columns: int


def read_chosen(
    value: Any,
    identity: str,
    sizes: Mapping[str, Sizes],
    badges: Sequence[str],
    roles: Sequence[str] = (ALL,),
) -> Chosen | None:
    """What a browser sent; None when it makes no sense or is about another sentence."""
    value = sent(value, identity)
    kind, badge, role, foci = (value.get(name) for name in ("kind", "badge", "role", "foci"))
    named = isinstance(kind, str) and kind in sizes and badge in badges and role in roles
    if not named or not isinstance(foci, dict):
        return None
    places = {name: _places(foci.get(name), size) for name, size in sizes.items()}
    if None in places.values():
        return None
    hidden = sound_places(value.get("hidden"), MOST_HIDDEN)
    return Chosen(kind, badge, places, value["number"], role, hidden)


def _places(value: Any, size: Sizes) -> Places | None:
    if not isinstance(value, dict):
        return None
    found = (
        place_below(value.get("layer"), size.layers),
        place_below(value.get("head"), size.heads),
        sound_places(value.get("rows"), size.rows),
        sound_places(value.get("columns"), size.columns),
    )
    return None if None in found else Places(*found)


def show_heads(data: Packed, *, key: str, on_choice: Callable[[], None]) -> None:
    """Show the component; `on_choice` is called when the reader has chosen something else.

    The choice is found in the session as ``st.session_state[key]["choice"]``; `read_chosen` reads
    it. `data` is what ``heads.js`` draws (`ui.attention.drawing` makes and packs it).
    """
    _mount(key=key, data=data, on_choice_change=on_choice)


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
            "role": chosen.role,
            "foci": {name: asdict(places) for name, places in chosen.places.items()},
            "scores": scores,
        },
        height=1,
    )
