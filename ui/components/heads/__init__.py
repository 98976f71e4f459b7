"""All heads of a run and the open one, drawn in the browser, which needs no server to choose.

All maps are sent once; of a site with very many weights only small pictures, and the open head by
itself (`send_head`). `tell_heads` sends the open head to the browser and receives the choices of
the reader (`HeadsChoice`), so a choice redraws what stands beside `tell_heads`, not the heads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ui.kit.focus import HeadSelection

from .. import browser_sent, component, place_below, sent, sound_places

# Positions accepted from a browser, beyond any source.
MOST_HIDDEN = 10**4

_mount = component("heads")
_tell = component("heads_told")
ALL = "all"
"""Role filter that lets every head pass."""


@dataclass(frozen=True)
class HeadsChoice:
    """A choice that the browser sent, or the one that it is told."""

    site: str
    badge: str  # quantity written under each head
    selections: Mapping[str, HeadSelection]  # by site, as positions on screen
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
) -> HeadsChoice | None:
    """Return the browser's choice; None if it is invalid or about another sentence."""
    value = sent(value, identity)
    site, badge, role, foci = (value.get(name) for name in ("kind", "badge", "role", "foci"))
    named = isinstance(site, str) and site in sizes and badge in badges and role in roles
    if not named or not isinstance(foci, dict):
        return None
    selections: dict[str, HeadSelection] = {}
    for name, size in sizes.items():
        selection = _selection(foci.get(name), size)
        if selection is None:
            return None
        selections[name] = selection
    hidden = sound_places(value.get("hidden"), MOST_HIDDEN)
    return HeadsChoice(site, badge, selections, value["number"], role, hidden)


def _selection(value: Any, size: Sizes) -> HeadSelection | None:
    if not isinstance(value, dict):
        return None
    layer = place_below(value.get("layer"), size.layers)
    head = place_below(value.get("head"), size.heads)
    rows = sound_places(value.get("rows"), size.rows)
    columns = sound_places(value.get("columns"), size.columns)
    if layer is None or head is None or rows is None or columns is None:
        return None
    return HeadSelection(layer, head, rows, columns)


def show_heads(data: bytes, *, key: str) -> None:
    """Mount the component; ``heads.js`` draws `data` (`ui.pages.attention.drawing` packs it)."""
    _mount(key=key, data=data)


def sent_choice(of: str) -> Any:
    """Return the reader's choice among the heads of the key `of`, for `read_chosen`."""
    return browser_sent(f"{of}_told", "choice")


def tell_heads(
    choice: HeadsChoice,
    *,
    of: str,
    identity: str,
    on_choice: Callable[[], None],
    scores: Mapping[str, Any] | None = None,
    numbers: Mapping[str, Any] | None = None,
) -> None:
    """Send the open head to the component of the key `of`, and receive choices from it.

    Parameters
    ----------
    on_choice : called when the reader has chosen something else (`sent_choice`).
    numbers : of the chosen tokens in each head, for sites whose maps the browser lacks.
    """
    # A second component, because new data for the first would send all maps again.
    _tell(
        key=f"{of}_told",
        data={
            "of": of,
            "identity": identity,
            "answered": choice.number,
            "kind": choice.site,
            "badge": choice.badge,
            "role": choice.role,
            "foci": {site: vars(selection) for site, selection in choice.selections.items()},
            "scores": scores,
            "numbers": numbers or {},
        },
        height=1,
        on_choice_change=on_choice,
    )


def send_head(of: str, drawing: str, head: Mapping[str, Any]) -> None:
    """Send one head of a large site to the component of the key `of`; `drawing` is of its data."""
    # By itself: a click on a token leaves it unchanged, and Streamlit sends nothing again.
    _tell(key=f"{of}_map", data={"of": f"{of}_map", "drawing": drawing, **head}, height=1)
