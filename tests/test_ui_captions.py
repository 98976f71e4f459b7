"""The page of captions: a scene that is drawn, its caption, the gaze, and what was measured."""

from __future__ import annotations

import json
import random
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from conftest import make_model
from harness import asked, given, open_page, press, put, run, says, table_of, words

from core.captions import captions_of
from core.scenes import MOST_THINGS, Scene, Thing, picture, random_scene, read_scene
from model import InputError, load_translator, save_checkpoint
from model.checkpoint import FOLDER_VARIABLE, load_checkpoint
from model.families.captioner import FAMILY, CaptionerConfig
from model.tokenizer import build_tokenizer
from ui.captions.editing import changed
from ui.captions.gaze import _figure, _played, _truth, looks_of, told_by
from ui.components.scene import Act, Look
from viz.export import figure_png, figure_svg
from viz.figure import tables_of
from words import english

SCENE = "small red circle at 1 1; large blue ring at 3 4"
NAME = "attention_lab_scene"
SIZES = {"d_model": 8, "hidden_size": 8, "annotation_size": 8, "attention_size": 4}


def measured(share: float) -> dict:
    row = {"n": 200, "share": share, "low": share - 0.05, "high": share + 0.05}
    kinds = ("all", "noun", "colour", "size", "pattern")
    blind = {"even": 0.06, "random": 0.32, "first": 0.48}
    gaze = {kind: row | {"mass": share / 2, "elsewhere": 0.1} | blind for kind in kinds}
    parts = ("caption", "grammar", "thing", *kinds[1:], "relation", "count")
    exact = dict.fromkeys(parts, row) | {"count": row | {"n": 0, "share": None}}
    found = {"exact": exact, "bleu": {"bleu": 71.2}, "own": gaze, "read": gaze}
    found |= {"scenes": 299, "still": 0.1, "movement": 0.4, "cells": 12.0}
    return {"command": "a command", "beam": 5, "seen": found, "held_out": found}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory, tiny_tokenizer) -> Path:
    """Two captioners with random weights, and a translator."""
    root = tmp_path_factory.mktemp("captions")
    rng = random.Random(1)
    texts = [c.text for i in range(60) for c in captions_of(random_scene(rng), ("en", "ko")[i % 2])]
    tokenizer = build_tokenizer(texts, 250)
    for name, attention, language in (
        ("captions-soft", "soft", "en"),
        ("captions-mean", "mean", "en"),
        ("captions-soft-ko", "soft", "ko"),
        ("foreign", "soft", "fr"),
    ):
        torch.manual_seed(5)
        model = FAMILY.build(CaptionerConfig(tokenizer.vocab_size, **SIZES, attention=attention))
        card = {"title": name, "languages": ["scene", language], "lineage": {"year": 2015}}
        save_checkpoint(root / name, model, tokenizer, architecture=FAMILY.name, card=card)
    model = make_model(vocab_size=tiny_tokenizer.vocab_size)
    save_checkpoint(root / "en-de", model, tiny_tokenizer, card={"languages": ["en", "de"]})
    folder = root / "captions-soft"
    own = {"fingerprint": load_checkpoint(folder).card.fingerprint}
    (folder / "gaze.json").write_text(json.dumps(measured(0.9) | own))
    return root


@pytest.fixture(autouse=True)
def app(shelf, monkeypatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(shelf))


def opened(text: str = SCENE, **address: str):
    address = {"checkpoint": "captions-soft", "max_len": "12"} | address
    return open_page("captions", text=text, **address)


def shown(page, which: int = 0) -> dict:
    """What one of the components is given; the first is the one that can be changed."""
    found = [e.proto for e in page.get("bidi_component") if e.proto.component_name == NAME]
    return given(found[which])


def act(page, tool: str, start: int, end: int | None = None, **changes):
    """A click of the reader, as the browser sends it."""
    data = shown(page)
    value = {"number": data["answered"] + 1, "identity": data["identity"]}
    places = {"from": start, "to": start if end is None else end}
    return first_sends(page, {**value, "act": tool, **places, **changes})


def first_sends(page, value: dict, which: int = 0):
    found = [e.proto for e in page.get("bidi_component") if e.proto.component_name == NAME]
    states = page._tree.get_widget_states()
    widget = states.widgets.add()
    widget.id, widget.json_value = found[which].id, json.dumps({"act": value})
    page._run(states)
    assert not page.exception
    return page


def click_word(page, word: int | None, which: int = 0):
    """A click on a word below one of the pictures; None for the word that is open."""
    data = shown(page, which)
    value = {"number": data["answered"] + 1, "identity": data["identity"], "word": word}
    return first_sends(page, value, which)


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


