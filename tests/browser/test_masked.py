"""Masked words in a real browser: a word is clicked, said, and opened on the page of attention."""

from __future__ import annotations

from support.browser import PATIENCE
from words import english

TEXT = "The dog runs through the snow."
PILLS = ".st-key-masked_words"


def test_a_word_is_masked_said_and_opened(visit):
    seen = visit(f"masked?text={TEXT.replace(' ', '+')}", f"{PILLS} button")
    page = seen.page
    before = page.locator('[data-testid="stVegaLiteChart"]').count()
    page.locator(f"{PILLS} button", has_text="dog").click()
    page.wait_for_url("**masked_words=2%2C6**", timeout=PATIENCE)
    seen.settle()
    assert page.get_by_text(english("masked-piece", token="dog")).count() == 1
    assert page.locator('[data-testid="stVegaLiteChart"]').count() > before
    page.get_by_role("button", name=english("masked_open")).click()
    page.wait_for_url("**checkpoint=masked-lm**", timeout=PATIENCE)
    seen.settle()
    box = page.locator(".st-key-text input")
    assert box.input_value() == "The [MASK] runs through the [MASK]."
    page.go_back()
    page.wait_for_selector(f"{PILLS} button", timeout=PATIENCE)
