"""Heads switched off and words hidden: the numbers behind the charts, and what a click reports."""

from __future__ import annotations

import numpy as np
import pandas as pd

from viz.figure import spec_of, tables_of
from viz.knockout import head_bars
from viz.pronoun import flip_rates
from words import english


def test_bars_of_other_sites_than_a_transformer_s_have_names_of_their_own():
    heads = [("words", 0, 0), ("sentences", 0, 0)]
    names = tables_of(head_bars(heads, np.array([1.0, 2.0]), title="c"))["bars"]["name"]
    name = english("head-name", layer=1, head=1)
    sites = [english(f"site-{site}-attention") for site, _, _ in heads]
    assert list(names) == [f"{site}, {name}" for site in sites]


FLIP = {"place": "it", "hidden": "noun", "share": 0.5, "low": 0.4, "high": 0.6, "n": 100}


def test_five_hidden_words_differ_in_colour_and_in_shape():
    rows = pd.DataFrame([FLIP | {"hidden": word} for word in "abcde"])
    dots = spec_of(flip_rates(rows))["layer"][1]
    for channel in ("color", "shape"):
        assert len(set(dots["encoding"][channel]["scale"]["range"])) == 5
