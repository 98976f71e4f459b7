"""The page of masks in a real browser: clicks, links, two readers."""

from __future__ import annotations

from support.browser import Visit

ADDRESS = "masks?text=A+dog+runs.&max_len=10&mask_look="


def hide(here: Visit, token: str) -> None:
    here.page.locator(".st-key-change_hidden").get_by_role("button", name=token, exact=True).click()
    here.settle()


def test_a_clicked_token_is_hidden_said_and_kept_in_the_address(visit_random):
    here = visit_random(f"{ADDRESS}Change+something&change=none")
    here.page.get_by_text("No intervention", exact=True).wait_for()
    hide(here, "dog")
    here.page.get_by_text("1 intervention", exact=True).wait_for()
    here.page.get_by_role("heading", name="Head before and after").wait_for()
    here.settle()
    here.until(lambda: "change=hide-both-2" in here.page.url)
    again = visit_random(ADDRESS + here.page.url.partition("mask_look=")[2])
    again.page.get_by_text("1 intervention", exact=True).wait_for()
    again.button("Remove all").click()
    again.page.get_by_text("No intervention", exact=True).wait_for()


def test_two_readers_do_not_see_each_others_changes(visit_random):
    first = visit_random(f"{ADDRESS}Change+something&change=none")
    second = visit_random(f"{ADDRESS}Change+something&change=none")
    hide(first, "dog")
    hide(second, "A")
    first.until(lambda: "change=hide-both-2" in first.page.url)
    second.until(lambda: "change=hide-both-1" in second.page.url)
    hide(first, ".")
    first.page.get_by_text("2 interventions", exact=True).wait_for()
    second.page.get_by_text("1 intervention", exact=True).wait_for()


def test_the_decoder_without_its_mask_stands_on_the_first_screen(visit_random):
    here = visit_random(f"{ADDRESS}seen", height=800)
    here.page.locator(".st-key-view_settings button").first.click()
    here.page.locator(".st-key-seen_peek label").click()
    matrix = here.page.locator(".st-key-scroll_seen_peek_matrix")
    matrix.wait_for()
    here.settle()
    assert matrix.bounding_box()["y"] < 300
