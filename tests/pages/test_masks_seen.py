"""The view of what may be seen, driven without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.intervention import Intervention
from core.masking import head_stages
from core.search import Decoding
from support.app import DEFAULT, open_page, press, put, run, saved, shown, words
from ui.effect import next_log_probs
from ui.masks.seen import PEEKING, Forced, forced_words, moved_words, peek_words, row_words
from ui.state import Choices, Run
from words import english

CAUSAL = np.tril(np.ones((3, 3), bool))
TOKENS = ("<s>", "▁das", "▁das")


@pytest.fixture(scope="module")
def plain_translation(tiny_translator):
    return tiny_translator.translate(DEFAULT.text, Decoding())


@pytest.fixture
def page(folder) -> AppTest:
    return open_page("masks", mask_look="seen")


def click_row(page: AppTest, q: int) -> AppTest:
    page.session_state["seen_stages"] = {"selection": {"cell": [{"q": q, "k": -1, "click": 0}]}}
    return run(page)


# -- the causal mask -----------------------------------------------------------------------


def test_the_button_opens_the_head_whose_mask_moves_most(page, plain_translation):
    attention = plain_translation.attention.decoder
    moved = {
        (i, j): head_stages(scores, attention.mask).mean_moved
        for i, layer in enumerate(attention.scores)
        for j, scores in enumerate(layer)
    }
    layer, head = max(moved, key=moved.get)
    if (layer, head) == (0, 0):
        put(page, seen_layer=1)
    press(page, "seen_best")
    chosen = page.selectbox("seen_layer").value, page.selectbox("seen_head").value
    assert chosen == (layer, head)
    assert "seen_best" not in [button.key for button in page.button]


def test_without_the_causal_mask_two_readings_are_told_apart(page):
    told = shown(english("masks-effect-peeking"))
    assert told not in words(page)
    assert words(put(page, seen_peek=True)).count(told) == 1


def test_the_first_token_has_no_later_one_that_it_could_see(tiny_translator, plain_translation):
    view = Run(Choices("en-de", DEFAULT.text, Decoding()), tiny_translator, plain_translation)
    with_mask, without = (next_log_probs(view, each, ()) for each in (Intervention(), PEEKING))
    np.testing.assert_allclose(without, with_mask, atol=1e-6)


def test_a_click_chooses_a_row_that_is_there_which_survives_a_look_at_another_part(page):
    click_row(page, 2)
    click_row(page, 999)
    assert page.selectbox("seen_row").value == 2
    assert page.query_params["seen_row"] in ("3", ["3"])
    put(page, seen_part="both")
    assert put(page, seen_part="causal").selectbox("seen_row").value == 2


# -- the padding mask ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "told", "left"),
    [("padding", "equal", ["seen_pad_masks"]), ("both", "equal_targets", [])],
)
def test_equal_lengths_are_said_to_need_no_padding(folder, part, told, left):
    page = open_page("masks", mask_look="seen", seen_part=part, seen_second=DEFAULT.text)
    assert english.page(f"masks_seen_{told}").strip() in words(page)
    assert saved(page) == left


# -- words ---------------------------------------------------------------------------------


def test_moved_words_count_even_scores_and_one_position_has_nothing_to_move():
    stages = head_stages(np.zeros((3, 3)), CAUSAL)
    assert moved_words(stages) == english("masks-seen-moved", share=0.5, n=2)  # (2/3 + 1/3) / 2
    first, _, last = (shown(row_words(stages, TOKENS, row)) for row in range(3))
    assert first == english("masks-seen-row", token="<s>", share=2 / 3)
    assert last == english("masks-seen-row-last", token="das₂")
    alone = np.ones((1, 1), bool)
    assert moved_words(head_stages(np.zeros((1, 1)), alone)) == english("masks-seen-one-position")
    nothing = peek_words(np.ones((1, 1)), alone, ("<s>",), 0, 0)
    assert nothing == english("masks-seen-nothing-later")


def test_the_strongest_look_ahead_is_named():
    weights = np.array([[0.9, 0.1, 0.0], [0.2, 0.1, 0.7], [1.0, 0.0, 0.0]])
    assert peek_words(weights, CAUSAL, TOKENS, 0, 0) == english(
        "masks-seen-peek-words",
        head=english("head-name", layer=1, head=1),
        share=0.4,  # (0.1 + 0.7) / 2
        query="das₁",
        key="das₂",
        weight=0.7,
    )


@pytest.mark.parametrize(("second", "which"), [([-4.0, -6.0], "falls"), ([-1.0, -1.0], "rises")])
def test_forced_words_sum_and_divide(second, which):
    forced = Forced(("a", "b"), np.array([-1.0, -2.0]), np.array(second))
    assert forced_words(forced, "typed") == english(
        "masks-seen-forced-words",
        whose="typed",
        way=which,
        before=-3.0,
        after=sum(second),
        before_each=-1.5,
        after_each=sum(second) / 2,
    )
