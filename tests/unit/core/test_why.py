"""Scores split by what query and key are sums of, against torch's own modules and plain loops."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from core.score_parts import pair_table, score_cells, why_facts
from core.value_zeroing import zeroing_facts
from model.experiments.block import streams_of
from model.experiments.score_parts import split_scores
from model.hooks.capture import capture_attention
from support.models import spell

TEXT = (
    "The animal didn't cross the street because it was too tired.",
    "Das Tier überquerte die Straße nicht, weil es zu müde war.",
)
HEADS, D_K = 8, 32


@pytest.fixture(scope="module")
def source(en_de):
    return en_de.attend(*TEXT).src


@pytest.fixture(scope="module")
def splits(en_de):
    record = en_de.attend(*TEXT)
    stream = streams_of(en_de, record.src, record.tgt)[0]
    return {
        layer: split_scores(en_de, stream, record.src, record.tgt, layer) for layer in (0, 1, 3)
    }


def test_the_parts_add_up_to_the_scores_of_the_model(en_de, splits, source):
    with torch.inference_mode(), capture_attention(en_de.model, scores=True) as captured:
        en_de.model.encode(torch.tensor([source.ids]))
    for layer, found in splits.items():
        scores = captured.scores("encoder")[0, layer]
        for head in range(HEADS):
            np.testing.assert_allclose(found.of(head).sum((0, 1)), scores[head], atol=1e-5)
            assert found.error(head) < 1e-5
        assert len(found.parts) == (2 if layer == 0 else 3 + 2 * layer)
        lines = pair_table(found, 2, 4, 1)
        assert lines["value"][:-1].sum() == pytest.approx(scores[2, 4, 1], abs=1e-5)
        assert lines["mean"].iloc[-1] == pytest.approx(float(scores[2, 4].mean()), abs=1e-5)


@torch.inference_mode()
def test_content_and_position_are_projected_apart(en_de, splits, source):
    model, found = en_de.model, splits[0]
    ids, attention = torch.tensor([source.ids]), model.encoder_layers[0].self_attention
    content = model.embedding(ids) * model.config.d_model**0.5
    position = model.positions(torch.zeros_like(content))
    queries = {0: content @ attention.query_proj.weight.T, 1: attention.query_proj(position)}
    keys = content @ attention.key_proj.weight.T
    for head in (3, 7):
        at = slice(D_K * head, D_K * head + D_K)
        for part, asked in queries.items():
            expected = asked[0, :, at] @ keys[0, :, at].T / D_K**0.5
            np.testing.assert_allclose(found.of(head)[part, 0], expected, atol=1e-5)


def test_what_sub_layers_wrote_adds_up_to_the_queries_behind_the_norm(en_de, splits, source):
    first, second = en_de.model.encoder_layers[:2]
    with torch.inference_mode():
        x = first(en_de.model.embed(torch.tensor([source.ids])), None)
        asked = second.self_attention.query_proj(x)[0].unflatten(-1, (HEADS, -1)).transpose(0, 1)
    np.testing.assert_allclose(splits[1].queries.sum(0), asked, atol=1e-4)


def about_rows(scores: np.ndarray) -> list[float]:
    """Each score about the mean of its row, by loops."""
    return [score - sum(row) / len(row) for row in scores.tolist() for score in row]


def test_shares_are_covariances_about_the_means_of_rows(splits, source):
    head = 3
    for layer, found in splits.items():
        pairs = found.of(head)
        whole = about_rows(pairs.sum((0, 1)))
        parts = pairs.reshape(4, *pairs.shape[2:]) if layer == 0 else pairs.sum(0)
        covariances = [sum(a * b for a, b in zip(about_rows(p), whole, strict=True)) for p in parts]
        expected = np.array(covariances) / sum(each * each for each in whole)
        np.testing.assert_allclose(found.shares()[head], expected, atol=1e-9)
        facts = why_facts(found, head, 4, 1)
        assert facts["share"] == pytest.approx(expected.max())
        assert facts["value"] == pytest.approx(found.scores[head, 4, 1], abs=1e-5)
    found = splits[0]
    assert found.shares()[head].argmax() == 3  # position asks, position answers
    cells = score_cells(found, head, source.tokens, (0, 1), (1,))
    chosen = about_rows(found.of(head)[:, 1].sum(0))
    np.testing.assert_allclose(cells["value"], chosen, atol=1e-5)


def test_the_last_token_is_told_by_its_column():
    shares = np.array([[0.1, 0.2, 0.7], [0.5, 0.4, 0.1], [1 / 3, 1 / 3, 1 / 3]])
    weights = np.array([[0.3, 0.1, 0.6], [0.2, 0.7, 0.1], [0.6, 0.3, 0.1]])
    facts = zeroing_facts(shares, weights, spell("▁a", "▁b"))
    assert facts["token"] == "</s>"
    assert facts["share"] == pytest.approx((0.7 + 0.1 + 1 / 3) / 3)
    assert facts["weight"] == pytest.approx((0.6 + 0.1 + 0.1) / 3)
    # Ranks 1 2 3 and 2 1 3, then 3 2 1 and 2 3 1: both 0.5; a row without a spread does not count.
    assert facts["correlation"] == pytest.approx(0.5)
    assert facts["known"]
    assert not zeroing_facts(np.ones((1, 1)), np.ones((1, 1)), spell())["known"]
