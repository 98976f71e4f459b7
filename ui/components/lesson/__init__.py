"""Effects of the open lesson on its page: a lock during a question, a ring at the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ui.frame.messages import say

from .. import component

TOOLS = "lesson_tools"
PERSONAL = ("lesson_said", "done")
"""Address names about the reader, left out of links to a step."""
_mount = component("lesson")


def lesson_tools(
    *, asking: bool, slides: bool, ring: Mapping[str, str], on_slide: Callable[[], None]
) -> None:
    """Mount the component, which includes the button that copies a link to the step.

    Parameters
    ----------
    asking : the page is grey and does not respond.
    slides : arrow keys turn the slides, and digits vote: "next", "back" or a number as ``slide``.
    ring : the mark to ring: the `key` of a picture and its position in it, which is the columns of
        a chart, `row` and `column` of a matrix or table from 1, or the class `part` and the data of
        a component's part, `layer` and `head` from 1.
    """
    words = {"copy": say("lesson-link"), "copied": say("link-copied")}
    data = {"asking": asking, "slides": slides, "ring": dict(ring), "words": words}
    _mount(key=TOOLS, data={**data, "personal": PERSONAL}, on_slide_change=on_slide)
