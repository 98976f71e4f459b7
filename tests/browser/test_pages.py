"""Pages of one view in a real browser: captions, documents, masked words, masks, training."""

from __future__ import annotations

import pytest

from support.browser import Visit
from words import english

# Captions

SCENE = (
    "captions?checkpoint=captions-soft&max_len=12"
    "&text=small+red+circle+at+1+1%3B+large+blue+ring+at+3+4"
)
WORD = ".scene .words button"
SHADED = "c => c.getContext('2d').getImageData(0, 0, 14, 14).data.some(x => x)"


def test_a_scene_is_drawn_by_clicks_and_drags(visit):
    here = visit(SCENE, WORD)
    scene = here.page.get_by_role("textbox", name="Scene description")

    def middle(place: int) -> tuple[float, float]:
        box = here.page.locator(f'.scene [data-place="{place}"]').first.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    here.page.mouse.click(*middle(5))
    here.until(lambda: "circle at 2 2" in scene.input_value())
    here.page.mouse.move(*middle(5))
    here.page.mouse.down()
    here.page.mouse.move(*middle(10), steps=4)
    here.page.mouse.move(*middle(14), steps=4)
    here.page.mouse.up()
    here.until(lambda: "circle at 4 3" in scene.input_value())
    assert "blue ring at 3 4" in scene.input_value()


def test_a_word_shows_its_gaze_when_it_is_pointed_at_and_keeps_it_when_clicked(visit):
    here = visit(SCENE, WORD)
    words, root = here.page.locator(WORD), here.page.locator(".scene").first
    words.nth(2).hover()
    assert root.get_attribute("data-word") == "2"
    assert here.page.eval_on_selector(".scene .gaze", SHADED)
    words.nth(3).click()
    here.page.mouse.move(5, 5)
    assert root.get_attribute("data-word") == "3"
    words.nth(3).press("ArrowRight")
    assert root.get_attribute("data-word") == "4"


# Documents

