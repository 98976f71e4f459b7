"""A training on the page in a browser: heads are seen while it runs, and there is one at once."""

from __future__ import annotations

from support.browser import Visit
from words import english

HERE = "training?text=A%20dog%20runs.&max_len=6&training_look=here"
LIVE = '[class*="_here_live"] svg.marks'
FILM = '[class*="_toy_heads"] svg.marks'
FILLS = (
    f"[...document.querySelectorAll('{LIVE} path')].map(each => each.getAttribute('fill')).join()"
)


def press(here: Visit, id: str) -> None:
    here.button(english(id), exact=True).click()


def test_heads_form_while_one_trains_and_another_waits_until_it_is_stopped(visit_random):
    here, other = visit_random(HERE), visit_random(HERE)
    press(here, "toy_start")
    here.page.wait_for_selector(LIVE)
    press(other, "toy_start")
    other.page.get_by_text(english("training-here-refused", n=1)).wait_for()
    first = here.page.evaluate(FILLS)
    here.page.wait_for_function(f"first => {FILLS} !== first", arg=first)
    press(here, "toy_stop")
    here.page.wait_for_selector(FILM)
    assert here.page.get_by_text("was stopped at step").count() == 1
    assert here.button(english("toy_start")).is_enabled()
    press(other, "toy_start")
    refused = other.page.get_by_text(english("training-here-refused", n=1))
    other.until(lambda: not refused.count() and other.page.locator(LIVE).count())
