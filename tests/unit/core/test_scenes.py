"""Scenes and captions: boxes hold their pixels, captions are true of them, texts are read back."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from core.captions import (
    Verdict,
    caption_of,
    captions_of,
    grammar_of,
    read_caption,
    relations_of,
)
from core.gaze import movement, pointing, sharpness
from core.records.scenes import (
    CELL,
    COLOURS,
    COVER,
    GRID,
    HELD_OUT,
    HOLLOW,
    MOST_THINGS,
    PAPER,
    PATTERNS,
    PIXELS,
    SHAPES,
    SIZES,
    CaptionWord,
    Scene,
    SceneError,
    Thing,
    cells_of,
    crowded_place,
    middle_of,
    picture,
    random_scene,
    read_scene,
    scene_numbers,
    scene_of_numbers,
    scene_source,
)
from core.records.sources import TokenSequence
from training.objectives.captioning import scene_pairs
from words import english

EVERY = [Thing(*looks, 1, 2) for looks in product(SHAPES, COLOURS[:2], SIZES, PATTERNS)]


def scenes(n: int, seed: int = 5, *, held_out: bool = False) -> list[Scene]:
    rng = random.Random(seed)
    return [random_scene(rng, held_out=held_out) for _ in range(n)]


def inked(thing: Thing) -> np.ndarray:
    """Rows and columns of the pixels that a thing alone changes, (n, 2)."""
    return np.argwhere((picture(Scene((thing,))) != PAPER).any(axis=-1))


def test_a_box_holds_every_pixel_of_its_thing_and_is_no_larger():
    for thing in EVERY:
        left, top, right, bottom = thing.box
        low, high = inked(thing).min(axis=0), inked(thing).max(axis=0)
        # A star does not reach the corners of the circle around it, and a line of dots ends early.
        slack = 4 if thing.shape == "star" else 3
        assert ((low >= (top, left)) & (low - (top, left) <= slack)).all(), thing
        assert ((high < (bottom, right)) & ((bottom, right) - high - 1 <= slack)).all(), thing
    solid = [thing for thing in EVERY if thing.shape not in HOLLOW or thing.pattern == "plain"]
    assert len({picture(Scene((thing,))).tobytes() for thing in solid}) == len(solid)


def test_what_is_covered_is_grey_and_all_else_as_before():
    scene = read_scene("large red circle at 1 1; small blue star at 3 4")
    covered = picture(replace(scene, covered=((0, 0),)))
    place = PIXELS // 4
    assert (covered[:place, :place] == COVER).all()
    covered[:place, :place] = picture(scene)[:place, :place]
    assert (covered == picture(scene)).all()


def test_cells_of_a_box_share_a_pixel_with_it_and_a_source_has_a_brightness_for_each():
    for thing in EVERY[::7]:
        left, top, right, bottom = thing.box
        mask = np.zeros((PIXELS, PIXELS), dtype=bool)
        mask[top:bottom, left:right] = True
        cells = product(range(GRID[0]), range(GRID[1]))
        expected = [
            mask[r * CELL : (r + 1) * CELL, c * CELL : (c + 1) * CELL].any() for r, c in cells
        ]
        assert cells_of(thing.box).tolist() == expected
    source = scene_source("large red circle at 1 1")
    assert len(source.tokens) == len(source) == 196
    white = round(float(np.array(PAPER) @ (0.299, 0.587, 0.114)) / 255, 4)
    assert source.cells[-1] == white > source.cells[16]


def test_colours_and_shapes_that_are_held_out_are_drawn_when_asked_for_alone():
    assert scenes(20, 3) == scenes(20, 3) != scenes(20, 4)
    drawn = scenes(800)
    assert not any(thing.held_out for scene in drawn for thing in scene.things)
    pairs = {(thing.colour, thing.shape) for scene in drawn for thing in scene.things}
    assert len(pairs) == len(COLOURS) * len(SHAPES) - len(HELD_OUT)
    assert {2, 3, 4, 5} == {len(scene.things) for scene in drawn}
    for scene in scenes(100, held_out=True):
        assert any(thing.held_out for thing in scene.things)
        assert crowded_place(scene) is None
        assert scene.usual


def test_text_and_numbers_give_the_scene_back():
    for scene in scenes(40):
        assert read_scene(str(scene)) == scene
        assert scene_of_numbers(scene_numbers(scene)) == scene
    covered = read_scene("cover 2 3; a Blue, small star at 1 1\nlarge red ring at 4 4")
    assert str(covered) == "small blue star at 1 1; large red ring at 4 4; cover 2 3"
    inside = read_scene("large red ring at 1 1; small blue star at 1 1").things
    assert [thing.shape for thing in inside] == ["star", "ring"]
    assert relations_of(*inside) == ("inside", "and")


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("", "empty"),
        ("cover 1 1", "empty"),
        ("; ".join(["small red circle at 1 1"] * 20), "many"),
        ("small red circle at 1 1; small blue circle at 1 1", "crowded"),
        ("large red circle at 1 1; small blue circle at 1 1", "crowded"),
        ("The dog runs.", "placeless"),
        ("small red hexagon at 1 1", "word"),
        ("red blue circle at 1 1", "twice"),
        ("small red at 1 1", "no-shape"),
        ("circle at 1 1", "no-colour"),
        ("red circle at 1 5", "place"),
        ("red circle at 0 1", "place"),
        ("red circle at 1", "place"),
        ("red circle at ² 1", "place"),
        ("cover 1 9; red circle at 1 1", "place"),
    ],
)
def test_what_is_no_scene_is_refused_with_the_reason(text, id):
    with pytest.raises(SceneError) as raised:
        read_scene(text)
    assert raised.value.message.id == f"scene-{id}"
    assert english.of(raised.value.message)
    assert english.of(raised.value.hint)


# -- captions


CLAIMS = {
    "left of": lambda a, b: a[:, 1].mean() < b[:, 1].mean(),
    "to the right of": lambda a, b: a[:, 1].mean() < b[:, 1].mean(),
    "above": lambda a, b: a[:, 0].mean() < b[:, 0].mean(),
    "below": lambda a, b: a[:, 0].mean() < b[:, 0].mean(),
    "higher than": lambda a, b: a[:, 0].mean() < b[:, 0].mean(),
    "inside": lambda a, b: (a.min(0) > b.min(0)).all() and (a.max(0) < b.max(0)).all(),
    "bigger than": lambda a, b: np.ptp(a[:, 0]) > np.ptp(b[:, 0]),
    "larger than": lambda a, b: np.ptp(a[:, 0]) > np.ptp(b[:, 0]),
    "smaller than": lambda a, b: np.ptp(a[:, 0]) < np.ptp(b[:, 0]),
}
"""What each relation says of the pixels of the two things that are named, in their order."""
SAYS = {
    "en": {rf"\b{claim}\b": claim for claim in CLAIMS},
    "ko": {
        r"왼쪽에 있습니다": "left of",
        r"왼쪽에 .*, 오른쪽에": "left of",
        r"오른쪽에는? ": "left of",
        r"위에 있습니다": "above",
        r"위에 .*, 아래에": "above",
        r"아래(쪽)?에는? ": "above",
        r"안(쪽)?에 있습니다": "inside",
        r"둘러싸고": "inside",
        r"보다 (더 )?큽니다": "bigger than",
        r"보다 (더 )?작습니다": "smaller than",
    },
}
"""By language what a sentence claims of the pixels of the two things."""
COUNTS = {"en": "two three four five things", "ko": "두 세 네 다섯 개"}


@pytest.mark.parametrize("language", SAYS)
def test_every_caption_is_true_of_the_pixels(language):
    checked, words = set(), grammar_of(language).words
    *counts, unit = COUNTS[language].split()
    for scene in [*scenes(60), *scenes(30, 8, held_out=True)]:
        pixels = [inked(thing) for thing in scene.things]
        for caption in captions_of(scene, language):
            numbers = list(dict.fromkeys(w.thing for w in caption if w.thing is not None))
            assert numbers == list(range(len(numbers)))
            for word in (word for word in caption if word.part != "other"):
                thing = scene.things[word.thing]
                said = words[word.part][getattr(thing, word.part.replace("noun", "shape"))]
                glued = "[가-힣]*" if word.part == "noun" and language == "ko" else ""
                assert re.fullmatch(said + glued, word.text)
            assert all(caption.text[word.start : word.end] == word.text for word in caption)
            for i in numbers:
                kinds = {word.part for word in caption if word.thing == i}
                assert {"noun", "colour"} <= kinds
                assert ("pattern" in kinds) == (scene.things[i].pattern != "plain")
            first, second = (pixels[i] for i in numbers[:2])
            claims = {c for form, c in SAYS[language].items() if re.search(form, caption.text)}
            assert len(claims) == (caption.relation != "and"), caption.text
            checked |= claims
            for claim in claims:
                assert CLAIMS[claim](first, second), (caption.text, str(scene))
            count = re.match(rf"(?:도형 )?({'|'.join(counts)}) {unit}", caption.text)
            if count:
                assert counts.index(count[1]) + 2 == len(scene.things)
    assert checked == set(SAYS[language].values())


@pytest.mark.parametrize("language", SAYS)
def test_captions_by_chance_are_those_of_the_grammar_and_use_all_of_it(language):
    rng, forms, grammar = random.Random(2), set(), grammar_of(language)
    for scene in scenes(300):
        caption = caption_of(scene, rng, language)
        assert caption.text in {each.text for each in captions_of(scene, language)}
        verdict = read_caption(caption.text, scene, language)
        assert verdict.exact, caption.text
        assert (verdict.relation, verdict.words) == (caption.relation, caption.words)
        forms.add(grammar.skeleton(caption.text)[0])
    assert forms == set(grammar.skeletons)


# Whether a noun ends in a consonant, by hand.
CLOSED = {"원": True, "정사각형": True, "삼각형": True, "마름모": False, "십자": False}
CLOSED |= {"별": True, "고리": False, "틀": True}


def test_the_korean_particle_fits_the_last_sound():
    seen = set()
    for caption in (each for scene in scenes(150, 11) for each in captions_of(scene, "ko")):
        for word in (word for word in caption if word.part == "noun"):
            noun = next(n for n in CLOSED if word.text.startswith(n))
            tail = word.text.removeprefix(noun)
            for pair in ("이가", "을를", "은는", "과와"):
                if tail and tail in pair:
                    seen.add((noun, tail))
                    assert tail == pair[not CLOSED[noun]]
    assert len(seen) >= len(CLOSED) * 3


def faults_of(verdict: Verdict) -> set[str]:
    """Faults of a sentence; one without a fault is exact."""
    found = {part for phrase in verdict.phrases for part, right in phrase.right if not right}
    found |= {"relation"} if verdict.relation_true is False else set()
    found |= {"count"} if verdict.count_true is False else set()
    found |= {"grammar"} if verdict.relation is None else set()
    assert verdict.exact == (not found)
    return found


SCENE = read_scene("small red circle at 2 1; large striped blue star at 2 3")
WRONG = {
    "en": {
        "a green circle is left of a striped blue star.": "colour",
        "a small red square is left of a striped blue star.": "noun",
        "a large red circle is left of a striped blue star.": "size",
        "a red circle is left of a blue star.": "pattern",
        "a red circle is left of a dotted blue star.": "pattern",
        "a red circle is above a striped blue star.": "relation",
        "a striped blue star is left of a red circle.": "relation",
        "three things, among them a red circle and a striped blue star.": "count",
        "a red circle jumps over a striped blue star.": "grammar",
        "a red circle": "grammar",
        "": "grammar",
        "a red circle and a red circle.": "noun colour pattern",
        "to the right of a red circle there is a striped blue star.": "",
        "two things, among them a red circle and a striped blue star.": "",
    },
    "ko": {
        "빨간 원이 파란 줄무늬 별 왼쪽에 있습니다.": "",
        "작은 빨간 원 오른쪽에 큰 파란 줄무늬 별이 있습니다.": "",
        "도형 두 개 중에 빨간 원과 파란 줄무늬 별이 있습니다.": "",
        "초록색 원이 파란 줄무늬 별 왼쪽에 있습니다.": "colour",
        "작은 빨간 정사각형이 파란 줄무늬 별 왼쪽에 있습니다.": "noun",
        "큰 빨간 원이 파란 줄무늬 별 왼쪽에 있습니다.": "size",
        "빨간 원이 파란 별 왼쪽에 있습니다.": "pattern",
        "빨간 원이 파란 점무늬 별 왼쪽에 있습니다.": "pattern",
        "빨간 원이 파란 줄무늬 별 위에 있습니다.": "relation",
        "파란 줄무늬 별이 빨간 원 왼쪽에 있습니다.": "relation",
        "빨간 원이 파란 줄무늬 별보다 큽니다.": "relation",
        "도형 세 개 중에 빨간 원과 파란 줄무늬 별이 있습니다.": "count",
        "빨간 원가 파란 줄무늬 별 왼쪽에 있습니다.": "grammar",
        "빨간 원과 파란 줄무늬 별가 있습니다.": "grammar",
        "빨간 원와 파란 줄무늬 별을 볼 수 있습니다.": "grammar",
        "빨간 원이 파란 줄무늬 별을 뛰어넘습니다.": "grammar",
        "a red circle is left of a striped blue star.": "grammar",
    },
}


@pytest.mark.parametrize("language", WRONG)
def test_what_is_wrong_in_a_caption_is_named(language):
    for text, wrong in WRONG[language].items():
        assert faults_of(read_caption(text, SCENE, language)) == set(wrong.split()), text


def test_words_of_a_wrong_phrase_or_one_too_many_speak_of_nothing():
    words = read_caption("a green circle is left of a striped blue star.", SCENE).words
    told = [(word.text, word.thing) for word in words if word.part != "other"]
    assert told == [("green", None), ("circle", None), ("striped", 1), ("blue", 1), ("star", 1)]
    verdict = read_caption("a red circle, a red circle and a striped blue star.", SCENE)
    assert not verdict.exact
    assert len(verdict.phrases) == 3
    assert read_caption("a red circle and a blue star.", Scene(())).phrases[0].thing is None
    long = ", ".join(["a red circle"] * (MOST_THINGS + 2))
    assert len(read_caption(long, SCENE).phrases) == MOST_THINGS + 2
    with pytest.raises(ValueError, match="two objects or more, found 1"):
        captions_of(read_scene("red circle at 1 1"))
    with pytest.raises(ValueError, match=r"'fr'.*en, ko"):
        grammar_of("fr")


def test_pairs_to_train_on_are_of_the_language_asked_for():
    first, korean = (scene_pairs(20, 4, language) for language in ("en", "ko"))
    assert first == scene_pairs(20, 4)
    assert all(re.search("[가-힣]", pair.target) for pair in korean)
    assert not any(re.search("[a-z]", pair.target) for pair in korean)


# -- gaze


def read_as(text: str, *spans: tuple[int, int]) -> TokenSequence:
    n = len(spans)
    return TokenSequence(text, tuple(range(n)), tuple("abcdefghijkl"[:n]), spans)


APART = read_scene("small red circle at 1 1; small blue star at 4 4")


def test_pointing_by_hand():
    text = "a red circle is above a blue star."
    words = read_caption(text, APART).words
    tgt = read_as(text, *(m.span() for m in re.finditer(r"\w+|\.", text)))
    weights = np.full((9, 196), 0.5 / 196)
    weights[1, 15] += 0.5  # red: row 2, column 2 of the cells, in the box of the circle
    weights[2, 100] += 0.5  # circle: a cell in no box
    weights[6, 15] += 0.5  # blue: on the other thing
    weights[7, 180] += 0.5  # star: row 13, column 13
    weights[[0, 3, 4, 5, 8]] *= 2
    found = {each.word.text: each for each in pointing(weights, tgt, words, APART)}
    assert [name for name, each in found.items() if each.hit] == ["red", "star"]
    assert [name for name, each in found.items() if each.elsewhere] == ["blue"]
    assert list(found) == ["red", "circle", "blue", "star"]
    n = sum(cells_of(APART.things[0].box))
    assert found["red"].chance == pytest.approx(n / 196)
    assert found["red"].mass == pytest.approx(0.5 + 0.5 * n / 196)
    assert found["circle"].mass == pytest.approx(0.5 * n / 196)


def test_pointing_takes_the_pieces_of_a_korean_noun_with_its_particle():
    text = "빨간 원이 파란 별 위에 있습니다."
    words = read_caption(text, APART, "ko").words
    tgt = read_as(text, (0, 2), (3, 4), (4, 5), (6, 8), (9, 10), (11, 13), (14, 18), (18, 19))
    weights = np.full((8, 196), 1 / 196)
    weights[[1, 2]] = 0
    weights[1, [15, 100]] = 0.5, 1.0  # the noun looks elsewhere
    weights[2, 15] = 1.1  # its particle into the box
    found = {each.word.text: each for each in pointing(weights, tgt, words, APART)}
    assert set(found) == {"빨간", "원이", "파란", "별"}
    assert found["원이"].rows == (1, 2)
    assert found["원이"].hit
    assert found["원이"].mass == pytest.approx(1.6 / 2.6)


def test_what_gazes_reach_that_know_no_word_by_hand():
    """Three things, one of them inside another: the middle of each lies in the boxes of both."""
    scene = read_scene("small red circle at 1 1; large blue ring at 1 1; large green star at 4 4")
    text = "a red circle is inside a blue ring above a green star."
    tgt = read_as(text, *(m.span() for m in re.finditer(r"\w+", text)))
    words = [
        CaptionWord(name, text.index(name), text.index(name) + len(name), "noun", thing)
        for thing, name in enumerate(("circle", "ring", "star"))
    ]
    found = pointing(np.full((len(tgt), 196), 1 / 196), tgt, words, scene)
    assert [each.first for each in found] == [True, True, False]
    assert [each.random for each in found] == pytest.approx([2 / 3, 2 / 3, 1 / 3])
    assert middle_of(scene.things[2].box) == 12 * 14 + 12
    rows = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0.5, 0.5, 0], [0.25] * 4])
    assert movement(rows, [0, 1, 2]) == pytest.approx((1 + 0.5) / 2)
    assert np.isnan(movement(rows, [0]))
    assert sharpness(rows) == pytest.approx((1 + 1 + 2 + 4) / 4)
