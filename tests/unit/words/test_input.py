"""What can be typed in Korean ends in a translation or in a clear Korean sentence."""

from __future__ import annotations

import unicodedata

import pytest

from core.search import Decoding
from model import ModelError
from words import Words

korean = Words("ko")
TYPED = {
    "jamo": "ㅋㅋㅋ ㅠㅠ",
    "mixed": "나는 the 犬を 보았다 и всё",
    "half-width": "ﾡﾢ ﾤ",
    "full-width": "Ａ　ｄｏｇ　ｒｕｎｓ。",
    "taken apart": unicodedata.normalize("NFD", "판매량이 늘고 있습니다."),
    "emoji": "🐶🐾 👩‍👩‍👧 ❤️",
    "nothing to see": "\u200b\u3164",
    "blank": "   ",
    "long": "가" * 5000,
}


def says(error: ModelError) -> str:
    return " ".join(korean.of(part) for part in (error.message, error.hint) if part)


@pytest.mark.parametrize("text", TYPED.values(), ids=TYPED)
def test_every_text_ends_in_a_translation_or_in_a_korean_sentence(tiny_translator, text):
    try:
        found = tiny_translator.translate(text, Decoding(1, max_len=4))
    except ModelError as error:
        said = says(error)
        assert any("가" <= letter <= "힣" for letter in said)
        assert not any(letter.isascii() and letter.isalpha() for letter in said)
        assert said.rstrip().endswith((".", "요"))
    else:
        assert len(found.src) > 1


def test_syllables_taken_apart_are_read_as_syllables(tiny_translator):
    text = "판매량이 늘고 있습니다."
    apart = unicodedata.normalize("NFD", text)
    assert tiny_translator.tokenize(apart).ids == tiny_translator.tokenize(text).ids


@pytest.mark.parametrize(
    ("text", "id", "told"),
    [
        ("", "model-text-empty", "문장"),
        ("\u200b", "model-text-invisible", "문장"),
        ("a dog runs " * 500, "", "토큰입니다. 이 모델은"),
    ],
)
def test_what_is_missing_or_too_much_is_said(tiny_translator, text, id, told):
    with pytest.raises(ModelError) as caught:
        tiny_translator.translate(text)
    assert caught.value.message.id.startswith(id)
    assert told in says(caught.value)
