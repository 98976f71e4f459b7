"""The first page in a real browser: typing, clicking, narrow screens, both themes, the way back."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

from core.search import Decoding
from support.app import DEFAULT
from support.browser import Visit, visiting
from support.number_text import holds
from words import english

SENTENCE = "A dog runs through the snow."
HEADS = ".heads[data-drawn]"

# How far the colours of a thumbnail are from the ground it stands on, at most; of 255.
DIFFERING = """place => {
  const canvas = place.closest('.layer').querySelector('canvas');
  const [strip, box] = [canvas, place].map(each => each.getBoundingClientRect());
  const scale = canvas.width / strip.width;
  const cut = [box.left - strip.left, box.top - strip.top, box.width, box.height];
  const { data: pixels } = canvas.getContext('2d').getImageData(...cut.map(n => n * scale));
  const ground = getComputedStyle(place).backgroundColor.match(/[\\d.]+/g).map(Number);
  let most = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    const part = pixels[i + 3] / 255;
    const far = [0, 1, 2].map(c => Math.abs((pixels[i + c] - ground[c]) * part));
    most = Math.max(most, ...far);
  }
  return most;
}"""


class AttentionVisit(Visit):
    """The first page."""

    ready = (HEADS,)

    @property
    def heads(self):
        return self.page.locator(".heads")

    def settle(self) -> None:
        """Wait until Python has heard of the last choice, a moment after it, and has answered."""
        self.page.wait_for_timeout(250)
        super().settle()

    def type_sentence(self, text: str) -> None:
        box = self.page.get_by_label("English sentence")
        box.fill(text)
        box.press("Enter")

    def tile(self, kind: str, layer: int, head: int):
        return self.page.locator(
            f".heads .tile[data-kind={kind}][data-layer='{layer}'][data-head='{head}']"
        )

    def label(self, side: str, place: int):
        return self.page.locator(f".heads .{side} .label[data-place='{place}']")

    def token(self, line: int, place: int):
        return self.page.locator(f".heads .token[data-line='{line}'][data-place='{place}']")

    def open(self) -> tuple[str, int, int]:
        """The head that is open on screen."""
        told = self.heads.evaluate("e => [e.dataset.kind, e.dataset.layer, e.dataset.head]")
        return told[0], int(told[1]), int(told[2])

    def chosen(self) -> tuple[list[int], list[int]]:
        """The rows and columns that are chosen on screen."""
        told = self.heads.evaluate("e => [e.dataset.rows, e.dataset.columns]")
        return tuple([int(n) for n in each.split()] for each in told)

    def view(self, name: str) -> None:
        super().open(english(f"view-attention-{name}"))

    def picture(self, name: str = "cells") -> str:
        """What a canvas shows."""
        return self.page.locator(f".heads canvas.{name}").evaluate("c => c.toDataURL()")

    def asked(self) -> dict[str, str]:
        """The address."""
        return dict(parse_qsl(urlsplit(self.page.url).query))

    def cell(self, row: int, column: int) -> tuple[float, float]:
        """The middle of a cell of the matrix, in the window."""
        self.page.locator(".heads .map").scroll_into_view_if_needed()
        row, column = (
            self.label(side, n).evaluate(
                """label => {
                  const {top, left, height} = label.getBoundingClientRect();
                  return {top: top + height / 2, left: parseFloat(label.style.left)};
                }"""
            )
            for side, n in (("rows", row), ("columns", column))
        )
        start = self.page.locator(".heads .map").bounding_box()["x"]
        return start + column["left"], row["top"]

    def click_cell(self, row: int, column: int) -> None:
        self.page.mouse.click(*self.cell(row, column))


@pytest.fixture
def visit(browser, app):
    with visiting(AttentionVisit, browser, app) as start:
        yield start


@pytest.fixture
def visit_shipped(browser, shipped):
    with visiting(AttentionVisit, browser, shipped) as start:
        yield start


def test_a_typed_sentence_is_translated_and_a_clicked_head_changes_the_picture(
    visit, tiny_translator
):
    here = visit()
    here.type_sentence(SENTENCE)
    translation = tiny_translator.translate(SENTENCE).text
    here.page.get_by_role("heading", name=translation, exact=True).wait_for()
    here.settle()
    n_tokens = len(tiny_translator.tokenize(SENTENCE))
    for side in ("rows", "columns"):
        assert here.page.locator(f".heads .{side} .label").count() == n_tokens
    before = here.picture()
    here.tile("encoder", 1, 2).click()
    here.page.get_by_role("heading", name="Layer 2, head 3").wait_for()
    assert here.picture() != before
    here.settle()
    assert here.open() == ("encoder", 1, 2)


def test_pointing_previews_a_row_and_clicking_locks_it(visit):
    here = visit()
    locked = here.picture("bars")
    here.page.mouse.move(*here.cell(0, 0))
    assert here.picture("bars") != locked
    here.page.wait_for_timeout(600)
    assert here.asked().get("row") != "1"
    here.click_cell(0, 0)
    here.until(lambda: (here.asked().get("row"), here.asked().get("column")) == ("1", "1"))
    assert here.chosen() == ([0], [0])
    here.click_cell(0, 0)
    here.page.get_by_text("Hover over a row to see its weights").first.wait_for()
    here.until(lambda: not {"row", "column"} & here.asked().keys())


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_a_cell_tells_its_numbers_under_the_pointer(visit, tiny_translator, kind):
    here = visit(f"?text={SENTENCE}&max_len=5&kind={kind.capitalize()}&layer=2&head=3")
    attention = tiny_translator.translate(SENTENCE, Decoding(max_len=5)).attention.of(kind)
    here.page.mouse.move(*here.cell(0, 0))
    told = here.page.locator(".heads .tooltip")
    sides = (told.locator(side).all_inner_texts() for side in (".what", ".value"))
    values = dict(zip(*sides, strict=True))
    assert float(values[english("figures-weight")]) == pytest.approx(
        attention.weights[1, 2, 0, 0], abs=1e-4
    )
    score = attention.scores[1, 2, 0, 0]
    assert float(values[english("figures-heatmap-score")]) == pytest.approx(score, abs=1e-3)
    product = float(values[english("figures-heatmap-product")])
    assert product == pytest.approx(score * 2, abs=1e-3), "four numbers a head, so divided by two"
    rank = 1 + (attention.weights[1, 2, 0] > attention.weights[1, 2, 0, 0]).sum()
    assert int(values[english("figures-heatmap-rank")]) == rank
    if kind == "decoder":
        here.page.mouse.move(*here.cell(0, 1))
        assert english("heads-masked") in told.inner_text()
        assert english("figures-weight") not in told.inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_overflows(visit, width, scheme, tiny_translator):
    here = visit(width=width, height=844, scheme=scheme)
    assert here.overflow() <= 0
    long = "The animal didn't cross the street because it was too tired. " * 6
    here.type_sentence(long)
    n = len(tiny_translator.tokenize(long))
    here.label("rows", n - 1).wait_for()
    here.settle()
    assert here.overflow() <= 0
    hidden, how = here.page.locator(".heads .scroll").evaluate(
        "e => [e.scrollWidth - e.clientWidth, getComputedStyle(e).overflowX]"
    )
    assert (hidden > 0, how) == (True, "auto"), "a wide matrix scrolls in its own box"


def test_script_tags_stay_text(visit):
    here = visit()
    here.page.on("dialog", lambda dialog: here.errors.append(dialog.message))
    here.type_sentence("<script>alert(1)</script><img src=x onerror=alert(2)> it")
    here.page.get_by_text("not in the vocabulary").wait_for()
    here.settle()
    assert here.page.locator("img[src='x']").count() == 0


def test_a_figure_and_its_numbers_can_be_saved(visit, tmp_path, tiny_translator):
    here = visit()
    here.page.locator('[class*="st-key-encoder_matrix_export"]').get_by_role(
        "button", name="Export"
    ).first.click()
    saved = {}
    for name in ("SVG", "CSV"):
        with here.page.expect_download() as download:
            here.button(name, exact=True).click()
        saved[name] = tmp_path / download.value.suggested_filename
        download.value.save_as(saved[name])
    assert "Query (row) attends to" in saved["SVG"].read_text()
    n_tokens = len(tiny_translator.tokenize(DEFAULT.text))
    assert len(saved["CSV"].read_text().splitlines()) == 1 + n_tokens**2


# Choosing


def test_of_ten_fast_clicks_none_is_lost_and_the_last_one_wins_everywhere(visit, tiny_translator):
    here = visit(height=1400)
    here.click_cell(2, 1)
    kinds = ("cross", "encoder", "encoder", "decoder", "encoder")
    places = [(kinds[n % 5], n % 2, n % 4) for n in range(9)] + [("encoder", 1, 3)]
    spots = [here.tile(*place).bounding_box() for place in places]
    seen = []
    for spot in spots:
        here.page.mouse.click(spot["x"] + 10, spot["y"] + 10)
        seen.append(here.open())
        here.page.wait_for_timeout(100)
    assert seen == places
    here.until(lambda: (here.asked().get("layer"), here.asked().get("head")) == ("2", "4"))
    here.page.wait_for_timeout(1500)  # an answer to an older click would come now
    assert here.open() == places[-1]
    assert (here.asked()["layer"], here.asked()["head"]) == ("2", "4")
    assert "kind" not in here.asked()
    assert here.page.locator(".heads .name").inner_text().endswith("layer 2, head 4")
    attention = tiny_translator.translate(DEFAULT.text, Decoding()).attention.encoder
    told = here.page.locator("p", has_text="Selected key: ").inner_text()
    assert holds(told, f"{attention.weights[1, 3, 2, 1]:.4f}")


def test_a_token_clicked_above_the_heads_chooses_its_row(visit, tiny_translator):
    here = visit()
    here.type_sentence(SENTENCE)
    here.label("rows", len(tiny_translator.tokenize(SENTENCE)) - 1).wait_for()
    here.settle()
    here.token(0, 2).click()
    assert here.chosen() == ([2], [])
    here.until(lambda: here.asked().get("row") == "3")
    assert here.label("rows", 2).get_attribute("aria-pressed") == "true"
    # In cross-attention the source is looked at, so a token of it is a column beside the row.
    here.tile("cross", 0, 0).click()
    here.token(1, 1).click()
    here.token(0, 3).click()
    assert here.chosen() == ([1], [3])
    here.until(lambda: (here.asked().get("row"), here.asked().get("column")) == ("2", "4"))


def test_a_token_that_no_row_stands_for_chooses_what_there_is(visit):
    # The decoder never reads the last token it writes; only cross-attention has a row for it.
    here = visit(f"?text={SENTENCE}&max_len=5")
    last = here.page.locator(".heads .token[data-line='1']").count() - 1
    here.token(1, last).click()
    assert here.open()[0] == "cross"
    assert here.chosen() == ([last], [])
    here.until(lambda: here.asked().get("row") == str(last + 1))


def test_a_left_out_token_is_no_column(visit):
    here = visit(f"?text={SENTENCE}&max_len=5&kind=cross&special=hide")
    here.token(1, 0).click()
    before = here.chosen()
    end = here.page.locator(".heads .token[data-line='0'].special").last
    end.click()
    assert here.chosen() == before
    here.tile("cross", 1, 1).click()
    here.until(lambda: (here.asked().get("layer"), here.asked().get("head")) == ("2", "2"))


def test_the_number_under_each_head_is_said_to_be_what_it_is(visit, tiny_translator):
    here = visit()
    option = here.page.locator('.heads select option[value="weight"]')
    number = here.tile("encoder", 0, 1).locator(".number")
    attention = tiny_translator.translate(DEFAULT.text, Decoding()).attention.encoder
    here.click_cell(2, 1)
    weight = attention.weights[0, 1]
    for row, column, words, value in (
        (True, True, "badge-weight-pair", weight[2, 1]),
        (True, False, "badge-weight-row", weight[2].max()),
        (False, False, "badge-weight", weight.max(axis=1).mean()),
    ):
        assert here.chosen() == ([2] * row, [1] * column)
        assert option.text_content() == english(words, measure="weight")
        assert float(number.inner_text().split()[0]) == pytest.approx(value, abs=0.0051)
        here.settle()
        assert option.text_content() == english(words, measure="weight"), "the answer says the same"
        here.label("rows", 2).click()


def test_heads_below_half_of_the_largest_weight_of_a_pair_are_pale(visit, tiny_translator):
    here = visit("?badge=weight")
    attention = tiny_translator.translate(DEFAULT.text, Decoding()).attention.encoder
    pale = ".heads .tile[data-kind=encoder].dim"
    read = "tiles => tiles.map(t => [t.dataset.layer, t.dataset.head].map(Number))"
    here.click_cell(2, 1)
    for columns in ([1], [1, 4]):
        assert here.chosen() == ([2], columns)
        sums = attention.weights[:, :, 2, columns].sum(-1)
        low = {tuple(place) for place in np.argwhere(sums < sums.max() / 2).tolist()}
        found = {tuple(place) for place in here.page.locator(pale).evaluate_all(read)}
        assert found == low - {here.open()[1:]}
        here.label("columns", 4).click(modifiers=["Shift"])
    assert here.chosen() == ([2], [1]), "a second click with Shift lets a token go"
    here.page.locator(".heads select.metric").select_option("entropy")
    assert not here.page.locator(pale).count()


# The keyboard


def test_heads_and_tokens_are_chosen_by_keyboard(visit):
    here = visit("?layer=1&head=1", height=1400)
    stops = here.page.locator(".heads .tile[tabindex='0']")
    assert stops.count() == 1
    here.page.locator(".heads .title[data-kind=encoder]").focus()
    for _ in range(30):
        here.page.keyboard.press("Tab")
        if stops.evaluate("e => e === e.getRootNode().activeElement"):
            break
    focused = "e => Object.values(e.getRootNode().activeElement.dataset)"
    assert stops.evaluate(focused) == ["encoder", "0", "0"]
    for key in ("ArrowRight", "ArrowDown", "ArrowRight"):
        here.page.keyboard.press(key)
    assert stops.evaluate(focused) == ["encoder", "1", "2"]
    assert here.open() == ("encoder", 0, 0), "moving opens nothing"
    here.page.keyboard.press("Enter")
    assert here.open() == ("encoder", 1, 2)
    assert stops.evaluate(focused) == ["encoder", "1", "2"], "the keyboard stays where it is"
    here.until(lambda: (here.asked().get("layer"), here.asked().get("head")) == ("2", "3"))
    assert stops.evaluate(focused) == ["encoder", "1", "2"]
    here.label("rows", 0).focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        here.page.keyboard.press(key)
    assert here.chosen() == ([2], [])


# The way back


def test_a_load_makes_no_entry_in_the_history_and_its_link_is_copied_whole(visit):
    here = visit("?kind=cross&layer=2&head=3")
    here.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    here.page.locator(".st-key-history .copy").click()
    here.until(lambda: here.page.evaluate("navigator.clipboard.readText()") == here.page.url)
    opened = here.open()
    here.tile("encoder", 1, 1).click()
    here.settle()
    here.page.go_back()
    here.until(lambda: here.open() == opened)
    here.page.go_back()
    assert here.page.url == "about:blank", "what was opened first is left by one step back"


ACT = 1100  # ms after which what is done next is undone by itself


def test_undo_takes_back_one_act_and_is_dark_where_there_is_none(visit):
    here = visit("?kind=encoder&layer=2&head=3")
    undo, opened = here.page.locator(".st-key-history .undo"), here.open()
    assert undo.is_disabled()
    for head in (1, 2):
        here.tile("encoder", 0, head).click()
        here.settle()
        here.page.wait_for_timeout(ACT)
    for place in (("encoder", 0, 1), opened):
        undo.click()
        here.until(lambda place=place: here.open() == place)
    here.until(undo.is_disabled)


def test_back_undoes_sentence_view_and_page_in_turn_and_forward_does_them_again(visit):
    here = visit()

    def state() -> tuple[str, ...]:
        """Path, sentence and view of the address; sentence, view and head on the screen."""
        asked, path = here.asked(), urlsplit(here.page.url).path
        box = here.page.get_by_label("English sentence").input_value()
        main = here.page.get_by_test_id("stMain")  # the sidebar has a switch of its own
        radio = main.locator('[role="radio"][aria-checked="true"]').first.inner_text()
        told = (path, asked.get("text", DEFAULT.text), asked.get("look", "matrix"))
        return *told, box, radio, here.open()

    def step(text: str, look: str, head: tuple[str, int, int]) -> tuple[str, ...]:
        return "/", text, look, text, english(f"view-attention-{look}"), head

    here.type_sentence(SENTENCE)
    here.settle()
    here.page.wait_for_timeout(ACT)
    here.view("ribbons")
    here.page.wait_for_timeout(ACT)
    head = here.open()
    here.tile("encoder", 1, 3).click()
    here.settle()
    here.page.wait_for_timeout(ACT)
    here.page.get_by_role("link", name=english("page-beam")).first.click()
    here.page.wait_for_url(re.compile("/beam"))
    here.settle()
    steps = [
        step(DEFAULT.text, "matrix", head),
        step(SENTENCE, "matrix", head),
        step(SENTENCE, "ribbons", head),
        step(SENTENCE, "ribbons", ("encoder", 1, 3)),
    ]
    here.page.go_back()
    here.page.wait_for_url(re.compile("look=ribbons"))
    here.until(lambda: state() == steps[-1])
    for go, ahead in (
        (here.page.go_back, steps[-2::-1]),
        (here.page.go_forward, steps[1:]),
    ):
        for expected in ahead:
            go()
            here.until(lambda expected=expected: state() == expected)
    here.page.go_forward()
    here.page.wait_for_url(re.compile("/beam"))


# The picture


def test_all_heads_and_the_open_one_fit_on_a_screen(visit_shipped):
    here = visit_shipped(height=800)
    here.page.mouse.move(5, 5)
    for part in ("lines", "overview", "panel", "cells", "sums", "bars"):
        box = here.page.locator(f".heads .{part}").bounding_box()
        assert min(box["y"], box["x"]) >= 0, part
        assert box["y"] + box["height"] <= 800, part
        assert box["x"] + box["width"] <= 1280, part
    assert here.page.locator('[data-testid="stMain"]').evaluate("e => e.scrollTop") == 0
    inner = here.page.locator(".heads .scroll").evaluate(
        "e => [e.scrollHeight - e.clientHeight, e.scrollWidth - e.clientWidth]"
    )
    assert max(inner) <= 0, "nothing is hidden behind a scroll bar either"


def test_on_a_phone_the_open_head_stands_under_the_row_that_was_tapped(visit):
    here = visit(width=390, height=844, touch=True)
    for place in (("encoder", 0, 1), ("cross", 1, 2)):
        here.tile(*place).tap()
        row = here.page.locator(f".heads .layer:has(.tile[data-kind={place[0]}])").nth(place[1])
        below = row.bounding_box()
        panel = here.page.locator(".heads .panel").bounding_box()
        gap = panel["y"] - (below["y"] + below["height"])
        assert 0 <= gap < 24
        here.settle()
        assert here.open() == place


def test_another_theme_repaints_the_picture_without_the_server(visit):
    here = visit()
    here.page.context.set_offline(True)
    light, strip = here.picture(), here.page.locator(".heads .layer canvas").first
    thumbnails = strip.evaluate("c => c.toDataURL()")
    here.page.emulate_media(color_scheme="dark")
    here.page.wait_for_timeout(800)
    assert here.picture() != light
    assert strip.evaluate("c => c.toDataURL()") != thumbnails
    here.page.emulate_media(color_scheme="light")
    here.page.wait_for_timeout(800)
    assert here.picture() == light
    here.errors.clear()  # the server is out of reach, which the browser says


def test_of_a_long_sentence_no_thumbnail_is_blank(visit_shipped):
    here = visit_shipped(f"?text={' '.join([DEFAULT.text] * 10)}")
    assert here.page.locator(".heads .rows .label").count() > 130
    tiles = here.page.locator(".heads .thumbnail")
    assert tiles.count() == (4 + 2 + 2) * 8
    assert min(tiles.nth(n).evaluate(DIFFERING) for n in range(tiles.count())) >= 30
    strip, ends = here.page.locator(".heads .layer canvas").first.bounding_box(), (0, 7)
    first, last = (tiles.nth(n).bounding_box() for n in ends)
    assert (strip["x"], strip["y"]) == pytest.approx((first["x"], first["y"]), abs=0.5)
    assert strip["x"] + strip["width"] == pytest.approx(last["x"] + last["width"], abs=0.5)


def test_full_screen_makes_the_picture_larger(visit, tiny_translator):
    here = visit(f"?text={SENTENCE}")
    canvas = here.page.locator(".heads canvas.cells")
    before = canvas.bounding_box()
    here.page.locator(".heads .enlarge").click()
    here.page.wait_for_function("document.fullscreenElement !== null")
    here.page.wait_for_timeout(500)
    after = canvas.bounding_box()
    assert after["width"] * after["height"] > 1.5 * before["width"] * before["height"]
    here.page.locator(".heads .enlarge").click()
    here.page.wait_for_function("document.fullscreenElement === null")
    here.page.wait_for_timeout(500)
    assert canvas.bounding_box()["width"] == pytest.approx(before["width"], abs=1)


def test_the_scales_of_colours_outlive_the_address_they_were_drawn_at(visit):
    here = visit("?look=pair", '[class*="_pair_first"] svg.marks')
    here.settle()
    fills = here.page.locator("svg .role-legend-gradient path")
    assert fills.count() > 0
    for fill in fills.evaluate_all("nodes => nodes.map(node => node.getAttribute('fill'))"):
        assert fill.startswith(("url(#", f"url({here.page.url}#")), fill


@pytest.mark.parametrize("address", ["?text=Go!", "?text=Go!&lang=ko&checkpoint=en-de"])
def test_the_words_on_rows_keep_their_first_line_over_a_map_of_three_tokens(visit_shipped, address):
    corner = visit_shipped(address).page.locator(".heads .corner")
    above = """corner => {
      const words = document.createRange();
      words.selectNodeContents(corner);
      return corner.getBoundingClientRect().top - words.getBoundingClientRect().top;
    }"""
    assert corner.evaluate(above) <= 1
