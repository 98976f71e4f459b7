"""Roles of heads over many sentences, against sums over single ones."""

from collections import Counter
from dataclasses import replace
from itertools import chain, product

import numpy as np
import pytest
import torch

from core.changes import AblatedHead
from core.intervention import Intervention
from core.measures import pair_weights
from core.roles import row_values
from core.transform import word_groups
from model import ModelError, load_translator
from support.models import SENTENCES
from training.coreference import generate_held_out
from training.evaluate import HELD_OUT_SEED
from training.intervene import head_means
from training.pointing import word_links
from training.roles import Roles

PAIRS = [(SENTENCES[i], SENTENCES[i + 1]) for i in (0, 2)]  # of either set the first two


@pytest.fixture(scope="module")
def translator(tiny_checkpoint):
    return load_translator(str(tiny_checkpoint))


@pytest.fixture(scope="module")
def result(tiny_checkpoint, measured_data):
    return Roles(Roles.load(str(tiny_checkpoint)), measured_data, 2).measure()


@pytest.mark.parametrize(
    ("kind", "role"), [("encoder", "next"), ("decoder", "end"), ("cross", "column")]
)
def test_a_value_is_the_mean_over_all_rows(translator, result, kind, role):
    rows = [row_values(translator.attend(*pair).of(kind), role) for pair in PAIRS]
    wanted, stored = np.concatenate(rows, axis=-1), result["sites"][kind][role]
    assert (result["sentences"], stored["n"]) == (4, 2 * wanted.shape[-1])
    np.testing.assert_allclose(stored["measured"]["value"], wanted.mean(-1), atol=1e-4)


def test_the_noun_is_held_against_the_other_noun_and_a_fixed_offset(translator, result):
    weights, away = {"measured": [], "other": []}, Counter()
    for pair in generate_held_out(2, seed=HELD_OUT_SEED):
        record = translator.attend(pair.source, pair.target)
        it, noun, other = (
            record.src.pieces_at(*span) for span in (pair.pronoun, pair.antecedent, pair.distractor)
        )
        for name, columns in (("measured", noun), ("other", other)):
            weights[name].append(pair_weights(record.encoder, it, columns))
        for i, k in product(it, noun):
            away[k - i] += 1 / len(it)
    stored = result["sites"]["encoder"]["noun"]
    assert stored["n"] == result["links"] == 4
    for name, wanted in weights.items():
        values = (stored["controls"] | stored)[name]["value"]
        np.testing.assert_allclose(values, np.mean(wanted, axis=0), atol=1e-4)
    best = max(away.values()) / 4
    np.testing.assert_allclose(stored["controls"]["offset"]["value"], best, atol=1e-4)


@pytest.mark.parametrize("how", ["zero", "mean"])
def test_what_a_head_is_worth_is_the_change_of_log_p_without_it(translator, result, how):
    ids = [tuple(translator.tokenizer.encode(text).ids for text in pair) for pair in PAIRS]
    means = head_means(translator.model, ids)
    translator.means = {site.name: torch.tensor(means[site.name]) for site in translator.sites}
    plain, without = (
        np.concatenate([translator.read_pair(*pair, intervention=each)[1] for pair in PAIRS])
        for each in (None, Intervention(AblatedHead("cross", 1, 2, how)))
    )
    stored = result["off"][how]["cross"]
    value, low, high = (stored[name][1][2] for name in ("value", "low", "high"))
    assert low <= value <= high
    assert value == pytest.approx((without - plain).mean(), abs=2e-4)


def test_a_model_of_the_other_direction_is_measured_on_the_same_links_turned_round(
    tiny_checkpoint, measured_data
):
    reader = load_translator(str(tiny_checkpoint))
    reader.card = replace(reader.card, languages=("de", "en"))
    stored = Roles(reader, measured_data, 2).measure()["sites"]["cross"]["aligns"]
    weights = []
    for pair in generate_held_out(2, seed=HELD_OUT_SEED):
        record = reader.attend(pair.target, pair.source)
        for link in word_links(pair):
            rows, noun = (record.tgt.pieces_at(*link.source), record.src.pieces_at(*link.target))
            words = [word for word in word_groups(record.src) if {*word} & {*noun}]
            weights.append(pair_weights(record.cross, rows, list(chain(*words))))
    assert stored["n"] == len(weights) > 4
    np.testing.assert_allclose(stored["measured"]["value"], np.mean(weights, axis=0), atol=1e-4)


def test_a_model_without_text_is_refused():
    with pytest.raises(ModelError):
        Roles.load("documents-han")
