"""The page of captions in a browser: clicks and drags draw a scene, words show their gaze."""

from __future__ import annotations

from support.browser import Visit

SCENE = (
    "captions?checkpoint=captions-soft&max_len=12"
    "&text=small+red+circle+at+1+1%3B+large+blue+ring+at+3+4"
)
WORD = ".scene .words button"


def place(here: Visit, at: int):
    return here.page.locator(f'.scene [data-place="{at}"]').first


def scene_text(here: Visit) -> str:
    return here.page.get_by_role("textbox", name="Scene description").input_value()


def middle(here: Visit, at: int) -> tuple[float, float]:
    box = place(here, at).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_scene_is_drawn_by_clicks_and_drags(visit):
    here = visit(SCENE, WORD)
    place(here, 5).click()
    here.until(lambda: "circle at 2 2" in scene_text(here))
    here.settle()
    here.page.mouse.move(*middle(here, 5))
    here.page.mouse.down()
    here.page.mouse.move(*middle(here, 10), steps=4)
    here.page.mouse.move(*middle(here, 14), steps=4)
    here.page.mouse.up()
    here.until(lambda: "circle at 4 3" in scene_text(here))
    assert "blue ring at 3 4" in scene_text(here)


def test_a_word_shows_its_gaze_when_it_is_pointed_at_and_keeps_it_when_clicked(visit):
    here = visit(SCENE, WORD)
    words, root = here.page.locator(WORD), here.page.locator(".scene").first
    words.nth(2).hover()
    assert root.get_attribute("data-word") == "2"
    shade = ".scene .gaze"
    shown = here.page.eval_on_selector(
        shade, "c => c.getContext('2d').getImageData(0, 0, 14, 14).data.some(x => x)"
    )
    assert shown
    words.nth(3).click()
    here.page.mouse.move(5, 5)
    assert root.get_attribute("data-word") == "3"
    words.nth(3).press("ArrowRight")
    assert root.get_attribute("data-word") == "4"
