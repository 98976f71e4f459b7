"""The bars of a row in a real browser, on an app that shows nothing else: no model."""

from __future__ import annotations

import pytest

from support.browser import Visit, visiting

BAR = '.bar[data-place="0"]'
PYTHON_HAS = """test => {
  const said = [...document.querySelectorAll('[data-testid="stText"]')]
    .map(e => e.innerText).find(t => t.startsWith('given '));
  const w = said.slice(6).split(' ').map(Number);
  return Function('w', `return ${test}`)(w);
}"""


class RowVisit(Visit):
    """The row on screen."""

    at, ready = "row?", (BAR, "text=given as computed")
    width, height = 900, 700

    def bar(self, place: int):
        return self.page.locator(f'.bar[data-place="{place}"]')

    def weights(self) -> list[float]:
        """The bars as they stand in the browser."""
        return [*map(float, self.page.locator(".row").get_attribute("data-weights").split())]

    def given(self, test: str) -> list[float]:
        """The row that Python has, once it passes a test in JavaScript of its weights `w`."""
        self.page.wait_for_function(PYTHON_HAS, arg=test)
        return [*map(float, self.page.get_by_text("given ").inner_text().split()[1:])]

    def spot(self, place: int, height: float) -> tuple[float, float]:
        """Where on the screen a bar has a weight."""
        box = self.bar(place).locator(".track").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] * (1 - height)

    def drag(self, place: int, start: float, end: float) -> None:
        self.page.mouse.move(*self.spot(place, start))
        self.page.mouse.down()
        self.page.mouse.move(*self.spot(place, end), steps=8)
        assert sum(self.weights()) == pytest.approx(1, abs=2e-4)
        self.page.mouse.up()


@pytest.fixture
def visit(browser, stages):
    with visiting(RowVisit, browser, stages) as start:
        yield start


def test_a_dragged_bar_takes_its_weight_from_the_others_in_proportion(visit):
    here = visit("all=1")
    here.drag(1, 0.3, 0.65)
    first, dragged, *others = here.given("w[1] > 0.6")
    assert dragged == pytest.approx(0.65, abs=0.02)
    shares = [(1 - dragged) * share / 7 for share in (4, 2, 1)]
    assert [first, *others] == pytest.approx(shares, abs=2e-4)
    assert first + dragged + sum(others) == pytest.approx(1, abs=1e-6)
    here.button("another row").click()  # replaces what was dragged
    here.page.wait_for_selector('.row[data-weights^="0.0000 0.0000 1.0000"]')


def test_a_bar_stays_in_its_track_and_a_whole_one_shares_evenly(visit):
    here = visit("all=1")
    here.drag(0, 0.4, 1.8)
    assert here.given("w[0] === 1") == [1, 0, 0, 0]
    here.drag(0, 0.98, 0.7)
    rest = here.given("w[0] < 0.75")[1:]
    assert rest == pytest.approx([rest[0]] * 3, abs=2e-4)


def test_arrow_keys_move_a_bar_and_the_focus_and_buttons_give_rows(visit):
    here = visit("all=1")
    here.bar(1).focus()
    for _ in range(5):
        here.page.keyboard.press("ArrowUp")
    here.given("Math.abs(w[1] - 0.35) < 1e-6")
    here.page.keyboard.press("ArrowRight")
    here.page.keyboard.press("Shift+ArrowUp")
    assert sum(here.given("w[2] > 0.25")) == pytest.approx(1, abs=1e-6)
    here.page.keyboard.press("Home")
    here.given("w[2] === 0")
    here.button("Make uniform").click()
    here.given("w.every(x => x === 0.25)")
    here.bar(2).focus()
    here.button("Put all on one key").click()
    here.given("w[2] === 1")
    here.button("Reset").click()
    here.page.get_by_text("given as computed").wait_for()
    assert here.weights() == [0.4, 0.3, 0.2, 0.1]


def test_a_hidden_key_cannot_be_dragged_and_gets_nothing_and_names_stay_text(visit):
    here = visit()
    here.drag(3, 0.1, 0.8)
    assert here.weights()[3] == 0
    here.button("Make uniform").click()
    here.given("w[3] === 0 && w[0] > 0.33 && w[0] < 0.34")
    assert here.bar(3).get_attribute("aria-disabled") == "true"
    assert here.bar(0).locator(".name").inner_text() == "<b>the</b>"
    assert here.page.locator(".row b").count() == 0


def test_a_finger_can_drag_on_a_narrow_screen(visit):
    here = visit("all=1", width=390, touch=True)
    session = here.page.context.new_cdp_session(here.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touched = {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        session.send("Input.dispatchTouchEvent", touched)

    touch("touchStart", here.spot(1, 0.3))
    for part in range(1, 7):
        touch("touchMove", here.spot(1, 0.3 + 0.05 * part))
    touch("touchEnd")
    here.given("w[1] > 0.55 && w[1] < 0.65")
