"""Makes the browser's Back undo step by step, with buttons to undo and to copy the link."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .. import component

_mount = component("history")


def watch_history(
    texts: Sequence[str],  # what is typed: letters within a moment are one entry
    *,
    watched: bool,
    words: Mapping[str, str],
    on_watched: Callable[[], None],
) -> None:
    """An entry in the history for each act of the reader that changes the address.

    What one act changes is one entry, and so is what follows within a second.
    """
    _mount(
        key="history",
        data={"texts": list(texts), "watched": watched, "words": dict(words)},
        on_watched_change=on_watched,
    )