LINE = ".document .line"
COVERED = """lines => lines.filter(line => {
  const box = line.querySelector(".text").getBoundingClientRect();
  const [x, y] = [box.left + 20, (box.top + box.bottom) / 2];
  const there = line.getRootNode().elementFromPoint(x, y);
  return y < innerHeight && y > 0 && !line.contains(there);
}).length"""
FOCUSED_WORD = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at.dataset.word;
}"""


def test_a_sentence_and_a_word_are_hidden_and_put_back(visit):
    here = visit("documents?document=others", LINE)
    page = here.page

    def decision() -> str:
        return " ".join(page.locator('[data-testid="stMetricValue"]').all_inner_texts())

    before, mark = decision(), page.locator(".document .mark").first
    mark.click()
    page.wait_for_selector(".document .line.out")
    here.settle()
    assert "document_left=1" in page.url
    assert mark.get_attribute("aria-pressed") == "true"
    assert mark.locator(".number").inner_text() == "1 · –"
    assert decision() != before
    page.locator(LINE).nth(2).locator(".word").nth(1).click()
    here.settle()
    assert page.locator(".document .word.out").count() == 1
    assert "3%3A2" in page.url or "3:2" in page.url
    here.button(english("document_put_back")).click()
    here.settle()
    assert page.locator(".document .out").count() == 0
    assert decision() == before


def test_both_weights_are_told_of_the_word_under_the_pointer(visit):
    page = visit("documents?document=others", LINE).page
    page.locator(".document .word").nth(1).hover()
    told = page.locator(".document .status").inner_text()
    assert "weight" in told
    assert "√" in told
    page.locator(".document .word").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate(FOCUSED_WORD) == "1"


def test_markup_stays_text_and_a_long_document_is_shown_to_its_end_on_a_phone(visit):
    sentences = "+It+was+a+dull+film+but+my+sister+called+it+charming." * 24
    text = f"%3Cb%3EBold%3C%2Fb%3E+it+was.{sentences}"
    here = visit(f"documents?document_text={text}", LINE, width=390)
    assert "<b>Bold</b>" in here.page.locator(LINE).first.inner_text()
    assert here.page.locator(".document b").count() == 0
    assert here.overflow() <= 0
    rows = here.page.locator(".document .rows")
    assert rows.evaluate("rows => rows.scrollHeight - rows.clientHeight") == 0


@pytest.mark.parametrize("height", [560, 880])
def test_taking_a_word_out_moves_and_covers_no_sentence(visit, height):
    here = visit("documents?document=negated", LINE, height=height)
    lines = here.page.locator(LINE)

    def below_the_decision() -> list[float]:
        top = here.page.locator('[data-testid="stMetric"]').first.bounding_box()["y"]
        return [line.bounding_box()["y"] - top for line in lines.all()]

    before = below_the_decision()
    here.page.locator(".document .word").nth(1).click()
    here.until(lambda: here.page.locator(".document .word.out").count() == 1)
    assert below_the_decision() == pytest.approx(before)
    assert lines.evaluate_all(COVERED) == 0


# Masked words

WORDS = ".st-key-masked_words button"


def test_a_word_is_masked_said_and_opened(visit):
    here = visit("masked?text=The+dog+runs+through+the+snow.", WORDS)
    page = here.page
    page.locator(WORDS, has_text="dog").click()
    page.wait_for_url("**masked_words=2%2C6**")
    page.get_by_text(english("masked-piece", token="dog")).wait_for()
    here.settle()
    here.button(english("masked_open")).click()
    page.wait_for_url("**checkpoint=masked-lm**")
    box = page.locator(".st-key-text input")
    here.until(lambda: box.input_value() == "The [MASK] runs through the [MASK].")


# Masks

CHANGE = "masks?text=A+dog+runs.&max_len=10&change=none&mask_look=change"


def hide(here: Visit, token: str, count: str) -> None:
    tokens = here.page.locator(".st-key-change_hidden")
    tokens.get_by_role("button", name=token, exact=True).click()
    here.page.get_by_text(count, exact=True).wait_for()
    here.settle()


def test_a_hidden_token_is_said_kept_in_the_address_and_unseen_by_another_reader(visit_random):
    first, second = visit_random(CHANGE), visit_random(CHANGE)
    first.page.get_by_text("No intervention", exact=True).wait_for()
    hide(first, "dog", "1 intervention")
    hide(second, "A", "1 intervention")
    first.page.get_by_role("heading", name="Head before and after").wait_for()
    first.until(lambda: "change=hide-both-2" in first.page.url)
    second.until(lambda: "change=hide-both-1" in second.page.url)
    hide(first, ".", "2 interventions")
    second.page.get_by_text("1 intervention", exact=True).wait_for()
    again = visit_random(second.page.url.split("/", 3)[3])
    again.page.get_by_text("1 intervention", exact=True).wait_for()
    again.button("Remove all").click()
    again.page.get_by_text("No intervention", exact=True).wait_for()


def test_the_decoder_without_its_mask_stands_on_the_first_screen(visit_random):
    here = visit_random("masks?text=A+dog+runs.&max_len=10&mask_look=seen", height=800)
    here.page.locator(".st-key-seen_peek label").click()
    here.page.get_by_text(english("masks-seen-whole-decoder")).wait_for()
    here.settle()
    assert here.page.locator(".st-key-scroll_seen_stages").bounding_box()["y"] < 400


# Training

HERE = "training?text=A%20dog%20runs.&max_len=6&training_look=here"
LIVE = '[class*="_here_live"] svg.marks'
FILM = '[class*="_toy_heads"] svg.marks'
FILLS = f"[...document.querySelectorAll('{LIVE} path')].map(e => e.getAttribute('fill')).join()"


def test_heads_form_while_one_trains_and_another_waits_until_it_is_stopped(visit_random):
    here, other = visit_random(HERE), visit_random(HERE)

    def press(visit: Visit, id: str) -> None:
        visit.button(english(id), exact=True).click()

    press(here, "toy_start")
    here.page.wait_for_selector(LIVE)
    press(other, "toy_start")
    refused = other.page.get_by_text(english("training-here-refused", n=1))
    refused.wait_for()
    first = here.page.evaluate(FILLS)
    here.page.wait_for_function(f"first => {FILLS} !== first", arg=first)
    press(here, "toy_stop")
    here.page.wait_for_selector(FILM)
    assert here.page.get_by_text("was stopped at step").count() == 1
    assert here.button(english("toy_start")).is_enabled()
    press(other, "toy_start")
    other.until(lambda: not refused.count() and other.page.locator(LIVE).count())
