"""The view of what may be seen, driven without a browser."""

from __future__ import annotations

import re

import numpy as np
import pytest
from harness import open_frame, run, words
from streamlit.testing.v1 import AppTest

from analysis.masking import head_stages, mean_share
from records import Decoding, Intervention
from ui.examples import DEFAULT
from ui.masks.seen import RUN_NAMES, Forced, damage_table, forced_words, moved_words, peek_words

CAUSAL = np.tril(np.ones((3, 3), bool))
TOKENS = ("<s>", "▁das", "▁das")
OWN = "A dog runs through the snow."


def frame() -> None:
    """The view with as much of the page around it as it needs."""
    import streamlit as st

    from ui.controls import frame_choices
    from ui.masks import seen
    from ui.state import current_run

    view = current_run(frame_choices())
    if st.checkbox("Shown", True, key="shown"):
        seen.show(view)


@pytest.fixture(scope="module")
def plain_translation(tiny_translator):
    return tiny_translator.translate(DEFAULT.text, Decoding())


@pytest.fixture
def page(folder) -> AppTest:
    return open_frame(frame)


@pytest.fixture
def padding(folder) -> AppTest:
    return open_frame(frame, seen_part="Padding mask")


def charts(page: AppTest) -> list[str]:
    """The figures on the page, by the keys of their export menus."""
    ids = [element.proto.id for element in page.get("download_button")]
    return [found[1] for i in ids if (found := re.search(r"(seen_\w+)_export_png$", i))]


def click_row(page: AppTest, q: int, click: int = 0) -> AppTest:
    cell = {"q": q, "k": -1, "click": click}
    page.session_state["seen_stages"] = {"selection": {"cell": [cell]}}
    return run(page)


# -- the causal mask -----------------------------------------------------------------------


def test_the_causal_mask_is_open_at_first(page):
    assert charts(page) == ["seen_stages", "seen_row_numbers"]
    assert not page.error


def test_the_moved_share_is_that_of_the_shown_head(page, plain_translation):
    attention = plain_translation.attention.decoder
    expected = head_stages(attention.scores[0, 0], attention.mask).mean_moved
    assert f"give **{expected:.2f}** of a row's weight" in words(page)


def test_another_head_comes_from_its_menus(page, plain_translation):
    page.selectbox("seen_layer").set_value("2")
    page.selectbox("seen_head").set_value("3")
    run(page)
    attention = plain_translation.attention.decoder
    expected = head_stages(attention.scores[1, 2], attention.mask).mean_moved
    assert f"give **{expected:.2f}** of a row's weight" in words(page)


def test_the_button_opens_the_head_whose_mask_moves_most(page, plain_translation):
    attention = plain_translation.attention.decoder
    moved = {
        (i, j): head_stages(scores, attention.mask).mean_moved
        for i, layer in enumerate(attention.scores)
        for j, scores in enumerate(layer)
    }
    layer, head = max(moved, key=moved.get)
    if (layer, head) == (0, 0):
        page.selectbox("seen_layer").set_value("2")
        run(page)
    page.button("seen_best").click()
    run(page)
    chosen = page.selectbox("seen_layer").value, page.selectbox("seen_head").value
    assert chosen == (str(layer + 1), str(head + 1))
    assert "seen_best" not in [button.key for button in page.button]


def test_a_click_chooses_the_row(page):
    click_row(page, 2)
    assert page.selectbox("seen_row").value == 2
    assert page.query_params["seen_row"] in ("3", ["3"])


def test_a_click_beyond_the_rows_changes_nothing(page):
    before = page.selectbox("seen_row").value
    click_row(page, 999)
    assert page.selectbox("seen_row").value == before


def test_the_row_comes_from_the_address(folder):
    assert open_frame(frame, seen_row="2").selectbox("seen_row").value == 1


def test_the_row_survives_a_look_at_another_part(page):
    click_row(page, 2)
    page.segmented_control("seen_part").set_value("both")
    run(page)
    page.segmented_control("seen_part").set_value("causal")
    run(page)
    assert page.selectbox("seen_row").value == 2


@pytest.mark.parametrize("row", ["rubbish", "-1", "0", "9999", "²"])
def test_a_row_that_does_not_exist_in_the_address_is_left_out(folder, row):
    page = open_frame(frame, seen_row=row, seen_layer="99", seen_head="<b>", seen_part="nothing")
    assert charts(page) == ["seen_stages", "seen_row_numbers"]
    assert not page.error


def test_peeking_shows_later_positions_heads_and_log_probs(page, tiny_translator):
    page.toggle("seen_peek").set_value(True)
    run(page)
    assert {"seen_peek_matrix", "seen_peek_heads", "seen_forced"} <= set(charts(page))
    translation = tiny_translator.translate(DEFAULT.text, Decoding())
    record, log_probs = tiny_translator.read_again(
        translation.src, translation.tgt, Intervention(causal=False)
    )
    share = mean_share(record.decoder.head(0, 0), translation.attention.decoder.mask)
    assert f"puts **{share:.2f}** of a row's weight" in words(page)
    assert f"to **{log_probs.sum():.2f}**".replace("-", "−") in words(page)


