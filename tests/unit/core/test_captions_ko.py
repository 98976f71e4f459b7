"""Korean captions: true of the pixels, the particle that fits, and what is wrong is found."""

from __future__ import annotations

import re

import numpy as np
import pytest
from unit.core.test_scenes import SCENE, faults_of, scenes

from core.captions import PARTS, caption_languages, captions_of, grammar_of, read_caption
from core.gaze import pointing
from core.scenes import COLOURS, MOST_THINGS, PATTERNS, SHAPES, SIZES, cells_of, read_scene
from core.tokens import TokenSequence
from training.captioning import scene_pairs

KO = grammar_of("ko")
CLOSED = {"원": True, "정사각형": True, "삼각형": True, "마름모": False, "십자": False}
CLOSED |= {"별": True, "고리": False, "틀": True}
"""Whether a noun ends in a consonant, by hand."""


@pytest.mark.parametrize("language", caption_languages())
def test_a_grammar_names_every_value_once_and_counts_as_far_as_there_is_room(language):
    grammar = grammar_of(language)
    values = {"noun": SHAPES, "colour": COLOURS, "size": SIZES, "pattern": PATTERNS[1:]}
    assert {kind: set(words) for kind, words in grammar.words.items()} == {
        kind: set(ids) for kind, ids in values.items()
    }
    every = [word for kind in PARTS for word in grammar.words[kind].values()]
    assert len(set(every)) == len(every)
    assert len(grammar.counts) == MOST_THINGS + 1
    assert sorted(grammar.order) == sorted(PARTS)
    assert grammar.order[-1] == "noun"
    assert set(grammar.forms) == set(grammar_of("en").forms)
    for form in (form for forms in grammar.forms.values() for form in forms):  # name in order
        assert re.findall(r"\{([ABC])", form) in (["A", "B"], ["A", "B", "C"]), form


def test_the_particle_fits_the_last_sound():
    pairs = (("이", "가"), ("을", "를"), ("은", "는"), ("과", "와"))
    seen = set()
    for scene in scenes(300, 11):
        for caption in captions_of(scene, "ko"):
            for word in (word for word in caption if word.kind == "noun"):
                noun = next(n for n in CLOSED if word.text.startswith(n))
                tail = word.text.removeprefix(noun)
                for after_consonant, after_vowel in pairs:
                    if tail in (after_consonant, after_vowel):
                        seen.add((noun, tail))
                        assert tail == (after_consonant if CLOSED[noun] else after_vowel)
    assert len(seen) >= len(CLOSED) * 3


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("빨간 원이 파란 줄무늬 별 왼쪽에 있습니다.", set()),
        ("작은 빨간 원 오른쪽에 큰 파란 줄무늬 별이 있습니다.", set()),
        ("도형 두 개 중에 빨간 원과 파란 줄무늬 별이 있습니다.", set()),
        ("초록색 원이 파란 줄무늬 별 왼쪽에 있습니다.", {"colour"}),
        ("작은 빨간 정사각형이 파란 줄무늬 별 왼쪽에 있습니다.", {"noun"}),
        ("큰 빨간 원이 파란 줄무늬 별 왼쪽에 있습니다.", {"size"}),
        ("빨간 원이 파란 별 왼쪽에 있습니다.", {"pattern"}),
        ("빨간 원이 파란 점무늬 별 왼쪽에 있습니다.", {"pattern"}),
        ("빨간 원이 파란 줄무늬 별 위에 있습니다.", {"relation"}),
        ("파란 줄무늬 별이 빨간 원 왼쪽에 있습니다.", {"relation"}),
        ("빨간 원이 파란 줄무늬 별보다 큽니다.", {"relation"}),
        ("도형 세 개 중에 빨간 원과 파란 줄무늬 별이 있습니다.", {"count"}),
        ("빨간 원가 파란 줄무늬 별 왼쪽에 있습니다.", {"grammar"}),
        ("빨간 원과 파란 줄무늬 별가 있습니다.", {"grammar"}),
        ("빨간 원와 파란 줄무늬 별을 볼 수 있습니다.", {"grammar"}),
        ("빨간 원이 파란 줄무늬 별을 뛰어넘습니다.", {"grammar"}),
        ("a red circle is left of a striped blue star.", {"grammar"}),
        ("", {"grammar"}),
    ],
)
def test_what_is_wrong_in_a_korean_caption_is_named(text, wrong):
    assert faults_of(read_caption(text, SCENE, "ko")) == wrong


def test_a_caption_in_which_one_word_is_exchanged_is_no_longer_true():
    """Another colour, shape, size or pattern that no thing of the scene has."""
    checked = 0
    for scene in scenes(120, 21):
        for caption in captions_of(scene, "ko")[::3]:
            for word in (word for word in caption if word.kind in ("colour", "pattern", "size")):
                there = {getattr(thing, word.kind) for thing in scene.things}
                free = [v for v in KO.words[word.kind] if v not in there]
                if not free:
                    continue
                other = KO.words[word.kind][free[0]]
                text = caption.text[: word.start] + other + caption.text[word.end :]
                verdict = read_caption(text, scene, "ko")
                assert not verdict.exact, text
                assert verdict.relation == caption.relation
                checked += 1
    assert checked > 1000


def test_pointing_takes_the_pieces_of_a_noun_with_its_particle():
    scene = read_scene("small red circle at 1 1; small blue star at 4 4")
    text = "빨간 원이 파란 별 위에 있습니다."
    words = read_caption(text, scene, "ko").words
    spans = ((0, 2), (3, 4), (4, 5), (6, 8), (9, 10), (11, 13), (14, 18), (18, 19))
    tgt = TokenSequence(text, tuple(range(8)), tuple("abcdefgh"), spans)
    weights = np.full((8, 196), 1 / 196)
    weights[[1, 2]] = 0
    weights[1, 100] = 1.0  # the noun looks elsewhere
    weights[2, 15] = 1.1  # its particle into the box
    found = {each.word.text: each for each in pointing(weights, tgt, words, scene)}
    assert set(found) == {"빨간", "원이", "파란", "별"}
    assert found["원이"].rows == (1, 2)
    assert found["원이"].hit
    assert found["원이"].mass == pytest.approx(1.1 / 2.1)
    assert found["별"].mass == pytest.approx(cells_of(scene.things[1].box).mean())


def test_a_language_without_a_grammar_is_named():
    with pytest.raises(ValueError, match=r"'fr'.*en, ko"):
        grammar_of("fr")


def test_pairs_to_train_on_are_of_the_language_asked_for():
    english, korean = (scene_pairs(20, 4, language) for language in ("en", "ko"))
    assert english == scene_pairs(20, 4)
    assert all(re.search("[가-힣]", pair.target) for pair in korean)
    assert not any(re.search("[a-z]", pair.target) for pair in korean)
