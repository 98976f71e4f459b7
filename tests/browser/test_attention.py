"""The first page in a real browser: typing, clicking, keys, the way back, what is painted."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

from core.records.search import Decoding
from support.app import DEFAULT
from support.browser import Visit, visiting
from support.number_text import holds
from words import english

SENTENCE = "A dog runs through the snow."
SHORT = f"?text={SENTENCE}&max_len=5"
ACT = 1100  # ms after which the next act is undone by itself

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
MIDDLE = """label => {
  const { top, height } = label.getBoundingClientRect();
  return [parseFloat(label.style.left), top + height / 2];
}"""
ABOVE = """corner => {
  const words = document.createRange();
  words.selectNodeContents(corner);
  return corner.getBoundingClientRect().top - words.getBoundingClientRect().top;
}"""
FOCUSED = "e => Object.values(e.getRootNode().activeElement.dataset)"


class AttentionVisit(Visit):
    """The first page."""

    ready = (".heads[data-drawn]",)

    def settle(self) -> None:
        """Wait until Python has heard of the last choice, a moment after it, and has answered."""
        self.page.wait_for_timeout(250)
        super().settle()

    def part(self, selector: str):
        return self.page.locator(f".heads {selector}")

    def tile(self, kind: str, layer: int, head: int):
        return self.part(f".tile[data-kind={kind}][data-layer='{layer}'][data-head='{head}']")

    def label(self, side: str, place: int):
        return self.part(f".{side} .label[data-place='{place}']")

    def token(self, line: int, place: int):
        return self.part(f".token[data-line='{line}'][data-place='{place}']")

    def type_sentence(self, text: str, n_tokens: int) -> None:
        box = self.page.get_by_label("English sentence")
        box.fill(text)
        box.press("Enter")
        self.label("rows", n_tokens - 1).wait_for()
        self.settle()

    def head(self) -> tuple[str, int, int]:
        """The head that is open on screen."""
        heads = self.page.locator(".heads")
        kind, *place = heads.evaluate("e => [e.dataset.kind, e.dataset.layer, e.dataset.head]")
        return kind, *map(int, place)

    def chosen(self) -> tuple[list[int], list[int]]:
        """The rows and columns that are chosen on screen."""
        both = self.page.locator(".heads").evaluate("e => [e.dataset.rows, e.dataset.columns]")
        return tuple([int(n) for n in each.split()] for each in both)

    def picture(self, canvas: str = ".cells") -> str:
        """What a canvas shows."""
        return self.part(f"canvas{canvas}").first.evaluate("c => c.toDataURL()")

    def asked(self, *names: str) -> tuple[str | None, ...]:
        """Values in the address."""
        query = dict(parse_qsl(urlsplit(self.page.url).query))
        return tuple(query.get(name) for name in names)

    def cell(self, row: int, column: int) -> tuple[float, float]:
        """The middle of a cell of the matrix, in the window."""
        self.part(".map").scroll_into_view_if_needed()
        x = self.label("columns", column).evaluate(MIDDLE)[0]
        return self.part(".map").bounding_box()["x"] + x, self.label("rows", row).evaluate(MIDDLE)[
            1
        ]


@pytest.fixture
def visit(browser, app):
    with visiting(AttentionVisit, browser, app) as start:
        yield start


@pytest.fixture
def visit_shipped(browser, shipped):
    with visiting(AttentionVisit, browser, shipped) as start:
        yield start


@pytest.fixture(scope="module")
def attention(tiny_translator):
    return tiny_translator.translate(DEFAULT.text, Decoding()).attention.encoder


@pytest.fixture(scope="module")
def n_tokens(tiny_translator):
    return len(tiny_translator.tokenize(SENTENCE))


def test_a_typed_sentence_is_translated_and_a_clicked_head_changes_the_picture(
    visit, tiny_translator, n_tokens
):
    here = visit()
    here.type_sentence(SENTENCE, n_tokens)
    translation = tiny_translator.translate(SENTENCE).text
    here.page.get_by_role("heading", name=translation, exact=True).wait_for()
    for side in ("rows", "columns"):
        assert here.part(f".{side} .label").count() == n_tokens
    before = here.picture()
    here.tile("encoder", 1, 2).click()
    here.page.get_by_role("heading", name="Layer 2, head 3").wait_for()
    assert here.picture() != before
    here.settle()
    assert here.head() == ("encoder", 1, 2)


def test_pointing_previews_a_row_and_clicking_locks_it(visit):
    here = visit()
    locked = here.picture(".bars")
    here.page.mouse.move(*here.cell(0, 0))
    assert here.picture(".bars") != locked
    here.page.wait_for_timeout(600)
    assert here.asked("row") != ("1",)
    here.page.mouse.click(*here.cell(0, 0))
    here.until(lambda: here.asked("row", "column") == ("1", "1"))
    assert here.chosen() == ([0], [0])
    here.page.mouse.click(*here.cell(0, 0))
    here.page.get_by_text("The largest weight of this head").first.wait_for()
    here.until(lambda: here.asked("row", "column") == (None, None))


def test_a_cell_tells_its_numbers_under_the_pointer(visit, tiny_translator):
    here = visit(f"{SHORT}&kind=Decoder&layer=2&head=3")
    attention = tiny_translator.translate(SENTENCE, Decoding(max_len=5)).attention.decoder
    here.page.mouse.move(*here.cell(1, 0))
    sides = (here.part(f".tooltip {side}").all_inner_texts() for side in (".what", ".value"))
    values = {name: float(value) for name, value in zip(*sides, strict=True) if value[-1].isdigit()}
    weights, score = attention.weights[1, 2, 1], attention.scores[1, 2, 1, 0]
    rank = 1 + (weights > weights[0]).sum()
    for name, value, error in (
        ("figures-weight", weights[0], 1e-4),
        ("figures-heatmap-score", score, 1e-3),
        ("figures-heatmap-product", score * 2, 1e-3),  # four numbers a head: divided by two
        ("figures-heatmap-rank", rank, 0),
    ):
        assert values[english(name)] == pytest.approx(value, abs=error), name
    here.page.mouse.move(*here.cell(0, 1))
    told = here.part(".tooltip").inner_text()
    assert english("heads-masked") in told
    assert english("figures-weight") not in told


def test_a_long_sentence_scrolls_in_its_own_box_on_a_phone(visit, tiny_translator):
    here = visit(width=390, height=844)
    long = f"{DEFAULT.text} " * 6
    here.type_sentence(long, len(tiny_translator.tokenize(long)))
    assert here.overflow() <= 0
    box = here.part(".scroll")
    assert box.evaluate("e => e.scrollWidth - e.clientWidth") > 0
    assert box.evaluate("e => getComputedStyle(e).overflowX") == "auto"


def test_script_tags_stay_text(visit, tiny_translator):
    here, text = visit(), "<script>alert(1)</script><img src=x onerror=alert(2)> it"
    here.page.on("dialog", lambda dialog: here.errors.append(dialog.message))
    here.type_sentence(text, len(tiny_translator.tokenize(text)))
    here.page.get_by_text("not in the vocabulary").wait_for()
    assert here.page.locator("img[src='x']").count() == 0


# Choosing


def test_of_ten_fast_clicks_none_is_lost_and_the_last_one_wins_everywhere(visit, attention):
    here = visit(height=1400)
    here.page.mouse.click(*here.cell(2, 1))
    kinds = ("cross", "encoder", "encoder", "decoder", "encoder")
    places = [(kinds[n % 5], n % 2, n % 4) for n in range(9)] + [("encoder", 1, 3)]
    spots = [here.tile(*place).bounding_box() for place in places]
    seen = []
    for spot in spots:
        here.page.mouse.click(spot["x"] + 10, spot["y"] + 10)
        seen.append(here.head())
        here.page.wait_for_timeout(100)
    assert seen == places
    here.until(lambda: here.asked("layer", "head") == ("2", "4"))
    here.page.wait_for_timeout(1500)  # an answer to an older click would come now
    assert here.head() == places[-1]
    assert here.asked("kind", "layer", "head") == (None, "2", "4")
    assert here.part(".name").inner_text().endswith("layer 2, head 4")
    told = here.page.locator("p", has_text="Selected key: ").inner_text()
    assert holds(told, f"{attention.weights[1, 3, 2, 1]:.2f}")


def test_a_token_clicked_above_the_heads_chooses_its_row_or_column(visit):
    here = visit(SHORT)
    here.token(0, 2).click()
    assert here.chosen() == ([2], [])
    here.until(lambda: here.asked("row") == ("3",))
    assert here.label("rows", 2).get_attribute("aria-pressed") == "true"
    # In cross-attention the source is looked at, so a token of it is a column beside the row.
    here.tile("cross", 0, 0).click()
    here.token(1, 1).click()
    here.token(0, 3).click()
    assert here.chosen() == ([1], [3])
    here.until(lambda: here.asked("row", "column") == ("2", "4"))


def test_a_token_without_a_row_chooses_what_there_is_and_one_left_out_is_no_column(visit):
    # The decoder never reads the last token it writes; only cross-attention has a row for it.
    here = visit(f"{SHORT}&special=hide")
    last = here.part(".token[data-line='1']").count() - 1
    here.token(1, last).click()
    assert (here.head()[0], here.chosen()) == ("cross", ([last], []))
    here.until(lambda: here.asked("row") == (str(last + 1),))
    here.part(".token[data-line='0'].special").last.click()
    assert here.chosen() == ([last], [])
    here.tile("cross", 1, 1).click()
    here.until(lambda: here.asked("layer", "head") == ("2", "2"))


def test_numbers_under_heads_are_named_and_heads_with_little_weight_are_pale(visit, attention):
    here = visit("?badge=weight")
    option, tile = here.part('select option[value="weight"]'), here.tile("encoder", 0, 1)
    pale = here.part(".tile[data-kind=encoder].dim")
    read = "tiles => tiles.map(t => [t.dataset.layer, t.dataset.head].map(Number))"

    def check_number(name: str, value: float) -> None:
        for _ in ("on screen", "in the answer"):
            assert option.text_content() == english(name, measure="weight")
            number = float(tile.locator(".number").inner_text().split()[0])
            assert number == pytest.approx(value, abs=0.0051)
            here.settle()

    here.page.mouse.click(*here.cell(2, 1))
    for columns in ([1], [1, 4]):
        assert here.chosen() == ([2], columns)
        sums = attention.weights[:, :, 2, columns].sum(-1)
        low = {tuple(place) for place in np.argwhere(sums < sums.max() / 2).tolist()}
        assert {tuple(place) for place in pale.evaluate_all(read)} == low - {here.head()[1:]}
        here.label("columns", 4).click(modifiers=["Shift"])
    assert here.chosen() == ([2], [1]), "a second click with Shift lets a token go"
    weight = attention.weights[0, 1]
    check_number("badge-weight-pair", weight[2, 1])
    here.label("rows", 2).click()
    check_number("badge-weight-row", weight[2].max())
    here.label("rows", 2).click()
    check_number("badge-weight", weight.max(axis=1).mean())
    here.page.mouse.click(*here.cell(2, 1))
    here.part("select.metric").select_option("entropy")
    assert not pale.count()


def test_heads_and_tokens_are_chosen_by_keyboard(visit):
    here = visit("?layer=1&head=1", height=1400)
    stops = here.part(".tile[tabindex='0']")
    assert stops.count() == 1
    here.part(".title[data-kind=encoder]").focus()
    for _ in range(30):
        here.page.keyboard.press("Tab")
        if stops.evaluate("e => e === e.getRootNode().activeElement"):
            break
    assert stops.evaluate(FOCUSED) == ["encoder", "0", "0"]
    for key in ("ArrowRight", "ArrowDown", "ArrowRight"):
        here.page.keyboard.press(key)
    assert stops.evaluate(FOCUSED) == ["encoder", "1", "2"]
    assert here.head() == ("encoder", 0, 0), "moving opens nothing"
    here.page.keyboard.press("Enter")
    assert here.head() == ("encoder", 1, 2)
    here.until(lambda: here.asked("layer", "head") == ("2", "3"))
    assert stops.evaluate(FOCUSED) == ["encoder", "1", "2"], "the keyboard stays where it is"
    here.label("rows", 0).focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        here.page.keyboard.press(key)
    assert here.chosen() == ([2], [])


# The way back


def test_a_load_makes_no_entry_in_the_history_and_its_link_is_copied_whole(visit):
    here = visit("?kind=cross&layer=2&head=3")
    here.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    undo = here.page.locator(".st-key-history .undo")
    before = undo.bounding_box()
    here.press_at(".st-key-history .copy")
    here.page.locator(".st-key-history .word:not(:empty)").wait_for()
    # The word must not take the place of the button beside it.
    assert undo.bounding_box() == before
    here.until(lambda: here.page.evaluate("navigator.clipboard.readText()") == here.page.url)
    opened = here.head()
    here.tile("encoder", 1, 1).click()
    here.settle()
    here.page.go_back()
    here.until(lambda: here.head() == opened)
    here.page.go_back()
    assert here.page.url == "about:blank", "what was opened first is left by one step back"


def test_undo_takes_back_one_act_and_is_dark_where_there_is_none(visit):
    here = visit("?kind=encoder&layer=2&head=3")
    undo, opened = here.page.locator(".st-key-history .undo"), here.head()
    assert undo.is_disabled()
    for head in (1, 2):
        here.tile("encoder", 0, head).click()
        here.settle()
        here.page.wait_for_timeout(ACT)
    for place in (("encoder", 0, 1), opened):
        here.press_at(".st-key-history .undo")
        here.until(lambda place=place: here.head() == place)
    here.until(undo.is_disabled)


def test_back_undoes_sentence_view_and_page_in_turn_and_forward_does_them_again(visit, n_tokens):
    here = visit()
    head, ribbons = here.head(), english("view-attention-ribbons")

    def state() -> tuple:
        """Path, sentence and view of the address; sentence, view and head on the screen."""
        text, look = here.asked("text", "look")
        box = here.page.get_by_label("English sentence").input_value()
        # Examples are such choices, too.
        views = here.page.locator(".st-key-views")
        radio = views.locator('[role="radio"][aria-checked="true"]').first.inner_text()
        path = urlsplit(here.page.url).path
        return path, text or DEFAULT.text, look or "matrix", box, radio, here.head()

    def step(text: str, look: str, head: tuple[str, int, int]) -> tuple:
        return "/", text, look, text, english(f"view-attention-{look}"), head

    here.type_sentence(SENTENCE, n_tokens)
    here.page.wait_for_timeout(ACT)
    opened = here.head()  # the one that tells most about this sentence
    here.open(ribbons)
    here.page.wait_for_timeout(ACT)
    here.tile("encoder", 1, 3).click()
    here.settle()
    here.page.wait_for_timeout(ACT)
    here.page.get_by_role("link", name=english("page-beam")).first.click()
    here.page.wait_for_url(re.compile("/beam"))
    here.settle()
    steps = [
        step(DEFAULT.text, "matrix", head),
        step(SENTENCE, "matrix", opened),
        step(SENTENCE, "ribbons", opened),
        step(SENTENCE, "ribbons", ("encoder", 1, 3)),
    ]
    here.page.go_back()
    here.page.wait_for_url(re.compile("look=ribbons"))
    here.until(lambda: state() == steps[-1])
    for go, ahead in ((here.page.go_back, steps[-2::-1]), (here.page.go_forward, steps[1:])):
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
        box = here.part(f".{part}").bounding_box()
        assert min(box["y"], box["x"]) >= 0, part
        assert box["y"] + box["height"] <= 800, part
        assert box["x"] + box["width"] <= 1280, part
    assert here.page.locator('[data-testid="stMain"]').evaluate("e => e.scrollTop") == 0
    hidden = "e => Math.max(e.scrollHeight - e.clientHeight, e.scrollWidth - e.clientWidth)"
    assert here.part(".scroll").evaluate(hidden) <= 0


def test_on_a_phone_the_open_head_stands_under_the_row_that_was_tapped(visit):
    here = visit(width=390, height=844, touch=True)
    for place in (("encoder", 0, 1), ("cross", 1, 2)):
        here.tile(*place).tap()
        row = here.part(f".layer:has(.tile[data-kind={place[0]}])").nth(place[1]).bounding_box()
        gap = here.part(".panel").bounding_box()["y"] - (row["y"] + row["height"])
        assert 0 <= gap < 24
        here.settle()
        assert here.head() == place


def test_another_theme_repaints_the_picture_without_the_server(visit):
    here = visit()
    here.page.context.set_offline(True)

    def painted(scheme: str) -> tuple[str, str]:
        here.page.emulate_media(color_scheme=scheme)
        here.page.wait_for_timeout(800)
        return here.picture(), here.picture(":not(.cells)")

    light, dark = painted("light"), painted("dark")
    assert light[0] != dark[0]
    assert light[1] != dark[1]
    assert painted("light") == light
    here.errors.clear()  # the server is out of reach, which the browser says


def test_of_a_long_sentence_no_thumbnail_is_blank(visit_shipped):
    here = visit_shipped(f"?text={' '.join([DEFAULT.text] * 10)}")
    assert here.part(".rows .label").count() > 130
    tiles = here.part(".thumbnail").all()
    assert len(tiles) == (4 + 2 + 2) * 8
    assert min(tile.evaluate(DIFFERING) for tile in tiles) >= 30
    strip = here.part(".layer canvas").first.bounding_box()
    first, last = (tiles[n].bounding_box() for n in (0, 7))
    assert (strip["x"], strip["y"]) == pytest.approx((first["x"], first["y"]), abs=0.5)
    assert strip["x"] + strip["width"] == pytest.approx(last["x"] + last["width"], abs=0.5)


def test_full_screen_makes_the_picture_larger(visit):
    here = visit(f"?text={SENTENCE}")

    def size(full: bool) -> dict[str, float]:
        here.page.wait_for_function(
            "full => Boolean(document.fullscreenElement) === full", arg=full
        )
        here.page.wait_for_timeout(500)
        return here.part("canvas.cells").bounding_box()

    before = size(False)
    here.part(".enlarge").click()
    larger = size(True)
    assert larger["width"] * larger["height"] > 1.5 * before["width"] * before["height"]
    here.part(".enlarge").click()
    assert size(False)["width"] == pytest.approx(before["width"], abs=1)


def test_the_scales_of_colours_outlive_the_address_they_were_drawn_at(visit):
    here = visit("?look=pair", '[class*="_pair_first"] svg.marks')
    here.settle()
    fills = here.page.locator("svg .role-legend-gradient path")
    assert fills.count() > 0
    for fill in fills.evaluate_all("nodes => nodes.map(node => node.getAttribute('fill'))"):
        assert fill.startswith(("url(#", f"url({here.page.url}#")), fill


def test_the_words_on_rows_keep_their_first_line_over_a_map_of_three_tokens(visit_shipped):
    here = visit_shipped("?text=Go!&lang=ko&checkpoint=en-de")
    assert here.part(".corner").evaluate(ABOVE) <= 1


def test_the_cross_of_a_word_makes_another_run_and_undo_brings_the_word_back(visit):
    here = visit(SHORT)
    here.part(".hide").nth(1).click()
    undo = here.button(english("hidden-undo"))
    undo.wait_for()
    here.until(lambda: here.asked("hidden") != (None,))
    undo.click()
    undo.wait_for(state="detached")
    here.until(lambda: here.asked("hidden") == (None,))
