"""Attention of ko-en where Korean names no subject, or a pronoun: the numbers of docs/ko-en.md."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from model import load_translator
from support.models import ROOT

TIRED = "그 동물은 길을 건너지 않았다. 너무 피곤했기 때문이다."
WIDE = "그 동물은 길을 건너지 않았다. 너무 넓었기 때문이다."
IU = "아이유는 1993년에 태어났다. 그녀는 최근에 드라마에 출연했다."
PAGE = (ROOT / "docs" / "ko-en.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def translator() -> Any:
    return load_translator("ko-en")


def writing(translation: Any, token: str) -> int:
    """The row whose step writes `token`."""
    return translation.tgt.tokens.index(token)


def most_on(translation: Any, row: int, pieces: set[str]) -> np.ndarray:
    """Weights (L, H) of a row of cross-attention on the given pieces of the source."""
    columns = [i for i, piece in enumerate(translation.src.tokens) if piece in pieces]
    assert len(columns) == len(pieces)
    return translation.attention.cross.weights[:, :, row, columns].sum(axis=-1)


@pytest.mark.parametrize(
    ("text", "adjective", "animal", "street", "back"),
    [(TIRED, "tired", 0.24, 0.20, 0.39), (WIDE, "wide", 0.23, 0.20, 0.37)],
    ids=["tired", "wide"],
)
def test_it_looks_at_the_animal_whatever_the_adjective(
    translator, text, adjective, animal, street, back
):
    translation = translator.translate(text)
    assert translation.text == f"The animal didn't cross the street because it was too {adjective}."
    row = writing(translation, "▁it")
    on_animal = most_on(translation, row, {"▁동물", "은"})
    assert on_animal.max() == pytest.approx(animal, abs=0.01)
    assert np.unravel_index(on_animal.argmax(), on_animal.shape) == (1, 7)
    assert most_on(translation, row, {"▁길을"}).max() == pytest.approx(street, abs=0.01)
    decoder = translation.attention.decoder
    column = decoder.key_tokens.index("▁animal")
    assert decoder.weights[1, 6, row, column] == pytest.approx(back, abs=0.01)
    assert f"{animal:.2f}" in PAGE
    assert f"{back:.2f}" in PAGE


def test_she_is_copied_from_the_korean_pronoun(translator):
    translation = translator.translate(IU)
    row = writing(translation, "▁She")
    on_pronoun = most_on(translation, row, {"▁그녀는"})
    assert on_pronoun[1, 7] == on_pronoun.max() == pytest.approx(0.99, abs=0.01)
    assert most_on(translation, row, {"▁아이", "유"}).max() == pytest.approx(0.09, abs=0.01)


def test_one_sentence_needs_no_pronoun(translator):
    written = translator.translate("그 동물은 너무 피곤해서 길을 건너지 않았다.").text
    assert written == "The animal was too tired to cross the street."
