"""All heads of a run and the open one, drawn in the browser, which needs no server to choose.

All maps are sent once. Choices arrive in Python afterwards as `Chosen`; `tell_heads` sends the open
head to the browser when something else decided it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .. import Packed, component, place_below, sent, sound_places

# Positions accepted from a browser, beyond any source.
MOST_HIDDEN = 10**4

_mount = component("heads")
_tell = component("heads_told")
ALL = "all"
"""Role filter that lets every head pass."""


@dataclass(frozen=True)
class Places:
    """The open head of one site and its chosen tokens, as positions on screen."""

    layer: int
    head: int
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()


@dataclass(frozen=True)
class Chosen:
    """A choice that the browser sent."""

    kind: str  # site
    badge: str  # quantity written under each head
    places: Mapping[str, Places]  # by site
    number: int = 0
    role: str = ALL  # only its heads are bright
    hidden: tuple[int, ...] | None = None  # source positions, some of which a run may lack


@dataclass(frozen=True)
class Sizes:
    """Upper limits of a site's indices on screen."""

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
    """Return the browser's choice; None if it is invalid or about another sentence."""
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
    """Mount the component; `on_choice` is called when the reader has chosen something else.

    The choice is ``st.session_state[key]["choice"]``, read by `read_chosen`. `data` is drawn by
    ``heads.js`` (`ui.attention.drawing` packs it).
    """
    _mount(key=key, data=data, on_choice_change=on_choice)


def tell_heads(
    chosen: Chosen, *, of: str, identity: str, scores: Mapping[str, Any] | None = None
) -> None:
    """Send the open head to the component of the key `of`."""
    # A second component, because new data for the first would send all maps again.
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
