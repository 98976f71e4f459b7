"""Shares of a document's attention: sentences, and their words below."""

from __future__ import annotations

import numpy as np
import pytest

from core.documents import joint_weights
from viz.documents import attention_shares, shares_table
from viz.figure import spec_of, tables_of
from viz.style import Look
from viz.theme import luminance_of, rgb_of

WORDS = [["a", "fine", "film"], ["it", "runs"]]
WEIGHTS = [np.array([0.1, 0.6, 0.3]), np.array([0.5, 0.5])]
SENTENCES = np.array([0.8, 0.2])


def test_words_have_the_joint_weights_and_each_level_fills_the_document():
    table = shares_table(WORDS, WEIGHTS, SENTENCES)
    words = table[table["level"] == "word"]
    assert words["share"].to_numpy() == pytest.approx(joint_weights(WEIGHTS, SENTENCES))
    for _, level in table.groupby("level"):
        assert level["share"].sum() == pytest.approx(1)
        ends = (level["start"] + level["share"]).to_numpy()
        assert level["start"].to_numpy()[1:] == pytest.approx(ends[:-1])


@pytest.mark.parametrize("dark", [False, True])
def test_words_on_blocks_stand_out_from_them_on_both_themes(dark):
    look = Look(dark=dark)
    layers = look(spec_of, look(attention_shares, WORDS, WEIGHTS, SENTENCES))["layer"]

    def colours(layer: dict) -> list[str]:
        colour = layer["encoding"]["color"]
        return [colour["condition"][0]["value"], colour["value"]]

    blocks, *others = [layer for layer in layers if "color" in layer["encoding"]]
    assert others
    for text in others:
        for ink, ground in zip(colours(text), colours(blocks), strict=True):
            lights = [luminance_of(np.array(rgb_of(colour))) + 0.05 for colour in (ink, ground)]
            assert max(lights) / min(lights) >= 4.5


def test_what_was_not_read_takes_no_room_and_the_others_share_it():
    weights = [np.full(3, np.nan), WEIGHTS[1]]
    table = shares_table(WORDS, weights, np.array([np.nan, 1.0]))
    assert table.loc[table["sentence"] == 1, "share"].sum() == 0
    assert table.loc[(table["sentence"] == 2) & (table["level"] == "sentence"), "share"].item() == 1


def test_a_narrow_block_of_a_sentence_keeps_its_number_and_one_of_a_word_may_be_empty():
    sentences = np.array([0.975, 0.02, 0.005])
    words = [["a", "fine", "film"], ["it", "runs"], ["on"]]
    weights = [*WEIGHTS, np.array([1.0])]
    blocks = tables_of(attention_shares(words, weights, sentences))["blocks"]
    heads = blocks[blocks["level"] == "sentence"]["short"]
    assert list(heads) == ["1 · a fine film", "2", ""]
    assert list(blocks[blocks["level"] == "word"]["short"])[-1] == ""


def test_words_stand_below_their_sentence():
    blocks = tables_of(attention_shares(WORDS, WEIGHTS, SENTENCES))["blocks"]
    for _, sentence in blocks.groupby("sentence"):
        head = sentence[sentence["level"] == "sentence"].iloc[0]
        below = sentence[sentence["level"] == "word"]
        assert below["x"].min() == pytest.approx(head["x"])
        assert below["end"].max() == pytest.approx(head["end"])
        assert (below["y"] > head["y"]).all()
