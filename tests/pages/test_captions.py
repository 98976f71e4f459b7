"""The page of captions: a scene that is drawn, its caption, the gaze, and what was measured."""

from __future__ import annotations

import json
import shutil
from types import SimpleNamespace

import pytest

from core.scenes import MOST_THINGS, Scene, Thing, picture, read_scene
from model import InputError, load_translator
from model.checkpoint import FOLDER_VARIABLE
from support.app import asked, given, open_page, press, put, run, says, words
from support.models import ROOT
from ui.captions.editing import changed
from ui.captions.gaze import _figure, _truth, looks_of, told_by
from ui.components.scene import Act
from viz.export import figure_png, figure_svg
from viz.figure import tables_of
from words import english

SCENE = "small red circle at 1 1; large blue ring at 3 4"
NAME = "attention_lab_scene"


def opened(text: str = SCENE, **address: str):
    address = {"checkpoint": "captions-soft", "max_len": "12"} | address
    return open_page("captions", text=text, **address)


def proto_of(page, which: int = 0):
    """One of the components; the first is the one that can be changed."""
    return [e.proto for e in page.get("bidi_component") if e.proto.component_name == NAME][which]


def shown(page, which: int = 0) -> dict:
    return given(proto_of(page, which))


def sends(page, which: int = 0, **value):
    """What the browser sends of one of the components."""
    data, states = shown(page, which), page._tree.get_widget_states()
    value = {"number": data["answered"] + 1, "identity": data["identity"], **value}
    widget = states.widgets.add()
    widget.id, widget.json_value = proto_of(page, which).id, json.dumps({"act": value})
    page._run(states)
    assert not page.exception
    return page


def act(page, tool: str, start: int, end: int | None = None, **changes):
    """A click of the reader on the picture."""
    places = {"from": start, "to": start if end is None else end}
    return sends(page, act=tool, **places, **changes)


def click_word(page, word: int | None, which: int = 0):
    """A click on a word below one of the pictures; None for the word that is open."""
    return sends(page, which, word=word)


# -- what a click does ------------------------------------------------------------------------

STAR, RING = Thing("star", "green", "small"), Thing("ring", "red", "large")
BLUE, AROUND = "small blue star at 1 2", "large red ring at 1 2"
FULL = "; ".join(f"small red circle at {1 + i // 4} {1 + i % 4}" for i in range(MOST_THINGS))


def after(text: str, tool: str, start, end=None, brush: Thing = STAR) -> str:
    scene = read_scene(text) if text else Scene(())
    return str(changed(scene, Act(tool, start, end or start, 1), brush))


@pytest.mark.parametrize(
    ("text", "act", "expected"),
    [
        ("", ("place", (0, 1)), "small green star at 1 2"),
        ("small red circle at 1 2", ("place", (0, 1)), "small green star at 1 2"),
        (AROUND, ("place", (0, 1)), f"small green star at 1 2; {AROUND}"),
        (f"{BLUE}; {AROUND}", ("place", (0, 1)), f"small green star at 1 2; {AROUND}"),
        (BLUE, ("place", (0, 1), (0, 1), RING), f"{BLUE}; {AROUND}"),
        (
            f"{BLUE}; {AROUND}",
            ("move", (0, 1), (3, 2)),
            "small blue star at 4 3; large red ring at 4 3",
        ),
        (f"{BLUE}; {AROUND}", ("remove", (0, 1)), AROUND),
        (
            f"{BLUE}; large red ring at 3 3",
            ("place", (0, 1), (2, 2)),
            "small blue star at 3 3; large red ring at 3 3",
        ),
        (BLUE, ("cover", (0, 1)), f"{BLUE}; cover 1 2"),
        (f"{BLUE}; cover 1 2", ("cover", (0, 1)), BLUE),
        (BLUE, ("move", (2, 2), (1, 1)), BLUE),
    ],
)
def test_what_a_tool_makes_of_a_scene(text, act, expected):
    assert after(text, *act) == expected


