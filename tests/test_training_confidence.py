"""The measurement of confidence: sacreBLEU's own chrF, bands and limits counted by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import sacrebleu
from conftest import ROOT, SENTENCES, read_json, write_pairs

from core.confidence import FEWEST, learned_profile, other_language
from model import load_translator
from training.confidence import (
    GOOD,
    MEASURES,
    Confidence,
    Measured,
    aucs_of,
    bands_of,
    compared,
    limits_of,
    sure_of,
    translated,
)
from training.corpus import Pair

SETS = {"sets": [{"folder": "first"}, {"folder": "second"}]}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Two sets of a few pairs, train and validation alike."""
    root = tmp_path_factory.mktemp("data")
    pairs = [(SENTENCES[i], SENTENCES[i + 1]) for i in (0, 2, 4, 4)]
    for place in product(("first", "second"), ("train.tsv.gz", "val.tsv.gz")):
        write_pairs(root.joinpath(*place), pairs)
    return root


@pytest.fixture(scope="module")
def result(tiny_checkpoint, data):
    return Confidence(load_translator(tiny_checkpoint), data, card={"data": SETS}).measure()


def found(log_prob: float, chrf: float, source=None) -> Measured:
    return Measured(source, np.array([log_prob, log_prob]), log_prob, chrf)


def test_the_chrf_is_that_of_sacrebleu(tiny_translator):
    pair = Pair(SENTENCES[0], SENTENCES[1])
    one = translated(tiny_translator, pair)
    text = tiny_translator.translate(pair.source).text
    assert one.chrf == sacrebleu.sentence_chrf(text, [pair.target]).score


def test_bands_are_the_lowest_tenth_the_rest_of_the_lower_half_and_the_upper_half():
    # Mean log p -10 to -1, chrF 10 to 100.
    low, middle, high = bands_of([found(-10.0 + i, 10.0 * (i + 1)) for i in range(10)])
    assert (low["sentences"], middle["sentences"], high["sentences"]) == (1, 4, 5)
    assert (low["chrf"], middle["chrf"], high["chrf"]) == (10.0, 35.0, 80.0)
    # 20, 30, 40, 50: one of four is good.
    assert (low["good"], middle["good"], high["good"]) == (0.0, 0.25, 1.0)
    assert low["below"] < middle["below"] < 0
    assert high["below"] is None


def test_sentences_that_are_all_alike_make_one_band():
    (band,) = bands_of([found(-1.0, 40.0), found(-1.0, 60.0)])
    assert (band["name"], band["below"], band["chrf"]) == ("high", None, 50.0)


def test_a_measure_that_orders_all_pairs_has_an_auc_of_one(tiny_translator):
    src = tiny_translator.tokenize(SENTENCES[0])
    check = limits_of((learned_profile("en", SENTENCES[::2]),), SENTENCES[::2])
    rows = compared([found(-3.0, 10.0, src), found(-2.0, 40.0, src), found(-1.0, GOOD, src)], check)
    assert rows.keys() == MEASURES.keys()
    assert rows["mean_log_prob"] == {"auc": 1.0, "spearman": 1.0}
    # The same source three times: a measure of the source alone can order nothing.
    assert rows["short_source"] == {"auc": 0.5, "spearman": None}


def test_what_tells_the_sets_apart_is_not_what_tells_within_them():
    # In each set the good ones are no surer than the bad; one set is surer and better.
    sets = {"easy": (-1.0, 3, 1), "hard": (-2.0, 1, 3)}
    each = [
        replace(found(value, chrf), of=name)
        for name, (value, n_good, n_bad) in sets.items()
        for chrf in [GOOD] * n_good + [0.0] * n_bad
    ]
    told = aucs_of(each)
    # Of 16 pairs: 9 in order; 3 + 3 equal, within a set; 1 the other way.
    assert told["auc_of_sets"] == (9 + 3) / 16
    assert told["auc_within"] == 0.5
    assert told["auc_low"] <= 0.75 <= told["auc_high"]
    assert sure_of(each) == {"easy": {"sentences": 4, "good": 0.75}}


def test_limits_ring_for_none_of_what_set_them_but_the_rarest():
    profiles = tuple(learned_profile(code, SENTENCES[i::2]) for i, code in enumerate(("en", "de")))
    check = limits_of(profiles, SENTENCES[::2])
    assert [other_language(check, text) for text in SENTENCES[::2]] == [None] * 3
    assert [other_language(check, text) for text in SENTENCES[1::2]] == ["de"] * 3


def test_each_source_counts_once(result):
    assert result["sets"] == {"first": 3, "second": 3}
    assert sum(band["sentences"] for band in result["bands"]) == 6


def test_the_docs_tell_the_stored_intervals_and_what_was_sure_of_each_kind_of_text():
    for name, page in (("en-de", "confidence.md"), ("ko-en", "ko-en.md")):
        file = ROOT / "checkpoints" / name / "confidence.json"
        stored = read_json(file)
        text = " ".join((ROOT / "docs" / page).read_text(encoding="utf-8").split())
        for measured in ("auc", "auc_within"):
            low, high = (stored[f"{measured}_{end}"] for end in ("low", "high"))
            assert f"{stored[measured]:.2f} ({low:.2f} to {high:.2f})" in text
        if name == "en-de":
            assert f"{stored['auc_of_sets']:.2f} by itself" in text
            for of, each in stored["sure"].items():
                row = f"(`{of}`) | {each['sentences']} | {100 * each['good']:.0f}% |"
                assert (row in text) == (each["sentences"] >= FEWEST)
