"""Access in a real browser: focus, languages of texts, themes, and the app in Korean."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

from support.app import DEFAULT
from viz.fonts import FAMILY
from words import Words, english

HEADS = ".heads[data-drawn]"
SHORT = "text=A+dog+runs.&max_len=8"
CHARTS = f"masks?{SHORT}"
LETTERS = "[...document.fonts].filter(f => f.status === 'loaded').map(f => f.family)"
# The focused element, unless it or the label around it shows that it has the focus.
UNSEEN = """() => {
  let found = document.activeElement;
  while (found.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
  if (found === document.body || found.matches("main, input[type=text]")) return "";
  const shows = (element) => {
    const { outlineStyle, outlineWidth } = element ? getComputedStyle(element) : {};
    return outlineStyle === "solid" && parseFloat(outlineWidth) >= 2;
  };
  const around = [found, found.closest("label"), found.parentElement?.parentElement];
  return around.some(shows) ? "" : found.outerHTML.slice(0, 200);
}"""
# Every run is asked for by a message; a short one need not show in the page at all.
COUNT_RUNS = """() => {
  window.runs = 0;
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (message) {
    window.runs += 1;
    return send.call(this, message);
  };
}"""
SPLIT_WORD = """() => {
  const line = document.createElement("p");
  line.textContent = "어텐션";
  line.style = "width: 2.5em; word-break: break-all";
  document.querySelector('[data-testid="stMain"]').append(line);
}"""
korean = Words("ko")


def test_the_focus_is_seen_on_all_that_takes_it(visit_random):
    here, unseen = visit_random(f"?{SHORT}"), []
    for scheme in ("light", "dark"):
        here.turn(scheme)
        for _ in range(26):
            here.page.keyboard.press("Tab")
            here.page.wait_for_timeout(150)  # links turn to their new look slowly
            unseen.append(here.page.evaluate(UNSEEN))
        for _ in range(26):
            here.page.keyboard.press("Shift+Tab")
    assert [where for where in unseen if where] == []


def test_texts_say_which_language_they_are_in_after_every_run(visit_random):
    here = visit_random(CHARTS)
    spoken = "element => element.closest('[lang]').lang"

    def languages() -> list[str]:
        parts = (
            *('[class*="_translation"] h2', '[class*="_read_tokens"] p'),
            *('[class*="_written_tokens"] p', ".st-key-text input", ".st-key-heading h1"),
        )
        return [here.page.locator(part).first.evaluate(spoken) for part in parts]

    here.page.locator(".st-key-fold_numbers summary").click()  # its tokens are drawn when it opens
    here.until(lambda: languages() == ["de", "en", "de", "en", "en"])
    box = here.page.get_by_label("English sentence")
    box.fill("A dog runs through the snow.")
    box.press("Enter")
    here.settle()
    here.until(lambda: languages() == ["de", "en", "de", "en", "en"])
    beam = visit_random(f"beam?{SHORT}")
    typed = beam.page.get_by_role("textbox", name=english("beam-steer-box"))
    beam.until(lambda: typed.evaluate(spoken) == "de")


def test_charts_follow_a_change_of_theme_in_one_run_and_no_tool_lies_over_them(visit_random):
    here = visit_random(CHARTS)
    cells = here.page.locator("svg.marks .mark-rect path")
    here.page.locator(".st-key-history button").first.wait_for()  # the history is watched
    here.settle()
    # A legend's own gradients are numbered anew at every drawing.
    fills = "cells => cells.map(c => c.getAttribute('fill')).filter(c => !c?.startsWith('url'))"
    here.page.evaluate(COUNT_RUNS)
    here.page.wait_for_timeout(1500)
    assert here.page.evaluate("window.runs") == 0
    light = cells.evaluate_all(fills)
    here.turn("dark")
    here.until(lambda: cells.evaluate_all(fills) != light)
    here.until(lambda: here.page.evaluate("window.runs") > 0)
    here.page.wait_for_timeout(1500)
    assert here.page.evaluate("window.runs") == 1
    here.turn("light")
    here.until(lambda: cells.evaluate_all(fills) == light)

    charts = here.page.locator('[data-testid="stVegaLiteChart"]')
    for place in range(charts.count()):
        charts.nth(place).hover(force=True)
    here.page.wait_for_timeout(400)
    bars = '[data-testid="stFullScreenFrame"]:has([data-testid="stVegaLiteChart"])'
    for bar in here.page.locator(f'{bars} [data-testid="stElementToolbar"]').all():
        assert not bar.is_visible()
    assert here.button("Export").first.is_visible()


def test_a_figure_and_its_numbers_are_saved_from_the_app_in_korean(
    visit_random, tmp_path, tiny_translator
):
    here = visit_random("?lang=ko", HEADS)
    page, name, saved = here.page, korean("page-attention"), {}
    assert page.evaluate("document.documentElement.lang") == "ko"
    assert page.title() == korean("page-title", page=name, app=korean("app-title"))
    assert page.get_by_role("link", name=korean("page-beam")).is_visible()
    assert any(FAMILY in family for family in page.evaluate(LETTERS))
    token = page.locator(".heads .token").first
    told = (token.get_attribute("translate"), token.get_attribute("lang"))
    assert told == ("no", "en"), "tokens stay as they are"
    exports = page.locator('[class*="st-key-encoder_matrix_export"]')
    exports.get_by_role("button", name=korean("export")).first.click()
    for kind in ("PNG", "SVG", "CSV"):
        with page.expect_download() as download:
            here.button(kind, exact=True).click()
        file = download.value.suggested_filename
        assert any("가" <= letter <= "힣" for letter in file)
        download.value.save_as(tmp_path / file)
        saved[kind] = (tmp_path / file).read_bytes()
    assert np.asarray(Image.open(io.BytesIO(saved["PNG"])).convert("L")).std() > 1
    assert korean("figures-matrix-query-attends") in saved["SVG"].decode()
    n_tokens = len(tiny_translator.tokenize(DEFAULT.text))
    assert len(saved["CSV"].splitlines()) == 1 + n_tokens**2
    page.evaluate(SPLIT_WORD)
    assert here.broken_words() == ["어텐션"], "a word that is taken apart is found"


def test_no_name_of_a_column_is_cut(visit):
    here = visit("?lang=ko&checkpoint=ko-en&text=저는+맥주로+하겠습니다.", HEADS)
    names, frame = here.page.locator(".columns .label"), here.page.locator(".columns")
    assert "하겠습니다" in names.all_inner_texts()
    top = frame.first.bounding_box()["y"]
    here.until(lambda: min(each.bounding_box()["y"] for each in names.all()) >= top)
    assert all(each.evaluate("e => e.scrollWidth <= e.offsetWidth") for each in names.all())
