"""The view of what may be seen, driven without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from harness import DEFAULT, open_frame, press, put, run, saved, says, shown, words
from streamlit.testing.v1 import AppTest

from core.changes import LiftedMask
from core.intervention import Intervention
from core.masking import head_stages
from core.search import Decoding
from ui.masks.seen import Forced, forced_words, moved_words, peek_words, row_words
from words import english

CAUSAL = np.tril(np.ones((3, 3), bool))
TOKENS = ("<s>", "▁das", "▁das")


def frame() -> None:
    """The view with as much of the page around it as it needs."""
    import streamlit as st

    from ui.controls import frame_choices
    from ui.masks import seen
    from ui.state import current_run

    view = st.session_state["run"] = current_run(frame_choices())
    if st.checkbox("Shown", True, key="shown"):
        seen.show(view)


@pytest.fixture(scope="module")
def plain_translation(tiny_translator):
    return tiny_translator.translate(DEFAULT.text, Decoding())


@pytest.fixture
def page(folder) -> AppTest:
    return open_frame(frame)


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


def test_a_click_chooses_a_row_that_is_there_which_survives_a_look_at_another_part(page):
    click_row(page, 2)
    click_row(page, 999)
    assert page.selectbox("seen_row").value == 2
    assert page.query_params["seen_row"] in ("3", ["3"])
    put(page, seen_part="both")
    assert put(page, seen_part="causal").selectbox("seen_row").value == 2


def test_a_typed_text_is_forced_on_the_decoder(folder, tiny_translator):
    page = open_frame(frame, seen_peek="true", seen_target="Ein Hund")
    logs = [
        tiny_translator.score(DEFAULT.text, "Ein Hund", intervention=change)
        for change in (None, Intervention(LiftedMask()))
    ]
    tokens = tiny_translator.tokenize("Ein Hund").tokens
    assert forced_words(Forced(tokens, *logs), "typed") in words(page)


def test_a_text_too_long_for_the_decoder_leaves_the_output_shown(folder):
    page = open_frame(frame, seen_peek="true", seen_target="ein " * 300)
    assert "160" in page.error[0].value
    assert says(page, "seen_target-kept")
    assert "seen_forced" in saved(page)


# -- the padding mask ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "second", "told"),
    [
        ("padding", " ", english("model-text-invisible", text="second")),
        ("both", " ", english("model-text-invisible", text="second")),
        ("padding", "dog " * 400, "160"),
    ],
)
def test_a_second_sentence_that_cannot_be_read_gets_one_sentence(folder, part, second, told):
    page = open_frame(frame, seen_part=part, seen_second=second)
    (error,) = page.error
    assert told in shown(error.value)
    assert says(page, "seen_second-fault")
    assert page.text_input("text").value == DEFAULT.text


@pytest.mark.parametrize(
    ("part", "told", "left"),
    [("padding", "equal", ["seen_pad_masks"]), ("both", "equal_targets", [])],
)
def test_equal_lengths_are_said_to_need_no_padding(folder, part, told, left):
    page = open_frame(frame, seen_part=part, seen_second=DEFAULT.text)
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