@pytest.mark.parametrize(
    ("act", "why"), [(("place", (3, 3)), "many"), (("move", (0, 0), (0, 1)), "taken")]
)
def test_what_does_not_fit_is_refused(act, why):
    with pytest.raises(InputError) as raised:
        after(FULL, *act)
    assert raised.value.message.id == f"captions-refused-{why}"


# -- the page ---------------------------------------------------------------------------------


def test_a_word_that_is_clicked_stands_in_the_address():
    page = opened()
    at, last = shown(page)["open"] + 1, len(shown(page)["labels"]) - 1
    assert "captions_word" not in page.query_params
    click_word(page, at)
    assert shown(page)["open"] == at
    assert asked(page)["captions_word"] == str(at + 1)
    click_word(page, last)
    assert asked(page)["captions_word"] == "sum"
    click_word(page, 2, which=1)
    assert asked(page)["captions_word_beside"] == "3"
    assert (shown(page)["open"], shown(page, 1)["open"]) == (last, 2)


def test_a_word_stays_open_while_the_caption_is_the_same_and_not_in_another():
    page = opened()
    click_word(page, 2)
    page.session_state["captions_word_default"] = ("none", True, ("another", "caption"))
    run(page)
    first = next((i for i, box in enumerate(shown(page)["boxes"]) if box), None)
    assert shown(page)["open"] == first
    assert "captions_word" not in page.query_params
    click_word(page, 2)
    press(page, "captions_draw_usual")
    labels = shown(page)["labels"]
    assert page.session_state["captions_word_default"][2] == tuple(labels)


def test_what_is_handed_out_is_what_is_shown():
    page = opened()
    looks = looks_of(told_by(page.session_state["run"]))
    figure = _figure(picture(read_scene(SCENE)), looks)
    labels = shown(page)["labels"]
    panels, boxes = tables_of(figure).values()
    assert panels["label"].tolist() == ["", *labels]
    assert panels["note"].tolist() == ["", *shown(page)["shares"]]
    assert len(boxes) == sum(map(bool, shown(page)["boxes"]))
    assert figure_png(figure)[:4] == b"\x89PNG"
    assert all(f">{label}<" in figure_svg(figure) for label in labels)


WRONG = {"part": english("captions-part-colour"), "word": "초록색"}


@pytest.mark.parametrize(
    ("name", "text", "expected", "values"),
    [
        ("captions-soft-ko", "작은 빨간 원이 큰 파란 고리 위에 있습니다.", "exact", {}),
        ("captions-soft-ko", "작은 빨간 원가 큰 파란 고리 위에 있습니다.", "no-grammar", {}),
        ("captions-soft-ko", "a red circle is above a blue ring.", "no-grammar", {}),
        ("captions-soft", "a red circle is above a blue ring.", "exact", {}),
        (
            "captions-soft-ko",
            "작은 초록색 원이 큰 파란 고리 위에 있습니다.",
            "wrong",
            {"wrong": english("captions-wrong-part", **WRONG)},
        ),
    ],
)
def test_a_caption_is_judged_by_the_grammar_and_in_the_words_of_its_language(
    name, text, expected, values
):
    """A true caption that the model reads stands where its own would."""
    reader = load_translator(name)
    record = reader.attend(SCENE, text)
    how = {"card": reader.card, "translator": reader, "change": None, "record": record}
    told = told_by(SimpleNamespace(src=record.src, tgt=record.tgt, **how))
    assert told.scene == read_scene(SCENE)
    assert _truth(told) == english(f"captions-{expected}", **values)


def test_a_language_without_a_grammar_is_not_judged(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "checkpoints" / "captions-soft", tmp_path / "foreign")
    card = tmp_path / "foreign" / "card.json"
    values = json.loads(card.read_text(encoding="utf-8"))
    card.write_text(json.dumps(values | {"languages": ["scene", "fr"]}), encoding="utf-8")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    page = opened(checkpoint="foreign")
    assert says(page, "captions-no-language", languages="en, ko")
    assert shown(page)["labels"]


