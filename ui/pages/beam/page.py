"""Beam page: the search tree, its outcomes, its errors, and a table of many sentences."""

from __future__ import annotations

from ui.frame.problems import telling
from ui.frame.run import Run
from ui.pages.beam import many, methods, tree, verdict
from ui.pages.beam.scene import make_scene, write_address
from ui.shell.switch import how_to_read, name_unfit, view_switch
from ui.shell.view import OpenPage, Page, View
from ui.shell.views import open_page


def body(run: Run, here: OpenPage) -> None:
    """Draw the page as `ui.shell.views.explained` does, with one scene for all views."""
    view = view_switch(run, here)
    name_unfit(run, here.page)
    if view is None:
        return
    scene = make_scene(run)
    with telling():
        view.show(scene)
    # After the view, because its clicks change the scene's state.
    write_address(scene)
    how_to_read(here.page, view)


PAGE = Page(
    "beam",
    "beam_look",
    (
        View("tree", tree.show, needs=("search",)),
        View("methods", methods.show, needs=("search",)),
        View("width", methods.show_widths, needs=("search",)),
        View("errors", verdict.show, needs=("search", "teacher-forcing")),
        View("many", many.show, needs=("search", "teacher-forcing", "text")),
    ),
    group="decoding",
    order=1,
    body=body,
    whole=True,
)

if __name__ == "__main__":
    open_page(PAGE)
