"""Captioners measured on generated scenes: what is true, where they look, and the page of it."""

from __future__ import annotations

import random
import re
import shutil

import pytest
import torch

from core.captions import captions_of, read_caption
from core.measurements import GAZE
from core.scenes import random_scene, read_scene
from model import load_translator, save_checkpoint
from model.families.captioner import FAMILY, CaptionerConfig
from model.tokenizer import build_tokenizer
from support.models import ROOT, read_json
from training.captioning import scene_pairs
from training.captions import (
    REFERENCES,
    SCENES,
    Captions,
    exactness,
    measured_models,
    references_of,
    scenes_of,
    trained_scenes,
)
from training.card import stored_card

LANGUAGES = ("en", "ko")
SCENE = read_scene("small red circle at 2 1; large striped blue star at 2 3")


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """A captioner of each language, with random weights, measured on two scenes of each kind."""
    root = tmp_path_factory.mktemp("shelf")
    for language in LANGUAGES:
        rng = random.Random(1)
        texts = [c.text for _ in range(30) for c in captions_of(random_scene(rng), language)]
        tokenizer = build_tokenizer(texts, 200)
        torch.manual_seed(5)
        sizes = {"d_model": 8, "hidden_size": 8, "annotation_size": 8, "attention_size": 4}
        model = FAMILY.build(CaptionerConfig(tokenizer.vocab_size, **sizes))
        folder = root / f"captions-{language}"
        card = {"languages": ["scene", language]}
        save_checkpoint(folder, model, tokenizer, architecture=FAMILY.name, card=card)
        Captions.write(folder, Captions(load_translator(folder), limit=2).measure())
    return root


@pytest.mark.parametrize("language", LANGUAGES)
def test_captions_that_are_read_are_true_and_of_the_models_language(shelf, language):
    for kind in ("seen", "held_out"):
        for scene, caption in scenes_of(kind, 30, language):
            assert read_caption(caption.text, scene, language).exact
            assert bool(re.search("[가-힣]", caption.text)) == (language == "ko")
    found = read_json(shelf / f"captions-{language}" / GAZE.file)
    assert found["seen"]["read"]["noun"]["n"] >= 4
    assert found["seen"]["read"]["colour"]["n"] == found["seen"]["read"]["noun"]["n"]


def test_both_languages_are_measured_on_the_same_scenes():
    english, korean = (scenes_of("seen", 50, language) for language in LANGUAGES)
    assert [scene for scene, _ in english] == [scene for scene, _ in korean]


def test_only_scenes_of_something_never_seen_hold_a_thing_of_no_training():
    new = {
        kind: [any(thing.held_out for thing in scene.things) for scene, _ in scenes_of(kind)]
        for kind in ("seen", "held_out")
    }
    assert len(new["seen"]) == len(new["held_out"]) == SCENES
    assert not any(new["seen"])
    assert all(new["held_out"])
    trained = (read_scene(pair.source) for pair in scene_pairs(200, 31))
    assert not any(thing.held_out for scene in trained for thing in scene.things)


def test_scenes_of_the_training_are_not_measured(shelf, monkeypatch):
    spec = {"pairs": 30, "held_out_pairs": 2, "seed": 9, "language": "ko"}
    trained = trained_scenes({"scenes": spec})
    assert trained == {pair.source for pair in scene_pairs(30, 9, "ko")}
    assert trained_scenes({}) == frozenset()
    (first, _), *others = scenes_of("seen", 3)
    assert scenes_of("seen", 3, "en", {str(first)}) == tuple(others)
    monkeypatch.setattr("training.captions.trained_scenes", lambda sources: {str(first)})
    found = Captions(load_translator(shelf / "captions-en"), limit=2).measure()
    assert (found["seen"]["scenes"], found["held_out"]["scenes"]) == (1, 2)
    assert found["seen"]["exact"]["caption"]["n"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["captions-soft", "captions-soft-ko"])
def test_what_is_stored_is_of_scenes_that_training_did_not_have(name):
    folder = ROOT / "checkpoints" / name
    trained = trained_scenes(stored_card(folder)["data"])
    stored = read_json(folder / GAZE.file)
    for kind in ("seen", "held_out"):
        assert stored[kind]["scenes"] == len(scenes_of(kind, without=trained))


@pytest.mark.parametrize("language", LANGUAGES)
def test_references_are_true_and_no_two_the_same(language):
    found = references_of(SCENE, language)
    assert len(set(found)) == len(found) == REFERENCES
    assert all(read_caption(text, SCENE, language).exact for text in found)


def test_shares_of_what_is_true_by_hand():
    texts = (
        "빨간 원이 파란 줄무늬 별 왼쪽에 있습니다.",
        "초록색 원이 파란 줄무늬 별 위에 있습니다.",
        "도형 세 개 중에 빨간 원과 파란 줄무늬 별이 있습니다.",
        "빨간 원가 왼쪽에 있습니다.",
    )
    found = exactness([(read_caption(text, SCENE, "ko"), SCENE) for text in texts])
    assert {part: (row["n"], row["share"]) for part, row in found.items()} == {
        "caption": (4, 0.25),
        "grammar": (4, 0.75),
        "thing": (7, pytest.approx(6 / 7, abs=1e-4)),
        "noun": (7, 1.0),
        "colour": (7, pytest.approx(6 / 7, abs=1e-4)),
        "size": (0, None),
        "pattern": (3, 1.0),
        "relation": (2, 0.5),
        "count": (1, 0.0),
    }


def test_numbers_are_of_the_weights_that_are_there_in_the_order_of_the_config(shelf, tmp_path):
    variants = {
        "ko": {"title": "Show, Attend and Tell, soft attention, Korean captions"},
        "en": {"title": "Show, Attend and Tell, soft attention"},
        "none": {"title": "Show, Attend and Tell, hard attention"},
    }
    found = measured_models(shelf, variants)
    assert list(found) == ["soft attention, Korean captions", "soft attention"]
    other = shutil.copytree(shelf / "captions-en", tmp_path / "captions-en")
    Captions.write(other, found["soft attention"] | {"fingerprint": "another"})
    assert measured_models(tmp_path, variants) == {}
