"""The map of a model: a small drawing that opens a large one, in which boxes are doors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from .. import component, sent

KEY = "map"
_mount = component("plan")


def mount_plan(
    *,
    identity: str,
    data: Mapping[str, Any],
    doors: Sequence[str],
    on_door: Callable[[str], None],
    on_way: Callable[[], None],
) -> None:
    """Draw it; where the reader goes through one of the `doors`, or asks for the way of a token,
    a callback is called."""

    def hear() -> None:
        said = sent((st.session_state.get(KEY) or {}).get("said"), identity)
        if said.get("door") in doors:
            on_door(said["door"])
        elif said.get("way") is True:
            on_way()

    _mount(
        key=KEY,
        data={"identity": identity, "answered": 0, **data},
        width="content",
        on_said_change=hear,
    )
