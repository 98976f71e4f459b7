"""The page of captions: a scene that is drawn, its caption, the gaze, and the captioner."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from core.records.scenes import MOST_THINGS, Scene, Thing, read_scene
from model import InputError, load_translator
from support.app import asked, data_of, open_page, press, put, run, says, send, turned_to, words
from ui.components.scene import Act
from ui.pages.captions.captioning import caption_of
from ui.pages.captions.editing import changed
from ui.pages.captions.gaze import _truth
from words import english

SCENE = "small red circle at 1 1; large blue ring at 3 4"
NAME = "attention_lab_scene"


def opened(text: str = SCENE, **address: str):
    address = {"checkpoint": "captions-soft", "max_len": "12"} | address
    return open_page("captions", text=text, **address)


def shown(page, which: int = 0) -> dict:
    """What the browser is given of one of the scenes; the first can be changed."""
    return data_of(page, NAME, which)


def sends(page, which: int = 0, **value):
    data = shown(page, which)
    return send(
        page,
        NAME,
        which,
        act={"number": data["answered"] + 1, "identity": data["identity"], **value},
    )


def act(page, tool: str, start: int, end: int | None = None, **changes):
    """A click of the reader on the picture."""
    places = {"from": start, "to": start if end is None else end}
    return sends(page, act=tool, **places, **changes)


# -- what a click does -----------------------------------------------------------------------

STAR, RING = Thing("star", "green", "small"), Thing("ring", "red", "large")
BLUE, AROUND = "small blue star at 1 2", "large red ring at 1 2"
FULL = "; ".join(f"small red circle at {1 + i // 4} {1 + i % 4}" for i in range(MOST_THINGS))


def after(text: str, tool: str, start, end=None, brush: Thing = STAR) -> str:
    scene = read_scene(text) if text else Scene(())
    return str(changed(scene, Act(tool, start, end or start, 1), brush))


TOOLS = [
    ("", ("place", (0, 1)), "small green star at 1 2"),
    (f"{BLUE}; {AROUND}", ("place", (0, 1)), f"small green star at 1 2; {AROUND}"),
    (BLUE, ("place", (0, 1), (0, 1), RING), f"{BLUE}; {AROUND}"),
    (f"{BLUE}; {AROUND}", ("move", (0, 1), (3, 2)), f"{BLUE}; {AROUND}".replace("1 2", "4 3")),
    (f"{BLUE}; {AROUND}", ("remove", (0, 1)), AROUND),
    (BLUE, ("place", (0, 1), (2, 2)), BLUE.replace("1 2", "3 3")),
    (BLUE, ("cover", (0, 1)), f"{BLUE}; cover 1 2"),
    (f"{BLUE}; cover 1 2", ("cover", (0, 1)), BLUE),
    (BLUE, ("move", (2, 2), (1, 1)), BLUE),
]


def test_what_a_tool_makes_of_a_scene_and_what_does_not_fit_is_refused():
    for text, act, expected in TOOLS:
        assert after(text, *act) == expected
    for act, why in ((("place", (3, 3)), "many"), (("move", (0, 0), (0, 1)), "taken")):
        with pytest.raises(InputError) as raised:
            after(FULL, *act)
        assert raised.value.message.id == f"captions-refused-{why}"


# -- the page --------------------------------------------------------------------------------


def test_a_word_that_is_clicked_stands_in_the_address_and_closes_with_another_caption():
    page = opened()
    at, last = shown(page)["open"] + 1, len(shown(page)["labels"]) - 1
    assert "captions_word" not in page.query_params
    for word, spelt in ((at, str(at + 1)), (last, "sum")):
        sends(page, word=word)
        assert (shown(page)["open"], asked(page)["captions_word"]) == (word, spelt)
    sends(page, 1, word=2)
    assert asked(page)["captions_word_beside"] == "3"
    assert (shown(page)["open"], shown(page, 1)["open"]) == (last, 2)
    page.session_state["defaults_of_controls"]["captions_word"] = (
        "none",
        True,
        ("another", "caption"),
    )
    run(page)
    first = next((i for i, box in enumerate(shown(page)["boxes"]) if box), None)
    assert shown(page)["open"] == first
    assert "captions_word" not in page.query_params


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
    told = caption_of(SimpleNamespace(src=record.src, tgt=record.tgt, **how))
    assert told.scene == read_scene(SCENE)
    assert _truth(told) == english(f"captions-{expected}", **values)


def test_a_click_places_a_thing_and_the_model_tells_the_new_scene():
    page = put(opened(captions_tool="place"), captions_colour="green")
    act(page, "remove", 0, number=9, identity="old")
    assert page.session_state["text"] == SCENE
    act(page, "place", 5)
    assert "green circle at 2 2" in page.session_state["text"]
    assert len(page.session_state["run"].translation.src.scene.things) == 3
    act(page, "move", 5, 15)
    assert "green circle at 4 4" in page.session_state["text"]
    before = page.session_state["text"]
    many = {"n": 20, "most": MOST_THINGS}
    assert says(put(page, text="; ".join(["small red circle at 1 1"] * 20)), "scene-many", **many)
    assert page.session_state["run"].translation.src.text == before
    press(page, "captions_draw_held_out")
    scene = page.session_state["run"].translation.src.scene
    assert any(thing.held_out for thing in scene.things)
    press(page, "captions_draw_usual")
    assert page.session_state["run"].translation.src.scene != scene


def test_scenes_that_are_empty_full_or_cannot_be_read_are_said_so_and_can_be_drawn_on():
    page = act(opened("small red circle at 1 1"), "remove", 0)
    assert page.session_state["text"] == ""
    assert says(page, "scene-empty")
    assert shown(page)["idle"] == english("captions-empty")
    assert not any(shown(page)["filled"])
    assert act(page, "place", 3).session_state["text"].endswith("at 1 4")
    assert not page.error
    page = put(page, text=FULL)
    assert says(page, "captions-unusual", n=MOST_THINGS, least=2, most=5, covered=0)
    page = opened("The dog runs.")
    assert english("scene-hint") in words(page)
    assert page.session_state["text"] == "The dog runs."
    act(page, "remove", shown(page)["filled"].index(True))
    assert page.session_state["text"] != "The dog runs."
    assert not page.error


# -- the captioner ---------------------------------------------------------------------------


def captioner(page) -> str:
    return page.session_state["run"].choices.checkpoint


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ({"lang": "ko"}, "captions-soft-ko"),
        ({"checkpoint": "captions-mean", "lang": "ko"}, "captions-mean"),
        ({"captions_model": "en-de", "text": "A dog runs."}, "captions-soft"),
    ],
)
def test_the_page_brings_a_captioner_and_a_scene_and_keeps_a_sentence(address, name):
    page = open_page("captions", max_len="6", **address)
    assert captioner(page) == page.selectbox("captions_model").value == name
    assert not page.error
    assert shown(page)["filled"].count(True)
    assert page.session_state["checkpoint"] != name or "checkpoint" in address
    page = run(turned_to(page, "attention"))
    assert "text" not in address or page.text_input("text").value == address["text"]


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
