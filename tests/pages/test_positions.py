"""Order, positions and the heads that follow them, driven without a browser."""

from __future__ import annotations

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model import InputError
from support.app import n_charts, open_page, press, says, words
from ui.positions.order import order_of
from words import english

OWN = "A dog runs through the snow."


def open_view(look: str, **address: str) -> AppTest:
    return open_page("positions", position_look=look, **address)


# The order of words


@pytest.mark.parametrize(
    ("text", "how", "typed", "expected"),
    [
        ("the animal runs", "reversed", "", "runs animal the"),
        ("the animal runs", "typed", "animal runs the", "animal runs the"),
        ("the animal runs", "typed", " ", "runs animal the"),
        ("the dog the man", "typed", "the the man dog", "the the man dog"),
    ],
)
def test_words_move_as_wholes_and_the_end_sign_stays_last(
    tiny_translator, text, how, typed, expected
):
    src = tiny_translator.tokenize(text)
    order = order_of(tiny_translator, src, how, typed=typed)
    assert sorted(order) == list(range(len(src)))
    assert tiny_translator.tokenizer.decode([src.ids[i] for i in order]).text == expected
    assert order[-1] == len(src) - 1


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("the animal", {"what": "lacks", "missing": "“runs”"}),
        ("the animal runs runs", {"what": "adds", "extra": "“runs”"}),
        ("the man runs", {"what": "both", "missing": "“animal”", "extra": "“man”"}),
    ],
)
def test_other_words_are_no_order(tiny_translator, typed, told):
    src = tiny_translator.tokenize("the animal runs")
    said = re.escape(english("positions-order-words", **{"missing": "", "extra": ""} | told))
    with pytest.raises(InputError, match=said):
        order_of(tiny_translator, src, "typed", typed=typed)


@pytest.mark.parametrize("seed", range(8))
def test_a_shuffle_moves_something_and_loses_nothing(tiny_translator, seed):
    src = tiny_translator.tokenize("a dog runs")
    order = order_of(tiny_translator, src, "shuffled", seed)
    assert sorted(order) == list(range(len(src)))
    assert order != tuple(range(len(src)))


def test_unknown_characters_are_named(folder):
    page = open_view("order", order_text="the 漢 dog")
    assert any("漢" in warning.value for warning in page.warning)


@pytest.mark.parametrize(
    ("look", "seed", "again", "address"),
    [
        ("order", "order_seed", "order_shuffle", {"order_how": "shuffled"}),
    ],
)
def test_again_takes_the_next_seed(folder, look, seed, again, address):
    page = open_view(look, **address, **{seed: "3"})
    before = words(page)
    assert press(page, again).number_input(seed).value == 4
    assert words(page) != before


# Learned positions


@pytest.mark.parametrize("side", ["source", "target"])
def test_positions_that_were_learned_are_shown_as_they_are(side):
    page = open_page("positions", checkpoint="lineage-convolutional", learned_side=side)
    model = page.session_state["run"].translator.model
    rows = getattr(model, f"{side}_positions").weight[:40].detach().double().numpy()
    unit = [row / np.sqrt(sum(row**2)) for row in rows]
    near, far = (np.mean([unit[i] @ unit[i + k] for i in range(40 - k)]) for k in (1, 20))
    assert says(page, "positions-learned-finding", near=near, far=far, apart=20, n=40)
    assert n_charts(page) == 1
    assert not says(page, "need-position-table")
