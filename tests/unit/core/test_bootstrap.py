"""Intervals of corpus measures, against loops and sacreBLEU."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sacrebleu

from core.bootstrap import bleu, bootstrap, compared, draws, mean, perplexity, ratios

HYPOTHESES = [
    "ein Hund läuft durch den Schnee .",
    "zwei Männer stehen an der Bar",
    "die Katze schläft",
    "ein Kind spielt im Garten mit einem Ball",
]
REFERENCES = [
    "ein Hund rennt durch den Schnee .",
    "zwei Männer sitzen an der Bar .",
    "die Katze schläft auf dem Sofa",
    "ein Kind spielt mit einem roten Ball im Garten",
]


def stats(hypotheses: list[str], references: list[str]) -> np.ndarray:
    rows = []
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        found = sacrebleu.BLEU(effective_order=True).sentence_score(hypothesis, [reference])
        rows.append([*found.counts, *found.totals, found.sys_len, found.ref_len])
    return np.array(rows)


def corpus(hypotheses: list[str], references: list[str]) -> float:
    return sacrebleu.BLEU().corpus_score(hypotheses, [references]).score


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [(HYPOTHESES, REFERENCES), (["a b c d e f"], ["a x b y c z"]), (["a b c d e"], ["v w x y z"])],
    ids=["sentences", "smoothed", "no right word"],
)
def test_bleu_of_summed_counts_is_sacrebleus(hypotheses, references):
    found = bleu(stats(hypotheses, references).sum(axis=0))
    assert found == pytest.approx(corpus(hypotheses, references))


def test_an_interval_is_that_of_a_loop_over_the_same_draws():
    rows = stats(HYPOTHESES, REFERENCES)
    scores = []
    for counts in draws(len(rows), 200):
        drawn = [i for i, n in enumerate(counts) for _ in range(n)]
        scores.append(corpus([HYPOTHESES[i] for i in drawn], [REFERENCES[i] for i in drawn]))
    found = bootstrap(rows, bleu, resamples=200)
    assert found.value == pytest.approx(corpus(HYPOTHESES, REFERENCES))
    assert (found.low, found.high) == pytest.approx(np.quantile(scores, (0.025, 0.975)))


def test_two_systems_are_drawn_together():
    rows = np.array([[-2.0, 1], [-8.0, 2], [-3.0, 3]])
    better = rows + np.array([[1.0, 0], [2.0, 0], [3.0, 0]])  # each token by one nat
    found = compared(better, rows, perplexity, np.divide)
    assert (found.value, found.low, found.high) == pytest.approx((1 / math.e,) * 3)
    assert perplexity(np.array([-math.log(8) * 3, 3])) == pytest.approx(8)
    same = compared(rows, rows, mean)
    assert (same.value, same.low, same.high) == (0, 0, 0)


def test_means_of_many_heads_have_the_intervals_that_one_has_alone():
    rng = np.random.default_rng(1)
    sums, counts = rng.random((30, 2, 3)) * 5, rng.integers(1, 9, 30)
    together = ratios(sums, counts)
    for at in np.ndindex(2, 3):
        alone = bootstrap(np.stack([sums[:, *at], counts], axis=1), mean)
        np.testing.assert_allclose(together[:, *at], [alone.value, alone.low, alone.high])