def test_a_click_places_a_thing_and_the_model_tells_the_new_scene():
    page = opened(captions_tool="place")
    put(page, captions_colour="green")
    act(page, "remove", 0, number=9, identity="old")
    assert page.session_state["text"] == SCENE
    act(page, "place", 5)
    assert "green circle at 2 2" in page.session_state["text"]
    assert len(page.session_state["run"].translation.src.scene.things) == 3
    act(page, "move", 5, 15)
    assert "green circle at 4 4" in page.session_state["text"]
    before = page.session_state["text"]
    assert says(
        put(page, text="; ".join(["small red circle at 1 1"] * 20)),
        "scene-many",
        n=20,
        most=MOST_THINGS,
    )
    assert page.session_state["run"].translation.src.text == before
    assert shown(page)["labels"]


def test_a_scene_that_becomes_empty_is_said_so_and_can_be_drawn_again():
    page = opened("small red circle at 1 1")
    act(page, "remove", 0)
    assert page.session_state["text"] == ""
    assert says(page, "scene-empty")
    data = shown(page)
    assert data["idle"] == english("captions-empty")
    assert not any(data["filled"])
    act(page, "place", 3)
    assert page.session_state["text"].endswith("at 1 4")
    assert not page.error


def test_a_full_scene_is_said_to_be_unusual_and_one_that_cannot_be_read_leaves_the_last():
    page = opened(FULL)
    assert says(page, "captions-unusual", n=MOST_THINGS, least=2, most=5, covered=0)
    assert shown(page)["labels"]
    page = opened("The dog runs.")
    assert english("scene-hint") in words(page)
    assert page.session_state["text"] == "The dog runs."
    act(page, "remove", shown(page)["filled"].index(True))
    assert page.session_state["text"] != "The dog runs."
    assert not page.error


def test_scenes_are_drawn_by_chance():
    page = opened()
    press(page, "captions_draw_held_out")
    scene = page.session_state["run"].translation.src.scene
    assert any(thing.held_out for thing in scene.things)
    press(page, "captions_draw_usual")
    assert page.session_state["run"].translation.src.scene != scene


def captioner(page) -> str:
    return page.session_state["run"].choices.checkpoint


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ({}, "captions-soft"),
        ({"lang": "ko"}, "captions-soft-ko"),
        ({"checkpoint": "captions-mean", "lang": "ko"}, "captions-mean"),
        ({"captions_model": "captions-mean"}, "captions-mean"),
        ({"captions_model": "en-de"}, "captions-soft"),
    ],
)
def test_the_page_brings_a_captioner_and_a_scene(address, name):
    page = open_page("captions", max_len="6", **address)
    assert captioner(page) == page.selectbox("captions_model").value == name
    assert not page.error
    assert shown(page)["filled"].count(True)
    assert ("큰" in json.dumps(shown(page)["names"], ensure_ascii=False)) == ("lang" in address)
    assert page.session_state["checkpoint"] != name or "checkpoint" in address


def test_a_sentence_in_an_old_address_is_kept_for_the_model_that_reads_it():
    page = open_page("captions", text="A dog runs.", max_len="6")
    assert not page.error
    assert captioner(page) == "captions-soft"
    assert read_scene(page.text_input("text").value)
    page = run(page.switch_page("ui/pages/attention.py"))
    assert page.text_input("text").value == "A dog runs."


def test_the_captioner_is_chosen_on_the_page_and_kept_in_the_address():
    page = open_page("captions", text=SCENE, max_len="6")
    assert "captions_model" not in asked(page)
    put(page, captions_model="captions-mean")
    assert captioner(page) == asked(page)["captions_model"] == "captions-mean"
    assert page.text_input("text").value == SCENE
    put(page, checkpoint="captions-soft-ko")
    assert captioner(page) == "captions-soft-ko"
    put(page, captions_model="captions-soft")
    assert captioner(page) == "captions-soft"
    assert page.session_state["checkpoint"] == "captions-soft-ko"
