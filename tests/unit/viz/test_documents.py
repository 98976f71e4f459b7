"""Shares of a document's attention: sentences, and their words below."""

from __future__ import annotations

import numpy as np
import pytest

from core.documents import joint_weights
from viz.documents import attention_shares, shares_table
from viz.figure import tables_of

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


def test_what_was_not_read_takes_no_room_and_the_others_share_it():
    weights = [np.full(3, np.nan), WEIGHTS[1]]
    table = shares_table(WORDS, weights, np.array([np.nan, 1.0]))
    assert table.loc[table["sentence"] == 1, "share"].sum() == 0
    assert table.loc[(table["sentence"] == 2) & (table["level"] == "sentence"), "share"].item() == 1


def test_words_stand_below_their_sentence():
    blocks = tables_of(attention_shares(WORDS, WEIGHTS, SENTENCES))["blocks"]
    for _, sentence in blocks.groupby("sentence"):
        head = sentence[sentence["level"] == "sentence"].iloc[0]
        below = sentence[sentence["level"] == "word"]
        assert below["x"].min() == pytest.approx(head["x"])
        assert below["end"].max() == pytest.approx(head["end"])
        assert (below["y"] > head["y"]).all()
