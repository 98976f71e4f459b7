"""Heads switched off and words hidden: the numbers behind the charts, and what a click reports."""

from __future__ import annotations

import numpy as np
import pandas as pd

from viz.figure import spec_of, tables_of
from viz.knockout import head_bars
from viz.pronoun import flip_rates, hiding_dots
from words import english


def test_bars_of_other_sites_than_a_transformer_s_have_names_of_their_own():
    heads = [("words", 0, 0), ("sentences", 0, 0)]
    names = tables_of(head_bars(heads, np.array([1.0, 2.0]), title="c"))["bars"]["name"]
    name = english("head-name", layer=1, head=1)
    sites = [english(f"site-{site}-attention") for site, _, _ in heads]
    assert list(names) == [f"{site}, {name}" for site in sites]


HIDING = pd.DataFrame(
    {
        "hidden": ["animal", "animal", "street", "street"],
        "place": "all",
        "choice": ["es", "sie", "es", "sie"],
        "probability": [0.5, 0.5, 0.9, 0.1],
        "plain": [0.9, 0.1, 0.9, 0.1],
    }
)
FLIP = {"place": "it", "hidden": "noun", "share": 0.5, "low": 0.4, "high": 0.6, "n": 100}


def test_every_hidden_word_in_every_role_has_its_own_panel():
    for lines in (HIDING, HIDING.assign(hidden="dog", role=[*"aabb"])):
        figure = hiding_dots(lines)
        assert len(spec_of(figure)["hconcat"]) == 2
        assert list(tables_of(figure)["dots"]["word"]) == [0, 0, 1, 1]


def test_panels_of_other_places_stand_in_the_same_row_with_every_place():
    further = HIDING[:2].assign(hidden="because", place="none")
    spec = spec_of(hiding_dots(pd.concat([HIDING, further])))
    places = [layer["layer"][0]["encoding"]["y"]["scale"]["domain"] for layer in spec["hconcat"]]
    assert places == [[*HIDING["place"].unique(), "none"]] * 3


def test_five_hidden_words_differ_in_colour_and_in_shape():
    dots = spec_of(flip_rates(pd.DataFrame([FLIP | {"hidden": word} for word in "abcde"])))[
        "layer"
    ][1]
    for channel in ("color", "shape"):
        assert len(set(dots["encoding"][channel]["scale"]["range"])) == 5