def test_the_picture_its_words_and_their_gazes_travel():
    page = opened()
    data = shown(page)
    pixels = np.frombuffer(data["pixels"], np.uint8).reshape(112, 112, 3)
    np.testing.assert_array_equal(pixels, picture(read_scene(SCENE)))
    maps = np.frombuffer(data["maps"], "<u2").reshape(-1, 196)
    assert len(maps) == len(data["labels"]) == len(data["notes"])
    assert data["labels"][-1] == english("captions-sum")
    weights = page.session_state["run"].record.of("gaze").weights[0, 0]
    total = weights.sum(axis=0)
    np.testing.assert_allclose(maps[-1] / 65534, total / total.max(), rtol=0, atol=1e-4)


def test_a_word_that_is_clicked_stands_in_the_address():
    page = opened()
    last = len(shown(page)["labels"]) - 1
    assert "captions_word" not in page.query_params
    click_word(page, 2)
    assert shown(page)["open"] == 2
    assert asked(page)["captions_word"] == "3"
    click_word(page, last)
    assert asked(page)["captions_word"] == "sum"
    click_word(page, 1, which=1)
    assert asked(page)["captions_word_beside"] == "2"
    assert (shown(page)["open"], shown(page, 1)["open"]) == (last, 1)


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


@pytest.mark.parametrize("first", ["captions-soft", "captions-soft-ko"])
def test_captioners_of_both_languages_tell_the_same_scene(first):
    page = opened(checkpoint=first)
    other = "captions-soft" if first.endswith("ko") else "captions-soft-ko"
    assert english(f"system-{other}") in page.selectbox("captions_beside").options
    languages = [shown(put(page, captions_beside=other), which)["language"] for which in (0, 1)]
    assert languages == ["ko" if name.endswith("ko") else "en" for name in (first, other)]


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


def test_a_language_without_a_grammar_is_not_judged():
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


@pytest.mark.parametrize(
    ("text", "id", "values"),
    [
        ("cover 1 1", "scene-empty", {}),
        (";;; ; \n", "scene-empty", {}),
        ("The dog runs.", "scene-placeless", {"part": "The dog runs."}),
        ("<script>alert(1)</script>", "scene-placeless", {"part": "<script>alert(1)</script>"}),
        ("빨간 원", "scene-placeless", {"part": "빨간 원"}),
        ("small red circle at 9 9", "scene-place", {"part": "small red circle at 9 9", "most": 4}),
        ("red circle at 1 1; blue square at 1 1", "scene-crowded", {"row": 1, "column": 1}),
        ("\x00\u202e☃", "scene-placeless", None),
        ("small red circle at 1 1; " * 2000, "scene-many", {"n": 2000, "most": MOST_THINGS}),
        ("z" * 20_000, "scene-placeless", {"part": "z" * 59 + "…"}),
    ],
)
def test_an_address_with_no_scene_says_why_and_shows_one_all_the_same(text, id, values):
    page = opened(text)
    if values is None:
        assert english(id, part="@").split("@")[1] in words(page)
    else:
        assert says(page, id, **values)
    assert english("scene-hint") in words(page)
    assert page.session_state["text"] == text
    data = shown(page)
    assert data["labels"]
    assert any(data["filled"])
    act(page, "remove", data["filled"].index(True))
    assert page.session_state["text"] != text
    assert "scene" in page.session_state["run"].capabilities
    assert not page.error


@pytest.mark.parametrize(
    ("text", "n", "covered"),
    [("small red circle at 1 1", 1, 0), (FULL, MOST_THINGS, 0), (f"{SCENE}; cover 1 1", 2, 1)],
)
def test_an_unusual_scene_is_told_and_said_to_be_one(text, n, covered):
    page = opened(text)
    assert says(page, "captions-unusual", n=n, least=2, most=5, covered=covered)
    assert shown(page)["labels"]


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
        ({"checkpoint": "captions-mean"}, "captions-mean"),
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
    assert page.session_state["checkpoint"] == address.get("checkpoint", "en-de")


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


def test_numbers_stand_beside_gazes_that_know_no_word():
    page = opened(captions_look="measured")
    table = table_of(page, "mass")
    blind = [english(f"captions-{name}-row") for name in ("even", "random", "first")]
    assert list(table["system"]) == [english("system-captions-soft"), *blind]
    assert [cell[:2] for cell in table["noun"]] == ["90", "6.", "32", "48"]
    assert says(page, "captions-measured-about", scenes=299, beam=5, still=0.1)


def test_a_caption_plays_word_by_word_under_what_is_said_so_far():
    words = [Look(word, "", "", "", np.full(196, 1 / 196)) for word in ("a", "red", "circle")]
    played = _played(np.zeros((112, 112, 3), np.uint8), words)
    assert played.titles == ["a", "a red", "a red circle"]
    labels = [tables_of(played.at(at))["panels"]["label"].tolist() for at in range(3)]
    assert labels == [["", "a"], ["", "red"], ["", "circle"]]
    assert _played(np.zeros((112, 112, 3), np.uint8), []) is None
