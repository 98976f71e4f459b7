"""No label is cut or wrapped into three lines, on any view, in any language, wide or narrow."""

from __future__ import annotations

from pathlib import Path

import pytest

from ui.pages import pages
from words import Words, languages

PAGES = {page.id: page for page in pages()}
ROOM = (Path(__file__).parent / "label_room.js").read_text(encoding="utf-8")
WIDTHS = {1280: 800, 390: 844}
FOLDED = ".st-key-fold_about"  # what is drawn last

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", PAGES)
def test_every_label_has_the_room_it_needs(visit, name, language):
    page, say = PAGES[name], Words(language)
    path = "" if name == "attention" else name
    wrong = []
    for width, height in WIDTHS.items():
        here = visit(f"{path}?lang={language}", FOLDED, width=width, height=height)
        names = {view.id: say(f"view-{name}-{view.id}") for view in page.views}
        here.page.get_by_role("radio", name=names[page.views[-1].id], exact=True).wait_for()
        for view, label in names.items():
            if not here.page.get_by_role("radio", name=label, exact=True).count():
                continue  # it does not fit the model that the page opens with
            here.open(label)
            here.page.wait_for_timeout(500)
            found = here.page.evaluate(ROOM)
            wrong += [f"{view} at {width} pixels: {each}" for each in found]
            if over := here.overflow():
                wrong.append(f"{view} at {width} pixels: the page is {over} pixels too wide")
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", ["lessons", "glossary"])
def test_pages_without_views_have_room_for_their_labels(visit, name, language):
    for width, height in WIDTHS.items():
        here = visit(f"{name}?lang={language}", FOLDED, width=width, height=height)
        assert here.page.evaluate(ROOM) == [], width