def test_a_typed_text_is_forced_on_the_decoder(folder, tiny_translator):
    page = open_frame(frame, seen_peek="true", seen_target="Ein Hund")
    expected = tiny_translator.score(DEFAULT.text, "Ein Hund").sum()
    assert "log P of the text typed" in words(page)
    assert f"from **{expected:.2f}**".replace("-", "−") in words(page)


def test_a_text_too_long_for_the_decoder_leaves_the_output_shown(folder):
    page = open_frame(frame, seen_peek="true", seen_target="ein " * 300)
    assert "the model takes 160" in page.error[0].value
    assert "log P of its own output" in words(page)
    assert "seen_forced" in charts(page)


# -- the padding mask ----------------------------------------------------------------------


def test_padding_is_hidden_with_the_mask_and_seen_without(padding):
    assert "exactly 0" in words(padding)
    assert "**0.00** of a row's weight lies on its" in words(padding)
    padding.toggle("seen_padding_mask").set_value(False)
    run(padding)
    assert "**0.00** of a row's weight lies on its" not in words(padding)


def test_the_weight_on_padding_is_that_of_the_chosen_head(folder, tiny_translator):
    page = open_frame(frame,
        seen_part="Padding mask", seen_padding_mask="false", seen_pad_kind="Cross",
        seen_pad_layer="2", seen_pad_head="3",
    )  # fmt: skip
    pair = tiny_translator.padded_pair(tiny_translator.tokenize(DEFAULT.text), "A dog runs.")
    share = pair.unmasked[1].on_padding("cross")[1, 2].mean()
    assert f"**{share:.2f}** of a row's weight lies on its" in words(page)


def test_all_three_runs_are_named(padding):
    for name in ("- Alone:", "- Mask on:", "- Mask off:"):
        assert name in words(padding)


@pytest.mark.parametrize("part", ["Padding mask", "Both together"])
def test_an_empty_second_sentence_gets_one_sentence(folder, part):
    page = open_frame(frame, seen_part=part, seen_second=" ")
    assert [error.value.replace("\\", "").split("  \n")[0] for error in page.error] == [
        "The second sentence holds no visible characters."
    ]
    assert page.text_input("text").value == DEFAULT.text


def test_an_endless_second_sentence_gets_one_sentence(folder):
    page = open_frame(frame, seen_part="Padding mask", seen_second="dog " * 400)
    assert len(page.error) == 1
    assert "the model takes 160" in page.error[0].value


def test_equal_lengths_are_said_to_need_no_padding(folder):
    page = open_frame(frame, seen_part="Padding mask", seen_second=DEFAULT.text)
    assert "nothing is padded" in words(page)
    assert charts(page) == ["seen_pad_masks"]


def test_equal_translations_are_said_to_need_no_padding(folder):
    page = open_frame(frame, seen_part="Both together", seen_second=DEFAULT.text)
    assert "no padding" in words(page)
    assert charts(page) == []


def test_both_masks_differ_in_rows_of_padding_only(folder):
    page = open_frame(frame, seen_part="Both together")
    assert "differ in **0** cells" in words(page)
    assert "is **exactly 0**" in words(page)
    assert charts(page) == ["seen_both_masks"]


def test_foreign_text_stays_text(folder):
    page = open_frame(frame, seen_part="Padding mask", seen_second="<b>*dog*</b> runs [here](x)")
    assert not page.error
    assert charts(page)


# -- words ---------------------------------------------------------------------------------


def test_one_position_has_nothing_to_move():
    stages = head_stages(np.zeros((1, 1)), np.ones((1, 1), bool))
    assert moved_words(stages, ("<s>",), 0).startswith("There is only one position")


def test_the_last_row_has_no_later_positions():
    assert "has no later positions" in moved_words(head_stages(np.zeros((3, 3)), CAUSAL), TOKENS, 2)


def test_moved_words_count_even_scores():
    text = moved_words(head_stages(np.zeros((3, 3)), CAUSAL), TOKENS, 0)
    assert "**0.50**" in text  # (2/3 + 1/3) / 2
    assert "“<s>”, it is **0.67**" in text.replace("\\", "")


def test_the_strongest_look_ahead_is_named():
    weights = np.array([[0.9, 0.1, 0.0], [0.2, 0.1, 0.7], [1.0, 0.0, 0.0]])
    text = peek_words(weights, CAUSAL, TOKENS, 0, 0)
    assert "“das₁” looks at “das₂” with 0.70" in text
    assert "**0.40**" in text  # (0.1 + 0.7) / 2


def test_forced_words_sum_and_divide():
    forced = Forced(("a", "b"), np.array([-1.0, -2.0]), np.array([-4.0, -6.0]))
    text = forced_words(forced, "it")
    assert "falls from **−3.00** to **−10.00**" in text
    assert "from −1.50 to −5.00 per token" in text


def test_damage_table_has_the_three_runs(tiny_translator):
    pair = tiny_translator.padded_pair(tiny_translator.tokenize(OWN), "A dog.")
    runs = (pair.alone[1], pair.masked[1], pair.unmasked[1])
    line = damage_table(*runs).splitlines()[2]
    for run_ in runs:
        assert f"{run_.log_prob:.2f}".replace("-", "−") in line


def test_names_of_the_runs_tell_them_apart():
    assert len(set(RUN_NAMES)) == 2
