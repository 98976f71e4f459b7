"""Rank correlations of heads with other explanations, against those of single sentences."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from model.experiments.explain import explain
from support.models import SENTENCES
from training.intervene import AGAINST, METHODS, _spread, correlations, explain_rows


@pytest.fixture(scope="module")
def sides(tiny_translator):
    """A sentence and its translation."""
    return tuple(tiny_translator.tokenize(sentence) for sentence in SENTENCES[:2])


@pytest.mark.parametrize("method", METHODS)
def test_correlations_of_heads_are_means_over_the_rows_of_an_explanation(
    tiny_translator, sides, method
):
    src, tgt = sides
    found = correlations(tiny_translator.model, src.ids, tgt.ids, seed=0)
    for where in ("both", "cross"):
        explained = explain(tiny_translator, src, tgt, hidden_from=where, method=method)
        entry = found[where, method]
        np.testing.assert_allclose(entry["heads"], np.nanmean(explained.to_drops, -1), atol=1e-5)
        expected = np.nanmean(explained.gradient_to_drops)
        assert entry["gradient"] == pytest.approx(expected, abs=1e-5)
    entry = found["gradient", method]
    np.testing.assert_allclose(entry["heads"], np.nanmean(explained.to_gradient, -1), atol=1e-5)
    assert "gradient" not in entry


def test_averaged_weights_are_correlated_too(tiny_translator, sides):
    src, tgt = sides
    weights = tiny_translator.read_again(src, tgt)[0].cross.weights
    drops = explain(tiny_translator, src, tgt).drops

    def mean_rho(rows):
        pairs = zip(rows, drops, strict=True)
        return np.mean([scipy.stats.spearmanr(*pair).statistic for pair in pairs])

    found = correlations(tiny_translator.model, src.ids, tgt.ids, seed=0)["both", "spearman"]
    assert found["average"] == pytest.approx(mean_rho(weights.mean((0, 1))), abs=1e-4)
    expected = [mean_rho(layer.mean(0)) for layer in weights]
    np.testing.assert_allclose(found["layers"], expected, atol=1e-4)


def test_shuffled_rows_correlate_with_nothing(tiny_translator, sides):
    src, tgt = (side.ids for side in sides)
    found = [correlations(tiny_translator.model, src, tgt, seed) for seed in range(8)]
    shuffled = [each["both", "spearman"]["permuted_heads"] for each in found]
    n_rows = 8 * tiny_translator.model.config.n_heads * 2 * len(tgt)
    # The rho of n ranks that have nothing to do with each other has variance 1 / (n - 1).
    error = 1 / np.sqrt((len(src) - 1) * n_rows)
    assert abs(np.mean(shuffled)) < 5 * error
    assert np.ptp(shuffled) > 0


def test_means_and_deviations_are_over_sentences(tiny_translator):
    encode = tiny_translator.tokenizer.encode
    pairs = [
        (encode(src).ids, encode(tgt).ids)
        for src, tgt in zip(SENTENCES[::2], SENTENCES[1::2], strict=True)
    ]
    rows = explain_rows(tiny_translator.model, pairs)
    assert [(row["against"], row["method"]) for row in rows] == [
        (against, method) for against in AGAINST for method in METHODS
    ]
    found = [correlations(tiny_translator.model, *pair, seed) for seed, pair in enumerate(pairs)]
    for row in rows:
        heads = np.stack([each[row["against"], row["method"]]["heads"] for each in found])
        np.testing.assert_allclose(row["heads"]["mean"], heads.mean(0), atol=1e-4)
        np.testing.assert_allclose(row["heads"]["std"], heads.std(0), atol=1e-4)
        assert np.all(np.array(row["heads"]["n"]) == 3)
        assert (row["gradient"] is None) == (row["against"] == "gradient")


def test_sentences_without_a_number_are_not_counted():
    found = _spread([np.array([0.5, np.nan]), np.array([0.7, np.nan])])
    assert found == {"mean": [0.6, None], "std": [0.1, None], "n": [2, 0]}
