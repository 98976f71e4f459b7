"""Masked words in a real browser: a word is clicked, said, and opened on the page of attention."""

from __future__ import annotations

import pytest
import torch
from conftest import make_model
from harness import PATIENCE, Visit, served, visiting

from model import save_checkpoint
from model.families.masked import FAMILY, MaskedConfig
from model.tokenizer import build_tokenizer
from words import english

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
TEXT = "The dog runs through the snow."
PILLS = ".st-key-masked"


@pytest.fixture(scope="module")
def address(tmp_path_factory, tiny_tokenizer):
    root = tmp_path_factory.mktemp("masked")
    model = make_model(vocab_size=tiny_tokenizer.vocab_size)
    save_checkpoint(root / "en-de", model, tiny_tokenizer, card={"languages": ["en", "de"]})
    tokenizer = build_tokenizer([TEXT] * 4, 90, tuple(FAMILY.special_tokens.values()))
    torch.manual_seed(3)
    config = MaskedConfig(
        tokenizer.vocab_size, d_model=16, n_heads=2, n_encoder_layers=2, d_ff=24, max_len=60
    )
    card = {"languages": ["en", "en"]}
    folder = root / "masked-lm"
    save_checkpoint(folder, FAMILY.build(config), tokenizer, architecture=FAMILY.name, card=card)
    log = tmp_path_factory.mktemp("served")
    with served("app.py", log, ATTENTION_LAB_CHECKPOINTS=str(root)) as found:
        yield found


@pytest.fixture
def visit(browser, address):
    def make(path: str = "masked", **options) -> Visit:
        return Visit(browser, f"{address}{path}", f"{PILLS} button", **options)

    with visiting(make) as start:
        yield start


def test_a_word_is_masked_said_and_opened(visit):
    seen = visit(f"masked?text={TEXT.replace(' ', '+')}")
    page = seen.page
    page.wait_for_url("**masked_words=6**", timeout=PATIENCE)
    before = page.locator('[data-testid="stVegaLiteChart"]').count()
    page.locator(f"{PILLS} button", has_text="dog").click()
    page.wait_for_url("**masked_words=2%2C6**", timeout=PATIENCE)
    seen.settle()
    assert page.get_by_text(english("masked-piece", token="dog")).count() == 1
    assert page.locator('[data-testid="stVegaLiteChart"]').count() > before
    page.get_by_role("button", name=english("masked-open")).click()
    page.wait_for_url("**checkpoint=masked-lm**", timeout=PATIENCE)
    seen.settle()
    box = page.locator(".st-key-text input")
    assert box.input_value() == "The [MASK] runs through the [MASK]."
    page.go_back()
    page.wait_for_selector(f"{PILLS} button", timeout=PATIENCE)


def test_a_mask_that_is_typed_is_said_on_a_phone_in_korean(visit):
    path = "masked?lang=ko&text=The+dog+%5BMASK%5D+through+the+snow."
    seen = visit(path, width=390, height=844)
    page = seen.page
    assert page.get_by_text("직접 입력한 [MASK]").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
