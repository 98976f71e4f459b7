"""The bars of a row in a real browser, on an app that shows nothing else: no model."""

from __future__ import annotations

import pytest

from support.browser import Visit, visiting

BAR = '.bar[data-place="0"]'


class RowVisit(Visit):
    """The row on screen."""

    at, ready = "row?", (BAR, "text=given as computed")
    width, height = 900, 700

    def bar(self, place: int):
        return self.page.locator(f'.bar[data-place="{place}"]')

    def weights(self) -> list[float]:
        """The bars as they stand in the browser."""
        text = self.page.locator(".row").get_attribute("data-weights")
        return [float(word) for word in text.split()]

    def given(self) -> list[float]:
        """The row that Python has."""
        text = self.page.get_by_text("given ").inner_text().removeprefix("given ")
        return [float(word) for word in text.split()]

    def wait_for_row(self, test: str) -> None:
        """Wait until what Python says it has passes a test in JavaScript of `w`."""
        self.page.wait_for_function(
            """test => {
              const said = [...document.querySelectorAll('[data-testid="stText"]')]
                .map(e => e.innerText).find(t => t.startsWith('given '));
              const w = said.slice(6).split(' ').map(Number);
              return Function('w', `return ${test}`)(w);
            }""",
            arg=test,
        )

    def spot(self, place: int, height: float) -> tuple[float, float]:
        """Where on the screen a bar has a weight."""
        box = self.bar(place).locator(".track").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] * (1 - height)

    def drag(self, place: int, start: float, end: float) -> None:
        mouse = self.page.mouse
        mouse.move(*self.spot(place, start))
        mouse.down()
        for part in range(1, 9):
            mouse.move(*self.spot(place, start + (end - start) * part / 8))
        assert sum(self.weights()) == pytest.approx(1, abs=2e-4)
        mouse.up()


@pytest.fixture
def visit(browser, stages):
    with visiting(RowVisit, browser, stages) as start:
        yield start


def test_a_dragged_bar_takes_its_weight_from_the_others_in_proportion(visit):
    here = visit("all=1")
    here.drag(1, 0.3, 0.65)
    here.wait_for_row("w[1] > 0.6")
    given = here.given()
    assert given[1] == pytest.approx(0.65, abs=0.02)
    rest = 1 - given[1]
    for weight, share in zip((given[0], given[2], given[3]), (4 / 7, 2 / 7, 1 / 7), strict=True):
        assert weight == pytest.approx(rest * share, abs=2e-4)
    assert sum(given) == pytest.approx(1, abs=1e-6)
    here.button("another row").click()  # replaces what was dragged
    here.page.wait_for_selector('.row[data-weights^="0.0000 0.0000 1.0000"]')


def test_a_bar_stays_in_its_track_and_shares_evenly_what_was_all(visit):
    here = visit("all=1")
    here.drag(0, 0.4, 1.8)
    here.wait_for_row("w[0] === 1")
    assert here.given() == [1, 0, 0, 0]
    here.drag(0, 0.98, 0.7)
    here.wait_for_row("w[0] < 0.75")
    given = here.given()
    assert given[1] == pytest.approx(given[2], abs=2e-4)
    assert given[1] == pytest.approx(given[3], abs=2e-4)


def test_arrow_keys_move_a_bar_and_the_focus(visit):
    here = visit("all=1")
    here.bar(1).focus()
    for _ in range(5):
        here.page.keyboard.press("ArrowUp")
    here.wait_for_row("Math.abs(w[1] - 0.35) < 1e-6")
    here.page.keyboard.press("ArrowRight")
    here.page.keyboard.press("Shift+ArrowUp")
    here.wait_for_row("w[2] > 0.25")
    assert sum(here.given()) == pytest.approx(1, abs=1e-6)
    here.page.keyboard.press("Home")
    here.wait_for_row("w[2] === 0")


def test_the_buttons_give_even_weights_one_key_or_the_computed_row(visit):
    here = visit("all=1")
    here.button("Make uniform").click()
    here.wait_for_row("w.every(x => x === 0.25)")
    here.bar(2).focus()
    here.button("Put all on one key").click()
    here.wait_for_row("w[2] === 1")
    here.button("Reset").click()
    here.page.get_by_text("given as computed").wait_for()
    assert here.weights() == [0.4, 0.3, 0.2, 0.1]


def test_a_key_out_of_sight_cannot_be_dragged_and_gets_nothing_and_names_stay_text(visit):
    here = visit()
    here.page.mouse.move(*here.spot(3, 0.1))
    here.page.mouse.down()
    here.page.mouse.move(*here.spot(3, 0.8))
    here.page.mouse.up()
    assert here.weights()[3] == 0
    here.button("Make uniform").click()
    here.wait_for_row("w[3] === 0 && w[0] > 0.33 && w[0] < 0.34")
    assert here.bar(3).get_attribute("aria-disabled") == "true"
    assert here.bar(0).locator(".name").inner_text() == "<b>the</b>"
    assert here.page.locator(".row b").count() == 0


def test_a_finger_can_drag_on_a_narrow_screen(visit):
    here = visit("all=1", width=390, touch=True)
    start, end = here.spot(1, 0.3), here.spot(1, 0.6)
    session = here.page.context.new_cdp_session(here.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    touch("touchStart", start)
    for part in range(1, 7):
        touch("touchMove", (start[0], start[1] + (end[1] - start[1]) * part / 6))
    touch("touchEnd")
    here.wait_for_row("w[1] > 0.55 && w[1] < 0.65")
