"""What the open lesson does to the page beside it: keeps it from answering, rings what answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ui.words import say

from .. import component

TOOLS = "lesson_tools"
PERSONAL = ("lesson_said", "done")
"""Names in an address that are about a reader, and no link to a step holds."""
_mount = component("lesson")


def lesson_tools(
    *, asking: bool, slides: bool, ring: Mapping[str, str], on_slide: Callable[[], None]
) -> None:
    """Mount the component, which is a button that copies a link to the step.

    Parameters
    ----------
    asking : the page is greyed and answers nobody.
    slides : arrows turn the slides, and numbers vote: "next", "back" or a number as ``slide``.
    ring : what is ringed: the `key` of a picture, and what tells the mark in it: the columns of a
        chart, `row` and `column` of a matrix or a table from 1, or the
        class `part` and the data of a part of a component, `layer` and `head` from 1.
    """
    words = {"copy": say("lesson-link"), "copied": say("link-copied")}
    data = {"asking": asking, "slides": slides, "ring": dict(ring), "words": words}
    _mount(key=TOOLS, data={**data, "personal": PERSONAL}, on_slide_change=on_slide)
