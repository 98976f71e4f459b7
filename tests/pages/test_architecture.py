"""The map of the model: every part of every family at its place, its doors, a token on its way."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from core.records.architecture import WIDTHS, Drawing, Lane, boxes_of
from model import list_checkpoints
from model.families.base import sites_of
from model.hooks.capture import listening
from model.io.checkpoint import load_checkpoint
from support.app import BY_FAMILY, asked, data_of, open_page, put, send
from ui.architecture import DOORS
from ui.pages import page_of, pages
from words import english

PLAN = "attention_lab_plan"
ATTENTION_KINDS = ("encoder", "decoder", "cross")
OF_FAMILIES = sorted(BY_FAMILY.values())


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(each, marks=() if each in OF_FAMILIES else pytest.mark.slow)
        for each in list_checkpoints()
    ],
)
def test_every_layer_of_every_site_has_its_box(name):
    loaded = load_checkpoint(name)
    boxes, frames = boxes_of(loaded.family.drawing(loaded.model.config))
    assert all(english(f"architecture-{box.part}") for box in boxes)
    for site in sites_of(loaded.model):
        layers = [box.layer for box in boxes if box.part == site.name]
        assert layers == (list(range(site.n_layers)) if site.n_layers > 1 else layers[:1])
    for lane in {box.lane for box in boxes}:
        row = [box for box in boxes if box.lane == lane]
        ends = [box.at + box.size for box in row]
        assert all(end < box.at for end, box in zip(ends, row[1:], strict=False))
        for frame in (frame for frame in frames if frame.lane == lane):
            inside = [
                frame.at < box.at and box.at + box.size < frame.at + frame.size for box in row
            ]
            assert inside == [box.layer == frame.layer for box in row]


def test_a_long_stack_stands_as_one_layer():
    layer = ("encoder", "norm", "feed-forward", "norm")
    for n, shown in ((6, 6), (24, 1)):
        boxes, frames = boxes_of(Drawing(Lane(("positions",), layer, n)))
        assert len(boxes) == 1 + shown * len(layer)
        assert [frame.stands_for for frame in frames] == [n // shown] * shown
        assert {box.size for box in boxes if box.part == "norm"} == {WIDTHS["norm"]}


def test_every_door_leads_to_a_view_that_there_is_and_every_page_has_one():
    for part, (page, values) in DOORS.items():
        here = page_of(page)
        views = {here.key: {view.id for view in here.views}, "kind": {*ATTENTION_KINDS}}
        assert [value in views[key] for key, value in values.items()] == [True], part
    assert {page for page, _ in DOORS.values()} == {page.id for page in pages()}


def say(page: AppTest, **what: object) -> AppTest:
    """What the reader does in the map."""
    said = {"number": 1, "identity": data_of(page, PLAN)["identity"], **what}
    return send(page, PLAN, said=said)


def test_a_door_keeps_the_sentence_and_the_model(folder):
    page = open_page("beam", text="A dog runs.", beam="3")
    assert data_of(page, PLAN)["way"] is None  # nobody asked
    page = say(page, door="norm")
    assert asked(page)["block_look"] == "norm"
    assert asked(page)["text"] == "A dog runs."


@torch.inference_mode()
def test_the_way_of_a_token_is_what_the_model_computes():
    page = say(open_page("attention"), way=True)
    run, data = page.session_state["run"], data_of(page, PLAN)
    way = data["way"]
    position, written = way["chosen"]
    assert way["tokens"][0][position] == "it"
    assert written == run.record.cross.weights.mean((0, 1))[:, position].argmax()

    model, norms = run.translator.model, []
    hook = {
        layer: lambda *given: norms.append(float(given[-1][0, position].norm()))
        for layer in model.encoder_layers
    }
    with listening(hook):
        model.encode(torch.tensor([run.src.ids]))
    parts = [(box["lane"], box["part"]) for box in data["boxes"]]
    ends = [
        step["length"]
        for before, part, step in zip([None, *parts], parts, way["steps"], strict=False)
        if (before, part) == ((0, "feed-forward"), (0, "norm"))
    ]
    np.testing.assert_allclose(ends, norms, atol=0.006)  # told with two digits

    weights = run.record.encoder.weights[:, :, position].mean(1)
    attends = [step for step, part in zip(way["steps"], parts, strict=True) if part[1] == "encoder"]
    for step, layer in zip(attends, weights, strict=True):
        assert step["sides"] == [0, 0]
        np.testing.assert_allclose(step["weights"], np.where(layer < 0.03, 0, layer), atol=5.1e-4)


def test_a_page_with_a_model_of_its_own_shows_the_map_of_that():
    page = open_page("documents")
    for name, part, other in (
        ("documents-han", "recurrence", "guess"),
        ("documents-no-mixing", "sentences", "recurrence"),
    ):
        page = say(put(page, document_model=name), way=True)
        boxes = data_of(page, PLAN)["boxes"]
        parts = {box["part"] for box in boxes}
        assert part in parts
        assert other not in parts
        assert any(box["lights"] for box in boxes)
        assert len(data_of(page, PLAN)["way"]["steps"]) == len(boxes)


def test_the_band_of_the_first_page_follows_a_token_without_a_pass_through_the_model(monkeypatch):
    def fail(*_):
        raise AssertionError("nobody asked for norms")

    monkeypatch.setattr("ui.architecture.streams_of", fail)
    page = open_page("attention")
    data = data_of(page, PLAN)
    glance = data["glance"]
    assert data["wide"]
    assert {step["length"] for step in glance["steps"]} == {None}
    weights = page.session_state["run"].record.encoder.weights
    first = [box["part"] for box in data["boxes"]].index("encoder")
    row = weights[0, :, glance["chosen"][0]].mean(0)
    assert np.argmax(glance["steps"][first]["weights"]) == row.argmax()
    other = data_of(open_page("beam"), PLAN)
    assert (other["wide"], other["glance"]) == (False, None)


def test_the_token_goes_through_the_band_once_and_then_on_a_button(visit):
    here = visit("", ".map .band .follow")
    lit = here.page.locator(".band .here, .band .passed")
    here.page.wait_for_function("localStorage.getItem('attentionLabFollowed') === '1'")
    here.until(lambda: lit.count() == 0)  # it has arrived
    here.page.reload()
    here.page.wait_for_selector(".map .band .follow")
    here.page.wait_for_timeout(2500)
    assert lit.count() == 0
    here.page.locator(".band .follow").scroll_into_view_if_needed()
    here.press_at(".band .follow")
    here.page.get_by_text("“it” attends to").wait_for()
    assert lit.count() > 0


def test_nothing_moves_by_itself_for_who_wants_less_motion(visit):
    here = visit("beam")  # the page before, on which nothing plays
    here.page.emulate_media(reduced_motion="reduce")
    here.page.get_by_role("link", name=english("page-attention"), exact=True).click()
    here.page.wait_for_selector(".map .band .follow")
    here.page.wait_for_timeout(2500)
    assert here.page.locator(".band .here").count() == 0
    assert here.page.evaluate("localStorage.getItem('attentionLabFollowed')") is None


def test_a_box_of_the_band_opens_its_page_where_it_is_pressed(visit):
    here = visit("", ".map .band .box")
    name = english("page-beam")
    search = here.page.locator(".band .box", has_text=english("architecture-search"))
    search.scroll_into_view_if_needed()
    box = search.bounding_box()
    here.page.mouse.click(box["x"] + 10, box["y"] + 10)
    here.page.get_by_role("heading", name=name).wait_for()


def test_a_reader_walks_through_the_map_by_keyboard(visit):
    here = visit("block?block_look=norm")
    small = here.button(english("architecture-open"))
    here.until(lambda: small.locator("rect.lit").count() == 4 * 2 + 2 * 3)
    small.press("Enter")
    here.button(english("architecture-play")).press("Enter")
    here.until(lambda: here.page.locator(".map .length", has_text=".").count() > 10)
    name = english("page-beam")
    here.button(f"Opens the page “{name}”").press("Enter")
    here.page.get_by_role("heading", name=name).wait_for()
    here.settle()
    assert here.page.get_by_role("dialog").count() == 0
    here.page.go_back()
    here.page.get_by_role("heading", name=english("page-block")).wait_for()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_open_map_stays_in_the_window(visit, width):
    here = visit("beam", width=width, height=844)
    here.button(english("architecture-open")).click()
    box = here.page.get_by_role("dialog").bounding_box()
    assert 0 <= box["x"] <= width - box["width"]
    plan = here.page.locator(".map .plan")
    assert plan.evaluate("node => node.scrollWidth <= node.clientWidth")
    assert here.overflow() == 0
