"""The measurement of the language check: limits counted by hand."""

from __future__ import annotations

from itertools import product

import pytest

from core.text_language import TextLanguage, learned_profile, other_language
from model import load_translator
from support.models import SENTENCES
from support.runs import write_pairs
from training.language import Language, limits_of

SETS = {"sets": [{"folder": "first"}, {"folder": "second"}]}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Two sets of a few pairs, train and validation alike."""
    root = tmp_path_factory.mktemp("data")
    pairs = [(SENTENCES[i], SENTENCES[i + 1]) for i in (0, 2, 4, 4)]
    for place in product(("first", "second"), ("train.tsv.gz", "val.tsv.gz")):
        write_pairs(root.joinpath(*place), pairs)
    return root


def test_limits_ring_for_none_of_what_set_them_but_the_rarest():
    profiles = tuple(learned_profile(code, SENTENCES[i::2]) for i, code in enumerate(("en", "de")))
    check = limits_of(profiles, SENTENCES[::2])
    assert [other_language(check, text) for text in SENTENCES[::2]] == [None] * 3
    assert [other_language(check, text) for text in SENTENCES[1::2]] == ["de"] * 3


def test_each_source_counts_once_and_its_profiles_are_those_of_both_sides(tiny_checkpoint, data):
    result = Language(load_translator(tiny_checkpoint), data, card={"data": SETS}).measure()
    check = TextLanguage.from_values(result).check
    assert [profile.code for profile in check.profiles] == ["en", "de"]
    # Three sources in each of two sets; every other one sets the limits.
    assert result["check"]["tested"]["en, validation"]["sentences"] == 3
    assert result["check"]["tested"]["de, validation"]["sentences"] == 6
