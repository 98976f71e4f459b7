"""The page of captions in a browser: clicks and drags draw a scene, words show their gaze."""

from __future__ import annotations

import random
from functools import partial

import pytest
import torch
from harness import FOOTER, Visit, served, visiting

from core.captions import captions_of
from core.scenes import random_scene
from model import save_checkpoint
from model.families.captioner import FAMILY, CaptionerConfig
from model.tokenizer import build_tokenizer

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SCENE = "small%20red%20circle%20at%201%201%3B%20large%20blue%20ring%20at%203%204"
WORD = ".scene .words button"


@pytest.fixture(scope="module")
def scenes_app(tmp_path_factory):
    """The app with a captioner of random weights alone."""
    rng = random.Random(1)
    texts = [c.text for _ in range(40) for c in captions_of(random_scene(rng))]
    tokenizer = build_tokenizer(texts, 150)
    torch.manual_seed(5)
    sizes = {"d_model": 8, "hidden_size": 8, "annotation_size": 8, "attention_size": 4}
    model = FAMILY.build(CaptionerConfig(tokenizer.vocab_size, **sizes))
    root = tmp_path_factory.mktemp("captions")
    card = {"languages": ["scene", "en"], "licence": "MIT"}
    save_checkpoint(root / "captions-soft", model, tokenizer, architecture=FAMILY.name, card=card)
    folder = tmp_path_factory.mktemp("captions_app")
    with served("app.py", folder, ATTENTION_LAB_CHECKPOINTS=str(root)) as address:
        yield address


@pytest.fixture
def visit(browser, scenes_app):
    with visiting(partial(Visit, browser)) as start:
        yield partial(_open, start, scenes_app)


def _open(start, app: str, more: str = "", **how) -> Visit:
    address = f"{app}captions?checkpoint=captions-soft&max_len=12&text={SCENE}{more}"
    return start(address, WORD, FOOTER, **how)


def place(here: Visit, at: int):
    return here.page.locator(f'.scene [data-place="{at}"]').first


def scene_text(here: Visit) -> str:
    return here.page.get_by_role("textbox", name="Scene description").input_value()


def middle(here: Visit, at: int) -> tuple[float, float]:
    box = place(here, at).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_scene_is_drawn_by_clicks_and_drags(visit):
    here = visit()
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
    assert here.failures() == []


def test_a_word_shows_its_gaze_when_it_is_pointed_at_and_keeps_it_when_clicked(visit):
    here = visit()
    words, root = here.page.locator(WORD), here.page.locator(".scene").first
    words.nth(2).hover()
    assert root.get_attribute("data-word") == "2"
    shade = ".scene .gaze"
    shown = here.page.eval_on_selector(
        shade, "c => c.getContext('2d').getImageData(0, 0, 14, 14).data.some(x => x)"
    )
    assert shown
    words.nth(1).click()
    here.page.mouse.move(5, 5)
    assert root.get_attribute("data-word") == "1"
    words.nth(1).press("ArrowRight")
    assert root.get_attribute("data-word") == "2"
    assert here.failures() == []


def test_the_address_opens_the_word_that_was_clicked(visit):
    here = visit()
    words = here.page.locator(WORD)
    words.nth(3).click()
    here.until(lambda: "captions_word=4" in here.page.url)
    here.settle()
    note = here.page.locator(".scene .note").first.inner_text()
    here.page.reload()
    here.until(lambda: here.page.locator(".scene").first.get_attribute("data-word") == "3")
    assert here.page.locator(".scene .note").first.inner_text() == note
    words.nth(3).click()
    here.until(lambda: "captions_word=4" not in here.page.url)
    assert here.failures() == []


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wider_than_the_window(visit, width):
    here = visit(width=width)
    assert here.failures() == []
    assert here.overflow() <= 0
