"""Map of a model: a strip or a band that opens a large drawing; boxes are links."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .. import browser_sent, component, sent

KEY = "map"
_mount = component("plan")


def mount_plan(
    *,
    identity: str,
    data: Mapping[str, Any],
    wide: bool,
    on_said: Callable[[dict[str, Any]], None],
) -> None:
    """Mount the component: small, or as a band of the page's width if `wide`.

    `on_said` is called with the ``door`` that the reader opens, or with ``way``, True if the way of
    a token is requested.
    """

    def hear() -> None:
        on_said(sent(browser_sent(KEY, "said"), identity))

    data = {"identity": identity, "answered": 0, "wide": wide, **data}
    _mount(
        key=KEY,
        data=data,
        width="stretch" if wide else "content",
        on_said_change=hear,
    )
