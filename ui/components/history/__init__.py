"""Step-by-step undo with the browser's Back, and buttons to undo and to copy the link."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .. import component

_mount = component("history")


def watch_history(
    texts: Sequence[str],  # typed text: letters within a moment are one entry
    *,
    watched: bool,
    words: Mapping[str, str],
    on_watched: Callable[[], None],
) -> None:
    """Add an entry to the browser's history for each act of the reader that changes the address.

    Changes of one act are one entry, as are those that follow within a second.
    """
    _mount(
        key="history",
        data={"texts": list(texts), "watched": watched, "words": dict(words)},
        on_watched_change=on_watched,
    )
