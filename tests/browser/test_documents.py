"""A document in a real browser: hide a sentence and a word, and see the decision move."""

from __future__ import annotations

import pytest

from support.browser import PATIENCE
from words import english

LINE = ".document .line"


def decision(page) -> str:
    return " ".join(page.locator('[data-testid="stMetricValue"]').all_inner_texts())


def test_a_sentence_and_a_word_are_hidden_and_put_back(visit):
    seen = visit("documents?document=others", LINE)
    page = seen.page
    before = decision(page)
    mark = page.locator(".document .mark").first
    word = page.locator(".document .line").nth(2).locator(".word").nth(1)
    mark.click()
    page.wait_for_selector(".document .line.out", timeout=PATIENCE)
    seen.settle()
    assert "document_left=1" in page.url
    assert mark.get_attribute("aria-pressed") == "true"
    assert page.locator(".document .mark .number").first.inner_text() == "–"
    after = decision(page)
    assert after != before
    word.click()
    seen.settle()
    assert page.locator(".document .word.out").count() == 1
    assert "3%3A2" in page.url or "3:2" in page.url
    page.get_by_role("button", name=english("document_put_back")).click()
    seen.settle()
    assert page.locator(".document .out").count() == 0
    assert decision(page) == before


def test_both_weights_are_told_of_what_is_pointed_at(visit):
    page = visit("documents?document=others", LINE).page
    page.locator(".document .word").nth(1).hover()
    told = page.locator(".document .status").inner_text()
    assert "weight" in told
    assert "√" in told
    page.locator(".document .word").first.focus()
    page.keyboard.press("ArrowRight")
    focused = page.evaluate(
        """() => { let at = document.activeElement;
          while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
          return at.dataset.word; }"""
    )
    assert focused == "1"


def test_markup_stays_text_and_a_phone_is_wide_enough(visit):
    text = "%3Cb%3EBold%3C%2Fb%3E+it+was.+It+was+good."
    seen = visit(f"documents?document_text={text}", LINE, width=390)
    assert "<b>Bold</b>" in seen.page.locator(".document .line").first.inner_text()
    assert seen.page.locator(".document b").count() == 0
    assert seen.overflow() <= 0


@pytest.mark.parametrize("height", [560, 640, 720, 800, 880])
def test_taking_a_word_out_moves_and_covers_no_sentence(visit, height):
    seen = visit("documents?document=negated", LINE, height=height)
    lines = seen.page.locator(".document .line")

    def below_the_decision() -> list[float]:
        top = seen.page.locator('[data-testid="stMetric"]').first.bounding_box()["y"]
        return [line.bounding_box()["y"] - top for line in lines.all()]

    before = below_the_decision()
    seen.page.locator(".document .word").nth(1).click()
    seen.until(lambda: seen.page.locator(".document .word.out").count() == 1)
    assert below_the_decision() == pytest.approx(before)
    covered = lines.evaluate_all(
        """lines => lines.filter(line => {
          const box = line.querySelector(".text").getBoundingClientRect();
          const [x, y] = [box.left + 20, (box.top + box.bottom) / 2];
          const there = line.getRootNode().elementFromPoint(x, y);
          return y < innerHeight && y > 0 && !line.contains(there);
        }).length"""
    )
    assert covered == 0


def test_a_long_document_is_shown_to_its_last_sentence(visit):
    text = "+".join(["It+was+a+dull+film+in+the+end+but+my+sister+called+it+charming."] * 24)
    seen = visit(f"documents?document_text={text}", LINE)
    rows = seen.page.locator(".document .rows")
    assert rows.evaluate("rows => rows.scrollHeight - rows.clientHeight") == 0
